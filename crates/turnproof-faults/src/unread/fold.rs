//! Unread faults in *folding* runs of calls, and in carrying them over a bridge.

use turnproof::operation::Value;

use super::super::walk::{kind, text};
use super::super::wrong::Wrong;
use super::{Unread, unread};

pub(super) const UNREAD: &[Unread] = &[
    unread(
        "fold/unread-collapses-one-tool",
        "7.6: collapsing folds calls that only read or search, of whatever tool",
        "ends a run of reading calls where the tool changes",
        Wrong::List(|_, folded| {
            let listed = std::mem::take(folded);
            for message in listed {
                if is_group(&message) && text(&message, "toolName").contains(", ") {
                    for name in ["messages", "results"] {
                        folded.extend(message.get(name).and_then(Value::as_array).into_iter().flatten().cloned());
                    }
                } else {
                    folded.push(message);
                }
            }
        }),
    ),
    unread(
        "fold/unread-time-of-the-last-call",
        "7.6: uuid and timestamp are those of the first call",
        "gives a group the time of its last call",
        Wrong::List(|_, folded| {
            for group in folded.iter_mut().filter(|message| is_group(message)) {
                let last =
                    group["messages"].as_array().and_then(|calls| calls.last()).map(|call| call["timestamp"].clone());
                group["timestamp"] = last.unwrap_or_default();
            }
        }),
    ),
    unread(
        "fold/unread-tools-by-the-alphabet",
        "7.6: toolName holds the tools in the order in which they first come",
        "names the tools of a group in the order of the alphabet",
        Wrong::List(|_, folded| {
            for group in folded.iter_mut().filter(|message| is_group(message)) {
                let mut tools: Vec<&str> = text(group, "toolName").split(", ").collect();
                tools.sort_unstable();
                group["toolName"] = tools.join(", ").into();
            }
        }),
    ),
    unread(
        "fold/unread-others-groups-are-unfolded",
        "7.6: groups that others made stay",
        "takes back groups that it finds inside groups, and those of others too",
        Wrong::Unfolded(|messages| {
            let listed = std::mem::take(messages);
            for message in listed {
                match message.get("messages").and_then(Value::as_array).filter(|_| is_group(&message)) {
                    Some(calls) => {
                        let results = message.get("results").and_then(Value::as_array).into_iter().flatten();
                        messages.extend(calls.iter().chain(results).cloned());
                    }
                    None => messages.push(message),
                }
            }
        }),
    ),
    unread(
        "fold/unread-empty-groups-stay-behind",
        "7.6: a group that holds nothing goes over whole",
        "carries no group over that holds nothing",
        Wrong::ToBridge(|messages| {
            let is_empty = |group: &Value| group["messages"].as_array().is_none_or(Vec::is_empty);
            messages.retain(|message| !is_group(message) || !is_empty(message));
        }),
    ),
];

fn is_group(message: &Value) -> bool {
    kind(message) == "grouped_tool_use"
}
