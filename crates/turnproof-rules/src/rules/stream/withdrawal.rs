//! What is *withdrawn* when a stream is abandoned, and that nothing of it stays.

use std::collections::HashMap;

use serde_json::Value;

use super::model::{Happened, text};
use super::shown::{Case, Shown, joined_are_told_apart};
use crate::rules::{Judge, Place, Rule, Severity, StreamEvidence, StreamList, Verdict, Violation};

pub(super) const TOMBSTONES_EXACT: Rule = Rule {
    id: "stream/tombstones-exact",
    title: "an abandoned stream withdraws exactly what it has shown, in order, before the next try",
    severity: Severity::Error,
    doc: "\
When a model is overloaded in the middle of a reply, the client turns to another one and begins anew. What the \
first has shown is on the screen and in the list already. So for each of these messages, and for no other, a tombstone \
is yielded that names it, in the order in which they were shown, before the first message of the next try. A stream \
that has shown nothing, or that was abandoned before, withdraws nothing.

Where one is forgotten, the same answer stands there twice, and with it the same call: the API then refuses every \
turn because ids of calls are not unique. Where one is too many, an answer that was given is gone.",
    example: concat!(
        r#"{"items":["#,
        r#"{"event":"{\"type\":\"message_start\",\"message\":{\"id\":\"msg_1\",\"role\":\"assistant\",\"model\":\"m\",\"content\":[{\"type\":\"text\",\"text\":\"a\"}]}}"},"#,
        r#""abandon"],"output":{"Ok":{"#,
        r#""events":[{"type":"assistant","uuid":"a1","message":{"id":"msg_1","role":"assistant","model":"m","content":[{"type":"text","text":"a"}]}}],"#,
        r#""live":[{"type":"assistant","uuid":"a1","message":{"id":"msg_1","role":"assistant","model":"m","content":[{"type":"text","text":"a"}]}}]}}}"#,
    )
    .as_bytes(),
    remedy: "Remember the messages of the running stream as they are yielded; when it is abandoned, withdraw these \
and forget them.",
    sources: &["spec 4", "anthropics/claude-code#20508", "anthropics/claude-code#21083"],
    judge: Judge::Accumulate(tombstones_exact),
};

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

pub(super) const NO_WITHDRAWN_SURVIVOR: Rule = Rule {
    id: "stream/no-withdrawn-survivor",
    title: "what a tombstone withdrew is in no view any more, nor is a result of its calls",
    severity: Severity::Error,
    doc: "\
A tombstone takes back a message that was shown. From then on the message is not in the list of what is live, and in \
the list that keeps places there is a tombstone where it stood. A tool may have run already for a call in it: its \
result goes with the call, unless a message that stands holds the same call.

A message that survives is sent with the next request, beside the answer of the second model. A result that \
survives has no call before it, and the API refuses the request, for ever, since the list is sent again with each \
turn.",
    example: concat!(
        r#"{"items":["#,
        r#"{"event":"{\"type\":\"message_start\",\"message\":{\"id\":\"msg_1\",\"role\":\"assistant\",\"model\":\"m\",\"content\":[{\"type\":\"text\",\"text\":\"a\"}]}}"},"#,
        r#""abandon"],"output":{"Ok":{"events":["#,
        r#"{"type":"assistant","uuid":"a1","message":{"id":"msg_1","role":"assistant","model":"m","content":[{"type":"text","text":"a"}]}},"#,
        r#"{"type":"tombstone","message":{"type":"assistant","uuid":"a1"}}],"#,
        r#""live":[{"type":"assistant","uuid":"a1","message":{"id":"msg_1","role":"assistant","model":"m","content":[{"type":"text","text":"a"}]}}]}}}"#,
    )
    .as_bytes(),
    remedy: "Compute the views from the log: leave out what a tombstone names, then user messages that hold results \
of calls that are left out alone.",
    sources: &["spec 4", "anthropics/claude-code#12162", "anthropics/claude-code#40305"],
    judge: Judge::Accumulate(no_withdrawn_survivor),
};

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
