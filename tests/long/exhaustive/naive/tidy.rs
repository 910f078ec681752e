//! *Tidying blocks*: step 7, what a block may be and hold.

use serde_json::{Map, Value, json};

use turnproof_format::shapes::Holder;

use super::{Turn, is_blank, is_type, string};
use crate::shapes::{fitted, holder, is_name};

/// Step 7: what no request may hold is removed from the blocks.
pub(crate) fn tidy_blocks(turns: Vec<Turn>) -> Vec<Turn> {
    let tidied = |turn: Turn| {
        let blocks = turn.blocks.into_iter().filter(|block| may_carry(turn.role, block) && says_something(block));
        let blocks = blocks.map(with_input).map(with_name).map(with_full_content).filter_map(with_own_shape).collect();
        Turn { blocks, ..turn }
    };
    turns.into_iter().map(tidied).collect()
}

fn may_carry(role: &str, block: &Value) -> bool {
    let Some(type_name) = string(block, "type") else { return false };
    match holder(type_name) {
        Some(Holder::User) => role == "user",
        Some(Holder::Assistant) => role == "assistant",
        _ => true,
    }
}

/// Whether a block says what its type is there for.
fn says_something(block: &Value) -> bool {
    let is_filled = |name: &str| string(block, name).is_some_and(|text| !text.is_empty());
    match string(block, "type") {
        None | Some("") => false,
        Some("text") => has_words(block),
        Some("thinking") => is_filled("signature"),
        Some("redacted_thinking") => is_filled("data"),
        Some(_) => true,
    }
}

/// A block with the members of its type; without the client's own, when nobody knows its type.
fn with_own_shape(mut block: Value) -> Option<Value> {
    if string(&block, "type").and_then(holder).is_some() {
        return fitted(&block);
    }
    block.as_object_mut().map(remove_internal);
    Some(block)
}

/// A call whose name the API takes.
fn with_name(mut block: Value) -> Value {
    if is_type(&block, "tool_use")
        && let Some(name) = string(&block, "name").filter(|name| !is_name(name))
    {
        let legal = |letter: char| if letter.is_ascii_alphanumeric() || letter == '-' { letter } else { '_' };
        block["name"] = name.chars().map(legal).take(128).collect::<String>().into();
    }
    block
}

fn has_words(text_block: &Value) -> bool {
    string(text_block, "text").is_some_and(|text| !is_blank(text))
}

/// A result without blank texts, and without a content that says nothing; odd content as JSON text.
fn with_full_content(mut block: Value) -> Value {
    let is_client_result = is_type(&block, "tool_result");
    if !is_client_result && !is_type(&block, "mcp_tool_result") {
        return block;
    }
    let content = match block.as_object_mut().and_then(|members| members.remove("content")) {
        None | Some(Value::Null) => return block,
        Some(Value::Array(elements)) if is_client_result => {
            let part = json!({"type": "tool_result", "tool_use_id": "", "content": elements});
            let fitting = fitted(&part).and_then(|part| part["content"].as_array().cloned()).unwrap_or_default();
            let said = fitting.into_iter().filter(|element| !is_type(element, "text") || has_words(element));
            let mut said: Vec<Value> = said.collect();
            said.iter_mut().filter_map(Value::as_object_mut).for_each(remove_internal);
            if said.is_empty() {
                return block;
            }
            Value::Array(said)
        }
        Some(content @ (Value::Array(_) | Value::String(_))) => content,
        Some(odd) => odd.to_string().into(),
    };
    block["content"] = content;
    block
}

/// A call whose input is an object.
fn with_input(mut block: Value) -> Value {
    let is_client_call = is_type(&block, "tool_use");
    if !is_client_call && !is_type(&block, "server_tool_use") && !is_type(&block, "mcp_tool_use") {
        return block;
    }
    let input = match block.get("input") {
        Some(input) if input.is_object() => return block,
        None => json!({}),
        Some(Value::Null) if !is_client_call => json!({}),
        Some(input) => json!({ "input": input }),
    };
    block["input"] = input;
    block
}

fn remove_internal(members: &mut Map<String, Value>) {
    members.retain(|name, _| !is_internal(name));
}

fn is_internal(name: &str) -> bool {
    name.chars().any(|character| character.is_ascii_uppercase())
        || name.starts_with('_')
        || ["uuid", "timestamp", "cwd", "slug", "origin"].contains(&name)
}
