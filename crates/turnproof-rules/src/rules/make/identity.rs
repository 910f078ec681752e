//! The *identity* of a message: its id and its time, given or made.

use std::collections::HashSet;

use crate::json::Value;

use super::NOTHING_MADE;
use crate::operation::{FixedSource, MadeMessage, Plain};
use crate::rules::alike::alike;
use crate::rules::value::text;
use crate::rules::{Applies, MakeEvidence, Place, Report, Sentence, applies};

pub(super) fn identity(case: &MakeEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let called = case.called()?;
    let again = case.again.as_ref().and_then(|again| again.as_ref().ok());
    let mut seen = HashSet::new();
    for (index, message) in called.messages() {
        // What is given is given to the next message alone.
        let is_first = index == 0;
        let (uuid, time) = (text(message, "uuid"), text(message, "timestamp"));
        let given_id = case.call.uuid.as_deref().filter(|_| is_first);
        let given_time = case.call.timestamp.as_deref().filter(|_| is_first);
        if let Some(expected) = wrong_id(uuid, given_id, case.call.source.as_ref()) {
            let (kind, found) = match uuid {
                Some(uuid) => ("wrong-id", sentence!("the id is {uuid:?}", uuid)),
                None => ("no-id", "there is no id".into()),
            };
            report.add(Place::message(index), kind, found, expected);
        }
        if let Some(expected) = wrong_time(time, given_time, case.call.source.as_ref()) {
            let (kind, found) = match time {
                Some(time) => ("wrong-time", sentence!("the time is {time:?}", time)),
                None => ("no-time", "there is no time".into()),
            };
            report.add(Place::message(index), kind, found, expected);
        }
        let anothers = time.filter(|time| !is_first && Some(*time) == case.call.timestamp.as_deref());
        if let Some(time) = anothers.filter(|_| case.call.source.is_none()) {
            let found = sentence!("the time {time:?} is that which is given to the first message", time);
            report.add(Place::message(index), "same-time", found, "a time of its own");
        }
        if !seen.insert(uuid) {
            let found = match uuid {
                Some(uuid) => sentence!("the id {uuid:?} is that of another message", uuid),
                None => "two messages have no id".into(),
            };
            report.add(Place::message(index), "same-id", found, "an id of its own");
        }
        let is_made = given_id.is_none() && case.call.source.is_none();
        let before = again.and_then(|again| read(again.get(index)?));
        let is_again = |before: &Value| text(before, "uuid") == uuid;
        if let Some(uuid) = uuid.filter(|_| is_made && before.as_ref().is_some_and(is_again)) {
            let found = sentence!("the id {uuid:?} is made a second time", uuid);
            report.add(Place::message(index), "not-fresh", found, "a fresh id");
        }
    }
    applies(!called.read.is_empty(), NOTHING_MADE)
}

fn read(made: &MadeMessage) -> Option<Value> {
    Plain::read(&made.message).ok().map(|plain| plain.into_value())
}

/// What the id should have been, if it is wrong.
fn wrong_id(uuid: Option<&str>, given: Option<&str>, source: Option<&FixedSource>) -> Option<Sentence> {
    match (given, source) {
        (Some(given), _) => (uuid != Some(given)).then(|| sentence!("the id that is given: {given:?}", given)),
        (None, Some(source)) => {
            let is_of_source = source.ids.iter().any(|id| Some(id.as_str()) == uuid);
            (!is_of_source).then(|| "an id of the source that is given".into())
        }
        (None, None) => (!uuid.is_some_and(is_version_4)).then(|| "a UUID of version 4".into()),
    }
}

/// What the time should have been, if it is wrong.
fn wrong_time(time: Option<&str>, given: Option<&str>, source: Option<&FixedSource>) -> Option<Sentence> {
    match given.or(source.map(|source| source.now.as_str())) {
        Some(given) => (time != Some(given)).then(|| sentence!("the time that is given: {given:?}", given)),
        None => {
            let is_right = time.is_some_and(|time| fits(time, "dddd-dd-ddTdd:dd:dd.dddZ"));
            (!is_right).then(|| "RFC 3339 with milliseconds and Z".into())
        }
    }
}

/// Whether a text is a UUID of version 4 in lower case.
fn is_version_4(uuid: &str) -> bool {
    fits(uuid, "hhhhhhhh-hhhh-4hhh-vhhh-hhhhhhhhhhhh")
}

/// Whether a text has a pattern's form: `d` is a digit, `h` a lower-case hexadecimal digit, `v` the digit of a variant.
fn fits(text: &str, pattern: &str) -> bool {
    let fits_one = |(byte, pattern): (u8, u8)| match pattern {
        b'd' => byte.is_ascii_digit(),
        b'h' => byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte),
        b'v' => b"89ab".contains(&byte),
        other => byte == other,
    };
    text.len() == pattern.len() && text.bytes().zip(pattern.bytes()).all(fits_one)
}

pub(super) fn deterministic(case: &MakeEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let again = case.again.as_ref().ok_or("the subject was asked once")?;
    case.called()?;
    let (first, second) = match (&case.answer, again) {
        (Err(_), Err(_)) => return Err(NOTHING_MADE),
        (Ok(first), Ok(second)) if first.len() == second.len() => (first, second),
        _ => {
            report.whole("wrong-count", "asked again, another number of messages is made, or none", "the same answer");
            return Ok(());
        }
    };
    for (index, (one, other)) in first.iter().zip(second).enumerate() {
        let is_same = match (read(one), read(other)) {
            (Some(mut one), Some(mut other)) => {
                if case.call.source.is_none() {
                    for message in [&mut one, &mut other] {
                        let is_given = |given: &Option<String>| given.is_some() && index == 0;
                        let (id, time) = (is_given(&case.call.uuid), is_given(&case.call.timestamp));
                        forget_identity(message, !id, !time);
                    }
                }
                alike(&one, &other)
            }
            (one, other) => one == other,
        };
        if !is_same || one.predicates != other.predicates {
            report.add(
                Place::message(index),
                "not-deterministic",
                "asked again, another message is made",
                "the same message",
            );
        }
    }
    Ok(())
}

/// Takes out what is fresh each time.
fn forget_identity(message: &mut Value, has_fresh_id: bool, has_fresh_time: bool) {
    if let Some(members) = message.as_object_mut() {
        members.retain(|name, _| !(has_fresh_id && name == "uuid" || has_fresh_time && name == "timestamp"));
    }
    if let Some(body) = message.get_mut("message").and_then(Value::as_object_mut) {
        body.remove("id");
    }
}
