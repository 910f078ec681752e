//! Faults in *pairing* calls and results: of the client's tools, and of the API's own.

use std::collections::{HashMap, HashSet};

use serde_json::{Value, json};

use crate::message::constants::MISSING_TOOL_RESULT;

use super::spoil::{Spoil, keeping, turns};
use super::walk::hidden::{hide_member, show, shown};
use super::walk::{
    blocks, blocks_mut, each, hide_type, is_of, is_server_call, is_server_result, kind, lists, results, text,
};
use super::{Fault, Wrong};

/// The faults that rules of the family `pairing` convict.
pub(super) const FAULTS: &[Fault] = &[
    Fault {
        id: "normalize_api/no-placeholder",
        title: "leaves an interrupted call without a result",
        source: Some("anthropics/claude-code#1237"),
        rule: "pairing/result-follows-use",
        wrong: turns(|_, turns| without_results(turns, |block, _| is_placeholder(block))),
    },
    Fault {
        id: "normalize_api/loses-one-of-parallel-results",
        title: "loses the second of several results that came at once",
        source: Some("anthropics/claude-code#45286"),
        rule: "pairing/result-follows-use",
        wrong: turns(|_, turns| {
            without_results(turns, |block, index| kind(block) == "tool_result" && index == 1)
        }),
    },
    Fault {
        id: "normalize_api/drops-parallel-results-on-resume",
        title: "follows one parent from each record, so that of parallel results only the last is found",
        source: Some("anthropics/claude-code CHANGELOG 2.1.80"),
        rule: "pairing/result-follows-use",
        wrong: turns(|_, turns| {
            lists(turns, "user", |blocks| {
                let count = results(blocks);
                blocks.drain(..count.saturating_sub(1));
            })
        }),
    },
    Fault {
        id: "normalize_api/replaces-ids-of-calls-only",
        title: "replaces an id that the API refuses in the call, and not in the result",
        source: None,
        rule: "pairing/result-follows-use",
        wrong: Wrong::Request(Spoil::both(hide_ids, |_, turns| {
            let turns = each(turns, "assistant", |block| replace(block, "id", clean));
            turns.into_iter().map(shown).collect()
        })),
    },
    Fault {
        id: "normalize_api/keeps-orphan-results",
        title: "keeps a result whose call compaction has dropped",
        source: Some("anthropics/claude-code#8484"),
        rule: "pairing/no-orphan-result",
        wrong: keeping(|messages| {
            let made: HashSet<String> = calls(&messages).map(|call| text(call, "id").to_owned()).collect();
            each(messages, "user", |block| {
                if kind(block) == "tool_result" && !made.contains(text(block, "tool_use_id")) {
                    hide_type(block);
                }
            })
        }),
    },
    Fault {
        id: "normalize_api/cuts-between-call-and-result",
        title: "cuts the beginning off between a call and its result",
        source: Some("anthropics/claude-code#40305"),
        rule: "pairing/no-orphan-result",
        wrong: turns(|_, mut turns| if turns.len() > 2 { turns.split_off(2) } else { turns }),
    },
    Fault {
        id: "normalize_api/leaves-late-results",
        title: "leaves a result that comes after the next prompt where it is, beside a placeholder for it",
        source: Some("anthropics/claude-code#12162"),
        rule: "pairing/no-orphan-result",
        wrong: keeping(hide_late_results),
    },
    Fault {
        id: "normalize_api/keeps-a-repeated-call",
        title: "keeps a call with the id of an earlier one",
        source: Some("anthropics/claude-code#20508"),
        rule: "pairing/unique-use-id",
        wrong: keeping(|messages| {
            let mut seen = HashSet::new();
            each(messages, "assistant", |block| {
                if kind(block) == "tool_use" && !seen.insert(text(block, "id").to_owned()) {
                    hide_type(block);
                }
            })
        }),
    },
    Fault {
        id: "normalize_api/keeps-the-calls-of-both-tries",
        title: "keeps the calls of a reply from the stream, and from the request that took its place",
        source: Some("anthropics/claude-code#28515"),
        rule: "pairing/unique-use-id",
        wrong: turns(|_, mut turns| {
            let last = turns.iter_mut().rev().find(|turn| is_of(turn, "assistant")).and_then(blocks_mut);
            if let Some(blocks) = last {
                let calls: Vec<Value> =
                    blocks.iter().filter(|block| kind(block) == "tool_use").cloned().collect();
                blocks.extend(calls);
            }
            turns
        }),
    },
    Fault {
        id: "normalize_api/replaces-ids-by-ones-in-use",
        title: "makes an id legal letter by letter, and does not ask whether another call has it",
        source: None,
        rule: "pairing/unique-use-id",
        wrong: Wrong::Request(Spoil::both(hide_ids, |_, turns| {
            let turns = each(turns, "assistant", |block| replace(block, "id", clean));
            each(turns, "user", |block| replace(block, "tool_use_id", clean))
        })),
    },
    Fault {
        id: "normalize_api/keeps-a-second-result",
        title: "keeps every result that a call has got",
        source: None,
        rule: "pairing/single-result",
        wrong: keeping(|messages| {
            let mut seen = HashSet::new();
            each(messages, "user", |block| {
                if kind(block) == "tool_result" && !seen.insert(text(block, "tool_use_id").to_owned()) {
                    hide_type(block);
                }
            })
        }),
    },
    Fault {
        id: "normalize_api/placeholder-beside-a-result",
        title: "writes a placeholder for the calls of the last reply although their results have come",
        source: None,
        rule: "pairing/single-result",
        wrong: turns(|_, mut turns| {
            if let Some(blocks) = turns.last_mut().and_then(blocks_mut) {
                let count = results(blocks);
                let answered = blocks.iter().take(count).filter(|block| !is_placeholder(block));
                let more: Vec<Value> =
                    answered.map(|result| placeholder(text(result, "tool_use_id"))).collect();
                blocks.splice(count..count, more);
            }
            turns
        }),
    },
    Fault {
        id: "normalize_api/results-behind-the-text",
        title: "joins messages in the order in which they came, and puts no results in front",
        source: None,
        rule: "pairing/results-first",
        wrong: turns(|_, turns| {
            lists(turns, "user", |blocks| {
                let count = results(blocks);
                blocks.rotate_left(count);
            })
        }),
    },
    Fault {
        id: "normalize_api/sends-ids-as-they-are",
        title: "sends ids that another vendor's model gave, such as `Bash:12`",
        source: Some("betmoar/cc-proxy-plugin#67"),
        rule: "pairing/id-form",
        wrong: keeping(hide_ids),
    },
    Fault {
        id: "normalize_api/sends-server-ids-as-they-are",
        title: "makes the ids of the client's calls legal, and not those of server calls",
        source: None,
        rule: "pairing/id-form",
        wrong: keeping(|messages| {
            each(messages, "assistant", |block| {
                if kind(block) == "server_tool_use" {
                    hide_member(block, "id");
                } else if is_server_result(block) && kind(block) != "mcp_tool_result" {
                    hide_member(block, "tool_use_id");
                }
            })
        }),
    },
    Fault {
        id: "normalize_api/sends-inputs-as-they-are",
        title: "sends an input that is text, a list or null as it is",
        source: None,
        rule: "pairing/input-object",
        wrong: turns(|_, turns| {
            each(turns, "assistant", |block| {
                let wrapped = block.get("input").and_then(Value::as_object).filter(|input| input.len() == 1);
                let inner = wrapped.and_then(|input| input.get("input")).cloned();
                if let Some(inner) = inner.filter(|_| kind(block) == "tool_use") {
                    block["input"] = inner;
                }
            })
        }),
    },
    Fault {
        id: "normalize_api/sends-inputs-as-text",
        title: "sends the input of a call as the JSON text that was streamed",
        source: None,
        rule: "pairing/input-object",
        wrong: turns(|_, turns| {
            each(turns, "assistant", |block| {
                if kind(block) == "tool_use" {
                    block["input"] =
                        Value::from(block.get("input").map(Value::to_string).unwrap_or_default());
                }
            })
        }),
    },
    Fault {
        id: "normalize_api/keeps-a-server-call-without-result",
        title: "sends a server call whose result was never stored",
        source: None,
        rule: "pairing/server-tools",
        wrong: keeping(|messages| {
            let answered = named(&messages, is_server_result, "tool_use_id");
            each(messages, "assistant", |block| {
                if is_server_call(block) && !answered.contains(text(block, "id")) {
                    hide_type(block);
                }
            })
        }),
    },
    Fault {
        id: "normalize_api/keeps-a-server-result-without-call",
        title: "keeps a server result whose call compaction has dropped",
        source: Some("anthropics/claude-code#56515"),
        rule: "pairing/server-tools",
        wrong: keeping(|messages| {
            let made = named(&messages, is_server_call, "id");
            each(messages, "assistant", |block| {
                if is_server_result(block) && !made.contains(text(block, "tool_use_id")) {
                    hide_type(block);
                }
            })
        }),
    },
    Fault {
        id: "normalize_api/leaves-calls-before-server-tools",
        title: "leaves a call of the client before a server call of the same turn",
        source: Some("vercel/ai#13013"),
        rule: "pairing/server-tools",
        wrong: turns(|_, turns| {
            // A server pair stays in its order, behind all calls.
            lists(turns, "assistant", |blocks| {
                blocks.sort_by_key(|block| is_server_call(block) || is_server_result(block));
            })
        }),
    },
];

/// The calls of the client's tools.
fn calls(messages: &[Value]) -> impl Iterator<Item = &Value> {
    let replies = messages.iter().filter(|message| kind(message) == "assistant");
    replies.flat_map(blocks).filter(|block| kind(block) == "tool_use")
}

/// The ids in a member of some blocks of replies.
fn named(messages: &[Value], is_meant: fn(&Value) -> bool, member: &str) -> HashSet<String> {
    let replies = messages.iter().filter(|message| kind(message) == "assistant");
    let meant = replies.flat_map(blocks).filter(|block| is_meant(block));
    meant.map(|block| text(block, member).to_owned()).collect()
}

pub(super) fn is_placeholder(block: &Value) -> bool {
    kind(block) == "tool_result" && text(block, "content") == MISSING_TOOL_RESULT
}

fn placeholder(id: &str) -> Value {
    json!({"type": "tool_result", "tool_use_id": id, "content": MISSING_TOOL_RESULT, "is_error": true})
}

/// The turns without the blocks of the user for which `goes` holds, given their place in the turn;
/// a turn left empty goes with them.
fn without_results(mut turns: Vec<Value>, goes: fn(&Value, usize) -> bool) -> Vec<Value> {
    turns.retain_mut(|turn| {
        if !is_of(turn, "user") {
            return true;
        }
        let Some(blocks) = blocks_mut(turn) else { return true };
        let mut index = 0..;
        blocks.retain(|block| !goes(block, index.next().unwrap_or_default()));
        !blocks.is_empty()
    });
    turns
}

/// Hides ids of calls that the API refuses, in calls and results.
fn hide_ids(messages: Vec<Value>) -> Vec<Value> {
    let is_legal = |id: &str| !id.is_empty() && clean(id) == id;
    let hide = |block: &mut Value, type_name: &str, member: &str| {
        if kind(block) == type_name && !is_legal(text(block, member)) {
            hide_member(block, member);
        }
    };
    let messages = each(messages, "assistant", |block| hide(block, "tool_use", "id"));
    each(messages, "user", |block| hide(block, "tool_result", "tool_use_id"))
}

/// An id with a line for each letter that the API refuses.
fn clean(id: &str) -> String {
    let letters = id.chars().map(|letter| match letter {
        '-' => '-',
        letter if letter.is_ascii_alphanumeric() => letter,
        _ => '_',
    });
    letters.collect()
}

/// Replaces a member that is hidden.
fn replace(block: &mut Value, member: &str, by: fn(&str) -> String) {
    if let Some(id) = show(text(block, member)) {
        block[member] = Value::from(by(&id));
    }
}

/// Hides the results that come when another prompt or reply has come after their call.
fn hide_late_results(mut messages: Vec<Value>) -> Vec<Value> {
    // For each call whether something has come since.
    let mut calls: HashMap<String, bool> = HashMap::new();
    for message in &mut messages {
        let type_name = kind(message).to_owned();
        for block in blocks_mut(message).into_iter().flatten() {
            match (type_name.as_str(), kind(block)) {
                ("assistant", "tool_use") => drop(calls.entry(text(block, "id").to_owned()).or_default()),
                ("user", "tool_result") if calls.get(text(block, "tool_use_id")) == Some(&true) => {
                    hide_type(block);
                }
                ("user", "text") => calls.values_mut().for_each(|is_late| *is_late = true),
                _ => {}
            }
        }
    }
    messages
}

/// The messages without the results that come late.
pub(super) fn without_late_results(messages: Vec<Value>) -> Vec<Value> {
    super::walk::retain(hide_late_results(messages), "user", |block| {
        show(kind(block)).is_none_or(|type_name| type_name != "tool_result")
    })
}
