//! *Legal or not*, for tests of whoever makes requests.

use crate::operation::{Host, violations};
use crate::rules::Severity;

/// Panics where the Messages API would refuse a request, with its words.
///
/// The first argument is the body, as JSON text or as whatever prints so (`serde_json::Value`). The second one is
/// the host; without it, it is the Messages API itself.
///
/// ```
/// use turnproof_rules::assert_legal;
/// use turnproof_rules::operation::Host;
///
/// let body = serde_json::json!({
///     "model": "claude-sonnet-4-5", "max_tokens": 1024, "messages": [{"role": "user", "content": "hello"}],
/// });
/// assert_legal!(body);
/// assert_legal!(body.to_string(), Host::BedrockInvoke);
/// ```
#[macro_export]
macro_rules! assert_legal {
    ($body:expr) => {
        $crate::assert_legal!($body, $crate::operation::Host::Anthropic)
    };
    ($body:expr, $host:expr) => {
        if let Some(why) = $crate::why_not_legal(&::std::string::ToString::to_string(&$body), $host) {
            panic!("{why}")
        }
    };
}

/// Why a host would refuse a body, given as JSON text: a line for each error, with its place, its rule and the words of
/// the API. `None` where it would take it.
pub fn why_not_legal(body: &str, host: Host) -> Option<String> {
    let found = match violations(body, host) {
        Ok(found) => found,
        Err(error) => return Some(format!("this is no request: {error}")),
    };
    let errors =
        found.iter().filter(|(rule, violation)| violation.severity.unwrap_or(rule.severity) >= Severity::Error);
    let lines: Vec<String> = errors
        .map(|(rule, violation)| {
            let words = violation.error.as_ref().map(|words| format!("\n    the API answers: {words}"));
            format!("\n  {}: {} ({}){}", violation.place, violation.found, rule.id, words.unwrap_or_default())
        })
        .collect();
    (!lines.is_empty()).then(|| format!("the request is not legal under {}:{}", host.name(), lines.concat()))
}
