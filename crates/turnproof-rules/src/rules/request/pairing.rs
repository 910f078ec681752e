//! *Pairing* links each call of a tool to its result: the result is in the user's turn right after the call's, once.
//!
//! Neighbouring turns of one role are looked at as one: hosts that take such runs join them, and for the others
//! `api/alternation` is the rule that is broken. The forms of ids and inputs are judged here too.

use std::collections::{HashMap, HashSet};

use turnproof_format::{CALL_ID, SERVER_CALL_ID, is_call_id, is_server_call_id};

use super::view::{Block, Role, Run, SERVER_RESULTS, blocks, runs};
use crate::operation::{Host, Request};
use crate::rules::Report;

pub(super) fn result_follows_use(request: &Request, host: Host, report: &mut Report<'_>) {
    let runs = runs(request);
    for (at, run) in runs.iter().enumerate().filter(|(_, run)| run.role == Role::Assistant) {
        let answered: HashSet<&str> = runs.get(at + 1).map(|next| results(next).collect()).unwrap_or_default();
        let mut seen = HashSet::new();
        let open: Vec<(&str, Block<'_>)> =
            calls(run).filter(|&(id, _)| !answered.contains(id) && seen.insert(id)).collect();
        let Some(&(_, first)) = open.first() else { continue };
        let ids: Vec<&str> = open.iter().map(|&(id, _)| id).collect();
        let found = match ids.as_slice() {
            [id] => sentence!("the call {id} has no result in the next turn", id),
            ids => {
                let (count, ids) = (ids.len(), ids.join(", "));
                sentence!("{count} calls have no result in the next turn: {ids}", count, ids)
            }
        };
        let error = unanswered(host, first.turn.index, run.last.index + 1, &ids);
        let expected = "a `tool_result` for each call in the turn after it";
        report.predict(first.place(), "no-result", found, expected, error);
    }
}

/// What a host says of calls in the turn `calls` whose results it does not find in the turn `results`.
pub(super) fn unanswered(host: Host, calls: usize, results: usize, ids: &[&str]) -> String {
    let ids = ids.join(", ");
    match host {
        Host::BedrockConverse => {
            format!("Expected toolResult blocks at messages.{results}.content for the following Ids: {ids}")
        }
        _ => format!(
            "messages.{calls}: `tool_use` ids were found without `tool_result` blocks immediately after: {ids}. Each \
             `tool_use` block must have a corresponding `tool_result` block in the next message."
        ),
    }
}

/// The calls of a run, with their ids.
pub(super) fn calls<'a>(run: &Run<'a>) -> impl Iterator<Item = (&'a str, Block<'a>)> {
    let blocks = run.blocks.iter().filter(|block| block.is("tool_use"));
    blocks.filter_map(|block| Some((block.string("id")?, *block)))
}

/// The ids that the results of a run name.
fn results<'a>(run: &Run<'a>) -> impl Iterator<Item = &'a str> {
    run.blocks.iter().filter(|block| block.is("tool_result")).filter_map(|block| block.string("tool_use_id"))
}

/// A user's result, and what the turn before has for it.
pub(super) struct Answer<'a> {
    pub(super) id: &'a str,
    pub(super) block: Block<'a>,
    /// The first call with this id in the turn before.
    pub(super) call: Option<Block<'a>>,
    /// Whether an earlier result of the same turn names the same call.
    pub(super) is_repeated: bool,
    /// Whether a block that is no result comes before it in its turn.
    pub(super) is_late: bool,
}

/// What Converse says of a turn with more results than the turn before has calls.
fn more_results(block: Block<'_>) -> String {
    let turn = block.turn.index;
    format!(
        "The number of toolResult blocks at messages.{turn}.content exceeds the number of toolUse blocks of previous turn."
    )
}

/// The results in the user's turns, in order.
pub(super) fn answers(request: &Request) -> Vec<Answer<'_>> {
    let runs = runs(request);
    let mut answers = Vec::new();
    let mut called: HashMap<&str, Block<'_>> = HashMap::new();
    for run in &runs {
        if run.role == Role::Assistant {
            called.clear();
            calls(run).for_each(|(id, block)| {
                called.entry(id).or_insert(block);
            });
            continue;
        }
        let (mut seen, mut is_late) = (HashSet::new(), false);
        for &block in &run.blocks {
            if !block.is("tool_result") {
                is_late = true;
            } else if let Some(id) = block.string("tool_use_id") {
                let call = called.get(id).copied();
                answers.push(Answer { id, block, call, is_repeated: !seen.insert(id), is_late });
            }
        }
    }
    answers
}

/// Hosts refused it until May 2026 (400 of 2025-05 and 2026-05-13, claude-3-5-sonnet and claude-haiku-4-5), and were
/// measured to take it in September 2026.
pub(super) fn calls_last(request: &Request, host: Host, report: &mut Report<'_>) {
    for run in runs(request).iter().filter(|run| run.role == Role::Assistant) {
        let Some(last) = run.blocks.iter().rfind(|block| block.is("text")).map(|block| block.place_in_order()) else {
            continue;
        };
        let before: Vec<_> = calls(run).take_while(|(_, block)| block.place_in_order() < last).collect();
        let Some(&(_, first)) = before.first() else { continue };
        let ids: Vec<&str> = before.iter().map(|&(id, _)| id).collect();
        let found = sentence!("a text behind the call {ids}", ids = ids.join(", "));
        let error = unanswered(host, first.turn.index, run.last.index + 1, &ids);
        report.warn(first.place(), "text-behind", found, "the calls at the end of the turn", error);
    }
}

pub(super) fn no_orphan_result(request: &Request, host: Host, report: &mut Report<'_>) {
    for answer in answers(request).iter().filter(|answer| answer.call.is_none()) {
        let Answer { id, block, .. } = answer;
        let error = match host {
            Host::BedrockConverse => more_results(*block),
            _ => format!(
                "{}: unexpected `tool_use_id` found in `tool_result` blocks: {id}. Each `tool_result` block must have a \
             corresponding `tool_use` block in the previous message.",
                block.path()
            ),
        };
        let found = sentence!("a result for {id}, which the turn before does not call", id);
        report.predict(block.place(), "no-call", found, "the id of a call in the turn before", error);
    }
}

pub(super) fn unique_use_id(request: &Request, host: Host, report: &mut Report<'_>) {
    let mut first: HashMap<&str, String> = HashMap::new();
    for run in runs(request).iter().filter(|run| run.role == Role::Assistant) {
        // Once a call has its result, hosts take its id again in a later turn.
        if host != Host::Portable {
            first.clear();
        }
        for (id, block) in calls(run) {
            match first.get(id) {
                Some(earlier) => {
                    let found = sentence!("the call in {earlier} has the id {id} too", earlier, id);
                    let error = format!("{}: `tool_use` ids must be unique", block.path());
                    report.predict(block.place(), "same-id", found, "an id of its own", error);
                }
                None => {
                    first.insert(id, block.path());
                }
            }
        }
    }
}

pub(super) fn single_result(request: &Request, _: Host, report: &mut Report<'_>) {
    for answer in answers(request).iter().filter(|answer| answer.call.is_some() && answer.is_repeated) {
        let Answer { id, block, .. } = answer;
        let error = format!(
            "{}: each tool_use must have a single result. Found multiple `tool_result` blocks with id: {id}",
            block.path()
        );
        let found = sentence!("another result for {id}", id);
        report.predict(block.place(), "extra", found, "one result for each call", error);
    }
}

pub(super) fn results_first(request: &Request, host: Host, report: &mut Report<'_>) {
    for answer in answers(request).iter().filter(|answer| answer.is_late && !answer.is_repeated) {
        let Some(call) = answer.call else { continue };
        let Answer { id, block, .. } = answer;
        let found = sentence!("the result for {id} stands behind other content", id);
        let error = unanswered(host, call.turn.index, block.turn.index, &[id]);
        report.predict(block.place(), "wrong-order", found, "the results in front of the turn", error);
    }
}

pub(super) fn id_form(request: &Request, _: Host, report: &mut Report<'_>) {
    for block in blocks(request) {
        let (member, is_server) = match (block.turn.role(), block.kind()) {
            (Role::Assistant, "tool_use" | "mcp_tool_use") => ("id", false),
            (Role::Assistant, "server_tool_use") => ("id", true),
            (Role::User, "tool_result") | (Role::Assistant, "mcp_tool_result") => ("tool_use_id", false),
            (Role::Assistant, kind) if SERVER_RESULTS.contains(&kind) => ("tool_use_id", true),
            _ => continue,
        };
        let Some(id) =
            block.string(member).filter(|id| !if is_server { is_server_call_id(id) } else { is_call_id(id) })
        else {
            continue;
        };
        let pattern = if is_server { SERVER_CALL_ID } else { CALL_ID };
        let error = format!("{}: String should match pattern '{pattern}'", block.member(member));
        let found = sentence!("the {member} {id:?}", member, id);
        let kind = if member == "id" { "call-id" } else { "result-id" };
        report.predict(block.place(), kind, found, sentence!("an id like {pattern}", pattern), error);
    }
}

pub(super) fn input_object(request: &Request, _: Host, report: &mut Report<'_>) {
    let calls = blocks(request).filter(|block| block.is("tool_use") && block.turn.role() == Role::Assistant);
    for block in calls {
        if block.field("input").is_some_and(|input| !input.is_object()) {
            let error = format!("{}: Input should be an object", block.member("input"));
            report.predict(block.place(), "no-object", "an input that is no object", "an object", error);
        }
    }
}
