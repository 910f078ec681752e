//! *Messages* and turns as rows: who, what kind, the blocks.

use maud::{Markup, html};
use turnproof_rules::json;

use crate::operation::{Object, Value};

use crate::report::run::place::List;

use super::marks::Marks;
use super::text::{glance, rows, text};

/// Members that the head of a row shows.
const TOLD: [&str; 7] = ["type", "role", "uuid", "subtype", "content", "message", "id"];

/// A list with its title; `beside` adds something to the row of an element.
pub(super) fn list(
    title: &str,
    list: List,
    values: &[Value],
    marks: &Marks<'_>,
    beside: &dyn Fn(usize) -> Markup,
) -> Markup {
    html! {
        div.list {
            h4 { (title) }
            @if values.is_empty() { p.empty { "nothing" } }
            ol.rows {
                (rows(values, |at| marks.has_element(list, at), |at, value| row(list, at, value, marks, beside(at))))
                (missing(list, values.len(), marks))
            }
        }
    }
}

/// A row for what should stand after the end of a list.
fn missing(list: List, length: usize, marks: &Marks<'_>) -> Markup {
    let beyond = marks.beyond(list, length);
    html! {
        @if !beyond.is_empty() {
            li.row.other.marked.missing {
                span.index { "–" }
                div.who { b.kind { "missing" } }
                div.says { (marks.notes(&beyond)) }
            }
        }
    }
}

/// A list to compare with another one; the reader may open it.
pub(super) fn aside(title: &str, values: &[Value], marks: &Marks<'_>) -> Markup {
    html! {
        details.aside {
            summary { (title) }
            (list("", List::Beside, values, marks, &|_| html! {}))
        }
    }
}

fn row(list: List, at: usize, value: &Value, marks: &Marks<'_>, beside: Markup) -> Markup {
    let blocks = blocks(value);
    let own = marks.of_element(list, at, blocks.len());
    let class = if own.is_empty() { "" } else { "marked" };
    html! {
        li class={ "row " (speaker(value)) " " (class) } {
            span.index { (at) }
            div.who { (head(value)) }
            div.says {
                (marks.notes(&own))
                @for (index, block) in blocks.iter().enumerate() {
                    @let of_block = marks.of_block(list, at, index);
                    div class={ "block " (kind_class(block)) @if !of_block.is_empty() { " marked" } } {
                        (self::block(block))
                    }
                    (marks.notes(&of_block))
                }
                @if let Some(rest) = rest(value, &blocks) {
                    @if blocks.is_empty() { p.rest { (glance(&rest)) } } @else {
                        details.members open[!own.is_empty()] { summary { "other members" } p.rest { (glance(&rest)) } }
                    }
                }
                (beside)
            }
        }
    }
}

/// The blocks of a message or a turn; a string is one of text.
fn blocks(value: &Value) -> Vec<Value> {
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

fn string<'a>(value: &'a Value, name: &str) -> Option<&'a str> {
    value.get(name).and_then(Value::as_str)
}

/// The type of a message, or the role of a turn or of an accumulated message.
fn kind(value: &Value) -> Option<&str> {
    string(value, "type").filter(|kind| *kind != "message").or_else(|| string(value, "role"))
}

/// Who speaks, as far as a row's looks depend on it.
fn speaker(value: &Value) -> &'static str {
    match kind(value) {
        Some("user") => "user",
        Some("assistant") => "assistant",
        _ => "other",
    }
}

fn head(value: &Value) -> Markup {
    let kind = kind(value).unwrap_or("no type");
    let sort = string(value, "subtype").or_else(|| string(value.get("attachment")?, "type"));
    let reply = value.get("message").unwrap_or(value);
    let flags = value.as_object().into_iter().flatten();
    let flags = flags.filter(|(name, value)| is_flag(name, value));
    html! {
        b.kind { (glance(kind)) @if let Some(sort) = sort { "/" wbr; (glance(sort)) } }
        @if let Some(uuid) = string(value, "uuid") { code.id title="uuid" { (glance(uuid)) } }
        @if let Some(id) = string(reply, "id") { code.id title="id of the reply" { (glance(id)) } }
        @for (name, _) in flags { span.flag { (glance(name)) } }
    }
}

fn is_flag(name: &str, value: &Value) -> bool {
    name.starts_with("is") && *value == Value::Bool(true)
}

/// The members of an object, but for these.
fn without(object: &Value, names: &[&str]) -> Object {
    let members = object.as_object().into_iter().flatten();
    let left = members.filter(|(name, _)| !names.contains(&name.as_str()));
    left.map(|(name, value)| (name.clone(), value.clone())).collect()
}

/// All else that a message has, as JSON.
fn rest(value: &Value, blocks: &[Value]) -> Option<String> {
    if !value.is_object() {
        return Some(value.to_string());
    }
    let mut rest = without(value, &TOLD);
    rest.retain(|name, member| !is_flag(name, member));
    if blocks.is_empty()
        && let Some(content) = content(value)
    {
        rest.insert("content", content.clone());
    }
    let body = value.get("message").map(|body| without(body, &["role", "content", "id"])).unwrap_or_default();
    if !body.is_empty() {
        rest.insert("message", Value::Object(body));
    }
    (!rest.is_empty()).then(|| Value::Object(rest).to_string())
}

fn kind_class(block: &Value) -> &'static str {
    match string(block, "type") {
        Some("text") => "text",
        Some("tool_use" | "server_tool_use") => "call",
        Some("tool_result") => "result",
        Some("thinking" | "redacted_thinking") => "thinking",
        Some("image" | "document") => "media",
        _ => "other",
    }
}

fn block(block: &Value) -> Markup {
    let name = string(block, "type").unwrap_or("no type");
    let is_error = block.get("is_error") == Some(&Value::Bool(true));
    let of_call = string(block, "id").or_else(|| string(block, "tool_use_id"));
    html! {
        p.tag {
            b { (glance(name)) }
            @if let Some(id) = of_call { code { (glance(id)) } }
            @if let Some(tool) = string(block, "name") { code { (glance(tool)) } }
            @if is_error { span.flag { "is_error" } }
        }
        div.holds { (holds(block)) }
    }
}

fn holds(block: &Value) -> Markup {
    let without = |names: &[&str]| without(block, names);
    let said = ["text", "thinking"].into_iter().find_map(|name| Some((name, string(block, name)?)));
    let (shown, more) = match (kind_class(block), said) {
        ("text" | "thinking", Some((name, ""))) => (html! { span.empty { "empty" } }, without(&["type", name])),
        ("text" | "thinking", Some((name, said))) => (text(said), without(&["type", name])),
        ("result", _) => {
            let parts = match block.get("content") {
                Some(Value::String(said)) => text(said),
                Some(Value::Array(parts)) => html! { @for part in parts { (part_of_result(part)) } },
                Some(other) => text(&other.to_string()),
                None => html! { span.empty { "no content" } },
            };
            (parts, without(&["type", "tool_use_id", "content", "is_error"]))
        }
        ("call", _) => {
            let input = block.get("input").map_or("no input".to_owned(), Value::to_string);
            (text(&input), without(&["type", "id", "name", "input"]))
        }
        ("media", _) => return glance(&Value::Object(without(&["type"])).to_string()),
        _ => return text(&block.to_string()),
    };
    html! { (shown) @if !more.is_empty() { p.rest { (glance(&Value::Object(more).to_string())) } } }
}

fn part_of_result(part: &Value) -> Markup {
    match (string(part, "type"), string(part, "text")) {
        (Some("text"), Some(said)) => html! { p.part { (text(said)) } },
        _ => html! { p.part { (glance(&part.to_string())) } },
    }
}
