//! *Links*: which parent each line has, and what the next message will chain to.

use std::collections::HashSet;

use serde_json::Value;

use super::lines::Line;
use super::model::{Entry, Link, Model, Reason};
use super::{by_line, played};
use crate::operation::Recorded;
use crate::rules::{Judge, Place, RecordEvidence, RuleEntry, Verdict, Violation};

pub(super) const PREFIX_PARENT: RuleEntry = rule!("record/prefix-parent", Error, Judge::Record(prefix_parent));

fn prefix_parent(case: &RecordEvidence<'_>) -> Verdict {
    played(case, |model| {
        let (mut violations, lines) = wrong_parents(model, PREFIX_PARENT.id, |reason| reason == Reason::Prefix);
        let (wrong, tips) = wrong_tips(model, PREFIX_PARENT.id, true);
        violations.extend(wrong);
        match lines + tips {
            0 => Verdict::NotApplicable("no list holds recorded messages"),
            _ => Verdict::from_violations(violations),
        }
    })
}

pub(super) const CHAIN_LINKS: RuleEntry = rule!("record/chain-links", Error, Judge::Record(chain_links));

fn chain_links(case: &RecordEvidence<'_>) -> Verdict {
    played(case, |model| {
        let (mut violations, lines) = wrong_parents(model, CHAIN_LINKS.id, |reason| reason != Reason::Prefix);
        let (wrong, tips) = wrong_tips(model, CHAIN_LINKS.id, false);
        violations.extend(wrong);
        violations.extend(parents_later(model));
        for (line, entry) in with_entries(model) {
            violations.extend(wrong_logical_parent(line, entry));
            violations.extend(wrong_session(case, line, entry));
        }
        match lines + tips {
            0 if violations.is_empty() => Verdict::NotApplicable("nothing new is written"),
            _ => Verdict::from_violations(violations),
        }
    })
}

/// The lines of accepted messages, each with its entry.
fn with_entries(model: &Model) -> impl Iterator<Item = (&Line, &Entry)> {
    model.lines.iter().filter_map(|(line, entry)| Some((line, model.entries.get((*entry)?)?)))
}

/// A member that links, in words.
fn in_words(link: Option<&Value>) -> String {
    link.map_or_else(|| "missing".to_owned(), Value::to_string)
}

fn expected_in_words(link: &Link) -> String {
    match link {
        Link::Any => "any uuid".to_owned(),
        Link::Is(None) => "null".to_owned(),
        Link::Is(Some(uuid)) => format!("{uuid:?}"),
    }
}

/// The lines of some reasons whose parent is another one than expected; and how many were looked at.
fn wrong_parents(model: &Model, rule: &'static str, is_meant: fn(Reason) -> bool) -> (Vec<Violation>, usize) {
    let mut judged = 0;
    let mut violations = Vec::new();
    for (line, entry) in with_entries(model).filter(|(_, entry)| is_meant(entry.reason)) {
        judged += 1;
        let found = line.value.get("parentUuid");
        let is_right = match (&entry.parent, found) {
            (Link::Any, _) | (Link::Is(None), Some(Value::Null)) => true,
            (Link::Is(Some(expected)), Some(Value::String(found))) => expected == found,
            _ => false,
        };
        if !is_right {
            let found = format!("the parent of {:?} is {}", entry.uuid, in_words(found));
            let why = match entry.reason {
                Reason::Prefix => "by the recorded messages that begin the list",
                Reason::Next => "the message before it",
                Reason::Source => "the line whose call it answers",
                Reason::Boundary => "as it is a boundary",
                Reason::Preserved => "as the boundary after it preserves it",
            };
            violations.push(by_line(rule, line, found, format!("{}, {why}", expected_in_words(&entry.parent))));
        }
    }
    (violations, judged)
}

/// The lists, with or without recorded messages, that were answered with another uuid than expected; and
/// how many were looked at.
fn wrong_tips(model: &Model, rule: &'static str, has_recorded: bool) -> (Vec<Violation>, usize) {
    let tips = || model.tips.iter().filter(|tip| tip.has_recorded == has_recorded);
    let wrong = tips().filter(|tip| tip.found != tip.expected).map(|tip| {
        let found = format!("after step {} the next message would chain to {:?}", tip.step, tip.found);
        Violation::new(rule, Place::Whole, found, format!("{:?}", tip.expected))
    });
    let judged = tips().filter(|tip| has_recorded || tip.expected.is_some()).count();
    (wrong.collect(), judged)
}

/// The lines whose parent is an accepted message that does not stand before them.
fn parents_later(model: &Model) -> Vec<Violation> {
    let mut earlier: HashSet<&str> = model.held.iter().map(String::as_str).collect();
    let mut violations = Vec::new();
    for (line, _) in with_entries(model) {
        let parent = line.value.get("parentUuid").and_then(Value::as_str);
        let is_accepted = |uuid: &&str| model.entries.iter().any(|entry| entry.uuid == *uuid);
        if let Some(parent) = parent.filter(|uuid| !earlier.contains(uuid)).filter(is_accepted) {
            let found = format!("the parent {parent:?} does not stand before its child");
            violations.push(by_line(CHAIN_LINKS.id, line, found, "the parent's line first"));
        }
        earlier.extend(line.uuid());
    }
    violations
}

fn wrong_logical_parent(line: &Line, entry: &Entry) -> Option<Violation> {
    let found = line.value.get("logicalParentUuid");
    let is_right = |expected: &Link| match expected {
        Link::Any => true,
        Link::Is(expected) => expected.as_deref() == found.and_then(Value::as_str),
    };
    if entry.reason != Reason::Boundary || entry.logical.iter().any(is_right) {
        return None;
    }
    let expected: Vec<String> = entry.logical.iter().map(expected_in_words).collect();
    let found = format!("the logical parent of the boundary {:?} is {}", entry.uuid, in_words(found));
    Some(by_line(CHAIN_LINKS.id, line, found, expected.join(" or ")))
}

fn wrong_session(case: &Recorded, line: &Line, entry: &Entry) -> Option<Violation> {
    let found = line.value.get("sessionId");
    let own = entry.versions.iter().any(|(_, given)| found.is_some() && given.value.get("sessionId") == found);
    if own || found.and_then(Value::as_str) == Some(&case.session) {
        return None;
    }
    let found = format!("the session of {:?} is {}", entry.uuid, in_words(found));
    Some(by_line(CHAIN_LINKS.id, line, found, format!("{:?}", case.session)))
}
