//! Rules on what both requests have: it says the same, in the same order.

use std::borrow::Cow;

use crate::json::Value;
use crate::operation::RequestPair;
use crate::operation::history::Piece;
use crate::rules::value::text;
use crate::rules::{Report, Severity};

use super::{place, unless_reminder};

/// The pieces that both have and that are not the same.
fn changed<'p, 'a>(pair: &'p RequestPair<'a>) -> impl Iterator<Item = (&'p Piece<'a>, &'p Piece<'a>)> {
    let alignment = &pair.alignment;
    let both = alignment.kept[alignment.same..].iter().chain(&alignment.moved);
    let both = both.map(|&(before, after)| (&pair.before[before], &pair.after[after]));
    both.filter(|(before, after)| before.said != after.said)
}

/// The pieces that are there with other words.
fn rewritten<'p, 'a>(pair: &'p RequestPair<'a>) -> impl Iterator<Item = (&'p Piece<'a>, &'p Piece<'a>)> {
    let pairs = pair.alignment.gaps.iter().flat_map(|gap| &gap.rewritten);
    pairs.map(|&(before, after)| (&pair.before[before], &pair.after[after]))
}

pub(super) fn thinking_changed(pair: &RequestPair<'_>, report: &mut Report<'_>) {
    for (before, after) in changed(pair).chain(rewritten(pair)).filter(|(before, _)| before.is_thinking()) {
        let is_signed_anew = before.signature() != after.signature();
        let (kind, found) = match is_signed_anew {
            true => ("signature", sentence!("thinking has another signature than {path} before", path = before.path())),
            false => ("thinking", sentence!("thinking has another text than {path} before", path = before.path())),
        };
        report.add(place(after), kind, found, "thinking as the host gave it, to the byte");
    }
}

pub(super) fn input_changed(pair: &RequestPair<'_>, report: &mut Report<'_>) {
    for (before, after) in changed(pair).filter(|(before, _)| before.is_call()) {
        let id = text(after.value, "id").unwrap_or_default();
        let of = |name: &str| before.value.get(name) == after.value.get(name);
        let (kind, found) = match (of("name"), of("input")) {
            (false, _) => ("name", sentence!("the call {id} has another name than before", id)),
            (_, false) => ("input", sentence!("the call {id} has another input than before", id)),
            _ => ("members", sentence!("the call {id} has other members than before", id)),
        };
        report.add(place(after), kind, found, "the call as the model made it");
    }
}

pub(super) fn result_changed(pair: &RequestPair<'_>, report: &mut Report<'_>) {
    for (before, after) in changed(pair).filter(|(before, _)| before.is_result()) {
        let id = text(after.value, "tool_use_id").unwrap_or_default();
        if said(before.value) == said(after.value) {
            let found = sentence!("reminders in the result of {id} changed", id);
            report.note(place(after), "reminder", found, "the result as it was");
            continue;
        }
        if is_cleared(&said(after.value)) {
            let found = sentence!("the result of {id} was cleared", id);
            report.note(place(after), "cleared", found, "the result as it was, or a compaction that clears it");
            continue;
        }
        let found = sentence!("the result of {id} says something else than before", id);
        report.add(place(after), "content", found, "the result as it was sent first");
    }
}

/// So long is a text that stands for a result.
const PLACEHOLDER: usize = 200;

/// Whether what a result says is a short note in brackets: `[Old tool result content cleared]`.
fn is_cleared(content: &str) -> bool {
    content.is_empty() || content.len() < PLACEHOLDER && (content.starts_with('[') || content.starts_with('<'))
}

/// What a result says, without the reminders that clients put into it. Images and documents are JSON.
fn said(result: &Value) -> String {
    let parts: Vec<Cow<'_, str>> = match result.get("content") {
        Some(Value::String(text)) => vec![Cow::Borrowed(&**text)],
        Some(Value::Array(blocks)) => blocks.iter().map(part).collect(),
        _ => Vec::new(),
    };
    let parts = parts.iter().map(|part| without_reminders(part)).filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join("\n")
}

fn part(block: &Value) -> Cow<'_, str> {
    text(block, "text").map_or_else(|| Cow::Owned(block.to_string()), Cow::Borrowed)
}

fn without_reminders(text: &str) -> String {
    const END: &str = "</system-reminder>";
    let mut pieces = text.split("<system-reminder>");
    let first = pieces.next().unwrap_or_default().to_owned();
    let said = pieces.fold(first, |said, piece| said + piece.split_once(END).map_or("", |(_, behind)| behind));
    said.trim().to_owned()
}

pub(super) fn text_changed(pair: &RequestPair<'_>, report: &mut Report<'_>) {
    for (before, after) in rewritten(pair).filter(|(before, _)| !before.is_thinking()) {
        let (role, kind) = (before.role, if before.is_assistant() { "assistant" } else { "user" });
        let found = match before.kind {
            "text" => sentence!("the {role} says something else than at {path} before", role, path = before.path()),
            what => sentence!("the {what} is another than at {path} before", what, path = before.path()),
        };
        let severity = unless_reminder(before, Severity::Error);
        report.rate(place(after), kind, found, "what was said before", severity);
    }
}

pub(super) fn order(pair: &RequestPair<'_>, report: &mut Report<'_>) {
    for &(before, after) in &pair.alignment.moved {
        let (before, after) = (&pair.before[before], &pair.after[after]);
        let found = sentence!("what was at {path} is said elsewhere", path = before.path());
        report.rate(place(after), "moved", found, "the order of before", unless_reminder(before, Severity::Error));
    }
}
