//! *One message a block*, and what comes to it late.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::model::{Happened, Late, Line, content, text};
use super::shown::{Case, Shown, alike_but_nulls, body, without_nulls};
use crate::rules::alike::{alike, canonical, in_short};
use crate::rules::{Judge, Place, RuleEntry, StreamEvidence, StreamList, Verdict, Violation};

pub(super) const ONE_MESSAGE_PER_BLOCK: RuleEntry =
    rule!("stream/one-message-per-block", Error, Judge::Accumulate(one_message_per_block));

fn one_message_per_block(case: &StreamEvidence<'_>) -> Verdict {
    let case = match Case::read(case) {
        Ok(case) => case,
        Err(verdict) => return verdict,
    };
    if case.model.lines.is_empty() && case.lines().next().is_none() {
        return Verdict::NotApplicable("no block is finished");
    }
    let mut violations: Vec<Violation> = wrong_order(&case).into_iter().collect();
    violations.extend(wrong_ids(&case));
    for (index, (line, shown)) in case.pairs().into_iter().flatten().enumerate() {
        let mut report = |found: String, expected: String| {
            let place = Place::Streamed { list: StreamList::Lines, index: index as u32 };
            violations.push(Violation::new(ONE_MESSAGE_PER_BLOCK.id, place, found, expected));
        };
        let blocks = content(shown).len();
        if blocks != 1 {
            report(format!("a message with {blocks} blocks"), "one block".to_owned());
        }
        for (name, expected) in ["id", "role"].into_iter().zip(&line.body) {
            let found = body(shown, name);
            if !alike(found, expected) {
                let found = canonical(found);
                report(format!("`{name}` is {found}"), format!("{expected}, as in the reply"));
            }
        }
        let model = body(shown, "model");
        if !line.models.iter().any(|expected| alike(expected, model)) {
            report(
                format!("`model` is {}", canonical(model)),
                format!("{}, as in the reply", in_short(&line.models[..].into())),
            );
        }
    }
    Verdict::from_violations(violations)
}

/// Where lines and user messages do not come in the order in which blocks stop and users speak.
fn wrong_order(case: &Case<'_, '_>) -> Option<Violation> {
    let expected: Vec<&str> = case
        .model
        .happened
        .iter()
        .filter_map(|happened| match happened {
            Happened::Line(_) => Some("assistant"),
            Happened::User(_) => Some("user"),
            Happened::Abandoned { .. } => None,
        })
        .collect();
    let found: Vec<&str> = case
        .shown
        .iter()
        .filter_map(|shown| match shown {
            Shown::Line(_) => Some("assistant"),
            Shown::User(_) => Some("user"),
            Shown::Tombstone(_) => None,
        })
        .collect();
    let same = expected.iter().zip(&found).take_while(|(a, b)| a == b).count();
    (expected != found).then(|| {
        let in_words = |kinds: &[&str]| kinds.get(same).map_or_else(|| "nothing".to_owned(), |&it| it.to_owned());
        let place = Place::Streamed { list: StreamList::Messages, index: same as u32 };
        let found = format!("{} messages, and here {}", found.len(), in_words(&found));
        let expected = format!("{}, and here {}", expected.len(), in_words(&expected));
        Violation::new(ONE_MESSAGE_PER_BLOCK.id, place, found, expected)
    })
}

/// Uuids that are missing or shared, and request ids that differ inside a reply.
fn wrong_ids(case: &Case<'_, '_>) -> Vec<Violation> {
    let mut seen = HashSet::new();
    let mut violations = Vec::new();
    let mut report = |list: StreamList, index: usize, found: String, expected: &str| {
        let place = Place::Streamed { list, index: index as u32 };
        violations.push(Violation::new(ONE_MESSAGE_PER_BLOCK.id, place, found, expected));
    };
    for (index, shown) in case.shown.iter().enumerate() {
        let (Shown::Line(message) | Shown::User(message)) = shown else { continue };
        match text(message, "uuid").filter(|uuid| !uuid.is_empty()) {
            Some(uuid) if seen.insert(uuid) => {}
            Some(uuid) => report(StreamList::Yielded, index, format!("the uuid {uuid:?} again"), "a uuid of its own"),
            None => report(StreamList::Yielded, index, "no uuid".to_owned(), "a uuid of its own"),
        }
    }
    let mut requests: HashMap<usize, &Value> = HashMap::new();
    for (index, (line, shown)) in case.pairs().into_iter().flatten().enumerate() {
        let request = shown.get("requestId").unwrap_or(&Value::Null);
        if !alike(requests.entry(line.reply).or_insert(request), request) {
            let request = canonical(request);
            let found = format!("the request id {request}");
            report(StreamList::Lines, index, found, "the same one in all messages of a reply");
        }
    }
    violations
}

pub(super) const LATE_FIELDS: RuleEntry = rule!("stream/late-fields", Error, Judge::Accumulate(late_fields));

fn late_fields(case: &StreamEvidence<'_>) -> Verdict {
    let live = case.live();
    let case = match Case::read(case) {
        Ok(case) => case,
        Err(verdict) => return verdict,
    };
    let Some(pairs) = case.pairs() else { return Verdict::NotApplicable("there are other messages") };
    if pairs.clone().all(|(line, _)| line.late.is_none()) {
        return Verdict::NotApplicable("nothing comes late to a message");
    }
    let mut violations = Vec::new();
    for (index, (line, shown)) in pairs.enumerate() {
        let mut compare = |message: &Value, expected: &Late, when: &str| {
            if let Some((name, found, expected)) = difference(message, expected, line) {
                let place = Place::Streamed { list: StreamList::Lines, index: index as u32 };
                let found = format!("{when} `{name}` is {}", in_short(&found));
                violations.push(Violation::new(LATE_FIELDS.id, place, found, in_short(&expected)));
            }
        };
        let early = [Value::Null, Value::Null, line.usage.clone()];
        compare(shown, &early, "when it was yielded");
        if let Some(message) = text(shown, "uuid").and_then(|uuid| live.get(uuid)) {
            compare(message, line.late.as_ref().unwrap_or(&early), "at the end");
        }
    }
    Verdict::from_violations(violations)
}

/// The first late field that is another one than expected: its name, what it is, what it should be.
fn difference(message: &Value, expected: &Late, line: &Line) -> Option<(&'static str, Value, Value)> {
    let names = ["stop_reason", "stop_sequence", "usage"];
    names.into_iter().zip(expected).find_map(|(name, expected)| {
        // A reply that begins without usage may be given a default one.
        if name == "usage" && line.usage.is_null() {
            return None;
        }
        let found = body(message, name);
        match name {
            "usage" if alike_but_nulls(found, expected) => None,
            "usage" => Some((name, without_nulls(found), without_nulls(expected))),
            _ if alike(found, expected) => None,
            _ => Some((name, canonical(found), canonical(expected))),
        }
    })
}
