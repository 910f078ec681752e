//! The *place* of a violation on a page: the list in which `messages.3` counts depends on the rule or on the place
//! itself. A list is named by its path in the answer, as the answer is written in JSON.

use turnproof_rules::Shown;

use turnproof_rules::operation::{Folded, Operation, Plain, Streamed, Value};
use turnproof_rules::rules::{CountedIn, Judge, Place, Rule, StreamList, Violation};

use super::exhibit::Failed;

/// Where a violation is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// An element of a list, and a block of it.
    Element { list: &'static str, index: usize, block: Option<usize> },
    /// Bytes of the file.
    Bytes { start: usize, end: usize },
    /// The record that begins at this byte, to the end of its line.
    Record(usize),
}

/// Where a violation is drawn in an answer; `None` when it is about the whole.
pub(super) fn target(rule: &Rule, violation: &Violation, shown: &Result<Shown, Failed>) -> Option<Target> {
    let wide = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    let (list, index, block) = match violation.place {
        Place::Event { .. } | Place::Reply { .. } | Place::Whole => return None,
        Place::Bytes { start, end } => return Some(Target::Bytes { start: wide(start), end: wide(end) }),
        Place::Record { start, .. } => return Some(Target::Record(wide(start))),
        Place::Message { index, block } => {
            let (list, index) = match rule.judge {
                Judge::Play(_) => ("moments", wide(index.into())),
                // A thought that is lost is not in the request.
                _ if rule.id == "thinking/unmodified" && violation.kind == "missing" => {
                    ("messages", wide(index.into()))
                }
                _ => counted(rule, shown, wide(index.into())),
            };
            (list, index, block.map(|block| wide(block.into())))
        }
        Place::Streamed { list, index } => {
            let output = match shown {
                Ok(Shown::Accumulate(case)) => case.output.as_ref().ok(),
                _ => None,
            };
            let (list, index) = in_stream(list, output, wide(index.into()));
            (list, index, None)
        }
    };
    Some(Target::Element { list, index, block })
}

/// The list that a rule looks at, and where in it.
fn counted(rule: &Rule, shown: &Result<Shown, Failed>, index: usize) -> (&'static str, usize) {
    match (rule.counted_in, shown) {
        (CountedIn::Input, _) => ("messages", index),
        (CountedIn::Undone, _) => ("undone", index),
        (CountedIn::BridgedAndSeen, Ok(Shown::Fold(case))) => ("bridged", seen(case, index)),
        (CountedIn::Bridged | CountedIn::BridgedAndSeen, _) => ("bridged", index),
        (CountedIn::BridgedOutput, _) => ("bridged_output", index),
        (CountedIn::Again, _) => ("again", index),
        (CountedIn::Output, _) => match rule.operation() {
            Operation::NormalizeApi | Operation::CheckRequest => ("request", index),
            Operation::Resume => ("answer.records", index),
            Operation::Make => ("answer", index),
            _ => ("output", index),
        },
    }
}

/// Where the message stands that is number `index` of those that went over the bridge and that people see.
fn seen(case: &Folded, index: usize) -> usize {
    let bridged = case.bridged.iter().flatten().next().map_or(&[][..], Plain::elements);
    let is_seen = |message: &Value| message.get("isMeta") != Some(&Value::Bool(true));
    let mut seen = bridged.iter().enumerate().filter(|(_, message)| is_seen(message));
    seen.nth(index).map_or(bridged.len(), |(place, _)| place)
}

/// The element of a stream's output that a place counts to; the list that is drawn, and where in it.
fn in_stream(counted: StreamList, output: Option<&Streamed>, index: usize) -> (&'static str, usize) {
    let nth = |values: Option<&Plain>, kinds: &[&str]| nth(values.map_or(&[][..], Plain::elements), kinds, index);
    let yielded = |kinds: &[&str]| ("output.events", nth(output.map(|output| &output.events), kinds));
    match counted {
        StreamList::Lines => yielded(&["assistant"]),
        StreamList::Users => yielded(&["user"]),
        StreamList::Messages => yielded(&["assistant", "user"]),
        StreamList::LinesAndTombstones => yielded(&["assistant", "tombstone"]),
        StreamList::Yielded => yielded(&["assistant", "user", "tombstone"]),
        StreamList::Live => ("output.live", index),
        StreamList::Slots => ("output.slots", index),
        StreamList::Places => {
            let slots = output.and_then(|output| output.slots.as_ref());
            ("output.slots", nth(slots, &["assistant", "user", "tombstone"]))
        }
        StreamList::Wholes => ("output.messages", index),
    }
}

/// Where the value stands that is number `index` of those of these kinds.
fn nth(values: &[Value], kinds: &[&str], index: usize) -> usize {
    let is_counted = |value: &Value| {
        let is_error = value.get("isApiErrorMessage") == Some(&Value::Bool(true));
        let kind = value.get("type").and_then(Value::as_str);
        kind.is_some_and(|kind| kinds.contains(&kind)) && !is_error
    };
    let mut counted = values.iter().enumerate().filter(|(_, value)| is_counted(value));
    // One that is missing is shown at the last that is there.
    let place = counted.clone().nth(index).or_else(|| counted.next_back());
    place.map_or(index, |(place, _)| place)
}
