//! Unread faults in *folding* and bridging.

use std::collections::HashMap;

use turnproof::operation::Value;

use super::super::super::hidden::hide_member;
use super::super::super::walk::{blocks, each_of, kind, text};
use super::super::super::wrong::Wrong;
use super::{Unread, unread};

pub(super) const UNREAD: &[Unread] = &[
    unread(
        "fold/unread-third-every-name",
        "7.6: toolName holds the tools in the order in which they first come",
        "names the tool of each call in toolName, also when it was named before",
        Wrong::List(|asked, folded| {
            each_group(asked.messages, folded, |group| {
                let names: Vec<&str> = calls(group).map(|call| text(call, "name")).collect();
                group["toolName"] = names.join(", ").into();
            });
        }),
    ),
    unread(
        "fold/unread-third-id-of-the-last-call",
        "7.6: uuid and timestamp of a group are those of the first call",
        "gives a group the uuid of its last call",
        Wrong::List(|asked, folded| {
            each_group(asked.messages, folded, |group| {
                let calls = group["messages"].as_array().map_or(&[][..], Vec::as_slice);
                let last = calls.last().and_then(|call| call.get("uuid")).cloned();
                if let Some(last) = last {
                    group["uuid"] = last;
                }
            });
        }),
    ),
    unread(
        "fold/unread-third-results-by-call",
        "7.6: the calls and the results of each group keep their order",
        "sorts the results of a group by their calls",
        Wrong::List(|asked, folded| {
            each_group(asked.messages, folded, |group| {
                let places: HashMap<String, usize> =
                    calls(group).enumerate().map(|(place, call)| (text(call, "id").to_owned(), place)).collect();
                let place = |result: &Value| {
                    let id = blocks(result).first().map_or("", |block| text(block, "tool_use_id"));
                    places.get(id).copied().unwrap_or(usize::MAX)
                };
                if let Some(results) = group["results"].as_array_mut() {
                    results.sort_by_key(place);
                }
            });
        }),
    ),
    unread(
        "fold/unread-third-no-web-searches",
        "7.6: the tools that only read or search are Read, Grep, Glob, LS, NotebookRead, WebFetch and WebSearch",
        "collapses what reads files, and not what reads the web",
        Wrong::Hidden(|messages| {
            each_of(messages, "assistant", "tool_use", |call| {
                if matches!(text(call, "name"), "WebFetch" | "WebSearch") {
                    hide_member(call, "name");
                }
            });
        }),
    ),
    unread(
        "fold/unread-third-bridge-results-first",
        "7.6: in the place of a group stand its messages and then its results",
        "gives another UI the results of a group in front of its calls",
        Wrong::ToBridge(|messages| {
            for group in messages.iter_mut().filter(|message| kind(message) == "grouped_tool_use") {
                if group["messages"].is_array() && group["results"].is_array() {
                    let calls = group["messages"].take();
                    group["messages"] = group["results"].take();
                    group["results"] = calls;
                }
            }
        }),
    ),
    unread(
        "fold/unread-third-bridge-without-empty-groups",
        "7.6: a group that holds nothing goes over whole",
        "lets a group that holds nothing vanish on the bridge",
        Wrong::ToBridge(|messages| {
            let is_empty = |value: &Value| value.as_array().is_none_or(Vec::is_empty);
            messages.retain(|message| {
                kind(message) != "grouped_tool_use" || !is_empty(&message["messages"]) || !is_empty(&message["results"])
            });
        }),
    ),
];

/// Changes each group that the folding made.
fn each_group(given: &[Value], folded: &mut [Value], mut change: impl FnMut(&mut Value)) {
    let is_new = |message: &&mut Value| kind(message) == "grouped_tool_use" && !given.contains(*message);
    folded.iter_mut().filter(is_new).for_each(&mut change);
}

/// The calls of a group.
fn calls(group: &Value) -> impl Iterator<Item = &Value> {
    let messages = group["messages"].as_array().into_iter().flatten();
    messages.filter_map(|message| blocks(message).iter().find(|block| kind(block) == "tool_use"))
}
