//! What is *attached* is yielded as it was given. What comes of a hook names the hook's event and its call.

use turnproof_format::attachments::{EVERYTHING, attachment as row};

use crate::json::Value;

use super::details::{About, Flaw};
use super::model::Hook;
use crate::rules::alike::{alike, excerpt};
use crate::rules::value::{kind, text};

/// What is wrong with an attachment: members that were given and that the table of attachments does not call free.
pub(super) fn attachment(given: &Value, message: &Value) -> Vec<Flaw> {
    let free = row(kind(given), text(given, "hookEvent").unwrap_or_default()).map_or(&[][..], |row| row.free);
    if free.contains(&EVERYTHING) {
        return Vec::new();
    }
    let judged = |attachment: &Value| {
        let mut attachment = attachment.clone();
        free.iter().for_each(|path| remove(&mut attachment, path));
        attachment
    };
    let (given, found) = (judged(given), judged(message.get("attachment").unwrap_or(&Value::Null)));
    let mut flaws = Vec::new();
    for (name, value) in given.as_object().into_iter().flatten().filter(|(name, _)| *name != "type") {
        let there = found.get(name);
        if there.is_none_or(|there| !alike(value, there)) {
            let shown = |value: &Value| excerpt(value.to_string(), 80);
            let (type_name, found) = (kind(&given), there.map_or_else(|| "missing".to_owned(), shown));
            let found = sentence!(
                "`{name}` of an attachment of the type {type_name:?} is {found}",
                name = name.as_str(),
                type_name,
                found
            );
            let kind = if there.is_none_or(Value::is_null) { "missing" } else { "changed" };
            flaws.push((About::Attachment, (kind, found, sentence!("{value}", value = shown(value)))));
        }
    }
    flaws
}

/// Removes the value at a path of the table.
fn remove(value: &mut Value, path: &str) {
    let (step, rest) = path.split_once('.').map_or((path, None), |(step, rest)| (step, Some(rest)));
    let Some(members) = value.as_object_mut() else { return };
    let Some(rest) = rest else {
        members.remove(step);
        return;
    };
    match step.strip_suffix("[]").map(|list| members.get_mut(list)) {
        Some(list) => list.and_then(Value::as_array_mut).into_iter().flatten().for_each(|it| remove(it, rest)),
        None => members.get_mut(step).into_iter().for_each(|member| remove(member, rest)),
    }
}

/// What is wrong with the message of a hook that has run.
pub(super) fn hook(kind: &str, run: Hook<'_>, message: &Value) -> Vec<Flaw> {
    let body = if kind == "attachment" { message.get("attachment").unwrap_or(&Value::Null) } else { message };
    // A notice is of the end of a turn.
    let event = Some(run.event).filter(|_| kind != "system");
    let mut flaws = Vec::new();
    for (kind, name, expected) in [("hook-call", "toolUseID", run.call), ("hook-event", "hookEvent", event)] {
        let Some(expected) = expected.filter(|expected| text(body, name) != Some(expected)) else { continue };
        let found = body.get(name).unwrap_or(&Value::Null).to_string();
        let found = sentence!("`{name}` of what came of a hook is {found}", name, found);
        flaws.push((About::Attachment, (kind, found, sentence!("{expected:?}", expected))));
    }
    flaws
}
