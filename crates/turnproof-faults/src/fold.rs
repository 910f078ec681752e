//! Faults in *folding*: groups lose, misplace or misname what they hold, or cannot be undone; and faults of a bridge.

use std::mem;

use turnproof_rules::json;
use turnproof_rules::operation::Value;

use super::part::passes;
use super::stable::tick;
use super::walk::{blocks, is, kind, remove, text};
use super::{Fault, Wrong, fault};

pub(super) const FAULTS: &[Fault] = &[
    fault("fold/keeps-the-first-result", "fold/nothing-lost")
        .that("keeps one result in each group")
        .by(Wrong::List(|_, shown| each_list(shown, "results", |results| results.truncate(1)))),
    fault("fold/forgets-the-last-call", "fold/nothing-lost")
        .that("puts a call into the group when the next one comes, and so never the last one")
        .by(Wrong::List(|_, shown| each_list(shown, "messages", |calls| drop(calls.pop())))),
    fault("fold/shows-calls-twice", "fold/nothing-lost").that("shows the first call before its group as well").by(
        Wrong::List(|_, shown| {
            for message in mem::take(shown) {
                let first = own(&message).then(|| message["messages"].get(0).cloned()).flatten();
                shown.extend(first);
                shown.push(message);
            }
        }),
    ),
    fault("fold/shows-what-passes-by", "fold/nothing-lost")
        .that("shows tombstones and stream events")
        .by(Wrong::List(|asked, shown| shown.extend(asked.messages.iter().filter(|message| passes(message)).cloned()))),
    fault("fold/drops-groups-of-others", "fold/nothing-lost")
        .that("drops groups that were in the list before")
        .by(Wrong::List(|_, shown| shown.retain(|message| kind(message) != "grouped_tool_use" || own(message)))),
    fault("fold/folds-single-calls", "fold/runs").that("makes a group of a call that is alone").by(Wrong::List(
        |_, shown| {
            for message in shown.iter_mut().filter(|message| call(message).is_some()) {
                *message = group(vec![message.take()], Vec::new());
            }
        },
    )),
    fault("fold/leaves-results-outside", "fold/runs")
        .that("folds calls, and leaves their results behind the group")
        .by(Wrong::List(|_, shown| {
            for mut message in mem::take(shown) {
                let results = if own(&message) { message["results"].take() } else { Value::Null };
                if own(&message) {
                    message["results"] = json!([]);
                }
                shown.push(message);
                shown.extend(results.as_array().cloned().unwrap_or_default());
            }
        })),
    fault("fold/takes-results-of-others", "fold/runs")
        .that("takes any result right behind a group, also that of another call")
        .by(Wrong::List(|_, shown| {
            for message in mem::take(shown) {
                match shown.last_mut().filter(|last| own(last) && is_result(&message)) {
                    Some(last) => {
                        last["results"].as_array_mut().into_iter().for_each(|list| list.push(message.clone()))
                    }
                    None => shown.push(message),
                }
            }
        })),
    fault("fold/two-calls-are-too-few", "fold/runs").that("folds runs of three calls or more").by(Wrong::List(
        |_, shown| {
            for message in mem::take(shown) {
                match own(&message) && message["messages"].as_array().is_some_and(|calls| calls.len() == 2) {
                    true => shown.extend(members(&message)),
                    false => shown.push(message),
                }
            }
        },
    )),
    fault("fold/newest-call-first", "fold/in-order")
        .that("puts each new call in front of its group")
        .by(Wrong::List(|_, shown| each_list(shown, "messages", |calls| calls.reverse()))),
    fault("fold/results-as-they-came-last", "fold/in-order")
        .that("puts each new result in front of the others of its group")
        .by(Wrong::List(|_, shown| each_list(shown, "results", |results| results.reverse()))),
    fault("fold/groups-at-the-end", "fold/in-order")
        .that("shows groups behind everything else")
        .by(Wrong::List(|_, shown| shown.sort_by_key(own))),
    fault("fold/names-one-tool", "fold/named").that("calls a group of several tools by the first one").by(Wrong::List(
        |_, shown| {
            for group in shown.iter_mut().filter(|message| own(message)) {
                let first = text(group, "toolName").split(", ").next().unwrap_or_default().to_owned();
                group["toolName"] = Value::from(first);
            }
        },
    )),
    fault("fold/id-of-the-last-call", "fold/named").that("gives a group the id of its last call").by(Wrong::List(
        |_, shown| {
            for group in shown.iter_mut().filter(|message| own(message)) {
                let last = group["messages"].as_array().and_then(|calls| calls.last()).map(|call| call["uuid"].clone());
                group["uuid"] = last.unwrap_or_default();
            }
        },
    )),
    fault("fold/groups-without-a-time", "fold/named").that("gives a group no time").by(Wrong::List(|_, shown| {
        shown.iter_mut().filter(|message| own(message)).for_each(|group| remove(group, "timestamp"));
    })),
    fault("fold/forgets-what-it-folded", "fold/inverse")
        .that("takes its own groups for those of others when it unfolds")
        .by(Wrong::ToUnfold(|messages| messages.iter_mut().for_each(|message| remove(message, ORDER)))),
    fault("fold/unfolds-calls-first", "fold/inverse")
        .that("unfolds a group to its calls and then its results, whatever stood between them")
        .by(Wrong::ToUnfold(|messages| {
            for message in mem::take(messages) {
                match own(&message) {
                    true => messages.extend(members(&message)),
                    false => messages.push(message),
                }
            }
        })),
    fault("fold/unfolds-groups-of-others", "fold/inverse").that("unfolds groups that were in the list before").by(
        Wrong::Unfolded(|messages| {
            for message in mem::take(messages) {
                match kind(&message) == "grouped_tool_use" && members(&message).next().is_some() {
                    true => messages.extend(members(&message)),
                    false => messages.push(message),
                }
            }
        }),
    ),
    fault("fold/unfolds-foldings-of-foldings", "fold/inverse")
        .that("takes all foldings back at once, also those that were there before the last one")
        .by(Wrong::ToUnfold(|messages| {
            for group in messages.iter_mut().filter(|message| kind(message) == "grouped_tool_use") {
                if let Some(order) = group.get(ORDER).and_then(Value::as_str).map(|order| order.replace('_', "")) {
                    group[ORDER] = order.into();
                }
            }
        })),
    fault("fold/bridge-shows-meta", "fold/bridge-hides-meta").that("carries meta messages over the bridge").by(
        Wrong::Bridged(|asked, shown| shown.extend(asked.messages.iter().filter(|one| is(one, "isMeta")).cloned())),
    ),
    fault("fold/bridge-shows-meta-in-groups", "fold/bridge-hides-meta")
        .that("drops meta messages first, and unfolds groups after that")
        .by(Wrong::Bridged(|asked, shown| {
            let groups = asked.messages.iter().filter(|one| kind(one) == "grouped_tool_use" && !is(one, "isMeta"));
            shown.extend(groups.flat_map(members).filter(|member| is(member, "isMeta")));
        })),
    fault("fold/bridge-drops-notices", "fold/bridge-conserves")
        .that("carries over what users and assistants say, and nothing else")
        .by(Wrong::Bridged(|_, shown| shown.retain(|message| matches!(kind(message), "user" | "assistant")))),
    fault("fold/bridge-drops-groups", "fold/bridge-conserves")
        .that("drops groups in place of unfolding them")
        .by(Wrong::ToBridge(|messages| messages.retain(|message| kind(message) != "grouped_tool_use"))),
    fault("fold/bridge-drops-empty-groups", "fold/bridge-conserves").that("drops a group that holds nothing").by(
        Wrong::Bridged(|_, shown| {
            shown.retain(|message| kind(message) != "grouped_tool_use" || members(message).next().is_some());
        }),
    ),
    fault("fold/bridge-unfolds-calls-first", "fold/bridge-unfolds")
        .that("carries a group's calls over and then its results, also where it knows their order")
        .by(Wrong::ToBridge(|messages| messages.iter_mut().for_each(|message| remove(message, ORDER)))),
    fault("fold/bridge-carries-groups", "fold/bridge-unfolds").that("carries its own groups over as they are").by(
        Wrong::Bridged(|asked, shown| {
            if asked.messages.iter().any(own) {
                *shown = asked.messages.iter().filter(|message| !is(message, "isMeta")).cloned().collect();
            }
        }),
    ),
    fault("fold/bridge-carries-groups-of-several-tools", "fold/bridge-unfolds")
        .that("carries groups of calls that only read or search over as they are, if they are of several tools")
        .by(Wrong::Bridged(|asked, shown| {
            let is_mixed = |message: &Value| own(message) && text(message, "toolName").contains(", ");
            if asked.messages.iter().any(is_mixed) {
                *shown = asked.messages.iter().filter(|message| !is(message, "isMeta")).cloned().collect();
            }
        })),
    fault("fold/fresh-notes", "fold/deterministic").that("writes the time of folding into each group").by(Wrong::List(
        |_, shown| {
            for group in shown.iter_mut().filter(|message| own(message)) {
                group["foldedAt"] = Value::from(tick());
            }
        },
    )),
    fault("fold/time-of-the-last-call", "fold/named").that("gives a group the time of its last call").by(Wrong::List(
        |_, folded| {
            for group in folded.iter_mut().filter(|message| own(message)) {
                let last =
                    group["messages"].as_array().and_then(|calls| calls.last()).map(|call| call["timestamp"].clone());
                group["timestamp"] = last.unwrap_or_default();
            }
        },
    )),
    fault("fold/unfolding-loses-results", "fold/inverse").that("drops the results of a group when it unfolds one").by(
        Wrong::ToUnfold(|messages| {
            for group in messages.iter_mut().filter(|message| own(message)) {
                group["results"] = json!([]);
                group[ORDER] = text(group, ORDER).replace('r', "").into();
            }
        }),
    ),
];

/// Where the reference notes in which order the members of a group stood.
const ORDER: &str = "foldedOrder";

/// Whether it is a group that the reference made.
fn own(message: &Value) -> bool {
    text(message, ORDER).starts_with('c')
}

/// The calls of a group, and then its results.
fn members(group: &Value) -> impl Iterator<Item = Value> {
    let lists = ["messages", "results"].map(|name| group[name].as_array().cloned().unwrap_or_default());
    lists.into_iter().flatten()
}

fn group(calls: Vec<Value>, results: Vec<Value>) -> Value {
    let first = calls.first().cloned().unwrap_or_default();
    let mut group = json!({"type": "grouped_tool_use", "toolName": "", "messages": calls, "results": results});
    for name in ["uuid", "timestamp"] {
        if let Some(value) = first.get(name) {
            group[name] = value.clone();
        }
    }
    group
}

/// Changes a list of each group that the reference made.
fn each_list(shown: &mut [Value], name: &str, change: fn(&mut Vec<Value>)) {
    let groups = shown.iter_mut().filter(|message| own(message));
    groups.filter_map(|group| group.get_mut(name)?.as_array_mut()).for_each(change);
}

fn call(message: &Value) -> Option<&str> {
    match blocks(message) {
        [block] if kind(message) == "assistant" && kind(block) == "tool_use" => block.get("id")?.as_str(),
        _ => None,
    }
}

fn is_result(message: &Value) -> bool {
    let is_one = |block: &Value| kind(block) == "tool_result" && block["tool_use_id"].is_string();
    matches!(blocks(message), [block] if kind(message) == "user" && is_one(block))
}
