//! The *place* of a violation on a page: the list in which `messages.3` counts depends on the rule or on the place
//! itself.

use crate::operation::Value;
use turnproof_rules::Shown;

use crate::operation::{Folded, Plain, Streamed};
use crate::rules::{CountedIn, Judge, Place, Rule, StreamList, Violation};

use super::exhibit::Failed;

/// A list that is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum List {
    /// The messages that a subject was given.
    Input,
    /// What it made of them: turns, or messages of a UI.
    Output,
    /// What a stream yielded.
    Yielded,
    /// What remains of it.
    Live,
    /// What remains of it, with the places of what was withdrawn.
    Slots,
    /// The whole messages of its replies.
    Wholes,
    /// The log of a loop.
    Moments,
    /// What a subject made of its own output when it took a folding back.
    Undone,
    /// What went over a bridge.
    Bridged,
    /// What went over a bridge of folded messages.
    BridgedOutput,
    /// The answer to the same question, asked for again.
    Again,
    /// Something to compare with; no place counts in it.
    Beside,
}

/// Where a violation is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// An element of a list, and a block of it.
    Element { list: List, index: usize, block: Option<usize> },
    /// Bytes of the file.
    Bytes { start: usize, end: usize },
    /// The record that begins at this byte, to the end of its line.
    Record(usize),
}

/// Where a violation is drawn in an answer; `None` when it is about the whole.
pub(super) fn target(rule: &Rule, violation: &Violation, shown: &Result<Shown, Failed>) -> Option<Target> {
    let wide = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    match violation.place {
        Place::Whole => None,
        Place::Bytes { start, end } => Some(Target::Bytes { start: wide(start), end: wide(end) }),
        Place::Record { start, .. } => Some(Target::Record(wide(start))),
        Place::Message { index, block } => {
            let (index, block) = (wide(index.into()), block.map(|block| wide(block.into())));
            let (list, index) = match rule.judge {
                Judge::Play(_) => (List::Moments, index),
                // A thought that is lost is not in the request.
                _ if rule.id == "thinking/unmodified" && violation.found.ends_with("is lost") => (List::Input, index),
                _ => counted(rule.counted_in, shown, index),
            };
            Some(Target::Element { list, index, block })
        }
        Place::Streamed { list, index } => {
            let index = wide(index.into());
            let (list, index) = match shown {
                Ok(Shown::Accumulate(case)) => match &case.output {
                    Ok(output) => in_stream(list, output, index),
                    Err(_) => (List::Yielded, index),
                },
                _ => (List::Output, index),
            };
            Some(Target::Element { list, index, block: None })
        }
    }
}

/// The list that a rule looks at, and where in it.
fn counted(list: CountedIn, shown: &Result<Shown, Failed>, index: usize) -> (List, usize) {
    match (list, shown) {
        (CountedIn::Input, _) => (List::Input, index),
        (CountedIn::Undone, _) => (List::Undone, index),
        (CountedIn::BridgedAndSeen, Ok(Shown::Fold(case))) => (List::Bridged, seen(case, index)),
        (CountedIn::Bridged | CountedIn::BridgedAndSeen, _) => (List::Bridged, index),
        (CountedIn::BridgedOutput, _) => (List::BridgedOutput, index),
        (CountedIn::Again, _) => (List::Again, index),
        (CountedIn::Output, _) => (List::Output, index),
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
fn in_stream(counted: StreamList, output: &Streamed, index: usize) -> (List, usize) {
    let slots = || output.slots.as_ref().map_or(&[][..], |slots| slots.elements());
    let yielded = |kinds: &[&str]| (List::Yielded, nth(output.events.elements(), kinds, index));
    match counted {
        StreamList::Lines => yielded(&["assistant"]),
        StreamList::Users => yielded(&["user"]),
        StreamList::Messages => yielded(&["assistant", "user"]),
        StreamList::LinesAndTombstones => yielded(&["assistant", "tombstone"]),
        StreamList::Yielded => yielded(&["assistant", "user", "tombstone"]),
        StreamList::Live => (List::Live, index),
        StreamList::Slots => (List::Slots, index),
        StreamList::Places => (List::Slots, nth(slots(), &["assistant", "user", "tombstone"], index)),
        StreamList::Wholes => (List::Wholes, index),
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
