//! Labels of calls: who answers them and when, and ids that are taken.

use serde_json::Value;

use super::{ANY, DIALOGUES, Held, LINES, Label, Placed, blocks, kind, label};

pub(super) const LABELS: &[Label] = &[
    label("call/parallel", DIALOGUES, 50, |it| {
        it.pairs().any(|(one, other)| one.id != other.id && is_one_reply(one, other))
    }),
    label("call/answered", ANY, 100, |it| it.calls.iter().any(|call| it.answers(call).next().is_some())),
    label("call/unanswered", DIALOGUES, 100, |it| it.calls.iter().any(|call| it.answers(call).next().is_none())),
    label("call/id-twice", DIALOGUES, 20, |it| it.pairs().any(|(one, other)| one.id == other.id)),
    label("call/id-of-another-reply", DIALOGUES, 5, |it| {
        let is_used_again = |one: &Placed, other: &Placed| {
            one.id == other.id && !is_one_reply(one, other) && it.answers(one).any(|result| result.at < other.at)
        };
        it.pairs().any(|(one, other)| is_used_again(one, other))
    }),
    label("result/out-of-order", DIALOGUES, 20, |it| it.known().windows(2).any(|two| two[0].0 > two[1].0)),
    label("result/twice", DIALOGUES, 20, |it| it.calls.iter().any(|call| it.answers(call).count() > 1)),
    label("result/of-no-call", DIALOGUES, 20, |it| it.results.iter().any(|result| !it.is_called(result))),
    label("result/before-its-call", LINES, 10, |it| {
        let is_early =
            |result: &Placed| it.calls.iter().filter(|call| call.id == result.id).all(|call| call.at > result.at);
        it.results.iter().any(|result| it.is_called(result) && is_early(result))
    }),
    label("result/late", LINES, 20, |it| {
        let is_other =
            |message: &Value, call: &Placed| kind(message) == "assistant" && super::reply(message) != call.reply;
        let is_late =
            |call: &Placed, first: &Placed| it.messages[call.at..first.at].iter().any(|one| is_other(one, call));
        it.calls.iter().any(|call| it.answers(call).next().is_some_and(|first| is_late(call, first)))
    }),
    label("result/one-of-several-missing", DIALOGUES, 20, |it| {
        let has_result = |call: &Placed| it.answers(call).next().is_some();
        it.pairs().any(|(one, other)| is_one_reply(one, other) && has_result(one) != has_result(other))
    }),
    label("id/illegal", DIALOGUES, 20, |it| it.ids().any(|id| !is_legal(id))),
    label("id/illegal-and-answered", DIALOGUES, 10, |it| {
        it.calls.iter().any(|call| !is_legal(&call.id) && it.answers(call).next().is_some())
    }),
    label("id/empty", DIALOGUES, 2, |it| it.ids().any(str::is_empty)),
    label("id/longer-than-64", DIALOGUES, 5, |it| it.ids().any(|id| id.len() > 64)),
    label("server-call/answered", LINES, 20, |it| it.server(|after, call| answers(after, call) > 0)),
    label("server-call/unanswered", LINES, 20, |it| it.server(|after, call| answers(after, call) == 0)),
    label("server-call/orphan-result", LINES, 5, |it| {
        it.spoken(|message| {
            let called = |result: &Value| blocks(message).iter().any(|block| block["id"] == result["tool_use_id"]);
            blocks(message)
                .iter()
                .any(|block| is_server_result(block) && block["tool_use_id"].is_string() && !called(block))
        })
    }),
];

impl Held<'_> {
    /// Each two calls, in order.
    fn pairs(&self) -> impl Iterator<Item = (&Placed, &Placed)> {
        let later = |number: usize| &self.calls[number + 1..];
        self.calls.iter().enumerate().flat_map(move |(number, one)| later(number).iter().map(move |other| (one, other)))
    }

    /// The results behind a call.
    fn answers(&self, call: &Placed) -> impl Iterator<Item = &Placed> {
        self.results.iter().filter(|result| result.id == call.id && result.at > call.at)
    }

    fn is_called(&self, result: &Placed) -> bool {
        self.calls.iter().any(|call| call.id == result.id)
    }

    /// For each result of a call, the number of the call and the place of the result.
    fn known(&self) -> Vec<(usize, usize)> {
        let place = |result: &Placed| self.calls.iter().position(|call| call.id == result.id);
        self.results.iter().filter_map(|result| Some((place(result)?, result.at))).collect()
    }

    fn ids(&self) -> impl Iterator<Item = &str> {
        self.calls.iter().chain(&self.results).map(|placed| placed.id.as_str())
    }

    /// Whether a call of a server tool is so, by the blocks behind it and itself.
    fn server(&self, is_so: impl Fn(&[Value], &Value) -> bool) -> bool {
        let is_call = |block: &Value| matches!(kind(block), "server_tool_use" | "mcp_tool_use");
        self.spoken(|message| {
            let mut calls = blocks(message).iter().enumerate().filter(|(_, block)| is_call(block));
            calls.any(|(at, call)| is_so(&blocks(message)[at + 1..], call))
        })
    }
}

/// Whether two calls are in one reply, or one message.
fn is_one_reply(one: &Placed, other: &Placed) -> bool {
    one.at == other.at || !one.reply.is_empty() && one.reply == other.reply
}

fn is_legal(id: &str) -> bool {
    !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-')
}

fn is_server_result(block: &Value) -> bool {
    kind(block) != "tool_result" && kind(block).ends_with("tool_result")
}

fn answers(after: &[Value], call: &Value) -> usize {
    after.iter().filter(|block| is_server_result(block) && block["tool_use_id"] == call["id"]).count()
}
