//! *Headers*: which ones the API wants, which ones it gives, and which ones are never written down.

use hyper::HeaderMap;
use hyper::header::{HeaderName, HeaderValue};

use crate::error::{ApiError, Dialect, ErrorKind};

/// Fails where a request has no key or does not say which version of the API it speaks.
pub(crate) fn wanted(headers: &HeaderMap) -> Result<(), ApiError> {
    let has = |name: &str| headers.get(name).is_some_and(|value| !value.as_bytes().trim_ascii().is_empty());
    if !has("x-api-key") && !has("authorization") {
        return Err(ApiError::new(ErrorKind::Authentication, "x-api-key header is required"));
    }
    if !has("anthropic-version") {
        return Err(ApiError::invalid("anthropic-version: header is required"));
    }
    Ok(())
}

/// The headers that each answer has, with names in small letters.
pub(crate) fn usual(request: &str, dialect: Dialect) -> Vec<(&'static str, String)> {
    if dialect == Dialect::Bedrock {
        return vec![("x-amzn-requestid", request.to_owned())];
    }
    let mut headers = vec![
        ("request-id", request.to_owned()),
        ("anthropic-organization-id", "00000000-0000-4000-8000-000000000000".to_owned()),
    ];
    headers.extend(LIMITS.map(|(name, value)| (name, value.to_owned())));
    headers
}

/// The limits of rates that are never reached. They were reset in the past, so that nobody waits for it.
const LIMITS: [(&str, &str); 12] = [
    ("anthropic-ratelimit-requests-limit", "4000"),
    ("anthropic-ratelimit-requests-remaining", "3999"),
    ("anthropic-ratelimit-requests-reset", RESET),
    ("anthropic-ratelimit-tokens-limit", "2400000"),
    ("anthropic-ratelimit-tokens-remaining", "2400000"),
    ("anthropic-ratelimit-tokens-reset", RESET),
    ("anthropic-ratelimit-input-tokens-limit", "2000000"),
    ("anthropic-ratelimit-input-tokens-remaining", "2000000"),
    ("anthropic-ratelimit-input-tokens-reset", RESET),
    ("anthropic-ratelimit-output-tokens-limit", "400000"),
    ("anthropic-ratelimit-output-tokens-remaining", "400000"),
    ("anthropic-ratelimit-output-tokens-reset", RESET),
];

const RESET: &str = "2026-01-01T00:00:00Z";

/// The headers that an error has besides.
pub(crate) fn of_error(error: &ApiError, dialect: Dialect) -> Vec<(&'static str, String)> {
    let mut headers = Vec::new();
    if let Some(seconds) = error.retry_after {
        headers.push(("retry-after", seconds.to_string()));
    }
    match dialect {
        Dialect::Bedrock => headers.push(("x-amzn-errortype", error.exception().to_owned())),
        Dialect::Messages => {
            let again = matches!(error.status, 408 | 409 | 429 | 500..=599);
            headers.push(("x-should-retry", again.to_string()));
        }
    }
    headers
}

/// Puts headers into a map. One that cannot be written is left out.
pub(crate) fn put(into: &mut HeaderMap, headers: Vec<(&'static str, String)>) {
    for (name, value) in headers {
        if let Ok(value) = HeaderValue::from_str(&value) {
            into.insert(HeaderName::from_static(name), value);
        }
    }
}

/// What replaces a value that is not written down.
pub const MASK: &str = "[masked]";

/// Headers that hold no secret, by their names or by how they begin. All others are masked.
const OPEN: [&str; 14] = [
    "accept",
    "accept-encoding",
    "accept-language",
    "anthropic-beta",
    "anthropic-version",
    "connection",
    "content-encoding",
    "content-length",
    "content-type",
    "host",
    "retry-after",
    "transfer-encoding",
    "user-agent",
    "x-stainless-",
];

/// A header's value as it is written down.
pub fn masked<'a>(name: &str, value: &'a str) -> &'a str {
    let name = name.to_lowercase();
    let is_open = |open: &&str| if open.ends_with('-') { name.starts_with(*open) } else { name == *open };
    if OPEN.iter().any(is_open) { value } else { MASK }
}
