//! Labels of *calls* and *replies*: who answers a call and when, ids that are taken, lines that belong together.

use crate::scenario::pool::{
    CallForm, PoolText, ServerCallForm, ServerResultForm, ThinkingForm, call_id, id, server_call_id,
};
use crate::scenario::{AssistantForm, BlockPlan, Choice, Form, LineKind, LinePlan};

use super::line::blocks;
use super::{ANY, Labels, OFTEN, SELDOM, SHUFFLED, labels, put};

labels! { CALLS {
    ANY OFTEN
    "call/parallel" "two calls that wait at once",
    "call/answered" "a call and its result",
    "result/out-of-order" "results in another order than their calls",
    SHUFFLED OFTEN
    "call/unanswered" "a call without a result after it",
    "call/twice" "a call id that is called twice",
    "call/twice-in-a-reply" "a call id that is called twice in a reply",
    "result/twice" "a call with two results",
    "result/of-no-call" "a result whose call is nowhere",
    "result/one-of-several-missing" "parallel calls of which one has no result",
    "result/several-on-a-line" "several results on one line",
    "call-id/illegal" "a call id that the API refuses",
    "call-id/illegal-and-answered" "a call id that the API refuses, with its result",
    "call-id/longer-than-64" "a call id of more than 64 characters",
    "call-id/alike-for-64" "two call ids that differ after 64 characters",
    "server-call/answered" "a call of a server tool and its result",
    "server-call/unanswered" "a call of a server tool without a result",
    "server-call/orphan-result" "a server's result without its call",
    "reply/of-several-lines" "a reply of several lines",
    "reply/lines-apart" "a reply with other lines between its own",
    "reply/over-a-prompt" "a reply that goes on after a prompt",
    "reply/without-an-id" "a reply without an id",
    "reply/thinking-alone" "a reply of thinking alone",
    "reply/two-in-a-row" "two replies one after the other",
    SHUFFLED SELDOM
    "call/empty-text-beside" "an empty text beside a call",
    "result/before-its-call" "a result before its call",
    "result/late" "a result after another reply",
    "call-id/empty" "an empty call id",
    "reply/redacted-after-a-call" "redacted thinking after a call",
} }

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
                    (LineKind::Assistant { .. }, BlockPlan::ToolUse { form, call }) if form.is_filled() => {
                        found.calls.push((call_id(call), at));
                    }
                    (LineKind::User { .. }, BlockPlan::ToolResult { form, call }) if form.is_filled() => {
                        found.results.push((call_id(call), at));
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
                let is_other = |line: &LinePlan| line.kind.is_reply() && line.reply != *reply;
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
        let known: Vec<(usize, usize)> = results.iter().filter_map(|(id, at)| Some((place(id)?, *at))).collect();
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
            let blank = [PoolText::Empty, PoolText::Blank].map(BlockPlan::text);
            let is_empty_text = |block: &BlockPlan| blank.contains(block);
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
        for line in lines.iter().filter(|line| line.kind.is_reply()) {
            let called = |block: &BlockPlan| match *block {
                BlockPlan::ServerToolUse { form, call } if form < ServerCallForm::NullId => Some(server_call_id(call)),
                _ => None,
            };
            let answered = |block: &BlockPlan| match *block {
                BlockPlan::ServerToolResult { form, call } if form < ServerResultForm::WithoutId => {
                    Some(server_call_id(call))
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
        for (at, line) in lines.iter().enumerate() {
            let LineKind::Assistant { form, words } = line.kind else { continue };
            let has_id = match form {
                AssistantForm::Synthetic => !id(words.place()).is_empty(),
                _ => form.json().contains('@'),
            };
            put!(self, "reply/without-an-id", !has_id);
            let is_thinking =
                |block: &BlockPlan| matches!(block, BlockPlan::Thinking { form: ThinkingForm::Signed, .. });
            let its = blocks(line);
            put!(self, "reply/thinking-alone", !its.is_empty() && its.iter().all(is_thinking));
            let next = lines.get(at + 1).filter(|next| next.kind.is_reply());
            put!(self, "reply/two-in-a-row", next.is_some_and(|next| next.reply != line.reply));
            if let Some(next) = next {
                let calls = matches!(its.last(), Some(BlockPlan::ToolUse { form: CallForm::Bash, .. }));
                let is_redacted = matches!(blocks(next).first(), Some(BlockPlan::RedactedThinking));
                put!(self, "reply/redacted-after-a-call", calls && is_redacted && next.reply == line.reply);
            }
            let is_of_reply = has_id && form != AssistantForm::Synthetic;
            let Some(before) = last.get_mut(usize::from(line.reply % 8)).filter(|_| is_of_reply) else {
                continue;
            };
            if let Some(before) = before.replace(at) {
                let between = &lines[before + 1..at];
                put!(self, "reply/of-several-lines");
                put!(self, "reply/lines-apart", !between.is_empty());
                let is_prompt = |line: &LinePlan| line.kind.is_user() && !super::line::has_result(line);
                put!(self, "reply/over-a-prompt", between.iter().any(is_prompt));
            }
        }
    }
}

fn is_legal(id: &str) -> bool {
    !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-')
}
