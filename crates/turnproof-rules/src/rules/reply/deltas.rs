//! *Deltas fit*: what a delta adds is of the kind that its block takes.

use crate::operation::reply::{DELTA_TARGETS, Reply, delta_fits};
use crate::rules::Report;
use crate::rules::value::kind;
use turnproof_format::shapes;

pub(super) fn deltas_fit(reply: &Reply, report: &mut Report<'_>) {
    for event in reply.stream().unwrap_or_default().iter().filter(|event| event.kind() == "content_block_delta") {
        let Some(delta) = event.value.get("delta") else { continue };
        let Some((name, member, _)) = DELTA_TARGETS.iter().find(|(known, ..)| *known == kind(delta)) else { continue };
        let Some(block) = reply.assembled.block(event.index()) else { continue };
        let block_type = kind(&block.value);
        // What an unknown block takes is unknown.
        let is_known = shapes::block(block_type).is_some();
        if is_known && delta_fits(name, block_type) == Some(false) {
            let found = sentence!(
                "a {name} is about block {index}, which is a {block_type}",
                name,
                index = block.index,
                block_type
            );
            report.add(event.place(), "wrong-delta", found, "a delta that changes blocks of this type");
        } else if !has_what_it_adds(delta, member) {
            let found = sentence!("a {name} has no `{member}` of the right type", name, member);
            report.add(event.place(), "nothing-to-add", found, "what the delta adds");
        }
    }
}

/// Whether a delta has what it adds: a text, or a citation.
fn has_what_it_adds(delta: &crate::json::Value, member: &str) -> bool {
    let added = delta.get(member);
    match member {
        "citation" => added.is_some_and(|added| added.is_object()),
        // A compaction may bring its encrypted content alone.
        "content" => true,
        _ => added.is_some_and(|added| added.is_string()),
    }
}
