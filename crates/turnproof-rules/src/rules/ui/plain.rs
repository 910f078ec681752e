//! *Plain* lists: the messages that count before and after, and how a report shows them.

use crate::json::Value;

use crate::operation::{Given, Plain};
use crate::rules::alike::in_short;
use crate::rules::value::kind;
use crate::rules::{Sentence, refusal};

/// Events that are in no list of messages (SPEC 2).
const PASSING: [&str; 4] = ["tombstone", "tool_use_summary", "stream_event", "stream_request_start"];

/// Why a rule does not apply when there is no output; the rules on what must be in it report that.
pub(in crate::rules) const NO_OUTPUT: &str = "there is no list of messages to look at";

/// Whether it is a user or an assistant message.
pub(super) fn is_spoken(message: &Value) -> bool {
    matches!(kind(message), "user" | "assistant")
}

/// The messages of an input, without events that are in no list.
pub(in crate::rules) fn input(messages: &Plain) -> Vec<&Value> {
    messages.elements().iter().filter(|message| !PASSING.contains(&kind(message))).collect()
}

/// What is found when nothing comes out of a list of several messages.
pub(in crate::rules) const NOTHING: &str = "it says nothing: an empty list";

/// From how many messages on nothing at all is no loss of one of them.
pub(in crate::rules) const SEVERAL: usize = 3;

/// What there is instead of a list: the kind, and what is found.
pub(in crate::rules) type NoList = (&'static str, Sentence);

/// The messages of an output; or what there is instead of a list.
pub(in crate::rules) fn output(given: &Given) -> Result<&[Value], NoList> {
    match given.as_ref().map(|plain| &plain.value) {
        Ok(Value::Array(messages)) => Ok(messages),
        Ok(other) => Err(("no-list", sentence!("the output is {output}", output = other.to_string()))),
        Err(why) => Err(("refused", refusal(why))),
    }
}

/// The start of a value's JSON, for people.
pub(in crate::rules) fn shown(value: Option<&Value>) -> String {
    value.map_or_else(|| "nothing".to_owned(), in_short)
}
