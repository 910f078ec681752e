//! *Errors of the API*: how the loop reads and shows them.

use serde_json::{Value, json};
use turnproof_format::ERROR_KINDS;

use crate::json::{Fields, Raw, Text};
use crate::message::Typed;

use super::input::Failure;

/// How often a request is sent again after an error that may pass.
pub const MAX_RETRIES: u64 = 3;

/// How often the model is asked to continue a reply that reached the output limit.
pub const MAX_CONTINUATIONS: u64 = 3;

pub(super) const CONTINUE: &str =
    "The reply reached the output limit. Go on where it ended, without an apology or a summary.";

pub(super) const CUT_CALL: &str =
    "The call was cut off by the output limit, so its input is incomplete and it did not run.";

pub(super) const NOT_DURABLE: &str = "The prompt could not be written to the transcript, so it was not sent";

/// The kind of the error that a reply reached the output limit again and again, its words and its details.
pub(super) const OUTPUT_LIMIT: (&str, &str, &str) = (
    turnproof_format::OUTPUT_LIMIT,
    "API Error: The reply reached the output limit again and again, and was not finished.",
    "stop_reason: max_tokens",
);

/// The content of a result that a microcompaction cleared.
pub const CLEARED: &str = "(the content of this old result was cleared)";

impl Failure {
    /// The failure that the `error` of a stream's event means: the one with the same type and message, or else one of
    /// that type. An unknown type counts as an error of the server.
    pub(super) fn of_event(error: Option<&Raw>) -> Self {
        let members = error.and_then(|error| Fields::from_raw(error).ok()).unwrap_or_default();
        let text = |name| members.get(name).and_then(|text| Text::read(text).ok()).unwrap_or_default();
        let (kind, message) = (text("type"), text("message"));
        let is_the_same = |failure: &Self| failure.parts().1 == &*kind && failure.parts().2 == &*message;
        Self::ALL.into_iter().find(is_the_same).unwrap_or(match kind.as_str() {
            "overloaded_error" => Self::Overloaded,
            "rate_limit_error" => Self::RateLimited,
            "connection_error" => Self::Connection,
            "request_too_large" => Self::RequestTooLarge,
            "invalid_request_error" => Self::Invalid,
            "authentication_error" => Self::Authentication,
            "permission_error" => Self::Permission,
            "billing_error" => Self::Billing,
            "not_found_error" => Self::NotFound,
            "timeout_error" => Self::Timeout,
            _ => Self::Server,
        })
    }

    /// Whether the same request may succeed when it is sent again.
    pub const fn may_pass(self) -> bool {
        matches!(self, Self::Overloaded | Self::RateLimited | Self::Server | Self::Connection | Self::Timeout)
    }

    /// HTTP status, error type and message, as the API gives them. The status is 0 without a connection.
    pub const fn parts(self) -> (u16, &'static str, &'static str) {
        match self {
            Self::Overloaded => (529, "overloaded_error", "Overloaded"),
            Self::RateLimited => (429, "rate_limit_error", "This request would exceed your rate limit"),
            Self::Server => (500, "api_error", "Internal server error"),
            Self::Connection => (0, "connection_error", "Connection error."),
            Self::PromptTooLong => (400, "invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum"),
            Self::ImageTooLarge => {
                (400, "invalid_request_error", "messages.0.content.1.image.source.base64: image exceeds 5 MB maximum")
            }
            Self::PdfTooLarge => (400, "invalid_request_error", "A maximum of 100 PDF pages may be provided."),
            Self::PdfLocked => (400, "invalid_request_error", "The PDF specified is password protected."),
            Self::RequestTooLarge => (413, "request_too_large", "Request exceeds the maximum size"),
            Self::Invalid => (400, "invalid_request_error", "messages: Input should be a valid list"),
            Self::Authentication => (401, "authentication_error", "invalid x-api-key"),
            Self::Permission => (403, "permission_error", "Your API key may not use this resource"),
            Self::Billing => (402, "billing_error", "Your credit balance is too low"),
            Self::NotFound => (404, "not_found_error", "model: claude-of-tomorrow"),
            Self::Timeout => (504, "timeout_error", "The request took too long"),
        }
    }

    /// The error's kind, as clients name it (SPEC 5.9).
    pub(super) fn kind(self) -> &'static str {
        let is_of = |types: &[&str]| types.contains(&self.parts().1);
        ERROR_KINDS.iter().find(|(_, types, _)| is_of(types)).map_or("unknown", |(kind, ..)| kind)
    }

    /// What the API said, or what is wrong with the connection.
    pub(super) fn details(self) -> String {
        match self.parts() {
            (0, _, message) => message.to_owned(),
            _ => self.body().to_string(),
        }
    }

    /// The error as the text of a message.
    pub(super) fn words(self) -> String {
        match self.parts() {
            (0, _, message) => format!("API Error: {message}"),
            (status, ..) => format!("API Error: {status} {}", self.body()),
        }
    }

    /// The error as data, as an `api_error` notice carries it.
    pub(super) fn data(self) -> Raw {
        Raw::from(&json!({"status": self.parts().0, "headers": {}, "requestID": null, "error": self.body()}))
    }

    fn body(self) -> Value {
        let (_, kind, message) = self.parts();
        json!({"type": "error", "error": {"type": kind, "message": message}})
    }
}
