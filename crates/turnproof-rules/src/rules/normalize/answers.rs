//! What a subject's *answers* show without an account: a request for every list, the same one when asked again, the
//! same one of its own output, and messages that stay as they were.

use crate::json::Value;

use super::account::Account;
use super::block::Role;
use super::meaning::{how, is_same, says_the_same};
use crate::operation::{Given, Plain};
use crate::rules::value::{list, text};
use crate::rules::{ApiEvidence, Applies, Place, Report, alike, applies, refusal};

pub(super) fn total(case: &ApiEvidence<'_>, report: &mut Report<'_>) -> Applies {
    applies(case.messages.value.is_array(), "the messages cannot be read")?;
    wrong_shape(&case.request, report);
    let is_empty = case.request.as_ref().is_ok_and(|request| request.value.as_array().is_some_and(Vec::is_empty));
    if is_empty && case.account().is_some_and(says_much) {
        report.whole("says-nothing", "it says nothing: no turn", "turns with what the messages say");
    }
    for (count, given) in case.shorter.iter().enumerate() {
        if let Some(Err(why)) = given {
            let found = sentence!("no request for the first {count} messages: {why}", count, why);
            report.whole("no-beginning", found, "a request");
        }
    }
    Ok(())
}

/// How many messages say something when a request of nothing is no loss of one block.
const MUCH: usize = 3;

/// Whether several messages have something that must be sent.
fn says_much(account: &Account<'_>) -> bool {
    let mut messages: Vec<usize> =
        account.expected.order.iter().map(|&item| account.expected.items[item].message).collect();
    messages.sort_unstable();
    messages.dedup();
    messages.len() >= MUCH
}

fn wrong_shape(request: &Given, report: &mut Report<'_>) {
    let turns = match request.as_ref().map(|request| &request.value) {
        Ok(Value::Array(turns)) => turns,
        Ok(_) => return report.whole("no-list", "the request is not an array", "an array of turns"),
        Err(why) => return report.whole("refused", refusal(why), "an array of turns"),
    };
    for (index, turn) in turns.iter().enumerate() {
        if text(turn, "role").and_then(Role::named).is_none() {
            let found = sentence!("turn {index} has no role that there is", index);
            report.add(Place::message(index), "no-role", found, "`user` or `assistant`");
        }
        if !matches!(turn.get("content"), Some(Value::Array(_) | Value::String(_))) {
            let found = sentence!("the content of turn {index} is neither a text nor a list", index);
            report.add(Place::message(index), "no-content", found, "a list of blocks, or a text");
        }
        let blocks = list(turn, "content");
        for (block, _) in blocks.iter().enumerate().filter(|(_, value)| !value.is_object()) {
            let found = sentence!("block {block} of turn {index} is not an object", block, index);
            report.add(Place::block(index, Some(block)), "no-object", found, "a block");
        }
    }
}

pub(super) fn idempotent(case: &ApiEvidence<'_>, report: &mut Report<'_>) -> Applies {
    match (&case.request, &case.renormalized) {
        (Ok(request), Some(Ok(renormalized))) => {
            if let Some(at) = difference(&request.value, &renormalized.value, says_the_same) {
                let how = turn_of(&request.value, at).map(|turn| how(turn, turn_of(&renormalized.value, at)));
                let found = match how {
                    Some(how) => sentence!("turn {at} is another one again: {how}", at, how),
                    None => sentence!("turn {at} is another one again", at),
                };
                report.add(Place::message(at), "changed", found, "the same turn");
            }
        }
        (Ok(_), Some(Err(why))) => {
            let found = sentence!("the request, taken as messages, gives none: {why}", why);
            report.whole("refused", found, "the same request");
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
                let how = turn_of(&request.value, at).map(|turn| how(turn, turn_of(&again.value, at)));
                let found = match how {
                    Some(how) => sentence!("turn {at} is another one asked for again: {how}", at, how),
                    None => sentence!("turn {at} is another one asked for again", at),
                };
                report.add(Place::message(at), "not-deterministic", found, "the same turn");
            }
            None if request.lone_surrogates == again.lone_surrogates => {}
            None => report.whole("lone-surrogates", "other strings hold halves of characters", "the same strings"),
        },
        _ => report.whole("answered-once", "there is a request one time and none the other", "the same"),
    }
    Ok(())
}

pub(super) fn pure(case: &ApiEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let after_call = case.messages_after.as_ref().ok_or("the subject does not give the messages after the call")?;
    if *after_call != case.messages {
        let mut pairs = case.messages.elements().iter().zip(Plain::elements(after_call));
        match pairs.position(|(one, other)| one != other) {
            Some(index) => {
                let how = case.messages.elements().get(index).map(|was| how(was, after_call.elements().get(index)));
                let found = match how {
                    Some(how) => sentence!("message {index} is another one after the call: {how}", index, how),
                    None => sentence!("message {index} is another one after the call", index),
                };
                report.add(Place::message(index), "changed", found, "the message as it was");
            }
            None => {
                report.whole("other-list", "the list of messages is another one after the call", "the list as it was");
            }
        }
    }
    Ok(())
}

fn turn_of(request: &Value, at: usize) -> Option<&Value> {
    request.get(at)
}

/// The first turn in which two requests differ, in this sense.
pub(super) fn difference(one: &Value, other: &Value, is_same: fn(&Value, &Value) -> bool) -> Option<usize> {
    match (one, other) {
        (Value::Array(turns), Value::Array(others)) => alike::difference(turns, others, is_same),
        _ => (one != other).then_some(0),
    }
}
