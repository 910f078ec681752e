//! *Links*: which parent each line has, and what the next message will chain to.

use std::collections::HashSet;

use serde_json::Value;

use super::lines::Line;
use super::model::{Entry, Link, Model, Reason};
use super::{by_line, played};
use crate::operation::Recorded;
use crate::rules::{Judge, Place, RecordEvidence, Rule, Severity, Verdict, Violation};

pub(super) const PREFIX_PARENT: Rule = Rule {
    id: "record/prefix-parent",
    title: "recorded messages move the parent along only while they begin the list",
    severity: Severity::Error,
    doc: "\
The first new message of a list chains to the recorded one before it. A recorded message that comes after a new one \
does not move the parent any more: after a compaction a list begins with a new boundary and its summary, and the \
kept messages behind them are old lines of the file.

If the parent followed them, the next prompt would chain to an old line before the boundary. A walk from the end \
then never meets the boundary: the compaction is undone, the whole old conversation comes back, and the summary \
is lost; a session was loaded with 166,000 tokens in place of 28,000. The rule looks at the lines of lists that \
hold recorded messages, and at the uuid that the recorder answers for them.",
    example: include_bytes!("examples/prefix-parent.json"),
    remedy: "Go through the list once; let recorded messages set the parent until the first new one, and only \
new ones after that.",
    sources: &["spec 3.2", "anthropics/claude-code#14462"],
    judge: Judge::Record(prefix_parent),
};

fn prefix_parent(case: &RecordEvidence<'_>) -> Verdict {
    played(case, |model| {
        let (mut violations, lines) =
            wrong_parents(model, PREFIX_PARENT.id, |reason| reason == Reason::Prefix);
        let (wrong, tips) = wrong_tips(model, PREFIX_PARENT.id, true);
        violations.extend(wrong);
        match lines + tips {
            0 => Verdict::NotApplicable("no list holds recorded messages"),
            _ => Verdict::from_violations(violations),
        }
    })
}

pub(super) const CHAIN_LINKS: Rule = Rule {
    id: "record/chain-links",
    title: "each line chains to the message before it, a tool result to its call, a boundary to nothing",
    severity: Severity::Error,
    doc: "\
Readers rebuild a conversation by walking parents from the last line. So each line written has the message before it \
as its parent, which stands earlier in the file. Three are special: a tool result hangs on the assistant line that \
`sourceToolAssistantUUID` names, because several calls run side by side; a compact boundary has null, and names \
what came before it as its logical parent; and what a boundary preserves goes on from the last line before it. \
The first line's parent is null, written out. What a message says of its own parent is not believed. Each line also \
names the session.

A parent that is never written is the most frequent cause of a resume that shows the last messages only: 22 such \
links in 5,783 records left 5 % of a conversation within reach. It happens when the parent is progress, a virtual \
message, or a message that was filtered out after the link was made.",
    example: include_bytes!("examples/chain-links.json"),
    remedy: "Set the parent when a message is queued, from the last message that was really queued.",
    sources: &[
        "spec 3.2",
        "anthropics/claude-code#58554",
        "anthropics/claude-code#22526",
        "anthropics/claude-code#88597",
        "anthropics/claude-code#26964",
    ],
    judge: Judge::Record(chain_links),
};

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
            violations.push(by_line(
                rule,
                line,
                found,
                format!("{}, {why}", expected_in_words(&entry.parent)),
            ));
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
    let own =
        entry.versions.iter().any(|(_, given)| found.is_some() && given.value.get("sessionId") == found);
    if own || found.and_then(Value::as_str) == Some(&case.session) {
        return None;
    }
    let found = format!("the session of {:?} is {}", entry.uuid, in_words(found));
    Some(by_line(CHAIN_LINKS.id, line, found, format!("{:?}", case.session)))
}
