//! Events of a stream as JSON.

use serde_json::{Value, json};

pub(crate) fn start() -> Value {
    start_with(json!([]))
}

/// A start that has content already.
pub(crate) fn start_with(content: Value) -> Value {
    json!({"type": "message_start", "message": {
        "id": "msg_1", "type": "message", "role": "assistant", "model": "m1", "content": content,
        "stop_reason": null, "stop_sequence": null,
        "usage": {"input_tokens": 10, "output_tokens": 1, "cache_read_input_tokens": 3}}})
}

pub(crate) fn block(index: impl Into<Value>, block: Value) -> Value {
    json!({"type": "content_block_start", "index": index.into(), "content_block": block})
}

pub(crate) fn text_block(index: u64) -> Value {
    block(index, json!({"type": "text", "text": ""}))
}

pub(crate) fn call_block(index: u64, id: &str) -> Value {
    block(index, json!({"type": "tool_use", "id": id, "name": "Bash", "input": {}}))
}

pub(crate) fn delta(index: impl Into<Value>, delta: Value) -> Value {
    json!({"type": "content_block_delta", "index": index.into(), "delta": delta})
}

pub(crate) fn text(index: u64, text: &str) -> Value {
    delta(index, json!({"type": "text_delta", "text": text}))
}

pub(crate) fn input(index: u64, partial: &str) -> Value {
    delta(index, json!({"type": "input_json_delta", "partial_json": partial}))
}

pub(crate) fn stop(index: impl Into<Value>) -> Value {
    json!({"type": "content_block_stop", "index": index.into()})
}

pub(crate) fn late(reason: &str, output_tokens: u64) -> Value {
    json!({"type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": null},
        "usage": {"output_tokens": output_tokens}})
}

pub(crate) fn end() -> Value {
    json!({"type": "message_stop"})
}

/// A whole reply: its start, these events, a reason to stop and its end.
pub(crate) fn reply(inside: &[Value]) -> Vec<Value> {
    [&[start()], inside, &[late("end_turn", 20), end()]].concat()
}
