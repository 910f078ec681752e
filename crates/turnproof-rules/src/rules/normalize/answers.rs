//! What a subject's *answers* show without an account: a request for every list, the same one when asked again, the
//! same one of its own output, and messages that stay as they were.

use serde_json::Value;

use super::block::Role;
use super::meaning::{is_same, says_the_same};
use crate::operation::{Given, Plain};
use crate::rules::value::{list, text};
use crate::rules::{ApiEvidence, Applies, Place, Report, alike, applies, refusal};

pub(super) fn total(case: &ApiEvidence<'_>, report: &mut Report<'_>) -> Applies {
    applies(case.messages.value.is_array(), "the messages cannot be read")?;
    wrong_shape(&case.request, report);
    let is_empty = case.request.as_ref().is_ok_and(|request| request.value.as_array().is_some_and(Vec::is_empty));
    if is_empty && case.account().is_some_and(|account| !account.expected.order.is_empty()) {
        report.whole("it says nothing: no turn", "turns with what the messages say");
    }
    for (count, given) in case.shorter.iter().enumerate() {
        if let Some(Err(why)) = given {
            report.whole(format!("no request for the first {count} messages: {why}"), "a request");
        }
    }
    Ok(())
}

fn wrong_shape(request: &Given, report: &mut Report<'_>) {
    let turns = match request.as_ref().map(|request| &request.value) {
        Ok(Value::Array(turns)) => turns,
        Ok(_) => return report.whole("the request is not an array", "an array of turns"),
        Err(why) => return report.whole(refusal(why), "an array of turns"),
    };
    for (index, turn) in turns.iter().enumerate() {
        if text(turn, "role").and_then(Role::named).is_none() {
            let found = format!("turn {index} has no role that there is");
            report.add(Place::message(index), found, "`user` or `assistant`");
        }
        if !matches!(turn.get("content"), Some(Value::Array(_) | Value::String(_))) {
            let found = format!("the content of turn {index} is neither a text nor a list");
            report.add(Place::message(index), found, "a list of blocks, or a text");
        }
        let blocks = list(turn, "content");
        for (block, _) in blocks.iter().enumerate().filter(|(_, value)| !value.is_object()) {
            let found = format!("block {block} of turn {index} is not an object");
            report.add(Place::block(index, Some(block)), found, "a block");
        }
    }
}

pub(super) fn idempotent(case: &ApiEvidence<'_>, report: &mut Report<'_>) -> Applies {
    match (&case.request, &case.renormalized) {
        (Ok(request), Some(Ok(renormalized))) => {
            if let Some(at) = difference(&request.value, &renormalized.value, says_the_same) {
                report.add(Place::message(at), format!("turn {at} is another one again"), "the same turn");
            }
        }
        (Ok(_), Some(Err(why))) => {
            report.whole(format!("the request, taken as messages, gives none: {why}"), "the same request");
        }
        _ => return Err("the request was not normalized again"),
    }
    Ok(())
}

pub(super) fn deterministic(case: &ApiEvidence<'_>, report: &mut Report<'_>) -> Applies {
    match (&case.request, case.again.as_ref().ok_or("the request was asked for once")?) {
        (Err(_), Err(_)) => return Err("there is no request"),
        (Ok(request), Ok(again)) if request == again => {}
        (Ok(request), Ok(again)) => match difference(&request.value, &again.value, is_same) {
            Some(at) => {
                report.add(Place::message(at), format!("turn {at} is another one asked for again"), "the same turn");
            }
            None if request.lone_surrogates == again.lone_surrogates => {}
            None => report.whole("other strings hold halves of characters", "the same strings"),
        },
        _ => report.whole("there is a request one time and none the other", "the same"),
    }
    Ok(())
}

pub(super) fn pure(case: &ApiEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let after = case.messages_after.as_ref().ok_or("the subject does not tell the messages after the call")?;
    if *after != case.messages {
        let mut pairs = case.messages.elements().iter().zip(Plain::elements(after));
        match pairs.position(|(one, other)| one != other) {
            Some(index) => {
                let found = format!("message {index} is another one after the call");
                report.add(Place::message(index), found, "the message as it was");
            }
            None => report.whole("the list of messages is another one after the call", "the list as it was"),
        }
    }
    Ok(())
}

/// The first turn in which two requests differ, in this sense.
pub(super) fn difference(one: &Value, other: &Value, is_same: fn(&Value, &Value) -> bool) -> Option<usize> {
    match (one, other) {
        (Value::Array(turns), Value::Array(others)) => alike::difference(turns, others, is_same),
        _ => (one != other).then_some(0),
    }
}
