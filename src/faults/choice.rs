//! Faults of *choice*: of two that share an id the wrong one is kept, the wrong message is meant, or
//! more goes than must.

use std::collections::HashMap;

use serde_json::Value;

use super::Fault;
use super::spoil::{messages, turns};
use super::walk::{
    blocks, blocks_mut, each, is, is_blank, is_of, is_server_call, is_server_result, is_thinking, kind,
    lists, results, retain, text, text_block, turn,
};

/// More faults that rules of the family `normalize` convict.
pub(super) const FAULTS: &[Fault] = &[
    Fault {
        id: "normalize_api/answers-by-place",
        title: "gives the results of parallel calls to them in the order in which they came",
        source: Some("anthropics/claude-code CHANGELOG 2.1.9"),
        rule: "normalize/no-invention",
        wrong: turns(|_, turns| {
            lists(turns, "user", |blocks| {
                let count = results(blocks);
                let results = blocks.get_mut(..count).unwrap_or_default();
                let ids: Vec<Option<Value>> =
                    results.iter().map(|result| result.get("tool_use_id").cloned()).collect();
                results.reverse();
                for (result, id) in results.iter_mut().zip(ids) {
                    result["tool_use_id"] = id.unwrap_or_default();
                }
            })
        }),
    },
    Fault {
        id: "normalize_api/last-result-wins",
        title: "keeps the last of several results for a call",
        source: None,
        rule: "normalize/conserves",
        wrong: messages(|mut messages| {
            let mut left: HashMap<String, u32> = HashMap::new();
            for block in messages.iter().flat_map(blocks).filter(|block| kind(block) == "tool_result") {
                *left.entry(text(block, "tool_use_id").to_owned()).or_default() += 1;
            }
            messages = retain(messages, "user", |block| {
                let left = left.entry(text(block, "tool_use_id").to_owned()).or_default();
                *left = left.saturating_sub(u32::from(kind(block) == "tool_result"));
                kind(block) != "tool_result" || *left == 0
            });
            messages
        }),
    },
    Fault {
        id: "normalize_api/last-call-wins",
        title: "keeps the last of several calls with one id",
        source: None,
        rule: "normalize/conserves",
        wrong: messages(|messages| {
            let mut left: HashMap<String, u32> = HashMap::new();
            for block in messages.iter().flat_map(blocks).filter(|block| kind(block) == "tool_use") {
                *left.entry(text(block, "id").to_owned()).or_default() += 1;
            }
            retain(messages, "assistant", |block| {
                let left = left.entry(text(block, "id").to_owned()).or_default();
                *left = left.saturating_sub(u32::from(kind(block) == "tool_use"));
                kind(block) != "tool_use" || *left == 0
            })
        }),
    },
    Fault {
        id: "normalize_api/withdraws-whole-replies",
        title: "takes back all lines of a reply with the one that a tombstone names",
        source: None,
        rule: "normalize/conserves",
        wrong: messages(|mut messages| {
            let withdrawn: Vec<Value> = messages
                .iter()
                .filter(|message| kind(message) == "tombstone")
                .filter_map(|tombstone| tombstone.pointer("/message/uuid").cloned())
                .collect();
            let replies: Vec<Value> = messages
                .iter()
                .filter(|message| message.get("uuid").is_some_and(|uuid| withdrawn.contains(uuid)))
                .filter_map(|message| message.pointer("/message/id").cloned())
                .collect();
            messages.retain(|message| {
                let reply = message.pointer("/message/id");
                kind(message) != "assistant" || reply.is_none_or(|reply| !replies.contains(reply))
            });
            messages
        }),
    },
    Fault {
        id: "normalize_api/takes-media-from-all-messages",
        title: "takes all media away as soon as the API has refused any",
        source: Some("anthropics/claude-code CHANGELOG 2.1.126"),
        rule: "normalize/conserves",
        wrong: messages(|messages| match messages.iter().any(|message| is(message, "isApiErrorMessage")) {
            true => retain(messages, "user", |block| !matches!(kind(block), "image" | "document")),
            false => messages,
        }),
    },
    Fault {
        id: "normalize_api/drops-unknown-blocks",
        title: "drops blocks whose type it does not know",
        source: Some("datadog-labs/trajectory#78"),
        rule: "normalize/conserves",
        wrong: turns(|_, turns| {
            let is_known = |block: &Value| {
                matches!(kind(block), "text" | "tool_use" | "tool_result" | "image" | "document")
                    || is_thinking(block)
                    || is_server_call(block)
                    || is_server_result(block)
            };
            retain(retain(turns, "assistant", is_known), "user", is_known)
        }),
    },
    Fault {
        id: "normalize_api/drops-messages-with-a-bad-block",
        title: "drops a whole message for one block that cannot be sent",
        source: None,
        rule: "normalize/conserves",
        wrong: messages(|mut messages| {
            messages.retain(|message| blocks(message).iter().all(|block| !kind(block).is_empty()));
            messages
        }),
    },
    Fault {
        id: "normalize_api/drops-equal-texts",
        title: "takes a text that is said twice for one that was stored twice",
        source: None,
        rule: "normalize/conserves",
        wrong: turns(|_, turns| {
            lists(turns, "user", |blocks| {
                let all = std::mem::take(blocks);
                for block in all {
                    if kind(&block) != "text" || !blocks.contains(&block) {
                        blocks.push(block);
                    }
                }
            })
        }),
    },
    Fault {
        id: "normalize_api/drops-results-without-content",
        title: "drops a result that says nothing",
        source: None,
        rule: "normalize/conserves",
        wrong: messages(|messages| {
            retain(messages, "user", |block| {
                let content = block.get("content");
                kind(block) != "tool_result"
                    || content.is_some_and(|content| content.as_str().is_none_or(|words| !is_blank(words)))
            })
        }),
    },
    Fault {
        id: "normalize_api/trims-prompts",
        title: "takes white space from the ends of what the user says",
        source: None,
        rule: "normalize/no-invention",
        wrong: turns(|_, turns| {
            each(turns, "user", |block| {
                if kind(block) == "text" {
                    block["text"] = Value::from(text(block, "text").trim());
                }
            })
        }),
    },
    Fault {
        id: "normalize_api/forgets-errors",
        title: "forgets that a result is an error",
        source: None,
        rule: "normalize/no-invention",
        wrong: turns(|_, turns| {
            each(turns, "user", |block| {
                if let Some(members) = block.as_object_mut() {
                    members.remove("is_error");
                }
            })
        }),
    },
    Fault {
        id: "normalize_api/loses-images-of-results",
        title: "sends the texts of a result only",
        source: None,
        rule: "normalize/conserves",
        wrong: turns(|_, turns| {
            each(turns, "user", |block| {
                blocks_mut(block).into_iter().for_each(|parts| parts.retain(|part| kind(part) == "text"));
            })
        }),
    },
    Fault {
        id: "normalize_api/moves-attachments-over-results",
        title: "moves attachments up to the last reply, past the results of its calls",
        source: None,
        rule: "normalize/keeps-order",
        wrong: messages(|mut messages| {
            let is_stop = |message: &Value| kind(message) == "assistant";
            messages
                .chunk_by_mut(|one, _| !is_stop(one))
                .for_each(|run| run.sort_by_key(|message| kind(message) != "attachment"));
            messages
        }),
    },
    Fault {
        id: "normalize_api/replies-as-prompts",
        title: "sends what the model said before the last prompt as the user's words",
        source: None,
        rule: "normalize/conserves",
        wrong: turns(|_, turns| {
            let is_plain = |turn: &Value| {
                is_of(turn, "assistant") && blocks(turn).iter().all(|block| kind(block) == "text")
            };
            let told = |whole: Value| match is_plain(&whole) {
                true => turn("user", blocks(&whole).to_vec()),
                false => whole,
            };
            turns.into_iter().map(told).collect()
        }),
    },
    Fault {
        id: "normalize_api/fills-user-turns",
        title: "puts the no-content text behind results, although the turn is not empty",
        source: Some("anthropics/claude-code CHANGELOG 2.1.30"),
        rule: "normalize/no-invention",
        wrong: turns(|_, turns| {
            lists(turns, "user", |blocks| {
                if results(blocks) == blocks.len() {
                    blocks.push(text_block(crate::message::constants::NO_CONTENT));
                }
            })
        }),
    },
];
