//! An *event* of the input, read as plain JSON: its place, its flags and its content.

use serde_json::Value;

use super::block::{kind, string};

/// An event and its place in the input.
pub(super) type Placed<'a> = (usize, &'a Value);

/// Whether a member is there and true.
pub(super) fn is_true(event: &Value, name: &str) -> bool {
    event.get(name) == Some(&Value::Bool(true))
}

/// The content of a user or assistant message.
pub(super) fn content(event: &Value) -> Option<&Value> {
    event.get("message")?.get("content")
}

/// The content blocks of a user or assistant message; none when the content is not a list.
pub(super) fn content_list(event: &Value) -> &[Value] {
    content(event).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// The id that the lines of one reply share.
pub(super) fn reply_id(event: &Value) -> Option<&str> {
    string(event.get("message")?, "id").filter(|id| kind(event) == "assistant" && !id.is_empty())
}
