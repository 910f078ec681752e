//! *Thinking* is the model's own text before its answer; it is signed, and must be sent back unchanged.

use crate::json::Value;

use super::view::{Role, Run, blocks, runs};
use crate::operation::{Host, Request};
use crate::rules::Report;

pub(super) fn not_last(request: &Request, _: Host, report: &mut Report<'_>) {
    for run in runs(request).iter().filter(|run| run.role == Role::Assistant) {
        let Some(last) = run.blocks.last().filter(|block| block.is_thinking()) else { continue };
        let error = format!("{}: The final block in an assistant message cannot be `thinking`.", last.turn.path());
        let found = "thinking at the end of a reply";
        report.predict(last.place(), "thinking-last", found, "a text or a call behind it", error);
    }
}

pub(super) fn signed(request: &Request, _: Host, report: &mut Report<'_>) {
    for block in blocks(request).filter(|block| block.turn.role() == Role::Assistant) {
        let (kind, member, if_empty, string) = match block.kind() {
            "thinking" => ("no-signature", "signature", ".thinking: each thinking block must contain thinking", ".str"),
            "redacted_thinking" => ("no-data", "data", ": Invalid `data` in `redacted_thinking` block", ""),
            _ => continue,
        };
        let path = block.member(member);
        let error = match block.field(member) {
            None => format!("{path}: Field required"),
            Some(Value::String(text)) if text.is_empty() => format!("{}{if_empty}", block.path()),
            Some(Value::String(_)) => continue,
            Some(_) => format!("{path}{string}: Input should be a valid string"),
        };
        let found = sentence!("{block} without {member}", block = block.kind(), member);
        report.predict(block.place(), kind, found, "what the host gave with it", error);
    }
}

/// A signature of so many characters was cut: hosts give longer ones, and placeholders of other hosts are shorter.
const CUT: std::ops::Range<usize> = 16..100;

/// A signature that is cut, elided or no base64 was not given so by a host. Hosts that stand in for the Messages API
/// have signatures of their own, so it is a warning.
pub(super) fn whole_signature(request: &Request, _: Host, report: &mut Report<'_>) {
    for block in blocks(request).filter(|block| block.turn.role() == Role::Assistant && block.is("thinking")) {
        let Some(signature) = block.string("signature").filter(|signature| !signature.is_empty()) else { continue };
        let is_base64 = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'-' | b'_');
        let (kind, found) = match signature {
            _ if signature.contains('…') || signature.contains("...") => {
                ("elided", "a signature with a part left out")
            }
            _ if !signature.bytes().all(is_base64) => ("no-base64", "a signature that is no base64"),
            _ if CUT.contains(&signature.len()) => ("short", "a signature of fewer than 100 characters"),
            _ => continue,
        };
        let error = format!("{}: Invalid `signature` in `thinking` block", block.path());
        report.predict(block.place(), kind, found, "the signature as the host gave it", error);
    }
}

pub(super) fn leads_tool_use(request: &Request, _: Host, report: &mut Report<'_>) {
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
    // Where earlier replies have theirs, the client keeps it, and this reply had none.
    if runs.iter().any(|run| run.role == Role::Assistant && leads(run)) {
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
    let found = sentence!("the reply begins with {block}", block = head.kind());
    report.predict(head.place(), "no-thinking", found, "thinking in front", error);
}

/// Whether the user answers calls.
fn is_answer(run: &Run<'_>) -> bool {
    run.role == Role::User && run.blocks.iter().any(|block| block.is("tool_result"))
}
