//! A *value* is plain JSON; here is what messages and blocks contain, whatever their JSON is.

pub(crate) use turnproof_format::is_blank;

use crate::json::Value;

/// A member that is a string.
pub(crate) fn text<'a>(object: &'a Value, name: &str) -> Option<&'a str> {
    object.get(name)?.as_str()
}

/// The elements of a member that is a list; empty for any other member.
pub(crate) fn list<'a>(object: &'a Value, name: &str) -> &'a [Value] {
    object.get(name).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// Whether a member is `true`.
pub(crate) fn is_true(object: &Value, name: &str) -> bool {
    object.get(name) == Some(&Value::Bool(true))
}

/// The `type` of a message or block; empty when it has none.
pub(crate) fn kind(object: &Value) -> &str {
    text(object, "type").unwrap_or_default()
}

pub(crate) fn uuid(message: &Value) -> Option<&str> {
    text(message, "uuid")
}

/// The uuid of the message that a tombstone withdraws.
pub(crate) fn withdrawn_by(tombstone: &Value) -> Option<&str> {
    uuid(tombstone.get("message")?)
}

/// The content of a user or assistant message.
pub(crate) fn content(message: &Value) -> Option<&Value> {
    message.get("message")?.get("content")
}

/// The content blocks of a user or assistant message; empty when the content is no list.
pub(crate) fn blocks(message: &Value) -> &[Value] {
    message.get("message").map_or(&[], |body| list(body, "content"))
}

/// The id that the lines of one reply share.
pub(crate) fn reply_id(message: &Value) -> Option<&str> {
    text(message.get("message")?, "id").filter(|id| kind(message) == "assistant" && !id.is_empty())
}

/// The text of a text block.
pub(crate) fn text_of(block: &Value) -> Option<&str> {
    text(block, "text").filter(|_| kind(block) == "text")
}

/// The id of a call; `None` for any other block.
pub(crate) fn call_of(block: &Value) -> Option<&str> {
    text(block, "id").filter(|_| kind(block) == "tool_use")
}

/// The id of the call that a result answers; `None` for any other block.
pub(crate) fn result_of(block: &Value) -> Option<&str> {
    text(block, "tool_use_id").filter(|_| kind(block) == "tool_result")
}
