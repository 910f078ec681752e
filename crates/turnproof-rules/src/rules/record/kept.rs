//! What is *kept*: when a message must be in the file, and that it is there as it was given.

use std::ops::Range;

use serde_json::Value;

use super::message::late_fields;
use super::model::{Entry, Model};
use super::{by_line, played};
use crate::operation::{RecordStep, Recorded};
use crate::rules::{Judge, Place, RecordEvidence, RuleEntry, Verdict, Violation};

pub(super) const USER_BEFORE_REQUEST: RuleEntry =
    rule!("record/user-before-request", Error, Judge::Record(user_before_request));

fn user_before_request(case: &RecordEvidence<'_>) -> Verdict {
    played(case, |model| demanded(model, USER_BEFORE_REQUEST.id, true, (Vec::new(), 0)))
}

pub(super) const NOTHING_LOST: RuleEntry = rule!("record/nothing-lost", Error, Judge::Record(nothing_lost));

fn nothing_lost(case: &RecordEvidence<'_>) -> Verdict {
    played(case, |model| {
        let mut changed = Vec::new();
        let mut compared = 0;
        for (line, entry) in &model.lines {
            let Some(entry) = entry.and_then(|index| model.entries.get(index)) else { continue };
            compared += 1;
            let given = entry.versions.iter().filter(|(step, _)| *step <= line.step);
            if !given.into_iter().any(|(_, given)| given.stands_in(&line.value, &line.lone_surrogates)) {
                let found = format!("the line of {:?} is {}", entry.uuid, line.value);
                changed.push(by_line(NOTHING_LOST.id, line, found, "the message's members as they were given"));
            }
        }
        demanded(model, NOTHING_LOST.id, false, (changed, compared))
    })
}

/// The verdict on demands of one sort, with what else is wrong and how much was looked at for that.
fn demanded(model: &Model, rule: &'static str, is_request: bool, also: (Vec<Violation>, usize)) -> Verdict {
    let (missing, asked) = model.unmet(is_request);
    let (mut violations, judged) = also;
    violations.extend(missing.into_iter().map(|(step, entry)| {
        let found = format!("after step {step} {:?}, given in step {}, is not in the file", entry.uuid, entry.step);
        Violation::new(rule, Place::Whole, found, "all that was accepted, or an error")
    }));
    match asked + judged {
        0 => Verdict::NotApplicable("nothing has to be written at such a step"),
        _ => Verdict::from_violations(violations),
    }
}

pub(super) const LATE_FIELDS: RuleEntry = rule!("record/late-fields", Warning, Judge::Record(late_fields_kept));

fn late_fields_kept(case: &RecordEvidence<'_>) -> Verdict {
    played(case, |model| {
        let mut violations = Vec::new();
        let mut judged = 0;
        for lists in flushed_lists(case) {
            for (index, entry) in model.entries.iter().enumerate() {
                let Some(expected) = changed_late(entry, &lists) else { continue };
                let is_its = |(line, its): &&(_, Option<usize>)| {
                    let line: &super::Line = line;
                    *its == Some(index) && line.step <= lists.end
                };
                let Some((line, _)) = model.lines.iter().find(is_its) else { continue };
                judged += 1;
                let found = late_fields(&line.value);
                if found != expected {
                    let in_words = |fields: &[&Value; 3]| {
                        let [usage, reason, sequence] = fields;
                        format!("usage {usage}, stop_reason {reason}, stop_sequence {sequence}")
                    };
                    let found = format!("in the line of {:?}: {}", entry.uuid, in_words(&found));
                    violations.push(by_line(LATE_FIELDS.id, line, found, in_words(&expected)));
                }
            }
        }
        match judged {
            0 => Verdict::NotApplicable("no waiting reply is given again with other late fields"),
            _ => Verdict::from_violations(violations),
        }
    })
}

/// The stretches of steps that are lists alone and end before a flush that was answered well.
fn flushed_lists(case: &Recorded) -> Vec<Range<usize>> {
    let mut stretches = Vec::new();
    let mut start = 0;
    let answers = case.answers.as_deref().unwrap_or_default();
    for (step, (does, answer)) in case.steps.iter().zip(answers).enumerate() {
        let is_well = answer.tip.is_ok();
        if matches!(does, RecordStep::Flush) && is_well && start < step {
            stretches.push(start..step);
        }
        if !(matches!(does, RecordStep::List(_)) && is_well) {
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
