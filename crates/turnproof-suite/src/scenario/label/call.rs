//! Labels of *calls* and *replies*: who answers a call and when, ids that are taken, lines that belong together.

use crate::scenario::pool::{CallForm, PoolText, ServerCallForm, ThinkingForm, call_id, id, server_call_id};
use crate::scenario::{AssistantForm, BlockPlan, Choice, Form, LineKind, LinePlan};

use super::line::{blocks, has_result};
use super::{ANY, Labels, OFTEN, SELDOM, SHUFFLED, labels, put};

labels! { CALLS, fn story(it: &Calls<'_>) match it.lines => {
    ANY OFTEN
    "call/parallel" "two calls that wait at once"
        if it.pairs().any(|(one, other)| one.id != other.id && one.reply == other.reply),
    "call/answered" "a call and its result" if it.calls.iter().any(|call| it.is_answered(call)),
    "result/out-of-order" "results in another order than their calls"
        if it.known().windows(2).any(|two| two[0].0 > two[1].0),
    SHUFFLED OFTEN
    "call/unanswered" "a call without a result after it" if it.calls.iter().any(|call| !it.is_answered(call)),
    "call/twice" "a call id that is called twice" if it.pairs().any(|(one, other)| one.id == other.id),
    "call/twice-in-a-reply" "a call id that is called twice in a reply"
        if it.pairs().any(|(one, other)| one.id == other.id && one.reply == other.reply),
    "result/twice" "a call with two results" if it.calls.iter().any(|call| it.answers(call).count() > 1),
    "result/of-no-call" "a result whose call is nowhere"
        if it.results.iter().any(|result| it.calls.iter().all(|call| call.id != result.id)),
    "result/one-of-several-missing" "parallel calls of which one has no result"
        if it.pairs().any(|(one, other)| one.reply == other.reply && it.misses_one(one, other)),
    "result/several-on-a-line" "several results on one line" if it.known().windows(2).any(|two| two[0].1 == two[1].1),
    "call-id/illegal" "a call id that the API refuses" if it.ids().any(|id| !is_legal(id)),
    "call-id/illegal-and-answered" "a call id that the API refuses, with its result"
        if it.calls.iter().any(|call| !is_legal(call.id) && it.is_answered(call)),
    "call-id/longer-than-64" "a call id of more than 64 characters" if it.ids().any(|id| id.len() > 64),
    "call-id/alike-for-64" "two call ids that differ after 64 characters"
        if it.ids().any(|id| it.ids().any(|other| other != id && is_alike(id, other))),
    "server-call/answered" "a call of a server tool and its result",
    "server-call/unanswered" "a call of a server tool without a result",
    "server-call/orphan-result" "a server's result without its call",
    "reply/of-several-lines" "a reply of several lines" if !it.gaps.is_empty(),
    "reply/lines-apart" "a reply with other lines between its own" if it.gaps.iter().any(|gap| !gap.is_empty()),
    "reply/over-a-prompt" "a reply that goes on after a prompt"
        if it.gaps.iter().any(|gap| gap.iter().any(|line| line.kind.is_user() && !has_result(line))),
    "reply/without-an-id" "a reply without an id" if it.replies().any(|line| !has_id(line)),
    "reply/thinking-alone" "a reply of thinking alone" if it.replies().any(thinks_alone),
    "reply/two-in-a-row" "two replies one after the other" if it.next_to().any(|(one, next)| one.reply != next.reply),
    SHUFFLED SELDOM
    "call/id-of-another-reply" "a call id that two replies use, each time with a result"
        if it.pairs().any(|(one, other)| it.is_used_again(one, other)),
    "call/empty-text-beside" "an empty text beside a call"
        if it.calls.iter().any(|call| blocks(&it.lines[call.at]).iter().any(|block| BLANK.contains(block))),
    "result/before-its-call" "a result before its call" if it.results.iter().any(|result| it.is_early(result)),
    "result/late" "a result after another reply" if it.calls.iter().any(|call| it.is_late(call)),
    "call-id/empty" "an empty call id" if it.ids().any(str::is_empty),
    "reply/redacted-after-a-call" "redacted thinking after a call"
        if it.next_to().any(|(one, next)| one.reply == next.reply && redacts_after_a_call(one, next)),
} }

const BLANK: [BlockPlan; 2] = [BlockPlan::text(PoolText::Empty), BlockPlan::text(PoolText::Blank)];

/// A call or a result, the line that holds it, and the reply of that line.
struct Placed {
    id: &'static str,
    at: usize,
    reply: u8,
}

/// The calls, results and replies of a plan.
struct Calls<'a> {
    lines: &'a [LinePlan],
    calls: Vec<Placed>,
    results: Vec<Placed>,
    /// The lines between two lines of one reply, for each two that follow one another.
    gaps: Vec<&'a [LinePlan]>,
}

impl<'a> Calls<'a> {
    fn of(lines: &'a [LinePlan]) -> Self {
        let mut found = Self { lines, calls: Vec::new(), results: Vec::new(), gaps: Vec::new() };
        let mut last: [Option<usize>; 8] = [None; 8];
        for (at, line) in lines.iter().enumerate() {
            for block in blocks(line) {
                let placed = |call| Placed { id: call_id(call), at, reply: line.reply };
                match (line.kind, *block) {
                    (LineKind::Assistant { .. }, BlockPlan::ToolUse { form, call }) if form.is_filled() => {
                        found.calls.push(placed(call));
                    }
                    (LineKind::User { .. }, BlockPlan::ToolResult { form, call }) if form.is_filled() => {
                        found.results.push(placed(call));
                    }
                    _ => {}
                }
            }
            let is_synthetic = matches!(line.kind, LineKind::Assistant { form: AssistantForm::Synthetic, .. });
            if has_id(line) && !is_synthetic {
                let before = last[usize::from(line.reply % 8)].replace(at);
                found.gaps.extend(before.map(|before| &lines[before + 1..at]));
            }
        }
        found
    }

    /// Each two calls, in order.
    fn pairs(&self) -> impl Iterator<Item = (&Placed, &Placed)> {
        let later = |number: usize| &self.calls[number + 1..];
        self.calls.iter().enumerate().flat_map(move |(number, one)| later(number).iter().map(move |other| (one, other)))
    }

    /// The results that come after a call.
    fn answers(&self, call: &Placed) -> impl Iterator<Item = &Placed> {
        self.results.iter().filter(|result| result.id == call.id && result.at > call.at)
    }

    fn is_answered(&self, call: &Placed) -> bool {
        self.answers(call).next().is_some()
    }

    /// Whether two replies have calls with one id, and each call has a result before the next one.
    fn is_used_again(&self, one: &Placed, other: &Placed) -> bool {
        let has_result = |call: &Placed, end: usize| self.answers(call).any(|result| result.at < end);
        one.id == other.id && one.reply != other.reply && has_result(one, other.at) && has_result(other, usize::MAX)
    }

    /// Whether one of two calls has a result anywhere, and the other has none.
    fn misses_one(&self, one: &Placed, other: &Placed) -> bool {
        let has_result = |call: &Placed| self.results.iter().any(|result| result.id == call.id);
        has_result(one) != has_result(other)
    }

    /// Whether another reply comes before the first result of a call.
    fn is_late(&self, call: &Placed) -> bool {
        let is_other = |line: &LinePlan| line.kind.is_reply() && line.reply != call.reply;
        self.answers(call).next().is_some_and(|first| self.lines[call.at..first.at].iter().any(is_other))
    }

    /// Whether all calls of a result come after it, and there is one.
    fn is_early(&self, result: &Placed) -> bool {
        let mut its = self.calls.iter().filter(|call| call.id == result.id).peekable();
        its.peek().is_some() && its.all(|call| call.at > result.at)
    }

    /// For each result of a call, the number of the call and the line of the result.
    fn known(&self) -> Vec<(usize, usize)> {
        let place = |result: &Placed| self.calls.iter().position(|call| call.id == result.id);
        self.results.iter().filter_map(|result| Some((place(result)?, result.at))).collect()
    }

    fn ids(&self) -> impl Iterator<Item = &'static str> {
        self.calls.iter().chain(&self.results).map(|placed| placed.id)
    }

    fn replies(&self) -> impl Iterator<Item = &LinePlan> {
        self.lines.iter().filter(|line| line.kind.is_reply())
    }

    /// Each two lines of replies that follow one another.
    fn next_to(&self) -> impl Iterator<Item = (&LinePlan, &LinePlan)> {
        let replies = self.lines.windows(2).filter(|two| two.iter().all(|line| line.kind.is_reply()));
        replies.map(|two| (&two[0], &two[1]))
    }
}

fn is_legal(id: &str) -> bool {
    !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-')
}

fn is_alike(id: &str, other: &str) -> bool {
    id.len() > 64 && id.get(..64) == other.get(..64)
}

/// Whether a line names its reply.
pub(super) fn has_id(line: &LinePlan) -> bool {
    match line.kind {
        LineKind::Assistant { form: AssistantForm::Synthetic, words } => !id(words.place()).is_empty(),
        LineKind::Assistant { form, .. } => form.json().contains('@'),
        _ => false,
    }
}

fn thinks_alone(line: &LinePlan) -> bool {
    let is_thinking = |block: &BlockPlan| matches!(block, BlockPlan::Thinking { form: ThinkingForm::Signed, .. });
    !blocks(line).is_empty() && blocks(line).iter().all(is_thinking)
}

fn redacts_after_a_call(one: &LinePlan, next: &LinePlan) -> bool {
    let calls = matches!(blocks(one).last(), Some(BlockPlan::ToolUse { form: CallForm::Bash, .. }));
    calls && matches!(blocks(next).first(), Some(BlockPlan::RedactedThinking))
}

impl Labels {
    pub(super) fn calls(&mut self, lines: &[LinePlan]) {
        self.story(&Calls::of(lines));
        self.server_calls(lines);
    }

    fn server_calls(&mut self, lines: &[LinePlan]) {
        for line in lines.iter().filter(|line| line.kind.is_reply()) {
            let called = |block: &BlockPlan| match *block {
                BlockPlan::ServerToolUse { form, call } if form < ServerCallForm::NullId => Some(server_call_id(call)),
                _ => None,
            };
            let answered = |block: &BlockPlan| match *block {
                BlockPlan::ServerToolResult { form, call } if form.is_filled() => Some(server_call_id(call)),
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
}
