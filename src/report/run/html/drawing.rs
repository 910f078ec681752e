//! A *drawing* of an answer: its JSON, member by member, with marks at the places of violations.
//!
//! One drawing serves all operations: lists of messages are rows, files are lines, lists of plain objects are tables.
//! What one operation adds is in [`answer`](super::answer).

use std::collections::BTreeSet;

use maud::{Markup, Render, html};

use crate::report::html::message::{self, Look, blocks, kind, members, string, without};
use crate::report::html::text::{bytes, glance, rows, text};
use crate::report::html::{aside, row, table};
use crate::report::outline;
use turnproof_reference::message::Event;
use turnproof_rules::operation::{Object, Plain, Str, Value};
use turnproof_suite::table::size;

use super::answer::Answer;
use super::file::{bytes_of, file};
use super::marks::Marks;

/// The members of answers in the order in which they are drawn: the path, what it is called, and how a place in it is
/// named; without a name it is as the API writes it.
const MEMBERS: &[(&str, &str, &str)] = &[
    ("host", "The host", ""),
    ("folding", "What is folded", ""),
    ("whole", "Whether the log is whole", ""),
    ("options", "The options", ""),
    ("bytes", "The file", ""),
    ("files", "The files, in the order in which they are read", ""),
    ("before", "The file before the first step", ""),
    ("session", "The session", ""),
    ("call", "The call of the factory", ""),
    ("parent", "The id that ids are derived from", ""),
    ("uuid", "The id", ""),
    ("answers", "What the subject answers", ""),
    ("steps", "The steps", "step"),
    ("file", "The file", ""),
    ("messages", "The messages", "message"),
    ("items", "The stream", "item"),
    ("request", "The request", ""),
    ("response", "The reply", ""),
    ("output", "What the subject makes of them", ""),
    ("output.events", "What the subject yields", "yielded"),
    ("output.live", "What remains", "remaining"),
    ("output.slots", "What remains, places kept", "place"),
    ("output.messages", "The whole messages", "whole message"),
    ("output.fault", "What is wrong with the stream", ""),
    ("parsed", "What the subject read", ""),
    ("answer", "What the subject answers", ""),
    ("answer.records", "What the subject brings back", ""),
    ("answer.bytes", "The repaired file", ""),
    ("moments", "The log of the loop", "moment"),
];

/// Those that are drawn last and folded, unless they hold a mark.
const FURTHER: &[(&str, &str, &str)] = &[
    ("reference", "What the reference makes of them", ""),
    ("inputs", "What people, model, tools and disk do", ""),
    ("again", "Asked again", "asked again"),
    ("cut_otherwise", "Cut otherwise", ""),
    ("messages_after", "The messages after the call", ""),
    ("renormalized", "What the subject makes of its own request", ""),
    ("reordered", "What the subject makes of its own order", ""),
    ("undone", "The folding taken back", "taken back"),
    ("undone_once", "Folded in the other way as well, and that taken back", ""),
    ("bridged", "The messages over the bridge", "bridged"),
    ("bridged_output", "The folded messages over the bridge", "bridged after folding"),
    ("shorter", "For the first messages alone", ""),
    ("incremental", "Kept up to date, after each message", ""),
    ("with_copies", "With a copy of each file before them", ""),
    ("cuts", "The file cut short: after how many bytes, and what comes back", ""),
    ("continued", "Cut short, and gone on with", ""),
    ("recorded", "Recorded in one piece; must come back", ""),
    ("transcript", "The transcript at the end", ""),
];

/// So many elements of a list of lists are drawn.
const NESTED: usize = 20;

/// How messages of an answer are shown.
const LOOK: Look<'_> = Look { most: 1_600, is_exact: true, pictures: None };

/// What is known of a path: its place in the order, what it is called, and how a place in it is named.
fn known(path: &str) -> Option<(usize, &'static str, &'static str)> {
    let at = MEMBERS.iter().chain(FURTHER).position(|(of, ..)| *of == path)?;
    let (_, title, element) = MEMBERS.iter().chain(FURTHER).nth(at)?;
    Some((at, title, element))
}

fn title(path: &str) -> String {
    let name = || path.rsplit('.').next().unwrap_or_default().replace('_', " ");
    known(path).map_or_else(name, |(_, title, _)| title.to_owned())
}

/// How a place in the list at this path is named; `None`: as the API writes it.
pub(super) fn element(path: &str) -> Option<&'static str> {
    known(path).map(|(.., element)| element).filter(|element| !element.is_empty())
}

/// Whether the member is a file.
fn is_file(path: &str) -> bool {
    let name = path.rsplit('.').next().unwrap_or_default();
    matches!(name, "bytes" | "file" | "files" | "before" | "written" | "transcript" | "crashed" | "other_writer")
}

/// Whether the member is a list of what happened, each element with its name before it.
fn is_log(path: &str) -> bool {
    matches!(path, "items" | "steps" | "moments")
}

/// Whether places count in the list at this path, so that each element has a row.
fn is_list(path: &str) -> bool {
    let is_named = element(path).is_some() && path != "again";
    is_log(path) || is_named || matches!(path, "request" | "output" | "answer.records")
}

/// Whether a value is something that happened: its name, and what goes with it.
fn is_event(value: &Value) -> bool {
    let only = value.as_object().filter(|object| object.len() == 1).and_then(|object| object.keys().next());
    only.is_some_and(|name| !matches!(name.as_str(), "type" | "role" | "message" | "content" | "Ok" | "Err"))
}

/// Whether a value is drawn as the row of a list: a message, what holds one, or something that happened.
fn is_row(value: &Value) -> bool {
    let has = |name: &str| value.get(name).is_some();
    is_event(value) || has("role") || has("message") || has("uuid") && has("bytes") || has("type") && !has("start")
}

/// The answer in a result, or why there is none.
fn opened(value: &Value) -> Result<&Value, &str> {
    let only = value.as_object().filter(|object| object.len() == 1);
    let err = only.and_then(|object| object.get("Err")).and_then(Value::as_str);
    err.map_or_else(|| Ok(only.and_then(|object| object.get("Ok")).unwrap_or(value)), Err)
}

/// The JSON in a text; any other value as it is.
fn read(value: &Value) -> Value {
    let json = value.as_str().filter(|text| text.starts_with(['{', '[']));
    json.and_then(|json| Plain::read(json).ok()).map_or_else(|| value.clone(), Plain::into_value)
}

/// A value without ids and times.
fn without_names(value: &Value) -> Value {
    match value {
        Value::Array(elements) => elements.iter().map(without_names).collect(),
        Value::Object(_) => {
            let members = without(value, &["uuid", "timestamp"]).into_iter();
            Value::Object(members.map(|(name, value)| (name, without_names(&value))).collect())
        }
        other => other.clone(),
    }
}

/// The ends of a range.
fn range(value: &Value) -> Option<(u64, u64)> {
    match value.as_array().map(Vec::as_slice) {
        Some([start, end]) => start.as_u64().zip(end.as_u64()),
        _ => None,
    }
}

/// Whether a value fits in few words.
fn is_short(path: &str, value: &Value) -> bool {
    let is_scalar = |value: &Value| !value.is_object() && (!value.is_array() || range(value).is_some());
    !is_file(path) && opened(value).map_or(true, |value| is_scalar(value) && is_scalar(&read(value)))
}

/// A value in few words.
fn cell(path: &str, value: &Value) -> Markup {
    let value = match opened(value) {
        Ok(value) => value,
        Err(why) => return html! { span.empty { "refused: " (glance(why)) } },
    };
    match value {
        Value::Null => html! { "–" },
        Value::String(text) => glance(text),
        _ if is_file(path)
            && let Some(bytes) = bytes_of(value) =>
        {
            glance(&String::from_utf8_lossy(&bytes))
        }
        _ if let Some((start, end)) = range(value) => html! { (start) "–" (end) },
        Value::Array(all) => html! {
            @for one in all { code { (cell("", string(one, "uuid").map(Value::from).as_ref().unwrap_or(one))) } " " }
            @if all.is_empty() { "nothing" }
        },
        Value::Object(object) => html! {
            @for (name, value) in object { (glance(&name.replace('_', " "))) ": " (cell(name, value)) " " }
        },
        other => html! { (other.to_string()) },
    }
}

/// The drawing of an answer, or of why there is none.
pub(super) fn drawing(answer: &Answer<'_>) -> Markup {
    html! {
        @if let Some(why) = answer.refused { p.empty { "There is no answer: " (glance(why)) } }
        (Drawing(answer).object("", &answer.value))
        @if let Some(note) = answer.note { p.same { (note) } }
    }
}

struct Drawing<'a>(&'a Answer<'a>);

impl Drawing<'_> {
    /// The members of an object in their order: those that are short by name, what is asked beside what comes of it, and
    /// then the others.
    fn object(&self, path: &str, object: &Value) -> Markup {
        let members = object.as_object().into_iter().flatten();
        let path_of = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
        let mut all: Vec<(String, &Value)> = members.map(|(name, value)| (path_of(name), value)).collect();
        all.retain(|(_, value)| !value.is_null() && value.as_object().is_none_or(|object| !object.is_empty()));
        all.sort_by_key(|(path, _)| known(path).map_or(MEMBERS.len(), |(order, ..)| order));
        let (short, parts): (Vec<_>, Vec<_>) = all.into_iter().partition(|(path, value)| is_short(path, value));
        let is_beside = |path: &str| matches!(path, "messages" | "items" | "request" | "output");
        let (beside, others): (Vec<_>, Vec<_>) = parts.iter().partition(|(path, _)| is_beside(path));
        html! {
            @if !short.is_empty() {
                dl.named { @for (path, value) in &short { div { dt { (title(path)) } dd { (cell(path, value)) } } } }
            }
            div class=[(beside.len() > 1).then_some("columns")] {
                @for (path, value) in beside { (self.member(path, value, &parts)) }
            }
            @for (path, value) in others { (self.member(path, value, &parts)) }
        }
    }

    /// A member. One that only comes with the others is folded, unless it holds a mark; if it is as one before it, it is
    /// in few words.
    fn member(&self, path: &str, value: &Value, all: &[(String, &Value)]) -> Markup {
        let title = title(path);
        let is_further = FURTHER.iter().any(|(further, ..)| *further == path);
        let is_folded = is_further && self.0.marks.beyond(path, 0).is_empty();
        let before = || all.iter().take_while(|(other, _)| other != path).map(|(_, other)| *other);
        match opened(value) {
            Err(why) => html! { div.list { h4 { (title) } p.empty { "refused: " (text(why)) } } },
            Ok(value) if is_folded && before().any(|other| opened(other) == Ok(value)) => {
                html! { p.same { (title) ": the same" } }
            }
            Ok(value) if is_folded => {
                let is_alike =
                    before().any(|other| opened(other).is_ok_and(|it| without_names(it) == without_names(value)));
                let summary = if is_alike { format!("{title}: the same, ids and times aside") } else { title };
                aside(summary, &self.value(path, "", value))
            }
            Ok(value) => self.value(path, &title, value),
        }
    }

    /// A value by what it is.
    fn value(&self, path: &str, title: &str, value: &Value) -> Markup {
        if let Some(bytes) = bytes_of(value).filter(|_| is_file(path)) {
            return self.file(path, title, &bytes);
        }
        let shown = match &read(value) {
            Value::Array(all) if is_list(path) || all.iter().any(is_row) => self.list(path, all),
            Value::Array(files) if path == "files" => html! { @for file in files {
                (self.file(path, "", &bytes_of(file).unwrap_or_default()))
            } },
            Value::Array(all) => self.elements(path, all),
            object @ Value::Object(_) => self.object(path, object),
            Value::Null => html! { p.empty { "nothing" } },
            other => members(other, LOOK.most),
        };
        html! { div.list { @if !title.is_empty() { h4 { (title) } } (shown) } }
    }

    /// A file; violations count in the first one.
    fn file(&self, path: &str, title: &str, bytes: &[u8]) -> Markup {
        let nothing = Marks::new("", Vec::new());
        let is_first = matches!(path, "bytes" | "file" | "files");
        let (marks, lines) = if is_first { (self.0.marks, Some(&self.0.lines)) } else { (&nothing, None) };
        file(title, bytes, marks, &|start| lines.and_then(|lines| lines.get(&start)).map(String::as_str))
    }

    /// A list that has no rows: in few words, as a table, or each element by itself.
    fn elements(&self, path: &str, all: &[Value]) -> Markup {
        let is_member =
            |(name, value): (&Str, &Value)| is_short(name, value) || is_file(name) && bytes_of(value).is_some();
        let objects: Vec<&Object> = all.iter().filter_map(Value::as_object).collect();
        let is_pair = |one: &Value| one.as_array().is_some_and(|pair| pair.len() == 2 && pair[0].is_number());
        if all.iter().all(|one| is_short("", one)) {
            return html! { p { (cell("", &Value::from(all))) } };
        }
        if objects.len() == all.len() && objects.iter().all(|object| object.iter().all(is_member)) {
            return as_table(&objects);
        }
        let of_pair = |pair: &Value| pair.as_array().into_iter().flatten().map(|one| cell("", one)).collect();
        if all.iter().all(is_pair) {
            return table("", &["#", ""], all.iter().map(of_pair));
        }
        let given = all.iter().enumerate().filter(|(_, one)| !one.is_null());
        html! {
            @for (at, one) in given.take(NESTED) {
                @match opened(one) {
                    Ok(one) => (aside(at, &self.value(&format!("{path}.{at}"), "", one))),
                    Err(why) => p.same { (at) ": refused: " (glance(why)) },
                }
            }
        }
    }

    /// The rows of a list.
    fn list(&self, path: &str, all: &[Value]) -> Markup {
        let marks = self.0.marks;
        let beyond = marks.beyond(path, all.len());
        let missing = || row("other marked missing", None, "–", &html! { b.kind { "missing" } }, &marks.notes(&beyond));
        html! {
            @if all.is_empty() { p.empty { "nothing" } }
            ol.rows {
                (rows(all, |at| marks.has_element(path, at), |at, value| {
                    let is_happening = is_log(path) || !is_list(path) && is_event(value);
                    if is_happening { self.happened(path, at, value) } else { self.message(path, at, value) }
                }))
                @if !beyond.is_empty() { (missing()) }
            }
        }
    }

    /// A message or a turn, as it is or as the text in which a subject gives it.
    fn message(&self, path: &str, at: usize, value: &Value) -> Markup {
        let text = ["message", "bytes"].into_iter().find_map(|name| value.get(name).filter(|text| text.is_string()));
        let around = text.map(|_| without(value, &["message", "bytes", "uuid"])).filter(|around| !around.is_empty());
        let value = &text.map_or_else(|| value.clone(), read);
        let blocks = blocks(value);
        let marks = self.0.marks;
        let own = marks.of_element(path, at, blocks.len());
        let rest = message::rest(value, !blocks.is_empty(), &[]);
        let rest = rest.map(|rest| html! { p.rest { (glance(&rest)) } });
        let says = html! {
            (marks.notes(&own))
            @for (index, block) in blocks.iter().enumerate() {
                @let of_block = marks.of_block(path, at, index);
                div class={ "block " (message::class(block)) @if !of_block.is_empty() { " marked" } } {
                    (message::block(block, LOOK))
                }
                (marks.notes(&of_block))
            }
            @match rest {
                Some(rest) if blocks.is_empty() => (rest),
                Some(rest) => details.members open[!own.is_empty()] { summary { "other members" } (rest) },
                None => {},
            }
            @if let Some(around) = around { p.effect { (cell("", &Value::Object(around))) } }
            (self.beside(path, at))
        };
        let head = message::head(kind(value).unwrap_or("no type"), value, LOOK, &html! {});
        row(&class(message::speaker(value), !own.is_empty()), None, at, &head, &says)
    }

    /// What happened, by its name: in short, and at length where it is marked.
    fn happened(&self, path: &str, at: usize, value: &Value) -> Markup {
        let own = self.0.marks.of_element(path, at, 0);
        let happened = value.as_object().into_iter().flatten().next();
        let name = happened.map_or_else(|| value.as_str().unwrap_or_default(), |(name, _)| name);
        let says = html! {
            (self.0.marks.notes(&own))
            @if let Some((_, content)) = happened {
                @match content.as_str().filter(|_| path == "items") {
                    Some(json) => code { (glance(json)) },
                    None => (self.content(name, &read(content), !own.is_empty() || path == "steps")),
                }
            }
            (self.beside(path, at))
        };
        let who = html! { b.kind { (glance(&name.replace('_', " "))) } };
        row(&class("other", !own.is_empty()), None, at, &who, &says)
    }

    /// What goes with a name, a member a line; what is long may be opened where something is wrong.
    fn content(&self, name: &str, value: &Value, is_marked: bool) -> Markup {
        match (value, bytes_of(value).filter(|_| is_file(name))) {
            (_, Some(file)) if name == "bytes" => html! { code { (bytes(&file)) } },
            (_, Some(file)) => self.folded(is_marked, size(file.len() as u64, "byte"), || self.file("", "", &file)),
            (Value::Array(all), _) if name != "content" => {
                let what = if name == "turns" { "turn" } else { "message" };
                self.folded(is_marked, size(all.len() as u64, what), || self.list("", all))
            }
            _ if kind(value).is_some() => {
                let json = value.to_string();
                let words = Event::read(&json).map_or_else(|_| json.clone(), |event| outline::message(&event));
                self.folded(is_marked, glance(&words), || self.list("", std::slice::from_ref(value)))
            }
            (Value::Object(object), _) => html! { @for (name, value) in object {
                div { (glance(&name.replace('_', " "))) ": " (self.content(name, &read(value), is_marked)) }
            } },
            (Value::Array(_) | Value::Null, _) => glance(&value.to_string()),
            _ => html! { code { (cell(name, value)) } },
        }
    }

    /// In short; where it is marked, the reader may open the whole.
    fn folded(&self, is_marked: bool, short: impl Render, whole: impl Fn() -> Markup) -> Markup {
        if is_marked { aside(short, &whole()) } else { short.render() }
    }

    /// What the operation says beside an element of a list.
    fn beside(&self, path: &str, at: usize) -> Markup {
        let (list, beside) = &self.0.beside;
        beside.get(at).filter(|_| *list == path).cloned().unwrap_or_default()
    }
}

fn class(speaker: &str, is_marked: bool) -> String {
    format!("{speaker}{}", if is_marked { " marked" } else { "" })
}

/// Plain objects as the rows of a table.
fn as_table(objects: &[&Object]) -> Markup {
    let names: BTreeSet<&str> = objects.iter().flat_map(|object| object.keys()).map(Str::as_str).collect();
    let mut names: Vec<&str> = names.into_iter().collect();
    names.sort_by_key(|name| !matches!(*name, "start" | "line" | "session" | "turn"));
    let head: Vec<String> = names.iter().map(|name| name.replace('_', " ")).collect();
    let of = |object: &Object, name: &str| object.get(name).map(|value| cell(name, value)).unwrap_or_default();
    table("", &head, objects.iter().map(|object| names.iter().map(|name| of(object, name)).collect()))
}
