//! *Stability*: what was sent stays as it was when messages are added, and adding them one by one gives the same as all
//! of them at once.

use std::collections::HashSet;

use crate::json::Value;

use super::NO_REQUEST;
use super::answers::difference;
use super::meaning::{how, is_same};
use super::media::refuses;
use super::rename::is_legal;
use crate::operation::{ApiNormalized, Given};
use crate::rules::alike::{identical, other_part};
use crate::rules::value::{blocks, call_of, kind, list, reply_id, result_of, text, text_of};
use crate::rules::{ApiEvidence, Applies, Place, Report, applies};
use crate::vocabulary::MISSING_TOOL_RESULT;

pub(super) fn prefix_stable(case: &ApiEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let events = case.events();
    let is_asked = !events.is_empty() && case.shorter.len() == events.len();
    applies(is_asked, "there are no requests for the beginnings of the list")?;
    let mut is_judged = false;
    for Step { count, shorter, longer, .. } in steps(case).filter(|step| !step.looks_back) {
        is_judged = true;
        let before_last = shorter.split_last().map_or(&[][..], |(_, before)| before);
        let changed = before_last.iter().enumerate().find(|(index, turn)| {
            let is_same = |longer| is_same(longer, turn);
            !longer.get(*index).is_some_and(is_same)
        });
        if let Some((index, turn)) = changed {
            let how = how(turn, longer.get(index));
            let turns = shorter.len();
            let found =
                sentence!("message {count}, added, changes turn {index} of {turns}: {how}", count, index, turns, how);
            report.add(Place::message(index), "changed", found, "the turns before the last one as they were");
        }
    }
    applies(is_judged, "each added message is one that looks back, or a request is missing")
}

/// A message that was added to a beginning of the list, and the requests before and after.
struct Step<'a> {
    /// Its place in the list.
    count: usize,
    shorter: &'a [Value],
    longer: &'a [Value],
    /// Whether it may change turns before the last one.
    looks_back: bool,
}

/// The steps from each beginning of the list to the next longer one.
fn steps(case: &ApiNormalized) -> impl Iterator<Item = Step<'_>> {
    let shorter = case.shorter.iter().map(Option::as_ref);
    let longer = shorter.clone().skip(1).chain([Some(&case.request)]);
    let mut replies = HashSet::new();
    let steps = shorter.zip(longer).zip(case.events()).enumerate();
    steps.filter_map(move |(count, ((shorter, longer), added))| {
        let is_known_reply = reply_id(added).is_some_and(|id| !replies.insert(id));
        let (shorter, longer) = (turns(shorter?)?, turns(longer?)?);
        Some(Step { count, shorter, longer, looks_back: is_known_reply || looks_back(added, shorter) })
    })
}

fn turns(given: &Given) -> Option<&[Value]> {
    given.as_ref().ok()?.value.as_array().map(Vec::as_slice)
}

/// Whether a message may change turns before the last one of the request so far. Lines of an earlier reply are found
/// in another way.
fn looks_back(added: &Value, turns: &[Value]) -> bool {
    let has_placeholder = || turns.last().is_some_and(|turn| list(turn, "content").iter().any(is_placeholder));
    match kind(added) {
        "tombstone" => true,
        "assistant" => refuses(added) || has_placeholder(),
        "user" => answers_earlier_call(blocks(added), turns),
        // What was queued may be any blocks.
        "attachment" => {
            let queued = added.get("attachment").map_or(&[][..], |attachment| list(attachment, "prompt"));
            answers_earlier_call(queued, turns)
        }
        _ => false,
    }
}

fn is_placeholder(block: &Value) -> bool {
    let words = match block.get("content").and_then(Value::as_array).map(Vec::as_slice) {
        Some([only]) => text_of(only),
        _ => text(block, "content"),
    };
    kind(block) == "tool_result" && words == Some(MISSING_TOOL_RESULT)
}

/// Whether a message has a result for a call before the last assistant turn. An id that the API refuses may be replaced
/// there by another one, so it may be any call's.
fn answers_earlier_call(added: &[Value], turns: &[Value]) -> bool {
    let mut ids = added.iter().filter_map(result_of).peekable();
    if ids.peek().is_none() {
        return false;
    }
    let last = turns.iter().rposition(|turn| text(turn, "role") == Some("assistant"));
    let earlier = turns[..last.unwrap_or(0)].iter().flat_map(|turn| list(turn, "content"));
    let earlier: HashSet<&str> = earlier.filter_map(call_of).collect();
    ids.any(|id| earlier.contains(id) || !is_legal("tool_use", id))
}

pub(super) fn incremental(case: &ApiEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let states = case.incremental.as_ref().ok_or("the subject does not normalize message by message")?;
    let events = case.messages.value.as_array().ok_or(NO_REQUEST)?;
    applies(!events.is_empty(), "there are no messages")?;
    if states.len() != events.len() {
        let (kind, found) = match states.first() {
            Some(Some(Err(why))) if states.len() == 1 => ("refused", sentence!("a refusal: {why}", why)),
            _ => {
                let (requests, messages) = (states.len(), events.len());
                ("wrong-count", sentence!("{requests} requests for {messages} messages", requests, messages))
            }
        };
        report.whole(kind, found, "a request after each message");
        return Ok(());
    }
    let from_start = match case.shorter.len() == events.len() {
        true => case.shorter.iter().skip(1).map(Option::as_ref).chain([Some(&case.request)]).collect(),
        false => [vec![None; events.len() - 1], vec![Some(&case.request)]].concat(),
    };
    for (index, (state, whole)) in states.iter().zip(from_start).enumerate() {
        let count = index + 1;
        match (state, whole) {
            (Some(Ok(state)), Some(Ok(whole))) => {
                let Some(turn) = difference(&state.value, &whole.value, is_same) else { continue };
                let [one, other] = [state, whole].map(|request| request.value.as_array()?.get(turn));
                let (found, expected) = other_part(&format!("messages.{turn}"), one, other, identical).in_words();
                let found = sentence!("after message {index}: {found}", index, found = found.to_string());
                let expected = expected.to_string();
                let expected = sentence!("{expected}, as the first {count} messages give at once", expected, count);
                report.add(Place::message(index), "changed", found, expected);
            }
            (Some(Err(why)), Some(Ok(_))) => {
                let found = sentence!("after message {index}: no request: {why}", index, why);
                let expected = sentence!("the request that the first {count} messages give at once", count);
                report.add(Place::message(index), "no-request", found, expected);
            }
            _ => {}
        }
    }
    Ok(())
}
