//! *tool_choice* says which tool the model must call: one that is there, and not against thinking.

use super::{given, members_of, wrong_type};
use crate::json::Value;
use crate::operation::{Host, Request};
use crate::rules::value::{list, text};
use crate::rules::{Place, Report};

pub(super) fn tool_choice(request: &Request, _: Host, report: &mut Report<'_>) {
    let Some(choice) = members_of(request).and_then(|body| given(body, "tool_choice")) else { return };
    if !choice.is_object() {
        return wrong_type("tool_choice", "an object", report);
    }
    let tools = list(&request.body, "tools");
    let kind = text(choice, "type").unwrap_or_default();
    if !["auto", "any", "tool", "none"].contains(&kind) {
        let error = format!(
            "tool_choice: Input tag '{kind}' found using 'type' does not match any of the expected tags: 'auto', 'any', \
             'tool', 'none'"
        );
        let found = sentence!("`tool_choice` of the type {kind:?}", kind);
        return report.predict(Place::Whole, "unknown-type", found, "auto, any, tool or none", error);
    }
    if tools.is_empty() && kind != "none" {
        let error = "tool_choice: tool_choice may only be specified while providing tools.";
        report.predict(Place::Whole, "no-tools", "`tool_choice` without tools", "tools to choose from", error);
    } else if kind == "tool" {
        named(choice, tools, report);
    }
    let thinks = request.body.pointer("/thinking/type").and_then(Value::as_str) == Some("enabled");
    if thinks && matches!(kind, "any" | "tool") {
        let error = "Thinking may not be enabled when tool_choice forces tool use.";
        let found = "`tool_choice` forces a call while thinking is enabled";
        report.predict(Place::Whole, "with-thinking", found, "`auto` or `none` with thinking", error);
    }
}

fn named(choice: &Value, tools: &[Value], report: &mut Report<'_>) {
    let Some(name) = text(choice, "name") else {
        let found = "`tool_choice` of a tool without a name";
        let error = "tool_choice.tool.name: Field required";
        return report.predict(Place::Whole, "no-name", found, "the name of a tool", error);
    };
    if !tools.iter().any(|tool| text(tool, "name") == Some(name)) {
        let found = sentence!("`tool_choice` names {name:?}, which is no tool of the body", name);
        let error = format!("tool_choice: Tool '{name}' not found in provided tools");
        report.predict(Place::Whole, "unknown-tool", found, "the name of a tool in `tools`", error);
    }
}
