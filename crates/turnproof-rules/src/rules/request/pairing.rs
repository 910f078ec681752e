//! *Pairing* ties each call of a tool to its result: the result stands in the user's turn right after
//! the call's, once.
//!
//! Neighbouring turns of one role are looked at as one: hosts that take such runs join them, and for
//! the others `api/alternation` is the rule that is broken.

use std::collections::{HashMap, HashSet};

use super::super::{Judge, Rule, Severity, Violation};
use super::view::{Block, Role, Run, Sink, runs};
use crate::operation::{Host, Request};

pub(super) const RESULT_FOLLOWS_USE: Rule = Rule {
    id: "pairing/result-follows-use",
    title: "every call has its result in the next turn",
    severity: Severity::Error,
    doc: "\
A `tool_use` block promises a `tool_result` with its id in the very next turn, the user's. Without it the \
request is refused, and so is every later one, since the history stays as it is: this is the error that \
bricks most sessions.

Calls stay unanswered when a tool is interrupted, when the client dies while it runs, when one result of \
several parallel calls is lost, when a hook or a notice slips in between as a turn of its own, and when \
compaction cuts between the two. The error lists all ids of the turn that have no result.",
    example: br#"[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"Bash","input":{}}]}]"#,
    remedy: "Give every open call a `tool_result` with `is_error` that says that the tool did not finish.",
    sources: &[
        "spec 6",
        "messages.N: `tool_use` ids were found without `tool_result` blocks immediately after",
        "anthropics/claude-code#1237",
        "anthropics/claude-code#2697",
        "anthropics/claude-code#5989",
        "anthropics/claude-code#6521",
    ],
    judge: Judge::Request { structural: true, judge: result_follows_use },
};

fn result_follows_use(request: &Request, host: Host, sink: Sink<'_>) {
    let runs = runs(request);
    for (at, run) in runs.iter().enumerate().filter(|(_, run)| run.role == Role::Assistant) {
        let answered: HashSet<&str> =
            runs.get(at + 1).map(|next| results(next).collect()).unwrap_or_default();
        let mut seen = HashSet::new();
        let open: Vec<(&str, Block<'_>)> =
            calls(run).filter(|&(id, _)| !answered.contains(id) && seen.insert(id)).collect();
        let Some(&(_, first)) = open.first() else { continue };
        let ids: Vec<&str> = open.iter().map(|&(id, _)| id).collect();
        let found = match ids.as_slice() {
            [id] => format!("the call {id} has no result in the next turn"),
            ids => format!("{} calls have no result in the next turn: {}", ids.len(), ids.join(", ")),
        };
        let error = unanswered(host, first.turn.index, run.last.index + 1, &ids);
        let expected = "a `tool_result` for each call in the turn after it";
        sink(Violation::new(RESULT_FOLLOWS_USE.id, first.place(), found, expected).predicting(error));
    }
}

/// What a host says of calls in the turn `calls` whose results it does not find in the turn `results`.
pub(super) fn unanswered(host: Host, calls: usize, results: usize, ids: &[&str]) -> String {
    let ids = ids.join(", ");
    match host {
        Host::Bedrock => {
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
    /// Whether a block that is no result stands before it in its turn.
    pub(super) is_late: bool,
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

pub(super) const NO_ORPHAN_RESULT: Rule = Rule {
    id: "pairing/no-orphan-result",
    title: "every result answers a call of the turn before",
    severity: Severity::Error,
    doc: "\
A `tool_result` whose id no `tool_use` of the assistant's turn right before it has is an orphan, and the \
request is refused. A call further up does not help: only the turn before counts.

Orphans are left by compaction that drops a call and keeps its result, by a reply whose line was lost or \
withdrawn while its result was kept, and by a result that came after the user had already written the next \
prompt. `/rewind` does not help when the cut itself is the cause.",
    example: br#"[{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"a"}]}]"#,
    remedy: "Drop the result, or move it to the turn right after its call.",
    sources: &[
        "spec 6",
        "messages.N.content.M: unexpected `tool_use_id` found in `tool_result` blocks",
        "anthropics/claude-code#8484",
        "anthropics/claude-code#12162",
        "anthropics/claude-code#14173",
        "anthropics/claude-code#40305",
    ],
    judge: Judge::Request { structural: true, judge: no_orphan_result },
};

fn no_orphan_result(request: &Request, _: Host, sink: Sink<'_>) {
    for answer in answers(request).iter().filter(|answer| answer.call.is_none()) {
        let Answer { id, block, .. } = answer;
        let error = format!(
            "{}: unexpected `tool_use_id` found in `tool_result` blocks: {id}. Each `tool_result` block must have a \
             corresponding `tool_use` block in the previous message.",
            block.path()
        );
        let found = format!("a result for {id}, which the turn before does not call");
        let violation =
            Violation::new(NO_ORPHAN_RESULT.id, block.place(), found, "the id of a call in the turn before");
        sink(violation.predicting(error));
    }
}

pub(super) const UNIQUE_USE_ID: Rule = Rule {
    id: "pairing/unique-use-id",
    title: "no two calls of a request share an id",
    severity: Severity::Error,
    doc: "\
The id of a `tool_use` block is what ties its result to it. Two calls with one id are refused, whether \
they stand in one reply or in different ones.

A client that falls back from streaming to a plain request keeps the blocks of both; one that gets a control \
message twice appends the same reply twice; proxies that make ids of their own (`Bash:12`) start counting \
anew. For one version this broke every turn that used a tool.",
    example: br#"[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"Bash","input":{}},{"type":"tool_use","id":"toolu_1","name":"Bash","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"b"}]}]"#,
    remedy: "Keep the first call with each id and its result; drop the others, or give them new ids.",
    sources: &[
        "spec 6",
        "messages.N.content.M: `tool_use` ids must be unique",
        "anthropics/claude-code#20508",
        "anthropics/claude-code#20573",
        "anthropics/claude-code#20631",
        "anthropics/claude-code#28515",
        "BerriAI/litellm#23510",
    ],
    judge: Judge::Request { structural: true, judge: unique_use_id },
};

fn unique_use_id(request: &Request, _: Host, sink: Sink<'_>) {
    let mut first: HashMap<&str, String> = HashMap::new();
    for run in runs(request).iter().filter(|run| run.role == Role::Assistant) {
        for (id, block) in calls(run) {
            match first.get(id) {
                Some(earlier) => {
                    let found = format!("the call in {earlier} has the id {id} too");
                    let violation =
                        Violation::new(UNIQUE_USE_ID.id, block.place(), found, "an id of its own");
                    sink(violation.predicting(format!("{}: `tool_use` ids must be unique", block.path())));
                }
                None => {
                    first.insert(id, block.path());
                }
            }
        }
    }
}

pub(super) const SINGLE_RESULT: Rule = Rule {
    id: "pairing/single-result",
    title: "every call has one result",
    severity: Severity::Error,
    doc: "\
Two `tool_result` blocks with one id in a turn are refused. It does not matter whether they say the same.

The second one is often a placeholder: a client finds a call unanswered, writes a result of its own, and then \
the real one arrives. Parallel calls whose results are stored under each other's record, and a resume that \
reads a line twice, do it too.",
    example: br#"[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"Bash","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"b"},{"type":"tool_result","tool_use_id":"toolu_1","content":"c"}]}]"#,
    remedy: "Keep one result for each call, the tool's own if there is one.",
    sources: &["spec 6", "messages.N.content.M: each tool_use must have a single result"],
    judge: Judge::Request { structural: true, judge: single_result },
};

fn single_result(request: &Request, _: Host, sink: Sink<'_>) {
    for answer in answers(request).iter().filter(|answer| answer.call.is_some() && answer.is_repeated) {
        let Answer { id, block, .. } = answer;
        let error = format!(
            "{}: each tool_use must have a single result. Found multiple `tool_result` blocks with id: {id}",
            block.path()
        );
        let found = format!("another result for {id}");
        let violation = Violation::new(SINGLE_RESULT.id, block.place(), found, "one result for each call");
        sink(violation.predicting(error));
    }
}
