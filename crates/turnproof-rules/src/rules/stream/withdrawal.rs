//! What is *withdrawn* when a stream is abandoned, and whether anything of it stays in the lists of what remains.

use std::collections::HashMap;

use crate::json::Value;

use super::model::{BlockMessage, Happened, Late};
use super::shown::{Case, NO_OUTPUT, OTHER_MESSAGES, Shown, alike_but_nulls, is_error, joined_are_distinct};
use crate::rules::alike::{alike, in_short, other_part};
use crate::rules::value::{blocks, kind, result_of, uuid, withdrawn_by};
use crate::rules::{Applies, Place, Report, Sentence, StreamEvidence, StreamList, applies};

pub(super) fn tombstones_exact(case: &StreamEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let case = Case::read(case)?;
    applies(case.pairs().is_some(), OTHER_MESSAGES)?;
    let found = lines_and_tombstones(&case);
    let has_tombstone = found.iter().any(|step| !matches!(step, Step::Line(_)));
    let is_fallback = |happened: &Happened| matches!(happened, Happened::Abandoned { .. });
    applies(has_tombstone || case.model.happened.iter().any(is_fallback), "no stream is abandoned")?;
    // Whether a stream ends with its reply or with the try is unspecified.
    let (of_reply, of_try) = (expected(&case, false), expected(&case, true));
    if found != of_reply && found != of_try {
        let same = found.iter().zip(&of_reply).take_while(|(a, b)| a == b).count();
        let in_words = |steps: &[Step]| -> (&'static str, Sentence) {
            match steps.get(same) {
                Some(Step::Line(line)) => ("message", sentence!("the message of block {line}", line = *line)),
                Some(Step::Tombstone(line)) => {
                    ("tombstone", sentence!("a tombstone for the message of block {line}", line = *line))
                }
                Some(Step::Unknown) => ("never-shown", "a tombstone for a message that was never shown".into()),
                None => ("missing", "nothing".into()),
            }
        };
        let ((kind, found), (_, expected)) = (in_words(&found), in_words(&of_reply));
        report.add(Place::streamed(StreamList::LinesAndTombstones, same), kind, found, expected);
    } else {
        wrong_tombstones(&case, report);
    }
    Ok(())
}

/// Reports tombstones that do not hold what they withdraw: the message as it was yielded, or with its late fields.
fn wrong_tombstones(case: &Case<'_, '_>, report: &mut Report<'_>) {
    let pairs = case.pairs().into_iter().flatten();
    let lines: HashMap<&str, (&BlockMessage, &Value)> =
        pairs.filter_map(|(line, shown)| Some((uuid(shown)?, (line, shown)))).collect();
    let steps = case.shown.iter().filter(|shown| !matches!(shown, Shown::User(_))).enumerate();
    for (index, step) in steps {
        let Shown::Tombstone(gone, message) = step else { continue };
        let (Some((line, shown)), Some(message)) = (lines.get(gone), message) else { continue };
        let [message, shown] = [message, shown].map(|message| without_late(message, &line.late));
        if !alike_but_nulls(&message, &shown) {
            let place = Place::streamed(StreamList::LinesAndTombstones, index);
            let (found, expected) = other_part("", &message, &shown, alike_but_nulls).in_words();
            let found = sentence!("in the message that the tombstone holds {found}", found);
            let expected = sentence!("{expected}, as in the message that it withdraws", expected);
            report.add(place, "changed", found, expected);
        }
    }
}

/// A message without what comes late to it.
fn without_late(message: &Value, late: &Late) -> Value {
    let mut message = message.clone();
    if let Some(body) = message.get_mut("message").and_then(Value::as_object_mut) {
        body.retain(|name, _| !late.contains_key(name));
    }
    message
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
                numbers.insert(uuid(line).unwrap_or_default(), number);
                steps.push(Step::Line(number));
            }
            Shown::Tombstone(gone, _) => {
                steps.push(numbers.get(gone).map_or(Step::Unknown, |&number| Step::Tombstone(number)));
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

/// Why a rule on places does not apply.
const NOT_TOLD_APART: &str = "messages that join share a uuid, or have none";

pub(super) fn no_withdrawn_survivor(case: &StreamEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let Ok(output) = &case.output else { return Err(NO_OUTPUT) };
    let withdrawn = case.withdrawn();
    applies(!withdrawn.messages.is_empty(), "nothing is withdrawn")?;
    applies(joined_are_distinct(&case.items), NOT_TOLD_APART)?;
    let slots = output.slots.as_ref().map_or(&[][..], |slots| slots.elements());
    for (list, messages) in [(StreamList::Live, output.live.elements()), (StreamList::Slots, slots)] {
        for (index, message) in messages.iter().enumerate().filter(|(_, message)| kind(message) != "tombstone") {
            let Some(uuid) = uuid(message).filter(|uuid| withdrawn.hides(uuid)) else { continue };
            let name = list.name();
            let (kind, found) = match withdrawn.messages.contains(uuid) {
                true => ("message", sentence!("`{name}` holds {uuid:?}, which was withdrawn", name, uuid)),
                false => (
                    "results",
                    sentence!("`{name}` holds {uuid:?}, which holds results of withdrawn calls alone", name, uuid),
                ),
            };
            report.add(Place::streamed(list, index), kind, found, "nothing of it");
        }
        for (index, message) in messages.iter().enumerate() {
            let uuid = uuid(message).unwrap_or_default();
            if let Some((kind, found)) = withdrawn.mixed.get(uuid).and_then(|others| wrong_rest(message, others)) {
                let found = sentence!("`{name}` holds {uuid:?} {found}", name = list.name(), uuid, found);
                report.add(Place::streamed(list, index), kind, found, "what else it says, and nothing more");
            }
        }
    }
    Ok(())
}

/// What is wrong with a message that held results of withdrawn calls beside these blocks.
fn wrong_rest(message: &Value, others: &[&Value]) -> Option<(&'static str, &'static str)> {
    let found = blocks(message);
    let same = found.iter().zip(others).take_while(|(found, other)| alike(found, other)).count();
    match found.get(same) {
        Some(block) if result_of(block).is_some() => Some(("result-beside", "with the result of a withdrawn call")),
        None if same == others.len() => None,
        _ => Some(("words-lost", "without what it says beside a result, or otherwise")),
    }
}

pub(super) fn slots_stable(case: &StreamEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let Ok(output) = &case.output else { return Err(NO_OUTPUT) };
    let slots = output.slots.as_ref().ok_or("the subject has no such view")?;
    let yielded: Vec<&Value> = case.shown().iter().filter_map(Shown::message).collect();
    applies(!yielded.is_empty() || !slots.elements().is_empty(), "nothing is yielded")?;
    applies(joined_are_distinct(&case.items), NOT_TOLD_APART)?;
    let is_own = |slot: &&Value| matches!(kind(slot), "assistant" | "user" | "tombstone") && !is_error(slot);
    let slots: Vec<&Value> = slots.elements().iter().filter(is_own).collect();
    if slots.len() == yielded.len() {
        wrong_places(case, &yielded, &slots, report);
    } else {
        let expected = sentence!("{count}, one for each message that was yielded", count = yielded.len());
        report.whole("wrong-count", sentence!("{count} places", count = slots.len()), expected);
    }
    Ok(())
}

fn wrong_places(case: &StreamEvidence<'_>, yielded: &[&Value], slots: &[&Value], report: &mut Report<'_>) {
    let (withdrawn, live) = (case.withdrawn(), case.live());
    for (index, (slot, message)) in slots.iter().zip(yielded).enumerate() {
        let own = uuid(message).unwrap_or_default();
        let is_tombstone = kind(slot) == "tombstone";
        let place = if is_tombstone { withdrawn_by(slot) } else { uuid(slot) }.unwrap_or_default();
        // A message with such a result and something else stays, without the result.
        let is_mixed = withdrawn.mixed.contains_key(own);
        let is_withdrawn = withdrawn.hides(own) && !is_mixed;
        let is_named = place == own || withdrawn.results.contains(own);
        let (kind, expected) = if is_withdrawn && !(is_tombstone && is_named) {
            ("no-tombstone", sentence!("a tombstone for {own:?}", own))
        } else if !is_withdrawn && (is_tombstone || place != own) {
            ("no-message", sentence!("the message {own:?}", own))
        } else if let Some(now) = live.get(own).filter(|_| !is_tombstone && !is_mixed)
            && !alike(now, slot)
        {
            let (found, expected) = other_part("", *slot, *now, alike).in_words();
            let expected = sentence!("{expected}, as in the list of what is live", expected);
            report.add(Place::streamed(StreamList::Places, index), "changed", found, expected);
            continue;
        } else {
            continue;
        };
        let found = sentence!("{slot}", slot = in_short(slot));
        report.add(Place::streamed(StreamList::Places, index), kind, found, expected);
    }
}
