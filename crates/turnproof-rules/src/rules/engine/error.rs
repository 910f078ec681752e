//! An *error of the API* that people see says of which kind it is, and what the API said.

use crate::json::Value;

use super::Wrong;
use crate::operation::{Moment, Plain};
use crate::rules::value::{is_true, kind, text};
use crate::rules::{Applies, Place, PlayEvidence, Report, applies};

/// The kinds, each with the types of the API that it stands for.
const KINDS: [(&str, &[&str]); 8] = [
    ("invalid_request", &["invalid_request_error", "request_too_large"]),
    ("model_not_found", &["not_found_error"]),
    ("authentication_failed", &["authentication_error", "permission_error"]),
    ("billing_error", &["billing_error"]),
    ("rate_limit", &["rate_limit_error"]),
    ("server_error", &["api_error", "overloaded_error", "timeout_error"]),
    (OUTPUT_LIMIT, &[]),
    ("unknown", &[]),
];

const OUTPUT_LIMIT: &str = "max_output_tokens";

pub(super) fn error_kind(case: &PlayEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let mut stop_reason: Option<&str> = None;
    let mut judged = 0;
    for (index, moment) in case.moments.iter().enumerate() {
        let (Moment::Yielded(event) | Moment::Amended(event)) = moment else { continue };
        let message = &event.value;
        if let Some(reason) = streamed_reason(message) {
            stop_reason = Some(reason);
        }
        if kind(message) != "assistant" {
            continue;
        }
        if !is_true(message, "isApiErrorMessage") {
            stop_reason = message.get("message").and_then(|body| text(body, "stop_reason"));
            continue;
        }
        judged += 1;
        for (kind, found, expected) in wrong(message, stop_reason) {
            report.add(Place::message(index), kind, found, expected);
        }
    }
    applies(judged > 0, "no error of the API is shown")
}

/// Why a reply stopped, as its stream says: a reply without blocks has no message that could.
fn streamed_reason(message: &Value) -> Option<&str> {
    let event = message.get("event").filter(|_| kind(message) == "stream_event")?;
    event.get("delta").filter(|_| kind(event) == "message_delta").and_then(|delta| text(delta, "stop_reason"))
}

/// What is wrong with an error. The reply before it stopped for this reason.
fn wrong(message: &Value, stop_reason: Option<&str>) -> Vec<Wrong> {
    let mut wrong = Vec::new();
    let named = text(message, "apiError").unwrap_or_default();
    if text(message, "error").unwrap_or_default() != named {
        let found = sentence!("`error` is {error}", error = message.get("error").unwrap_or(&Value::Null).to_string());
        wrong.push(("other-error", found, sentence!("the kind again, {named:?}", named)));
    }
    let details = text(message, "errorDetails").unwrap_or_default();
    if details.is_empty() {
        wrong.push(("no-details", "the error has no details".into(), "what the API said, as `errorDetails`".into()));
    }
    if !KINDS.iter().any(|(kind, _)| *kind == named) {
        let found = sentence!("the error is of the kind {named:?}", named);
        wrong.push(("unknown-kind", found, "a kind of SPEC 5.9, as `apiError`".into()));
        return wrong;
    }
    let said = Plain::read(details).ok().map(|details| details.into_value());
    let said = said.as_ref().and_then(|details| details.get("error")).and_then(|error| text(error, "type"));
    let fitting = said.and_then(|said| KINDS.iter().find(|(_, types)| types.contains(&said)));
    if let Some((expected, _)) = fitting.filter(|(kind, _)| *kind != named) {
        let said = said.unwrap_or_default();
        let found = sentence!("the API says {said:?}, and the error is of the kind {named:?}", said, named);
        wrong.push(("other-kind", found, sentence!("the kind {expected:?}", expected = *expected)));
    }
    if named == OUTPUT_LIMIT && stop_reason != Some("max_tokens") {
        let reason = format!("{stop_reason:?}");
        let found = sentence!("the kind {named:?} after a reply that stopped for {reason}", named, reason);
        wrong.push(("no-limit", found, "this kind only where the limit of the output was reached".into()));
    }
    wrong
}
