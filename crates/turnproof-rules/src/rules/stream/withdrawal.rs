//! What is *withdrawn* when a stream is abandoned, and that nothing of it stays.

use std::collections::HashMap;

use serde_json::Value;

use super::model::{Happened, text};
use super::shown::{Case, Shown, joined_are_told_apart};
use crate::rules::{Judge, Place, RuleEntry, StreamEvidence, StreamList, Verdict, Violation};

pub(super) const TOMBSTONES_EXACT: RuleEntry =
    rule!("stream/tombstones-exact", Error, Judge::Accumulate(tombstones_exact));

fn tombstones_exact(case: &StreamEvidence<'_>) -> Verdict {
    let case = match Case::read(case) {
        Ok(case) => case,
        Err(verdict) => return verdict,
    };
    if case.pairs().is_none() {
        return Verdict::NotApplicable("there are other messages");
    }
    let found = lines_and_tombstones(&case);
    let has_tombstone = found.iter().any(|step| !matches!(step, Step::Line(_)));
    if !case.has_fallback() && !has_tombstone {
        return Verdict::NotApplicable("no stream is abandoned");
    }
    // Whether a stream ends with its reply or with the try is not laid down.
    let (of_reply, of_try) = (expected(&case, false), expected(&case, true));
    if found == of_reply || found == of_try {
        return Verdict::Holds;
    }
    let same = found.iter().zip(&of_reply).take_while(|(a, b)| a == b).count();
    let in_words = |steps: &[Step]| match steps.get(same) {
        Some(Step::Line(line)) => format!("the message of block {line}"),
        Some(Step::Tombstone(line)) => format!("a tombstone for the message of block {line}"),
        Some(Step::Unknown) => "a tombstone for a message that was never shown".to_owned(),
        None => "nothing".to_owned(),
    };
    let place = Place::Streamed { list: StreamList::LinesAndTombstones, index: same as u32 };
    Verdict::Broken(vec![Violation::new(TOMBSTONES_EXACT.id, place, in_words(&found), in_words(&of_reply))])
}

/// A message of a block that is shown, or withdrawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Line(usize),
    Tombstone(usize),
    Unknown,
}

/// What the subject showed and withdrew.
fn lines_and_tombstones(case: &Case<'_, '_>) -> Vec<Step> {
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    let mut steps = Vec::new();
    let mut lines = 0..;
    for shown in case.shown {
        match shown {
            Shown::Line(line) => {
                let number = lines.next().unwrap_or_default();
                numbers.insert(text(line, "uuid").unwrap_or_default(), number);
                steps.push(Step::Line(number));
            }
            Shown::Tombstone(uuid) => {
                steps.push(numbers.get(uuid).map_or(Step::Unknown, |&number| Step::Tombstone(number)));
            }
            Shown::User(_) => {}
        }
    }
    steps
}

/// What is to be shown and withdrawn.
fn expected(case: &Case<'_, '_>, is_of_try: bool) -> Vec<Step> {
    let mut steps = Vec::new();
    for happened in &case.model.happened {
        match happened {
            Happened::Line(line) => steps.push(Step::Line(*line)),
            Happened::Abandoned { of_reply, of_try } => {
                let withdrawn = if is_of_try { of_try } else { of_reply };
                steps.extend(withdrawn.iter().map(|&line| Step::Tombstone(line)));
            }
            Happened::User(_) => {}
        }
    }
    steps
}

pub(super) const NO_WITHDRAWN_SURVIVOR: RuleEntry =
    rule!("stream/no-withdrawn-survivor", Error, Judge::Accumulate(no_withdrawn_survivor));

fn no_withdrawn_survivor(case: &StreamEvidence<'_>) -> Verdict {
    let Ok(output) = &case.output else { return Verdict::NotApplicable("there is no output") };
    let withdrawn = case.withdrawn();
    if withdrawn.messages.is_empty() {
        return Verdict::NotApplicable("nothing is withdrawn");
    }
    if !joined_are_told_apart(&case.items) {
        return Verdict::NotApplicable("messages that join share a uuid, or have none");
    }
    let mut violations = Vec::new();
    let slots = output.slots.as_ref().map_or(&[][..], |slots| slots.elements());
    for (list, messages) in [(StreamList::Live, output.live.elements()), (StreamList::Slots, slots)] {
        for (index, message) in (0..).zip(messages) {
            let is_message = text(message, "type") != Some("tombstone");
            let Some(uuid) = text(message, "uuid").filter(|uuid| is_message && withdrawn.hides(uuid)) else {
                continue;
            };
            let why = match withdrawn.messages.contains(uuid) {
                true => "which was withdrawn",
                false => "which holds results of withdrawn calls alone",
            };
            let found = format!("`{}` holds {uuid:?}, {why}", list.name());
            let place = Place::Streamed { list, index };
            violations.push(Violation::new(NO_WITHDRAWN_SURVIVOR.id, place, found, "nothing of it"));
        }
    }
    Verdict::from_violations(violations)
}

/// The uuid of the message that stands or stood in a place.
pub(super) fn place_of(slot: &Value) -> &str {
    match text(slot, "type") {
        Some("tombstone") => super::shown::withdrawn_by(slot),
        _ => text(slot, "uuid").unwrap_or_default(),
    }
}
