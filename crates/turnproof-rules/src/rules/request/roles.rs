//! The *roles* of a request: which blocks a turn of the user or the assistant may carry.

use super::super::{Judge, RuleEntry, Violation};
use super::view::{Role, SERVER_CALLS, SERVER_RESULTS, Sink, blocks, quoted};
use crate::operation::{Host, Request};

pub(super) const BLOCKS_BY_ROLE: RuleEntry =
    rule!("api/blocks-by-role", Error, Judge::Request { structural: true, judge: blocks_by_role });

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
