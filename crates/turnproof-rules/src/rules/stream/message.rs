//! The *whole message*: what the events describe is what comes out.

use std::collections::HashMap;

use crate::json::{Object, Value};

use super::shown::{Case, Shown, Withdrawn, is_error};
use crate::rules::alike::{OtherMember, alike, exactly_alike, other_member, other_part};
use crate::rules::value::{blocks, kind, list, uuid};
use crate::rules::{Applies, Place, Report, StreamEvidence, StreamList, applies};

pub(super) fn accumulates(evidence: &StreamEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let case = Case::read(evidence)?;
    applies(!case.model.replies.is_empty() || !case.model.users.is_empty(), "no reply begins and nobody speaks")?;
    wrong_wholes(&case, report);
    wrong_blocks(&case, evidence.live(), evidence.withdrawn(), report);
    wrong_list(&case, evidence.withdrawn(), report);
    Ok(())
}

fn wrong_wholes(case: &Case<'_, '_>, report: &mut Report<'_>) {
    let Some(given) = &case.output.messages else { return };
    let given = given.elements();
    let expected = &case.model.replies;
    if given.len() != expected.len() {
        let found = sentence!("{count} whole messages", count = given.len());
        let expected = sentence!("{count}, one for each stream that began", count = expected.len());
        return report.add(Place::streamed(StreamList::Wholes, 0), "wrong-count", found, expected);
    }
    for (index, (found, reply)) in given.iter().zip(expected).enumerate() {
        if reply.is_whole(found) {
            continue;
        }
        let (whole, is_all) = reply.whole();
        let mut found = found.clone();
        if !is_all && let Some(content) = found.get_mut("content").and_then(Value::as_array_mut) {
            // What an unfinished block looks like is the subject's own.
            content.truncate(list(&whole, "content").len());
        }
        let (had, has) = (said(&whole), said(&found));
        let (kind, words) = match other_member(&had, &has, exactly_alike) {
            Some(OtherMember { kind, words, .. }) => (kind, words),
            None => ("changed", "another one".to_owned()),
        };
        let (found, expected) = other_part("", &found, &whole, exactly_alike).in_words();
        let found = sentence!("as a whole {words}: {found}", words, found);
        report.add(Place::streamed(StreamList::Wholes, index), kind, found, expected);
    }
}

/// The members of a message that are not null.
fn said(message: &Value) -> Object {
    let members = message.as_object().into_iter().flatten().filter(|(_, value)| !value.is_null());
    members.map(|(name, value)| (name.clone(), value.clone())).collect()
}

/// What is wrong with the blocks of the messages, when they were yielded and in the list of what remains.
fn wrong_blocks(case: &Case<'_, '_>, live: &HashMap<&str, &Value>, withdrawn: &Withdrawn<'_>, report: &mut Report<'_>) {
    for (index, (line, shown)) in case.pairs().into_iter().flatten().enumerate() {
        let mut compare = |message: &Value| {
            if let [block] = blocks(message)
                && !exactly_alike(block, &line.block)
            {
                let (found, expected) = other_part("", block, &line.block, exactly_alike).in_words();
                let found = sentence!("in the block {found}", found);
                report.add(Place::streamed(StreamList::Lines, index), "other-block", found, expected);
            }
        };
        compare(shown);
        if let Some(remains) = uuid(shown).and_then(|uuid| live.get(uuid)) {
            compare(remains);
        }
    }
    let users = case.shown.iter().filter_map(|shown| match shown {
        Shown::User(user) => Some(user),
        _ => None,
    });
    for (index, (found, expected)) in users.zip(&case.model.users).enumerate() {
        // One with results of withdrawn calls and something else may be withdrawn in part.
        let is_whole = |uuid: &&str| !withdrawn.mixed.contains_key(uuid);
        let remains = uuid(found).filter(is_whole).and_then(|uuid| live.get(uuid)).copied();
        if let Some(found) = [Some(*found), remains].into_iter().flatten().find(|found| !alike(found, expected)) {
            let (found, expected) = other_part("", found, expected, alike).in_words();
            let found = sentence!("in the user message {found}", found);
            report.add(Place::streamed(StreamList::Users, index), "other-user-message", found, expected);
        }
    }
}

/// What is missing in the list of what remains, or is there in another order.
fn wrong_list(case: &Case<'_, '_>, withdrawn: &Withdrawn<'_>, report: &mut Report<'_>) {
    let is_judged = |uuid: &&str| !withdrawn.hides(uuid);
    let yielded = case.shown.iter().filter_map(|shown| uuid(shown.message()?));
    let expected: Vec<&str> = yielded.filter(is_judged).collect();
    let is_message = |message: &&Value| matches!(kind(message), "assistant" | "user") && !is_error(message);
    let remaining = case.output.live.elements().iter().filter(is_message);
    let found: Vec<&str> = remaining.filter_map(uuid).filter(is_judged).collect();
    if found != expected {
        let [found, expected] = [found, expected].map(|uuids| format!("{uuids:?}"));
        let found = sentence!("there remain {found}", found);
        report.add(Place::streamed(StreamList::Live, 0), "other-list", found, sentence!("{expected}", expected));
    }
}
