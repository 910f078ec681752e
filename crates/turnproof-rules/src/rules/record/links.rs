//! *Links*: which parent each line has, and what the next message will chain to.

use std::collections::HashSet;

use crate::json::Value;

use super::lines::WrittenLine;
use super::model::{Entry, Link, Model, Reason, Tip};
use crate::rules::value::text;
use crate::rules::{Applies, RecordEvidence, Report, applies};

pub(super) fn prefix_parent(case: &RecordEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let model = case.model()?;
    let lines = wrong_parents(model, |reason| reason == Reason::Prefix, report);
    let tips = wrong_tips(model, |tip| !tip.is_hinted && tip.has_recorded, report);
    applies(lines + tips > 0, "no list holds recorded messages")
}

pub(super) fn chain_links(case: &RecordEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let model = case.model()?;
    let lines = wrong_parents(model, |reason| !matches!(reason, Reason::Prefix | Reason::Hint), report);
    let tips = wrong_tips(model, |tip| !tip.is_hinted && !tip.has_recorded, report);
    parents_later(model, report);
    for (line, entry) in model.with_entries() {
        wrong_logical_parent(line, entry, report);
        wrong_session(&case.session, line, entry, report);
    }
    applies(lines + tips > 0, "nothing new is written")
}

pub(super) fn starting_parent(case: &RecordEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let model = case.model()?;
    let lines = wrong_parents(model, |reason| reason == Reason::Hint, report);
    let tips = wrong_tips(model, |tip| tip.is_hinted, report);
    applies(lines + tips > 0, "no list is given with a hint of where it continues")
}

pub(super) fn team(case: &RecordEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let model = case.model()?;
    applies(model.has_team, "no list is given with a team")?;
    let mut judged = 0;
    for (line, entry) in model.with_entries() {
        let marks = |value: &Value| ["teamName", "agentName"].map(|name| value.get(name).cloned());
        let found = marks(&line.value);
        let mut given = entry.versions.iter().map(|(_, given)| marks(&given.value));
        let own = given.next().unwrap_or_default();
        // What a message says of its own team stays, and another rule asks for it. Half of it gets no other half.
        let is_half = own != [None, None] && own.contains(&None);
        let is_kept = own.iter().zip(&found).all(|(own, found)| own.is_none() || own == found);
        if own != [None, None] && !(is_half && is_kept) || given.any(|other| other != own) {
            continue;
        }
        judged += 1;
        let names = entry.team.as_ref().filter(|_| !is_half).map(|team| [&team.team_name, &team.agent_name]);
        let expected = names.map_or(own, |names| names.map(|name| Some(Value::from(name.as_str()))));
        if found != expected {
            let in_words = |[team, agent]: &[Option<Value>; 2]| {
                let [team, agent] = [team, agent].map(|name| in_words(name.as_ref()));
                sentence!("teamName {team} and agentName {agent}", team, agent)
            };
            let (uuid, marks) = (&entry.uuid, in_words(&found));
            report.add(line.place(), "other-team", sentence!("{uuid:?} has {marks}", uuid, marks), in_words(&expected));
        }
    }
    applies(judged > 0, "nothing new is written that names no team itself")
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

/// Reports the lines of some reasons whose parent is another one than expected; gives how many lines it compared.
fn wrong_parents(model: &Model, is_meant: fn(Reason) -> bool, report: &mut Report<'_>) -> usize {
    let mut judged = 0;
    for (line, entry) in model.with_entries().filter(|(_, entry)| is_meant(entry.reason)) {
        judged += 1;
        let found = line.value.get("parentUuid");
        let is_right = match (&entry.parent, found) {
            (Link::Any, _) | (Link::Is(None), Some(Value::Null)) => true,
            (Link::Is(Some(expected)), Some(Value::String(found))) => expected == found.as_str(),
            _ => false,
        };
        if !is_right {
            let kind = if found.is_some() { "other-parent" } else { "no-parent" };
            let (uuid, parent) = (&entry.uuid, in_words(found));
            let found = sentence!("`parentUuid` of {uuid:?} is {parent}", uuid, parent);
            let why = match entry.reason {
                Reason::Hint => "as `startingParentUuidHint` or the recorded messages that begin the list say",
                Reason::Prefix => "the last of the recorded messages that begin the list",
                Reason::Next => "the message before it",
                Reason::Source => "the line whose call it answers",
                Reason::Boundary => "as it is a boundary",
                Reason::Preserved => "as the boundary after it preserves it",
            };
            let expected = sentence!("{expected}, {why}", expected = expected_in_words(&entry.parent), why);
            report.add(line.place(), kind, found, expected);
        }
    }
    judged
}

/// Reports the lists of some sort that were answered with another uuid than expected; gives how many answers it
/// compared.
fn wrong_tips(model: &Model, is_meant: fn(&Tip) -> bool, report: &mut Report<'_>) -> usize {
    let tips = || model.tips.iter().filter(|tip| is_meant(tip));
    for tip in tips().filter(|tip| tip.found != tip.expected) {
        let (step, [uuid, expected]) = (tip.step, [&tip.found, &tip.expected].map(|uuid| format!("{uuid:?}")));
        let found = sentence!("after step {step} the next message would chain to {uuid}", step, uuid);
        let kind = if tip.found.is_some() { "other-tip" } else { "no-tip" };
        report.whole(kind, found, sentence!("{expected}", expected));
    }
    tips().filter(|tip| tip.is_hinted || tip.has_recorded || tip.expected.is_some()).count()
}

/// Reports the lines whose parent is an accepted message that does not stand before them.
fn parents_later(model: &Model, report: &mut Report<'_>) {
    let mut earlier: HashSet<&str> = model.held.iter().map(String::as_str).collect();
    for (line, _) in model.with_entries() {
        let is_accepted = |uuid: &&str| model.entries.iter().any(|entry| entry.uuid == *uuid);
        let parent = text(&line.value, "parentUuid").filter(|uuid| !earlier.contains(uuid));
        if let Some(parent) = parent.filter(is_accepted) {
            let found = sentence!("the parent {parent:?} does not stand before its child", parent);
            report.add(line.place(), "wrong-order", found, "the parent's line first");
        }
        earlier.extend(line.uuid());
    }
}

fn wrong_logical_parent(line: &WrittenLine, entry: &Entry, report: &mut Report<'_>) {
    let found = line.value.get("logicalParentUuid");
    let is_right = |expected: &Link| match expected {
        Link::Any => true,
        Link::Is(expected) => expected.as_deref() == found.and_then(Value::as_str),
    };
    if entry.reason == Reason::Boundary && !entry.logical.iter().any(is_right) {
        let expected: Vec<String> = entry.logical.iter().map(expected_in_words).collect();
        let kind = if found.is_some() { "other-logical-parent" } else { "no-logical-parent" };
        let (uuid, parent) = (&entry.uuid, in_words(found));
        let found = sentence!("`logicalParentUuid` of the boundary {uuid:?} is {parent}", uuid, parent);
        report.add(line.place(), kind, found, sentence!("{expected}", expected = expected.join(" or ")));
    }
}

fn wrong_session(session: &str, line: &WrittenLine, entry: &Entry, report: &mut Report<'_>) {
    let found = line.value.get("sessionId");
    // A session of a wrong type counts as missing.
    let is_of = |given: &Value| given.get("sessionId") == found;
    let own = found.is_some_and(Value::is_string) && entry.versions.iter().any(|(_, given)| is_of(&given.value));
    if !own && found.and_then(Value::as_str) != Some(session) {
        let kind = if found.is_some() { "other-session" } else { "no-session" };
        let (uuid, own) = (&entry.uuid, in_words(found));
        let found = sentence!("`sessionId` of {uuid:?} is {own}", uuid, own);
        report.add(line.place(), kind, found, sentence!("{session:?}", session));
    }
}
