//! Faults in *conserving*: something is lost, doubled, made up or moved on the way to a request.

use std::collections::HashSet;

use serde_json::{Value, json};

use crate::message::constants::{MISSING_TOOL_RESULT, SYNTHETIC_MODEL};

use super::Fault;
use super::pairing::{is_placeholder, without_late_results};
use super::spoil::{messages, turns};
use super::walk::{
    blocks, content_mut, each, is, is_of, is_thinking, kind, lists, results, text, text_block, turn, without,
};

/// The faults that `normalize/conserves`, `normalize/no-invention` and `normalize/keeps-order` convict.
pub(super) const FAULTS: &[Fault] = &[
    Fault {
        id: "normalize_api/loses-attachments-beside-results",
        title: "loses the attachment that stands behind a result when the two are joined",
        source: None,
        rule: "normalize/conserves",
        wrong: messages(|messages| {
            let mut is_behind_result = false;
            let mut kept = Vec::new();
            for message in messages {
                let is_lost = is_behind_result && kind(&message) == "attachment";
                if !is_lost {
                    is_behind_result = blocks(&message).iter().any(|block| kind(block) == "tool_result");
                    kept.push(message);
                }
            }
            kept
        }),
    },
    Fault {
        id: "normalize_api/loses-images-of-queued-prompts",
        title: "takes the text of a prompt that was typed while a tool ran, and drops its image",
        source: Some("anthropics/claude-code CHANGELOG 2.1.105"),
        rule: "normalize/conserves",
        wrong: messages(|mut messages| {
            for message in messages.iter_mut().filter(|message| kind(message) == "attachment") {
                let prompt = message.pointer_mut("/attachment/prompt").and_then(Value::as_array_mut);
                prompt.into_iter().for_each(|blocks| blocks.retain(|block| kind(block) != "image"));
            }
            messages
        }),
    },
    Fault {
        id: "normalize_api/loses-the-compact-summary",
        title: "drops the summary of what was compacted, because the transcript alone shows it",
        source: Some("anthropics/claude-code CHANGELOG 2.1.20"),
        rule: "normalize/conserves",
        wrong: messages(|messages| dropping(messages, |message| is(message, "isVisibleInTranscriptOnly"))),
    },
    Fault {
        id: "normalize_api/drops-meta-messages",
        title: "drops the messages that the user does not see, as the UI does",
        source: None,
        rule: "normalize/conserves",
        wrong: messages(|messages| dropping(messages, |message| is(message, "isMeta"))),
    },
    Fault {
        id: "normalize_api/sends-virtual-messages",
        title: "sends messages that were shown only",
        source: None,
        rule: "normalize/conserves",
        wrong: messages(|messages| without(messages, "isVirtual")),
    },
    Fault {
        id: "normalize_api/sends-transcript-only-messages",
        title: "sends messages that the transcript alone shows",
        source: None,
        rule: "normalize/conserves",
        wrong: messages(|messages| without(messages, "isVisibleInTranscriptOnly")),
    },
    Fault {
        id: "normalize_api/loses-local-commands",
        title: "drops what a command of the client printed with all other notices",
        source: None,
        rule: "normalize/conserves",
        wrong: messages(|messages| dropping(messages, |message| text(message, "subtype") == "local_command")),
    },
    Fault {
        id: "normalize_api/sends-withdrawn-replies",
        title: "sends a reply that was taken back",
        source: None,
        rule: "normalize/conserves",
        wrong: messages(|messages| dropping(messages, |message| kind(message) == "tombstone")),
    },
    Fault {
        id: "normalize_api/sends-synthetic-errors",
        title: "sends the client's own words about an error of the API as the model's",
        source: None,
        rule: "normalize/conserves",
        wrong: messages(|messages| without(messages, "isApiErrorMessage")),
    },
    Fault {
        id: "normalize_api/keeps-refused-media",
        title: "sends the image that was too large again with each prompt",
        source: Some("anthropics/claude-code#13480"),
        rule: "normalize/conserves",
        wrong: messages(|mut messages| {
            for message in messages.iter_mut().filter(|message| is(message, "isApiErrorMessage")) {
                if message.pointer("/message/model").is_some_and(|model| model == SYNTHETIC_MODEL)
                    && let Some(content) = content_mut(message)
                {
                    *content = json!([]);
                }
            }
            messages
        }),
    },
    Fault {
        id: "normalize_api/drops-late-results",
        title: "drops a result that comes after the next prompt, and puts a placeholder",
        source: None,
        rule: "normalize/conserves",
        wrong: messages(without_late_results),
    },
    Fault {
        id: "normalize_api/keeps-the-last-line-of-a-reply",
        title: "takes the lines of a reply for repeats of one message, and keeps the last",
        source: Some("anthropics/claude-code#21751"),
        rule: "normalize/conserves",
        wrong: messages(|mut messages| {
            let mut seen = HashSet::new();
            messages.reverse();
            messages.retain(|message| reply(message).is_empty() || seen.insert(reply(message).to_owned()));
            messages.reverse();
            messages
        }),
    },
    Fault {
        id: "normalize_api/doubles-the-last-text",
        title: "appends the last text of a reply when the stream has ended, although it is there",
        source: Some("anthropics/claude-code CHANGELOG 2.1.51"),
        rule: "normalize/conserves",
        wrong: turns(|_, turns| {
            lists(turns, "assistant", |blocks| {
                if let Some(last) = blocks.iter().rposition(|block| kind(block) == "text") {
                    blocks.insert(last, blocks.get(last).cloned().unwrap_or_default());
                }
            })
        }),
    },
    Fault {
        id: "normalize_api/joins-texts",
        title: "joins the texts of neighbouring messages to one",
        source: None,
        rule: "normalize/no-invention",
        wrong: turns(|_, turns| {
            lists(turns, "user", |blocks| {
                let all = std::mem::take(blocks);
                for block in all {
                    match blocks.last_mut().filter(|last| kind(last) == "text" && kind(&block) == "text") {
                        Some(last) => {
                            last["text"] =
                                Value::from(format!("{}\n{}", text(last, "text"), text(&block, "text")));
                        }
                        None => blocks.push(block),
                    }
                }
            })
        }),
    },
    Fault {
        id: "normalize_api/cuts-long-texts",
        title: "cuts what the user says after twenty characters, and says so",
        source: None,
        rule: "normalize/no-invention",
        wrong: turns(|_, turns| {
            each(turns, "user", |block| {
                if let Some((end, _)) = text(block, "text").char_indices().nth(20) {
                    let head = text(block, "text").get(..end).unwrap_or_default().to_owned();
                    block["text"] = Value::from(head + "… [truncated]");
                }
            })
        }),
    },
    Fault {
        id: "normalize_api/asks-to-continue",
        title: "ends the request with a prompt of its own where a reply would be the last",
        source: None,
        rule: "normalize/no-invention",
        wrong: turns(|_, mut turns| {
            if turns.last().is_some_and(|last| is_of(last, "assistant")) {
                turns.push(turn("user", vec![text_block("Continue.")]));
            }
            turns
        }),
    },
    Fault {
        id: "normalize_api/placeholder-in-its-own-words",
        title: "says in its own words that a call has no result",
        source: None,
        rule: "normalize/no-invention",
        wrong: turns(|_, turns| {
            each(turns, "user", |block| {
                if is_placeholder(block) {
                    block["content"] = Value::from(MISSING_TOOL_RESULT.to_lowercase());
                }
            })
        }),
    },
    Fault {
        id: "normalize_api/sends-progress",
        title: "sends progress of tools as text",
        source: None,
        rule: "normalize/no-invention",
        wrong: messages(|mut messages| {
            for message in messages.iter_mut().filter(|message| kind(message) == "progress") {
                let words = format!("{} is running", text(message, "toolUseID"));
                *message = json!({"type": "user", "message": {"role": "user", "content": words}});
            }
            messages
        }),
    },
    Fault {
        id: "normalize_api/sends-hook-results-as-text",
        title: "sends what hooks print for the user",
        source: None,
        rule: "normalize/no-invention",
        wrong: messages(|mut messages| {
            for message in messages.iter_mut().filter(|message| kind(message) == "hook_result") {
                let words = format!("hook: {}", text(message, "content"));
                *message = json!({"type": "user", "message": {"role": "user", "content": words}});
            }
            messages
        }),
    },
    Fault {
        id: "normalize_api/turns-texts-around",
        title: "puts each message that it joins in front of the others",
        source: None,
        rule: "normalize/keeps-order",
        wrong: turns(|_, turns| {
            lists(turns, "user", |blocks| {
                let count = results(blocks);
                blocks.get_mut(count..).unwrap_or_default().reverse();
            })
        }),
    },
    Fault {
        id: "normalize_api/results-in-the-order-of-arrival",
        title: "puts results in front as they came, not in the order of the calls",
        source: None,
        rule: "normalize/keeps-order",
        wrong: turns(|_, turns| {
            lists(turns, "user", |blocks| {
                let count = results(blocks);
                blocks.get_mut(..count).unwrap_or_default().reverse();
            })
        }),
    },
    Fault {
        id: "normalize_api/collects-attachments-backwards",
        title: "moves attachments up one by one, so that the last comes first",
        source: None,
        rule: "normalize/keeps-order",
        wrong: messages(|mut messages| {
            let is_attachment = |message: &Value| kind(message) == "attachment";
            messages
                .chunk_by_mut(|one, other| is_attachment(one) == is_attachment(other))
                .filter(|run| run.first().is_some_and(is_attachment))
                .for_each(<[Value]>::reverse);
            messages
        }),
    },
    Fault {
        id: "normalize_api/leaves-attachments-in-place",
        title: "does not move a prompt that was typed while a tool ran, nor a reminder",
        source: None,
        rule: "normalize/keeps-order",
        wrong: messages(|mut messages| {
            for message in messages.iter_mut().filter(|message| kind(message) == "attachment") {
                let attachment = message.get("attachment").unwrap_or(&Value::Null);
                let member = match kind(attachment) {
                    "queued_command" => "prompt",
                    "date_change" => "newDate",
                    "read_truncation_notice" => "banner",
                    "skill_listing" | "hook_additional_context" => "content",
                    _ => "text",
                };
                let words = text(attachment, member);
                if !words.is_empty() {
                    *message = json!({"type": "user", "message": {"role": "user", "content": words}});
                }
            }
            messages
        }),
    },
    Fault {
        id: "normalize_api/attachments-in-the-last-turn",
        title: "puts every attachment into the last turn",
        source: None,
        rule: "normalize/keeps-order",
        wrong: messages(|mut messages| {
            messages.sort_by_key(|message| kind(message) == "attachment");
            messages
        }),
    },
    Fault {
        id: "normalize_api/joins-neighbouring-lines-only",
        title: "joins the lines of a reply only where nothing stands between them",
        source: Some("anthropics/claude-code#63155"),
        rule: "normalize/keeps-order",
        wrong: messages(|mut messages| {
            let (mut before, mut count) = (String::new(), 0);
            for message in messages.iter_mut().filter(|message| matches!(kind(message), "user" | "assistant"))
            {
                let own = reply(message).to_owned();
                count += usize::from(own != before);
                before.clone_from(&own);
                if !own.is_empty() {
                    message["message"]["id"] = Value::from(format!("{own}-{count}"));
                }
            }
            messages
        }),
    },
    Fault {
        id: "normalize_api/thinking-first",
        title: "puts all thinking of a turn before its other blocks",
        source: None,
        rule: "normalize/keeps-order",
        wrong: turns(|_, turns| {
            lists(turns, "assistant", |blocks| blocks.sort_by_key(|block| !is_thinking(block)))
        }),
    },
];

/// The messages without those for which `goes` holds.
fn dropping(mut messages: Vec<Value>, goes: fn(&Value) -> bool) -> Vec<Value> {
    messages.retain(|message| !goes(message));
    messages
}

/// The id of the reply that an assistant message is a line of; empty for other messages.
pub(super) fn reply(message: &Value) -> &str {
    match message.get("message") {
        Some(body) if kind(message) == "assistant" => text(body, "id"),
        _ => "",
    }
}
