//! Each call is *answered* when a request is sent.

use std::collections::{HashMap, HashSet};

use crate::json::Value;

use super::live::{answered, calls};
use crate::operation::Moment;
use crate::rules::value::{blocks, call_of, content, is_true, kind, list, reply_id, result_of, text, text_of, uuid};
use crate::rules::{Applies, Place, PlayEvidence, Report, Sentence, applies};
use crate::vocabulary::{INTERRUPTION_FOR_TOOL_USE, MISSING_TOOL_RESULT};

pub(super) fn every_use_answered(case: &PlayEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let mut judged = 0;
    for (index, moment) in case.moments.iter().enumerate() {
        let Moment::Requested { messages, turns, .. } = moment else { continue };
        let mut add = |kind: &'static str, found: Sentence, expected: &'static str| {
            report.add(Place::message(index), kind, found, expected);
        };
        judged += judge_turns(turns.elements(), &mut add);
        judged += judge_messages(messages.elements(), &mut add);
    }
    applies(judged > 0, "no request has a call")
}

/// How often each id comes.
fn counts<'a>(ids: impl Iterator<Item = &'a str>) -> HashMap<&'a str, usize> {
    let mut counts = HashMap::new();
    ids.for_each(|id| *counts.entry(id).or_default() += 1);
    counts
}

/// Judges the turns of a request; gives how many calls they have.
fn judge_turns(turns: &[Value], add: &mut impl FnMut(&'static str, Sentence, &'static str)) -> usize {
    let contents: Vec<&[Value]> = turns.iter().map(|turn| list(turn, "content")).collect();
    let results = counts(contents.iter().copied().flatten().filter_map(result_of));
    let mut judged = 0;
    for (index, (turn, blocks)) in turns.iter().zip(&contents).enumerate() {
        if text(turn, "role") != Some("assistant") {
            continue;
        }
        let is_user = turns.get(index + 1).is_some_and(|next| text(next, "role") == Some("user"));
        let next = contents.get(index + 1).filter(|_| is_user);
        for id in blocks.iter().filter_map(call_of) {
            judged += 1;
            let there = next.map_or(0, |next| next.iter().filter(|block| result_of(block) == Some(id)).count());
            let all = results.get(id).copied().unwrap_or_default();
            if there != 1 || all != 1 {
                let found = sentence!(
                    "the call {id:?} of turn {index} has {there} results in the next turn and {all} in all",
                    id,
                    index,
                    there,
                    all
                );
                add("not-once-sent", found, "one, in the next turn");
            }
        }
    }
    judged
}

/// Judges the live messages of a request; gives how many calls they have.
fn judge_messages(messages: &[Value], add: &mut impl FnMut(&'static str, Sentence, &'static str)) -> usize {
    let sent = || messages.iter().filter(|message| !is_true(message, "isVirtual"));
    let results = counts(sent().flat_map(answered));
    let made = counts(made(sent()));
    let mut judged: HashSet<&str> = HashSet::new();
    for id in sent().flat_map(calls).filter(|id| judged.insert(id)) {
        let count = results.get(id).copied().unwrap_or_default();
        let expected = made.get(id).copied().unwrap_or_default();
        if count != expected {
            let found = sentence!(
                "the {expected} calls {id:?} have {count} results among the live messages",
                expected,
                id,
                count
            );
            add("not-once-live", found, "one result for each");
        }
    }
    judged.len()
}

/// The ids of the calls. A reply may use the id of an earlier one again; one that says a call again adds none.
pub(super) fn made<'a>(messages: impl Iterator<Item = &'a Value>) -> impl Iterator<Item = &'a str> {
    let mut said: HashSet<(Option<&str>, usize, &str)> = HashSet::new();
    let of_message = |(at, message)| {
        let reply = reply_id(message);
        // Who names no reply is one of its own.
        calls(message).map(move |id| (reply, reply.map_or(at, |_| 0), id))
    };
    messages.enumerate().flat_map(of_message).filter(move |call| said.insert(*call)).map(|(_, _, id)| id)
}

pub(super) fn interrupted_not_lost(case: &PlayEvidence<'_>, report: &mut Report<'_>) -> Applies {
    // The results that were yielded last, with nothing else after them.
    let mut results: Vec<(usize, &Value)> = Vec::new();
    let mut judged = 0;
    // What somebody typed is no notice, whatever it says.
    let joined = case.moments.iter().filter_map(|moment| match moment {
        Moment::Joined { uuid, .. } => Some(uuid.as_str()),
        _ => None,
    });
    let joined: HashSet<&str> = joined.collect();
    // Nor is what a tool gave the loop's own placeholder, though it says the same.
    let inputs = case.given().inputs.iter().flat_map(|inputs| inputs.elements());
    let given = inputs.filter_map(|input| input.get("result"));
    let given = given.filter(|given| text(given, "content") == Some(MISSING_TOOL_RESULT));
    let of_tools: HashSet<&str> = given.filter_map(|given| text(given, "call")).collect();
    let is_made = |block: &Value| {
        let is_of_tool = result_of(block).is_some_and(|call| of_tools.contains(call));
        text(block, "content") == Some(MISSING_TOOL_RESULT) && !is_of_tool
    };
    for (index, moment) in case.moments.iter().enumerate() {
        let Moment::Yielded(event) = moment else { continue };
        let message = &event.value;
        if answered(message).next().is_some() {
            results.push((index, message));
            continue;
        }
        let of_interruption = std::mem::take(&mut results);
        let is_typed = uuid(message).is_some_and(|uuid| joined.contains(uuid));
        if !is_interruption(message) || is_typed {
            continue;
        }
        for (index, result) in of_interruption {
            judged += 1;
            if blocks(result).iter().any(is_made) {
                let found = "the user interrupts, and an open call gets the placeholder for a result that was lost";
                let expected = sentence!("the result {words:?}", words = INTERRUPTION_FOR_TOOL_USE);
                report.add(Place::message(index), "placeholder", found, expected);
            }
        }
    }
    applies(judged > 0, "nobody interrupts after a result")
}

/// Whether a message is the notice that the user interrupted while a tool ran.
fn is_interruption(message: &Value) -> bool {
    let says = |said: Option<&str>| said == Some(INTERRUPTION_FOR_TOOL_USE);
    let text = content(message).and_then(Value::as_str);
    kind(message) == "user" && (says(text) || blocks(message).iter().any(|block| says(text_of(block))))
}
