//! *Known* types of events, deltas and blocks are those that this version of the API's types has.

use turnproof_format::shapes;

use crate::operation::reply::Reply;
use crate::rules::Report;
use crate::rules::value::kind;
use crate::vocabulary::{DELTA_TYPES, EVENT_TYPES};

pub(super) fn known(reply: &Reply, report: &mut Report<'_>) {
    for event in reply.stream().unwrap_or_default() {
        let name = event.kind();
        if !name.is_empty() && name != "message" && !EVENT_TYPES.contains(&name) {
            let found = sentence!("an event of the type {name:?}", name);
            report.add(event.place(), "unknown-event", found, "clients that ignore it, as the API says they must");
        }
        let delta = event.value.get("delta").map_or("", kind);
        if name == "content_block_delta" && !DELTA_TYPES.contains(&delta) {
            let found = sentence!("a delta of the type {delta:?}", delta);
            report.add(event.place(), "unknown-delta", found, "clients that ignore it, as the API says they must");
        }
    }
    for block in &reply.assembled.blocks {
        let name = kind(&block.value);
        if !name.is_empty() && shapes::block(name).is_none() {
            let found = sentence!("a block of the type {name:?}", name);
            report.add(block.place, "unknown-block", found, "a type of block that the API's types have");
        }
    }
}
