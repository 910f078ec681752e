//! To *spoil* is to change what the reference is given, or what it gives; all else stays right.

use serde_json::Value;
use turnproof::operation::Plain;
use turnproof::subject::Outcome;

/// What a subject was asked with.
#[derive(Clone, Copy)]
pub(super) struct Asked<'a> {
    /// The messages, before anything was spoilt.
    pub messages: &'a [Value],
    /// The context of the request.
    pub context: Option<&'a str>,
}

/// How a list of messages is rightly made a request.
pub(super) type Right<'a> = &'a dyn Fn(&[Value]) -> Vec<Value>;

/// The elements of a JSON array; halves of surrogate pairs are U+FFFD.
pub(super) fn list(json: &str) -> Option<Vec<Value>> {
    match Plain::read(json).ok()?.value {
        Value::Array(elements) => Some(elements),
        _ => None,
    }
}

/// The requests of a subject that is wrong about what it keeps.
pub(super) fn states(
    wrong: fn(&[Value], Right<'_>) -> Vec<Vec<Value>>,
    messages: &str,
    ask: impl Fn(&str) -> Outcome<String>,
) -> Vec<String> {
    let given = list(messages).unwrap_or_default();
    let right = |messages: &[Value]| match ask(&Value::from(messages).to_string()) {
        Outcome::Output(json) => list(&json).unwrap_or_default(),
        _ => Vec::new(),
    };
    wrong(&given, &right).into_iter().map(|turns| Value::Array(turns).to_string()).collect()
}
