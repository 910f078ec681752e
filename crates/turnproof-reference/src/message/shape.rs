//! The *shape* of a field is the JSON type that is agreed on, and those inside (SPEC.md sections 2.4 and 2.5).

use crate::json::JsonType;

/// Which JSON values a field may hold. `null` is allowed everywhere.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// Any value.
    Any,
    /// A string.
    Text,
    /// `true` or `false`.
    Flag,
    /// A number.
    Number,
    /// An array of values of one shape.
    List(&'static Shape),
    /// An object with these known members, and any others.
    Object(&'static [Member]),
    /// The content of a user or assistant message: a string, or an array of content blocks.
    Content,
}

impl Shape {
    /// Whether a value of this JSON type can have the shape, its inside not yet looked at.
    pub fn accepts(self, found: JsonType) -> bool {
        match self {
            _ if found == JsonType::Null => true,
            Self::Any => true,
            Self::Text => found == JsonType::String,
            Self::Flag => found == JsonType::Bool,
            Self::Number => found == JsonType::Number,
            Self::List(_) => found == JsonType::Array,
            Self::Object(_) => found == JsonType::Object,
            Self::Content => matches!(found, JsonType::String | JsonType::Array),
        }
    }

    /// The shape in words, with its article.
    pub fn expected(self) -> &'static str {
        match self {
            Self::Any => "any value",
            Self::Text => "a string",
            Self::Flag => "true or false",
            Self::Number => "a number",
            Self::List(_) => "an array",
            Self::Object(_) => "an object",
            Self::Content => "a string or an array of content blocks",
        }
    }
}

/// A known member of a document: its JSON name and its shape.
#[derive(Clone, Copy, Debug)]
pub struct Member {
    /// The name in JSON.
    pub name: &'static str,
    /// The values that it may hold.
    pub shape: Shape,
}
