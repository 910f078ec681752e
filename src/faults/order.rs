//! Faults in the *order* in which a UI shows messages.

use std::collections::HashSet;

use serde_json::Value;

use super::part::passes;
use super::spoil::{Asked, Spoil};
use super::stable::is_second_time;
use super::walk::{blocks, kind, text};
use super::{Fault, Wrong};

/// The faults of `reorder_ui`.
pub(super) const FAULTS: &[Fault] = &[
    Fault {
        id: "reorder_ui/drops-orphans",
        title: "gathers results and hooks by their call, and gives out those of known calls only",
        source: None,
        rule: "ui/permutation",
        wrong: output(|_, shown| {
            let made = made(&shown);
            shown
                .into_iter()
                .filter(|message| follower(message).is_none_or(|(_, id)| made.contains(id)))
                .collect()
        }),
    },
    Fault {
        id: "reorder_ui/doubles-hooks",
        title: "shows a hook with its call and again where it stood",
        source: None,
        rule: "ui/permutation",
        wrong: output(|asked, mut shown| {
            let made = made(&shown);
            let is_hook = |message: &&Value| {
                follower(message).is_some_and(|(moment, id)| moment != Moment::Result && made.contains(id))
            };
            shown.extend(asked.messages.iter().filter(is_hook).cloned().collect::<Vec<_>>());
            shown
        }),
    },
    Fault {
        id: "reorder_ui/overwrites-results",
        title: "keeps one result for each call, the last",
        source: None,
        rule: "ui/permutation",
        wrong: output(|_, mut shown| {
            let mut seen = HashSet::new();
            shown.reverse();
            shown.retain(|message| match follower(message) {
                Some((Moment::Result, id)) => seen.insert(id.to_owned()),
                _ => true,
            });
            shown.reverse();
            shown
        }),
    },
    Fault {
        id: "reorder_ui/drops-repeated-calls",
        title: "takes a call whose id was seen before for the same one",
        source: None,
        rule: "ui/permutation",
        wrong: output(|_, mut shown| {
            let mut seen = HashSet::new();
            shown.retain(|message| call(message).is_none_or(|id| seen.insert(id.to_owned())));
            shown
        }),
    },
    Fault {
        id: "reorder_ui/shows-what-passes-by",
        title: "hands on tombstones and stream events",
        source: None,
        rule: "ui/permutation",
        wrong: output(|asked, mut shown| {
            shown.extend(asked.messages.iter().filter(|message| passes(message)).cloned());
            shown
        }),
    },
    Fault {
        id: "reorder_ui/loses-flags",
        title: "makes new messages of those that it moves, without their times",
        source: None,
        rule: "ui/permutation",
        wrong: output(|_, mut shown| {
            let followers = shown.iter_mut().filter(|message| follower(message).is_some());
            followers.filter_map(Value::as_object_mut).for_each(|members| drop(members.remove("timestamp")));
            shown
        }),
    },
    Fault {
        id: "reorder_ui/leaves-results-in-place",
        title: "shows messages by their time, results of parallel calls behind all calls",
        source: None,
        rule: "ui/tool-story",
        wrong: output(|asked, _| asked.messages.iter().filter(|message| !passes(message)).cloned().collect()),
    },
    Fault {
        id: "reorder_ui/results-before-hooks",
        title: "shows a call's results first, then all its hooks",
        source: None,
        rule: "ui/tool-story",
        wrong: output(|_, shown| told(shown, |moment| u8::from(moment != Moment::Result))),
    },
    Fault {
        id: "reorder_ui/hooks-before-results",
        title: "shows all hooks of a call before its results",
        source: None,
        rule: "ui/tool-story",
        wrong: output(|_, shown| told(shown, |moment| u8::from(moment == Moment::Result))),
    },
    Fault {
        id: "reorder_ui/groups-at-the-last-call",
        title: "takes the last call with an id for the one that results belong to",
        source: None,
        rule: "ui/tool-story",
        wrong: output(|_, shown| {
            let mut grouped = Vec::new();
            let mut rest = shown.as_slice();
            let mut waiting: Vec<(&str, &[Value])> = Vec::new();
            while let Some((message, after)) = rest.split_first() {
                grouped.push(message.clone());
                rest = after;
                let Some(id) = call(message) else { continue };
                let (own, others) = after.split_at(followers(id, after));
                rest = others;
                waiting.push((id, own));
                if !others.iter().any(|other| call(other) == Some(id)) {
                    let all = waiting.iter().filter(|(of, _)| *of == id).flat_map(|(_, own)| own.iter());
                    grouped.extend(all.cloned());
                    waiting.retain(|(of, _)| *of != id);
                }
            }
            grouped
        }),
    },
    Fault {
        id: "reorder_ui/failed-hooks-stay",
        title: "knows hooks after a call that went well, and not after one that failed",
        source: None,
        rule: "ui/tool-story",
        wrong: output(|_, shown| {
            let has_failed = |message: &Value| hook_event(message) == Some("PostToolUseFailure");
            let (failed, mut others): (Vec<Value>, Vec<Value>) = shown.into_iter().partition(has_failed);
            others.extend(failed);
            others
        }),
    },
    Fault {
        id: "reorder_ui/never-looks-back",
        title: "leaves a result or a hook where it is when it stands before its call",
        source: None,
        rule: "ui/tool-story",
        wrong: output(|asked, shown| {
            let place = |message: &Value| asked.messages.iter().position(|other| other == message);
            let first_call = |id: &str| asked.messages.iter().position(|other| call(other) == Some(id));
            let is_early = |message: &Value| {
                follower(message)
                    .is_some_and(|(_, id)| first_call(id).is_some_and(|at| place(message) < Some(at)))
            };
            let (early, others): (Vec<Value>, Vec<Value>) = shown.into_iter().partition(is_early);
            early.into_iter().chain(others).collect()
        }),
    },
    Fault {
        id: "reorder_ui/orphans-to-the-end",
        title: "carries results and hooks without a call to the end",
        source: None,
        rule: "ui/others-in-order",
        wrong: output(|_, mut shown| {
            let made = made(&shown);
            shown.sort_by_key(|message| follower(message).is_some_and(|(_, id)| !made.contains(id)));
            shown
        }),
    },
    Fault {
        id: "reorder_ui/moves-whole-lists-of-results",
        title: "moves a message with several results behind the call of the first",
        source: None,
        rule: "ui/others-in-order",
        wrong: output(|_, mut shown| {
            let several = |message: &Value| {
                kind(message) == "user" && blocks(message).len() > 1 && follower(message).is_none()
            };
            for at in 0..shown.len() {
                let Some(message) = shown.get(at).filter(|message| several(message)) else { continue };
                let first = blocks(message).iter().find(|block| kind(block) == "tool_result");
                let id = first.map(|result| text(result, "tool_use_id"));
                let place = shown.iter().position(|other| id.is_some() && call(other) == id);
                if let Some(place) = place.filter(|place| *place < at) {
                    shown.get_mut(place + 1..=at).unwrap_or_default().rotate_right(1);
                }
            }
            shown
        }),
    },
    Fault {
        id: "reorder_ui/gathers-all-hooks",
        title: "moves hooks of any event to the call that they name",
        source: None,
        rule: "ui/others-in-order",
        wrong: output(|_, mut shown| {
            for at in 0..shown.len() {
                let Some(message) = shown.get(at).filter(|message| hook_event(message).is_some()) else {
                    continue;
                };
                let owner = message.get("attachment").unwrap_or(message);
                let id =
                    owner.get("toolUseID").and_then(Value::as_str).filter(|_| follower(message).is_none());
                let place = shown.iter().position(|other| id.is_some() && call(other) == id);
                if let Some(place) = place.filter(|place| *place < at) {
                    shown.get_mut(place + 1..=at).unwrap_or_default().rotate_right(1);
                }
            }
            shown
        }),
    },
    Fault {
        id: "reorder_ui/sorts-by-id",
        title: "sorts messages of one second by their ids",
        source: None,
        rule: "ui/others-in-order",
        wrong: output(|_, mut shown| {
            shown.sort_by_key(|message| text(message, "uuid").to_owned());
            shown
        }),
    },
    Fault {
        id: "reorder_ui/prompts-first",
        title: "shows a prompt that was typed while a tool ran before the reply that called it",
        source: None,
        rule: "ui/others-in-order",
        wrong: output(|_, mut shown| {
            let is_prompt = |message: &Value| kind(message) == "user" && follower(message).is_none();
            for at in 1..shown.len() {
                if shown.get(at).is_some_and(is_prompt)
                    && shown.get(at - 1).is_some_and(|it| call(it).is_some())
                {
                    shown.swap(at - 1, at);
                }
            }
            shown
        }),
    },
    Fault {
        id: "reorder_ui/collects-backwards",
        title: "puts each hook and result of a call in front of those that it has",
        source: None,
        rule: "ui/reorder-idempotent",
        wrong: output(|_, mut shown| {
            let same =
                |one: &Value, other: &Value| follower(one).is_some() && follower(one) == follower(other);
            shown.chunk_by_mut(same).for_each(<[Value]>::reverse);
            shown
        }),
    },
    Fault {
        id: "reorder_ui/lifts-the-latest-call",
        title: "moves the story of the last call one place up",
        source: None,
        rule: "ui/reorder-idempotent",
        wrong: output(|_, mut shown| {
            if let Some(at) = shown.iter().rposition(|message| call(message).is_some()).filter(|at| *at > 0) {
                let length = 1 + shown
                    .get(at)
                    .and_then(call)
                    .map_or(0, |id| followers(id, shown.get(at + 1..).unwrap_or_default()));
                shown.get_mut(at - 1..at + length).unwrap_or_default().rotate_left(1);
            }
            shown
        }),
    },
    Fault {
        id: "reorder_ui/gathers-in-the-order-of-keys",
        title: "gathers what belongs to a call in a set, and shows it in the order in which the set gives it out",
        source: None,
        rule: "ui/reorder-deterministic",
        wrong: output(|_, shown| match is_second_time() {
            true => told(shown, |moment| match moment {
                Moment::Before => 2,
                Moment::Result => 1,
                Moment::After => 0,
            }),
            false => shown,
        }),
    },
];

/// A subject that changes the order.
const fn output(after: fn(&Asked<'_>, Vec<Value>) -> Vec<Value>) -> Wrong {
    Wrong::Order(Spoil::output(after))
}

/// When something of a call happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Moment {
    Before,
    Result,
    After,
}

/// The call that a message is, by its id.
fn call(message: &Value) -> Option<&str> {
    only(message, "assistant", "tool_use")?.get("id")?.as_str()
}

/// What a message is to a call, and the call's id.
fn follower(message: &Value) -> Option<(Moment, &str)> {
    if let Some(result) = only(message, "user", "tool_result") {
        return Some((Moment::Result, result.get("tool_use_id")?.as_str()?));
    }
    let moment = match hook_event(message)? {
        "PreToolUse" => Moment::Before,
        "PostToolUse" | "PostToolUseFailure" => Moment::After,
        _ => return None,
    };
    let owner = message.get("attachment").filter(|_| kind(message) == "attachment").unwrap_or(message);
    Some((moment, owner.get("toolUseID")?.as_str()?))
}

/// The event of the hook that a message tells of.
fn hook_event(message: &Value) -> Option<&str> {
    let hook = match kind(message) {
        "attachment" => message.get("attachment").filter(|hook| kind(hook).starts_with("hook_")),
        "hook_result" => Some(message),
        "progress" => message.get("data").filter(|hook| kind(hook) == "hook_progress"),
        _ => None,
    };
    hook?.get("hookEvent")?.as_str()
}

/// The one block of a message of this kind, if it is of this type.
fn only<'a>(message: &'a Value, of: &str, type_name: &str) -> Option<&'a Value> {
    match blocks(message) {
        [only] if kind(message) == of && kind(only) == type_name => Some(only),
        _ => None,
    }
}

/// The ids of the calls in a list.
fn made(messages: &[Value]) -> HashSet<String> {
    messages.iter().filter_map(call).map(str::to_owned).collect()
}

/// How many messages at the start of a list belong to a call.
fn followers(id: &str, messages: &[Value]) -> usize {
    messages.iter().take_while(|message| follower(message).is_some_and(|(_, of)| of == id)).count()
}

/// The list with what follows each call in another order.
fn told(mut shown: Vec<Value>, rank: fn(Moment) -> u8) -> Vec<Value> {
    let mut at = 0;
    while let Some(message) = shown.get(at) {
        at += 1;
        let Some(id) = call(message) else { continue };
        let count = followers(id, shown.get(at..).unwrap_or_default());
        let own = shown.get_mut(at..at + count).unwrap_or_default();
        own.sort_by_key(|message| follower(message).map(|(moment, _)| rank(moment)));
        at += count;
    }
    shown
}
