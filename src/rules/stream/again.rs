//! The same stream *again*, as it was and cut otherwise.

use std::collections::HashMap;

use serde_json::Value;

use super::model::{FAULTS, Fault, Model};
use super::shown::{canonical, in_short};
use crate::operation::{Plain, StreamFault, Streamed};
use crate::rules::{Judge, Place, Rule, Severity, StreamEvidence, Verdict, Violation};

pub(super) const CHUNKING_INVARIANT: Rule = Rule {
    id: "stream/chunking-invariant",
    title: "a stream that is cut otherwise gives the same messages",
    severity: Severity::Error,
    doc: "\
Where a stream is cut means nothing: the network cuts bytes anywhere, in the middle of a character, between the two \
bytes of a line's end, and the API cuts texts and JSON into deltas as it likes. The same reply in other pieces \
gives the same messages, but for ids and times.

What breaks it: bytes decoded piece by piece, so that a character on the seam turns into U+FFFD; JSON of an input \
that is parsed before it is whole; a line that is taken for ended because a piece ends; an empty first delta that \
is taken for an empty input. Such bugs come and go with the load of the network, and nobody can repeat them.",
    example: concat!(
        r#"{"items":[],"output":{"Ok":{"events":[],"live":[]}},"#,
        r#""cut_otherwise":{"Ok":{"events":[],"live":[{"type":"assistant","uuid":"a1"}]}}}"#,
    )
    .as_bytes(),
    remedy: "Collect bytes until a line is whole, then decode; collect JSON until its block stops, then parse.",
    sources: &["spec 4", "anthropics/claude-code changelog 2.1.94"],
    judge: Judge::Accumulate(chunking_invariant),
};

fn chunking_invariant(case: &StreamEvidence<'_>) -> Verdict {
    let Some(otherwise) = &case.cut_otherwise else {
        return Verdict::NotApplicable("the stream was not cut otherwise");
    };
    let name = |fault: &StreamFault| fault.name.clone();
    let violation = match (&case.output, otherwise) {
        (Ok(output), Ok(otherwise)) => {
            match difference(&Compared::read(output, &name), &Compared::read(otherwise, &name)) {
                None => return Verdict::Holds,
                Some((found, expected)) => {
                    Violation::new(CHUNKING_INVARIANT.id, Place::Whole, found, expected)
                }
            }
        }
        (Err(_), Err(_)) => return Verdict::NotApplicable("there is no output"),
        (Ok(_), Err(why)) => Violation::new(
            CHUNKING_INVARIANT.id,
            Place::Whole,
            format!("cut otherwise there is no output: {why}"),
            "the same output",
        ),
        (Err(why), Ok(_)) => Violation::new(
            CHUNKING_INVARIANT.id,
            Place::Whole,
            format!("only cut otherwise there is an output; else {why}"),
            "the same output",
        ),
    };
    Verdict::Broken(vec![violation])
}

/// An output, ready to be compared: ids by their order, without times.
#[derive(Debug, PartialEq)]
struct Compared {
    parts: [(&'static str, Option<Value>); 4],
    fault: Option<String>,
}

impl Compared {
    fn read(output: &Streamed, fault: &dyn Fn(&StreamFault) -> String) -> Self {
        let mut names = HashMap::new();
        for plain in [&output.events, &output.live] {
            name_ids(&plain.value, &mut names);
        }
        let plain = |part: &Plain| renamed(&canonical(&part.value), &names);
        Self {
            parts: [
                ("events", Some(plain(&output.events))),
                ("live", Some(plain(&output.live))),
                ("slots", output.slots.as_ref().map(plain)),
                ("messages", output.messages.as_ref().map(plain)),
            ],
            fault: output.fault.as_ref().map(fault),
        }
    }
}

/// The first part in which two outputs differ, the second one's and the first one's.
fn difference(first: &Compared, second: &Compared) -> Option<(String, String)> {
    for ((name, first), (_, second)) in first.parts.iter().zip(&second.parts) {
        if first != second {
            let in_words =
                |part: &Option<Value>| part.as_ref().map_or_else(|| "nothing".to_owned(), in_short);
            return Some((format!("`{name}` is {}", in_words(second)), in_words(first)));
        }
    }
    let in_words = |fault: &Option<String>| fault.clone().unwrap_or_else(|| "no fault".to_owned());
    (first.fault != second.fault).then(|| (in_words(&second.fault), in_words(&first.fault)))
}

/// Numbers the uuids of messages in the order in which they are met.
fn name_ids(value: &Value, names: &mut HashMap<String, String>) {
    match value {
        Value::Array(elements) => elements.iter().for_each(|element| name_ids(element, names)),
        Value::Object(members) => {
            if let Some(Value::String(uuid)) = members.get("uuid") {
                let next = format!("id {}", names.len());
                names.entry(uuid.clone()).or_insert(next);
            }
            members.values().for_each(|member| name_ids(member, names));
        }
        _ => {}
    }
}

/// The value with numbered ids and without times.
fn renamed(value: &Value, names: &HashMap<String, String>) -> Value {
    match value {
        Value::Array(elements) => elements.iter().map(|element| renamed(element, names)).collect(),
        Value::Object(members) => {
            let is_time = |name: &str| matches!(name, "timestamp" | "createdAt");
            let kept = members.iter().filter(|(name, _)| !is_time(name));
            let link = |name: &str, member: &Value| match member {
                Value::String(id) if name.to_ascii_lowercase().ends_with("uuid") => {
                    Value::from(names.get(id).unwrap_or(id).as_str())
                }
                other => renamed(other, names),
            };
            Value::Object(kept.map(|(name, member)| (name.clone(), link(name, member))).collect())
        }
        other => other.clone(),
    }
}

pub(super) const TOTAL: Rule = Rule {
    id: "stream/total",
    title: "any sequence of events gives an answer, the same each time, and names the first fault",
    severity: Severity::Error,
    doc: "\
Events come from a network, through proxies that repeat, drop and invent them. Whatever comes, in whatever order, \
with whatever index, ends in messages and, if something was wrong, in a named fault: the first thing that was wrong, \
at the item where it was. Fault names are those of the table in the module `stream`, so that a caller can decide by \
them whether to try again; an orderly stream has none.

The official libraries raise untyped errors for some of these cases and pass over others, each its own: an unknown \
index is an IndexError in one and silence in another. A caller that sees neither a fault nor a whole message \
takes the half for the whole.",
    example: r#"{"items":[{"event":"{\"type\":\"message_stop\"}"}],"output":{"Ok":{"events":[],"live":[]}}}"#
        .as_bytes(),
    remedy: "Decide for each state what each event does there, and give each deviation its name; keep the first one.",
    sources: &["spec 4"],
    judge: Judge::Accumulate(total),
};

fn total(case: &StreamEvidence<'_>) -> Verdict {
    let broken = |found: String, expected: &str| {
        Verdict::Broken(vec![Violation::new(TOTAL.id, Place::Whole, found, expected)])
    };
    let output = match &case.output {
        Ok(output) => output,
        Err(why) => return broken(format!("no output: {why}"), "an output"),
    };
    let parts = [Some(&output.events), Some(&output.live), output.slots.as_ref(), output.messages.as_ref()];
    if let Some(part) = parts.into_iter().flatten().find(|part| !part.value.is_array()) {
        return broken(format!("a part of the output is {}", in_short(&part.value)), "lists");
    }
    let mut violations = Vec::new();
    let exact = |fault: &StreamFault| format!("{} at item {}", fault.name, fault.item);
    match &case.again {
        Some(Ok(again)) => {
            if let Some((found, expected)) =
                difference(&Compared::read(output, &exact), &Compared::read(again, &exact))
            {
                let found = format!("asked again: {found}");
                violations.push(Violation::new(TOTAL.id, Place::Whole, found, expected));
            }
        }
        Some(Err(why)) => {
            let found = format!("asked again there is no output: {why}");
            violations.push(Violation::new(TOTAL.id, Place::Whole, found, "the same output"));
        }
        None => {}
    }
    violations.extend(wrong_fault(case, output.fault.as_ref()));
    match case.items.is_empty() {
        true if violations.is_empty() => Verdict::NotApplicable("nothing comes"),
        _ => Verdict::from_violations(violations),
    }
}

/// What is wrong with the fault that was named, or with there being none.
fn wrong_fault(case: &StreamEvidence<'_>, fault: Option<&StreamFault>) -> Option<Violation> {
    let violation =
        |found: String, expected: String| Some(Violation::new(TOTAL.id, Place::Whole, found, expected));
    if let Some(fault) = fault.filter(|fault| !FAULTS.contains(&fault.name.as_str())) {
        return violation(format!("the fault {:?}", fault.name), "a name of the table".to_owned());
    }
    let model = case.model().ok()?;
    let first = model.faults.iter().find(|fault| fault.is_certain);
    let (found, is_right) = match fault {
        None => ("no fault".to_owned(), first.is_none()),
        Some(fault) => (format!("{} at item {}", fault.name, fault.item), fits(model, fault)),
    };
    let expected = || match first {
        Some(fault) => format!("{} at item {}", fault.names.join(" or "), fault.item),
        None => "no fault".to_owned(),
    };
    if is_right { None } else { violation(found, expected()) }
}

/// Whether a fault may be named as the first.
fn fits(model: &Model, named: &StreamFault) -> bool {
    let is_its = |fault: &Fault| {
        let is_there = fault.item as u64 == named.item || model.is_cut_at_return;
        is_there && fault.names.contains(&named.name.as_str())
    };
    let first = model.faults.iter().position(|fault| fault.is_certain);
    let candidates = model.faults.iter().take(first.map_or(usize::MAX, |first| first + 1));
    if candidates.into_iter().any(is_its) {
        return true;
    }
    // A stream that was asked for before its end.
    let is_unfinished = model.replies.is_empty() || model.replies.iter().any(|reply| !reply.is_finished);
    let is_before =
        first.and_then(|first| model.faults.get(first)).is_none_or(|fault| named.item < fault.item as u64);
    named.name == "unfinished" && is_unfinished && is_before
}
