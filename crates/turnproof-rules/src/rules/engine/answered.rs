//! Each call is *answered* when a request is sent.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::live::{answered, calls};
use crate::operation::Moment;
use crate::rules::value::{call_of, is_true, list, result_of, text};
use crate::rules::{Applies, Place, PlayEvidence, Report, applies};

pub(super) fn every_use_answered(case: &PlayEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let mut judged = 0;
    for (index, moment) in case.moments.iter().enumerate() {
        let Moment::Requested { messages, turns, .. } = moment else { continue };
        let mut tell = |found: String, expected: &str| report.add(Place::message(index), found, expected);
        judged += judge_turns(turns.elements(), &mut tell);
        judged += judge_messages(messages.elements(), &mut tell);
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
fn judge_turns(turns: &[Value], tell: &mut impl FnMut(String, &str)) -> usize {
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
                let found =
                    format!("the call {id:?} of turn {index} has {there} results in the next turn and {all} in all");
                tell(found, "one, in the next turn");
            }
        }
    }
    judged
}

/// Judges the live messages of a request; gives how many calls they have.
fn judge_messages(messages: &[Value], tell: &mut impl FnMut(String, &str)) -> usize {
    let sent = || messages.iter().filter(|message| !is_true(message, "isVirtual"));
    // A reply may use the id of an earlier one again.
    let results = counts(sent().flat_map(answered));
    let made = counts(sent().flat_map(calls));
    let mut judged: HashSet<&str> = HashSet::new();
    for id in sent().flat_map(calls).filter(|id| judged.insert(id)) {
        let count = results.get(id).copied().unwrap_or_default();
        let expected = made.get(id).copied().unwrap_or_default();
        if count != expected {
            let found = format!("the {expected} calls {id:?} have {count} results among the live messages");
            tell(found, "one result for each");
        }
    }
    judged.len()
}
