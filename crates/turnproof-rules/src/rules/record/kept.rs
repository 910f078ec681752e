//! What is *kept*: when a message must be in the file, and that it is there as it was given.

use std::ops::Range;
use std::sync::Arc;

use crate::json::Value;

use super::lines::WrittenLine;
use super::message::{Given, late_fields};
use super::model::{Entry, Model};
use crate::operation::{RecordStep, Recorded};
use crate::rules::alike::excerpt;
use crate::rules::{Applies, RecordEvidence, Report, applies};

pub(super) fn user_before_request(case: &RecordEvidence<'_>, report: &mut Report<'_>) -> Applies {
    applies(demanded(case.model()?, true, report) > 0, NOT_DEMANDED)
}

pub(super) fn nothing_lost(case: &RecordEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let model = case.model()?;
    let mut compared = 0;
    for (line, entry) in model.with_entries() {
        compared += 1;
        let given = entry.versions.iter().filter(|(step, _)| *step <= line.step);
        let is_written = |(_, given): &&(usize, Arc<Given>)| given.is_written_in(&line.value, &line.lone_surrogates);
        let mut standing = given.filter(is_written).peekable();
        if standing.peek().is_none() {
            let last = entry.versions.iter().rfind(|(step, _)| *step <= line.step);
            let changed = last.and_then(|(step, given)| Some((step, given.changed_in(&line.value)?)));
            let uuid = &entry.uuid;
            if let Some((step, (name, given, found))) = changed {
                let [given, found] = [given, found].map(|value| excerpt(value.to_string(), 200));
                let found = sentence!("`{name}` of the line of {uuid:?} is {found}", name, uuid, found);
                let expected = sentence!("{given}, as it was given in step {step}", given, step);
                report.add(line.place(), "changed", found, expected);
            } else {
                let found = sentence!("the line of {uuid:?} is {value}", uuid, value = line.value.to_string());
                report.add(line.place(), "changed", found, "the message's members as they were given");
            }
        } else if !standing.any(|(_, given)| given.keeps_numbers(written(case, line))) {
            let (uuid, value) = (&entry.uuid, line.value.to_string());
            let found = sentence!("the line of {uuid:?} has numbers in another form: {value}", uuid, value);
            report.add(line.place(), "other-number", found, "each number as it was given, digit by digit");
        }
    }
    applies(demanded(model, false, report) + compared > 0, NOT_DEMANDED)
}

/// The bytes of a line.
fn written<'a>(case: &'a Recorded, line: &WrittenLine) -> &'a [u8] {
    let file = case.answers.as_ref().ok().and_then(|answers| answers.last()).map_or(&[][..], |answer| &answer.file);
    file.get(line.range.0..line.range.1).unwrap_or_default()
}

const NOT_DEMANDED: &str = "nothing has to be written at such a step";

/// Reports what is missing at the demands of one sort; gives how many entries were demanded.
fn demanded(model: &Model, is_request: bool, report: &mut Report<'_>) -> usize {
    let mut asked = 0;
    for demand in model.demands.iter().filter(|demand| demand.is_request == is_request) {
        let step = demand.step;
        for entry in demand.entries.iter().filter_map(|&index| model.entries.get(index)) {
            asked += 1;
            if entry.written.is_none_or(|when| when > step) {
                let Entry { uuid, step: given, .. } = entry;
                let found = sentence!(
                    "after step {step} {uuid:?}, given in step {given}, is not in the file",
                    step,
                    uuid,
                    given
                );
                report.whole("missing", found, "all that was accepted, or an error");
            }
        }
    }
    asked
}

pub(super) fn late_fields_kept(case: &RecordEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let model = case.model()?;
    let mut judged = 0;
    for lists in flushed_lists(case) {
        for (index, entry) in model.entries.iter().enumerate() {
            let Some(expected) = changed_late(entry, &lists) else { continue };
            let is_its = |(line, its): &&(WrittenLine, Option<usize>)| *its == Some(index) && line.step <= lists.end;
            let Some((line, _)) = model.lines.iter().find(is_its) else { continue };
            judged += 1;
            let found = late_fields(&line.value);
            if found != expected {
                let in_words = |fields: [&Value; 3]| {
                    let [usage, reason, sequence] = fields.map(Value::to_string);
                    sentence!("usage {usage}, stop_reason {reason}, stop_sequence {sequence}", usage, reason, sequence)
                };
                let (uuid, found) = (&entry.uuid, in_words(found));
                let found = sentence!("in the line of {uuid:?}: {found}", uuid, found);
                report.add(line.place(), "other-late-fields", found, in_words(expected));
            }
        }
    }
    applies(judged > 0, "no waiting reply is given again with other late fields")
}

/// The stretches of steps that are lists alone and end before a flush without an error.
fn flushed_lists(case: &Recorded) -> Vec<Range<usize>> {
    let mut stretches = Vec::new();
    let mut start = 0;
    let answers = case.answers.as_deref().unwrap_or_default();
    for (step, (does, answer)) in case.steps.iter().zip(answers).enumerate() {
        let is_well = answer.tip().is_ok();
        if matches!(does, RecordStep::Flush) && is_well && start < step {
            stretches.push(start..step);
        }
        if !(matches!(does, RecordStep::List(_) | RecordStep::Hints(_)) && is_well) {
            start = step + 1;
        }
    }
    stretches
}

/// The late fields of a message that was new in one of these lists, if they changed in a later one.
fn changed_late<'a>(entry: &'a Entry, lists: &Range<usize>) -> Option<[&'a Value; 3]> {
    let is_later = entry.versions.iter().any(|(step, _)| *step > entry.step && *step < lists.end);
    if !lists.contains(&entry.step) || !is_later {
        return None;
    }
    let given = || entry.versions.iter().filter(|(step, _)| *step < lists.end).map(|(_, given)| given);
    let first = given().next()?.late_fields()?;
    let last = given().next_back()?.late_fields()?;
    (first != last).then_some(last)
}
