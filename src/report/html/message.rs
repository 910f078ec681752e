//! *Messages* on a page: who speaks, and the blocks of a message or a turn, each as people read it.

use std::cell::Cell;

use maud::{Markup, html};
use turnproof_rules::json;

use turnproof_rules::operation::{Object, Value};
use turnproof_suite::table::{count, size};

use super::aside;
use super::text::{glance, within};

/// So many blocks of a message are shown, and so many members of an object.
pub(in crate::report) const BLOCKS: usize = 40;
const MEMBERS: usize = 20;

/// Thoughts of so many bytes are folded.
const FOLDED: usize = 600;

/// How closely a message is shown.
#[derive(Clone, Copy, Debug)]
pub(in crate::report) struct Look<'a> {
    /// About so many bytes of a text are shown.
    pub(in crate::report) most: usize,
    /// Whether each member of a block is shown, and its type as it is written.
    pub(in crate::report) is_exact: bool,
    /// How many bytes of pictures are still shown; `None` where they are only named.
    pub(in crate::report) pictures: Option<&'a Cell<usize>>,
}

/// The text of a member.
pub(in crate::report) fn string<'a>(value: &'a Value, name: &str) -> Option<&'a str> {
    value.get(name).and_then(Value::as_str)
}

/// The blocks of a message or a turn; a text is one.
pub(in crate::report) fn blocks(value: &Value) -> Vec<Value> {
    match content(value) {
        Some(Value::String(text)) => vec![json!({"type": "text", "text": text})],
        Some(Value::Array(blocks)) => blocks.clone(),
        _ => Vec::new(),
    }
}

fn content(value: &Value) -> Option<&Value> {
    let body = value.get("message").filter(|body| body.get("content").is_some());
    body.unwrap_or(value).get("content")
}

/// The type of a message, or the role of a turn or of an accumulated message.
pub(in crate::report) fn kind(value: &Value) -> Option<&str> {
    string(value, "type").filter(|kind| *kind != "message").or_else(|| string(value, "role"))
}

/// Who speaks, as far as a row's looks depend on it.
pub(in crate::report) fn speaker(value: &Value) -> &'static str {
    match kind(value) {
        Some("user") => "user",
        Some("assistant") => "assistant",
        _ => "other",
    }
}

/// Who speaks: kind, sort, flags and ids. `more` stands before the ids.
pub(in crate::report) fn head(kind: &str, value: &Value, look: Look<'_>, more: &Markup) -> Markup {
    let sort = string(value, "subtype").or_else(|| string(value.get("attachment")?, "type"));
    let flags = value.as_object().into_iter().flatten().filter(|(name, value)| is_flag(name, value));
    let reply = string(value.get("message").unwrap_or(value), "id").filter(|_| look.is_exact);
    html! {
        b.kind { (glance(kind)) @if let Some(sort) = sort { "/" wbr; (glance(sort)) } }
        @for (name, _) in flags.take(6) { span.flag { (glance(name)) } }
        (more)
        @if let Some(uuid) = string(value, "uuid") { code.id title="uuid" { (glance(uuid)) } }
        @if let Some(id) = reply { code.id title="id of the reply" { (glance(id)) } }
    }
}

fn is_flag(name: &str, value: &Value) -> bool {
    name.starts_with("is") && *value == Value::Bool(true)
}

/// The members of an object, but for these.
pub(in crate::report) fn without(object: &Value, names: &[&str]) -> Object {
    let members = object.as_object().into_iter().flatten();
    let left = members.filter(|(name, _)| !names.contains(&name.as_str()));
    left.map(|(name, value)| (name.clone(), value.clone())).collect()
}

/// All that a message has beside its head and its blocks, as JSON; `told` are members that are left out.
pub(in crate::report) fn rest(value: &Value, has_blocks: bool, told: &[&str]) -> Option<String> {
    if !value.is_object() {
        return Some(value.to_string());
    }
    let mut rest = without(value, &["type", "role", "uuid", "subtype", "content", "message", "id"]);
    rest.retain(|name, member| !is_flag(name, member) && !told.contains(&name.as_str()));
    if let Some(content) = content(value).filter(|_| !has_blocks) {
        rest.insert("content", content.clone());
    }
    let body = value.get("message").map(|body| without(body, &["role", "content", "id"])).unwrap_or_default();
    if !body.is_empty() {
        rest.insert("message", Value::Object(body));
    }
    (!rest.is_empty()).then(|| Value::Object(rest).to_string())
}

/// How a block looks.
pub(in crate::report) fn class(block: &Value) -> &'static str {
    match string(block, "type") {
        Some("text") => "text",
        Some("tool_use" | "server_tool_use" | "mcp_tool_use") => "call",
        Some(name) if name.ends_with("tool_result") => "result",
        Some("thinking" | "redacted_thinking") => "thinking",
        Some("image" | "document") => "media",
        _ => "other",
    }
}

/// A block.
pub(in crate::report) fn block(block: &Value, look: Look<'_>) -> Markup {
    let name = string(block, "type").unwrap_or("no type");
    let tool = string(block, "name");
    let is_error = block.get("is_error") == Some(&Value::Bool(true));
    let id = string(block, "id").or_else(|| string(block, "tool_use_id"));
    html! {
        @if look.is_exact || !matches!(class(block), "text" | "thinking") {
            p.tag {
                b { (glance(tool.filter(|_| !look.is_exact).unwrap_or(name))) }
                @if let Some(id) = id { code { (glance(id)) } }
                @if let Some(tool) = tool.filter(|_| look.is_exact) { code { (glance(tool)) } }
                @if is_error && class(block) == "result" { span.flag { "error" } }
            }
        }
        (holds(block, look))
        @if look.is_exact && let Some(more) = more(block) { p.rest { (glance(&more)) } }
    }
}

/// The members of a block that are not shown in another way, as JSON.
fn more(block: &Value) -> Option<String> {
    let names: &[&str] = match class(block) {
        "text" => &["type", "text"],
        "thinking" => &["type", "thinking"],
        "call" => &["type", "id", "name", "input"],
        "result" => &["type", "tool_use_id", "content", "is_error"],
        "media" => &["type"],
        _ => return None,
    };
    Some(without(block, names)).filter(|more| !more.is_empty()).map(|more| Value::Object(more).to_string())
}

fn holds(block: &Value, look: Look<'_>) -> Markup {
    let most = look.most;
    match (class(block), string(block, "thinking")) {
        ("text", _) => said(string(block, "text"), most),
        ("thinking", None | Some("")) => html! { p.empty { "thinking that cannot be read" } },
        ("thinking", Some(thought)) if look.is_exact => said(Some(thought), most),
        ("thinking", Some(thought)) if thought.len() > FOLDED => {
            aside(html! { "thinking, " (size(thought.len() as u64, "byte")) }, &said(Some(thought), most))
        }
        ("thinking", Some(thought)) => html! { p.tag { b { "thinking" } } (said(Some(thought), most)) },
        ("call", _) => {
            block.get("input").map_or_else(|| html! { p.empty { "no input" } }, |input| members(input, most))
        }
        ("result", _) => result(block.get("content"), look),
        ("media", _) => media(block, look),
        _ => html! { div.holds { (within(block.to_string().as_bytes(), most)) } },
    }
}

fn said(text: Option<&str>, most: usize) -> Markup {
    match text {
        Some(text) if !text.is_empty() => html! { div.holds { (within(text.as_bytes(), most)) } },
        _ => html! { p.empty { "an empty text" } },
    }
}

/// An object, a member a line; any other value as JSON.
pub(in crate::report) fn members(value: &Value, most: usize) -> Markup {
    let Some(members) = value.as_object() else {
        return html! { div.holds { (within(value.to_string().as_bytes(), most)) } };
    };
    let shown = |value: &Value| match value.as_str() {
        Some(text) => within(text.as_bytes(), most),
        None => html! { code { (within(value.to_string().as_bytes(), most)) } },
    };
    html! {
        @if members.is_empty() { p.empty { "no members" } } @else {
            dl.input { @for (name, value) in members.iter().take(MEMBERS) {
                div { dt { (glance(name)) } dd { (shown(value)) } }
            } }
        }
        @if members.len() > MEMBERS { p.cut { "… " (count((members.len() - MEMBERS) as u64)) " more members left out" } }
    }
}

/// The content of a result: a text, or parts.
fn result(content: Option<&Value>, look: Look<'_>) -> Markup {
    let most = look.most;
    let parts = match content {
        Some(Value::String(text)) => return said(Some(text), most),
        Some(Value::Array(parts)) => parts.as_slice(),
        None | Some(Value::Null) => &[],
        Some(other) => return members(other, most),
    };
    html! {
        @if parts.is_empty() { p.empty { "no content" } }
        @for part in parts.iter().take(BLOCKS) {
            @match class(part) {
                "text" => (said(string(part, "text"), most)),
                "media" if !look.is_exact => (media(part, look)),
                _ => div.holds { (within(part.to_string().as_bytes(), most)) },
            }
        }
        @if parts.len() > BLOCKS { p.cut { "… " (count((parts.len() - BLOCKS) as u64)) " more parts left out" } }
    }
}

/// Pictures of these types are shown: none of them can hold a script or lead elsewhere.
const PICTURES: [&str; 4] = ["image/png", "image/jpeg", "image/gif", "image/webp"];

/// A picture of more bytes, as it is written, is named and not shown.
const LARGEST_PICTURE: usize = 1_400_000;

/// A picture, where there is room for it. Others, and documents, are named: a page loads nothing.
fn media(block: &Value, look: Look<'_>) -> Markup {
    let of = |member: &str| block.get("source").and_then(|source| string(source, member));
    let picture = picture(block).filter(|(_, data)| has_room(data, look));
    html! {
        @if let Some((kind, data)) = picture { img src={ "data:" (kind) ";base64," (data) } alt="a picture"; }
        p.media-words {
            (glance(string(block, "type").unwrap_or("media"))) " "
            @if let Some(kind) = of("media_type") { (glance(kind)) " " }
            @if let Some(data) = of("data") { "of about " (size(data.len() as u64 / 4 * 3, "byte")) }
            @if let Some(url) = of("url") { (glance(url)) }
        }
    }
}

/// The type and the data of a picture that can be shown.
fn picture(block: &Value) -> Option<(&'static str, &str)> {
    let source = block.get("source").filter(|source| string(source, "type") == Some("base64"))?;
    let kind = PICTURES.into_iter().find(|kind| string(source, "media_type") == Some(kind))?;
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=');
    let data = string(source, "data").filter(|data| !data.is_empty() && data.len() <= LARGEST_PICTURE)?;
    data.bytes().all(is_plain).then_some((kind, data))
}

/// Whether there is room for a picture, which it then takes.
fn has_room(data: &str, look: Look<'_>) -> bool {
    let left = look.pictures.and_then(|room| Some((room, room.get().checked_sub(data.len())?)));
    left.inspect(|(room, left)| room.set(*left)).is_some()
}
