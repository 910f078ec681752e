//! *Parts* are what a message is split into for the UI: a message for each block, or the message
//! itself where it has no blocks to split.

use serde_json::{Value, json};

use super::plain::{is_spoken, kind, uuid};

/// What a message becomes.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// What is compared: a message without what the split may change, and its block; or the whole
    /// message.
    pub(super) content: (Value, Option<Value>),
    /// The id that it must have; none where the message has none.
    pub(super) uuid: Option<String>,
    /// Whether the message's own id is kept.
    pub(super) is_kept: bool,
    /// The pasted image that it must name, if it is an image and there is one; for users only.
    pub(super) paste_id: Option<Value>,
    /// Whether it is a part of a user or assistant message.
    pub(super) is_spoken: bool,
}

/// The parts that messages must become, in order.
pub(super) fn parts(messages: &[Value]) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut is_split = false;
    for message in messages {
        if !is_spoken(message) {
            parts.push(whole(message));
            continue;
        }
        let blocks = blocks(message);
        is_split = is_split || blocks.len() > 1;
        let mut paste_ids = message.get("imagePasteIds").and_then(Value::as_array).into_iter().flatten();
        for (index, block) in blocks.into_iter().enumerate() {
            let paste_id = if is_image(&block) { paste_ids.next() } else { None };
            parts.push(Part {
                uuid: uuid(message).map(|own| if is_split { derived(own, index) } else { own.to_owned() }),
                is_kept: !is_split,
                paste_id: paste_id.filter(|_| kind(message) == "user").cloned(),
                content: (without_block(message), Some(block)),
                is_spoken: true,
            });
        }
    }
    parts
}

/// The content of what a subject gave, in the terms of [`Part::content`]: every block, however many
/// a message of the output has.
pub(super) fn contents(output: &[Value]) -> Vec<(Value, Option<Value>)> {
    let mut contents = Vec::new();
    for message in output {
        if is_spoken(message) {
            let rest = without_block(message);
            contents.extend(blocks(message).into_iter().map(|block| (rest.clone(), Some(block))));
        } else {
            contents.push((message.clone(), None));
        }
    }
    contents
}

fn whole(message: &Value) -> Part {
    Part {
        content: (message.clone(), None),
        uuid: uuid(message).map(str::to_owned),
        is_kept: true,
        paste_id: None,
        is_spoken: false,
    }
}

/// A message's blocks; a string is one text block.
pub(super) fn blocks(message: &Value) -> Vec<Value> {
    match message.get("message").and_then(|body| body.get("content")) {
        Some(Value::String(text)) => vec![json!({"type": "text", "text": text})],
        Some(Value::Array(blocks)) => blocks.clone(),
        _ => Vec::new(),
    }
}

fn is_image(block: &Value) -> bool {
    kind(block) == "image"
}

/// The message without what differs between its parts.
fn without_block(message: &Value) -> Value {
    let mut rest = message.clone();
    if let Some(members) = rest.as_object_mut() {
        members.remove("uuid");
        members.remove("imagePasteIds");
        if let Some(body) = members.get_mut("message").and_then(Value::as_object_mut) {
            body.remove("content");
        }
    }
    rest
}

/// A part's id: the first 24 characters of its message's own, and the index of the block.
fn derived(own: &str, index: usize) -> String {
    let head: String = own.chars().take(24).collect();
    format!("{head}{index:012x}")
}
