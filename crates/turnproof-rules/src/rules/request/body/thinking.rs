//! *thinking* in a body says whether and how much the model thinks.

use super::{given, members_of, wrong_type};
use crate::json::Value;
use crate::operation::{Host, Request};
use crate::rules::value::text;
use crate::rules::{Place, Report};

/// The types that the API was seen to take.
const TYPES: [&str; 4] = ["enabled", "disabled", "adaptive", "between_tools"];

/// The smallest budget, in tokens.
const LEAST: u64 = 1024;

pub(super) fn thinking(request: &Request, _: Host, report: &mut Report<'_>) {
    let Some(body) = members_of(request) else { return };
    let Some(thinking) = given(body, "thinking") else { return };
    if !thinking.is_object() {
        return wrong_type("thinking", "an object", report);
    }
    let kind = text(thinking, "type").unwrap_or_default();
    if !TYPES.contains(&kind) {
        let error = format!("thinking: Input tag '{kind}' found using 'type' does not match any of the expected tags");
        let found = sentence!("`thinking` of the type {kind:?}", kind);
        return report.warn(Place::Whole, "unknown-type", found, "a type that the API was seen to take", error);
    }
    if kind == "enabled" {
        budget(thinking, body.get("max_tokens"), report);
    }
    let is_on = kind == "enabled";
    let temperature = given(body, "temperature").and_then(Value::as_f64);
    if is_on && temperature.is_some_and(|temperature| temperature != 1.0) {
        let error = "`temperature` may only be set to 1 when thinking is enabled. Please consult our documentation at \
                     https://docs.claude.com/en/docs/build-with-claude/extended-thinking";
        let found = "another temperature than 1 with thinking";
        report.predict(Place::Whole, "temperature", found, "1, or no temperature", error);
    }
    if thinking.get("block_binding").is_some_and(|binding| !binding.is_null() && !binding.is_object()) {
        wrong_type("thinking.block_binding", "an object", report);
    }
}

fn budget(thinking: &Value, most: Option<&Value>, report: &mut Report<'_>) {
    let Some(budget) = thinking.get("budget_tokens") else {
        let error = "thinking.enabled.budget_tokens: Field required";
        let found = "thinking is enabled without a budget";
        return report.predict(Place::Whole, "no-budget", found, "`budget_tokens`", error);
    };
    let Some(budget) = budget.as_u64() else {
        return wrong_type("thinking.enabled.budget_tokens", "a whole number", report);
    };
    if budget < LEAST {
        let error = format!("thinking.enabled.budget_tokens: Input should be greater than or equal to {LEAST}");
        let found = sentence!("a budget of {budget} tokens", budget);
        return report.predict(Place::Whole, "small-budget", found, "at least 1024", error);
    }
    if most.and_then(Value::as_u64).is_some_and(|most| most <= budget) {
        let error = "`max_tokens` must be greater than `thinking.budget_tokens`. Please consult our documentation at \
                     https://docs.claude.com/en/docs/build-with-claude/extended-thinking#max-tokens-and-context-window-size";
        let found = sentence!("`max_tokens` is not above the budget of {budget} tokens", budget);
        report.predict(Place::Whole, "budget-above-most", found, "`max_tokens` above the budget", error);
    }
}
