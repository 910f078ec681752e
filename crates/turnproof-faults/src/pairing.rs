//! Faults in *pairing* calls and results: of the client's tools, and of the API's own.

use std::collections::{HashMap, HashSet};

use turnproof_reference::message::constants::MISSING_TOOL_RESULT;
use turnproof_rules::json;
use turnproof_rules::operation::Value;

use super::hidden::{hide, hide_member, hide_type, show, show_all};
use super::log::result_id;
use super::walk::{
    blocks, blocks_mut, each, each_call_id, hide_blocks, is_of, is_server_call, is_server_result, kind, last_of,
    results, retain, text,
};
use super::{Fault, Wrong, fault};

pub(super) const FAULTS: &[Fault] = &[
    fault("normalize_api/no-placeholder", "pairing/result-follows-use")
        .that("leaves an interrupted call without a result")
        .seen_in("anthropics/claude-code#1237")
        .by(Wrong::List(|_, turns| drop_results(turns, |block, _| is_placeholder(block)))),
    fault("normalize_api/loses-one-of-parallel-results", "pairing/result-follows-use")
        .that("loses the second of several results that came at once")
        .seen_in("anthropics/claude-code#45286")
        .by(Wrong::List(|_, turns| drop_results(turns, |block, index| kind(block) == "tool_result" && index == 1))),
    fault("normalize_api/drops-parallel-results-on-resume", "pairing/result-follows-use")
        .that("follows one parent from each record, and so finds only the last of parallel results")
        .seen_in("anthropics/claude-code CHANGELOG 2.1.80")
        .by(Wrong::Blocks("user", |blocks| {
            let count = results(blocks);
            blocks.drain(..count.saturating_sub(1));
        })),
    fault("normalize_api/replaces-ids-of-calls-only", "pairing/result-follows-use")
        .that("replaces an id that the API refuses in the call, and not in the result")
        .by(Wrong::MessagesAndTurns(
            |messages| hide_ids(messages),
            |_, turns| {
                each(turns, "assistant", |block| block.get_mut("id").into_iter().for_each(clean_hidden));
                turns.iter_mut().for_each(show_all);
            },
        )),
    fault("normalize_api/keeps-orphan-results", "pairing/no-orphan-result")
        .that("keeps a result whose call compaction has dropped")
        .seen_in("anthropics/claude-code#8484")
        .by(Wrong::Hidden(|messages| {
            let made = named(messages, |block| kind(block) == "tool_use", "id");
            let is_orphan = |block: &Value| result_id(block).is_some_and(|id| !made.contains(id));
            hide_blocks(messages, "user", is_orphan);
        })),
    fault("normalize_api/cuts-between-call-and-result", "pairing/no-orphan-result")
        .that("cuts the beginning off between a call and its result")
        .seen_in("anthropics/claude-code#40305")
        .by(Wrong::List(|_, turns| {
            if turns.len() > 2 {
                turns.drain(..2);
            }
        })),
    fault("normalize_api/leaves-late-results", "pairing/no-orphan-result")
        .that("leaves a result after the next prompt in its place, beside a placeholder for it")
        .seen_in("anthropics/claude-code#12162")
        .by(Wrong::Hidden(hide_late_results)),
    fault("normalize_api/keeps-a-repeated-call", "pairing/unique-use-id")
        .that("keeps a call with the id of an earlier one")
        .seen_in("anthropics/claude-code#20508")
        .by(Wrong::Hidden(|messages| hide_repeated(messages, "assistant", "tool_use", "id"))),
    fault("normalize_api/keeps-the-calls-of-both-tries", "pairing/unique-use-id")
        .that("keeps the calls of a reply twice: from the stream, and from the request that replaced it")
        .seen_in("anthropics/claude-code#28515")
        .by(Wrong::List(|_, turns| {
            if let Some(blocks) = last_of(turns, "assistant").and_then(blocks_mut) {
                let calls: Vec<Value> = blocks.iter().filter(|block| kind(block) == "tool_use").cloned().collect();
                blocks.extend(calls);
            }
        })),
    fault("normalize_api/replaces-ids-by-ones-in-use", "pairing/unique-use-id")
        .that("makes an id legal letter by letter, and does not check whether another call has it")
        .by(Wrong::MessagesAndTurns(|messages| hide_ids(messages), |_, turns| each_call_id(turns, clean_hidden))),
    fault("normalize_api/keeps-a-second-result", "pairing/single-result")
        .that("keeps every result of a call")
        .by(Wrong::Hidden(|messages| hide_repeated(messages, "user", "tool_result", "tool_use_id"))),
    fault("normalize_api/placeholder-beside-a-result", "pairing/single-result")
        .that("writes a placeholder for the calls of the last reply although their results have come")
        .by(Wrong::List(|_, turns| {
            if let Some(blocks) = turns.last_mut().and_then(blocks_mut) {
                let count = results(blocks);
                let answered = blocks.iter().take(count).filter(|block| !is_placeholder(block));
                let more: Vec<Value> = answered.map(|result| placeholder(text(result, "tool_use_id"))).collect();
                blocks.splice(count..count, more);
            }
        })),
    fault("normalize_api/results-behind-the-text", "pairing/results-first")
        .that("joins messages in the order in which they came, and does not put results first")
        .by(Wrong::Blocks("user", |blocks| {
            let count = results(blocks);
            blocks.rotate_left(count);
        })),
    fault("normalize_api/sends-ids-as-they-are", "pairing/id-form")
        .that("sends ids that another vendor's model gave, such as `Bash:12`")
        .seen_in("betmoar/cc-proxy-plugin#67")
        .by(Wrong::Hidden(|messages| hide_ids(messages))),
    fault("normalize_api/sends-server-ids-as-they-are", "pairing/id-form")
        .that("makes the ids of the client's calls legal, and not those of server calls")
        .by(Wrong::HiddenBlocks("assistant", |block| {
            if kind(block) == "server_tool_use" {
                hide_member(block, "id");
            } else if is_server_result(block) && kind(block) != "mcp_tool_result" {
                hide_member(block, "tool_use_id");
            }
        })),
    fault("normalize_api/sends-inputs-as-they-are", "pairing/input-object")
        .that("sends an input that is text, a list or null as it is")
        .by(Wrong::EachBlock("assistant", |block| {
            let wrapped = block.get("input").and_then(Value::as_object).filter(|input| input.len() == 1);
            let inner = wrapped.and_then(|input| input.get("input")).cloned();
            if let Some(inner) = inner.filter(|_| kind(block) == "tool_use") {
                block["input"] = inner;
            }
        })),
    fault("normalize_api/sends-inputs-as-text", "pairing/input-object")
        .that("sends the input of a call as the JSON text that was streamed")
        .by(Wrong::EachBlock("assistant", |block| {
            if kind(block) == "tool_use" {
                block["input"] = Value::from(block.get("input").map(Value::to_string).unwrap_or_default());
            }
        })),
    fault("normalize_api/keeps-a-server-call-without-result", "pairing/server-tools")
        .that("sends a server call whose result was never stored")
        .by(Wrong::Hidden(|messages| {
            let answered = named(messages, is_server_result, "tool_use_id");
            hide_blocks(messages, "assistant", |block| is_server_call(block) && !answered.contains(text(block, "id")));
        })),
    fault("normalize_api/keeps-a-server-result-without-call", "pairing/server-tools")
        .that("keeps a server result whose call compaction has dropped")
        .seen_in("anthropics/claude-code#56515")
        .by(Wrong::Hidden(|messages| {
            let made = named(messages, is_server_call, "id");
            let is_orphan = |block: &Value| is_server_result(block) && !made.contains(text(block, "tool_use_id"));
            hide_blocks(messages, "assistant", is_orphan);
        })),
    fault("normalize_api/leaves-calls-before-server-tools", "pairing/server-tools")
        .that("leaves a call of the client before a server call of the same turn")
        .seen_in("vercel/ai#13013")
        .by(Wrong::Blocks("assistant", |blocks| {
            // A server pair stays in its order, behind all calls.
            blocks.sort_by_key(|block| is_server_call(block) || is_server_result(block));
        })),
    fault("normalize_api/one-server-tool", "pairing/server-tools")
        .that("pairs the calls of web_search, and passes those of all other server tools as they are")
        .by(Wrong::HiddenWhere("assistant", |block| {
            let is_search = text(block, "name") == "web_search" || kind(block) == "web_search_tool_result";
            (is_server_call(block) || is_server_result(block)) && !is_search
        })),
];

/// Hides the blocks of this type whose id an earlier one has.
fn hide_repeated(messages: &mut [Value], role: &str, type_name: &str, member: &str) {
    let mut seen = HashSet::new();
    hide_blocks(messages, role, |block| kind(block) == type_name && !seen.insert(text(block, member).to_owned()));
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

/// Drops the user's blocks for which `is_dropped` holds, given their place in the turn, and then empty turns.
fn drop_results(turns: &mut Vec<Value>, is_dropped: fn(&Value, usize) -> bool) {
    turns.retain_mut(|turn| {
        let is_users = is_of(turn, "user");
        let Some(blocks) = blocks_mut(turn).filter(|_| is_users) else { return true };
        let mut index = 0..;
        blocks.retain(|block| !is_dropped(block, index.next().unwrap_or_default()));
        !blocks.is_empty()
    });
}

/// Hides ids of calls that the API refuses, in calls and results.
fn hide_ids(messages: &mut [Value]) {
    each_call_id(messages, |id| {
        if let Some(illegal) = id.as_str().filter(|id| id.is_empty() || clean(id) != **id) {
            *id = Value::from(hide(illegal));
        }
    });
}

/// An id with `_` for each letter that the API refuses.
fn clean(id: &str) -> String {
    id.replace(|letter: char| letter != '-' && !letter.is_ascii_alphanumeric(), "_")
}

/// Makes a hidden id legal, letter by letter.
fn clean_hidden(id: &mut Value) {
    if let Some(shown) = id.as_str().and_then(show) {
        *id = Value::from(clean(&shown));
    }
}

/// Hides the results that come when another prompt or reply has come after their call.
fn hide_late_results(messages: &mut Vec<Value>) {
    // Whether something has come since, for each call.
    let mut calls: HashMap<String, bool> = HashMap::new();
    for message in messages {
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
}

pub(super) fn drop_late_results(messages: &mut Vec<Value>) {
    hide_late_results(messages);
    retain(messages, "user", |block| show(kind(block)).is_none_or(|type_name| type_name != "tool_result"));
}
