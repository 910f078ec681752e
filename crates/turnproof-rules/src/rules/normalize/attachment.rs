//! An *attachment* brings context beside the conversation; here is what of it a request must hold, and what not.
//!
//! Which members that is, the table of [`attachments`](turnproof_format::attachments) says.

use turnproof_format::attachments::{A_TEXT, Attachment, EVERYTHING, MEDIUM_OF, attachment as row};

use crate::json;
use crate::json::Value;

use super::block::text_block;
use crate::rules::value::{is_blank, is_true, kind, text, text_of};

/// What the text of one attachment must say, and what it must not.
#[derive(Clone, Debug)]
pub(super) struct AttachmentText {
    /// Which event, from 0.
    pub message: usize,
    /// The type of the attachment.
    pub kind: String,
    pub stance: Stance,
    /// The texts that it must hold, word for word.
    pub said: Vec<String>,
    /// The texts that must not.
    pub never: Vec<String>,
    /// Whether it is the user's own, which need not be wrapped.
    pub is_own: bool,
}

/// Whether there must be a text of an attachment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stance {
    Asked,
    Free,
    Never,
}

/// What a request has of an attachment.
#[derive(Clone, Debug)]
pub(super) enum Piece {
    /// A text, in whatever words.
    Text(AttachmentText),
    /// A block as it is.
    Block(Value),
}

/// What a request has of an attachment, in order.
pub(super) fn pieces(message: usize, event: &Value) -> Vec<Piece> {
    if let Some(Value::Array(parts)) = event.get("rendered") {
        return parts.iter().filter_map(|part| part.get("content")).flat_map(written).map(Piece::Block).collect();
    }
    let Some(body) = event.get("attachment") else { return Vec::new() };
    let Some(kind) = text(body, "type") else { return Vec::new() };
    let Some(row) = row(kind, text(body, "hookEvent").unwrap_or_default()) else {
        return vec![Piece::Text(attachment_text(message, body, Stance::Free))];
    };
    if let ("queued_command", Some(Value::Array(prompt))) = (kind, body.get("prompt")) {
        return prompt.iter().filter(|block| block.is_object()).map(|block| queued(message, body, block)).collect();
    }
    let mut texts = Vec::new();
    let mut media = Vec::new();
    for entry in row.told {
        match entry.strip_prefix(MEDIUM_OF) {
            Some(path) => media.extend(at(body, path).into_iter().filter_map(medium)),
            None => texts.extend(at(body, entry).into_iter().flat_map(said)),
        }
    }
    let is_asked = !texts.is_empty() || row.told.contains(&A_TEXT);
    let stance = match is_asked {
        true => Stance::Asked,
        false if row.never == [EVERYTHING] => Stance::Never,
        false => Stance::Free,
    };
    let attachment_text =
        AttachmentText { said: texts, never: never(body, row), ..attachment_text(message, body, stance) };
    [Piece::Text(attachment_text)].into_iter().chain(media.into_iter().map(Piece::Block)).collect()
}

/// The blocks that were sent for an attachment, as the session holds them. Blank texts say nothing.
fn written(content: &Value) -> Vec<Value> {
    let blocks = match content {
        Value::String(text) => vec![text_block(text)],
        Value::Array(blocks) => blocks.iter().filter(|block| block.is_object()).cloned().collect(),
        _ => Vec::new(),
    };
    blocks.into_iter().filter(|block| text_of(block).is_none_or(|text| !is_blank(text))).collect()
}

/// A block of a prompt that waited.
fn queued(message: usize, body: &Value, block: &Value) -> Piece {
    match text_of(block).filter(|words| !is_blank(words)) {
        Some(words) => Piece::Text(AttachmentText {
            said: vec![words.to_owned()],
            ..attachment_text(message, body, Stance::Asked)
        }),
        None => Piece::Block(block.clone()),
    }
}

fn attachment_text(message: usize, body: &Value, stance: Stance) -> AttachmentText {
    let kind = kind(body).to_owned();
    let is_own = kind == "queued_command" && is_typed(body);
    AttachmentText { message, kind, stance, said: Vec::new(), never: Vec::new(), is_own }
}

/// Whether the user typed a prompt that waited.
fn is_typed(body: &Value) -> bool {
    let origin = body.get("origin").and_then(|origin| text(origin, "kind"));
    let is_prompt = text(body, "commandMode").is_none_or(|mode| mode == "prompt");
    is_prompt && origin.is_none_or(|kind| kind == "human") && !is_true(body, "isMeta")
}

/// The values at a path; nothing where it leads nowhere.
fn at<'a>(value: &'a Value, path: &str) -> Vec<&'a Value> {
    path.split('.').fold(vec![value], |values, step| {
        let name = step.trim_end_matches("[]");
        let members = values.into_iter().filter_map(|value| value.get(name));
        match name == step {
            true => members.collect(),
            false => members.filter_map(Value::as_array).flatten().collect(),
        }
    })
}

/// What a value says: a text that is not blank, a whole number, or those of a list.
fn said(value: &Value) -> Vec<String> {
    let one = |value: &Value| match value {
        Value::String(text) => Some(text.to_string()).filter(|text| !is_blank(text)),
        Value::Number(number) if number.is_i64() || number.is_u64() => Some(number.to_string()),
        _ => None,
    };
    match value {
        Value::Array(elements) => elements.iter().filter_map(one).collect(),
        value => one(value).into_iter().collect(),
    }
}

/// The image or the document that an object holds.
fn medium(value: &Value) -> Option<Value> {
    let inner = value.get("file").filter(|file| file.is_object()).unwrap_or(value);
    let first = |names: &[&str]| names.iter().find_map(|name| text(inner, name)).filter(|text| !is_blank(text));
    let data = first(&["base64", "blob", "image_data"])?;
    let media_type = match kind(value) {
        "pdf" => "application/pdf",
        _ => first(&["type", "mimeType", "media_type"])?,
    };
    let block = match media_type {
        "application/pdf" => "document",
        other if other.starts_with("image/") => "image",
        _ => return None,
    };
    Some(json!({"type": block, "source": {"type": "base64", "media_type": media_type, "data": data}}))
}

/// Shorter texts may be anywhere by accident.
const TELLTALE: usize = 8;

/// The texts that must not be sent, but for those that stand in the rest of the attachment too.
fn never(body: &Value, row: &Attachment) -> Vec<String> {
    let is_all = row.never == [EVERYTHING];
    let mut kept_back: Vec<&str> = match is_all {
        true => strings(body),
        false => row.never.iter().flat_map(|path| at(body, path)).flat_map(strings).collect(),
    };
    kept_back.retain(|text| text.trim().chars().count() >= TELLTALE);
    let mut rest = strings(body);
    for text in kept_back.iter().filter(|_| !is_all) {
        if let Some(place) = rest.iter().position(|other| other == text) {
            rest.swap_remove(place);
        }
    }
    let is_judged = |text: &&str| is_all || !rest.iter().any(|other| other.contains(text.trim()));
    let judged = kept_back.into_iter().filter(is_judged).map(|text| text.trim().to_owned());
    judged.filter(|text| text != kind(body)).collect()
}

/// All strings in a value.
fn strings(value: &Value) -> Vec<&str> {
    match value {
        Value::String(text) => vec![text],
        Value::Array(elements) => elements.iter().flat_map(strings).collect(),
        Value::Object(members) => members.values().flat_map(strings).collect(),
        _ => Vec::new(),
    }
}
