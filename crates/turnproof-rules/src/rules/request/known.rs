//! *Known blocks* are those whose type is in the table of shapes; so are their parts, their sources and the names of
//! server tools.

use std::collections::HashSet;

use crate::json::Value;

use super::fields::flaws;
use super::view::{Block, blocks_and_parts, turns};
use crate::operation::{Form, Host, Request};
use crate::rules::Report;
use crate::rules::shape::Sort;
use crate::rules::value::{list, text};

pub(super) fn known_blocks(request: &Request, host: Host, report: &mut Report<'_>) {
    if request.form == Form::Converse {
        return;
    }
    for turn in turns(request) {
        flaws(turn, host, Sort::Unknown, &mut |place, _, flaw| {
            report.predict(place, flaw.kind, flaw.found, "a type or a name of the API, at this host", flaw.error);
        });
    }
}

/// References to tools, by clients and by the search of the host, name tools that the body offers. Tools of an MCP
/// server are not in the body.
pub(super) fn tool_references(request: &Request, _: Host, report: &mut Report<'_>) {
    let Some(tools) = request.body.get("tools").and_then(Value::as_array) else { return };
    if request.body.get("mcp_servers").is_some() || tools.iter().any(|tool| text(tool, "type") == Some("mcp_toolset")) {
        return;
    }
    let tools: HashSet<&str> = tools.iter().filter_map(|tool| text(tool, "name")).collect();
    for block in blocks_and_parts(request) {
        for name in references(block).filter(|name| !tools.contains(name)) {
            let found = sentence!("a reference to the tool {name:?}", name);
            let error = format!("{}: Tool reference '{name}' not found in available tools", block.path());
            report.predict(block.place(), "unknown-tool", found, "the name of a tool in `tools`", error);
        }
    }
}

/// The tools that a block or a part refers to.
fn references(block: Block<'_>) -> impl Iterator<Item = &str> {
    let own = block.string("tool_name").filter(|_| block.is("tool_reference"));
    let found = block.field("content").filter(|_| block.is("tool_search_tool_result"));
    let found = found.map_or(&[][..], |content| list(content, "tool_references"));
    own.into_iter().chain(found.iter().filter_map(|reference| text(reference, "tool_name")))
}
