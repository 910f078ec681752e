//! The *views* of the log: what is live, and the same with places kept.

use serde_json::Value;

use super::model::text;
use super::shown::{Shown, joined_are_told_apart};
use super::withdrawal::place_of;
use crate::rules::alike::{alike, in_short};
use crate::rules::{Judge, Place, RuleEntry, StreamEvidence, StreamList, Verdict, Violation};

pub(super) const SLOTS_STABLE: RuleEntry = rule!("stream/slots-stable", Error, Judge::Accumulate(slots_stable));

fn slots_stable(case: &StreamEvidence<'_>) -> Verdict {
    let Ok(output) = &case.output else { return Verdict::NotApplicable("there is no output") };
    let Some(slots) = &output.slots else { return Verdict::NotApplicable("the subject has no such view") };
    let yielded: Vec<&Value> = case
        .shown()
        .iter()
        .filter_map(|shown| match shown {
            Shown::Line(message) | Shown::User(message) => Some(*message),
            Shown::Tombstone(_) => None,
        })
        .collect();
    if yielded.is_empty() && slots.elements().is_empty() {
        return Verdict::NotApplicable("nothing is yielded");
    }
    if !joined_are_told_apart(&case.items) {
        return Verdict::NotApplicable("messages that join share a uuid, or have none");
    }
    let is_own = |slot: &&Value| {
        let is_error = slot.get("isApiErrorMessage") == Some(&Value::Bool(true));
        matches!(text(slot, "type"), Some("assistant" | "user" | "tombstone")) && !is_error
    };
    let slots: Vec<&Value> = slots.elements().iter().filter(is_own).collect();
    if slots.len() != yielded.len() {
        let found = format!("{} places", slots.len());
        let expected = format!("{}, one for each message that was yielded", yielded.len());
        return Verdict::Broken(vec![Violation::new(SLOTS_STABLE.id, Place::Whole, found, expected)]);
    }
    Verdict::from_violations(wrong_places(case, &yielded, &slots))
}

fn wrong_places(case: &StreamEvidence<'_>, yielded: &[&Value], slots: &[&Value]) -> Vec<Violation> {
    let (withdrawn, live) = (case.withdrawn(), case.live());
    let mut violations = Vec::new();
    for (index, (slot, message)) in (0..).zip(slots.iter().zip(yielded)) {
        let uuid = text(message, "uuid").unwrap_or_default();
        let is_tombstone = text(slot, "type") == Some("tombstone");
        // A result that stands beside something else may go, in part or as a whole, or stay.
        if withdrawn.mixed.contains(uuid) {
            continue;
        }
        let is_withdrawn = withdrawn.hides(uuid);
        let is_named = place_of(slot) == uuid || withdrawn.results.contains(uuid);
        let expected = if is_withdrawn && !(is_tombstone && is_named) {
            format!("a tombstone for {uuid:?}")
        } else if !is_withdrawn && (is_tombstone || place_of(slot) != uuid) {
            format!("the message {uuid:?}")
        } else if let Some(now) = live.get(uuid).filter(|_| !is_tombstone)
            && !alike(now, slot)
        {
            format!("as in the list of what is live: {}", in_short(now))
        } else {
            continue;
        };
        let place = Place::Streamed { list: StreamList::Places, index };
        violations.push(Violation::new(SLOTS_STABLE.id, place, in_short(slot), expected));
    }
    violations
}
