//! The *whole message*: what the events describe is what comes out.

use std::collections::HashMap;

use serde_json::Value;

use super::model::{content, text};
use super::shown::{Case, Shown, Withdrawn, without_nulls};
use crate::rules::alike::{alike, canonical, in_short};
use crate::rules::{Judge, Place, RuleEntry, StreamEvidence, StreamList, Verdict, Violation};

pub(super) const ACCUMULATES: RuleEntry = rule!("stream/accumulates", Error, Judge::Accumulate(accumulates));

fn accumulates(evidence: &StreamEvidence<'_>) -> Verdict {
    let case = match Case::read(evidence) {
        Ok(case) => case,
        Err(verdict) => return verdict,
    };
    if case.model.replies.is_empty() && case.model.users.is_empty() {
        return Verdict::NotApplicable("no reply begins and nobody speaks");
    }
    let mut violations = wrong_wholes(&case);
    violations.extend(wrong_blocks(&case, evidence.live()));
    violations.extend(wrong_list(&case, evidence.withdrawn()));
    Verdict::from_violations(violations)
}

fn violation(list: StreamList, index: usize, found: String, expected: String) -> Violation {
    let place = Place::Streamed { list, index: index as u32 };
    Violation::new(ACCUMULATES.id, place, found, expected)
}

/// What is wrong with the whole messages.
fn wrong_wholes(case: &Case<'_, '_>) -> Vec<Violation> {
    let Some(given) = &case.output.messages else { return Vec::new() };
    let given = given.elements();
    let expected = &case.model.replies;
    if given.len() != expected.len() {
        let found = format!("{} whole messages", given.len());
        let expected = format!("{}, one for each stream that began", expected.len());
        return vec![violation(StreamList::Wholes, 0, found, expected)];
    }
    let mut violations = Vec::new();
    for (index, (found, reply)) in given.iter().zip(expected).enumerate() {
        if reply.is_whole(found) {
            continue;
        }
        let (whole, is_all) = reply.whole();
        let mut found = without_nulls(found);
        let whole = without_nulls(&whole);
        if !is_all {
            // What an unfinished block looks like is the subject's own.
            let stopped = whole.get("content").and_then(Value::as_array).map_or(0, Vec::len);
            if let Some(content) = found.get_mut("content").and_then(Value::as_array_mut) {
                content.truncate(stopped);
            }
        }
        let found = format!("as a whole: {}", in_short(&found));
        violations.push(violation(StreamList::Wholes, index, found, in_short(&whole)));
    }
    violations
}

/// What is wrong with the blocks of the messages that were yielded, then and in the list of what remains.
fn wrong_blocks(case: &Case<'_, '_>, live: &HashMap<&str, &Value>) -> Vec<Violation> {
    let mut violations = Vec::new();
    for (index, (line, shown)) in case.pairs().into_iter().flatten().enumerate() {
        let mut compare = |message: &Value, in_words: fn(&Value) -> String| {
            if let [block] = content(message)
                && !alike(block, &line.block)
            {
                let found = format!("the block {}", in_words(block));
                let expected = in_short(&canonical(&line.block));
                violations.push(violation(StreamList::Lines, index, found, expected));
            }
        };
        compare(shown, |block| in_short(&canonical(block)));
        if let Some(remains) = text(shown, "uuid").and_then(|uuid| live.get(uuid)) {
            compare(remains, in_short);
        }
    }
    let users = case.shown.iter().filter_map(|shown| match shown {
        Shown::User(user) => Some(user),
        _ => None,
    });
    for (index, (found, expected)) in users.zip(&case.model.users).enumerate() {
        if !alike(found, expected) {
            let found = format!("the user message {}", in_short(&canonical(found)));
            violations.push(violation(StreamList::Users, index, found, in_short(expected)));
        }
    }
    violations
}

/// What is missing in the list of what remains, or stands there in another order.
fn wrong_list(case: &Case<'_, '_>, withdrawn: &Withdrawn<'_>) -> Option<Violation> {
    let is_judged = |uuid: &&str| !withdrawn.hides(uuid) && !withdrawn.mixed.contains(*uuid);
    let yielded = case.shown.iter().filter_map(|shown| match shown {
        Shown::Line(message) | Shown::User(message) => text(message, "uuid"),
        Shown::Tombstone(_) => None,
    });
    let expected: Vec<&str> = yielded.filter(is_judged).collect();
    let is_message = |message: &&Value| matches!(text(message, "type"), Some("assistant" | "user"));
    let is_error = |message: &&Value| message.get("isApiErrorMessage") == Some(&Value::Bool(true));
    let remaining = case.output.live.elements().iter().filter(is_message).filter(|message| !is_error(message));
    let found: Vec<&str> = remaining.filter_map(|message| text(message, "uuid")).filter(is_judged).collect();
    if found == expected {
        return None;
    }
    let found = format!("there remain {found:?}");
    Some(violation(StreamList::Live, 0, found, format!("{expected:?}")))
}
