//! The *schemas* of tools: each is an object that describes an object.

use super::members_of;
use crate::json::Value;
use crate::operation::{Host, Request};
use crate::rules::value::{list, text};
use crate::rules::{Place, Report};

pub(super) fn tool_schemas(request: &Request, _: Host, report: &mut Report<'_>) {
    if members_of(request).is_none() {
        return;
    }
    for (index, tool) in list(&request.body, "tools").iter().enumerate() {
        let Some(schema) = tool.get("input_schema") else { continue };
        let path = format!("tools.{index}.custom.input_schema");
        let problem = match schema.get("type") {
            _ if !schema.is_object() => Some(("no-object", path, "Input does not match the expected shape.")),
            None => Some(("no-type", format!("{path}.type"), "Field required")),
            Some(kind) if kind.as_str() != Some("object") => {
                Some(("other-type", format!("{path}.type"), "Input should be 'object'"))
            }
            Some(_) => None,
        };
        if let Some((kind, path, says)) = problem {
            let name = text(tool, "name").unwrap_or_default();
            let found = sentence!("the schema of the tool {name:?} describes no object", name);
            report.predict(Place::Whole, kind, found, "`\"type\": \"object\"`", format!("{path}: {says}"));
        }
    }
}

/// The schemas inside a schema: what it says of members, elements and choices.
pub(super) fn parts(schema: &Value) -> impl Iterator<Item = &Value> {
    let Value::Object(members) = schema else { return Vec::new().into_iter() };
    let mut parts: Vec<&Value> = Vec::new();
    for (name, value) in members.iter() {
        match (&**name, value) {
            ("properties" | "$defs" | "definitions", Value::Object(named)) => {
                parts.extend(named.iter().map(|(_, part)| part));
            }
            ("anyOf" | "oneOf" | "allOf" | "prefixItems", Value::Array(choices)) => parts.extend(choices),
            ("items" | "additionalProperties" | "not", part) => parts.push(part),
            _ => {}
        }
    }
    parts.into_iter()
}
