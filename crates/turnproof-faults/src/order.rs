//! Faults in the *order* in which a UI shows messages.

use std::collections::HashSet;

use turnproof_rules::operation::Value;

use super::part::passes;
use super::stable::is_second_time;
use super::walk::{blocks, kind, remove, text};
use super::{Fault, Wrong, fault};

pub(super) const FAULTS: &[Fault] = &[
    fault("reorder_ui/drops-orphans", "ui/permutation")
        .that("shows only those results and hooks whose call is known")
        .by(Wrong::List(|_, shown| {
            let made = made(shown);
            shown.retain(|message| follower(message).is_none_or(|(_, id)| made.contains(id)));
        })),
    fault("reorder_ui/doubles-hooks", "ui/permutation").that("shows a hook with its call and again where it stood").by(
        Wrong::List(|asked, shown| {
            let made = made(shown);
            let is_hook = |message: &&Value| {
                follower(message).is_some_and(|(moment, id)| moment != Moment::Result && made.contains(id))
            };
            shown.extend(asked.messages.iter().filter(is_hook).cloned().collect::<Vec<_>>());
        }),
    ),
    fault("reorder_ui/overwrites-results", "ui/permutation").that("keeps only the last result of each call").by(
        Wrong::List(|_, shown| {
            let mut seen = HashSet::new();
            shown.reverse();
            shown.retain(|message| match follower(message) {
                Some((Moment::Result, id)) => seen.insert(id.to_owned()),
                _ => true,
            });
            shown.reverse();
        }),
    ),
    fault("reorder_ui/drops-repeated-calls", "ui/permutation")
        .that("treats a call with a known id as the same call")
        .by(Wrong::List(|_, shown| {
            let mut seen = HashSet::new();
            shown.retain(|message| call(message).is_none_or(|id| seen.insert(id.to_owned())));
        })),
    fault("reorder_ui/shows-what-passes-by", "ui/permutation")
        .that("shows tombstones and stream events")
        .by(Wrong::List(|asked, shown| shown.extend(asked.messages.iter().filter(|message| passes(message)).cloned()))),
    fault("reorder_ui/loses-flags", "ui/permutation")
        .that("makes new messages of those that it moves, without their times")
        .by(Wrong::List(|_, shown| {
            let followers = shown.iter_mut().filter(|message| follower(message).is_some());
            followers.for_each(|message| remove(message, "timestamp"));
        })),
    fault("reorder_ui/leaves-results-in-place", "ui/tool-story")
        .that("leaves messages in their order, and so results of parallel calls behind all calls")
        .by(Wrong::List(|asked, shown| {
            *shown = asked.messages.iter().filter(|message| !passes(message)).cloned().collect();
        })),
    fault("reorder_ui/results-before-hooks", "ui/tool-story")
        .that("shows a call's results first, then all its hooks")
        .by(Wrong::List(|_, shown| order_stories(shown, |moment| u8::from(moment != Moment::Result)))),
    fault("reorder_ui/hooks-before-results", "ui/tool-story")
        .that("shows all hooks of a call before its results")
        .by(Wrong::List(|_, shown| order_stories(shown, |moment| u8::from(moment == Moment::Result)))),
    fault("reorder_ui/groups-at-the-last-call", "ui/tool-story")
        .that("puts results behind the last call with their id, not behind the first")
        .by(Wrong::List(|_, shown| {
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
            *shown = grouped;
        })),
    fault("reorder_ui/failed-hooks-stay", "ui/tool-story")
        .that("moves hooks to a call that succeeded, but not to one that failed")
        .by(Wrong::List(|_, shown| shown.sort_by_key(|message| hook_event(message) == Some("PostToolUseFailure")))),
    fault("reorder_ui/never-looks-back", "ui/tool-story")
        .that("leaves a result or a hook in its place when it comes before its call")
        .by(Wrong::List(|asked, shown| {
            let place = |message: &Value| asked.messages.iter().position(|other| other == message);
            let first_call = |id: &str| asked.messages.iter().position(|other| call(other) == Some(id));
            let is_early = |message: &Value| {
                follower(message).is_some_and(|(_, id)| first_call(id).is_some_and(|at| place(message) < Some(at)))
            };
            shown.sort_by_key(|message| !is_early(message));
        })),
    fault("reorder_ui/orphans-to-the-end", "ui/others-in-order")
        .that("moves results and hooks without a call to the end")
        .by(Wrong::List(|_, shown| {
            let made = made(shown);
            shown.sort_by_key(|message| follower(message).is_some_and(|(_, id)| !made.contains(id)));
        })),
    fault("reorder_ui/moves-whole-lists-of-results", "ui/others-in-order")
        .that("moves a message with several results behind the call of the first")
        .by(Wrong::List(|_, shown| {
            let several =
                |message: &Value| kind(message) == "user" && blocks(message).len() > 1 && follower(message).is_none();
            move_to_calls(shown, |message| {
                let results = Some(message).filter(|message| several(message)).map_or(&[][..], blocks);
                results.iter().find(|block| kind(block) == "tool_result")?.get("tool_use_id")?.as_str()
            });
        })),
    fault("reorder_ui/gathers-all-hooks", "ui/others-in-order")
        .that("moves hooks of any event to the call that they name")
        .by(Wrong::List(|_, shown| {
            move_to_calls(shown, |message| {
                let owner = message.get("attachment").unwrap_or(message);
                let is_other_hook = hook_event(message).is_some() && follower(message).is_none();
                owner.get("toolUseID").filter(|_| is_other_hook)?.as_str()
            });
        })),
    fault("reorder_ui/sorts-by-id", "ui/others-in-order")
        .that("sorts messages of one second by their ids")
        .by(Wrong::List(|_, shown| shown.sort_by_key(|message| text(message, "uuid").to_owned()))),
    fault("reorder_ui/prompts-first", "ui/others-in-order")
        .that("shows a prompt that was typed while a tool ran before the reply that called it")
        .by(Wrong::List(|_, shown| {
            let is_prompt = |message: &Value| kind(message) == "user" && follower(message).is_none();
            for at in 1..shown.len() {
                if is_prompt(&shown[at]) && call(&shown[at - 1]).is_some() {
                    shown.swap(at - 1, at);
                }
            }
        })),
    fault("reorder_ui/collects-backwards", "ui/reorder-idempotent")
        .that("puts each hook and result of a call before the earlier ones")
        .by(Wrong::List(|_, shown| {
            let same = |one: &Value, other: &Value| follower(one).is_some() && follower(one) == follower(other);
            shown.chunk_by_mut(same).for_each(<[Value]>::reverse);
        })),
    fault("reorder_ui/lifts-the-latest-call", "ui/reorder-idempotent")
        .that("moves the last call one place up, with what belongs to it")
        .by(Wrong::List(|_, shown| {
            if let Some(at) = shown.iter().rposition(|message| call(message).is_some()).filter(|at| *at > 0) {
                let length = 1 + call(&shown[at]).map_or(0, |id| followers(id, &shown[at + 1..]));
                shown[at - 1..at + length].rotate_left(1);
            }
        })),
    fault("reorder_ui/knows-progress-by-its-new-name", "ui/tool-story")
        .that("takes progress of a hook under the older name `progress` for progress of a tool")
        .by(Wrong::List(|asked, shown| {
            let is_old = |message: &Value| kind(message) == "progress" && !message["progress"].is_null();
            let old: Vec<Value> = shown.extract_if(.., |message| is_old(message)).collect();
            for message in old {
                // It stays behind what it was behind.
                let at = asked.messages.iter().position(|other| *other == message).unwrap_or_default();
                let place =
                    asked.messages[..at].iter().rev().find_map(|before| shown.iter().position(|one| one == before));
                shown.insert(place.map_or(0, |place| place + 1), message);
            }
        })),
    fault("reorder_ui/gathers-in-the-order-of-keys", "ui/reorder-deterministic")
        .that("gathers what belongs to a call in a set, and shows it in the order of the set")
        .by(Wrong::List(|_, shown| {
            if is_second_time() {
                order_stories(shown, |moment| match moment {
                    Moment::Before => 2,
                    Moment::Result => 1,
                    Moment::After => 0,
                });
            }
        })),
];

/// When something of a call happens.
#[derive(PartialEq, Eq)]
enum Moment {
    Before,
    Result,
    After,
}

/// The call that a message is, by its id.
fn call(message: &Value) -> Option<&str> {
    only(message, "assistant", "tool_use")?.get("id")?.as_str()
}

/// When in a call a message happens, and the call's id.
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

/// The event of the hook that a message is about.
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

fn made(messages: &[Value]) -> HashSet<String> {
    messages.iter().filter_map(call).map(str::to_owned).collect()
}

/// How many messages at the start of a list belong to a call.
fn followers(id: &str, messages: &[Value]) -> usize {
    messages.iter().take_while(|message| follower(message).is_some_and(|(_, of)| of == id)).count()
}

/// Moves messages that come after their call directly after it.
fn move_to_calls(shown: &mut [Value], call_of: impl Fn(&Value) -> Option<&str>) {
    for at in 0..shown.len() {
        let id = call_of(&shown[at]);
        let place = shown[..at].iter().position(|other| id.is_some() && call(other) == id);
        if let Some(place) = place {
            shown[place + 1..=at].rotate_right(1);
        }
    }
}

/// Puts what follows each call in another order.
fn order_stories(shown: &mut [Value], rank: fn(Moment) -> u8) {
    let mut at = 0;
    while let Some(message) = shown.get(at) {
        at += 1;
        let Some(id) = call(message) else { continue };
        let count = followers(id, &shown[at..]);
        shown[at..at + count].sort_by_key(|message| follower(message).map(|(moment, _)| rank(moment)));
        at += count;
    }
}
