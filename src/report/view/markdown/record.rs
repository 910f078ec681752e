//! A *record* in a Markdown document: a turn, its calls and results, or reminders that are folded.

use std::collections::HashMap;

use turnproof_reference::transcript::Record;
use turnproof_rules::operation::Value;
use turnproof_suite::table::{count, size};

use super::most;
use super::text::{code, cut, fenced, in_markup, inline, quoted};
use crate::report::html::message::{BLOCKS, blocks, class, rest, string, without};
use crate::report::view::attachment::{decided, hook_ended, hook_of, is_attachment, rendered};
use crate::report::view::row::{ENVELOPE, in_short, read};

/// So many bytes are written of what is no text.
const OF_MEMBERS: usize = 1_200;

/// So many sorts of reminders are named for a run of them.
const NAMED: usize = 12;

/// A run of attachments, folded.
pub(super) fn reminders(out: &mut String, run: &[Record<'_>]) {
    let values: Vec<Value> = run.iter().map(read).collect();
    let mut names: Vec<&str> = Vec::new();
    for sort in values.iter().map(sort) {
        if !names.contains(&sort) {
            names.push(sort);
        }
    }
    let more = if names.len() > NAMED { ", …" } else { "" };
    let named: Vec<String> = names.iter().take(NAMED).map(|name| in_markup(name)).collect();
    let was_sent = values.iter().any(|value| !rendered(value).is_empty());
    let title = if was_sent { "what the model was sent" } else { "noted" };
    *out += &format!("\n<details>\n<summary>{title}: {}{more}</summary>\n", named.join(", "));
    for (record, value) in run.iter().zip(&values) {
        *out += &format!("\n**{}**, line {}\n", code(sort(value)), count(record.line));
        match most(out) {
            None => *out += "\n*not shown: the document is full*\n",
            Some(most) if rendered(value).is_empty() => json(out, value.get("attachment").unwrap_or(value), most),
            Some(most) => sent(out, value, most),
        }
    }
    *out += "\n</details>\n";
}

fn sort(value: &Value) -> &str {
    value.get("attachment").and_then(|attachment| string(attachment, "type")).unwrap_or("no type")
}

/// What was sent for an attachment.
fn sent(out: &mut String, value: &Value, most: usize) {
    for text in rendered(value).iter().take(BLOCKS) {
        parts(out, &blocks(text), most);
    }
}

/// A value as JSON on one line.
fn json(out: &mut String, value: &Value, most: usize) {
    *out += &format!("\n{}", fenced("", "json", &cut(&value.to_string(), most.min(OF_MEMBERS))));
}

/// Texts as code, and what is no text by its name.
fn parts(out: &mut String, parts: &[Value], most: usize) {
    for part in parts.iter().take(BLOCKS) {
        match (class(part), string(part, "text")) {
            ("text", Some(text)) => *out += &format!("\n{}", fenced("", "text", &cut(text, most))),
            ("media", _) => media(out, part),
            _ => json(out, part, most),
        }
    }
    if parts.len() > BLOCKS {
        *out += &format!("\n*{} more left out*\n", count((parts.len() - BLOCKS) as u64));
    }
}

/// A picture or a document, by its type and size.
fn media(out: &mut String, block: &Value) {
    let of = |member: &str| block.get("source").and_then(|source| string(source, member));
    let kind = of("media_type").map(|kind| format!(" {}", code(kind))).unwrap_or_default();
    let size = of("data").map(|data| format!(" of about {}", size(data.len() as u64 / 4 * 3, "byte")));
    let url = of("url").map(|url| format!(" at {}", code(url))).unwrap_or_default();
    *out += &format!("\n*{}*{kind}{}{url}\n", string(block, "type").unwrap_or("media"), size.unwrap_or_default());
}

/// Writes the records of a conversation.
#[derive(Default)]
pub(super) struct Writer {
    /// The reply that the newest heading is about.
    reply: Option<String>,
    /// The tools that were called, by the call's id.
    tools: HashMap<String, String>,
}

impl Writer {
    /// Whether a record is folded: an attachment that is about no call.
    pub(super) fn is_folded(&self, record: &Record<'_>) -> bool {
        is_attachment(record) && hook_of(&read(record)).is_none_or(|call| !self.tools.contains_key(call))
    }

    /// Writes a record: a heading where a turn begins, and its blocks.
    pub(super) fn record(&mut self, out: &mut String, record: &Record<'_>) {
        let value = read(record);
        let blocks = blocks(&value);
        if is_attachment(record) {
            return hook(out, record, &value);
        }
        if !blocks.is_empty() && blocks.iter().all(|block| class(block) == "result") {
            self.reply = None;
        } else {
            self.heading(out, record, &value);
        }
        let Some(most) = most(out) else {
            *out += "\n*not shown: the document is full*\n";
            return;
        };
        for block in blocks.iter().take(BLOCKS) {
            self.block(out, record, &value, block, most);
        }
        if blocks.len() > BLOCKS {
            *out += &format!("\n*{} more blocks left out*\n", count((blocks.len() - BLOCKS) as u64));
        }
        let is_message = !blocks.is_empty() && value.get("message").is_some();
        if let Some(rest) = rest(&value, !blocks.is_empty(), &ENVELOPE).filter(|_| !is_message) {
            *out += &format!("\n{}", fenced("", "json", &cut(&rest, most.min(OF_MEMBERS))));
        }
    }

    /// A heading, but for a further line of the same reply.
    fn heading(&mut self, out: &mut String, record: &Record<'_>, value: &Value) {
        let id = value.get("message").and_then(|message| string(message, "id")).map(str::to_owned);
        if id.is_some() && self.reply == id {
            return;
        }
        self.reply = id;
        let kind = record.type_name();
        let sort = string(value, "subtype").map(|sort| format!(" {}", code(sort))).unwrap_or_default();
        let kind = match &*kind {
            "user" | "assistant" | "system" => kind.into_owned(),
            "" => "no type".to_owned(),
            other => code(other),
        };
        let is_boundary = kind == "system" && string(value, "subtype") == Some("compact_boundary");
        let kind = if is_boundary { "compaction".to_owned() } else { format!("{kind}{sort}") };
        let flags = ["isMeta", "isCompactSummary", "isApiErrorMessage", "isSidechain"];
        let flags: String = flags
            .iter()
            .filter(|flag| value.get(**flag) == Some(&Value::Bool(true)))
            .map(|flag| format!(", {flag}"))
            .collect();
        let time =
            record.head.time.map(|time| format!(", {}", code(&in_short(&record.text(time))))).unwrap_or_default();
        *out += &format!("\n### {kind}, line {}{time}{flags}\n", count(record.line));
    }

    fn block(&mut self, out: &mut String, record: &Record<'_>, value: &Value, block: &Value, most: usize) {
        match (class(block), string(block, "text"), string(block, "thinking")) {
            ("text", Some(text), _) if !text.is_empty() => *out += &format!("\n{}", quoted(&cut(text, most))),
            ("text", ..) => *out += "\n*an empty text*\n",
            ("thinking", _, None | Some("")) => *out += "\n*thinking that cannot be read*\n",
            ("thinking", _, Some(thought)) => {
                let says = size(thought.len() as u64, "byte");
                let thought = quoted(&cut(thought, most));
                *out += &format!("\n<details>\n<summary>thinking, {says}</summary>\n\n{thought}\n</details>\n");
            }
            ("call", ..) => self.call(out, record, block, most),
            ("result", ..) => self.result(out, record, value, block, most),
            ("media", ..) => media(out, block),
            _ => json(out, block, most),
        }
    }

    fn call(&mut self, out: &mut String, record: &Record<'_>, block: &Value, most: usize) {
        let tool = string(block, "name").unwrap_or("no name");
        let id = string(block, "id").unwrap_or_default();
        self.tools.insert(id.to_owned(), tool.to_owned());
        *out += &format!("\n**Call of {}** {}, line {}\n", code(tool), code(id), count(record.line));
        match block.get("input") {
            Some(input) if input.is_object() => members(out, input, most),
            Some(input) => json(out, input, most),
            None => *out += "\n*no input*\n",
        }
    }

    fn result(&self, out: &mut String, record: &Record<'_>, value: &Value, block: &Value, most: usize) {
        let id = string(block, "tool_use_id").unwrap_or_default();
        let tool = self.tools.get(id).map_or("a call", String::as_str);
        let what = if block.get("is_error") == Some(&Value::Bool(true)) { "Error" } else { "Result" };
        let decided =
            decided(value).filter(|(is_denied, _)| *is_denied).map(|(_, words)| format!(": {}", code(&words)));
        let line = count(record.line);
        *out += &format!("\n**{what} of {}** {}, line {line}{}\n", code(tool), code(id), decided.unwrap_or_default());
        match block.get("content") {
            Some(Value::String(text)) => *out += &format!("\n{}", fenced("", "text", &cut(text, most))),
            Some(Value::Array(list)) if !list.is_empty() => parts(out, list, most),
            None | Some(Value::Null | Value::Array(_)) => *out += "\n*no content*\n",
            Some(other) => json(out, other, most),
        }
    }
}

/// The members of an input: a line each, and those of several lines by themselves.
fn members(out: &mut String, input: &Value, most: usize) {
    let members = || input.as_object().into_iter().flatten().take(BLOCKS);
    let is_long = |value: &Value| value.as_str().is_some_and(|text| text.contains('\n'));
    let short = members().filter(|(_, value)| !is_long(value));
    let line = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let lines: Vec<String> =
        short.map(|(name, value)| format!("{}: {}", name.replace('\n', " "), cut(&line(value), most))).collect();
    if !lines.is_empty() {
        *out += &format!("\n{}", fenced("", "text", &lines.join("\n")));
    }
    for (name, value) in members().filter(|(_, value)| is_long(value)) {
        let text = cut(value.as_str().unwrap_or_default(), most);
        *out += &format!("\n{}:\n\n{}", code(name), fenced("", "text", &text));
    }
}

/// What a hook said of a call.
fn hook(out: &mut String, record: &Record<'_>, value: &Value) {
    let attachment = value.get("attachment").unwrap_or(value);
    let (hook, ended) = hook_ended(attachment);
    *out += &format!("\n**Hook {} {}**, line {}\n", code(hook), inline(ended), count(record.line));
    let members = without(attachment, &["type", "hookName", "hookEvent"]);
    match most(out) {
        Some(most) => json(out, &Value::Object(members), most),
        None => *out += "\n*not shown: the document is full*\n",
    }
}
