//! A *block* is one part of a message's content; here is what it must have to be sent, and what it looks like when it
//! is.

use std::borrow::Cow;

use serde_json::{Map, Value, json};

use crate::rules::alike::excerpt;
use crate::rules::value::{is_blank, kind, text, text_of};
use crate::vocabulary::SERVER_RESULTS;

/// Who speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Role {
    User,
    Assistant,
}

impl Role {
    /// The role as a request names it.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Assistant => "assistant",
        }
    }

    /// The role with this name.
    pub(super) fn named(name: &str) -> Option<Self> {
        [Self::User, Self::Assistant].into_iter().find(|role| role.name() == name)
    }
}

/// Whether this is a block of thinking, shown or redacted.
pub(super) fn is_thinking(block: &Value) -> bool {
    matches!(kind(block), "thinking" | "redacted_thinking")
}

/// Whether this is a call of a tool that the API runs itself.
pub(super) fn is_server_call(block: &Value) -> bool {
    matches!(kind(block), "server_tool_use" | "mcp_tool_use")
}

/// Whether this is the result of a tool that the API runs itself.
pub(super) fn is_server_result(block: &Value) -> bool {
    SERVER_RESULTS.contains(&kind(block))
}

/// A text block.
pub(super) fn text_block(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

/// Why this role cannot send a block; `None` when it can.
pub(super) fn why_unfit(role: Role, block: &Value) -> Option<&'static str> {
    let has_text = |name| text(block, name).is_some_and(|text| !text.is_empty());
    let has_string = |name| text(block, name).is_some();
    let fits_role = match kind(block) {
        "" => return Some("it has no type"),
        "tool_use" | "server_tool_use" | "mcp_tool_use" | "thinking" | "redacted_thinking" => role == Role::Assistant,
        "tool_result" | "image" | "document" => role == Role::User,
        _ => !is_server_result(block) || role == Role::Assistant,
    };
    if !fits_role {
        return Some("its role may not carry it");
    }
    let is_whole = match kind(block) {
        "text" => return text_of(block).is_none_or(is_blank).then_some("its text is blank or missing"),
        "tool_use" | "server_tool_use" | "mcp_tool_use" => has_string("id") && has_text("name"),
        "tool_result" => has_string("tool_use_id"),
        "thinking" => has_string("thinking") && has_text("signature"),
        "redacted_thinking" => has_text("data"),
        "image" | "document" => has_a_known_source(block),
        _ => !is_server_result(block) || has_string("tool_use_id"),
    };
    (!is_whole).then_some("it lacks what its type requires")
}

/// Whether a known member of a block is of another JSON type than is agreed on, so that it counts as missing. A block
/// goes without what its type requires; here are the others.
fn is_misfit(kind: &str, name: &str, value: &Value) -> bool {
    match (kind, name) {
        _ if value.is_null() => false,
        ("tool_result", "is_error") => !value.is_boolean(),
        ("image" | "document", "title" | "context") => !value.is_string(),
        _ => false,
    }
}

/// Whether an image or a document has a source, and a base64 one a media type that the API takes.
fn has_a_known_source(block: &Value) -> bool {
    let Some(source) = block.get("source").filter(|source| source.is_object()) else { return false };
    match (text(source, "type"), kind(block), text(source, "media_type")) {
        (Some("base64"), "image", media_type) => {
            matches!(media_type, Some("image/jpeg" | "image/png" | "image/gif" | "image/webp"))
        }
        (Some("base64"), _, media_type) => media_type == Some("application/pdf"),
        _ => true,
    }
}

/// A block as it is sent: without the client's own members and those of another type, a result's content without blank
/// texts, a call's input as an object. Both sides of a comparison are brought to this form. Other rules judge whether a request is in it.
pub(super) fn as_sent(block: Cow<'_, Value>) -> Cow<'_, Value> {
    if is_as_sent(&block) { block } else { Cow::Owned(canonical(&block)) }
}

/// Whether a block is in the form in which it is sent, as most are.
fn is_as_sent(block: &Value) -> bool {
    let Value::Object(members) = block else { return true };
    let is_whole = match (kind(block), members.get("content"), members.get("input")) {
        ("tool_result", Some(Value::Array(parts)), _) => {
            let is_clean = |part: &Value| part.as_object().is_none_or(has_no_own_members);
            !parts.is_empty() && parts.iter().all(|part| is_sent_in_result(part) && is_clean(part))
        }
        ("tool_result", content, _) => content.is_none_or(|content| !content.is_null()),
        ("tool_use", _, input) => input.is_some_and(Value::is_object),
        ("server_tool_use" | "mcp_tool_use", _, input) => input.is_some_and(|input| !input.is_null()),
        _ => true,
    };
    let is_fitting = |(name, value): (&String, &Value)| !is_misfit(kind(block), name, value);
    is_whole && has_no_own_members(members) && members.iter().all(is_fitting)
}

fn canonical(block: &Value) -> Value {
    let Value::Object(members) = block else { return block.clone() };
    let mut members = without_own_members(members);
    members.retain(|name, value| !is_misfit(kind(block), name, value));
    match kind(block) {
        "tool_result" => clean_result(&mut members),
        "tool_use" => {
            let input = match members.remove("input") {
                Some(Value::Object(input)) => Value::Object(input),
                Some(value) => json!({ "input": value }),
                None => json!({}),
            };
            members.insert("input".to_owned(), input);
        }
        "server_tool_use" | "mcp_tool_use" if members.get("input").is_none_or(Value::is_null) => {
            members.insert("input".to_owned(), json!({}));
        }
        _ => {}
    }
    Value::Object(members)
}

fn clean_result(members: &mut Map<String, Value>) {
    let cleaned = match members.remove("content") {
        Some(Value::Array(elements)) => {
            let sent = elements.into_iter().filter(is_sent_in_result).map(|element| match element {
                Value::Object(members) => Value::Object(without_own_members(&members)),
                other => other,
            });
            Some(sent.collect::<Vec<_>>()).filter(|sent| !sent.is_empty()).map(Value::Array)
        }
        content => content.filter(|content| !content.is_null()),
    };
    members.extend(cleaned.map(|content| ("content".to_owned(), content)));
}

/// Whether a part of a tool's result is sent.
fn is_sent_in_result(part: &Value) -> bool {
    match kind(part) {
        "text" => text_of(part).is_some_and(|text| !is_blank(text)),
        "image" | "document" => has_a_known_source(part),
        _ => true,
    }
}

fn without_own_members(members: &Map<String, Value>) -> Map<String, Value> {
    let sent = members.iter().filter(|(name, _)| !is_own(name));
    sent.map(|(name, value)| (name.clone(), value.clone())).collect()
}

fn has_no_own_members(members: &Map<String, Value>) -> bool {
    !members.keys().any(|name| is_own(name))
}

/// Whether a member of this name is the client's own.
fn is_own(name: &str) -> bool {
    name.starts_with('_')
        || name.bytes().any(|byte| byte.is_ascii_uppercase())
        || matches!(name, "uuid" | "timestamp" | "cwd" | "slug" | "origin")
}

/// The most characters of a text that a report shows.
const MOST: usize = 60;

/// A text as a report shows it.
pub(super) fn in_quotes(text: &str) -> String {
    excerpt(format!("{text:?}"), MOST)
}

/// A block in a few words, for a report.
pub(super) fn in_words(block: &Value) -> String {
    let of = |name| text(block, name).unwrap_or("");
    match kind(block) {
        "text" => format!("the text {}", in_quotes(of("text"))),
        call @ ("tool_use" | "server_tool_use" | "mcp_tool_use") => format!("the {call} {:?}", of("id")),
        "" => format!("the value {}", excerpt(block.to_string(), MOST)),
        _ if text(block, "tool_use_id").is_some() => {
            format!("the {} for {:?}", kind(block), of("tool_use_id"))
        }
        kind => format!("the {kind} block {}", excerpt(block.to_string(), MOST)),
    }
}
