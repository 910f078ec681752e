//! The *roles* of a request: which blocks a turn of the user or the assistant may carry.

use super::super::{Judge, Rule, Severity, Violation};
use super::view::{Role, SERVER_CALLS, SERVER_RESULTS, Sink, blocks, quoted};
use crate::operation::{Host, Request};

pub(super) const BLOCKS_BY_ROLE: Rule = Rule {
    id: "api/blocks-by-role",
    title: "each block stands in a turn of a role that may carry it",
    severity: Severity::Error,
    doc: "\
Calls, results of server tools and thinking are the assistant's; tool results, images and documents are \
the user's. A block in a turn of the wrong role is refused.

Clients break this when they join messages without looking at roles, when a replayed or imported history \
stores a result in the reply that called for it, and when text of a tool is shown as the assistant's. Blocks \
of a type that nobody knows may stand anywhere, as far as this rule goes. The error about results is known \
word for word; the others follow its pattern.",
    example: br#"[{"role":"user","content":[{"type":"text","text":"a"},{"type":"thinking","thinking":"b","signature":"c"}]}]"#,
    remedy: "Move the block to a turn of its role, or drop it.",
    sources: &["spec 6", "messages.N: `tool_result` blocks can only be in `user` messages"],
    judge: Judge::Request { structural: true, judge: blocks_by_role },
};

fn blocks_by_role(request: &Request, _: Host, sink: Sink<'_>) {
    for block in blocks(request) {
        let (role, kind) = (block.turn.role(), block.kind());
        let Some(owner) = owner(kind).filter(|&owner| role != owner && role != Role::Other) else { continue };
        let owner = owner.name();
        let found = format!("{} in a turn of the {}", quoted(kind), role.name());
        let expected = format!("{} only in turns of the {owner}", quoted(kind));
        let error = format!("{}: `{kind}` blocks can only be in `{owner}` messages", block.turn.path());
        sink(Violation::new(BLOCKS_BY_ROLE.id, block.place(), found, expected).predicting(error));
    }
}

/// The only role whose turns carry blocks of this type; none when both do.
fn owner(kind: &str) -> Option<Role> {
    match kind {
        "tool_use" | "thinking" | "redacted_thinking" => Some(Role::Assistant),
        "tool_result" | "image" | "document" => Some(Role::User),
        _ if SERVER_CALLS.contains(&kind) || SERVER_RESULTS.contains(&kind) => Some(Role::Assistant),
        _ => None,
    }
}
