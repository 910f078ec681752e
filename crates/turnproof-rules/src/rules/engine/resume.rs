//! What comes *back* with a resume, after a crash or without one, with a fork, and from the file that is left at the end.

use std::collections::{HashMap, HashSet};

use crate::json::Value;

use super::disk::Disk;
use super::live::{Live, answered, calls, is_boundary, is_persisted};
use super::{NOT_WHOLE, Wrong};
use crate::operation::Moment;
use crate::rules::value::{is_true, kind, reply_id, text, uuid};
use crate::rules::{Applies, PlayEvidence, Report, applies};

pub(super) fn resume_complete(case: &PlayEvidence<'_>, report: &mut Report<'_>) -> Applies {
    applies(case.whole, NOT_WHOLE)?;
    let mut live = Live::default();
    let mut crashed: Option<Disk> = None;
    let mut judged = 0;
    for (index, moment) in case.with_what_is_left() {
        match moment {
            Moment::Crashed { .. } => crashed = case.disk(index),
            Moment::Resumed(list) => {
                // A process that ends otherwise has written everything.
                let disk = crashed.take();
                let expected = expected(&live, &|uuid| disk.is_none_or(|disk| disk.holds(uuid)));
                judged += expected.len();
                for (kind, found, expected) in compare(&expected, list.elements().iter().filter_map(uuid)) {
                    report.add(case.place_of_list(index), kind, found, expected);
                }
            }
            Moment::Forked(list) => {
                let origins = list.elements().iter().filter_map(|message| message.get("forkedFrom"));
                let copied: Vec<&str> = origins.filter_map(|origin| text(origin, "messageUuid")).collect();
                let mut expected = expected(&live, &|_| true);
                if is_shortened(case) {
                    let last = expected.iter().rposition(|(uuid, _)| copied.contains(uuid));
                    expected.truncate(last.map_or(0, |last| last + 1));
                }
                judged += expected.len();
                for (kind, found, expected) in compare(&expected, copied.into_iter()) {
                    report.add(case.place_of_list(index), kind, found, expected);
                }
            }
            _ => {}
        }
        live.take(moment);
    }
    applies(judged > 0, "nothing that was on disk is resumed")
}

/// Whether a fork may leave out the last messages: some input asks for that, or nobody knows the inputs.
fn is_shortened(case: &PlayEvidence<'_>) -> bool {
    let leaves_out = |input: &Value| input.get("fork").is_some_and(|count| count.as_u64() != Some(0));
    case.inputs.as_ref().is_none_or(|inputs| inputs.value.as_array().is_none_or(|inputs| inputs.iter().any(leaves_out)))
}

/// A message that must come back, and its place: those of one reply with several calls share theirs.
type Expected<'a> = (&'a str, usize);

/// Whether the line of this message is on disk.
type Holds<'d> = &'d dyn Fn(&str) -> bool;

/// What must come back of what was live.
fn expected<'a>(live: &Live<'a>, holds: Holds<'_>) -> Vec<Expected<'a>> {
    let is_back = |message: &&Value| {
        let is_hidden = is_true(message, "isVirtual") || is_true(message, "isSidechain");
        let is_written = uuid(message).is_some_and(holds);
        is_persisted(message) && !is_hidden && is_written
    };
    let is_lost = lost_by_compaction(live, holds);
    let all = live.messages();
    let spans = spans(&all);
    let mut expected = Vec::new();
    let mut speaks = false;
    for (index, message) in all.iter().enumerate().filter(|(_, message)| is_back(message)) {
        let Some(uuid) = uuid(message).filter(|uuid| !is_lost.contains(uuid)) else { continue };
        let span = spans.iter().find(|(first, last)| (*first..=*last).contains(&index));
        speaks |= matches!(kind(message), "user" | "assistant");
        expected.push((uuid, span.map_or(index, |(first, _)| *first)));
    }
    // Without a user or assistant message there is no conversation.
    if speaks { expected } else { Vec::new() }
}

/// The kept messages of a compaction that a resume cannot bring back. Its boundary is on disk; but it does not name
/// them, or something that belongs with them is missing.
fn lost_by_compaction<'a>(live: &Live<'a>, holds: Holds<'_>) -> HashSet<&'a str> {
    let Some(compaction) = &live.compaction else { return HashSet::new() };
    let is_written = |message: &&Value| uuid(message).is_none_or(holds);
    let Some(boundary) = compaction.list.iter().filter(is_written).find(|message| is_boundary(message)) else {
        return HashSet::new();
    };
    let metadata = boundary.get("compactMetadata");
    let names = |name: &str| metadata.and_then(|metadata| metadata.get(name)).is_some_and(Value::is_object);
    let preserves = names("preservedMessages") || names("preservedSegment");
    let is_whole = compaction.list.iter().filter(is_persisted).all(|message| is_written(&message));
    match (preserves, is_whole) {
        (true, true) => HashSet::new(),
        (false, true) => compaction.kept.clone(),
        // If the compaction is not whole, what was before it may come back instead.
        (_, false) => compaction.list.iter().filter_map(uuid).collect(),
    }
}

/// For each reply with several calls, the stretch of the list from its first line to its last line or result. Stretches
/// that overlap are joined.
fn spans(messages: &[&Value]) -> Vec<(usize, usize)> {
    let mut calls_of: HashMap<&str, HashSet<&str>> = HashMap::new();
    for message in messages {
        if let Some(reply) = reply_id(message) {
            calls_of.entry(reply).or_default().extend(calls(message));
        }
    }
    calls_of.retain(|_, calls| calls.len() > 1);
    // The last reply so far that has a call with the id.
    let mut reply_of: HashMap<&str, &str> = HashMap::new();
    let mut spans: HashMap<&str, (usize, usize)> = HashMap::new();
    for (index, message) in messages.iter().enumerate() {
        let line = reply_id(message).filter(|reply| calls_of.contains_key(reply));
        if let Some(reply) = reply_id(message) {
            reply_of.extend(calls(message).map(|call| (call, reply)));
        }
        let results = answered(message).filter_map(|call| reply_of.get(call).copied());
        let results = results.filter(|reply| calls_of.contains_key(reply));
        for reply in line.into_iter().chain(results) {
            spans.entry(reply).or_insert((index, index)).1 = index;
        }
    }
    let mut spans: Vec<(usize, usize)> = spans.into_values().collect();
    spans.sort_unstable();
    let mut joined: Vec<(usize, usize)> = Vec::new();
    for (first, last) in spans {
        match joined.last_mut().filter(|(_, end)| first <= *end) {
            Some((_, end)) => *end = last.max(*end),
            None => joined.push((first, last)),
        }
    }
    joined
}

/// What is wrong with a list that came back.
fn compare<'l>(expected: &[Expected], list: impl Iterator<Item = &'l str>) -> Vec<Wrong> {
    let mut wrong = Vec::new();
    let mut places: HashMap<&str, usize> = HashMap::new();
    for (index, uuid) in list.enumerate() {
        if places.insert(uuid, index).is_some() {
            wrong.push(("twice", sentence!("{uuid:?} comes back twice", uuid), "each message once".into()));
        }
    }
    for (uuid, _) in expected.iter().filter(|(uuid, _)| !places.contains_key(uuid)) {
        let found = sentence!("{uuid:?}, which was live and on disk, does not come back", uuid = *uuid);
        wrong.push(("missing", found, sentence!("{uuid:?}", uuid = *uuid)));
    }
    let mut back: Vec<&Expected> = expected.iter().filter(|(uuid, _)| places.contains_key(uuid)).collect();
    back.sort_by_key(|(uuid, _)| places.get(uuid));
    for pair in back.windows(2) {
        if let [(before, first), (after, second)] = pair
            && first > second
        {
            let found = sentence!("{before:?} comes back before {after:?}", before = *before, after = *after);
            wrong.push(("wrong-order", found, "the order in which they were".into()));
        }
    }
    wrong
}
