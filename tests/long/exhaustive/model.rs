//! The *model* itself, tested by hand step by step, so that it can be trusted.

mod blocks;
mod events;
mod tools;
mod turns;

use serde_json::{Value, json};

/// A message of a kind with one text.
fn message(kind: &str, text: &str) -> Value {
    json!({"type": kind, "message": {"role": kind, "content": [{"type": "text", "text": text}]}})
}

fn user(text: &str) -> Value {
    message("user", text)
}

fn assistant(text: &str) -> Value {
    message("assistant", text)
}

fn text(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

fn call(id: &str) -> Value {
    json!({"type": "tool_use", "id": id, "name": "A", "input": {}})
}

fn result(id: &str, content: &str) -> Value {
    json!({"type": "tool_result", "tool_use_id": id, "content": content})
}

fn placeholder(id: &str) -> Value {
    json!({
        "type": "tool_result",
        "tool_use_id": id,
        "content": "[Tool result missing due to internal error]",
        "is_error": true,
    })
}

/// An event with a flag set.
fn with(mut event: Value, member: &str, value: impl Into<Value>) -> Value {
    event[member] = value.into();
    event
}
