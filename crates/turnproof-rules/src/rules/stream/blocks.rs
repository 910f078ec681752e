//! *One message for each block*, and the fields that come late.

use std::collections::{HashMap, HashSet};

use crate::json::Value;

use super::model::{BlockMessage, Happened, Late, Model};
use super::shown::{Case, OTHER_MESSAGES, Shown, alike_but_nulls, body};
use crate::rules::alike::{alike, difference, in_short, other_part};
use crate::rules::value::{blocks, text, uuid};
use crate::rules::{Applies, Place, Report, Sentence, StreamEvidence, StreamList, applies};

pub(super) fn one_message_per_block(case: &StreamEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let case = Case::read(case)?;
    applies(!case.model.lines.is_empty() || case.lines().next().is_some(), "no block is finished")?;
    wrong_order(&case, report);
    wrong_ids(&case, report);
    for (index, (line, shown)) in case.pairs().into_iter().flatten().enumerate() {
        let place = Place::streamed(StreamList::Lines, index);
        let blocks = blocks(shown).len();
        if blocks != 1 {
            report.add(place, "wrong-count", sentence!("a message with {blocks} blocks", blocks), "one block");
        }
        for ((name, kind), expected) in [("id", "other-id"), ("role", "other-role")].into_iter().zip(&line.body) {
            let found = body(shown, name);
            if !alike(found, expected) {
                let found = sentence!("`{name}` is {found}", name, found = found.to_string());
                let expected = sentence!("{expected}, as in the reply", expected = expected.to_string());
                report.add(place, kind, found, expected);
            }
        }
        let model = body(shown, "model");
        if !line.models.iter().any(|expected| alike(expected, model)) {
            let found = sentence!("`model` is {model}", model = model.to_string());
            let expected = sentence!("{models}, as in the reply", models = in_short(&line.models[..].into()));
            report.add(place, "other-model", found, expected);
        }
    }
    Ok(())
}

/// Reports the first place where the lines and user messages are not in the order in which blocks stop and users speak.
fn wrong_order(case: &Case<'_, '_>, report: &mut Report<'_>) {
    let expected = case.model.happened.iter().filter_map(|happened| match happened {
        Happened::Line(_) => Some("assistant"),
        Happened::User(_) => Some("user"),
        Happened::Abandoned { .. } => None,
    });
    let found = case.shown.iter().filter_map(|shown| match shown {
        Shown::Line(_) => Some("assistant"),
        Shown::User(_) => Some("user"),
        Shown::Tombstone(..) => None,
    });
    let (expected, found): (Vec<&str>, Vec<&str>) = (expected.collect(), found.collect());
    if let Some(same) = difference(&expected, &found, |one, other| one == other) {
        let kind = match (found.get(same), expected.get(same)) {
            (None, _) => "missing",
            (_, None) => "extra",
            _ => "wrong-order",
        };
        let in_words = |kinds: &[&'static str]| (kinds.len(), kinds.get(same).copied().unwrap_or("nothing"));
        let (count, here) = in_words(&found);
        let found = sentence!("{count} messages, and here {here}", count, here);
        let (count, here) = in_words(&expected);
        let expected = sentence!("{count}, and here {here}", count, here);
        report.add(Place::streamed(StreamList::Messages, same), kind, found, expected);
    }
}

/// Reports uuids that are missing, shared or the reply's id, times that are missing, and request ids that differ inside a
/// reply.
fn wrong_ids(case: &Case<'_, '_>, report: &mut Report<'_>) {
    let mut seen = HashSet::new();
    for (index, shown) in case.shown.iter().enumerate() {
        let Some(message) = shown.message() else { continue };
        let (kind, found): (_, Sentence) = match uuid(message).filter(|uuid| !uuid.is_empty()) {
            Some(uuid) if seen.insert(uuid) => continue,
            Some(uuid) => ("same-uuid", sentence!("the uuid {uuid:?} again", uuid)),
            None => ("no-uuid", "no uuid".into()),
        };
        report.add(Place::streamed(StreamList::Yielded, index), kind, found, "a uuid of its own");
    }
    let mut requests: HashMap<usize, &Value> = HashMap::new();
    for (index, (line, shown)) in case.pairs().into_iter().flatten().enumerate() {
        let place = Place::streamed(StreamList::Lines, index);
        if uuid(shown).is_some_and(|uuid| line.body[0] == uuid) {
            report.add(place, "reply-id", "the reply's id as the uuid", "a uuid of its own");
        }
        if text(shown, "timestamp").is_none() {
            report.add(place, "no-time", "no time", "a time of its own");
        }
        let request = shown.get("requestId").unwrap_or(&Value::Null);
        if !alike(requests.entry(line.reply).or_insert(request), request) {
            let found = sentence!("the request id {id}", id = request.to_string());
            report.add(place, "other-request", found, "the same one in all messages of a reply");
        }
    }
}

pub(super) fn late_fields(case: &StreamEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let live = case.live();
    let case = Case::read(case)?;
    let pairs = case.pairs().ok_or(OTHER_MESSAGES)?;
    applies(pairs.clone().any(|(line, _)| line.is_amended), "nothing comes late to a message")?;
    for (index, (line, shown)) in pairs.enumerate() {
        let place = Place::streamed(StreamList::Lines, index);
        let early = early(line, case.model);
        if let Some((found, expected)) = late_difference(shown, &early, line) {
            report.add(place, "when-yielded", sentence!("when it was yielded {found}", found), expected);
        }
        let Some(message) = uuid(shown).and_then(|uuid| live.get(uuid)) else { continue };
        let expected = if line.is_amended { &line.late } else { &early };
        if let Some((found, expected)) = late_difference(message, expected, line) {
            report.add(place, "at-the-end", sentence!("at the end {found}", found), expected);
        }
    }
    Ok(())
}

/// What a line has before anything comes late to it: what the reply began with, of all that came late to the reply.
fn early(line: &BlockMessage, model: &Model) -> Late {
    let mut early = line.early();
    if let Some(reply) = model.replies.get(line.reply) {
        for name in &reply.late_names {
            if !early.contains_key(name) {
                early.insert(name, reply.start.get(name).cloned().unwrap_or_default());
            }
        }
    }
    early
}

/// The first late field that is another one than expected: the part that differs and what it is, and what it should be.
fn late_difference(message: &Value, expected: &Late, line: &BlockMessage) -> Option<(Sentence, Sentence)> {
    expected.iter().find_map(|(name, expected)| {
        let found = body(message, name);
        match name.as_str() {
            // A reply that begins without usage may be given a default one.
            "usage" if line.usage.is_null() || alike_but_nulls(found, expected) => None,
            _ if name != "usage" && alike(found, expected) => None,
            _ => {
                let is_there = message.get("message").is_some_and(|body| body.get(name).is_some());
                Some(other_part(name, is_there.then_some(found), expected, alike).in_words())
            }
        }
    })
}
