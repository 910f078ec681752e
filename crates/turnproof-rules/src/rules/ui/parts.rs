//! *Parts* are what a message is split into for the UI: a message for each block, or the message itself if it has no
//! blocks to split.

use std::borrow::Cow;

use crate::json;
use crate::json::Value;

use super::plain::is_spoken;
use crate::rules::alike::{self, alike, alike_members, canonical};
use crate::rules::value::{content, kind, list, uuid};

#[derive(Clone, Debug)]
pub(super) struct Part<'a> {
    pub(super) content: Content<'a>,
    /// The id that it must have; `None` when the message has none.
    pub(super) uuid: Option<Cow<'a, str>>,
    /// Whether the message's own id is kept.
    pub(super) is_kept: bool,
    /// The pasted image that it must name, if it is an image and there is one; for users only.
    pub(super) paste_id: Option<&'a Value>,
    /// Whether it is a part of a user or assistant message.
    pub(super) is_spoken: bool,
}

/// What of a message is compared: a block, and the message without what the split may change; or the whole message, if
/// it has no blocks to split.
#[derive(Clone, Debug)]
pub(super) struct Content<'a> {
    message: &'a Value,
    block: Option<Cow<'a, Value>>,
}

impl Content<'_> {
    fn is(&self, other: &Self) -> bool {
        match (&self.block, &other.block) {
            (Some(block), Some(other_block)) => {
                alike(block, other_block) && is_same_but_block(self.message, other.message)
            }
            (None, None) => alike(self.message, other.message),
            _ => false,
        }
    }

    /// The block, if it is one, and the rest of its message, in canonical form.
    pub(super) fn in_full(&self) -> (Option<Value>, Value) {
        match &self.block {
            Some(block) => (Some(canonical(block)), without_block(self.message)),
            None => (None, canonical(self.message)),
        }
    }
}

/// The parts that messages must become, in order.
pub(super) fn parts<'a>(messages: &[&'a Value]) -> Vec<Part<'a>> {
    let mut parts = Vec::new();
    let mut is_split = false;
    for &message in messages {
        if !is_spoken(message) {
            let content = Content { message, block: None };
            let uuid = uuid(message).map(Cow::from);
            parts.push(Part { content, uuid, is_kept: true, paste_id: None, is_spoken: false });
            continue;
        }
        let blocks = blocks(message);
        is_split = is_split || blocks.len() > 1;
        let mut paste_ids = list(message, "imagePasteIds").iter();
        for (index, block) in blocks.into_iter().enumerate() {
            let paste_id = if kind(&block) == "image" { paste_ids.next() } else { None };
            parts.push(Part {
                uuid: uuid(message).map(|own| if is_split { derived(own, index).into() } else { own.into() }),
                is_kept: !is_split,
                paste_id: paste_id.filter(|_| kind(message) == "user"),
                content: Content { message, block: Some(block) },
                is_spoken: true,
            });
        }
    }
    parts
}

/// The content of what a subject gave, in the terms of [`Part::content`]: every block, however many a message of the
/// output has.
pub(super) fn contents(output: &[Value]) -> Vec<Content<'_>> {
    let mut contents = Vec::new();
    for message in output {
        if is_spoken(message) {
            contents.extend(blocks(message).into_iter().map(|block| Content { message, block: Some(block) }));
        } else {
            contents.push(Content { message, block: None });
        }
    }
    contents
}

/// The first place where the output is not what the messages hold.
pub(super) fn difference(parts: &[Part<'_>], output: &[Value]) -> Option<usize> {
    let expected: Vec<&Content<'_>> = parts.iter().map(|part| &part.content).collect();
    let found = contents(output);
    alike::difference(&expected, &found.iter().collect::<Vec<_>>(), |expected, found| expected.is(found))
}

/// A message's blocks; a string is one text block.
fn blocks(message: &Value) -> Vec<Cow<'_, Value>> {
    match content(message) {
        Some(Value::String(text)) => vec![Cow::Owned(json!({"type": "text", "text": text}))],
        Some(Value::Array(blocks)) => blocks.iter().map(Cow::Borrowed).collect(),
        _ => Vec::new(),
    }
}

/// Whether a message has blocks; a string is one.
pub(super) fn has_blocks(message: &Value) -> bool {
    match content(message) {
        Some(Value::String(_)) => true,
        Some(Value::Array(blocks)) => !blocks.is_empty(),
        _ => false,
    }
}

/// The members of a message that differ between its parts, beside the content.
const OF_PART: [&str; 2] = ["uuid", "imagePasteIds"];

/// Whether two messages are the same without what differs between parts.
fn is_same_but_block(one: &Value, other: &Value) -> bool {
    let (Some(one), Some(other)) = (one.as_object(), other.as_object()) else { return alike(one, other) };
    let is_same = |name: &str, one: &Value, other: &Value| match (name, one, other) {
        ("message", Value::Object(one), Value::Object(other)) => {
            alike_members(one, other, |name, _| name != "content", |_, one, other| alike(one, other))
        }
        _ => alike(one, other),
    };
    alike_members(one, other, |name, _| !OF_PART.contains(&name), is_same)
}

/// The message in canonical form, without what differs between its parts.
fn without_block(message: &Value) -> Value {
    let mut rest = canonical(message);
    if let Some(members) = rest.as_object_mut() {
        for name in OF_PART {
            members.remove(name);
        }
        if let Some(body) = members.get_mut("message").and_then(Value::as_object_mut) {
            body.remove("content");
        }
    }
    rest
}

/// A part's id: the first 24 characters of its message's own, and the index of the block.
fn derived(own: &str, index: usize) -> String {
    format!("{}{index:012x}", head(own))
}

/// The first 24 characters of an id.
pub(super) fn head(id: &str) -> &str {
    id.char_indices().nth(24).map_or(id, |(end, _)| id.get(..end).unwrap_or(id))
}
