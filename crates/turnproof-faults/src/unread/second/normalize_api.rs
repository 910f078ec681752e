//! Unread faults in *requests*: which messages go in, in which order, and how blocks and turns are tidied.

use std::collections::HashMap;

use turnproof::operation::Value;
use turnproof_rules::json;

use super::{Unread, unread};
use crate::hidden::hide_type;
use crate::part::{is_spoken, passes};
use crate::walk::{
    blocks, blocks_mut, change_text, content, content_mut, each, each_of, is, is_of, is_thinking, kind, last_of, lists,
    remove, text,
};
use crate::wrong::Wrong;

pub(super) const UNREAD: &[Unread] = &[
    unread(
        "normalize_api/unread-attachments-pass-results",
        "6.1: an attachment moves up until it meets a user message with a tool result",
        "moves attachments up to the reply, past the message with its results",
        Wrong::Messages(|messages| move_attachments(messages, |other| !is_of(other, "assistant"))),
    ),
    unread(
        "normalize_api/unread-typed-commands-stay",
        "6.1: an attachment moves up past plain user messages",
        "leaves what the user typed meanwhile where it stands",
        Wrong::EachMessage("attachment", |message| {
            let prompt = &message["attachment"]["prompt"];
            let is_typed = text(&message["attachment"], "type") == "queued_command"
                && message["attachment"].get("commandMode").is_none_or(|mode| mode == "prompt")
                && message.pointer("/attachment/origin").is_none()
                && message.pointer("/attachment/isMeta").is_none();
            if let (true, Some(words)) = (is_typed, prompt.as_str()) {
                *message = json!({"type": "user", "message": {"role": "user", "content": words}});
            }
        }),
    ),
    unread(
        "normalize_api/unread-truthy-flags-hide",
        "2.4: a field of a wrong type counts as missing",
        "takes a flag that is text or a number for set, and hides the message",
        Wrong::Messages(|messages| {
            let is_truthy = |message: &Value, flag: &str| match message.get(flag) {
                Some(Value::String(said)) => !said.is_empty(),
                Some(Value::Number(number)) => number.as_f64() != Some(0.0),
                _ => false,
            };
            messages
                .retain(|message| !is_truthy(message, "isVirtual") && !is_truthy(message, "isVisibleInTranscriptOnly"));
        }),
    ),
    unread(
        "normalize_api/unread-begins-at-the-last-boundary",
        "6.17.2: of the messages that stages 6.2 to 6.4 leave, each text is sent",
        "sends nothing that stands before the last boundary in its list",
        Wrong::Messages(|messages| {
            let last = messages.iter().rposition(|message| text(message, "subtype") == "compact_boundary");
            messages.drain(..last.unwrap_or(0));
        }),
    ),
    unread(
        "normalize_api/unread-tombstone-takes-the-reply",
        "6.3: a tombstone takes every earlier assistant message with the uuid that it withdraws",
        "lets a tombstone take all earlier lines of the reply",
        Wrong::Messages(|messages| {
            let mut kept: Vec<Value> = Vec::new();
            for message in std::mem::take(messages) {
                if kind(&message) == "tombstone"
                    && let Some(id) = message.pointer("/message/message/id").and_then(Value::as_str)
                {
                    kept.retain(|line| !is_of(line, "assistant") || text(&line["message"], "id") != id);
                }
                kept.push(message);
            }
            *messages = kept;
        }),
    ),
    unread(
        "normalize_api/unread-tombstone-of-this-turn",
        "6.3: a tombstone takes every earlier assistant message with the uuid",
        "looks for what a tombstone withdraws no further back than the last prompt",
        Wrong::Messages(|messages| {
            let is_prompt = |message: &Value| {
                is_of(message, "user") && !blocks(message).iter().any(|block| kind(block) == "tool_result")
            };
            let mut at = 0;
            while at < messages.len() {
                if kind(&messages[at]) == "tombstone" {
                    let withdrawn = messages[at].pointer("/message/uuid").cloned();
                    let from = messages[..at].iter().rposition(is_prompt).unwrap_or(0);
                    for earlier in &mut messages[..from] {
                        if is_of(earlier, "assistant") && earlier.get("uuid") == withdrawn.as_ref() {
                            remove(earlier, "uuid");
                        }
                    }
                }
                at += 1;
            }
        }),
    ),
    unread(
        "normalize_api/unread-sidechains-stay-at-home",
        "6.2 and 6.3: they say which messages go, and isSidechain is not among it",
        "does not send messages that are marked as a sidechain",
        Wrong::Messages(|messages| messages.retain(|message| !is(message, "isSidechain"))),
    ),
    unread(
        "normalize_api/unread-role-of-the-body",
        "2: the type of a message names its kind",
        "takes the role inside a message for its kind",
        Wrong::Messages(|messages| {
            for message in messages.iter_mut().filter(|message| is_spoken(message)) {
                let role = message["message"].get("role").and_then(Value::as_str).unwrap_or_default();
                if let Some(role) = ["user", "assistant"].into_iter().find(|known| *known == role) {
                    message["type"] = json!(role);
                }
            }
        }),
    ),
    unread(
        "normalize_api/unread-old-commands-say-nothing",
        "2.4: in a system message `message` is the older name of `content`",
        "does not know the older name of what a command said",
        Wrong::EachMessage("system", |message| {
            if message.get("content").is_none() {
                remove(message, "message");
            }
        }),
    ),
    unread(
        "normalize_api/unread-one-block-is-a-list",
        "2.4: a content that is neither a string nor a list cannot be read",
        "takes a content that is one block for a list of it",
        Wrong::Messages(|messages| {
            for content in messages.iter_mut().filter(|message| is_spoken(message)).filter_map(content_mut) {
                if content.is_object() {
                    *content = Value::Array(vec![content.take()]);
                }
            }
        }),
    ),
    unread(
        "normalize_api/unread-strings-in-a-list-are-texts",
        "6.9.1: an element of the content that is no object goes",
        "takes a string in a list of blocks for a text",
        Wrong::Messages(|messages| {
            for block in messages.iter_mut().filter_map(blocks_mut).flatten() {
                if let Some(words) = block.as_str() {
                    *block = json!({"type": "text", "text": words});
                }
            }
        }),
    ),
    unread(
        "normalize_api/unread-texts-need-no-type",
        "6.9.1: a block without `type` goes",
        "takes a block without a type for a text if it has one",
        Wrong::Messages(|messages| {
            for block in messages.iter_mut().filter_map(blocks_mut).flatten() {
                if block.get("type").is_none() && block.get("text").is_some_and(Value::is_string) {
                    block["type"] = json!("text");
                }
            }
        }),
    ),
    unread(
        "normalize_api/unread-messages-by-uuid",
        "6.17.2: each text of the messages is in the request exactly once",
        "keeps messages in a map by their uuid, so that a second one takes the place of the first",
        Wrong::Messages(|messages| {
            let mut places: HashMap<String, usize> = HashMap::new();
            let mut kept: Vec<Value> = Vec::new();
            for message in std::mem::take(messages) {
                match places.get(text(&message, "uuid")).copied() {
                    Some(place) if is_spoken(&message) && is_spoken(&kept[place]) => kept[place] = message,
                    _ => {
                        if !text(&message, "uuid").is_empty() {
                            places.insert(text(&message, "uuid").to_owned(), kept.len());
                        }
                        kept.push(message);
                    }
                }
            }
            *messages = kept;
        }),
    ),
    unread(
        "normalize_api/unread-prompts-end-replies",
        "6.6: the blocks of a reply are joined where the first one stands, whatever stands between them",
        "begins the reply anew when a prompt stands between its lines",
        Wrong::Messages(|messages| {
            let mut prompts = 0;
            for message in messages.iter_mut() {
                let is_result = blocks(message).iter().any(|block| kind(block) == "tool_result");
                if is_of(message, "user") && !is_result {
                    prompts += 1;
                } else if is_of(message, "assistant")
                    && let Some(id) = message.pointer("/message/id").and_then(Value::as_str).filter(|id| !id.is_empty())
                {
                    message["message"]["id"] = json!(format!("{id} {prompts}"));
                }
            }
        }),
    ),
    unread(
        "normalize_api/unread-replies-say-nothing-twice",
        "6.17.2: each text that is not blank is in the request exactly once",
        "drops a line of a reply that says the same text as an earlier one",
        Wrong::Messages(|messages| {
            let mut said: Vec<(String, Value)> = Vec::new();
            for line in messages.iter_mut().filter(|line| is_of(line, "assistant")) {
                let reply = text(&line["message"], "id").to_owned();
                let Some(list) = blocks_mut(line).filter(|_| !reply.is_empty()) else { continue };
                list.retain(|block| {
                    let one = (reply.clone(), block.clone());
                    let is_known = kind(block) == "text" && said.contains(&one);
                    said.push(one);
                    !is_known
                });
            }
        }),
    ),
    unread(
        "normalize_api/unread-marks-of-five-minutes",
        "6.17.2: cache_control stays",
        "writes each mark for the cache anew, and forgets for how long it is",
        Wrong::List(|_, turns| {
            for role in ["user", "assistant"] {
                each(turns, role, |block| {
                    if block.get("cache_control").is_some_and(Value::is_object) {
                        block["cache_control"] = json!({"type": "ephemeral"});
                    }
                });
            }
        }),
    ),
    unread(
        "normalize_api/unread-question-marks-for-halves",
        "6.9.2: each half of a surrogate pair becomes U+FFFD",
        "writes a question mark for what cannot be encoded",
        Wrong::RequestText(|_, turns| Ok(turns.replace("\\ufffd", "?").replace('\u{FFFD}', "?"))),
    ),
    unread(
        "normalize_api/unread-one-thought-at-the-end-goes",
        "6.9.2: thinking at the end of a reply goes",
        "takes one block of thinking from the end of a reply, where several stand",
        Wrong::Hidden(|messages| {
            for line in messages.iter_mut().filter(|line| is_of(line, "assistant")) {
                let Some(list) = blocks_mut(line) else { continue };
                let thoughts = list.iter().rev().take_while(|block| is_thinking(block)).count();
                let from = list.len() - thoughts;
                list[from..].iter_mut().rev().skip(1).for_each(hide_type);
            }
        }),
    ),
    unread(
        "normalize_api/unread-line-feeds-at-the-end-stay",
        "6.9.2: a reply that ends the request loses the white space at the end of its last text",
        "takes blanks from the end of the request, and leaves line feeds",
        Wrong::List(|asked, turns| {
            let Some(block) = turns.last_mut().filter(|turn| is_of(turn, "assistant")).and_then(blocks_mut) else {
                return;
            };
            let last =
                asked.messages.iter().rfind(|message| is_of(message, "assistant") && !blocks(message).is_empty());
            let said = last.and_then(|message| blocks(message).last()).map_or("", |block| text(block, "text"));
            let Some(block) = block.last_mut() else { return };
            if !said.is_empty() && said.trim_end() == text(block, "text") {
                change_text(block, |_| said.trim_end_matches(' ').to_owned());
            }
        }),
    ),
    unread(
        "normalize_api/unread-context-runs-into-the-prompt",
        "6.10: the context becomes a text block",
        "writes the context and the first prompt into one text",
        Wrong::List(|asked, turns| {
            let Some(list) = turns.first_mut().and_then(blocks_mut).filter(|_| asked.context.is_some()) else { return };
            if let [first, second, ..] = &list[..]
                && kind(second) == "text"
            {
                let both = format!("{}\n\n{}", text(first, "text"), text(second, "text"));
                list.remove(0);
                change_text(&mut list[0], |_| both);
            }
        }),
    ),
    unread(
        "normalize_api/unread-context-is-trimmed",
        "6.10: the context becomes a text block, whole",
        "trims the context",
        Wrong::List(|asked, turns| {
            let first = turns.first_mut().and_then(blocks_mut).and_then(|list| list.first_mut());
            if let (Some(context), Some(first)) = (asked.context, first)
                && text(first, "text") == context
            {
                change_text(first, |context| context.trim().to_owned());
            }
        }),
    ),
    unread(
        "normalize_api/unread-results-keep-text-and-pictures",
        "6.9.1: of each block that has a shape, what fits is sent, at any depth; a part may be a document",
        "keeps texts and images of results, and no other parts",
        Wrong::EachBlock("user", |block| {
            if let Some(parts) = block.get_mut("content").and_then(Value::as_array_mut) {
                parts.retain(|part| matches!(kind(part), "text" | "image"));
                if parts.is_empty() {
                    remove(block, "content");
                }
            }
        }),
    ),
    unread(
        "normalize_api/unread-falsy-output-is-nothing",
        "6.9.1: content of a tool_result that is neither text nor a list becomes its JSON text",
        "takes the output `false` or `0` for no output",
        Wrong::Messages(|messages| {
            each_of(messages, "user", "tool_result", |block| {
                if matches!(block.get("content"), Some(Value::Bool(false))) || block.get("content") == Some(&json!(0)) {
                    remove(block, "content");
                }
            });
        }),
    ),
    unread(
        "normalize_api/unread-null-is-a-word",
        "6.9.1: null as content of a tool_result goes",
        "writes an output of null as the text `null`",
        Wrong::Messages(|messages| {
            each_of(messages, "user", "tool_result", |block| {
                if block.get("content") == Some(&Value::Null) {
                    block["content"] = json!("null");
                }
            });
        }),
    ),
    unread(
        "normalize_api/unread-raw-output-is-sent",
        "6.17.2: no other value changes (2.4: toolUseResult is the raw output of a tool)",
        "sends the raw output of a tool instead of what the result says",
        Wrong::EachMessage("user", |message| {
            if let Some(output) = message.get("toolUseResult").filter(|output| output.is_string()).cloned()
                && let Some([result]) = blocks_mut(message).map(Vec::as_mut_slice)
                && kind(result) == "tool_result"
            {
                result["content"] = output;
            }
        }),
    ),
    unread(
        "normalize_api/unread-old-outputs-are-cleared",
        "6.17.6: adding a message changes no turn before the last one; 6.17.2: no other value changes",
        "writes a note in place of all results but the last three",
        Wrong::List(|_, turns| {
            let all = turns.iter().flat_map(blocks).filter(|block| kind(block) == "tool_result").count();
            let mut old = all.saturating_sub(3);
            each_of(turns, "user", "tool_result", |block| {
                if old > 0 {
                    old -= 1;
                    block["content"] = json!("[Old tool result content cleared]");
                }
            });
        }),
    ),
    unread(
        "normalize_api/unread-old-thoughts-go",
        "6.17.6: adding a message changes no turn before the last one",
        "sends the thinking of the last reply alone",
        Wrong::List(|_, turns| {
            let last = turns.iter().rposition(|turn| is_of(turn, "assistant"));
            let (old, _) = turns.split_at_mut(last.unwrap_or(0));
            lists(old, "assistant", |list| {
                if list.iter().any(|block| !is_thinking(block)) {
                    list.retain(|block| !is_thinking(block));
                }
            });
        }),
    ),
    unread(
        "normalize_api/unread-blank-output-is-nothing",
        "6.17.2: no other value changes: white space of results stays",
        "drops the output of a tool that printed white space alone",
        Wrong::EachBlock("user", |block| {
            let said = text(block, "content");
            if kind(block) == "tool_result" && !said.is_empty() && said.trim().is_empty() {
                remove(block, "content");
            }
        }),
    ),
    unread(
        "normalize_api/unread-thoughts-go-too-late",
        "6.9.2: a reply without any other block than thinking goes, and its neighbours merge",
        "drops a reply of thinking after it has merged turns, so that two turns of the user follow each other",
        Wrong::List(|asked, turns| {
            let is_thought = |message: &Value| {
                is_of(message, "assistant") && !blocks(message).is_empty() && blocks(message).iter().all(is_thinking)
            };
            let spoken: Vec<&Value> = asked.messages.iter().filter(|message| is_spoken(message)).collect();
            let [.., thought, prompt] = &spoken[..] else { return };
            let is_last = |message: &Value| content(message).as_str().is_some_and(|words| !words.trim().is_empty());
            let Some(list) = turns.last_mut().filter(|turn| is_of(turn, "user")).and_then(blocks_mut) else { return };
            if is_thought(thought) && is_of(prompt, "user") && is_last(prompt) && list.len() > 1 {
                let last = list.pop();
                turns.push(json!({"role": "user", "content": [last]}));
            }
        }),
    ),
    unread(
        "normalize_api/unread-callers-list-is-sorted",
        "6.17.5: the messages are not changed",
        "moves attachments in the caller's own list",
        Wrong::MessagesAfter(|_, after| {
            move_attachments(after, |other| {
                !is_of(other, "assistant") && !blocks(other).iter().any(|block| kind(block) == "tool_result")
            });
        }),
    ),
    unread(
        "normalize_api/unread-callers-thoughts-go",
        "6.17.5: the messages are not changed",
        "takes the thinking at the end of a reply out of the caller's own message",
        Wrong::MessagesAfter(|_, after| {
            if let Some(list) = last_of(after, "assistant").and_then(blocks_mut) {
                while list.len() > 1 && list.last().is_some_and(is_thinking) {
                    list.pop();
                }
            }
        }),
    ),
    unread(
        "normalize_api/unread-callers-events-go",
        "6.17.5: the messages are not changed",
        "takes tombstones and progress out of the caller's own list",
        Wrong::MessagesAfter(|_, after| after.retain(|message| !passes(message) && kind(message) != "progress")),
    ),
];

/// Moves each attachment up past the messages for which `passes` holds.
fn move_attachments(messages: &mut [Value], passes: fn(&Value) -> bool) {
    for at in 0..messages.len() {
        if kind(&messages[at]) != "attachment" {
            continue;
        }
        let stop = messages[..at].iter().rposition(|other| !passes(other) || kind(other) == "attachment");
        messages[stop.map_or(0, |stop| stop + 1)..=at].rotate_right(1);
    }
}
