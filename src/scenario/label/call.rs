//! Labels of *calls* and *replies*: who answers a call and when, ids that are taken, lines that belong together.

use crate::scenario::body::SYNTHETIC;
use crate::scenario::line::{BlockPlan, LineKind, LinePlan};
use crate::scenario::pool::{call_id, id, server_call_id};

use super::line::blocks;
use super::{Label, Labels, any, put, shuffled};

pub(super) const LABELS: &[Label] = &[
    any("call/parallel", "two calls that wait at once", 0.092),
    any("call/answered", "a call and its result", 0.1),
    shuffled("call/unanswered", "a call without a result after it", 0.14),
    shuffled("call/twice", "a call id that is called twice", 0.03),
    shuffled("call/twice-in-a-reply", "a call id that is called twice in a reply", 0.021),
    shuffled("call/empty-text-beside", "an empty text beside a call", 0.0094),
    shuffled("result/twice", "a call with two results", 0.017),
    shuffled("result/of-no-call", "a result whose call is nowhere", 0.046),
    shuffled("result/before-its-call", "a result before its call", 0.0048),
    any("result/out-of-order", "results in another order than their calls", 0.016),
    shuffled("result/late", "a result after another reply", 0.0052),
    shuffled("result/one-of-several-missing", "parallel calls of which one has no result", 0.018),
    shuffled("result/several-on-a-line", "several results on one line", 0.028),
    shuffled("call-id/illegal", "a call id that the API refuses", 0.021),
    shuffled("call-id/illegal-and-answered", "a call id that the API refuses, with its result", 0.0057),
    shuffled("call-id/empty", "an empty call id", 0.0038),
    shuffled("call-id/longer-than-64", "a call id of more than 64 characters", 0.035),
    shuffled("call-id/alike-for-64", "two call ids that differ after 64 characters", 0.027),
    shuffled("server-call/answered", "a call of a server tool and its result", 0.036),
    shuffled("server-call/unanswered", "a call of a server tool without a result", 0.027),
    shuffled("server-call/orphan-result", "a server's result without its call", 0.026),
    shuffled("reply/of-several-lines", "a reply of several lines", 0.16),
    shuffled("reply/lines-apart", "a reply with other lines between its own", 0.073),
    shuffled("reply/over-a-prompt", "a reply that goes on after a prompt", 0.024),
    shuffled("reply/without-an-id", "a reply without an id", 0.013),
    shuffled("reply/thinking-alone", "a reply of thinking alone", 0.029),
    shuffled("reply/redacted-after-a-call", "redacted thinking after a call", 0.0032),
    shuffled("reply/two-in-a-row", "two replies one after the other", 0.058),
];

/// A call or a result: its id, its line.
type Placed<'a> = (&'a str, usize);

/// Calls and results of a plan.
#[derive(Default)]
struct Calls<'a> {
    calls: Vec<Placed<'a>>,
    results: Vec<Placed<'a>>,
}

impl Calls<'static> {
    fn of(lines: &[LinePlan]) -> Self {
        let mut found = Self::default();
        for (at, line) in lines.iter().enumerate() {
            for block in blocks(line) {
                match (line.kind, *block) {
                    (_, BlockPlan::OddCall(13 | 14, _) | BlockPlan::OddResult(13 | 14, _)) => {}
                    (LineKind::Assistant, BlockPlan::ToolUse(which) | BlockPlan::OddCall(_, which)) => {
                        found.calls.push((call_id(which), at));
                    }
                    (LineKind::User, BlockPlan::ToolResult(which) | BlockPlan::OddResult(_, which)) => {
                        found.results.push((call_id(which), at));
                    }
                    _ => {}
                }
            }
        }
        found
    }
}

impl Labels {
    /// Calls, results and replies of lines.
    pub(super) fn calls(&mut self, lines: &[LinePlan]) {
        let found = Calls::of(lines);
        if !(found.calls.is_empty() && found.results.is_empty()) {
            self.answers(lines, &found);
            self.repeated(lines, &found);
            self.call_ids(&found);
        }
        self.server_calls(lines);
        self.replies(lines);
    }

    fn answers(&mut self, lines: &[LinePlan], Calls { calls, results }: &Calls<'_>) {
        for &(id, call) in calls {
            let mut after = results.iter().filter(|(other, at)| *other == id && *at > call);
            let first = after.next();
            put!(self, "call/answered", first.is_some());
            put!(self, "call/unanswered", first.is_none());
            put!(self, "result/twice", after.next().is_some());
            put!(self, "call-id/illegal-and-answered", first.is_some() && !is_legal(id));
            if let Some((_, at)) = first {
                let reply = &lines[call].reply;
                let is_other = |line: &LinePlan| line.kind == LineKind::Assistant && line.reply != *reply;
                put!(self, "result/late", lines[call..*at].iter().any(is_other));
            }
        }
        for &(id, result) in results {
            let mut its = calls.iter().filter(|(other, _)| *other == id).peekable();
            put!(self, "result/of-no-call", its.peek().is_none());
            let is_early = its.peek().is_some() && its.all(|(_, call)| *call > result);
            put!(self, "result/before-its-call", is_early);
        }
        let place = |id: &str| calls.iter().position(|(other, _)| *other == id);
        let known: Vec<(usize, usize)> =
            results.iter().filter_map(|(id, at)| Some((place(id)?, *at))).collect();
        put!(self, "result/out-of-order", known.windows(2).any(|two| two[0].0 > two[1].0));
        put!(self, "result/several-on-a-line", known.windows(2).any(|two| two[0].1 == two[1].1));
    }

    fn repeated(&mut self, lines: &[LinePlan], Calls { calls, results }: &Calls<'_>) {
        for (number, &(id, at)) in calls.iter().enumerate() {
            let is_answered = |id: &str| results.iter().any(|(other, _)| *other == id);
            for &(other, later) in calls.iter().skip(number + 1) {
                let is_same_reply = lines[at].reply == lines[later].reply;
                put!(self, "call/twice", other == id);
                put!(self, "call/twice-in-a-reply", other == id && is_same_reply);
                put!(self, "call/parallel", other != id && is_same_reply);
                let differs = other != id && is_answered(id) != is_answered(other);
                put!(self, "result/one-of-several-missing", is_same_reply && differs);
            }
            let is_empty_text = |block: &BlockPlan| matches!(block, BlockPlan::Text(3 | 4));
            let is_beside = |line: &LinePlan| blocks(line).iter().any(is_empty_text);
            put!(self, "call/empty-text-beside", lines.get(at).is_some_and(is_beside));
        }
    }

    fn call_ids(&mut self, Calls { calls, results }: &Calls<'_>) {
        let ids = || calls.iter().chain(results).map(|(id, _)| *id);
        for id in ids() {
            put!(self, "call-id/illegal", !is_legal(id));
            put!(self, "call-id/empty", id.is_empty());
            put!(self, "call-id/longer-than-64", id.len() > 64);
            if id.len() > 64 {
                let is_alike = |other: &str| other != id && other.get(..64) == id.get(..64);
                put!(self, "call-id/alike-for-64", ids().any(is_alike));
            }
        }
    }

    fn server_calls(&mut self, lines: &[LinePlan]) {
        for line in lines.iter().filter(|line| line.kind == LineKind::Assistant) {
            let called = |block: &BlockPlan| match *block {
                BlockPlan::ServerToolUse(which) | BlockPlan::OddServerCall(0..=13, which) => {
                    Some(server_call_id(which))
                }
                _ => None,
            };
            let answered = |block: &BlockPlan| match *block {
                BlockPlan::ServerToolResult(which) | BlockPlan::OddServerResult(0..=7, which) => {
                    Some(server_call_id(which))
                }
                _ => None,
            };
            let its = blocks(line);
            for (at, block) in its.iter().enumerate() {
                if let Some(id) = called(block) {
                    let has_answer = its[at..].iter().any(|other| answered(other) == Some(id));
                    put!(self, "server-call/answered", has_answer);
                    put!(self, "server-call/unanswered", !has_answer);
                }
                if let Some(id) = answered(block) {
                    let is_orphan = !its[..at].iter().any(|other| called(other) == Some(id));
                    put!(self, "server-call/orphan-result", is_orphan);
                }
            }
        }
    }

    fn replies(&mut self, lines: &[LinePlan]) {
        let mut last: [Option<usize>; 8] = [None; 8];
        let has_id = |line: &LinePlan| matches!(line.form, 0..3 | 8..);
        for (at, line) in lines.iter().enumerate().filter(|(_, line)| line.kind == LineKind::Assistant) {
            let has_empty_id = line.form == SYNTHETIC && id(line.about).is_empty();
            put!(self, "reply/without-an-id", has_empty_id || matches!(line.form, 3..=6));
            let is_thinking = |block: &BlockPlan| matches!(block, BlockPlan::Thinking(_));
            let its = blocks(line);
            put!(self, "reply/thinking-alone", !its.is_empty() && its.iter().all(is_thinking));
            let next = lines.get(at + 1).filter(|next| next.kind == LineKind::Assistant);
            put!(self, "reply/two-in-a-row", next.is_some_and(|next| next.reply != line.reply));
            if let Some(next) = next {
                let calls = matches!(its.last(), Some(BlockPlan::ToolUse(_)));
                let is_redacted = matches!(blocks(next).first(), Some(BlockPlan::RedactedThinking));
                put!(self, "reply/redacted-after-a-call", calls && is_redacted && next.reply == line.reply);
            }
            let Some(before) = last.get_mut(usize::from(line.reply % 8)).filter(|_| has_id(line)) else {
                continue;
            };
            if let Some(before) = before.replace(at) {
                let between = &lines[before + 1..at];
                put!(self, "reply/of-several-lines");
                put!(self, "reply/lines-apart", !between.is_empty());
                let is_prompt =
                    |line: &LinePlan| line.kind == LineKind::User && !super::line::has_result(line);
                put!(self, "reply/over-a-prompt", between.iter().any(is_prompt));
            }
        }
    }
}

fn is_legal(id: &str) -> bool {
    !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-')
}
