//! A *tool* call is a `tool_use` block of a reply; these rules say how calls and their results stand
//! in a transcript.

use super::facts::{CallFact, Facts, IdKey, KeyIndex, ResultFact};
use super::links::Uuids;
use super::{Judge, RuleEntry, Violation};

/// Takes each violation, in file order.
type Sink<'a> = &'a mut dyn FnMut(Violation);

/// The rules of the family.
pub(super) const RULES: &[&RuleEntry] =
    &[&RESULT_HAS_CALL, &CALL_ANSWERED, &UNIQUE_CALL_ID, &SINGLE_RESULT, &DUAL, &SOURCE, &PLACEHOLDER_MARKED];

const RESULT_HAS_CALL: RuleEntry = rule!("tool/result-has-call", Error, Judge::Transcript(result_has_call));

fn result_has_call(facts: &Facts, sink: Sink<'_>) {
    let calls = calls_by_id(facts);
    for result in &facts.results {
        if calls.get(result.call, call_id(facts)).is_none() {
            sink(Violation::new(
                RESULT_HAS_CALL.id,
                facts.block_place(result.node, result.block),
                "no tool_use block in this file has the id that this tool_result names",
                "the id of a tool_use block in this file, as tool_use_id",
            ));
        }
    }
}

/// Indexes the calls by id.
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

const CALL_ANSWERED: RuleEntry = rule!("tool/call-answered", Warning, Judge::Transcript(call_answered));

fn call_answered(facts: &Facts, sink: Sink<'_>) {
    let results = KeyIndex::new(facts.results.len(), result_call(facts));
    for call in &facts.calls {
        if results.get(call.id, result_call(facts)).is_none() {
            sink(Violation::new(
                CALL_ANSWERED.id,
                facts.block_place(call.node, call.block),
                "no tool_result block in this file answers this tool_use",
                "a tool_result whose tool_use_id is the id of this block",
            ));
        }
    }
}

const UNIQUE_CALL_ID: RuleEntry = rule!("tool/unique-call-id", Error, Judge::Transcript(unique_call_id));

fn unique_call_id(facts: &Facts, sink: Sink<'_>) {
    let calls = calls_by_id(facts);
    for (at, call) in facts.calls.iter().enumerate() {
        let first = calls.get(call.id, call_id(facts)).filter(|&first| first < at);
        let Some(first) = first.map(|first| &facts.calls[first]) else { continue };
        if !is_same_record_again(facts, first.node, call.node) {
            let line = facts.nodes[first.node as usize].line;
            sink(Violation::new(
                UNIQUE_CALL_ID.id,
                facts.block_place(call.node, call.block),
                format!("a tool_use block on line {line} has the same id"),
                "an id that no other tool_use block has",
            ));
        }
    }
}

/// Whether two records, not one and the same, have the same uuid.
fn is_same_record_again(facts: &Facts, first: u32, second: u32) -> bool {
    let uuid = |node: u32| facts.nodes[node as usize].uuid();
    first != second && uuid(first).is_some() && uuid(first) == uuid(second)
}

const SINGLE_RESULT: RuleEntry = rule!("tool/single-result", Error, Judge::Transcript(single_result));

fn single_result(facts: &Facts, sink: Sink<'_>) {
    let results = KeyIndex::new(facts.results.len(), result_call(facts));
    for (at, result) in facts.results.iter().enumerate() {
        let first = results.get(result.call, result_call(facts)).filter(|&first| first < at);
        let Some(first) = first.map(|first| &facts.results[first]) else { continue };
        if !is_same_record_again(facts, first.node, result.node) {
            let line = facts.nodes[first.node as usize].line;
            sink(Violation::new(
                SINGLE_RESULT.id,
                facts.block_place(result.node, result.block),
                format!("a tool_result block on line {line} answers the same call"),
                "one result for each call",
            ));
        }
    }
}

const DUAL: RuleEntry = rule!("tool/dual", Warning, Judge::Transcript(dual));

fn dual(facts: &Facts, sink: Sink<'_>) {
    for result in first_of_each_record(&facts.results, |result| result.node) {
        if !result.has_raw && !facts.nodes[result.node as usize].is_sidechain() {
            sink(Violation::new(
                DUAL.id,
                facts.block_place(result.node, result.block),
                "the record has a tool_result but no toolUseResult",
                "the tool's raw output, as toolUseResult",
            ));
        }
    }
}

/// Of neighbours in one record, the first.
fn first_of_each_record<T>(items: &[T], node: impl Fn(&T) -> u32) -> impl Iterator<Item = &T> {
    items.chunk_by(move |item, next| node(item) == node(next)).filter_map(|record| record.first())
}

const SOURCE: RuleEntry = rule!("tool/source", Error, Judge::Transcript(source));

fn source(facts: &Facts, sink: Sink<'_>) {
    let wrong = results_with_wrong_source(facts);
    if wrong.is_empty() {
        return;
    }
    let calls = calls_by_id(facts);
    let uuids = Uuids::new(facts);
    for result in wrong {
        let call = calls.get(result.call, call_id(facts)).map(|call| &facts.calls[call]);
        let source = facts.source(result).and_then(|source| uuids.get(source));
        sink(Violation::new(
            SOURCE.id,
            facts.place(result.node as usize, "sourceToolAssistantUUID"),
            source_in_words(facts, source, call),
            "the uuid of the assistant record that holds the call",
        ));
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
    let mut wrong: Vec<&ResultFact> = facts.results.iter().filter(is_wrong).collect();
    wrong.dedup_by_key(|result| result.node);
    wrong
}

/// What is wrong with a source.
fn source_in_words(facts: &Facts, source: Option<usize>, call: Option<&CallFact>) -> String {
    let named = match source {
        Some(source) => format!("the source, on line {}, does not hold the call", facts.nodes[source].line),
        None => "no record in this file has the uuid that is named as the source".to_owned(),
    };
    match call {
        Some(call) => format!("{named}; the call is on line {}", facts.nodes[call.node as usize].line),
        None => format!("{named}; the call is not in this file"),
    }
}

const PLACEHOLDER_MARKED: RuleEntry = rule!("tool/placeholder-marked", Warning, Judge::Transcript(placeholder_marked));

fn placeholder_marked(facts: &Facts, sink: Sink<'_>) {
    for result in facts.results.iter().filter(|result| result.is_placeholder) {
        sink(Violation::new(
            PLACEHOLDER_MARKED.id,
            facts.block_place(result.node, result.block),
            "the result is the placeholder for one that was lost: this history holds a made-up result, and \
             is not to be used as training data",
            "what the tool really answered",
        ));
    }
}
