//! From messages to what a UI shows, through the public interface: split, reordered, folded, and measured in tokens.

mod bridging;
mod estimating;
mod folding;
mod generated;
mod ids;
mod properties;
mod reordering;
mod splitting;
mod subject;

use serde_json::{Value, json};
use turnproof_reference::message::Message;

/// The messages of a JSON array.
fn list(messages: Value) -> Vec<Message> {
    serde_json::from_str(&messages.to_string()).expect("an array of messages")
}

/// The messages as JSON.
fn shown(messages: &[Message]) -> Value {
    let json = serde_json::to_string(messages).expect("messages are written");
    serde_json::from_str(&json).expect("JSON")
}

/// The ids of the messages; `-` for a message without an id.
fn uuids(messages: &[Message]) -> Vec<&str> {
    messages.iter().map(|message| message.uuid().unwrap_or("-")).collect()
}

/// A call of the reply `msg_1` and the tool `Bash`.
fn call(uuid: &str, id: &str) -> Value {
    call_of(uuid, id, "msg_1", "Bash")
}

fn call_of(uuid: &str, id: &str, reply: &str, tool: &str) -> Value {
    let block = json!({"type": "tool_use", "id": id, "name": tool, "input": {}});
    json!({"type": "assistant", "uuid": uuid, "message": {"id": reply, "content": [block]}})
}

fn result(uuid: &str, id: &str) -> Value {
    let block = json!({"type": "tool_result", "tool_use_id": id, "content": "done"});
    json!({"type": "user", "uuid": uuid, "message": {"role": "user", "content": [block]}})
}

fn text(uuid: &str, text: &str) -> Value {
    json!({"type": "user", "uuid": uuid, "message": {"role": "user", "content": text}})
}

/// A hook of the call, as an attachment.
fn hook(uuid: &str, id: &str, event: &str) -> Value {
    let body = json!({"type": "hook_success", "toolUseID": id, "hookEvent": event});
    json!({"type": "attachment", "uuid": uuid, "attachment": body})
}
