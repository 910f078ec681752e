//! Events of a stream as JSON.

use serde_json::{Value, json};

pub fn start() -> Value {
    start_with(json!([]))
}

/// A start that has content already.
pub fn start_with(content: Value) -> Value {
    json!({"type": "message_start", "message": {
        "id": "msg_1", "type": "message", "role": "assistant", "model": "m1", "content": content,
        "stop_reason": null, "stop_sequence": null,
        "usage": {"input_tokens": 10, "output_tokens": 1, "cache_read_input_tokens": 3}}})
}

pub fn block(index: impl Into<Value>, block: Value) -> Value {
    json!({"type": "content_block_start", "index": index.into(), "content_block": block})
}

pub fn text_block(index: u64) -> Value {
    block(index, json!({"type": "text", "text": ""}))
}

pub fn call_block(index: u64, id: &str) -> Value {
    block(index, json!({"type": "tool_use", "id": id, "name": "Bash", "input": {}}))
}

pub fn delta(index: impl Into<Value>, delta: Value) -> Value {
    json!({"type": "content_block_delta", "index": index.into(), "delta": delta})
}

pub fn text(index: u64, text: &str) -> Value {
    delta(index, json!({"type": "text_delta", "text": text}))
}

pub fn input(index: u64, partial: &str) -> Value {
    delta(index, json!({"type": "input_json_delta", "partial_json": partial}))
}

pub fn stop(index: impl Into<Value>) -> Value {
    json!({"type": "content_block_stop", "index": index.into()})
}

pub fn late(reason: &str, output_tokens: u64) -> Value {
    json!({"type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": null},
        "usage": {"output_tokens": output_tokens}})
}

pub fn end() -> Value {
    json!({"type": "message_stop"})
}

/// A whole reply: its start, these events, a reason to stop and its end.
pub fn reply(inside: &[Value]) -> Vec<Value> {
    [&[start()], inside, &[late("end_turn", 20), end()]].concat()
}
