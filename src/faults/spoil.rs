//! To *spoil* is to change what the reference is given, or what it gives; all else stays right.

use serde_json::Value;

use crate::operation::Plain;
use crate::subject::Outcome;

use super::Wrong;
use super::walk::hidden;

/// What a subject was asked with.
#[derive(Clone, Copy)]
pub(super) struct Asked<'a> {
    /// The messages, before anything was spoilt.
    pub messages: &'a [Value],
    /// The context of the request.
    pub context: Option<&'a str>,
}

/// What is done to a list of messages, and to what the reference makes of it.
#[derive(Clone, Copy)]
pub(super) struct Spoil {
    before: fn(Vec<Value>) -> Vec<Value>,
    after: fn(&Asked<'_>, Vec<Value>) -> Vec<Value>,
}

impl Spoil {
    /// Spoils the messages.
    pub(super) const fn messages(before: fn(Vec<Value>) -> Vec<Value>) -> Self {
        Self { before, after: |_, output| output }
    }

    /// Spoils what the reference makes of them.
    pub(super) const fn output(after: fn(&Asked<'_>, Vec<Value>) -> Vec<Value>) -> Self {
        Self { before: |messages| messages, after }
    }

    /// Spoils both.
    pub(super) const fn both(
        before: fn(Vec<Value>) -> Vec<Value>,
        after: fn(&Asked<'_>, Vec<Value>) -> Vec<Value>,
    ) -> Self {
        Self { before, after }
    }
}

/// A subject that sends what `hide` [hides](super::walk::hide) from the reference: it passes over a
/// stage.
pub(super) const fn keeping(hide: fn(Vec<Value>) -> Vec<Value>) -> Wrong {
    Wrong::Request(Spoil::both(hide, |_, turns| turns.into_iter().map(hidden::shown).collect()))
}

/// A subject that makes a request of other messages.
pub(super) const fn messages(before: fn(Vec<Value>) -> Vec<Value>) -> Wrong {
    Wrong::Request(Spoil::messages(before))
}

/// A subject that changes the turns.
pub(super) const fn turns(after: fn(&Asked<'_>, Vec<Value>) -> Vec<Value>) -> Wrong {
    Wrong::Request(Spoil::output(after))
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

/// What a spoilt subject answers where `ask` would be right.
pub(super) fn spoilt(
    spoil: Spoil,
    messages: &str,
    context: Option<&str>,
    ask: impl Fn(&str) -> Outcome<String>,
) -> Outcome<String> {
    let Some(given) = list(messages) else { return ask(messages) };
    let answer = ask(&Value::Array((spoil.before)(given.clone())).to_string());
    let Outcome::Output(json) = &answer else { return answer };
    let Some(output) = list(json) else { return answer };
    let asked = Asked { messages: &given, context };
    Outcome::Output(Value::Array((spoil.after)(&asked, output)).to_string())
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
