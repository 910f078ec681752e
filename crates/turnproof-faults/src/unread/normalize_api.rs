//! Unread faults in *requests*: which messages they are made of, and how these become turns.

use std::collections::{HashMap, HashSet};

use turnproof::operation::Value;
use turnproof_rules::json;

use super::super::walk::{
    blocks, blocks_mut, change_text, content, content_mut, each, is, is_blank, kind, last_of, lists, remove, retain,
    text, text_block, turn,
};
use super::super::wrong::Wrong;
use super::lists::{
    each_error, fits, past_replies, refuses, retain_calls, reverse_attachments, say_in_place, where_they_end,
    withdraw_later, withdraw_one, withdraw_prompts,
};
use super::{Unread, unread};

pub(super) const UNREAD: &[Unread] = &[
    unread(
        "normalize_api/unread-no-message-of-a-bad-time",
        "2.4: a misfit costs nothing but itself",
        "passes over a message whose timestamp is no text",
        Wrong::Messages(|messages| messages.retain(|message| fits(message, "timestamp", Value::is_string))),
    ),
    unread(
        "normalize_api/unread-no-prompt-of-a-bad-mode",
        "2.4: the message stays a message with all its other fields",
        "passes over a prompt whose permissionMode is no text",
        Wrong::Messages(|messages| messages.retain(|message| fits(message, "permissionMode", Value::is_string))),
    ),
    unread(
        "normalize_api/unread-no-reply-in-a-string",
        "2.5: a string is tolerated when read",
        "passes over a reply whose content is a string",
        Wrong::Messages(|messages| {
            messages.retain(|message| kind(message) != "assistant" || !content(message).is_string());
        }),
    ),
    unread(
        "normalize_api/unread-role-is-needed",
        "2.4: all fields but `type` are optional when a message is read",
        "passes over a message whose inner message has no role",
        Wrong::Messages(|messages| {
            messages.retain(|message| message.get("message").is_none_or(|inner| inner.get("role").is_some()));
        }),
    ),
    unread(
        "normalize_api/unread-attachments-stay",
        "6.1: an attachment moves up to what the user said last",
        "leaves an attachment where it is listed, behind the prompts",
        Wrong::Messages(|messages| messages.iter_mut().for_each(say_in_place)),
    ),
    unread(
        "normalize_api/unread-attachments-turn-round",
        "6.1: attachments keep their order",
        "moves attachments up one by one, so that the last comes first",
        Wrong::Messages(|messages| reverse_attachments(messages)),
    ),
    unread(
        "normalize_api/unread-attachments-pass-replies",
        "6.1: it moves up until it meets an assistant message",
        "moves an attachment up past the reply too, to the prompt before it",
        Wrong::Messages(|messages| past_replies(messages)),
    ),
    unread(
        "normalize_api/unread-summary-is-hidden",
        "6.2: the summary after a boundary stays, though it has that flag",
        "hides the summary of a compaction, since it is visible in the transcript only",
        Wrong::Messages(|messages| {
            messages.retain(|message| !(is(message, "isCompactSummary") && is(message, "isVisibleInTranscriptOnly")));
        }),
    ),
    unread(
        "normalize_api/unread-hidden-replies-are-sent",
        "6.2: messages with isVisibleInTranscriptOnly: true go",
        "looks for isVisibleInTranscriptOnly in the user's messages alone",
        Wrong::EachMessage("assistant", |message| remove(message, "isVisibleInTranscriptOnly")),
    ),
    unread(
        "normalize_api/unread-virtual-commands-are-sent",
        "6.2: virtual messages go",
        "sends the output of a virtual command",
        Wrong::EachMessage("system", |message| remove(message, "isVirtual")),
    ),
    unread(
        "normalize_api/unread-meta-is-not-sent",
        "1.2: a meta message is for the model, not shown to people; 6.17.2",
        "sends no meta message, as if it were hidden from the model",
        Wrong::Messages(|messages| {
            messages.retain(|message| !(is(message, "isMeta") && kind(message) == "user"));
        }),
    ),
    unread(
        "normalize_api/unread-tombstone-takes-one",
        "6.3: a tombstone takes every earlier assistant message with the uuid",
        "withdraws only the last line with the uuid of a tombstone",
        Wrong::Messages(|messages| withdraw_one(messages)),
    ),
    unread(
        "normalize_api/unread-tombstone-takes-later",
        "6.3: a tombstone takes every earlier message, not a later one",
        "withdraws what comes after the tombstone under the same uuid too",
        Wrong::Messages(withdraw_later),
    ),
    unread(
        "normalize_api/unread-tombstone-takes-prompts",
        "6.3: a tombstone withdraws assistant messages",
        "withdraws a prompt that has the uuid of a tombstone",
        Wrong::Messages(withdraw_prompts),
    ),
    unread(
        "normalize_api/unread-error-flag-is-enough",
        "6.3: a synthetic API error has the flag and the model <synthetic>",
        "drops each reply with isApiErrorMessage, whichever model wrote it",
        Wrong::Messages(|messages| messages.retain(|message| !is(message, "isApiErrorMessage"))),
    ),
    unread(
        "normalize_api/unread-synthetic-model-is-enough",
        "6.3: a synthetic API error has the flag and the model <synthetic>; 6.17.2",
        "drops each reply of the model <synthetic>, though it is no error",
        Wrong::Messages(|messages| {
            messages.retain(|message| {
                let is_synthetic = message.pointer("/message/model") == Some(&json!("<synthetic>"));
                kind(message) != "assistant" || !is_synthetic || is(message, "isApiErrorMessage")
            });
        }),
    ),
    unread(
        "normalize_api/unread-notices-are-said",
        "6.3: every system message but local_command goes",
        "sends informational notices as words of the user",
        Wrong::EachMessage("system", |message| {
            if text(message, "subtype") == "informational" {
                message["subtype"] = "local_command".into();
            }
        }),
    ),
    unread(
        "normalize_api/unread-documents-for-images",
        "6.4.1: an error says what was refused, images or documents",
        "strips images too when a PDF was refused",
        Wrong::Messages(|messages| {
            each_error(messages, |said| {
                if said.to_lowercase().contains("pdf") { "request too large".to_owned() } else { said.to_owned() }
            });
        }),
    ),
    unread(
        "normalize_api/unread-media-of-prompts-go",
        "6.4.3: media that the user gave in an ordinary prompt stay",
        "strips refused media of an ordinary prompt as well",
        Wrong::Messages(|messages| {
            for at in 1..messages.len() {
                if is(&messages[at], "isApiErrorMessage") && kind(&messages[at - 1]) == "user" {
                    messages[at - 1]["isMeta"] = true.into();
                }
            }
        }),
    ),
    unread(
        "normalize_api/unread-errors-by-case",
        "6.4.1: an error's text is looked at in lower case",
        "knows an error that refuses media only if it is written in lower case",
        Wrong::Messages(|messages| {
            each_error(
                messages,
                |said| {
                    if said.chars().any(char::is_uppercase) { "no".to_owned() } else { said.to_owned() }
                },
            );
        }),
    ),
    unread(
        "normalize_api/unread-media-with-its-words",
        "6.4.5: blocks of the marked types are taken out of the message",
        "drops the whole message whose media were refused, words and all",
        Wrong::Messages(|messages| {
            for at in (1..messages.len()).rev() {
                let is_refused = is(&messages[at], "isApiErrorMessage") && refuses(&messages[at]);
                let has_image = blocks(&messages[at - 1]).iter().any(|block| kind(block) == "image");
                if is_refused && has_image && is(&messages[at - 1], "isMeta") {
                    messages.remove(at - 1);
                }
            }
        }),
    ),
    unread(
        "normalize_api/unread-output-is-trimmed",
        "6.5: a local_command becomes a user message with its text",
        "trims the output of a command on both sides",
        Wrong::EachMessage("system", |message| {
            if let Some(said) = message.get("content").and_then(Value::as_str) {
                message["content"] = said.trim().into();
            }
        }),
    ),
    unread(
        "normalize_api/unread-replies-without-an-id-are-one",
        "6.6: the same non-empty message.id",
        "joins all replies whose message.id is empty",
        Wrong::EachMessage("assistant", |message| {
            if text(&message["message"], "id").is_empty() && message["message"].is_object() {
                message["message"]["id"] = "msg_none".into();
            }
        }),
    ),
    unread(
        "normalize_api/unread-replies-by-request",
        "6.6: messages with the same message.id are one reply",
        "joins the lines of a reply by requestId",
        Wrong::EachMessage("assistant", |message| {
            if let Some(request) = message.get("requestId").filter(|request| request.is_string()).cloned()
                && message["message"].is_object()
            {
                message["message"]["id"] = request;
            }
        }),
    ),
    unread(
        "normalize_api/unread-replies-where-they-end",
        "6.6: the blocks are joined where the first one stands",
        "joins the lines of a reply where the last one stands",
        Wrong::Messages(where_they_end),
    ),
    unread(
        "normalize_api/unread-prompts-become-one-text",
        "6.7: blocks keep their order, a string becomes a text block; 6.17.2",
        "joins neighbouring texts of the user with a line feed",
        Wrong::Blocks("user", |blocks| {
            let mut joined: Vec<Value> = Vec::new();
            for block in blocks.drain(..) {
                match joined.last_mut() {
                    Some(last) if kind(last) == "text" && kind(&block) == "text" => {
                        last["text"] = format!("{}\n{}", text(last, "text"), text(&block, "text")).into();
                    }
                    _ => joined.push(block),
                }
            }
            *blocks = joined;
        }),
    ),
    unread(
        "normalize_api/unread-no-prompt-twice",
        "6.17.2: each text that is not blank is in the request exactly once",
        "leaves out a prompt that says the same as the one before it",
        Wrong::Blocks("user", |blocks| blocks.dedup_by(|one, two| kind(one) == "text" && one == two)),
    ),
    unread(
        "normalize_api/unread-old-turns-slide-out",
        "6.17.2 and 6.17.6: adding a message changes no turn before the last one",
        "sends the last 20 messages alone",
        Wrong::Messages(|messages| {
            let first = messages.len().saturating_sub(20);
            messages.drain(..first);
        }),
    ),
    unread(
        "normalize_api/unread-calls-once-in-a-request",
        "6.8.1: any other call stays, also if its id is used before",
        "drops a call whose id an earlier reply has used, though its input differs",
        Wrong::Messages(|messages| {
            let mut seen: HashMap<String, String> = HashMap::new();
            retain_calls(messages, |reply, id| seen.entry(id.to_owned()).or_insert_with(|| reply.to_owned()) == reply);
        }),
    ),
    unread(
        "normalize_api/unread-placeholder-is-no-error",
        "6.8.4: a tool_result with the placeholder text and is_error: true",
        "makes placeholders that are no errors",
        Wrong::EachBlock("user", |block| {
            if text(block, "content") == "[Tool result missing due to internal error]" {
                remove(block, "is_error");
            }
        }),
    ),
    unread(
        "normalize_api/unread-last-result-counts",
        "6.8.2: a result answers the first of the calls without a result; if they all have results, it goes",
        "lets a later result of a call take the place of the first",
        Wrong::Messages(|messages| {
            let mut last: HashMap<String, Value> = HashMap::new();
            let is_result = |block: &Value| kind(block) == "tool_result";
            each(messages, "user", |block| {
                if is_result(block) {
                    last.insert(text(block, "tool_use_id").to_owned(), block["content"].clone());
                }
            });
            each(messages, "user", |block| {
                if is_result(block) {
                    block["content"] = last.get(text(block, "tool_use_id")).cloned().unwrap_or_default();
                }
            });
        }),
    ),
    unread(
        "normalize_api/unread-late-results-are-lost",
        "6.8.2: a result may come turns later, and is brought back to its call",
        "drops a result that comes after another reply, and makes a placeholder",
        Wrong::Messages(|messages| {
            let mut open: HashSet<String> = HashSet::new();
            let mut reply = String::new();
            for message in messages.iter_mut() {
                if kind(message) == "assistant" {
                    let id = message.pointer("/message/id").and_then(Value::as_str).unwrap_or_default();
                    if id != reply || id.is_empty() {
                        open.clear();
                        id.clone_into(&mut reply);
                    }
                    open.extend(blocks(message).iter().map(|block| text(block, "id").to_owned()));
                }
                retain(std::slice::from_mut(message), "user", |block| {
                    kind(block) != "tool_result" || open.contains(text(block, "tool_use_id"))
                });
            }
        }),
    ),
    unread(
        "normalize_api/unread-results-as-they-came",
        "6.8.5: the results begin the user's turn, in the order of the calls",
        "sends results in the order in which they came",
        Wrong::List(|asked, turns| {
            let mut place = HashMap::new();
            for block in asked.messages.iter().flat_map(blocks).filter(|block| kind(block) == "tool_result") {
                let next = place.len();
                place.entry(text(block, "tool_use_id")).or_insert(next);
            }
            lists(turns, "user", |blocks| {
                blocks.sort_by_key(|block| {
                    let id = text(block, "tool_use_id");
                    if kind(block) == "tool_result" {
                        (0, place.get(id).copied().unwrap_or(usize::MAX))
                    } else {
                        (1, 0)
                    }
                });
            });
        }),
    ),
    unread(
        "normalize_api/unread-ids-of-one-vendor",
        "6.8.6: an id that the API refuses is replaced; 6.17.3",
        "gives each call an id that begins with toolu_, also where the old one is legal",
        Wrong::List(|_, turns| {
            super::super::walk::each_call_id(turns, |id| {
                let old = id.as_str().unwrap_or_default();
                if !old.starts_with("toolu_") {
                    *id = format!("toolu_{old}").into();
                }
            });
        }),
    ),
    unread(
        "normalize_api/unread-no-server-tools",
        "6.8.7 and 6.17.2: each call of a server tool that stays, and its result",
        "sends no searches of the web, neither call nor result",
        Wrong::Blocks("assistant", |blocks| {
            blocks.retain(|block| text(block, "name") != "web_search" && kind(block) != "web_search_tool_result");
            if blocks.is_empty() {
                blocks.push(text_block("(no content)"));
            }
        }),
    ),
    unread(
        "normalize_api/unread-thought-says-no-content",
        "6.9.2: a reply without any other block than thinking goes",
        "puts (no content) behind the thinking of a reply that has nothing else",
        Wrong::Messages(|messages| {
            lists(messages, "assistant", |blocks| {
                let is_thought = |block: &Value| kind(block).ends_with("thinking");
                if !blocks.is_empty() && blocks.iter().all(is_thought) {
                    blocks.push(text_block("(no content)"));
                }
            });
        }),
    ),
    unread(
        "normalize_api/unread-replies-are-trimmed",
        "6.9.2 and 6.17.2: only the text that ends the request may lose white space at its end",
        "takes the white space from the end of every text of a reply",
        Wrong::EachBlock("assistant", |block| change_text(block, |said| said.trim_end().to_owned())),
    ),
    unread(
        "normalize_api/unread-halves-go",
        "6.9.2: each half of a surrogate pair becomes U+FFFD",
        "drops each half of a surrogate pair",
        Wrong::RequestText(|_, turns| Ok(turns.replace('\u{FFFD}', ""))),
    ),
    unread(
        "normalize_api/unread-first-turn-of-dots",
        "6.9.2: a user turn with `(no content)` is put in front",
        "begins a request that would begin with a reply by three dots",
        Wrong::List(|_, turns| {
            if let Some(first) = turns.first_mut()
                && blocks(first) == [text_block("(no content)")]
            {
                first["content"] = json!([text_block("...")]);
            }
        }),
    ),
    unread(
        "normalize_api/unread-something-for-nothing",
        "6.9.2: nothing to send gives the empty list",
        "sends (no content) where there is nothing to send",
        Wrong::List(|_, turns| {
            if turns.is_empty() {
                turns.push(turn("user", vec![text_block("(no content)")]));
            }
        }),
    ),
    unread(
        "normalize_api/unread-context-last",
        "6.10: it becomes a text block in front of the first user turn",
        "puts the context in front of the last user turn, where it is always fresh",
        Wrong::List(|asked, turns| {
            let Some(context) = asked.context else { return };
            let Some(said) = turns.first_mut().and_then(blocks_mut).filter(|said| !said.is_empty()) else { return };
            if text(&said[0], "text") == context && said.len() > 1 {
                let first = said.remove(0);
                last_of(turns, "user").and_then(blocks_mut).into_iter().for_each(|said| {
                    let results = said.iter().take_while(|block| kind(block) == "tool_result").count();
                    said.insert(results, first.clone());
                });
            }
        }),
    ),
    unread(
        "normalize_api/unread-context-alone",
        "6.10: without messages to send it makes no turn of its own",
        "sends the context alone when there is nothing else to send",
        Wrong::List(|asked, turns| {
            if let Some(context) = asked.context.filter(|context| turns.is_empty() && !is_blank(context)) {
                turns.push(turn("user", vec![text_block(context)]));
            }
        }),
    ),
    unread(
        "normalize_api/unread-callers-strings-become-blocks",
        "6.17.5: the messages are not changed",
        "makes blocks of string contents in the caller's own messages",
        Wrong::MessagesAfter(|_, messages| {
            for content in messages.iter_mut().filter(|message| kind(message) == "user").filter_map(content_mut) {
                if let Some(said) = content.as_str() {
                    *content = json!([text_block(said)]);
                }
            }
        }),
    ),
    unread(
        "normalize_api/unread-kept-state-ignores-errors",
        "6.17.6: a normalizer has, after each message, the request that the whole beginning gives",
        "does not look again at its kept turns when an error comes that refuses media",
        Wrong::Incremental(|turns, messages, right| {
            if !messages.last().is_some_and(|last| is(last, "isApiErrorMessage")) {
                *turns = right(messages);
            }
        }),
    ),
    unread(
        "normalize_api/unread-kept-state-appends-attachments",
        "6.17.6 and 6.1: an attachment moves up, with a kept state too",
        "with a kept state, takes in an attachment only when the next prompt or reply comes",
        Wrong::Incremental(|turns, messages, right| {
            if messages.last().is_none_or(|last| kind(last) != "attachment") {
                *turns = right(messages);
            }
        }),
    ),
    unread(
        "normalize_api/unread-cache-mark-on-the-last-turn",
        "6.17.3: only eight things may be new; 6.17.6",
        "marks the last block of the user for the cache",
        Wrong::List(|_, turns| {
            if let Some(last) = last_of(turns, "user").and_then(blocks_mut).and_then(|blocks| blocks.last_mut()) {
                last["cache_control"] = json!({"type": "ephemeral"});
            }
        }),
    ),
];
