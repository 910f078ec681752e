//! The same stream *again*, as it was and cut otherwise.

use std::borrow::Cow;
use std::collections::HashMap;

use serde_json::Value;

use super::model::{FAULTS, Fault, Model};
use crate::operation::{Plain, StreamFault, Streamed};
use crate::rules::alike::{alike, alike_members, canonical, in_short};
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
        (Ok(output), Ok(otherwise)) => match difference(output, otherwise, &name) {
            None => return Verdict::Holds,
            Some((found, expected)) => Violation::new(CHUNKING_INVARIANT.id, Place::Whole, found, expected),
        },
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

/// The lists of an output.
fn lists<'a>(output: &'a Streamed) -> [(&'static str, Option<&'a Value>); 4] {
    let value = |list: Option<&'a Plain>| list.map(|list| &list.value);
    [
        ("events", Some(&output.events.value)),
        ("live", Some(&output.live.value)),
        ("slots", value(output.slots.as_ref())),
        ("messages", value(output.messages.as_ref())),
    ]
}

/// The first part in which two outputs differ, the second one's and the first one's; ids are known by their
/// order, and times are not compared.
fn difference(
    first: &Streamed,
    second: &Streamed,
    fault: &dyn Fn(&StreamFault) -> String,
) -> Option<(String, String)> {
    different_list(first, second).or_else(|| {
        let (first, second) = (first.fault.as_ref().map(fault), second.fault.as_ref().map(fault));
        let in_words = |fault: Option<String>| fault.unwrap_or_else(|| "no fault".to_owned());
        (first != second).then(|| (in_words(second), in_words(first)))
    })
}

fn different_list(first: &Streamed, second: &Streamed) -> Option<(String, String)> {
    let (first_lists, second_lists) = (lists(first), lists(second));
    // What is equal to the letter needs no closer look.
    if first_lists.iter().zip(&second_lists).all(|(one, other)| one == other) {
        return None;
    }
    let (names, other_names) = (Names::of(first), Names::of(second));
    let is_same = |one: Option<&Value>, other: Option<&Value>| match (one, other) {
        (Some(one), Some(other)) => names.is_same(one, other, &other_names),
        (one, other) => one.is_none() && other.is_none(),
    };
    let mut pairs = first_lists.into_iter().zip(second_lists);
    let ((name, one), (_, other)) = pairs.find(|((_, one), (_, other))| !is_same(*one, *other))?;
    let in_words = |list: Option<&Value>, names: &Names<'_>| {
        list.map_or_else(|| "nothing".to_owned(), |list| in_short(&names.rename(list)))
    };
    Some((format!("`{name}` is {}", in_words(other, &other_names)), in_words(one, &names)))
}

/// The uuids of messages by their numbers, in the order in which they are met.
#[derive(Debug, Default)]
struct Names<'a>(HashMap<&'a str, usize>);

impl<'a> Names<'a> {
    /// The names in an output.
    fn of(output: &'a Streamed) -> Self {
        let mut names = Self::default();
        names.meet(&output.events.value);
        names.meet(&output.live.value);
        names
    }

    fn meet(&mut self, value: &'a Value) {
        match value {
            Value::Array(elements) => elements.iter().for_each(|element| self.meet(element)),
            Value::Object(members) => {
                if let Some(Value::String(uuid)) = members.get("uuid") {
                    let next = self.0.len();
                    self.0.entry(uuid).or_insert(next);
                }
                members.values().for_each(|member| self.meet(member));
            }
            _ => {}
        }
    }

    /// The name of an id; the id itself if it is no message's.
    fn name<'n>(&self, id: &'n str) -> Cow<'n, str> {
        self.0.get(id).map_or(Cow::Borrowed(id), |number| Cow::Owned(format!("id {number}")))
    }

    /// Whether two values are alike, with these names in the one and others in the other.
    fn is_same(&self, one: &Value, other: &Value, other_names: &Names<'_>) -> bool {
        match (one, other) {
            (Value::Array(one), Value::Array(other)) => {
                one.len() == other.len()
                    && one.iter().zip(other).all(|(one, other)| self.is_same(one, other, other_names))
            }
            (Value::Object(one), Value::Object(other)) => {
                let is_same = |name: &str, one: &Value, other: &Value| match (one, other) {
                    (Value::String(one), Value::String(other)) if is_id(name) => {
                        match (self.0.get(one.as_str()), other_names.0.get(other.as_str())) {
                            (Some(one), Some(other)) => one == other,
                            _ => self.name(one) == other_names.name(other),
                        }
                    }
                    (one, other) => self.is_same(one, other, other_names),
                };
                alike_members(one, other, |name, _| !is_time(name), is_same)
            }
            (one, other) => alike(one, other),
        }
    }

    /// The value in canonical form, with names for ids and without times.
    fn rename(&self, value: &Value) -> Value {
        match value {
            Value::Array(elements) => elements.iter().map(|element| self.rename(element)).collect(),
            Value::Object(members) => {
                let kept = members.iter().filter(|(name, _)| !is_time(name));
                let link = |name: &str, member: &Value| match member {
                    Value::String(id) if is_id(name) => Value::from(self.name(id)),
                    other => self.rename(other),
                };
                Value::Object(kept.map(|(name, member)| (name.clone(), link(name, member))).collect())
            }
            other => canonical(other),
        }
    }
}

/// Whether a member of this name holds a time.
fn is_time(name: &str) -> bool {
    matches!(name, "timestamp" | "createdAt")
}

/// Whether a member of this name holds the id of a message.
fn is_id(name: &str) -> bool {
    let start = name.len().saturating_sub("uuid".len());
    name.get(start..).is_some_and(|end| end.eq_ignore_ascii_case("uuid"))
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
            if let Some((found, expected)) = difference(output, again, &exact) {
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
