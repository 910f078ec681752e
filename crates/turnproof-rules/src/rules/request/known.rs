//! *Known blocks* are those whose type is in the table of shapes; so are their parts, their sources and the names of
//! server tools.

use std::collections::HashSet;

use crate::json::Value;

use super::fields::flaws;
use super::view::{Block, blocks_and_parts, turns};
use crate::operation::{Host, Request};
use crate::rules::Report;
use crate::rules::shape::Sort;
use crate::rules::value::text;

pub(super) fn known_blocks(request: &Request, host: Host, report: &mut Report<'_>) {
    for turn in turns(request) {
        flaws(turn, host, Sort::Unknown, &mut |place, _, flaw| {
            report.predict(place, flaw.kind, flaw.found, "a type or a name of the API, at this host", flaw.error);
        });
    }
    let Some(tools) = request.body.get("tools").and_then(Value::as_array) else { return };
    let tools: HashSet<&str> = tools.iter().filter_map(|tool| text(tool, "name")).collect();
    for block in blocks_and_parts(request) {
        if let Some(name) = unknown_reference(block, &tools) {
            let found = sentence!("a reference to the tool {name:?}", name);
            report.add(block.place(), "unknown-tool", found, "the name of a tool in `tools`");
        }
    }
}

fn unknown_reference<'a>(block: Block<'a>, tools: &HashSet<&str>) -> Option<&'a str> {
    let name = block.string("tool_name").filter(|_| block.is("tool_reference"))?;
    (!tools.contains(name)).then_some(name)
}
