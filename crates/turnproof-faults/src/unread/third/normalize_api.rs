//! Unread faults in *making a request*: which messages it is made of, and how it grows.

use std::collections::HashSet;

use turnproof::message::constants::SYNTHETIC_MODEL;
use turnproof::operation::Value;
use turnproof_rules::json;

use super::super::super::walk::{
    blocks, blocks_mut, change_text, content, content_mut, each, is, is_of, is_thinking, kind, lists, remove, text,
    text_block, turn, words,
};
use super::super::super::wrong::Wrong;
use super::{Unread, unread};

pub(super) const UNREAD: &[Unread] = &[
    unread(
        "normalize_api/unread-third-attachments-stop-at-notices",
        "6.1: an attachment moves up past progress, system and plain user messages",
        "lets attachments move up past what users say, and not past notices",
        Wrong::Messages(|messages| {
            let stops = |message: &Value| kind(message) == "system" && text(message, "subtype") != "api_error";
            stop_behind(messages, stops);
        }),
    ),
    unread(
        "normalize_api/unread-third-attachments-turned-round",
        "6.1: attachments keep their order",
        "moves attachments up one after the other, each in front of those that moved before",
        Wrong::Messages(|messages| {
            let is_stop = |message: &Value| {
                is_of(message, "assistant") || blocks(message).iter().any(|block| kind(block) == "tool_result")
            };
            for segment in messages.split_mut(is_stop) {
                let places: Vec<usize> =
                    (0..segment.len()).filter(|&place| kind(&segment[place]) == "attachment").collect();
                for number in 0..places.len() / 2 {
                    segment.swap(places[number], places[places.len() - 1 - number]);
                }
            }
        }),
    ),
    unread(
        "normalize_api/unread-third-virtual-replies-sent",
        "6.2: virtual messages go",
        "leaves out what it guessed that the user may say, and sends the guessed reply",
        Wrong::EachMessage("assistant", |message| remove(message, "isVirtual")),
    ),
    unread(
        "normalize_api/unread-third-truthy-flags",
        "2.4: a field of another type counts as missing, and each operation gives what it gives without the field",
        "takes any text and any number but 0 in a flag for true",
        Wrong::Messages(|messages| {
            for (message, flag) in messages.iter_mut().flat_map(|message| {
                let set =
                    ["isVirtual", "isVisibleInTranscriptOnly"].into_iter().find(|flag| is_truthy(&message[*flag]));
                set.map(|flag| (message, flag))
            }) {
                message[flag] = true.into();
            }
        }),
    ),
    unread(
        "normalize_api/unread-third-tombstone-of-the-reply",
        "6.3: a tombstone takes with it every earlier assistant message with the uuid that it withdraws",
        "withdraws all lines of a reply when one of them is withdrawn",
        Wrong::Messages(|messages| {
            let mut gone = HashSet::new();
            for (place, stone) in messages.iter().enumerate().filter(|(_, message)| kind(message) == "tombstone") {
                let withdrawn = text(&stone["message"], "uuid");
                let before = || messages[..place].iter().enumerate().filter(|(_, message)| is_of(message, "assistant"));
                let meant = before().find(|(_, message)| !withdrawn.is_empty() && text(message, "uuid") == withdrawn);
                let reply = meant.map_or("", |(_, message)| text(&message["message"], "id"));
                let lines =
                    before().filter(|(_, message)| !reply.is_empty() && text(&message["message"], "id") == reply);
                gone.extend(lines.map(|(place, _)| place));
            }
            let mut place = 0..;
            messages.retain(|_| place.next().is_none_or(|place| !gone.contains(&place)));
        }),
    ),
    unread(
        "normalize_api/unread-third-no-synthetic-replies",
        "6.3: a synthetic API error has isApiErrorMessage: true and the model <synthetic>",
        "drops every assistant message that no model made",
        Wrong::Messages(|messages| {
            let is_note = |message: &Value| is_synthetic(message) && !is(message, "isApiErrorMessage");
            messages.retain(|message| !is_note(message));
        }),
    ),
    unread(
        "normalize_api/unread-third-errors-of-any-model",
        "6.3: a synthetic API error has isApiErrorMessage: true and the model <synthetic>",
        "drops every assistant message with isApiErrorMessage, whatever its model",
        Wrong::Messages(|messages| {
            let is_marked = |message: &Value| is_of(message, "assistant") && is(message, "isApiErrorMessage");
            messages.retain(|message| !is_marked(message) || is_synthetic(message));
        }),
    ),
    unread(
        "normalize_api/unread-third-old-commands",
        "2.4: in a system message message is the older name of content",
        "does not send local commands that say their text in message",
        Wrong::EachMessage("system", |message| remove(message, "message")),
    ),
    unread(
        "normalize_api/unread-third-strips-prompts",
        "6.4: media that the user gave in an ordinary prompt stay",
        "takes refused media out of prompts too",
        Wrong::EachMessage("user", |message| message["isMeta"] = true.into()),
    ),
    unread(
        "normalize_api/unread-third-errors-by-case",
        "6.4: an error's text, in lower case, says what was refused",
        "looks for lower-case words in the error as it is written",
        Wrong::Messages(|messages| {
            for error in messages.iter_mut().filter(|message| is_error(message)) {
                let hushed = |said: &str| said.replace(|letter: char| letter.is_uppercase(), "#");
                match content_mut(error) {
                    Some(Value::Array(blocks)) => blocks.iter_mut().for_each(|block| change_text(block, hushed)),
                    Some(content) if content.is_string() => *content = hushed(content.as_str().unwrap_or("")).into(),
                    _ => {}
                }
            }
        }),
    ),
    unread(
        "normalize_api/unread-third-large-requests-keep-documents",
        "6.4: the whole request means images and documents",
        "takes only images away when the whole request was too large",
        Wrong::Messages(|messages| {
            for error in messages.iter_mut().filter(|message| is_error(message)) {
                let words: Vec<String> = words(error).map(str::to_lowercase).collect();
                let is_whole = |said: &String| {
                    let phrases = ["request too large", "request_too_large", "request was too large"];
                    phrases.iter().any(|phrase| said.contains(phrase))
                };
                if words.iter().any(is_whole) {
                    error["message"]["content"] = json!([{"type": "text", "text": "image too large"}]);
                }
            }
        }),
    ),
    unread(
        "normalize_api/unread-third-reply-at-its-last-line",
        "6.6: the blocks of a reply are joined in order where the first one stands",
        "joins the lines of a reply where the last one stands",
        Wrong::Messages(|messages| {
            for place in 0..messages.len() {
                let id = text(&messages[place]["message"], "id").to_owned();
                if !is_of(&messages[place], "assistant") || id.is_empty() || is_withdrawn(messages, place) {
                    continue;
                }
                let is_next = |message: &Value| is_of(message, "assistant") && text(&message["message"], "id") == id;
                let next =
                    (place + 1..messages.len()).find(|&next| is_next(&messages[next]) && !is_withdrawn(messages, next));
                let (Some(next), Some(own)) = (next, blocks_mut(&mut messages[place])) else { continue };
                let own = std::mem::take(own);
                if let Some(later) = blocks_mut(&mut messages[next]) {
                    later.splice(0..0, own);
                }
            }
        }),
    ),
    unread(
        "normalize_api/unread-third-merges-texts",
        "6.7: neighbouring messages of one role become one turn; blocks keep their order",
        "joins the texts of neighbouring prompts to one text",
        Wrong::Blocks("user", |blocks| {
            let mut joined: Vec<Value> = Vec::new();
            for block in std::mem::take(blocks) {
                match joined.last_mut() {
                    Some(last) if kind(last) == "text" && kind(&block) == "text" => {
                        change_text(last, |said| format!("{said}\n\n{}", text(&block, "text")));
                    }
                    _ => joined.push(block),
                }
            }
            *blocks = joined;
        }),
    ),
    unread(
        "normalize_api/unread-third-same-prompt-again",
        "6.17.2: each text that is not blank is in the request exactly once for each message",
        "drops a prompt that says what the prompt before it said",
        Wrong::Messages(|messages| {
            let mut last = Value::Null;
            messages.retain(|message| {
                if !is_of(message, "user") || blocks(message).iter().any(|block| kind(block) != "text") {
                    return true;
                }
                *content(message) != std::mem::replace(&mut last, content(message).clone())
            });
        }),
    ),
    unread(
        "normalize_api/unread-third-context-in-a-text",
        "6.10: the context becomes a text block in front of the first user turn",
        "puts the context and the first text behind it into one text",
        Wrong::List(|asked, turns| {
            let Some(context) = asked.context else { return };
            let Some(blocks) = turns.first_mut().and_then(blocks_mut) else { return };
            if blocks.len() > 1 && text(&blocks[0], "text") == context && kind(&blocks[1]) == "text" {
                change_text(&mut blocks[1], |said| format!("{context}\n\n{said}"));
                blocks.remove(0);
            }
        }),
    ),
    unread(
        "normalize_api/unread-third-context-alone",
        "6.10: without messages to send the context makes no turn of its own",
        "sends the context when there is nothing else to send",
        Wrong::List(|asked, turns| {
            if let (true, Some(context)) = (turns.is_empty(), asked.context) {
                turns.push(turn("user", vec![text_block(context)]));
            }
        }),
    ),
    unread(
        "normalize_api/unread-third-texts-become-blocks",
        "6.17.5: the messages are not changed",
        "turns the string content of the caller's messages into blocks",
        Wrong::MessagesAfter(|_, messages| {
            for message in messages {
                if let Some(said) = content(message).as_str().map(text_block) {
                    message["message"]["content"] = json!([said]);
                }
            }
        }),
    ),
    unread(
        "normalize_api/unread-third-late-tombstone",
        "6.17.6: a normalizer that is given one message at a time has the request that the whole beginning gives",
        "takes a withdrawn message out of the kept request only when the next message comes",
        Wrong::Incremental(|turns, messages, right| {
            if messages.last().is_none_or(|message| kind(message) != "tombstone") {
                *turns = right(messages);
            }
        }),
    ),
    unread(
        "normalize_api/unread-third-thinking-of-the-last-reply",
        "6.17.6: adding a message changes no turn before the last one of the shorter request",
        "sends the thinking of the newest reply alone, so that earlier turns change when the list grows",
        Wrong::List(|_, turns| {
            let last = turns.iter().rposition(|turn| is_of(turn, "assistant")).unwrap_or(0);
            lists(&mut turns[..last], "assistant", |blocks| blocks.retain(|block| !is_thinking(block)));
        }),
    ),
    unread(
        "normalize_api/unread-third-rolling-breakpoint",
        "6.17.3: only eight things may be new",
        "marks the last block of the newest user turn for the cache, which nobody asked for",
        Wrong::List(|_, turns| {
            let last = turns.iter_mut().rfind(|turn| is_of(turn, "user")).and_then(blocks_mut);
            if let Some(block) = last.and_then(|blocks| blocks.last_mut()) {
                block["cache_control"] = json!({"type": "ephemeral"});
            }
        }),
    ),
    unread(
        "normalize_api/unread-third-question-marks",
        "6.9.2: each half of a surrogate pair becomes U+FFFD",
        "writes a question mark for half of a surrogate pair",
        Wrong::List(|_, turns| {
            for role in ["user", "assistant"] {
                each(turns, role, |block| change_text(block, |said| said.replace('\u{FFFD}', "?")));
            }
        }),
    ),
];

/// Puts a reply without blocks behind each message for which this holds. It is not sent, and attachments stop at it.
fn stop_behind(messages: &mut Vec<Value>, stops: impl Fn(&Value) -> bool) {
    let stop = json!({"type": "assistant", "message": {"role": "assistant", "content": []}});
    for message in std::mem::take(messages) {
        let is_stop = stops(&message);
        messages.push(message);
        messages.extend(is_stop.then(|| stop.clone()));
    }
}

/// Whether no model made this assistant message.
fn is_synthetic(message: &Value) -> bool {
    is_of(message, "assistant") && text(&message["message"], "model") == SYNTHETIC_MODEL
}

/// Whether a message is a synthetic API error.
fn is_error(message: &Value) -> bool {
    is_synthetic(message) && is(message, "isApiErrorMessage")
}

/// Whether JavaScript would take a value of the wrong type for true.
fn is_truthy(value: &Value) -> bool {
    match value {
        Value::String(text) => !text.as_str().is_empty(),
        Value::Number(_) => value.as_f64() != Some(0.0),
        Value::Array(_) | Value::Object(_) => true,
        _ => false,
    }
}

/// Whether a tombstone behind a message withdraws it.
fn is_withdrawn(messages: &[Value], place: usize) -> bool {
    let uuid = text(&messages[place], "uuid");
    let withdraws = |stone: &Value| kind(stone) == "tombstone" && text(&stone["message"], "uuid") == uuid;
    !uuid.is_empty() && messages[place..].iter().any(withdraws)
}
