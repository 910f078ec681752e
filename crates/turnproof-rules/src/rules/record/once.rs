//! Each message is written *once*, and what lives in memory alone never.

use std::collections::HashMap;

use super::message::{is_true, text};
use super::{by_line, played};
use crate::rules::{Judge, RecordEvidence, RuleEntry, Verdict};
use crate::vocabulary::Kind;

pub(super) const INCREMENTAL: RuleEntry = rule!("record/incremental", Error, Judge::Record(incremental));

fn incremental(case: &RecordEvidence<'_>) -> Verdict {
    played(case, |model| {
        let mut violations = Vec::new();
        let mut first_of: HashMap<&str, bool> = HashMap::new();
        for (line, entry) in &model.lines {
            let kind = text(&line.value, "type").and_then(Kind::of);
            let is_message = kind.is_some_and(Kind::is_persisted);
            let is_hidden = line.uuid().is_some_and(|uuid| model.ephemeral.contains(uuid));
            if is_message && entry.is_none() && !is_hidden && !is_true(&line.value, "isVirtual") {
                let found = match line.uuid() {
                    Some(uuid) if model.held.contains(uuid) => {
                        format!("{uuid:?}, which was in the file, again")
                    }
                    Some(uuid) => format!("{uuid:?}, which was in no list that was accepted"),
                    None => "a message without a uuid".to_owned(),
                };
                violations.push(by_line(INCREMENTAL.id, line, found, "lines of new messages alone"));
            }
            let Some(uuid) = line.uuid().filter(|_| entry.is_some()) else { continue };
            if first_of.get(uuid).is_some_and(|is_torn| !is_torn) {
                let found = format!("{uuid:?} is written again in step {}", line.step);
                violations.push(by_line(INCREMENTAL.id, line, found, "one line of each message"));
            }
            first_of.insert(uuid, line.is_torn);
        }
        match model.given_again + model.demands.len().saturating_sub(1) {
            0 if violations.is_empty() => Verdict::NotApplicable("nothing is given or flushed twice"),
            _ => Verdict::from_violations(violations),
        }
    })
}

pub(super) const NO_EPHEMERAL: RuleEntry = rule!("record/no-ephemeral", Error, Judge::Record(no_ephemeral));

fn no_ephemeral(case: &RecordEvidence<'_>) -> Verdict {
    played(case, |model| {
        let mut violations = Vec::new();
        for (line, entry) in &model.lines {
            let kind = text(&line.value, "type").and_then(Kind::of);
            let is_virtual = is_true(&line.value, "isVirtual");
            let is_hidden = entry.is_none() && line.uuid().is_some_and(|uuid| model.ephemeral.contains(uuid));
            if kind.is_some_and(|kind| !kind.is_persisted() || is_virtual) || is_hidden {
                let name = text(&line.value, "type").unwrap_or("record");
                let found = format!("a line of type {name:?}{}", if is_virtual { ", virtual" } else { "" });
                violations.push(by_line(NO_EPHEMERAL.id, line, found, "no line of what lives in memory alone"));
            }
        }
        match model.has_ephemeral {
            false if violations.is_empty() => Verdict::NotApplicable("everything in the lists is to be written"),
            _ => Verdict::from_violations(violations),
        }
    })
}
