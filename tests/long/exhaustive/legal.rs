//! What a *legal* request is, written a second time and without the rules of the catalogue.

use serde_json::Value;

use super::naive::{SERVER_RESULTS, is_blank, is_plain_id, is_server_id, server_pairs};

const CALLS: [&str; 3] = ["tool_use", "server_tool_use", "mcp_tool_use"];
const THINKING: [&str; 2] = ["thinking", "redacted_thinking"];

/// What is not legal in these turns; empty when everything is legal.
pub(super) fn breaches(turns: &[Value]) -> Vec<String> {
    let mut breaches = Vec::new();
    let mut note = |holds: bool, what: String| {
        if !holds {
            breaches.push(what);
        }
    };
    for (at, turn) in turns.iter().enumerate() {
        let role = if at % 2 == 0 { "user" } else { "assistant" };
        note(turn["role"] == role, format!("turn {at} is not of the {role}"));
        note(!blocks(turn).is_empty(), format!("turn {at} is empty"));
        for block in blocks(turn) {
            note(is_sound(block), format!("turn {at} holds {block}"));
            note(may_stand(role, type_of(block)), format!("turn {at}, of the {role}, holds {block}"));
        }
        let last = blocks(turn).last().map_or("", type_of);
        note(role == "user" || !THINKING.contains(&last), format!("turn {at} ends with thinking"));
        note(
            answers_match(at.checked_sub(1).map(|before| &turns[before]), turn),
            format!("turn {at} does not begin with its results, and have no other"),
        );
        note(at + 1 < turns.len() || calls(turn).is_empty(), format!("the calls of turn {at} have no results"));
        let server = blocks(turn).iter().filter(|block| is_server(type_of(block))).count();
        note(2 * server_pairs(blocks(turn)).len() == server, format!("server tools of turn {at} are not paired"));
        let first_call = blocks(turn).iter().position(|block| type_of(block) == "tool_use");
        let after = first_call.map_or(&[][..], |call| &blocks(turn)[call..]);
        note(
            after.iter().all(|block| !is_server(type_of(block))),
            format!("a server tool is after a call in turn {at}"),
        );
    }
    let all = || turns.iter().flat_map(blocks);
    let client = all().filter(|block| type_of(block) == "tool_use").map(|block| &block["id"]);
    note(has_no_twins(client.collect()), "two calls share an id".into());
    let server = all().filter(|block| CALLS[1..].contains(&type_of(block))).map(|block| &block["id"]);
    note(has_no_twins(server.collect()), "two server calls share an id".into());
    if let Some(text) =
        turns.last().filter(|last| last["role"] == "assistant").and_then(|last| blocks(last).last()?["text"].as_str())
    {
        note(
            !text.chars().next_back().is_some_and(|last| is_blank(&last.to_string())),
            "the request ends with white space".into(),
        );
    }
    breaches
}

fn blocks(turn: &Value) -> &[Value] {
    turn["content"].as_array().map_or(&[], Vec::as_slice)
}

fn type_of(block: &Value) -> &str {
    block["type"].as_str().unwrap_or_default()
}

fn is_server_result(type_name: &str) -> bool {
    SERVER_RESULTS.contains(&type_name)
}

fn is_server(type_name: &str) -> bool {
    CALLS[1..].contains(&type_name) || is_server_result(type_name)
}

fn calls(turn: &Value) -> Vec<&Value> {
    blocks(turn).iter().filter(|block| type_of(block) == "tool_use").map(|block| &block["id"]).collect()
}

/// Whether a turn's results stand at its front, one for each call of the turn before, in their order.
fn answers_match(before: Option<&Value>, turn: &Value) -> bool {
    let is_result = |block: &&Value| type_of(block) == "tool_result";
    let results = blocks(turn).iter().filter(is_result).map(|block| &block["tool_use_id"]);
    let front = blocks(turn).iter().take_while(is_result).count();
    let results: Vec<&Value> = results.collect();
    results.len() == front && results == before.map_or(Vec::new(), calls)
}

fn may_stand(role: &str, type_name: &str) -> bool {
    match role {
        "user" => !CALLS.contains(&type_name) && !THINKING.contains(&type_name) && !is_server_result(type_name),
        _ => !["tool_result", "image", "document"].contains(&type_name),
    }
}

/// Whether a block has what its type requires, and nothing of the client's.
fn is_sound(block: &Value) -> bool {
    let text = |name: &str| block[name].as_str().unwrap_or_default();
    let has_parts = match type_of(block) {
        "" => false,
        "text" => !is_blank(text("text")),
        "tool_use" => is_plain_id(text("id")) && !text("name").is_empty() && block["input"].is_object(),
        "server_tool_use" => is_server_id(text("id")) && !text("name").is_empty() && !block["input"].is_null(),
        "mcp_tool_use" => is_plain_id(text("id")) && !text("name").is_empty() && !block["input"].is_null(),
        "thinking" => block["thinking"].is_string() && !text("signature").is_empty(),
        "redacted_thinking" => !text("data").is_empty(),
        "image" | "document" => !block["source"].is_null(),
        "tool_result" => match block.get("content") {
            Some(Value::Array(elements)) => {
                !elements.is_empty()
                    && elements.iter().all(|element| {
                        type_of(element) != "text" || !is_blank(element["text"].as_str().unwrap_or_default())
                    })
                    && elements.iter().all(has_no_internal)
            }
            content => !content.is_some_and(Value::is_null),
        },
        _ => true,
    };
    has_parts && has_no_internal(block)
}

fn has_no_internal(block: &Value) -> bool {
    const INTERNAL: [&str; 5] = ["uuid", "timestamp", "cwd", "slug", "origin"];
    block.as_object().is_none_or(|members| {
        members.keys().all(|name| {
            !name.starts_with('_')
                && !INTERNAL.contains(&name.as_str())
                && !name.bytes().any(|byte| byte.is_ascii_uppercase())
        })
    })
}

fn has_no_twins(mut ids: Vec<&Value>) -> bool {
    let count = ids.len();
    ids.sort_by_key(|id| id.as_str());
    ids.dedup();
    ids.len() == count
}
