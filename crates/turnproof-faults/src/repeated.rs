//! Faults with *repeated ids*: vendors restart the numbers of calls in each reply, and clients write a line twice.

use std::collections::HashSet;

use turnproof_rules::operation::Value;

use super::conserve::reply;
use super::log::{drop_results, result_id};
use super::walk::{
    blocks, blocks_mut, each, each_call_id, is_of, is_server_call, is_server_result, kind, last_of, lists, retain, text,
};
use super::{Fault, Wrong, fault};

pub(super) const FAULTS: &[Fault] = &[
    fault("normalize_api/drops-a-call-with-a-used-id", "normalize/conserves")
        .that("takes a call whose id an earlier reply has for the same call, and drops it with its result")
        .by(Wrong::Messages(|messages| {
            let mut used: HashSet<String> = HashSet::new();
            for blocks in messages.iter_mut().filter(|message| is_of(message, "assistant")).filter_map(blocks_mut) {
                let ids: Vec<String> = calls(blocks).map(str::to_owned).collect();
                blocks.retain(|block| kind(block) != "tool_use" || !used.contains(text(block, "id")));
                used.extend(ids);
            }
        })),
    fault("normalize_api/drops-the-result-of-a-used-id", "normalize/conserves")
        .that("drops a result whose id an earlier result has, and writes a placeholder for it")
        .by(Wrong::Messages(|messages| {
            let mut seen = HashSet::new();
            retain(messages, "user", |block| result_id(block).is_none_or(|id| seen.insert(id.to_owned())));
        })),
    fault("normalize_api/gives-a-result-to-the-first-call", "normalize/conserves")
        .that("gives the result of a later call to the first call with its id")
        .by(Wrong::Messages(|messages| {
            let mut all: Vec<&mut Value> = Vec::new();
            for blocks in messages.iter_mut().filter(|message| is_of(message, "user")).filter_map(blocks_mut) {
                all.extend(blocks.iter_mut().filter(|block| kind(block) == "tool_result"));
            }
            let repeated = |ids: &[String], id: &str| ids.iter().filter(|own| *own == id).count() > 1;
            let ids: Vec<String> = all.iter().map(|block| text(block, "tool_use_id").to_owned()).collect();
            let mut results: Vec<&mut Value> =
                all.into_iter().filter(|block| repeated(&ids, text(block, "tool_use_id"))).collect();
            for first in 0..results.len() {
                let id = results[first]["tool_use_id"].clone();
                if let Some(second) = (first + 1..results.len()).find(|&at| results[at]["tool_use_id"] == id) {
                    let content = results[second]["content"].take();
                    results[second]["content"] = std::mem::replace(&mut results[first]["content"], content);
                    return;
                }
            }
        })),
    fault("normalize_api/drops-another-call-of-a-reply", "normalize/conserves")
        .that("takes a second call of a reply for a repetition when it has the same id, whatever it asks for")
        .by(Wrong::Messages(|messages| {
            let mut seen: HashSet<(String, String)> = HashSet::new();
            for message in messages.iter_mut().filter(|message| is_of(message, "assistant")) {
                let of = reply(message).to_owned();
                blocks_mut(message).into_iter().for_each(|blocks| {
                    let mut is_new = |call: &str| seen.insert((of.clone(), call.to_owned()));
                    blocks.retain(|block| kind(block) != "tool_use" || of.is_empty() || is_new(text(block, "id")));
                });
            }
        })),
    fault("normalize_api/drops-a-server-pair-with-a-used-id", "normalize/conserves")
        .that("drops a pair of a server tool whose id an earlier reply has")
        .by(Wrong::Messages(|messages| {
            let mut used: HashSet<String> = HashSet::new();
            lists(messages, "assistant", |blocks| {
                let own: Vec<String> =
                    blocks.iter().filter(|block| is_server_call(block)).map(|it| text(it, "id").to_owned()).collect();
                blocks.retain(|block| {
                    let is_used = |name: &str| used.contains(text(block, name));
                    !(is_server_call(block) && is_used("id") || is_server_result(block) && is_used("tool_use_id"))
                });
                used.extend(own);
            });
        })),
    fault("normalize_api/keeps-a-line-that-repeats-a-call", "normalize/no-invention")
        .that("sends a line that a client wrote twice as another call, with a placeholder for its result")
        .seen_in("anthropics/claude-code#21083")
        .by(Wrong::Messages(|messages| {
            let mut said: HashSet<String> = HashSet::new();
            let mut count = 0;
            each(messages, "assistant", |block| {
                if kind(block) == "tool_use" && !said.insert(block.to_string()) {
                    count += 1;
                    block["id"] = Value::from(format!("{}_again_{count}", text(block, "id")));
                }
            });
        })),
    fault("normalize_api/renames-the-call-and-not-its-result", "pairing/result-follows-use")
        .that("gives a call a new id because its own is used, and leaves the result under the old one")
        .by(Wrong::List(|asked, turns| {
            let used = used_twice(asked.messages);
            each(turns, "user", |block| {
                if let Some(old) = result_id(block).filter(|id| is_made(id)).and(used.first()) {
                    block["tool_use_id"] = Value::from(old.as_str());
                }
            });
        })),
    fault("normalize_api/renames-the-result-and-not-its-call", "pairing/unique-use-id")
        .that("gives the result of a call a new id because its own is used, and leaves the call under the old one")
        .by(Wrong::List(|asked, turns| {
            let used = used_twice(asked.messages);
            each(turns, "assistant", |block| {
                if let Some(old) = used.first().filter(|_| kind(block) == "tool_use" && is_made(text(block, "id"))) {
                    block["id"] = Value::from(old.as_str());
                }
            });
        })),
    fault("normalize_api/makes-an-id-that-is-in-use", "pairing/unique-use-id")
        .that("has one new id for all calls whose own is used")
        .by(Wrong::List(|_, turns| {
            each_call_id(turns, |id| {
                if id.as_str().is_some_and(is_made) {
                    *id = Value::from("toolu_again");
                }
            });
        })),
    fault("normalize_api/marks-used-ids-with-a-sign", "pairing/id-form")
        .that("distinguishes calls with one id by `#` and a number, which the API refuses")
        .by(Wrong::List(|_, turns| {
            each_call_id(turns, |id| {
                if let Some(made) = id.as_str().filter(|id| is_made(id)).map(|id| id.replace('_', "#")) {
                    *id = Value::from(made);
                }
            });
        })),
    fault("normalize_api/numbers-used-ids-from-the-end", "normalize/prefix-stable")
        .that("makes new ids of the number of messages, so that they change with each message")
        .by(Wrong::List(|asked, turns| {
            each_call_id(turns, |id| {
                let made = id.as_str().filter(|id| is_made(id));
                if let Some(made) = made.map(|id| Value::from(format!("{id}_{}", asked.messages.len()))) {
                    *id = made;
                }
            });
        })),
    fault("normalize_api/forgets-used-ids", "normalize/incremental")
        .that("forgets the ids of settled turns, and sends a later call under the id of an earlier one")
        .by(Wrong::Incremental(|turns, messages, right| {
            *turns = right(messages);
            let used = used_twice(messages);
            let last = last_of(turns, "assistant").and_then(blocks_mut).into_iter().flatten();
            for call in last.filter(|block| kind(block) == "tool_use" && is_made(text(block, "id"))) {
                used.first().into_iter().for_each(|old| call["id"] = Value::from(old.as_str()));
            }
        })),
    fault("play/withdraws-results-of-earlier-replies", "engine/every-use-answered")
        .that("removes every result with the id of a withdrawn call, those of earlier replies too")
        .by(Wrong::Requests(|messages, _| {
            let mut seen = HashSet::new();
            let results = messages.iter().flat_map(blocks).filter_map(result_id);
            let used: HashSet<String> =
                results.filter(|id| !seen.insert((*id).to_owned())).map(str::to_owned).collect();
            drop_results(messages, |block| result_id(block).is_some_and(|id| used.contains(id)));
        })),
    fault("reorder_ui/gives-every-result-to-the-first-call", "ui/tool-story")
        .that("shows all results of an id with the first call that has it")
        .by(Wrong::List(|_, shown| {
            let mut at = 0;
            while let Some(call) = shown.get(at) {
                let id = calls(blocks(call)).next().map(str::to_owned).filter(|_| is_of(call, "assistant"));
                at += 1;
                let Some(id) = id else { continue };
                let is_its = |message: &Value| is_of(message, "user") && answers(message, &id);
                let (own, others): (Vec<Value>, Vec<Value>) = shown.split_off(at).into_iter().partition(is_its);
                shown.extend(own.into_iter().chain(others));
            }
        })),
];

/// The ids of the calls among blocks.
fn calls(blocks: &[Value]) -> impl Iterator<Item = &str> {
    blocks.iter().filter(|block| kind(block) == "tool_use").map(|block| text(block, "id"))
}

/// Whether a message is one result of this call.
fn answers(message: &Value, call: &str) -> bool {
    matches!(blocks(message), [block] if result_id(block) == Some(call))
}

/// Whether the reference made an id for a call whose own was used: a hash and a number.
fn is_made(id: &str) -> bool {
    let number = id.strip_prefix("toolu_").and_then(|rest| rest.split_once('_'));
    number.is_some_and(|(hash, number)| {
        hash.len() == 16 && !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    })
}

/// The ids that two calls of the messages have, in order.
fn used_twice(messages: &[Value]) -> Vec<String> {
    let mut seen = HashSet::new();
    let replies = messages.iter().filter(|message| is_of(message, "assistant"));
    let twice = replies.flat_map(|reply| calls(blocks(reply))).filter(|id| !seen.insert(*id));
    twice.map(str::to_owned).collect()
}
