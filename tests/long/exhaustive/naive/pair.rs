//! *Pairing tools*: step 9, each call has one result, in its place.

use serde_json::{Value, json};

use super::{Turn, is_type, string};
use turnproof_format::SERVER_RESULTS;

/// Step 9: one result for each call, right after it; server calls with their results in one turn.
pub(crate) fn pair_tools(turns: Vec<Turn>) -> Vec<Turn> {
    let turns = distinguish_calls(drop_repeated_calls(turns));
    let turns = bring_results_to_calls(turns);
    let turns = replace_client_ids(turns);
    let turns = keep_server_pairs(turns);
    let turns = replace_server_ids(turns);
    move_calls_to_end(turns)
}

fn is_server_call(block: &Value) -> bool {
    is_type(block, "server_tool_use") || is_type(block, "mcp_tool_use")
}

fn is_server_result(block: &Value) -> bool {
    SERVER_RESULTS.iter().any(|type_name| is_type(block, type_name))
}

/// The ids of all blocks that `wanted` picks, in order.
fn call_ids(turns: &[Turn], wanted: fn(&Value) -> bool) -> Vec<String> {
    let blocks = turns.iter().flat_map(|turn| &turn.blocks).filter(|block| wanted(block));
    blocks.filter_map(|block| string(block, "id")).map(str::to_owned).collect()
}

fn is_client_call(block: &Value) -> bool {
    is_type(block, "tool_use")
}

/// Whether two calls are one: of one type and id, for one tool, with one input.
fn is_same_call(one: &Value, other: &Value) -> bool {
    ["type", "id", "name", "server_name", "input"].iter().all(|member| one.get(member) == other.get(member))
}

/// Of client calls of one turn that are the same the first stays.
fn drop_repeated_calls(mut turns: Vec<Turn>) -> Vec<Turn> {
    for turn in &mut turns {
        let mut kept: Vec<Value> = Vec::new();
        for block in std::mem::take(&mut turn.blocks) {
            let is_repeated = |other: &Value| is_client_call(&block) && is_same_call(&block, other);
            if !kept.iter().any(is_repeated) {
                kept.push(block);
            }
        }
        turn.blocks = kept;
    }
    turns
}

/// Each call has an id of its own, and its result has it too: the first result that names it, of all calls that share
/// the id the ones of the last turn before. Other results go. An id that is used before becomes one that the API
/// refuses.
fn distinguish_calls(mut turns: Vec<Turn>) -> Vec<Turn> {
    // The turn of each call, its id, its own id, and whether it has its result.
    let mut calls: Vec<(usize, String, String, bool)> = Vec::new();
    for (at, turn) in turns.iter_mut().enumerate() {
        turn.blocks.retain_mut(|block| {
            if is_client_call(block) {
                let id = string(block, "id").unwrap_or_default().to_owned();
                let count = calls.iter().filter(|call| call.1 == id).count();
                let own = if count == 0 { id.clone() } else { format!("{id}#{count}") };
                block["id"] = Value::from(own.as_str());
                calls.push((at, id, own, false));
            } else if is_type(block, "tool_result") {
                let id = string(block, "tool_use_id").unwrap_or_default().to_owned();
                let last = calls.iter().filter(|call| call.1 == id && call.0 < at).map(|call| call.0).max();
                let mut waiting = calls.iter_mut().filter(|call| call.1 == id && Some(call.0) == last && !call.3);
                let Some(call) = waiting.next() else { return false };
                call.3 = true;
                block["tool_use_id"] = Value::from(call.2.as_str());
            }
            true
        });
    }
    turns
}

/// The turn after calls begins with their results; no other result stays.
fn bring_results_to_calls(turns: Vec<Turn>) -> Vec<Turn> {
    let mut paired = Vec::new();
    let mut results_before: Vec<Value> = Vec::new();
    for (at, turn) in turns.iter().enumerate() {
        let others = turn.blocks.iter().filter(|block| !is_type(block, "tool_result")).cloned();
        let blocks = results_before.drain(..).chain(others).collect();
        paired.push(Turn { blocks, ..turn.clone() });
        let calls = call_ids(&turns[at..=at], is_client_call);
        results_before = calls.iter().map(|id| result_after(&turns[at + 1..], id)).collect();
    }
    if !results_before.is_empty() {
        paired.push(Turn::user(results_before));
    }
    paired
}

/// The first result of a call in the turns after it, or the placeholder.
fn result_after(later: &[Turn], id: &str) -> Value {
    let blocks = later.iter().flat_map(|turn| &turn.blocks);
    let mut results = blocks.filter(|block| is_type(block, "tool_result"));
    results.find(|block| string(block, "tool_use_id") == Some(id)).cloned().unwrap_or_else(|| {
        json!({
            "type": "tool_result",
            "tool_use_id": id,
            "content": "[Tool result missing due to internal error]",
            "is_error": true,
        })
    })
}

/// Client calls whose ids the API refuses get others, their results too.
fn replace_client_ids(mut turns: Vec<Turn>) -> Vec<Turn> {
    for id in call_ids(&turns, is_client_call).iter().filter(|id| !is_plain_id(id)) {
        let legal = unused_id("toolu_made_up_", &call_ids(&turns, is_client_call));
        for block in turns.iter_mut().flat_map(|turn| &mut turn.blocks) {
            if is_client_call(block) && string(block, "id") == Some(id) {
                block["id"] = Value::from(legal.as_str());
            }
            if is_type(block, "tool_result") && string(block, "tool_use_id") == Some(id) {
                block["tool_use_id"] = Value::from(legal.as_str());
            }
        }
    }
    turns
}

/// Whether an id matches `^[a-zA-Z0-9_-]+$`.
pub(crate) fn is_plain_id(id: &str) -> bool {
    !id.is_empty() && id.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
}

/// Whether an id matches `^srvtoolu_[a-zA-Z0-9_]+$`.
pub(crate) fn is_server_id(id: &str) -> bool {
    let rest = id.strip_prefix("srvtoolu_").unwrap_or_default();
    !rest.is_empty() && rest.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// The first of `prefix1`, `prefix2`, … that is not taken.
fn unused_id(prefix: &str, taken: &[String]) -> String {
    let mut number = 1;
    while taken.contains(&format!("{prefix}{number}")) {
        number += 1;
    }
    format!("{prefix}{number}")
}

/// Server calls stay with their results, of the same calls of a turn the first; all others are dropped.
fn keep_server_pairs(mut turns: Vec<Turn>) -> Vec<Turn> {
    for turn in &mut turns {
        let mut kept: Vec<usize> = Vec::new();
        for (call, result) in server_pairs(&turn.blocks) {
            if !kept.iter().any(|&other| is_same_call(&turn.blocks[call], &turn.blocks[other])) {
                kept.extend([call, result]);
            }
        }
        let stays =
            |&(at, block): &(usize, &Value)| !is_server_call(block) && !is_server_result(block) || kept.contains(&at);
        turn.blocks = turn.blocks.iter().enumerate().filter(stays).map(|(_, block)| block.clone()).collect();
    }
    turns
}

/// The places of the server calls of one turn that have a result, each with its place.
pub(crate) fn server_pairs(blocks: &[Value]) -> Vec<(usize, usize)> {
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    for (at, call) in blocks.iter().enumerate().filter(|(_, block)| is_server_call(block)) {
        let answers = |&place: &usize| {
            let result = &blocks[place];
            string(result, "tool_use_id") == string(call, "id")
                && is_server_result(result)
                && fits(call, string(result, "type").unwrap_or_default())
                && !pairs.iter().any(|&(_, taken)| taken == place)
        };
        if let Some(place) = (at + 1..blocks.len()).find(answers) {
            pairs.push((at, place));
        }
    }
    pairs
}

/// Whether a server call may be answered by a result of this type.
fn fits(call: &Value, result_type: &str) -> bool {
    if is_type(call, "mcp_tool_use") {
        return result_type == "mcp_tool_result";
    }
    match string(call, "name").unwrap_or_default() {
        name @ ("web_search"
        | "web_fetch"
        | "code_execution"
        | "bash_code_execution"
        | "text_editor_code_execution"
        | "advisor") => result_type == format!("{name}_tool_result"),
        "tool_search_tool_regex" | "tool_search_tool_bm25" => result_type == "tool_search_tool_result",
        _ => result_type != "mcp_tool_result",
    }
}

/// Server calls whose ids the API refuses, or that are used before, get others, their results too.
fn replace_server_ids(mut turns: Vec<Turn>) -> Vec<Turn> {
    let mut used: Vec<String> = Vec::new();
    for at in 0..turns.len() {
        for (call, result) in server_pairs(&turns[at].blocks) {
            let block = &turns[at].blocks[call];
            let id = string(block, "id").unwrap_or_default();
            let is_legal = if is_type(block, "mcp_tool_use") { is_plain_id(id) } else { is_server_id(id) };
            let is_used = used.iter().any(|other| other == id);
            used.push(id.to_owned());
            if !is_legal || is_used {
                let legal = Value::from(unused_id("srvtoolu_made_up_", &call_ids(&turns, is_server_call)));
                turns[at].blocks[call]["id"] = legal.clone();
                turns[at].blocks[result]["tool_use_id"] = legal;
            }
        }
    }
    turns
}

/// All client calls are moved to the turn's end.
fn move_calls_to_end(mut turns: Vec<Turn>) -> Vec<Turn> {
    for turn in turns.iter_mut().filter(|turn| !turn.is_user()) {
        turn.blocks.sort_by_key(is_client_call);
    }
    turns
}
