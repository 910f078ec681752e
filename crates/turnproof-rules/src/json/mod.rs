//! The oracle's own *JSON*: a [`Value`] as rules look at it, and a tree with every character as it was written.

mod known;
mod object;
mod quick;
mod read;
pub(crate) mod tree;
mod value;
mod words;

pub use object::Object;
pub(crate) use quick::{Unread, behind_text, elements, lines, read as read_quickly};
pub(crate) use tree::{Stop, Text, Tree, last_of_each_key, read, read_all};
pub use value::{Place, Value};
pub use words::Str;

/// Reads JSON text; fails as `serde_json` does.
pub(crate) fn value(json: &str) -> serde_json::Result<Value> {
    quick::read(json).or_else(|_| serde_json::from_str(json))
}

/// Reads JSON text from bytes; fails as `serde_json` does.
pub(crate) fn value_of_slice(json: &[u8]) -> serde_json::Result<Value> {
    std::str::from_utf8(json).map_or_else(|_| serde_json::from_slice(json), value)
}

/// Makes a [`Value`] of what looks like JSON: `json!({"type": "text", "text": text})`.
#[macro_export]
macro_rules! json {
    ($($json:tt)+) => {
        $crate::operation::Value::from($crate::operation::plain_json!($($json)+))
    };
}
