//! Unread faults in the *order* of what a UI shows.

use std::collections::HashSet;

use turnproof::operation::Value;

use super::super::super::hidden::{hide_member, hide_type};
use super::super::super::walk::{blocks, blocks_mut, is_of, kind, text};
use super::super::super::wrong::Wrong;
use super::{Unread, unread};

pub(super) const UNREAD: &[Unread] = &[
    unread(
        "reorder_ui/unread-third-no-hooks-of-failures",
        "7.5: PostToolUse or PostToolUseFailure is a hook that ran after the call",
        "leaves the hooks of a call that failed where they stand",
        Wrong::Hidden(|messages| {
            for hook in messages.iter_mut().filter_map(hook_mut) {
                if text(hook, "hookEvent") == "PostToolUseFailure" {
                    hide_member(hook, "hookEvent");
                }
            }
        }),
    ),
    unread(
        "reorder_ui/unread-third-results-behind-hooks",
        "7.5: a call is followed by all hooks that ran before it, then its results, then all hooks that ran after it",
        "puts the results of a call behind all its hooks",
        Wrong::List(|_, shown| {
            let mut start = 0;
            while start < shown.len() {
                let Some(id) = call_id(&shown[start]).map(str::to_owned) else {
                    start += 1;
                    continue;
                };
                let is_told = |message: &&Value| result_id(message) == Some(&*id) || hook_id(message) == Some(&*id);
                let told = shown[start + 1..].iter().take_while(is_told).count();
                shown[start + 1..=start + told].sort_by_key(|message| result_id(message).is_some());
                start += told + 1;
            }
        }),
    ),
    unread(
        "reorder_ui/unread-third-first-call-of-an-id",
        "7.5: a result comes to the last call before it with its id",
        "takes every result to the first call with its id",
        Wrong::Hidden(|messages| {
            let mut seen = HashSet::new();
            for message in messages {
                let Some(id) = call_id(message).map(str::to_owned) else { continue };
                if !seen.insert(id)
                    && let Some(call) = blocks_mut(message).and_then(|blocks| blocks.first_mut())
                {
                    hide_member(call, "id");
                }
            }
        }),
    ),
    unread(
        "reorder_ui/unread-third-early-results-stay",
        "7.5: a result comes to the last call before it with its id, or else to the first one",
        "leaves a result where it stands when its call comes later",
        Wrong::Hidden(|messages| {
            let mut seen = HashSet::new();
            for message in messages {
                seen.extend(call_id(message).map(str::to_owned));
                if result_id(message).is_some_and(|id| !seen.contains(id))
                    && let Some(result) = blocks_mut(message).and_then(|blocks| blocks.first_mut())
                {
                    hide_type(result);
                }
            }
        }),
    ),
];

/// Where a hook says its event and its call.
fn hook_mut(message: &mut Value) -> Option<&mut Value> {
    match kind(message) {
        "attachment" => message.get_mut("attachment"),
        "progress" => message.get_mut("data"),
        "hook_result" => Some(message),
        _ => None,
    }
}

/// The call that a hook names.
fn hook_id(message: &Value) -> Option<&str> {
    let of_attachment = message.get("attachment").and_then(|attachment| attachment.get("toolUseID"));
    let own = || message.get("toolUseID").filter(|_| matches!(kind(message), "hook_result" | "progress"));
    of_attachment.or_else(own)?.as_str()
}

/// The id of a message that is a call.
fn call_id(message: &Value) -> Option<&str> {
    let [block] = blocks(message) else { return None };
    let id = Some(text(block, "id")).filter(|id| !id.is_empty())?;
    (is_of(message, "assistant") && kind(block) == "tool_use").then_some(id)
}

/// The id of the call of a message that is a result.
fn result_id(message: &Value) -> Option<&str> {
    let [block] = blocks(message) else { return None };
    let id = Some(text(block, "tool_use_id")).filter(|id| !id.is_empty())?;
    (is_of(message, "user") && kind(block) == "tool_result").then_some(id)
}
