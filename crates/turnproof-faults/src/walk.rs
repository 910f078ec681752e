//! To *walk* is to look at messages, turns and their blocks one after the other.

pub(super) use turnproof_format::is_blank;
use turnproof_rules::json;
use turnproof_rules::operation::{Plain, Value};

use super::hidden::hide_type;

/// The elements of a JSON array; halves of surrogate pairs are U+FFFD.
pub(super) fn list(json: &str) -> Option<Vec<Value>> {
    match Plain::read(json).ok()?.into_value() {
        Value::Array(elements) => Some(elements),
        _ => None,
    }
}

/// A member that is a string; empty if it is none.
pub(super) fn text<'a>(object: &'a Value, name: &str) -> &'a str {
    object.get(name).and_then(Value::as_str).unwrap_or_default()
}

pub(super) fn kind(value: &Value) -> &str {
    text(value, "type")
}

pub(super) fn is(message: &Value, flag: &str) -> bool {
    message.get(flag) == Some(&Value::Bool(true))
}

/// Takes a member away; nothing happens to what is no object.
pub(super) fn remove(value: &mut Value, name: &str) {
    value.as_object_mut().and_then(|members| members.remove(name));
}

/// Takes a flag away from every message.
pub(super) fn without(messages: &mut [Value], flag: &str) {
    messages.iter_mut().for_each(|message| remove(message, flag));
}

/// Whether a turn, or a message, is this role's.
pub(super) fn is_of(value: &Value, role: &str) -> bool {
    kind(value) == role || text(value, "role") == role
}

pub(super) fn content(value: &Value) -> &Value {
    value.get("message").unwrap_or(value).get("content").unwrap_or(&Value::Null)
}

pub(super) fn content_mut(value: &mut Value) -> Option<&mut Value> {
    let owner = if value.get("message").is_some() { value.get_mut("message")? } else { value };
    owner.get_mut("content")
}

pub(super) fn blocks(value: &Value) -> &[Value] {
    content(value).as_array().map_or(&[], Vec::as_slice)
}

pub(super) fn blocks_mut(value: &mut Value) -> Option<&mut Vec<Value>> {
    content_mut(value)?.as_array_mut()
}

/// The words of a message: its string content, and its texts.
pub(super) fn words(message: &Value) -> impl Iterator<Item = &str> {
    let texts = blocks(message).iter().filter(|block| kind(block) == "text").map(|block| text(block, "text"));
    content(message).as_str().into_iter().chain(texts)
}

pub(super) fn last_of<'a>(all: &'a mut [Value], role: &str) -> Option<&'a mut Value> {
    all.iter_mut().rfind(|value| is_of(value, role))
}

/// Changes the lists of blocks of a role's messages or turns.
pub(super) fn lists(all: &mut [Value], role: &str, change: impl FnMut(&mut Vec<Value>)) {
    all.iter_mut().filter(|value| is_of(value, role)).filter_map(blocks_mut).for_each(change);
}

/// Changes the blocks of a role's messages or turns.
pub(super) fn each(all: &mut [Value], role: &str, mut change: impl FnMut(&mut Value)) {
    lists(all, role, |blocks| blocks.iter_mut().for_each(&mut change));
}

/// Changes the blocks of this type in a role's messages or turns.
pub(super) fn each_of(all: &mut [Value], role: &str, type_name: &str, mut change: impl FnMut(&mut Value)) {
    each(all, role, |block| {
        if kind(block) == type_name {
            change(block);
        }
    });
}

pub(super) fn retain(all: &mut [Value], role: &str, mut keep: impl FnMut(&Value) -> bool) {
    lists(all, role, |blocks| blocks.retain(&mut keep));
}

/// Changes the id of each call of the client's tools, and the id of the call in each result.
pub(super) fn each_call_id(all: &mut [Value], mut change: impl FnMut(&mut Value)) {
    for (role, type_name, member) in [("assistant", "tool_use", "id"), ("user", "tool_result", "tool_use_id")] {
        each_of(all, role, type_name, |block| block.get_mut(member).into_iter().for_each(&mut change));
    }
}

pub(super) fn hide_blocks(messages: &mut [Value], role: &str, mut is_meant: impl FnMut(&Value) -> bool) {
    lists(messages, role, |blocks| blocks.iter_mut().filter(|block| is_meant(block)).for_each(hide_type));
}

pub(super) fn prompt(words: &str) -> Value {
    json!({"type": "user", "message": {"role": "user", "content": words}})
}

/// Whether a block is thinking, readable or not.
pub(super) fn is_thinking(block: &Value) -> bool {
    matches!(kind(block), "thinking" | "redacted_thinking")
}

pub(super) fn is_server_call(block: &Value) -> bool {
    matches!(kind(block), "server_tool_use" | "mcp_tool_use")
}

pub(super) fn is_server_result(block: &Value) -> bool {
    kind(block) != "tool_result" && kind(block).ends_with("_tool_result")
}

pub(super) fn text_block(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

pub(super) fn turn(role: &str, content: Vec<Value>) -> Value {
    json!({"role": role, "content": content})
}

pub(super) fn reverse_results(blocks: &mut [Value]) {
    let count = results(blocks);
    blocks[..count].reverse();
}

/// How many blocks at the start of a list are results.
pub(super) fn results(blocks: &[Value]) -> usize {
    blocks.iter().take_while(|block| kind(block) == "tool_result").count()
}
