//! Each call is *answered* when a request is sent.

use std::collections::HashMap;

use serde_json::Value;

use super::live::{answered, call_of, calls, is_true, result_of, text};
use crate::operation::Moment;
use crate::rules::{Judge, Place, PlayEvidence, RuleEntry, Verdict, Violation};

pub(super) const EVERY_USE_ANSWERED: RuleEntry =
    rule!("engine/every-use-answered", Error, Judge::Play(every_use_answered));

fn every_use_answered(case: &PlayEvidence<'_>) -> Verdict {
    let mut violations = Vec::new();
    let mut judged = 0;
    for (index, moment) in (0..).zip(&case.moments) {
        let Moment::Requested { messages, turns, .. } = moment else { continue };
        let mut report = |found: String, expected: &str| {
            let place = Place::Message { index, block: None };
            violations.push(Violation::new(EVERY_USE_ANSWERED.id, place, found, expected));
        };
        judged += judge_turns(turns.elements(), &mut report);
        judged += judge_messages(messages.elements(), &mut report);
    }
    match judged {
        0 => Verdict::NotApplicable("no request has a call"),
        _ => Verdict::from_violations(violations),
    }
}

/// Judges the turns of a request; gives how many calls they have.
fn judge_turns(turns: &[Value], report: &mut impl FnMut(String, &str)) -> usize {
    let contents: Vec<&[Value]> = turns.iter().map(content).collect();
    let mut results: HashMap<&str, usize> = HashMap::new();
    for id in contents.iter().copied().flatten().filter_map(result_of) {
        *results.entry(id).or_default() += 1;
    }
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
                let found =
                    format!("the call {id:?} of turn {index} has {there} results in the next turn and {all} in all");
                report(found, "one, in the next turn");
            }
        }
    }
    judged
}

/// The blocks of a turn.
fn content(turn: &Value) -> &[Value] {
    turn.get("content").and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// Judges the live messages of a request; gives how many calls they have.
fn judge_messages(messages: &[Value], report: &mut impl FnMut(String, &str)) -> usize {
    let mut results: HashMap<&str, usize> = HashMap::new();
    let sent = || messages.iter().filter(|message| !is_true(message, "isVirtual"));
    for id in sent().flat_map(answered) {
        *results.entry(id).or_default() += 1;
    }
    let mut judged = 0;
    for id in sent().flat_map(calls) {
        judged += 1;
        let count = results.get(id).copied().unwrap_or_default();
        if count != 1 {
            report(format!("the call {id:?} has {count} results among the live messages"), "one result");
        }
    }
    judged
}
