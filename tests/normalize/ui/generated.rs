//! *Generated* lists: what scenarios play, and lists that are dense in calls, results and hooks.

use proptest::prelude::*;
use serde_json::{Value, json};
use turnproof_reference::message::{Event, Message};
use turnproof_suite::scenario::{Case, Profile, Scenario};

use super::{call_of, hook, list, result, text};

/// How many cases each law judges.
pub(super) const CASES: u64 = 256;

/// The messages of scenarios, of both profiles.
pub(super) fn scenarios() -> impl Iterator<Item = Vec<Message>> {
    (0..CASES).map(|case| {
        let profile = Profile::ALL[case as usize % Profile::ALL.len()];
        let messages = Case::of(&Scenario::from_seed(7, case, profile)).messages().to_vec();
        let events = messages.iter().map(|json| serde_json::from_str::<Event>(json).expect("an event"));
        let message = |event| if let Event::Message(message) = event { Some(message) } else { None };
        events.filter_map(message).collect()
    })
}

/// Lists in which most messages are parts of few stories.
pub(super) fn stories() -> impl Strategy<Value = Vec<Message>> {
    prop::collection::vec(part(), 0..24).prop_map(|parts| {
        let numbered = parts.into_iter().enumerate().map(|(number, mut part)| {
            part["uuid"] = json!(format!("{number:08}-0000-4000-8000-000000000000"));
            part
        });
        list(Value::from_iter(numbered))
    })
}

fn part() -> impl Strategy<Value = Value> {
    let id = || prop::sample::select(vec!["1", "2", "3", "4"]);
    let tool = prop::sample::select(vec!["Read", "Read", "Grep", "Bash"]);
    let reply = prop::sample::select(vec!["msg_1", "msg_1", "msg_1", "msg_2", ""]);
    let event = prop::sample::select(vec!["PreToolUse", "PostToolUse", "PostToolUseFailure", "Stop"]);
    let order = prop::sample::select(vec!["c", "_c", "__c", "cc", "", "x"]);
    prop_oneof![
        8 => (id(), reply, tool).prop_map(|(id, reply, tool)| call_of("", id, reply, tool)),
        4 => id().prop_map(|id| result("", id)),
        2 => (id(), event).prop_map(|(id, event)| hook("", id, event)),
        1 => Just(text("", "a")),
        1 => Just(json!({"type": "system", "subtype": "informational", "isMeta": true})),
        1 => order.prop_map(|order| {
            let call = call_of("inside", "1", "msg_1", "Bash");
            json!({"type": "grouped_tool_use", "messages": [call], "results": [], "foldedOrder": order})
        }),
    ]
}
