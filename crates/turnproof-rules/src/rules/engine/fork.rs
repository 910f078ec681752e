//! A *fork* has new ids for all that it copies, and says where each copy comes from.

use std::collections::{HashMap, HashSet};

use crate::json::Value;

use super::Wrong;
use super::live::is_persisted;
use super::reported::UNKNOWN;
use crate::operation::Moment;
use crate::rules::value::{text, uuid};
use crate::rules::{Applies, Place, PlayEvidence, Report, Sentence, applies};

pub(super) fn fork_renamed(case: &PlayEvidence<'_>, report: &mut Report<'_>) -> Applies {
    applies(case.inputs.is_some(), UNKNOWN)?;
    let mut old: HashMap<&str, &Value> = HashMap::new();
    let mut judged = 0;
    let mut last: Option<(usize, HashSet<&str>)> = None;
    for (at, moment) in case.moments.iter().enumerate() {
        let list = match moment {
            Moment::Yielded(event) if is_persisted(&&event.value) => std::slice::from_ref(&event.value),
            Moment::Resumed(list) => list.elements(),
            Moment::Forked(list) => {
                judged += list.elements().len();
                for (kind, found, expected) in wrong(list.elements(), &old) {
                    report.add(Place::message(at), kind, found, expected);
                }
                last = Some((at, old.keys().copied().collect()));
                list.elements()
            }
            _ => continue,
        };
        old.extend(list.iter().filter_map(|message| Some((uuid(message)?, message))));
    }
    if let Some((at, old)) = last.filter(|_| case.whole) {
        let records = case.file_records().iter().map(|record| &record.value);
        for uuid in records.filter(is_persisted).filter_map(uuid).filter(|uuid| old.contains(uuid)) {
            let found = sentence!("the file of a fork holds a line of the old id {uuid:?}", uuid);
            report.add(Place::message(at), "old-line", found, "new ids, for all of it");
        }
    }
    applies(judged > 0, "nothing is forked")
}

/// What is wrong with a fork.
fn wrong(list: &[Value], old: &HashMap<&str, &Value>) -> Vec<Wrong> {
    let mut wrong = Vec::new();
    let mut add =
        |kind: &'static str, found: Sentence, expected: &'static str| wrong.push((kind, found, expected.into()));
    let origin = |message| text(forked_from(message)?, "messageUuid");
    let origins: HashMap<&str, &str> =
        list.iter().filter_map(|message| Some((uuid(message)?, origin(message)?))).collect();
    let copied: HashSet<&str> = origins.values().copied().collect();
    let copies: HashSet<&str> = list.iter().filter_map(uuid).collect();
    let mut seen: HashSet<&str> = HashSet::new();
    for message in list {
        let Some(own) = uuid(message) else { continue };
        if old.contains_key(own) {
            add("old-id", sentence!("the fork has {own:?} under its old id", own), "a new id");
            continue;
        }
        let Some(from) = origin(message) else {
            let found = sentence!("the fork does not say where {own:?} comes from", own);
            add("no-origin", found, "`forkedFrom`, with `messageUuid`");
            continue;
        };
        let session = forked_from(message).and_then(|from| text(from, "sessionId")).unwrap_or_default();
        if session.is_empty() || text(message, "sessionId") == Some(session) {
            let found = sentence!("{own:?} of the fork does not name the session that it comes from", own);
            add("no-session", found, "the old session");
        }
        if copies.contains(from) {
            let found = sentence!("{own:?} of the fork comes from {from:?}, which is a new id", own, from);
            add("new-origin", found, "the old id, as `messageUuid`");
        }
        if !seen.insert(from) {
            add("twice", sentence!("the fork has {from:?} twice", from), "each message once");
        }
        // What the disk held before the log began is not known.
        let Some(original) = old.get(from) else { continue };
        let source = text(message, "sourceToolAssistantUUID");
        let right = text(original, "sourceToolAssistantUUID").filter(|source| copied.contains(source));
        if source.map(|source| origins.get(source).copied()) != right.map(Some) {
            let (kind, found) = match source {
                Some(source) => {
                    ("other-source", sentence!("{own:?} of the fork names {source:?} as its source", own, source))
                }
                None => ("no-source", sentence!("{own:?} of the fork has lost its source", own)),
            };
            add(kind, found, "the copy of the line that the original names");
        }
    }
    wrong
}

fn forked_from(message: &Value) -> Option<&Value> {
    message.get("forkedFrom")
}
