//! A *block* is one part of a message's content; here is what it must have to be sent, and what it looks like when it
//! is.

use std::borrow::Cow;

use crate::json;
use crate::json::{Object, Value};

use crate::rules::alike::excerpt;
use crate::rules::shape::{Holder, block as block_type, fitted_block, fitted_part, part_of_result};
use crate::rules::value::{is_blank, kind, text, text_of};
use crate::vocabulary::{LONGEST_TOOL_NAME, SERVER_CALLS, is_own_member, is_tool_name};

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
    SERVER_CALLS.contains(&kind(block))
}

/// Whether this is the result of a tool that the API runs itself.
pub(super) fn is_server_result(block: &Value) -> bool {
    turnproof_format::is_server_result(kind(block))
}

/// A text block.
pub(super) fn text_block(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

/// Why this role cannot send a block; `None` when it can.
pub(super) fn why_unfit(role: Role, block: &Value) -> Option<&'static str> {
    if kind(block).is_empty() {
        return Some("it has no type");
    }
    let known = block_type(kind(block))?;
    let fits_role = match known.holder {
        Holder::User => role == Role::User,
        Holder::Assistant => role == Role::Assistant,
        _ => true,
    };
    if !fits_role {
        return Some("its role may not carry it");
    }
    let has_text = |name| text(block, name).is_some_and(|text| !text.is_empty());
    let is_whole = match kind(block) {
        "text" => return text_of(block).is_none_or(is_blank).then_some("its text is blank or missing"),
        "thinking" => has_text("signature"),
        "redacted_thinking" => has_text("data"),
        _ => true,
    };
    let repaired = repaired(block);
    let is_whole = is_whole && fitted_block(repaired.as_ref().unwrap_or(block), known).is_some();
    (!is_whole).then_some("it lacks what its type requires")
}

/// A block as it is sent: with the members of its type alone, its name and input put right, a result's content a text
/// or a list. Both sides of a comparison are brought to this form. Other rules judge whether a request is in it.
pub(super) fn as_sent(block: Cow<'_, Value>) -> Cow<'_, Value> {
    by_meaning(fitting(block))
}

/// A result without what the API takes for granted: content of one text is that text, and no `is_error: false`.
fn by_meaning(mut block: Cow<'_, Value>) -> Cow<'_, Value> {
    if kind(&block) != "tool_result" {
        return block;
    }
    if block.get("is_error") == Some(&Value::Bool(false)) {
        block.to_mut().as_object_mut().and_then(|members| members.remove("is_error"));
    }
    let only = match block.get("content").and_then(Value::as_array).map(Vec::as_slice) {
        Some([only]) if only.as_object().is_some_and(|members| members.len() == 2) => text_of(only),
        _ => None,
    };
    if let Some(only) = only.map(Value::from) {
        block.to_mut()["content"] = only;
    }
    block
}

fn fitting(block: Cow<'_, Value>) -> Cow<'_, Value> {
    let Some(known) = block_type(kind(&block)) else { return without_own_members(block) };
    if let Some(repaired) = repaired(&block) {
        let fitting = fitted_block(&repaired, known).map(Cow::into_owned);
        return Cow::Owned(fitting.unwrap_or(repaired));
    }
    match fitted_block(&block, known) {
        Some(Cow::Owned(fitting)) => Cow::Owned(fitting),
        Some(Cow::Borrowed(_)) | None => block,
    }
}

/// The block with a legal name, an input that is an object, and content that a result may have; `None` when it has.
fn repaired(block: &Value) -> Option<Value> {
    let Value::Object(members) = block else { return None };
    let mut changes: Vec<(&str, Option<Value>)> = Vec::new();
    if matches!(kind(block), "tool_use" | "server_tool_use" | "mcp_tool_use") {
        let has_null = members.get("input").is_some_and(Value::is_null);
        match members.get("input") {
            Some(Value::Object(_)) => {}
            Some(_) if has_null && kind(block) != "tool_use" => changes.push(("input", Some(json!({})))),
            Some(other) => changes.push(("input", Some(json!({ "input": other })))),
            None => changes.push(("input", Some(json!({})))),
        }
    }
    if let Some(name) = text(block, "name").filter(|name| kind(block) == "tool_use" && !is_tool_name(name)) {
        changes.push(("name", Some(legal_name(name).into())));
    }
    if let ("tool_result" | "mcp_tool_result", Some(content)) = (kind(block), members.get("content"))
        && let Some(content) = content_put_right(kind(block), content)
    {
        changes.push(("content", content));
    }
    if changes.is_empty() {
        return None;
    }
    let mut members = members.clone();
    for (name, value) in changes {
        match value {
            Some(value) => members.insert(name.to_owned(), value),
            None => members.remove(name),
        };
    }
    Some(Value::Object(members))
}

/// The name with `_` for each character that the API does not take, and no more than it takes.
fn legal_name(name: &str) -> String {
    let legal = |letter: char| if is_tool_name(letter.encode_utf8(&mut [0; 4])) { letter } else { '_' };
    name.chars().map(legal).take(LONGEST_TOOL_NAME).collect()
}

/// The content that a result has instead of this, if it has another; then `None` means no content.
fn content_put_right(result: &str, content: &Value) -> Option<Option<Value>> {
    match content {
        Value::String(_) => None,
        Value::Null => Some(None),
        Value::Array(_) if result == "mcp_tool_result" => None,
        Value::Array(parts) => {
            let sent: Vec<Cow<'_, Value>> = parts.iter().filter_map(part_as_sent).collect();
            let is_whole = sent.len() == parts.len() && sent.iter().all(|part| matches!(part, Cow::Borrowed(_)));
            let sent = || sent.into_iter().map(Cow::into_owned).collect::<Vec<_>>();
            (!is_whole || parts.is_empty()).then(|| Some(sent()).filter(|sent| !sent.is_empty()).map(Value::Array))
        }
        other => Some(Some(Value::from(other.to_string()))),
    }
}

/// A part of a tool's result as it is sent; `None` when it is not.
fn part_as_sent(part: &Value) -> Option<Cow<'_, Value>> {
    let fitting = fitted_part(part)?;
    match kind(part) {
        "text" => Some(fitting).filter(|text| !text_of(text).is_none_or(is_blank)),
        known if part_of_result(known).is_some() => Some(fitting),
        _ => Some(without_own_members(Cow::Borrowed(part))),
    }
}

/// The JSON text that is sent in place of a result's content; `None` when the content is sent as it is.
pub(super) fn content_as_text(block: &Value) -> Option<String> {
    let is_result = matches!(kind(block), "tool_result" | "mcp_tool_result");
    let content = block.get("content").filter(|_| is_result)?;
    matches!(content, Value::Object(_) | Value::Number(_) | Value::Bool(_)).then(|| content.to_string())
}

fn without_own_members(block: Cow<'_, Value>) -> Cow<'_, Value> {
    let is_clean = |members: &Object| !members.keys().any(|name| is_own_member(name));
    if block.as_object().is_none_or(is_clean) {
        return block;
    }
    let sent = block.as_object().into_iter().flatten().filter(|(name, _)| !is_own_member(name));
    Cow::Owned(Value::Object(sent.map(|(name, value)| (name.clone(), value.clone())).collect()))
}

/// `of_block!("missing", block)`: the kind of a violation that is about a block, such as `missing-text`.
macro_rules! of_block {
    ($what:literal, $block:expr) => {
        match $crate::rules::value::kind($block) {
            "text" => concat!($what, "-text"),
            "thinking" | "redacted_thinking" => concat!($what, "-thinking"),
            "tool_use" => concat!($what, "-call"),
            "tool_result" => concat!($what, "-result"),
            "server_tool_use" => concat!($what, "-server-call"),
            "mcp_tool_use" => concat!($what, "-mcp-call"),
            "image" => concat!($what, "-image"),
            "document" => concat!($what, "-document"),
            _ if $crate::rules::normalize::block::is_server_result($block) => concat!($what, "-server-result"),
            _ => concat!($what, "-block"),
        }
    };
}

pub(super) use of_block;

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
