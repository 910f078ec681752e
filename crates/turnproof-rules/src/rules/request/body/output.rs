//! *output_config* and *output_format* say how much effort a reply takes, and which form its text has.

use super::{given, members_of, wrong_type};
use crate::json::Value;
use crate::operation::{Host, Request};
use crate::rules::value::text;
use crate::rules::{Place, Report};

/// The efforts that the API was seen to take.
const EFFORTS: [&str; 5] = ["low", "medium", "high", "xhigh", "max"];

pub(super) fn output(request: &Request, _: Host, report: &mut Report<'_>) {
    let Some(body) = members_of(request) else { return };
    if let Some(format) = given(body, "output_format") {
        form("output_format", format, report);
    }
    let Some(config) = given(body, "output_config") else { return };
    if !config.is_object() {
        return wrong_type("output_config", "an object", report);
    }
    if let Some(format) = config.get("format").filter(|format| !format.is_null()) {
        form("output_config.format", format, report);
    }
    let effort = config.get("effort").filter(|effort| !effort.is_null());
    if let Some(effort) = effort.filter(|effort| effort.as_str().is_none_or(|effort| !EFFORTS.contains(&effort))) {
        let found = sentence!("the effort {effort}", effort = effort.to_string());
        let error = "output_config.effort: Input should be 'low', 'medium', 'high', 'xhigh' or 'max'";
        report.predict(Place::Whole, "unknown-effort", found, "low, medium, high, xhigh or max", error);
    }
}

fn form(path: &str, format: &Value, report: &mut Report<'_>) {
    if !format.is_object() {
        return wrong_type(path, "an object", report);
    }
    if text(format, "type") != Some("json_schema") {
        let found = sentence!("`{path}` of another type than `json_schema`", path);
        let error = format!("{path}.type: Input should be 'json_schema'");
        report.predict(Place::Whole, "unknown-type", found, "`json_schema`", error);
    } else if !format.get("schema").is_some_and(Value::is_object) {
        let found = sentence!("`{path}` without a schema", path);
        let error = format!("{path}.schema: Field required");
        report.predict(Place::Whole, "no-schema", found, "a schema", error);
    }
}
