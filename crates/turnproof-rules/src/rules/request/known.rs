//! *Known blocks* are those whose type and shape are in the API's published types.

use std::collections::HashSet;

use serde_json::Value;

use super::view::{Block, SERVER_RESULTS, blocks_and_parts};
use crate::operation::{Host, Request};
use crate::rules::Report;
use crate::rules::value::text;

/// The types of blocks, stable ones first, then those of betas.
const TYPES: [&str; 24] = [
    "text",
    "image",
    "document",
    "search_result",
    "thinking",
    "redacted_thinking",
    "tool_use",
    "tool_result",
    "server_tool_use",
    "web_search_tool_result",
    "web_fetch_tool_result",
    "code_execution_tool_result",
    "bash_code_execution_tool_result",
    "text_editor_code_execution_tool_result",
    "tool_search_tool_result",
    "container_upload",
    "mid_conv_system",
    "advisor_tool_result",
    "mcp_tool_use",
    "mcp_tool_result",
    "compaction",
    "tool_addition",
    "tool_removal",
    "fallback",
];

/// The types of the parts of a tool result.
const PART_TYPES: [&str; 6] = ["text", "image", "search_result", "document", "tool_reference", "browser_state"];

/// The names of server tools.
const SERVER_TOOLS: [&str; 8] = [
    "web_search",
    "web_fetch",
    "code_execution",
    "bash_code_execution",
    "text_editor_code_execution",
    "tool_search_tool_regex",
    "tool_search_tool_bm25",
    "advisor",
];

pub(super) fn known_blocks(request: &Request, _: Host, report: &mut Report<'_>) {
    let tools = request.body.get("tools").and_then(Value::as_array);
    let tools: Option<HashSet<&str>> = tools.map(|tools| tools.iter().filter_map(|tool| text(tool, "name")).collect());
    for block in blocks_and_parts(request) {
        let problem = unknown_type(block)
            .or_else(|| unknown_shape(block))
            .or_else(|| unknown_server_tool(block))
            .or_else(|| unknown_reference(block, tools.as_ref()?));
        if let Some((found, expected, error)) = problem {
            match error {
                Some(error) => report.predict(block.place(), found, expected, error),
                None => report.add(block.place(), found, expected),
            }
        }
    }
}

/// What was found, what was expected, and the error, if its words are known.
type Problem = (String, &'static str, Option<String>);

fn unknown_type(block: Block<'_>) -> Option<Problem> {
    let kind = block.kind();
    let known = if block.is_part() { &PART_TYPES[..] } else { &TYPES[..] };
    if kind.is_empty() || known.contains(&kind) {
        return None;
    }
    let error = format!(
        "{}: Input tag '{kind}' found using 'type' does not match any of the expected tags: {}",
        block.path(),
        listed(known)
    );
    Some((format!("{} is of the type {kind:?}", block.in_words()), "a type of the API", Some(error)))
}

/// What `api/required-fields` leaves open: the insides of results and of media.
fn unknown_shape(block: Block<'_>) -> Option<Problem> {
    let content = block.given("content");
    let error = match block.kind() {
        "" if block.is_part() && block.is_malformed() => {
            format!("{}: Input should be an object", block.path())
        }
        "" if block.is_part() => format!("{}.type: Field required", block.path()),
        "tool_result" if content.is_some_and(|content| !content.is_string() && !content.is_array()) => {
            format!("{}: Input should be a valid list", block.member("content"))
        }
        "image" | "document" if block.given("source").is_some_and(|source| !source.is_object()) => {
            format!("{}: Input should be an object", block.member("source"))
        }
        "image" | "document" if block.is_part() && block.given("source").is_none() => {
            format!("{}: Field required", block.member("source"))
        }
        // Of these alone the content may be absent.
        "tool_result" | "mcp_tool_result" => return None,
        kind if SERVER_RESULTS.contains(&kind) && block.field("content").is_none() => {
            format!("{}: Field required", block.member("content"))
        }
        _ => return None,
    };
    Some((format!("{} has a shape that the API does not know", block.in_words()), "the API's shape", Some(error)))
}

fn unknown_server_tool(block: Block<'_>) -> Option<Problem> {
    let name = block.string("name").filter(|_| block.is("server_tool_use"))?;
    if name.is_empty() || SERVER_TOOLS.contains(&name) {
        return None;
    }
    let error = format!("{}: Input should be {}", block.member("name"), listed(&SERVER_TOOLS));
    Some((format!("a server tool named {name:?}"), "a server tool of the API", Some(error)))
}

fn unknown_reference(block: Block<'_>, tools: &HashSet<&str>) -> Option<Problem> {
    let name = block.string("tool_name").filter(|_| block.is("tool_reference"))?;
    if tools.contains(name) {
        return None;
    }
    Some((format!("a reference to the tool {name:?}"), "the name of a tool in `tools`", None))
}

/// The names as the API's errors list them.
fn listed(names: &[&str]) -> String {
    names.iter().map(|name| format!("'{name}'")).collect::<Vec<_>>().join(", ")
}
