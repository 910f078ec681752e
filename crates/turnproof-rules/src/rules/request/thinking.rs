//! *Thinking* is the model's own text before its answer; it is signed, and goes back as it came.

use serde_json::Value;

use super::super::{Judge, Rule, Severity, Violation};
use super::view::{Block, Role, Run, Sink, blocks, runs};
use crate::operation::{Host, Request};

pub(super) const NOT_LAST: Rule = Rule {
    id: "thinking/not-last",
    title: "no turn of the assistant ends with thinking",
    severity: Severity::Error,
    doc: "\
Thinking leads to something: a text or a call. A turn of the assistant whose last block is `thinking` or \
`redacted_thinking` is refused.

Such a turn is what an interrupt leaves when the model was stopped before it began to answer. Clients that \
store a line for each block make it too, when they send the lines as turns of their own, or when the text \
block behind the thinking was empty and got dropped.",
    example: br#"[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"thinking","thinking":"b","signature":"c"}]}]"#,
    remedy: "Drop the thinking at the end of the turn; if nothing is left, drop the turn and join its neighbours.",
    sources: &[
        "spec 6",
        "messages.N: The final block in an assistant message cannot be `thinking`.",
        "anthropics/claude-code#10199",
    ],
    judge: Judge::Request { structural: true, judge: not_last },
};

fn not_last(request: &Request, _: Host, sink: Sink<'_>) {
    for run in runs(request).iter().filter(|run| run.role == Role::Assistant) {
        let Some(last) = run.blocks.last().filter(|block| block.is_thinking()) else { continue };
        let error =
            format!("{}: The final block in an assistant message cannot be `thinking`.", last.turn.path());
        let found = "thinking at the end of a reply";
        let violation = Violation::new(NOT_LAST.id, last.place(), found, "a text or a call behind it");
        sink(violation.predicting(error));
    }
}

pub(super) const SIGNED: Rule = Rule {
    id: "thinking/signed",
    title: "thinking has its signature, redacted thinking its data",
    severity: Severity::Error,
    doc: "\
The host signs the thinking that its model wrote and takes back only what is signed. A `thinking` block \
without a signature, and `redacted_thinking` without its data, are refused. The text itself may be empty: some \
models hide it and send the signature alone.

Signatures come last in the stream, so a stream that ended early leaves thinking without one. Other vendors' \
models and local ones write thinking that nobody signed, and a session that was begun there breaks when it \
goes on at the API. Whether a signature is the right one only the host can tell.",
    example: br#"[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"thinking","thinking":"b","signature":""},{"type":"text","text":"c"}]}]"#,
    remedy: "Drop thinking that is not signed; do not make a signature up.",
    sources: &[
        "spec 6",
        "messages.N.content.0.thinking: each thinking block must contain thinking",
        "messages.4.content.1.thinking.signature.str: Input should be a valid string",
        "messages.N.content.M: Invalid `data` in `redacted_thinking` block",
    ],
    judge: Judge::Request { structural: true, judge: signed },
};

fn signed(request: &Request, _: Host, sink: Sink<'_>) {
    for block in blocks(request).filter(|block| block.turn.role() == Role::Assistant) {
        let (member, lack): (&str, fn(Block<'_>) -> Option<String>) = match block.kind() {
            "thinking" => ("signature", lack_of_signature),
            "redacted_thinking" => ("data", lack_of_data),
            _ => continue,
        };
        if let Some(error) = lack(block) {
            let found = format!("{} without {member}", block.kind());
            let violation = Violation::new(SIGNED.id, block.place(), found, "what the host gave with it");
            sink(violation.predicting(error));
        }
    }
}

fn lack_of_signature(block: Block<'_>) -> Option<String> {
    let path = block.member("signature");
    match block.field("signature") {
        None => Some(format!("{path}: Field required")),
        Some(Value::String(signature)) if signature.is_empty() => {
            Some(format!("{}.thinking: each thinking block must contain thinking", block.path()))
        }
        Some(Value::String(_)) => None,
        Some(_) => Some(format!("{path}.str: Input should be a valid string")),
    }
}

fn lack_of_data(block: Block<'_>) -> Option<String> {
    let path = block.member("data");
    match block.field("data") {
        None => Some(format!("{path}: Field required")),
        Some(Value::String(data)) if data.is_empty() => {
            Some(format!("{}: Invalid `data` in `redacted_thinking` block", block.path()))
        }
        Some(Value::String(_)) => None,
        Some(_) => Some(format!("{path}: Input should be a valid string")),
    }
}

pub(super) const LEADS_TOOL_USE: Rule = Rule {
    id: "thinking/leads-tool-use",
    title: "with thinking on, a reply whose tools are being answered begins with thinking",
    severity: Severity::Warning,
    doc: "\
When the body turns thinking on (`\"thinking\": {\"type\": \"enabled\", …}`) and the request ends with \
tool results, the model goes on with a reply that it had begun with thinking, and the host wants to see that \
thinking in front.

It is missing when thinking was turned on in the middle of a tool loop, when a client drops thinking to save \
room, or when it falls back to another model. A later reply of the same loop need not think again, so the \
first one of the loop may carry it. Judged only when the body has `thinking`; a deduction in parts, hence a \
warning.",
    example: br#"{"thinking":{"type":"enabled","budget_tokens":1024},"messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"Bash","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"b"}]}]}"#,
    remedy: "Send the thinking blocks of the loop as they came, or turn thinking off until the loop has ended.",
    sources: &[
        "spec 6",
        "messages.N.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`",
    ],
    judge: Judge::Request { structural: false, judge: leads_tool_use },
};

fn leads_tool_use(request: &Request, _: Host, sink: Sink<'_>) {
    if request.body.pointer("/thinking/type").and_then(Value::as_str) != Some("enabled") {
        return;
    }
    let runs = runs(request);
    // From the end back: answers and replies, up to a prompt.
    let in_loop = runs.iter().rev().take_while(|run| run.role == Role::Assistant || is_answer(run));
    let replies: Vec<&Run<'_>> = in_loop.filter(|run| run.role == Role::Assistant).collect();
    let ends_with_answer = runs.last().is_some_and(is_answer);
    let (Some(last), Some(first)) = (replies.first(), replies.last()) else { return };
    let leads = |run: &Run<'_>| run.blocks.first().is_some_and(|block| block.is_thinking());
    if !ends_with_answer || leads(last) || leads(first) {
        return;
    }
    let Some(head) = last.blocks.first().filter(|_| last.blocks.iter().any(|block| block.is("tool_use")))
    else {
        return;
    };
    let error = format!(
        "{}.type: Expected `thinking` or `redacted_thinking`, but found `{}`. When `thinking` is enabled, a final \
         `assistant` message must start with a thinking block (preceeding the lastmost set of `tool_use` and \
         `tool_result` blocks). We recommend you include thinking blocks from previous turns. To avoid this \
         requirement, disable `thinking`.",
        head.path(),
        head.kind()
    );
    let found = format!("the reply begins with {}", head.kind());
    sink(Violation::new(LEADS_TOOL_USE.id, head.place(), found, "thinking in front").predicting(error));
}

/// Whether the user answers calls.
fn is_answer(run: &Run<'_>) -> bool {
    run.role == Role::User && run.blocks.iter().any(|block| block.is("tool_result"))
}
