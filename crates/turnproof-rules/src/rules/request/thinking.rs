//! *Thinking* is the model's own text before its answer; it is signed, and goes back as it came.

use serde_json::Value;

use super::super::{Judge, RuleEntry, Violation};
use super::view::{Block, Role, Run, Sink, blocks, runs};
use crate::operation::{Host, Request};

pub(super) const NOT_LAST: RuleEntry =
    rule!("thinking/not-last", Error, Judge::Request { structural: true, judge: not_last });

fn not_last(request: &Request, _: Host, sink: Sink<'_>) {
    for run in runs(request).iter().filter(|run| run.role == Role::Assistant) {
        let Some(last) = run.blocks.last().filter(|block| block.is_thinking()) else { continue };
        let error = format!("{}: The final block in an assistant message cannot be `thinking`.", last.turn.path());
        let found = "thinking at the end of a reply";
        let violation = Violation::new(NOT_LAST.id, last.place(), found, "a text or a call behind it");
        sink(violation.predicting(error));
    }
}

pub(super) const SIGNED: RuleEntry =
    rule!("thinking/signed", Error, Judge::Request { structural: true, judge: signed });

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

pub(super) const LEADS_TOOL_USE: RuleEntry =
    rule!("thinking/leads-tool-use", Warning, Judge::Request { structural: false, judge: leads_tool_use });

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
    let Some(head) = last.blocks.first().filter(|_| last.blocks.iter().any(|block| block.is("tool_use"))) else {
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
