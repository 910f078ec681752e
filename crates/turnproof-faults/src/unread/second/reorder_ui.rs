//! Unread faults in the *order* in which a UI shows messages.

use std::collections::{HashMap, HashSet};

use turnproof::operation::Value;
use turnproof_rules::json;

use super::{Unread, unread};
use crate::part::passes;
use crate::walk::{blocks, is_of, kind, remove, text};
use crate::wrong::{Asked, Wrong};

pub(super) const UNREAD: &[Unread] = &[
    unread(
        "reorder_ui/unread-first-call-has-it-all",
        "7.5: each comes to the last call before it with its id",
        "gives all results and hooks to the first call with their id",
        Wrong::List(|asked, shown| reorder(asked, shown, Way { picks: Picks::First, ..RIGHT })),
    ),
    unread(
        "reorder_ui/unread-last-call-has-it-all",
        "7.5: each comes to the last call before it with its id",
        "gives all results and hooks to the last call of the list with their id",
        Wrong::List(|asked, shown| reorder(asked, shown, Way { picks: Picks::Last, ..RIGHT })),
    ),
    unread(
        "reorder_ui/unread-early-ones-stay",
        "7.5: each comes to the last call before it with its id, or else to the first one",
        "leaves a result or a hook where it stands when its call comes later",
        Wrong::List(|asked, shown| reorder(asked, shown, Way { picks: Picks::Before, ..RIGHT })),
    ),
    unread(
        "reorder_ui/unread-repeats-begin-stories",
        "7.5: a call whose id another line of the same reply had before begins no story",
        "begins a new story with a line that says a call of its reply again",
        Wrong::List(|asked, shown| reorder(asked, shown, Way { has_repeats: false, ..RIGHT })),
    ),
    unread(
        "reorder_ui/unread-repeats-in-any-reply",
        "7.5: a call whose id another line of the same reply had before begins no story",
        "begins no story with a call whose id any earlier message had",
        Wrong::List(|asked, shown| reorder(asked, shown, Way { is_one_reply: true, ..RIGHT })),
    ),
    unread(
        "reorder_ui/unread-stories-as-they-came",
        "7.5: all hooks that ran before it, then its results, then all hooks that ran after it",
        "tells a story in the order of the list",
        Wrong::List(|asked, shown| reorder(asked, shown, Way { is_sorted: false, ..RIGHT })),
    ),
    unread(
        "reorder_ui/unread-results-with-words",
        "7.5: a result is a user message whose one block is a tool_result with an id",
        "moves a result that stands in one message with words",
        Wrong::List(|asked, shown| reorder(asked, shown, Way { takes_words: true, ..RIGHT })),
    ),
    unread(
        "reorder_ui/unread-hooks-without-success",
        "7.5: a hook is a hook_… attachment",
        "moves attachments about hooks that succeeded or failed, and no others",
        Wrong::List(|asked, shown| {
            let is_left = |message: &Value| {
                let body = message.get("attachment").map_or("", kind);
                body.starts_with("hook_") && !body.contains("success") && !body.contains("error")
            };
            reorder(asked, shown, Way { leaves: is_left, ..RIGHT });
        }),
    ),
    unread(
        "reorder_ui/unread-progress-of-hooks-stays",
        "7.5: a hook is a hook_… attachment, a hook result, or progress of the type hook_progress",
        "leaves the progress of hooks where it stands",
        Wrong::List(|asked, shown| {
            reorder(asked, shown, Way { leaves: |message| kind(message) == "progress", ..RIGHT });
        }),
    ),
    unread(
        "reorder_ui/unread-hooks-after-any-event",
        "7.5: PreToolUse before; PostToolUse or PostToolUseFailure after",
        "takes each event but PreToolUse for one after the tool",
        Wrong::MessagesAndTurns(
            |messages| {
                for message in messages.iter_mut() {
                    let owner = match kind(message) {
                        "attachment" => message.get_mut("attachment").filter(|body| kind(body).starts_with("hook_")),
                        "hook_result" => Some(message),
                        _ => None,
                    };
                    if let Some(owner) = owner
                        && !matches!(text(owner, "hookEvent"), "" | "PreToolUse" | "PostToolUse" | "PostToolUseFailure")
                    {
                        owner["wasEvent"] = owner["hookEvent"].take();
                        owner["hookEvent"] = json!("PostToolUse");
                    }
                }
            },
            |_, shown| {
                for message in shown {
                    let owner = if message.get("attachment").is_some() { &mut message["attachment"] } else { message };
                    if let Some(event) = owner.get_mut("wasEvent").map(Value::take) {
                        owner["hookEvent"] = event;
                        remove(owner, "wasEvent");
                    }
                }
            },
        ),
    ),
    unread(
        "reorder_ui/unread-progress-is-part-of-the-story",
        "7.5: everything else keeps its order; progress is a hook if its type is hook_progress",
        "moves all progress of a tool behind its call",
        Wrong::List(|_, shown| {
            for at in 0..shown.len() {
                let is_hook = shown[at].pointer("/data/type").is_some_and(|data| data == "hook_progress");
                if kind(&shown[at]) != "progress" || is_hook {
                    continue;
                }
                let id = text(&shown[at], "toolUseID").to_owned();
                let call = shown[..at].iter().rposition(|message| call_id(message) == Some(&id));
                call.into_iter().for_each(|call| shown[call + 1..=at].rotate_right(1));
            }
        }),
    ),
    unread(
        "reorder_ui/unread-by-the-clock",
        "7.5: everything else keeps its order",
        "sorts the messages by their time before it tells stories",
        Wrong::Messages(|messages| {
            if messages.iter().all(|message| !text(message, "timestamp").is_empty()) {
                messages.sort_by(|one, two| text(one, "timestamp").cmp(text(two, "timestamp")));
            }
        }),
    ),
];

/// Which call a result or a hook comes to.
#[derive(Clone, Copy, PartialEq)]
enum Picks {
    Right,
    First,
    Last,
    Before,
}

/// How messages are put in order.
#[derive(Clone, Copy)]
struct Way {
    picks: Picks,
    /// Whether a line may say a call of its reply again.
    has_repeats: bool,
    /// Whether all calls count as one reply.
    is_one_reply: bool,
    /// Whether hooks and results of a story are sorted.
    is_sorted: bool,
    takes_words: bool,
    /// What is in no story.
    leaves: fn(&Value) -> bool,
}

const RIGHT: Way = Way {
    picks: Picks::Right,
    has_repeats: true,
    is_one_reply: false,
    is_sorted: true,
    takes_words: false,
    leaves: |_| false,
};

fn call_id(message: &Value) -> Option<&str> {
    match blocks(message) {
        [call] if is_of(message, "assistant") && kind(call) == "tool_use" => call["id"].as_str(),
        _ => None,
    }
}

/// The id of the call to which a message belongs, and its place in the story.
fn follows(message: &Value, takes_words: bool) -> Option<(&str, usize)> {
    let result = match blocks(message) {
        [result] => Some(result),
        [result, ..] if takes_words => Some(result),
        _ => None,
    };
    if let Some(result) = result.filter(|result| is_of(message, "user") && kind(result) == "tool_result") {
        return Some((result["tool_use_id"].as_str()?, 1));
    }
    let (owner, id) = match kind(message) {
        "attachment" => (message.get("attachment").filter(|body| kind(body).starts_with("hook_"))?, None),
        "hook_result" => (message, None),
        "progress" => (message.get("data").or(message.get("progress"))?, message.get("toolUseID")),
        _ => return None,
    };
    if kind(message) == "progress" && kind(owner) != "hook_progress" {
        return None;
    }
    let place = match text(owner, "hookEvent") {
        "PreToolUse" => 0,
        "PostToolUse" | "PostToolUseFailure" => 2,
        _ => return None,
    };
    Some((id.or(owner.get("toolUseID"))?.as_str()?, place))
}

/// The messages, each call with its story behind it.
fn reorder(asked: &Asked<'_>, shown: &mut Vec<Value>, way: Way) {
    let list: Vec<&Value> = asked.messages.iter().filter(|message| message.is_object() && !passes(message)).collect();
    let mut calls: HashMap<&str, Vec<usize>> = HashMap::new();
    let mut known: HashSet<(&str, &str)> = HashSet::new();
    for (at, message) in list.iter().enumerate() {
        let Some(id) = call_id(message) else { continue };
        let reply = message.pointer("/message/id").and_then(Value::as_str).unwrap_or_default();
        let reply = if way.is_one_reply { "all" } else { reply };
        if !way.has_repeats || reply.is_empty() || known.insert((id, reply)) {
            calls.entry(id).or_default().push(at);
        }
    }
    let mut stories: HashMap<usize, Vec<(usize, usize)>> = HashMap::new();
    let mut has_moved = HashSet::new();
    for (at, message) in list.iter().enumerate() {
        let Some((id, place)) = follows(message, way.takes_words).filter(|_| !(way.leaves)(message)) else { continue };
        let calls = calls.get(id).map_or(&[][..], Vec::as_slice);
        let before = calls.iter().rfind(|call| **call < at).copied();
        let call = match way.picks {
            Picks::Right => before.or(calls.first().copied()),
            Picks::First => calls.first().copied(),
            Picks::Last => calls.last().copied(),
            Picks::Before => before,
        };
        if let Some(call) = call {
            stories.entry(call).or_default().push((if way.is_sorted { place } else { 0 }, at));
            has_moved.insert(at);
        }
    }
    let mut order = Vec::new();
    for at in (0..list.len()).filter(|at| !has_moved.contains(at)) {
        order.push(at);
        let mut story = stories.remove(&at).unwrap_or_default();
        story.sort_unstable();
        order.extend(story.into_iter().map(|(_, at)| at));
    }
    *shown = order.into_iter().map(|at| list[at].clone()).collect();
}
