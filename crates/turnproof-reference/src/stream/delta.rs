//! A *delta* is what one event adds to an open block. As from events, its *members* are taken out of an object one by
//! one; what stays is unknown and kept.

use crate::json::{FieldError, Fields, Raw, Text};
use crate::message::{Maybe, Typed};

/// What is added to an open block. A delta of an unknown type is carried, and changes nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Delta {
    /// `text_delta`: continues the text of a `text` block.
    Text(Text),
    /// `input_json_delta`: continues the input of a call, as JSON text.
    InputJson(Text),
    /// `citations_delta`: one more source that a `text` block cites.
    Citation(Raw),
    /// `thinking_delta`: continues the reasoning of a `thinking` block.
    Thinking(Text),
    /// `signature_delta`: the signature of a `thinking` block, whole.
    Signature(Text),
    /// `compaction_delta`: the content of a `compaction` block, whole.
    Compaction {
        /// The summary.
        content: Maybe<Raw>,
        /// The summary as only the API can read it.
        encrypted_content: Maybe<Raw>,
    },
    /// A type that is not known; empty when there is none.
    Unknown(Text),
}

impl Delta {
    /// The delta's `type`; the empty string when it has none.
    pub fn type_name(&self) -> &str {
        match self {
            Self::Text(_) => "text_delta",
            Self::InputJson(_) => "input_json_delta",
            Self::Citation(_) => "citations_delta",
            Self::Thinking(_) => "thinking_delta",
            Self::Signature(_) => "signature_delta",
            Self::Compaction { .. } => "compaction_delta",
            Self::Unknown(name) => name,
        }
    }

    /// Takes what is known out of a delta's members.
    pub(super) fn take_from(fields: &mut Fields) -> Result<Self, FieldError> {
        let name = type_name(fields)?.unwrap_or_default();
        let delta = match name.as_str() {
            "text_delta" => Self::Text(needed(fields, "text")?),
            "input_json_delta" => Self::InputJson(needed(fields, "partial_json")?),
            "citations_delta" => Self::Citation(needed(fields, "citation")?),
            "thinking_delta" => Self::Thinking(needed(fields, "thinking")?),
            "signature_delta" => Self::Signature(needed(fields, "signature")?),
            "compaction_delta" => Self::Compaction {
                content: optional(fields, "content"),
                encrypted_content: optional(fields, "encrypted_content"),
            },
            _ => return Ok(Self::Unknown(name)),
        };
        fields.take("type");
        Ok(delta)
    }

    /// Sets the members that are known.
    pub(super) fn write_into(&self, fields: &mut Fields) {
        // All members of an unknown delta are among the unknown ones.
        if !matches!(self, Self::Unknown(_)) {
            fields.set("type", Raw::from(self.type_name()));
        }
        match self {
            Self::Text(text) => fields.set("text", text.write()),
            Self::InputJson(text) => fields.set("partial_json", text.write()),
            Self::Citation(citation) => fields.set("citation", citation.clone()),
            Self::Thinking(text) => fields.set("thinking", text.write()),
            Self::Signature(text) => fields.set("signature", text.write()),
            Self::Compaction { content, encrypted_content } => {
                put(fields, "content", content);
                put(fields, "encrypted_content", encrypted_content);
            }
            Self::Unknown(_) => {}
        }
    }
}

/// Takes a member that has to be there.
pub(super) fn needed<T: Typed>(fields: &mut Fields, name: &str) -> Result<T, FieldError> {
    let raw = fields.take(name).ok_or_else(|| FieldError {
        path: name.to_owned(),
        expected: T::SHAPE.expected().into(),
        found: "absent",
        shown: "the event has no such member".to_owned(),
    })?;
    T::read(&raw).map_err(|error| error.within(name))
}

/// Takes a member that may be absent or null, or of another type.
pub(super) fn optional<T: Typed>(fields: &mut Fields, name: &str) -> Maybe<T> {
    fields.take(name).map_or(Maybe::Absent, |raw| Maybe::read(&raw))
}

/// The `type` of an event or a delta; `None` when it is absent or null. Without it nobody knows what is meant, so
/// another type is an error.
pub(super) fn type_name(fields: &Fields) -> Result<Option<Text>, FieldError> {
    let name = Maybe::<Text>::of(fields, "type");
    name.misfit("type").map_or_else(|| Ok(name.get().cloned()), Err)
}

/// Sets a member, unless it is absent.
pub(super) fn put<T: Typed>(fields: &mut Fields, name: &str, value: &Maybe<T>) {
    match value {
        Maybe::Absent => {}
        Maybe::Null => fields.set(name, Raw::null()),
        Maybe::Is(value) => fields.set(name, value.write()),
        Maybe::Misfit(raw) => fields.set(name, (**raw).clone()),
    }
}
