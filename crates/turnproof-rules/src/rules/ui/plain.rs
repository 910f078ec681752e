//! *Plain* lists of messages, and what the messages in them say of themselves.

use serde_json::Value;

use crate::operation::{Given, Plain};
use crate::rules::Verdict;
use crate::rules::alike::{canonical, in_short};

/// Events that pass by and are in no list of messages (SPEC.md section 2).
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
pub(super) fn input(messages: &Plain) -> Vec<&Value> {
    messages.elements().iter().filter(|message| !PASSING.contains(&kind(message))).collect()
}

/// The messages of an output.
///
/// # Errors
/// What there is instead of a list.
pub(super) fn output(given: &Given) -> Result<&[Value], String> {
    match given {
        Ok(plain) => match &plain.value {
            Value::Array(messages) => Ok(messages),
            other => Err(format!("the output is {other}")),
        },
        Err(why) => Err(format!("no output: {why}")),
    }
}

/// The start of a value's JSON, for people.
pub(super) fn shown(value: Option<&Value>) -> String {
    value.map_or_else(|| "nothing".to_owned(), |value| in_short(&canonical(value)))
}
