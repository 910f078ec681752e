//! An *error of the API* that people see says of which kind it is, and what the API said.

use turnproof_format::{ERROR_KINDS, OUTPUT_LIMIT};

use crate::json::Value;

use super::Wrong;
use crate::operation::{Moment, Plain};
use crate::rules::value::{is_true, kind, text};
use crate::rules::{Applies, Place, PlayEvidence, Report, applies};

pub(super) fn error_kind(case: &PlayEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let (mut stop_reason, mut streamed): (Option<&str>, Option<&str>) = (None, None);
    let mut judged = 0;
    for (index, moment) in case.moments.iter().enumerate() {
        let (Moment::Yielded(event) | Moment::Amended(event)) = moment else { continue };
        let message = &event.value;
        if let Some(reason) = streamed_reason(message) {
            stop_reason = Some(reason);
        }
        if kind(message) == "stream_request_start" {
            streamed = None;
        }
        streamed = streamed_error(message).or(streamed);
        if kind(message) != "assistant" {
            continue;
        }
        if !is_true(message, "isApiErrorMessage") {
            stop_reason = message.get("message").and_then(|body| text(body, "stop_reason"));
            continue;
        }
        judged += 1;
        for (kind, found, expected) in wrong(message, stop_reason, streamed.take()) {
            report.add(Place::message(index), kind, found, expected);
        }
    }
    applies(judged > 0, "no error of the API is shown")
}

/// The kind of an error of the API with this type.
pub(super) fn kind_of_error(kind: &str) -> Option<&'static str> {
    ERROR_KINDS.iter().find(|(_, types, _)| types.contains(&kind)).map(|(kind, ..)| *kind)
}

/// The type of the error that ends a stream.
fn streamed_error(message: &Value) -> Option<&str> {
    let event = message.get("event").filter(|_| kind(message) == "stream_event")?;
    event.get("error").filter(|_| kind(event) == "error").and_then(|error| text(error, "type"))
}

/// Why a reply stopped, as its stream says: a reply without blocks has no message that could.
fn streamed_reason(message: &Value) -> Option<&str> {
    let event = message.get("event").filter(|_| kind(message) == "stream_event")?;
    event.get("delta").filter(|_| kind(event) == "message_delta").and_then(|delta| text(delta, "stop_reason"))
}

/// What is wrong with an error. The reply before it stopped for this reason, or its stream ended with this error.
fn wrong(message: &Value, stop_reason: Option<&str>, streamed: Option<&str>) -> Vec<Wrong> {
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
    if !ERROR_KINDS.iter().any(|(kind, ..)| *kind == named) {
        let found = sentence!("the error is of the kind {named:?}", named);
        wrong.push(("unknown-kind", found, "a kind of SPEC 5.9, as `apiError`".into()));
        return wrong;
    }
    let said = Plain::read(details).ok().map(|details| details.into_value());
    let said = said.as_ref().and_then(|details| details.get("error")).and_then(|error| text(error, "type"));
    for said in [said, streamed].into_iter().flatten() {
        if let Some(expected) = kind_of_error(said).filter(|kind| *kind != named) {
            let found = sentence!("the API says {said:?}, and the error is of the kind {named:?}", said, named);
            wrong.push(("other-kind", found, sentence!("the kind {expected:?}", expected)));
        }
    }
    if named == OUTPUT_LIMIT && stop_reason != Some("max_tokens") {
        let reason = format!("{stop_reason:?}");
        let found = sentence!("the kind {named:?} after a reply that stopped for {reason}", named, reason);
        wrong.push(("no-limit", found, "this kind only where the limit of the output was reached".into()));
    }
    wrong
}
