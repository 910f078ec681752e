//! A *part* says what a message of a UI was made of: a message, and which of its blocks.

use turnproof_reference::message::id::derive_uuid;
use turnproof_rules::operation::Value;

use super::walk::{blocks, content, kind, remove, text};
use super::wrong::Asked;

/// What a message of the UI was made of.
pub(super) struct Part<'a> {
    /// The message.
    pub whole: &'a Value,
    /// Which of its blocks.
    pub index: u64,
    /// How many blocks it has.
    pub count: usize,
    /// Whether this or an earlier message of the same list was split.
    pub is_derived: bool,
    /// Which of the message's images it is.
    pub image: Option<usize>,
}

impl<'a> Part<'a> {
    pub(super) fn own(&self) -> Option<Value> {
        self.whole.get("uuid").cloned()
    }

    /// The id that is derived from the message's own with this index.
    pub(super) fn derived(&self, index: u64) -> Option<Value> {
        let own = self.whole.get("uuid")?.as_str()?;
        derive_uuid(own, index).ok().map(Value::from)
    }

    /// The block; `None` for string content.
    pub(super) fn block(&self) -> Option<&'a Value> {
        blocks(self.whole).get(self.index as usize)
    }
}

/// What each of the UI's messages is a part of, in the order in which the reference gives them.
pub(super) fn parted<'a>(asked: &Asked<'a>) -> Vec<Part<'a>> {
    let mut parts = Vec::new();
    let mut is_derived = false;
    for whole in asked.messages.iter().filter(|message| !passes(message)) {
        if !is_spoken(whole) {
            parts.push(Part { whole, index: 0, count: 1, is_derived: false, image: None });
            continue;
        }
        let count = count(whole);
        is_derived |= count > 1;
        let mut images = 0..;
        for index in 0..count {
            let is_image = blocks(whole).get(index).is_some_and(|block| kind(block) == "image");
            let image = if is_image { images.next() } else { None };
            parts.push(Part { whole, index: index as u64, count, is_derived, image });
        }
    }
    parts
}

/// Drops the UI's messages for which `stays` does not hold.
pub(super) fn keep(asked: &Asked<'_>, shown: &mut Vec<Value>, stays: fn(&Part<'_>) -> bool) {
    let mut kept = parted(asked).into_iter().map(|part| stays(&part));
    shown.retain(|_| kept.next().unwrap_or(true));
}

/// Whether this is an event that passes by, which a UI does not get as a message.
pub(super) fn passes(message: &Value) -> bool {
    matches!(kind(message), "tombstone" | "tool_use_summary" | "stream_event" | "stream_request_start")
}

/// Whether this is a prompt or a reply.
pub(super) fn is_spoken(message: &Value) -> bool {
    matches!(kind(message), "user" | "assistant")
}

/// How many blocks a message has; a string is one.
pub(super) fn count(message: &Value) -> usize {
    if content(message).is_string() { 1 } else { blocks(message).len() }
}

/// Gives a message an id, or takes it away.
pub(super) fn name(message: &mut Value, id: Option<Value>) {
    match id {
        Some(id) => message["uuid"] = id,
        None => remove(message, "uuid"),
    }
}

/// The ids of a message's pasted images.
pub(super) fn ids(message: &Value) -> &[Value] {
    message.get("imagePasteIds").and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// Gives a part of a prompt the ids of pasted images that `give` chooses, given all ids and the number of the image.
pub(super) fn paste(part: &Part<'_>, message: &mut Value, give: impl FnOnce(&[Value], Option<usize>) -> Vec<Value>) {
    if text(part.whole, "type") == "user" && part.whole.get("imagePasteIds").is_some() {
        message["imagePasteIds"] = Value::Array(give(ids(part.whole), part.image));
    }
}
