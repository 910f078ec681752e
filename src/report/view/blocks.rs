//! The *blocks* of a message on a page: what was said and thought, calls, results, media.

use maud::{Markup, html};

use crate::operation::Value;
use crate::report::html::text::{glance, within};
use turnproof_suite::table::{count, size};

/// So many blocks of a message are shown, and so many members of an input.
pub(super) const BLOCKS: usize = 40;
const MEMBERS: usize = 20;

/// Thoughts of so many bytes are folded.
const FOLDED: usize = 600;

/// A text of a record as a member of an object.
pub(super) fn string<'a>(value: &'a Value, name: &str) -> Option<&'a str> {
    value.get(name).and_then(Value::as_str)
}

/// How a block looks.
pub(super) fn class(block: &Value) -> &'static str {
    match string(block, "type") {
        Some("text") => "text",
        Some("tool_use" | "server_tool_use" | "mcp_tool_use") => "call",
        Some(name) if name.ends_with("tool_result") => "result",
        Some("thinking" | "redacted_thinking") => "thinking",
        Some("image" | "document") => "media",
        _ => "other",
    }
}

/// A block, its texts in at most about `most` bytes each.
pub(super) fn block(block: &Value, most: usize) -> Markup {
    let name = string(block, "type").unwrap_or("no type");
    let is_error = block.get("is_error") == Some(&Value::Bool(true));
    let id = string(block, "id").or_else(|| string(block, "tool_use_id"));
    html! {
        @match class(block) {
            "text" => {},
            "thinking" => {},
            class => {
                p.tag {
                    @if let Some(tool) = string(block, "name") { b { (glance(tool)) } } @else { b { (glance(name)) } }
                    @if let Some(id) = id { code { (glance(id)) } }
                    @if is_error && class == "result" { span.flag { "error" } }
                }
            }
        }
        (holds(block, most))
    }
}

fn holds(block: &Value, most: usize) -> Markup {
    let text = |text: &str| html! { div.holds { (within(text.as_bytes(), most)) } };
    match class(block) {
        "text" => said(string(block, "text"), most),
        "thinking" => match string(block, "thinking") {
            Some(thought) if thought.len() > FOLDED => html! {
                details.aside { summary { "thinking, " (size(thought.len() as u64, "byte")) } (text(thought)) }
            },
            Some("") | None => html! { p.empty { "thinking that cannot be read" } },
            Some(thought) => html! { p.tag { b { "thinking" } } (text(thought)) },
        },
        "call" => input(block.get("input"), most),
        "result" => content(block.get("content"), most),
        "media" => media(block),
        _ => text(&block.to_string()),
    }
}

fn said(text: Option<&str>, most: usize) -> Markup {
    match text {
        Some(text) if !text.is_empty() => html! { div.holds { (within(text.as_bytes(), most)) } },
        _ => html! { p.empty { "an empty text" } },
    }
}

/// The input of a call, a member a line.
fn input(input: Option<&Value>, most: usize) -> Markup {
    let Some(input) = input else { return html! { p.empty { "no input" } } };
    let Some(members) = input.as_object() else {
        return html! { div.holds { (within(input.to_string().as_bytes(), most)) } };
    };
    html! {
        @if !members.is_empty() {
            dl.input {
                @for (name, value) in members.iter().take(MEMBERS) {
                    div { dt { (glance(name.as_str())) } dd { (within(plain(value).as_bytes(), most)) } }
                }
            }
        }
        @if members.len() > MEMBERS { p.cut { "… " (count((members.len() - MEMBERS) as u64)) " more members left out" } }
    }
}

/// A value as people read it: a text without quotes.
fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// The content of a result: a text, or parts.
fn content(content: Option<&Value>, most: usize) -> Markup {
    match content {
        None | Some(Value::Null) => html! { p.empty { "no content" } },
        Some(Value::String(_)) => said(content.and_then(Value::as_str), most),
        Some(Value::Array(parts)) => html! {
            @if parts.is_empty() { p.empty { "no content" } }
            @for part in parts.iter().take(BLOCKS) {
                @match class(part) {
                    "text" => (said(string(part, "text"), most)),
                    "media" => (media(part)),
                    _ => div.holds { (within(part.to_string().as_bytes(), most)) },
                }
            }
            @if parts.len() > BLOCKS { p.cut { "… " (count((parts.len() - BLOCKS) as u64)) " more parts left out" } }
        },
        Some(other) => html! { div.holds { (within(other.to_string().as_bytes(), most)) } },
    }
}

/// A picture or a document is named, and not shown: a page loads nothing.
fn media(block: &Value) -> Markup {
    let name = string(block, "type").unwrap_or("media");
    let source = block.get("source");
    let of = |member: &str| source.and_then(|source| string(source, member));
    let bytes = of("data").map(|data| size(data.len() as u64 / 4 * 3, "byte"));
    html! {
        p.media-words {
            (glance(name)) " "
            @if let Some(kind) = of("media_type") { (glance(kind)) " " }
            @if let Some(bytes) = bytes { "of about " (bytes) }
            @if let Some(url) = of("url") { (glance(url)) }
        }
    }
}
