//! *Plain* lists of messages: values that are equal whatever language wrote them.

use serde_json::{Number, Value};

use crate::operation::{Given, Plain};
use crate::rules::Verdict;

/// Events that pass by and are in no list of messages (spec section 2).
const PASSING: [&str; 4] = ["tombstone", "tool_use_summary", "stream_event", "stream_request_start"];

/// The verdict where there is no output to look at; the rules on what must be in it tell why.
pub(super) const NO_OUTPUT: Verdict = Verdict::NotApplicable("there is no list of messages to look at");

/// A message's `type`; empty if it has none.
pub(super) fn kind(message: &Value) -> &str {
    text(message, "type").unwrap_or("")
}

/// A member that is a string.
pub(super) fn text<'a>(object: &'a Value, name: &str) -> Option<&'a str> {
    object.get(name)?.as_str()
}

/// A message's uuid, if it is a string.
pub(super) fn uuid(message: &Value) -> Option<&str> {
    text(message, "uuid")
}

/// Whether it is a user or an assistant message.
pub(super) fn is_spoken(message: &Value) -> bool {
    matches!(kind(message), "user" | "assistant")
}

/// The messages of an input, without the events that pass by.
pub(super) fn input(messages: &Plain) -> Vec<Value> {
    messages.elements().iter().filter(|message| !PASSING.contains(&kind(message))).map(canonical).collect()
}

/// The messages of an output.
///
/// # Errors
/// What there is instead of a list.
pub(super) fn output(given: &Given) -> Result<Vec<Value>, String> {
    match given {
        Ok(plain) => match &plain.value {
            Value::Array(messages) => Ok(messages.iter().map(canonical).collect()),
            other => Err(format!("the output is {other}")),
        },
        Err(why) => Err(format!("no output: {why}")),
    }
}

/// The value with each number as the nearest double, 0 without a sign: languages differ in what
/// they make of `2.50`, `-0.0` and more than 53 bits, and none of that is a UI's matter.
fn canonical(value: &Value) -> Value {
    match value {
        Value::Number(number) => {
            let double = number.as_f64().and_then(|double| Number::from_f64(double + 0.0));
            Value::Number(double.unwrap_or_else(|| number.clone()))
        }
        Value::Array(elements) => elements.iter().map(canonical).collect(),
        Value::Object(members) => {
            members.iter().map(|(name, value)| (name.clone(), canonical(value))).collect()
        }
        other => other.clone(),
    }
}

/// The start of a value's JSON, for people.
pub(super) fn shown(value: Option<&Value>) -> String {
    const LONGEST: usize = 200;
    let Some(value) = value else { return "nothing".to_owned() };
    let json = value.to_string();
    match json.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", json.get(..end).unwrap_or_default()),
        None => json,
    }
}

/// The first place where two lists differ, if there is one.
pub(super) fn difference<T: PartialEq>(one: &[T], other: &[T]) -> Option<usize> {
    let same = one.iter().zip(other).take_while(|(a, b)| a == b).count();
    (same < one.len().max(other.len())).then_some(same)
}
