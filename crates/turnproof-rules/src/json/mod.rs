//! The oracle's own *JSON*: a [`Value`] as rules look at it, and a tree with every character as it was written.

mod object;
mod read;
pub(crate) mod tree;
mod value;
mod words;

pub use object::Object;
pub(crate) use tree::{Stop, Text, Tree, last_of_each_key, read, read_all};
pub use value::{Place, Value};
pub use words::Str;

/// Makes a [`Value`] of what looks like JSON: `json!({"type": "text", "text": text})`.
#[macro_export]
macro_rules! json {
    ($($json:tt)+) => {
        $crate::operation::Value::from($crate::operation::plain_json!($($json)+))
    };
}
