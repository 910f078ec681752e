//! Unread faults in *foldings*: groups, their inverse, and the bridge.

use turnproof::operation::Value;
use turnproof_rules::json;

use super::{Unread, unread};
use crate::part::passes;
use crate::walk::{blocks, blocks_mut, is, is_of, kind, remove, text};
use crate::wrong::{Asked, Wrong};

/// The member with the order in which a group was folded: a letter for each call and each result.
const ORDER: &str = "foldedOrder";

pub(super) const UNREAD: &[Unread] = &[
    unread(
        "fold/unread-one-call-is-a-run",
        "7.6: each longest run of two or more calls",
        "folds a call that only reads or searches, though it stands alone",
        Wrong::List(|_, shown| {
            for message in shown {
                let tool = match blocks(message) {
                    [call] if is_of(message, "assistant") && kind(call) == "tool_use" => text(call, "name").to_owned(),
                    _ => continue,
                };
                let is_known = text(&blocks(message)[0], "id").is_empty();
                if is_known || !matches!(&*tool, "Read" | "Grep" | "Glob" | "LS") {
                    continue;
                }
                let mut group = json!({"type": "grouped_tool_use", "toolName": tool, "results": [], ORDER: "c"});
                for name in ["uuid", "timestamp"] {
                    if let Some(value) = message.get(name) {
                        group[name] = value.clone();
                    }
                }
                group["messages"] = json!([message.take()]);
                *message = group;
            }
        }),
    ),
    unread(
        "fold/unread-groups-across-replies",
        "7.6: grouping folds calls of one tool and one reply, that is of one message.id",
        "groups calls of one tool whatever reply they are of",
        Wrong::MessagesAndTurns(
            |messages| {
                let lines = messages.iter_mut().filter(|line| is_of(line, "assistant"));
                for body in lines.filter_map(|line| line.get_mut("message")) {
                    if !text(body, "id").is_empty() {
                        body["wasId"] = body["id"].take();
                        body["id"] = json!("msg_all");
                    }
                }
            },
            |_, shown| {
                each_inside(shown, |line| {
                    if let Some(id) = line.pointer_mut("/message/wasId").map(Value::take) {
                        line["message"]["id"] = id;
                        remove(&mut line["message"], "wasId");
                    }
                })
            },
        ),
    ),
    unread(
        "fold/unread-results-stay-outside",
        "7.6: a run also takes the results of its own calls, among and right behind the calls",
        "folds the calls of a run, and leaves their results behind the group",
        Wrong::List(|_, shown| {
            for mut message in std::mem::take(shown) {
                let mut results = Vec::new();
                if is_folded(&message) {
                    results = message
                        .get_mut("results")
                        .and_then(Value::as_array_mut)
                        .map(std::mem::take)
                        .unwrap_or_default();
                    message[ORDER] = text(&message, ORDER).replace('r', "").into();
                }
                shown.push(message);
                shown.append(&mut results);
            }
        }),
    ),
    unread(
        "fold/unread-last-result-is-not-taken",
        "7.6: a run also takes the results of its own calls, among and right behind the calls",
        "ends a run with its last call, so that results right behind it stay outside",
        Wrong::List(|_, shown| {
            for mut message in std::mem::take(shown) {
                let mut behind = Vec::new();
                if is_folded(&message) {
                    let order = text(&message, ORDER).to_owned();
                    let kept = order.trim_end_matches('r');
                    if let Some(results) = message.get_mut("results").and_then(Value::as_array_mut) {
                        behind = results.split_off(results.len().saturating_sub(order.len() - kept.len()));
                    }
                    message[ORDER] = kept.into();
                }
                shown.push(message);
                shown.append(&mut behind);
            }
        }),
    ),
    unread(
        "fold/unread-an-id-of-its-own",
        "7.6: uuid and timestamp are those of the first call",
        "gives a group an id that is made of that of its first call",
        Wrong::List(|_, shown| {
            for group in shown.iter_mut().filter(|message| is_folded(message)) {
                if let Some(id) = group["uuid"].as_str() {
                    group["uuid"] = json!(format!("grouped-{id}"));
                }
            }
        }),
    ),
    unread(
        "fold/unread-a-name-a-call",
        "7.6: toolName holds the tools in the order in which they first come",
        "names a tool once for each of its calls",
        Wrong::List(|_, shown| {
            for group in shown.iter_mut().filter(|message| is_folded(message)) {
                let calls = group["messages"].as_array().into_iter().flatten();
                let names: Vec<&str> = calls.flat_map(blocks).map(|call| text(call, "name")).collect();
                group["toolName"] = names.join(", ").into();
            }
        }),
    ),
    unread(
        "fold/unread-hooks-inside-runs",
        "7.6: anything else ends a run: a hook, a text, the result of another call",
        "passes over the hooks between two calls of one tool, and shows them behind the group",
        Wrong::Messages(|messages| {
            let call = |message: &Value| match blocks(message) {
                [call] if is_of(message, "assistant") && kind(call) == "tool_use" => Some(call["name"].clone()),
                _ => None,
            };
            let is_hook = |message: &Value| {
                kind(message) == "hook_result"
                    || message.get("attachment").is_some_and(|of| kind(of).starts_with("hook_"))
            };
            for at in 2..messages.len() {
                let [before, hook, after] = &messages[at - 2..=at] else { continue };
                if is_hook(hook) && call(before).is_some() && call(before) == call(after) {
                    messages.swap(at - 1, at);
                }
            }
        }),
    ),
    unread(
        "fold/unread-files-alone-are-read",
        "7.6: the tools are Read, Grep, Glob, LS, NotebookRead, WebFetch and WebSearch",
        "does not collapse calls that read the web or a notebook",
        Wrong::MessagesAndTurns(
            |messages| {
                each_inside(messages, |line| {
                    rename(line, |name| match name {
                        "NotebookRead" | "WebFetch" | "WebSearch" => format!("{name}\u{1}"),
                        _ => name.to_owned(),
                    })
                })
            },
            |_, shown| {
                for group in shown.iter_mut().filter(|message| is_folded(message)) {
                    group["toolName"] = text(group, "toolName").replace('\u{1}', "").into();
                }
                each_inside(shown, |line| rename(line, |name| name.replace('\u{1}', "")));
            },
        ),
    ),
    unread(
        "fold/unread-unfolds-calls-first",
        "7.6: each folding has an inverse, which gives back exactly the list that went in",
        "unfolds a group to its calls and then its results",
        Wrong::ToUnfold(|messages| {
            for group in messages.iter_mut().filter(|message| is_folded(message)) {
                let mut order: Vec<char> = text(group, ORDER).chars().collect();
                order.sort_unstable();
                group[ORDER] = order.into_iter().collect::<String>().into();
            }
        }),
    ),
    unread(
        "fold/unread-unfolds-all-at-once",
        "7.6: the inverse takes back one folding at a time",
        "takes back all foldings at once",
        Wrong::ToUnfold(|messages| {
            for group in messages.iter_mut().filter(|message| kind(message) == "grouped_tool_use") {
                if let Some(order) = group.get(ORDER).and_then(Value::as_str) {
                    group[ORDER] = order.trim_start_matches('_').into();
                }
            }
        }),
    ),
    unread(
        "fold/unread-unfolding-loses-results",
        "7.6: the inverse gives back exactly the list that went in",
        "drops the results of a group when it unfolds one",
        Wrong::ToUnfold(|messages| {
            for group in messages.iter_mut().filter(|message| is_folded(message)) {
                group["results"] = json!([]);
                group[ORDER] = text(group, ORDER).replace('r', "").into();
            }
        }),
    ),
    unread(
        "fold/unread-meta-in-groups-goes-over",
        "7.6: no message with isMeta goes over; the members of a group are treated alike",
        "looks for meta messages in the list, and not in its groups",
        Wrong::Bridged(|asked, view| bridge(asked, view, unfolded)),
    ),
    unread(
        "fold/unread-groups-in-groups-stay",
        "7.6: in the place of a group stand its messages and its results; these are treated alike",
        "carries a group that stands in another group over whole",
        Wrong::Bridged(|asked, view| {
            bridge(asked, view, |member| if is(member, "isMeta") { vec![] } else { vec![member.clone()] });
        }),
    ),
    unread(
        "fold/unread-bridge-pairs-up",
        "7.6: in the place of a group stand its messages and then its results",
        "puts each result of a group right behind its call",
        Wrong::Bridged(|asked, view| {
            let groups = asked.messages.iter().filter(|message| kind(message) == "grouped_tool_use");
            let folded: Vec<Value> = groups.flat_map(unfolded).collect();
            let mut at = 0;
            while at < view.len() {
                if !folded.contains(&view[at]) {
                    at += 1;
                    continue;
                }
                let id =
                    blocks(&view[at]).first().map(|block| text(block, "tool_use_id").to_owned()).unwrap_or_default();
                let is_call = |message: &Value| blocks(message).first().is_some_and(|block| text(block, "id") == id);
                let call = view[..at].iter().rposition(is_call).filter(|_| !id.is_empty());
                let is_run = |call: usize| {
                    view[call + 1..at].iter().all(|message| {
                        blocks(message).first().is_some_and(|block| matches!(kind(block), "tool_use" | "tool_result"))
                    })
                };
                if let Some(call) = call.filter(|call| is_run(*call)) {
                    view[call + 1..=at].rotate_right(1);
                }
                at += 1;
            }
        }),
    ),
    unread(
        "fold/unread-bridge-carries-talk-alone",
        "7.6: all other messages go over as they are, in order",
        "carries prompts and replies over, and no notices or attachments",
        Wrong::Bridged(|_, view| view.retain(|message| !matches!(kind(message), "system" | "attachment"))),
    ),
    unread(
        "fold/unread-bridge-hides-what-is-virtual",
        "7.6: all other messages than those with isMeta go over as they are",
        "hides messages that are virtual or for the transcript alone, too",
        Wrong::Bridged(|_, view| {
            view.retain(|message| !is(message, "isVirtual") && !is(message, "isVisibleInTranscriptOnly"));
        }),
    ),
    unread(
        "fold/unread-damaged-groups-lose-members",
        "7.6: a group that holds anything that is no message goes over whole",
        "carries the sound members of a damaged group over, and drops the rest",
        Wrong::ToBridge(|messages| {
            for group in messages.iter_mut().filter(|message| kind(message) == "grouped_tool_use") {
                for name in ["messages", "results"] {
                    if let Some(list) = group.get_mut(name).and_then(Value::as_array_mut) {
                        list.retain(|member| member.get("type").is_some_and(Value::is_string));
                    }
                }
            }
        }),
    ),
];

/// Whether a message is a group that was folded here and last.
fn is_folded(message: &Value) -> bool {
    kind(message) == "grouped_tool_use" && matches!(text(message, ORDER).chars().next(), Some('c' | 'r'))
}

/// Changes each message, those in groups too.
fn each_inside(messages: &mut [Value], change: fn(&mut Value)) {
    for message in messages {
        change(message);
        for name in ["messages", "results"] {
            if let Some(members) = message.get_mut(name).and_then(Value::as_array_mut) {
                each_inside(members, change);
            }
        }
    }
}

/// Changes the names of the tools that a message calls.
fn rename(message: &mut Value, change: fn(&str) -> String) {
    for call in blocks_mut(message).into_iter().flatten().filter(|block| kind(block) == "tool_use") {
        if let Some(name) = call.get("name").and_then(Value::as_str).map(change) {
            call["name"] = name.into();
        }
    }
}

/// What goes over a bridge when the members of groups do so by `carry`.
fn bridge(asked: &Asked<'_>, view: &mut Vec<Value>, carry: fn(&Value) -> Vec<Value>) {
    if asked.messages.iter().any(|message| kind(message) == "grouped_tool_use") {
        let given = asked.messages.iter().filter(|message| !is(message, "isMeta") && !passes(message));
        let over = |message: &Value| match members(message) {
            Some(members) => members.iter().flat_map(carry).collect(),
            None => vec![message.clone()],
        };
        *view = given.flat_map(over).collect();
    }
}

/// A message; in the place of a group its members, and theirs.
fn unfolded(message: &Value) -> Vec<Value> {
    match members(message) {
        Some(members) => members.iter().flat_map(unfolded).collect(),
        None => vec![message.clone()],
    }
}

/// The members of a sound group.
fn members(message: &Value) -> Option<Vec<Value>> {
    let list = |name: &str| message.get(name).and_then(Value::as_array).cloned().unwrap_or_default();
    let members: Vec<Value> = list("messages").into_iter().chain(list("results")).collect();
    let is_sound = !members.is_empty() && members.iter().all(|member| !kind(member).is_empty());
    (kind(message) == "grouped_tool_use" && is_sound).then(|| in_order(message, members))
}

/// The members of a group in the order in which they were folded, if it says so.
fn in_order(group: &Value, members: Vec<Value>) -> Vec<Value> {
    let order = text(group, ORDER).trim_start_matches('_');
    let calls = order.matches('c').count();
    let count = |name: &str| group.get(name).and_then(Value::as_array).map_or(0, Vec::len);
    if calls != count("messages") || order.matches('r').count() != count("results") || order.len() != members.len() {
        return members;
    }
    let (mut calls, mut results) = (members[..calls].iter(), members[calls..].iter());
    order.chars().filter_map(|mark| if mark == 'c' { calls.next() } else { results.next() }).cloned().collect()
}
