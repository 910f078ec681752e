//! The *tools* of a body: each has a name of its own, and what its type requires.

use std::collections::HashSet;

use super::{given, members_of, wrong_type};
use crate::json::Value;
use crate::operation::{Form, Host, Request};
use crate::rules::request::view::{Block, blocks};
use crate::rules::value::{list, text};
use crate::rules::{Place, Report};

/// A type of tool that hosts run or define, without its date: the name that a tool of it has, where that is fixed, and
/// the members that it needs.
const TYPES: [(&str, Option<&str>, &[&str]); 12] = [
    ("web_search", Some("web_search"), &[]),
    ("web_fetch", Some("web_fetch"), &[]),
    ("code_execution", Some("code_execution"), &[]),
    ("tool_search_tool_bm25", Some("tool_search_tool_bm25"), &[]),
    ("tool_search_tool_regex", Some("tool_search_tool_regex"), &[]),
    ("bash", Some("bash"), &[]),
    ("text_editor", None, &[]),
    ("computer", Some("computer"), &["display_width_px", "display_height_px"]),
    ("memory", Some("memory"), &[]),
    ("advisor", Some("advisor"), &[]),
    ("browser", None, &[]),
    ("mcp_toolset", None, &["mcp_server_name"]),
];

pub(super) fn tools(request: &Request, _: Host, report: &mut Report<'_>) {
    let Some(tools) = request.body.get("tools").filter(|tools| !tools.is_null()) else { return };
    let Some(tools) = tools.as_array() else { return wrong_type("tools", "a list", report) };
    let mut names = HashSet::new();
    for (index, tool) in tools.iter().enumerate() {
        if !tool.is_object() {
            wrong_type(&format!("tools.{index}"), "an object", report);
            continue;
        }
        let kind = text(tool, "type").unwrap_or("custom");
        if kind != "custom" {
            known_type(kind, index, tool, report);
        } else if members_of(request).is_some() {
            custom(index, tool, report);
        }
        if let Some(name) = text(tool, "name").filter(|name| !names.insert(*name)) {
            let found = sentence!("two tools of the name {name:?}", name);
            let error = "tools: Tool names must be unique.";
            report.predict(Place::Whole, "same-name", found, "a name of its own for each tool", error);
        }
    }
}

/// Judges a tool of the client.
fn custom(index: usize, tool: &Value, report: &mut Report<'_>) {
    for name in ["name", "input_schema"] {
        if tool.get(name).is_none() {
            let found = sentence!("tool {index} has no `{name}`", index, name);
            let error = format!("tools.{index}.custom.{name}: Field required");
            report.predict(Place::Whole, "missing", found, "what a tool requires", error);
        }
    }
    let is_text = tool.get("description").is_none_or(|text| text.is_string() || text.is_null());
    if !is_text {
        wrong_type(&format!("tools.{index}.custom.description"), "a string", report);
    }
    if tool.get("strict").is_some_and(|strict| !strict.is_boolean() && !strict.is_null()) {
        wrong_type(&format!("tools.{index}.custom.strict"), "a flag", report);
    }
}

/// Judges a tool of a type that the host defines: `web_search_20250305`.
fn known_type(kind: &str, index: usize, tool: &Value, report: &mut Report<'_>) {
    let base = kind.rsplit_once('_').filter(|(_, date)| is_date(date)).map_or(kind, |(base, _)| base);
    let Some((_, name, members)) = TYPES.iter().find(|(known, ..)| *known == base) else {
        let found = sentence!("tool {index} is of the type {kind:?}", index, kind);
        let error =
            format!("tools.{index}: Input tag '{kind}' found using 'type' does not match any of the expected tags");
        return report.warn(Place::Whole, "unknown-type", found, "a type of tool that the API was seen to take", error);
    };
    for member in members.iter().filter(|member| tool.get(**member).is_none()) {
        let found = sentence!("tool {index} of the type {kind:?} has no `{member}`", index, kind, member = *member);
        let error = format!("tools.{index}.{kind}.{member}: Field required");
        report.predict(Place::Whole, "missing", found, "what its type requires", error);
    }
    if let Some(name) = name.filter(|name| text(tool, "name") != Some(name)) {
        let found = sentence!("tool {index} of the type {kind:?} has another name", index, kind);
        let error = format!("tools.{index}.{kind}.name: Input should be '{name}'");
        report.predict(Place::Whole, "other-name", found, sentence!("the name {name}", name), error);
    }
}

fn is_date(word: &str) -> bool {
    word.len() == 8 && word.bytes().all(|byte| byte.is_ascii_digit())
}

/// Converse refuses calls and results in a body that defines no tools. A body in the other form whose ids are Converse's
/// was put into that form from its own, which has tools elsewhere: that is a warning. A bare list of turns is not asked.
pub(super) fn tools_defined(request: &Request, host: Host, report: &mut Report<'_>) {
    let Some(body) = request.body.as_object() else { return };
    if !matches!(host, Host::BedrockConverse | Host::Portable)
        || given(body, "tools").is_some() && !list(&request.body, "tools").is_empty()
    {
        return;
    }
    if let Some(block) = blocks(request).find(|block| block.is("tool_use") || block.is("tool_result")) {
        let error = "The toolConfig field must be defined when using toolUse and toolResult content blocks.";
        let (found, expected) = ("a call or a result, and no tools in the body", "the tools that are called");
        let is_of_converse = |block: Block<'_>| block.string("id").is_some_and(|id| id.starts_with("tooluse_"));
        match request.form == Form::Messages && blocks(request).any(is_of_converse) {
            true => report.warn(block.place(), "no-tools", found, expected, error),
            false => report.predict(block.place(), "no-tools", found, expected, error),
        }
    }
}
