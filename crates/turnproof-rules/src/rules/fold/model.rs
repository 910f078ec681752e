//! The *model* of folding: what a plain reader folds, and what it carries over a bridge.

use crate::json::Value;

use crate::operation::Folding;
use crate::rules::alike::alike;
use crate::rules::value::{blocks, is_true, kind, list, reply_id, text};
use crate::vocabulary::{Home, Kind};

/// The tools that only read or search (SPEC 7.6).
const READ_SEARCH: [&str; 7] = ["Read", "Grep", "Glob", "LS", "NotebookRead", "WebFetch", "WebSearch"];

/// A call, alone in its message.
#[derive(Clone, Copy, Debug)]
pub(super) struct Call<'a> {
    pub(super) id: &'a str,
    pub(super) name: Option<&'a str>,
    reply: Option<&'a str>,
}

/// The call that a message is.
pub(super) fn call(message: &Value) -> Option<Call<'_>> {
    match blocks(message) {
        [block] if kind(message) == "assistant" && kind(block) == "tool_use" => {
            Some(Call { id: text(block, "id")?, name: text(block, "name"), reply: reply_id(message) })
        }
        _ => None,
    }
}

/// The id of the call whose result a message is.
pub(super) fn result(message: &Value) -> Option<&str> {
    match blocks(message) {
        [block] if kind(message) == "user" && kind(block) == "tool_result" => text(block, "tool_use_id"),
        _ => None,
    }
}

/// Whether two calls may be folded into one group.
fn belong_together(folding: Folding, one: Call<'_>, other: Call<'_>) -> bool {
    match folding {
        Folding::Group => {
            one.reply.is_some() && one.reply == other.reply && one.name.is_some() && one.name == other.name
        }
        Folding::Collapse => [one, other].iter().all(|call| call.name.is_some_and(|name| READ_SEARCH.contains(&name))),
    }
}

/// A run of calls that becomes a group: the places of its messages in the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) calls: Vec<usize>,
    pub(super) results: Vec<usize>,
}

/// The runs of a list, in order.
pub(super) fn runs(messages: &[&Value], folding: Folding) -> Vec<Run> {
    let mut runs = Vec::new();
    let mut start = 0;
    while start < messages.len() {
        let run = run_from(messages, start, folding);
        let is_long = run.calls.len() > 1;
        start += if is_long { run.calls.len() + run.results.len() } else { 1 };
        runs.extend(Some(run).filter(|_| is_long));
    }
    runs
}

/// The longest run that begins at a place.
fn run_from(messages: &[&Value], start: usize, folding: Folding) -> Run {
    let mut run = Run { calls: Vec::new(), results: Vec::new() };
    let Some(first) = call(messages[start]) else { return run };
    for (place, message) in messages.iter().enumerate().skip(start) {
        let is_of_run = |id| run.calls.iter().any(|&other| call(messages[other]).is_some_and(|call| call.id == id));
        if call(message).is_some_and(|call| belong_together(folding, first, call)) {
            run.calls.push(place);
        } else if result(message).is_some_and(is_of_run) {
            run.results.push(place);
        } else {
            break;
        }
    }
    run
}

pub(super) fn is_group(message: &Value) -> bool {
    kind(message) == "grouped_tool_use"
}

/// The messages in a group: its calls and its results.
pub(super) fn members(group: &Value) -> (&[Value], &[Value]) {
    (list(group, "messages"), list(group, "results"))
}

/// The members that all groups have.
const MEMBERS: [&str; 5] = ["uuid", "timestamp", "toolName", "messages", "results"];

/// Whether two messages are alike. Of a group, only what all groups have counts: whoever folds may keep notes of its own
/// in it.
pub(super) fn is_same(one: &Value, other: &Value) -> bool {
    match (is_group(one), is_group(other)) {
        (true, true) => MEMBERS.iter().all(|name| match (one.get(name), other.get(name)) {
            (Some(one), Some(other)) => alike(one, other),
            (one, other) => one.is_none() && other.is_none(),
        }),
        (false, false) => alike(one, other),
        _ => false,
    }
}

/// What the bridge carries: no meta messages, and the members of groups in place of the groups.
pub(super) fn view<'a>(messages: &[&'a Value]) -> Vec<&'a Value> {
    let mut view = Vec::new();
    for &message in messages.iter().filter(|message| !is_true(message, "isMeta")) {
        match unfolded(message) {
            Some(members) => view.extend(self::view(&members)),
            None => view.push(message),
        }
    }
    view
}

/// The members of a group; `None` for a group that holds nothing or holds what is no message, and for other messages.
fn unfolded(message: &Value) -> Option<Vec<&Value>> {
    let (calls, results) = members(message);
    let all: Vec<&Value> = calls.iter().chain(results).collect();
    let in_lists = |member: &&Value| {
        let kind = Kind::of(kind(member));
        kind.is_some_and(|kind| kind.home() != Home::Memory || kind == Kind::GroupedToolUse)
    };
    (is_group(message) && !all.is_empty() && all.iter().all(in_lists)).then_some(all)
}
