//! *Content*: blocks that a request may carry, each call with its result, nothing empty.

mod beside;
mod blocks;
mod calls_last;
mod free;
mod media;
mod pairs;
mod placeholders;
mod silent;
mod tools;

use super::Way;
use super::edit;
use super::file::File;
use crate::message::Context;
use crate::message::constants::NO_CONTENT;

pub use silent::without_content;

pub(super) fn fix(file: &mut File, context: &mut dyn Context, way: Way) {
    let before = file.changes.len();
    if !way.keeps_placeholders {
        placeholders::fix(file);
    }
    if file.changes.len() > before {
        return;
    }
    blocks::fix(file);
    if file.changes.len() == before {
        calls_last::fix(file);
    }
    if file.changes.len() == before {
        pairs::fix(file, context);
    }
    if file.changes.len() == before {
        tools::fix(file, way.drops);
    }
}

/// What becomes of one element of a record's content.
struct BlockEdit {
    row: usize,
    element: usize,
    /// Its JSON; `None` when it is dropped.
    new: Option<String>,
    rule: &'static str,
    what: String,
}

/// Edits elements of contents. What loses all of them is looked at in the next round.
fn apply(file: &mut File, mut edits: Vec<BlockEdit>) {
    // From the last element to the first, so that places stay right.
    edits.sort_by_key(|edit| std::cmp::Reverse((edit.row, edit.element)));
    edits.dedup_by_key(|edit| (edit.row, edit.element));
    for BlockEdit { row, element, new, rule, what } in edits {
        let bytes = &file.rows[row].bytes;
        let Some(content) = edit::of_message(bytes, "content") else { continue };
        let elements = edit::elements(&bytes[content.clone()]).unwrap_or_default();
        let Some(place) = elements.get(element) else { continue };
        let place = content.start + place.start..content.start + place.end;
        match new {
            Some(new) => file.edit(row, place, new.as_bytes(), rule, what),
            None => file.take(row, place, rule, what),
        }
    }
}

/// Gives a message the content that says that there is none.
fn say_nothing(file: &mut File, row: usize) {
    const RULE: &str = "message/content-not-empty";
    let bytes = &file.rows[row].bytes;
    let is_reply = edit::is_type(bytes, "assistant");
    let content = match is_reply {
        true => format!(r#"[{{"type":"text","text":"{NO_CONTENT}"}}]"#),
        false => format!("\"{NO_CONTENT}\""),
    };
    let what = format!("it says `{NO_CONTENT}`, for want of anything else");
    if let Some(old) = edit::of_message(bytes, "content") {
        return file.edit(row, old, content.as_bytes(), RULE, what);
    }
    match edit::member(bytes, "message").filter(|range| bytes[range.start] == b'{') {
        Some(message) => {
            let new = edit::with_member(&bytes[message.clone()], "content", content.as_bytes());
            file.edit(row, message, &new, RULE, what);
        }
        None => {
            let role = if is_reply { "assistant" } else { "user" };
            let message = format!(r#"{{"role":"{role}","content":{content}}}"#);
            file.set(row, "message", message.as_bytes(), RULE, what);
        }
    }
}
