//! The *members* of a body: which ones there are, and what they are.

use super::{given, members_of, wrong_type};
use crate::json::Value;
use crate::operation::{Host, Request};
use crate::rules::{Place, Report};

/// What a member must be.
type Fit = fn(&Value) -> bool;

/// The members of a body whose type is judged here, each with what it must be.
const TYPED: [(&str, Fit, &str); 4] = [
    ("stream", Value::is_boolean, "a flag"),
    ("metadata", Value::is_object, "an object"),
    ("mcp_servers", Value::is_array, "a list"),
    ("service_tier", Value::is_string, "a string"),
];

/// The other members that the API was seen to take, or that its official packages send.
const OTHERS: [&str; 24] = [
    "model",
    "max_tokens",
    "system",
    "tools",
    "tool_choice",
    "thinking",
    "context_management",
    "output_config",
    "output_format",
    "temperature",
    "top_p",
    "top_k",
    "stop_sequences",
    "container",
    "cache_control",
    "inference_geo",
    "speed",
    "fallbacks",
    "anthropic_version",
    "anthropic_beta",
    "betas",
    "diagnostics",
    "user_profile_id",
    "workspace_id",
];

pub(super) fn members(request: &Request, _: Host, report: &mut Report<'_>) {
    let Some(body) = members_of(request) else { return };
    for (name, is_fit, expected) in TYPED {
        if given(body, name).is_some_and(|value| !is_fit(value)) {
            wrong_type(name, expected, report);
        }
    }
    if given(body, "container").is_some_and(|container| !container.is_string()) {
        let (found, expected) = ("`container` is no text", "a text, or the header of skills");
        report.warn(Place::Whole, "container", found, expected, "container: Input should be a valid string");
    }
    let is_known = |name: &str| OTHERS.contains(&name) || TYPED.iter().any(|(known, ..)| *known == name);
    for name in body.keys().filter(|name| !is_known(name)) {
        let found = sentence!("a body with `{name}`", name = &**name);
        let error = format!("{name}: Extra inputs are not permitted");
        report.warn(Place::Whole, "unknown-member", found, "members that the API was seen to take", error);
    }
}
