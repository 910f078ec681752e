//! *Canonical* JSON is what the client hashes: keys sorted, no blanks, characters as they are.

use std::collections::BTreeMap;

use crate::json::{Json, JsonType, PathStep, Text, compact, locate, walked};

/// The member that says where a prompt is cached.
const CACHE_POINT: &str = "cache_control";

/// Whether cache points are part of what is hashed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CachePoints {
    Kept,
    Dropped,
}

/// The canonical text of JSON; `None` for what is no JSON, or nested too deeply.
pub(super) fn canonical(json: &str, points: CachePoints) -> Option<String> {
    if compact(json).depth > DEEPEST {
        return None;
    }
    let mut text = String::with_capacity(json.len());
    walked(json, |value| push(&mut text, value, points))?;
    Some(text)
}

/// How deep a value may be nested. No request is so deep.
const DEEPEST: usize = 256;

fn push(text: &mut String, value: Json<'_>, points: CachePoints) {
    match value.json_type() {
        JsonType::Array => {
            text.push('[');
            for (index, element) in value.elements().into_iter().flatten().enumerate() {
                text.push_str(if index > 0 { "," } else { "" });
                push(text, element, points);
            }
            text.push(']');
        }
        JsonType::Object => push_object(text, value, points),
        JsonType::String => text.push_str(&value.text().unwrap_or_default().to_token()),
        _ => text.push_str(value.get()),
    }
}

fn push_object(text: &mut String, value: Json<'_>, points: CachePoints) {
    // Of a repeated key the last one counts.
    let mut members: BTreeMap<String, Json<'_>> = BTreeMap::new();
    for (name, value) in value.members().into_iter().flatten() {
        members.insert(Text::from(name).as_str().to_owned(), value);
    }
    if points == CachePoints::Dropped {
        members.remove(CACHE_POINT);
    }
    text.push('{');
    for (index, (name, value)) in members.into_iter().enumerate() {
        text.push_str(if index > 0 { "," } else { "" });
        text.push_str(&Text::from(&*name).to_token());
        text.push(':');
        push(text, value, points);
    }
    text.push('}');
}

/// The canonical text of a turn, whose content is a list even where it is a text alone; `None` for what is no turn.
pub(super) fn turn(json: &str) -> Option<String> {
    canonical(json, CachePoints::Dropped).map(|text| with_list(&text))
}

/// A turn with a list for a content that is a text alone.
pub(super) fn with_list(turn: &str) -> String {
    let content = locate(turn.as_bytes(), &[PathStep::Member("content")]);
    let Some(content) = content.filter(|span| span.of(turn.as_bytes()).starts_with(b"\"")) else {
        return turn.to_owned();
    };
    let (start, end) = (content.start as usize, content.end as usize);
    format!("{}[{}]{}", &turn[..start], text_block(&turn[start..end]), &turn[end..])
}

/// A block of text, whose text is given as a token.
pub(super) fn text_block(token: &str) -> String {
    format!(r#"{{"text":{token},"type":"text"}}"#)
}
