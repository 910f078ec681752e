//! A *tool* call is a `tool_use` block of a reply; these rules say how calls and their results stand in a transcript.

use std::collections::HashSet;

use super::agent_file::first_reply;
use super::facts::{CallFact, Facts, IdKey, ResultFact, SIDECHAIN};
use super::index::KeyIndex;
use super::links::Uuids;
use super::{Report, RuleEntry, Sentence};

pub(super) const RULES: &[RuleEntry] = &[
    rule!("tool/result-has-call", Transcript(result_has_call)),
    rule!("tool/call-answered", Transcript(call_answered)),
    rule!("tool/unique-call-id", Transcript(unique_call_id)),
    rule!("tool/single-result", Transcript(single_result)),
    rule!("tool/dual", Transcript(dual)),
    rule!("tool/source", Transcript(source)),
    rule!("tool/placeholder-marked", Transcript(placeholder_marked)),
];

fn result_has_call(facts: &Facts, report: &mut Report<'_>) {
    let calls = calls_by_id(facts);
    let first_reply = first_reply(facts);
    for result in facts.results.iter().filter(|result| result.node as usize >= first_reply) {
        if calls.get(result.call, call_id(facts)).is_none() {
            let found = "no tool_use block in this file has the id that this tool_result names";
            let expected = "the id of a tool_use block in this file, as tool_use_id";
            report.add(facts.block_place(result.node, result.block), "no-call", found, expected);
        }
    }
}

fn calls_by_id(facts: &Facts) -> KeyIndex {
    KeyIndex::new(facts.calls.len(), call_id(facts))
}

/// The id of a call, by its place in the facts.
fn call_id(facts: &Facts) -> impl Fn(usize) -> Option<IdKey> {
    |call| Some(facts.calls[call].id)
}

/// The call that a result names, by the result's place in the facts.
fn result_call(facts: &Facts) -> impl Fn(usize) -> Option<IdKey> {
    |result| Some(facts.results[result].call)
}

fn call_answered(facts: &Facts, report: &mut Report<'_>) {
    let results = KeyIndex::new(facts.results.len(), result_call(facts));
    for call in &facts.calls {
        if results.get(call.id, result_call(facts)).is_none() {
            let found = "no tool_result block in this file answers this tool_use";
            let expected = "a tool_result whose tool_use_id is the id of this block";
            report.add(facts.block_place(call.node, call.block), "no-result", found, expected);
        }
    }
}

fn unique_call_id(facts: &Facts, report: &mut Report<'_>) {
    let calls = calls_by_id(facts);
    let results = KeyIndex::new(facts.results.len(), result_call(facts));
    for (at, call) in facts.calls.iter().enumerate() {
        let first = calls.get(call.id, call_id(facts)).filter(|&first| first < at);
        let Some(first) = first.map(|first| &facts.calls[first]) else { continue };
        if !is_same_record_again(facts, first.node, call.node) {
            let line = facts.nodes[first.node as usize].line;
            let found = sentence!("a tool_use block on line {line} has the same id", line);
            let expected = "an id that no other tool_use block has";
            let is_copy = is_written_again(facts, &results, first, call);
            let kind = if is_copy { "written-again" } else { "same-id" };
            report.add(facts.block_place(call.node, call.block), kind, found, expected);
        }
    }
}

/// Whether a call of the same reply is a second copy: its result is between the two. A reply has two calls of one id in
/// front of both results.
fn is_written_again(facts: &Facts, results: &KeyIndex, first: &CallFact, second: &CallFact) -> bool {
    let node = |call: &CallFact| &facts.nodes[call.node as usize];
    let result = results.get(second.id, result_call(facts)).map(|result| facts.results[result].node);
    node(first).is_same_reply(node(second)) && result.is_some_and(|result| (first.node..second.node).contains(&result))
}

/// Whether two records, not one and the same, have the same uuid.
fn is_same_record_again(facts: &Facts, first: u32, second: u32) -> bool {
    let uuid = |node: u32| facts.nodes[node as usize].uuid();
    first != second && uuid(first).is_some() && uuid(first) == uuid(second)
}

fn single_result(facts: &Facts, report: &mut Report<'_>) {
    let results = KeyIndex::new(facts.results.len(), result_call(facts));
    let calls = calls_by_id(facts);
    let is_again = |(at, call): &(usize, &CallFact)| {
        let first = calls.get(call.id, call_id(facts)).filter(|first| first < at);
        first.is_some_and(|first| !is_written_again(facts, &results, &facts.calls[first], call))
    };
    let is_repeated: HashSet<IdKey> =
        facts.calls.iter().enumerate().filter(is_again).map(|(_, call)| call.id).collect();
    for (at, result) in facts.results.iter().enumerate() {
        let first = results.get(result.call, result_call(facts)).filter(|&first| first < at);
        let Some(first) = first.map(|first| &facts.results[first]) else { continue };
        if !is_same_record_again(facts, first.node, result.node) {
            let line = facts.nodes[first.node as usize].line;
            let found = sentence!("a tool_result block on line {line} answers the same call", line);
            // Two calls of one id have two results.
            let kind = if is_repeated.contains(&result.call) { "same-call" } else { "extra" };
            report.add(facts.block_place(result.node, result.block), kind, found, "one result for each call");
        }
    }
}

fn dual(facts: &Facts, report: &mut Report<'_>) {
    let by_record = facts.results.chunk_by(|result, next| result.node == next.node);
    for result in by_record.filter_map(|results| results.first()) {
        if !result.has_raw && !facts.nodes[result.node as usize].is(SIDECHAIN) {
            let found = "the record has a tool_result but no toolUseResult";
            let expected = "the tool's raw output, as toolUseResult";
            report.add(facts.block_place(result.node, result.block), "no-raw-output", found, expected);
        }
    }
}

fn source(facts: &Facts, report: &mut Report<'_>) {
    let wrong = results_with_wrong_source(facts);
    if wrong.is_empty() {
        return;
    }
    let calls = calls_by_id(facts);
    let uuids = Uuids::new(facts);
    for result in wrong {
        let call = calls.get(result.call, call_id(facts)).map(|call| &facts.calls[call]);
        let source = facts.source(result).and_then(|source| uuids.get(source));
        let place = facts.place(result.node as usize, "sourceToolAssistantUUID");
        let expected = "the uuid of the assistant record that holds the call";
        let (kind, found) = wrong_source(facts, source, call);
        report.add(place, kind, found, expected);
    }
}

/// Of each record with a source, the first result whose call the source does not hold.
fn results_with_wrong_source(facts: &Facts) -> Vec<&ResultFact> {
    let held = |call: usize| {
        let call = &facts.calls[call];
        facts.nodes[call.node as usize].uuid().map(|uuid| call.id.with(uuid))
    };
    let index = KeyIndex::new(facts.calls.len(), held);
    let is_wrong = |result: &&ResultFact| {
        facts.source(result).is_some_and(|source| index.get(result.call.with(source), held).is_none())
    };
    let first_reply = first_reply(facts);
    let is_asked = |result: &&ResultFact| result.node as usize >= first_reply;
    let mut wrong: Vec<&ResultFact> = facts.results.iter().filter(is_asked).filter(is_wrong).collect();
    wrong.dedup_by_key(|result| result.node);
    wrong
}

fn wrong_source(facts: &Facts, source: Option<usize>, call: Option<&CallFact>) -> (&'static str, Sentence) {
    let named = match source {
        Some(source) => {
            sentence!("the source, on line {line}, does not hold the call", line = facts.nodes[source].line)
        }
        None => "no record in this file has the uuid that is named as the source".into(),
    };
    let kind = match (source, call) {
        (Some(_), Some(_)) => "other-source",
        (Some(_), None) => "other-source-no-call",
        (None, Some(_)) => "missing-source",
        (None, None) => "missing-source-no-call",
    };
    let found = match call {
        Some(call) => {
            sentence!("{named}; the call is on line {line}", named, line = facts.nodes[call.node as usize].line)
        }
        None => sentence!("{named}; the call is not in this file", named),
    };
    (kind, found)
}

fn placeholder_marked(facts: &Facts, report: &mut Report<'_>) {
    for result in facts.results.iter().filter(|result| result.is_placeholder) {
        let found = "the result is the placeholder for one that was lost: this history holds a made-up result, and is \
                     not to be used as training data";
        report.add(facts.block_place(result.node, result.block), "placeholder", found, "what the tool really answered");
    }
}
