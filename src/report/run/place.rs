//! Where a violation's *place* is to be seen: `messages.3` counts in one list or another, as its rule says.

use serde_json::Value;

use crate::operation::Accumulated;
use crate::rules::{Judge, Place, Rule, Violation};

use super::exhibit::Shown;

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
    /// What remains of it, places kept.
    Slots,
    /// The whole messages of its replies.
    Wholes,
    /// The log of a loop.
    Moments,
    /// Something to compare with; no place counts in it.
    Beside,
}

/// Where a violation is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// An element of a list, and a block of it.
    Element {
        /// The list.
        list: List,
        /// Which element.
        index: usize,
        /// Which block.
        block: Option<usize>,
    },
    /// Bytes of the file.
    Bytes {
        /// The first byte.
        start: usize,
        /// The byte after the last one.
        end: usize,
    },
    /// The record that begins at this byte, to the end of its line.
    Record(usize),
}

/// Where a violation is drawn in an answer; none where it is about the whole.
pub(super) fn target(rule: &Rule, violation: &Violation, shown: &Shown) -> Option<Target> {
    let wide = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    match violation.place {
        Place::Whole => None,
        Place::Bytes { start, end } => Some(Target::Bytes { start: wide(start), end: wide(end) }),
        Place::Record { start, .. } => Some(Target::Record(wide(start))),
        Place::Message { index, block } => {
            let (index, block) = (wide(index.into()), block.map(|block| wide(block.into())));
            let (list, index) = match (rule.judge, shown) {
                (Judge::Accumulate(_), Shown::Accumulated(case)) => in_stream(rule, violation, case, index),
                (Judge::Play(_), _) => (List::Moments, index),
                (Judge::NormalizeApi(_), _) => (of_request(rule, violation), index),
                _ => (List::Output, index),
            };
            Some(Target::Element { list, index, block })
        }
    }
}

/// What is lost of a request is told by its place in the input, what is wrong in it by its own.
fn of_request(rule: &Rule, violation: &Violation) -> List {
    match rule.id {
        "normalize/conserves" | "normalize/pure" | "normalize/incremental" => List::Input,
        "thinking/unmodified" if violation.found.ends_with("is lost") => List::Input,
        _ => List::Output,
    }
}

/// Rules on streams count the messages of blocks, or the events of a kind; this finds the element itself.
fn in_stream(rule: &Rule, violation: &Violation, case: &Accumulated, index: usize) -> (List, usize) {
    let found = violation.found.as_str();
    let Ok(output) = &case.output else { return (List::Yielded, index) };
    let nth = |values: &[Value], kinds: &[&str]| {
        let is_counted = |value: &Value| {
            let is_error = value.get("isApiErrorMessage") == Some(&Value::Bool(true));
            let kind = value.get("type").and_then(Value::as_str);
            kind.is_some_and(|kind| kinds.contains(&kind)) && !is_error
        };
        let mut counted = values.iter().enumerate().filter(|(_, value)| is_counted(value));
        // One that is missing is told by the last that is there.
        let place = counted.clone().nth(index).or_else(|| counted.next_back());
        place.map_or(index, |(place, _)| place)
    };
    let yielded = |kinds: &[&str]| (List::Yielded, nth(output.events.elements(), kinds));
    match rule.id {
        "stream/no-withdrawn-survivor" if found.starts_with("`slots`") => (List::Slots, index),
        "stream/no-withdrawn-survivor" => (List::Live, index),
        "stream/slots-stable" => {
            let slots = output.slots.as_ref().map_or(&[][..], |slots| slots.elements());
            (List::Slots, nth(slots, &["assistant", "user", "tombstone"]))
        }
        "stream/tombstones-exact" => yielded(&["assistant", "tombstone"]),
        "stream/accumulates" if found.contains("whole") => (List::Wholes, index),
        "stream/accumulates" if found.starts_with("the user message") => yielded(&["user"]),
        "stream/accumulates" if found.starts_with("there remain") => (List::Live, index),
        "stream/one-message-per-block" if found.contains("uuid") => {
            yielded(&["assistant", "user", "tombstone"])
        }
        "stream/one-message-per-block" if found.contains("and here") => yielded(&["assistant", "user"]),
        _ => yielded(&["assistant"]),
    }
}
