//! Unread faults in the *calls and results* of a request, and in media that the API refused.

use std::collections::HashSet;

use turnproof::operation::Value;
use turnproof_rules::json;

use super::{Unread, unread};
use crate::hidden::hide_type;
use crate::walk::{
    blocks, blocks_mut, each, each_of, is, is_of, is_server_call, is_server_result, kind, lists, text, text_block,
    words,
};
use crate::wrong::Wrong;

pub(super) const UNREAD: &[Unread] = &[
    unread(
        "normalize_api/unread-calls-once-in-a-turn",
        "6.8: a call that repeats one of its turn goes: the same id, the same tool and the same input",
        "drops a call with an id that its reply has had before, whatever it asks for",
        Wrong::Messages(|messages| without_known_calls(messages, |call| call["id"].clone())),
    ),
    unread(
        "normalize_api/unread-twins-are-repeats",
        "6.8: any other call stays; a call repeats one of its turn if the id is the same, too",
        "drops a call of a reply that asks the same of the same tool as an earlier one, though its id is another",
        Wrong::Messages(|messages| {
            without_known_calls(messages, |call| json!([call["name"], call["input"]]));
        }),
    ),
    unread(
        "normalize_api/unread-oldest-open-call-is-answered",
        "6.8: a result answers a call of the last turn before it that has calls with its id",
        "gives a result to the oldest call with its id that has none",
        Wrong::Messages(|messages| answer_the_oldest(messages)),
    ),
    unread(
        "normalize_api/unread-last-calls-still-run",
        "6.8: a call without a result gets a placeholder",
        "leaves the calls of the last reply open, as if their tools still ran",
        Wrong::List(|asked, turns| {
            const MISSING: &str = "[Tool result missing due to internal error]";
            if asked.messages.iter().any(|message| message.to_string().contains(MISSING)) {
                return;
            }
            let is_made = |block: &Value| text(block, "content") == MISSING;
            if turns.last().is_some_and(|last| is_of(last, "user") && blocks(last).iter().all(is_made)) {
                turns.pop();
            }
        }),
    ),
    unread(
        "normalize_api/unread-orphans-become-words",
        "6.8: a result without an earlier call goes (can1357/oh-my-pi#1165)",
        "sends what a result says as a text of the user, when its call is not there",
        Wrong::Messages(|messages| {
            let mut known: HashSet<String> = HashSet::new();
            for message in messages.iter_mut() {
                let calls = blocks(message).iter().filter(|block| kind(block) == "tool_use");
                known.extend(calls.map(|call| text(call, "id").to_owned()));
                if !is_of(message, "user") {
                    continue;
                }
                for block in blocks_mut(message).into_iter().flatten().filter(|block| kind(block) == "tool_result") {
                    if !known.contains(text(block, "tool_use_id")) && block["content"].is_string() {
                        *block = text_block(text(block, "content"));
                    }
                }
            }
        }),
    ),
    unread(
        "normalize_api/unread-cut-replies-lose-calls",
        "6.17.2: each call that stays by 6.8 is in the request",
        "drops the calls of a reply that ended at the limit of its tokens",
        Wrong::EachMessage("assistant", |message| {
            if message.pointer("/message/stop_reason").is_some_and(|reason| reason == "max_tokens")
                && let Some(list) = blocks_mut(message)
            {
                list.retain(|block| kind(block) != "tool_use");
            }
        }),
    ),
    unread(
        "normalize_api/unread-refused-replies-go",
        "6.17.2: each text that is not blank is in the request",
        "does not send a reply that ended with a refusal",
        Wrong::Messages(|messages| {
            messages.retain(|message| message.pointer("/message/stop_reason").is_none_or(|reason| reason != "refusal"));
        }),
    ),
    unread(
        "normalize_api/unread-results-of-servers-may-follow",
        "6.8: the client's calls go to the end if a server tool's block stands behind one, also a result",
        "moves the client's calls when a server's call stands behind them, not when a result does",
        Wrong::Hidden(|messages| {
            lists(messages, "assistant", |list| {
                let Some(first) = list.iter().position(|block| kind(block) == "tool_use") else { return };
                let (before, after) = list.split_at(first);
                let calls: Vec<&str> =
                    before.iter().filter(|block| is_server_call(block)).map(|call| text(call, "id")).collect();
                let is_own = |block: &Value| is_server_result(block) && calls.contains(&text(block, "tool_use_id"));
                let has_more = after.iter().any(is_server_call);
                if !has_more && after.iter().any(is_own) && calls.len() == 1 {
                    list.iter_mut()
                        .filter(|block| is_server_call(block) || is_server_result(block))
                        .for_each(hide_type);
                }
            });
        }),
    ),
    unread(
        "normalize_api/unread-last-server-call-still-runs",
        "6.8: a server call without a result goes; it may stay at the open end for the profile anthropic alone",
        "sends a server call without a result when it is in the last reply, whatever the host is",
        Wrong::Hidden(|messages| {
            let last = messages.iter_mut().rfind(|message| is_of(message, "assistant"));
            let Some(list) = last.and_then(blocks_mut) else { return };
            let answered: Vec<String> = list.iter().map(|block| text(block, "tool_use_id").to_owned()).collect();
            let is_open =
                |block: &&mut Value| is_server_call(block) && !answered.iter().any(|id| id == text(block, "id"));
            list.iter_mut().filter(is_open).for_each(hide_type);
        }),
    ),
    unread(
        "normalize_api/unread-server-results-by-id",
        "6.8: a server call is answered by the first result behind it that has its id and a fitting type",
        "pairs a server call with any server result of its id, whatever the type is",
        Wrong::Hidden(|messages| {
            lists(messages, "assistant", |list| {
                for at in 1..list.len() {
                    let (before, after) = list.split_at_mut(at);
                    let result = &mut after[0];
                    let is_own = |call: &&mut Value| {
                        kind(call) == "server_tool_use" && text(call, "id") == text(result, "tool_use_id")
                    };
                    let Some(call) = before.iter_mut().rfind(is_own).filter(|_| is_server_result(result)) else {
                        continue;
                    };
                    let tool = text(call, "name");
                    let is_known = matches!(tool, "web_search" | "web_fetch" | "code_execution" | "advisor");
                    if is_known && kind(result) != format!("{tool}_tool_result") {
                        hide_type(call);
                        hide_type(result);
                    }
                }
            });
        }),
    ),
    unread(
        "normalize_api/unread-null-asks-for-nothing",
        "6.9.1: an input that is no object is wrapped; null is replaced by {} for a server call alone",
        "sends an empty input for a call of the client whose input is null",
        Wrong::Messages(|messages| {
            each_of(messages, "assistant", "tool_use", |call| {
                if call.get("input") == Some(&Value::Null) {
                    call["input"] = json!({});
                }
            });
        }),
    ),
    unread(
        "normalize_api/unread-empty-input-is-no-input",
        "6.9.1: an input that is no object is wrapped as {\"input\": …} (liushuangls/go-anthropic#67)",
        "sends an empty input for a call whose input is an empty text or an empty list",
        Wrong::Messages(|messages| {
            each_of(messages, "assistant", "tool_use", |call| {
                if call.get("input").is_some_and(|input| *input == json!("") || *input == json!([])) {
                    call["input"] = json!({});
                }
            });
        }),
    ),
    unread(
        "normalize_api/unread-names-by-bytes",
        "6.9.1: each character that the API refuses becomes `_`",
        "writes an underscore for each byte of a character that the API refuses",
        Wrong::Messages(|messages| {
            each_of(messages, "assistant", "tool_use", |call| {
                let clean = |letter: char| match letter.is_ascii() {
                    true => letter.to_string(),
                    false => "_".repeat(letter.len_utf8()),
                };
                change_name(call, |name| name.chars().map(clean).collect());
            });
        }),
    ),
    unread(
        "normalize_api/unread-names-like-slugs",
        "6.9.1: in the name of a tool_use, each character that the API refuses becomes `_`",
        "writes one underscore for several characters in a row that the API refuses",
        Wrong::Messages(|messages| {
            each_of(messages, "assistant", "tool_use", |call| {
                change_name(call, |name| {
                    let is_legal = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-');
                    let mut clean = String::new();
                    let mut was_legal = true;
                    for letter in name.chars() {
                        if is_legal(letter) {
                            clean.push(letter);
                        } else if was_legal {
                            clean.push('_');
                        }
                        was_legal = is_legal(letter);
                    }
                    clean
                });
            });
        }),
    ),
    unread(
        "normalize_api/unread-inputs-lose-nulls",
        "6.17.2: no other value changes; members inside the input of a call are the tool's own (6.12.6)",
        "leaves members that are null out of the input of a call",
        Wrong::EachBlock("assistant", |block| {
            if kind(block) == "tool_use"
                && let Some(input) = block.get_mut("input").and_then(Value::as_object_mut)
            {
                input.retain(|_, value| !value.is_null());
            }
        }),
    ),
    unread(
        "normalize_api/unread-inputs-lose-inner-members",
        "6.12.6: members inside the input of a call are the tool's own",
        "takes the client's own members out of the input of a call too, such as `uuid` and `cwd`",
        Wrong::EachBlock("assistant", |block| {
            if kind(block) == "tool_use"
                && let Some(input) = block.get_mut("input").and_then(Value::as_object_mut)
            {
                input.retain(|name, _| {
                    !name.starts_with('_') && !matches!(&**name, "uuid" | "timestamp" | "cwd" | "slug" | "origin")
                });
            }
        }),
    ),
    unread(
        "normalize_api/unread-large-requests-are-pictures",
        "6.4: the whole request means images and documents",
        "takes images away when the whole request was too large, and no documents",
        Wrong::Messages(|messages| {
            reword(messages, |said| match said.contains("request") && said.contains("too large") {
                true => "image too large".to_owned(),
                false => said,
            });
        }),
    ),
    unread(
        "normalize_api/unread-locked-documents-stay",
        "6.4: documents: `pdf` with `password`",
        "does not know the error about a document with a password",
        Wrong::Messages(|messages| reword(messages, |said| said.replace("password", "lock"))),
    ),
    unread(
        "normalize_api/unread-broken-pictures-stay",
        "6.4: images: `image` with `could not process`",
        "does not know the error about an image that could not be processed",
        Wrong::Messages(|messages| reword(messages, |said| said.replace("could not process", "broke"))),
    ),
    unread(
        "normalize_api/unread-errors-look-for-media",
        "6.4: the error marks the nearest earlier message; the mark counts only if that is meta with refused media",
        "looks back for the last meta message with media, past prompts and replies",
        Wrong::Messages(|messages| {
            let mut at = 0;
            while at < messages.len() {
                let carrier = messages[..at].iter().rposition(|message| is(message, "isMeta") && has_media(message));
                if let Some(carrier) = carrier.filter(|carrier| is_refusal(&messages[at]) && carrier + 1 < at) {
                    let error = messages[at].clone();
                    messages.insert(carrier + 1, error);
                    at += 1;
                }
                at += 1;
            }
        }),
    ),
    unread(
        "normalize_api/unread-second-error-marks-another",
        "6.4: what the message held at first decides, so a second error in a row marks the same one",
        "takes the media of an earlier message too when a second error follows",
        Wrong::Messages(|messages| {
            for at in 1..messages.len() {
                if !is_refusal(&messages[at]) || !is_refusal(&messages[at - 1]) {
                    continue;
                }
                if let Some(carrier) = messages[..at].iter().rposition(|message| !is_refusal(message)) {
                    messages[carrier..=at].rotate_right(1);
                }
            }
        }),
    ),
    unread(
        "normalize_api/unread-emptied-messages-say-so",
        "6.4: a message emptied by that goes",
        "leaves a note in a message from which all media were taken",
        Wrong::Messages(|messages| {
            for at in 1..messages.len() {
                let (before, error) = messages.split_at_mut(at);
                let Some(carrier) = before.last_mut().filter(|message| is(message, "isMeta")) else { continue };
                let is_whole =
                    !blocks(carrier).is_empty() && blocks(carrier).iter().all(|block| kind(block) == "image");
                let says_image = words(&error[0]).any(|said| said.to_lowercase().contains("image exceeds"));
                if is_refusal(&error[0]) && is_whole && says_image {
                    blocks_mut(carrier).into_iter().for_each(|list| *list = vec![text_block("(image removed)")]);
                }
            }
        }),
    ),
];

fn change_name(call: &mut Value, change: impl FnOnce(&str) -> String) {
    if let Some(name) = call.get("name").and_then(Value::as_str).map(change) {
        call["name"] = name.into();
    }
}

/// Takes calls out that are the same by a key as an earlier one of their reply, or of their message.
fn without_known_calls(messages: &mut [Value], key: fn(&Value) -> Value) {
    let mut known: HashSet<(String, String)> = HashSet::new();
    for (line, message) in messages.iter_mut().enumerate().filter(|(_, message)| is_of(message, "assistant")) {
        let reply = match text(&message["message"], "id") {
            "" => format!("line {line}"),
            id => id.to_owned(),
        };
        let Some(list) = blocks_mut(message) else { continue };
        list.retain(|block| kind(block) != "tool_use" || known.insert((reply.clone(), key(block).to_string())));
    }
}

/// Puts each result behind the oldest call with its id that waits for one, where several wait.
fn answer_the_oldest(messages: &mut [Value]) {
    let mut open: Vec<(String, usize)> = Vec::new();
    let mut at = 0;
    while at < messages.len() {
        let mut moved = None;
        if is_of(&messages[at], "assistant") {
            let calls = blocks(&messages[at]).iter().filter(|block| kind(block) == "tool_use");
            open.extend(calls.map(|call| (text(call, "id").to_owned(), at)));
        } else if is_of(&messages[at], "user")
            && let [result] = blocks(&messages[at])
            && kind(result) == "tool_result"
        {
            let id = text(result, "tool_use_id");
            let oldest = open.iter().position(|(waiting, _)| waiting == id);
            let others = open.iter().filter(|(waiting, _)| waiting == id).count();
            moved = oldest.map(|oldest| open.remove(oldest).1).filter(|_| others > 1);
        }
        if let Some(place) = moved {
            messages[place + 1..=at].rotate_right(1);
            open.iter_mut().filter(|(_, line)| *line > place).for_each(|(_, line)| *line += 1);
        }
        at += 1;
    }
}

fn is_refusal(message: &Value) -> bool {
    is(message, "isApiErrorMessage") && text(&message["message"], "model") == "<synthetic>"
}

fn has_media(message: &Value) -> bool {
    blocks(message).iter().any(|block| matches!(kind(block), "image" | "document"))
}

/// Says errors of the API otherwise, in lower case.
fn reword(messages: &mut [Value], change: fn(String) -> String) {
    for error in messages.iter_mut().filter(|message| is_refusal(message)) {
        each(std::slice::from_mut(error), "assistant", |block| {
            if kind(block) == "text" {
                block["text"] = change(text(block, "text").to_lowercase()).into();
            }
        });
    }
}
