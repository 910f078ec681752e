//! *Moments* of a loop's log, looked at and changed.

use std::collections::HashSet;

use turnproof::operation::Value;
use turnproof::operation::{Moment, Played};

use super::super::log::change_written;
use super::super::walk::{content_mut, kind, text, words};

/// What the result of an interrupted call says.
const FOR_TOOL_USE: &str = "[Request interrupted by user for tool use]";

pub(super) fn is_interrupted(block: &Value) -> bool {
    kind(block) == "tool_result" && text(block, "content") == FOR_TOOL_USE
}

pub(super) fn is_notice(message: &Value) -> bool {
    kind(message) == "user" && words(message).any(|said| said.starts_with("[Request interrupted by user"))
}

/// Whether a moment yields a message for which this holds.
pub(super) fn is_yielded(moment: &Moment, is_so: impl Fn(&Value) -> bool) -> bool {
    matches!(moment, Moment::Yielded(message) if is_so(&message.value))
}

/// Whether a result holds a few words alone.
pub(super) fn is_short(block: &Value) -> bool {
    block["content"].to_string().len() < 60
}

/// The calls whose results were cleared.
pub(super) fn cleared(played: &Played) -> HashSet<String> {
    let mut ids = HashSet::new();
    for moment in &played.moments {
        if let Moment::Yielded(event) = moment
            && let Some(cleared) =
                event.value.pointer("/microcompactMetadata/compactedToolIds").and_then(Value::as_array)
        {
            ids.extend(cleared.iter().filter_map(Value::as_str).map(str::to_owned));
        }
    }
    ids
}

pub(super) fn each_text(message: &mut Value, change: impl Fn(&str) -> String) {
    match content_mut(message) {
        Some(Value::String(said)) => *said = change(said).into(),
        Some(Value::Array(blocks)) => {
            for block in blocks.iter_mut().filter(|block| kind(block) == "text") {
                block["text"] = change(text(block, "text")).into();
            }
        }
        _ => {}
    }
}

/// Changes the turns of each request.
pub(super) fn for_turns(played: &mut Played, change: impl Fn(&mut Vec<Value>)) {
    for moment in &mut played.moments {
        if let Moment::Requested { turns, .. } = moment {
            turns.value.as_array_mut().into_iter().for_each(&change);
        }
    }
}

/// Changes each list of messages in the log.
pub(super) fn in_lists(played: &mut Played, change: impl Fn(&mut Vec<Value>)) {
    for moment in &mut played.moments {
        let (Moment::Requested { messages: list, .. }
        | Moment::Compacted(list)
        | Moment::Resumed(list)
        | Moment::Forked(list)) = moment
        else {
            continue;
        };
        list.value.as_array_mut().into_iter().for_each(&change);
    }
}

/// Changes each message wherever it stands: yielded, in lists, on disk.
pub(super) fn everywhere(played: &mut Played, change: impl Fn(&mut Value)) {
    for moment in &mut played.moments {
        if let Moment::Yielded(message) | Moment::Amended(message) = moment {
            change(&mut message.value);
        }
    }
    in_lists(played, |list| list.iter_mut().for_each(&change));
    change_written(&mut played.moments, &mut played.transcript, |records| records.iter_mut().for_each(&change));
}
