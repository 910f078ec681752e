//! Folding: runs of calls become groups, and exactly the same list comes back.

use std::sync::Arc;

use serde_json::{Value, json};
use turnproof_reference::json::Fields;
use turnproof_reference::message::{GroupedToolUse, Message, Typed};
use turnproof_reference::normalize::ui::{READ_SEARCH_TOOLS, collapse_read_search, group_tool_uses, ungroup};

use super::{call, call_of, hook, list, result, shown, text, uuids};

/// What each message of the folded list is: its uuid, or the uuids in a group.
fn folded(fold: fn(Vec<Message>) -> Vec<Message>, messages: &Value) -> Vec<String> {
    let messages = list(messages.clone());
    let folded = fold(messages.clone());
    let what = shown(&folded).as_array().unwrap().iter().map(outline).collect();
    assert_eq!(ungroup(folded), messages, "not what went in");
    what
}

fn outline(message: &Value) -> String {
    let uuids = |list: &Value| {
        list.as_array().unwrap().iter().map(|member| member["uuid"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    match message["messages"].is_array() {
        true => {
            format!("{} | {}", uuids(&message["messages"]).join(" "), uuids(&message["results"]).join(" "))
        }
        false => message["uuid"].as_str().unwrap().to_owned(),
    }
}

#[test]
fn a_run_of_calls_of_one_tool_and_reply_becomes_one_group_with_its_results() {
    let mut first = call("a", "1");
    first["timestamp"] = json!("2026-01-01T00:00:00.000Z");
    let messages = json!([text("t", "a"), first, call("b", "2"), result("ra", "1"), result("rb", "2"), text("u", "a")]);
    assert_eq!(folded(group_tool_uses, &messages), ["t", "a b | ra rb", "u"]);
    let group = &shown(&group_tool_uses(list(messages.clone())))[1];
    assert_eq!(group["type"], "grouped_tool_use");
    assert_eq!(group["toolName"], "Bash");
    assert_eq!(group["uuid"], "a");
    assert_eq!(group["timestamp"], "2026-01-01T00:00:00.000Z");
    assert_eq!(group["messages"], json!([messages[1], messages[2]]));
    assert_eq!(group["results"], json!([messages[3], messages[4]]));
}

#[test]
fn one_call_is_no_run_whatever_its_results() {
    let messages = json!([call("a", "1"), result("r", "1"), result("s", "1"), text("t", "a"), call("b", "2")]);
    assert_eq!(folded(group_tool_uses, &messages), ["a", "r", "s", "t", "b"]);
    assert_eq!(folded(collapse_read_search, &messages), ["a", "r", "s", "t", "b"]);
    assert_eq!(folded(group_tool_uses, &json!([])), [""; 0]);
}

#[test]
fn results_between_calls_come_back_in_their_places() {
    let messages = json!([
        call("a", "1"),
        result("ra", "1"),
        call("b", "2"),
        call("c", "3"),
        result("rc", "3"),
        result("rb", "2")
    ]);
    assert_eq!(folded(group_tool_uses, &messages), ["a b c | ra rc rb"]);
}

#[test]
fn a_repeated_call_counts_as_a_call() {
    assert_eq!(folded(group_tool_uses, &json!([call("a", "1"), call("b", "1")])), ["a b | "]);
}

#[test]
fn a_run_ends_at_another_tool_or_reply_and_the_next_begins_there() {
    let messages = json!([
        call_of("a", "1", "msg_1", "Bash"),
        call_of("b", "2", "msg_1", "Bash"),
        call_of("c", "3", "msg_1", "Edit"),
        call_of("d", "4", "msg_1", "Edit"),
        call_of("e", "5", "msg_2", "Edit"),
        call_of("f", "6", "msg_2", "Edit"),
        call_of("g", "7", "msg_2", "Bash"),
    ]);
    assert_eq!(folded(group_tool_uses, &messages), ["a b | ", "c d | ", "e f | ", "g"]);
}

#[test]
fn a_run_ends_at_whatever_is_no_call_and_no_result_of_its_calls() {
    let others = [
        text("x", "a"),
        result("x", "9"),
        hook("x", "1", "PostToolUse"),
        json!({"type": "system", "uuid": "x"}),
        json!({"type": "grouped_tool_use", "uuid": "x"}),
    ];
    for other in others {
        let messages = json!([call("a", "1"), call("b", "2"), other, call("c", "3"), result("rb", "2")]);
        assert_eq!(folded(group_tool_uses, &messages), ["a b | ", "x", "c", "rb"], "{other}");
    }
}

#[test]
fn a_run_knows_the_results_of_its_own_calls_only() {
    let messages = json!([call("a", "1"), text("t", "a"), call("b", "2"), result("ra", "1"), call("c", "3")]);
    assert_eq!(folded(group_tool_uses, &messages), ["a", "t", "b", "ra", "c"]);
}

#[test]
fn calls_without_a_reply_or_a_tool_are_not_grouped() {
    let without = |path: &str, value: Value| {
        let pair = [call("a", "1"), call("b", "2")].map(|mut message| {
            *message.pointer_mut(path).unwrap() = value.clone();
            message
        });
        folded(group_tool_uses, &json!(pair))
    };
    assert_eq!(without("/message/id", Value::Null), ["a", "b"]);
    assert_eq!(without("/message/id", json!("")), ["a", "b"]);
    assert_eq!(without("/message/content/0/name", Value::Null), ["a", "b"]);
    assert_eq!(without("/message/id", json!("msg_2")), ["a b | "]);
    // An unnamed call does not join the run of a named one, and no reply does not join a reply.
    for path in ["/message/id", "/message/content/0/name"] {
        let mut second = call("b", "2");
        *second.pointer_mut(path).unwrap() = Value::Null;
        assert_eq!(folded(group_tool_uses, &json!([call("a", "1"), second])), ["a", "b"]);
    }
}

#[test]
fn reading_and_searching_collapses_across_tools_and_replies() {
    let messages = json!([
        call_of("a", "1", "msg_1", "Grep"),
        result("ra", "1"),
        call_of("b", "2", "msg_2", "Read"),
        result("rb", "2"),
        call_of("c", "3", "msg_2", "Grep"),
        call_of("d", "4", "msg_2", "Bash"),
        call_of("e", "5", "msg_2", "Read"),
    ]);
    assert_eq!(folded(collapse_read_search, &messages), ["a b c | ra rb", "d", "e"]);
    assert_eq!(shown(&collapse_read_search(list(messages)))[0]["toolName"], "Grep, Read");
}

#[test]
fn each_tool_that_reads_or_searches_collapses_and_others_do_not() {
    let pair = |tool: &str| json!([call_of("a", "1", "msg_1", tool), call_of("b", "2", "msg_2", tool)]);
    for tool in ["Read", "Grep", "Glob", "LS", "NotebookRead", "WebFetch", "WebSearch"] {
        assert!(READ_SEARCH_TOOLS.contains(&tool));
        assert_eq!(folded(collapse_read_search, &pair(tool)), ["a b | "], "{tool}");
    }
    assert_eq!(READ_SEARCH_TOOLS.len(), 7);
    for tool in ["Bash", "Edit", "Write", "read", "", "Task"] {
        assert_eq!(folded(collapse_read_search, &pair(tool)), ["a", "b"], "{tool}");
    }
}

#[test]
fn groups_that_were_in_the_list_come_back_as_they_went_in() {
    let inner = group_tool_uses(list(json!([call("a", "1"), call("b", "2")])));
    let mut own = shown(&inner)[0].clone();
    own["foldedOrder"] = json!("cc");
    let group = |order: Value| {
        let mut group = own.clone();
        group["foldedOrder"] = order;
        group["zzz"] = json!("after it");
        group
    };
    let plain = json!({"type": "grouped_tool_use", "toolName": "Bash", "messages": [call("a", "1")], "results": []});
    let orders = ["cc", "_cc", "__cc", "c", "", "_", "cr", "x"].map(|order| group(json!(order)));
    let mut groups = orders.to_vec();
    groups.extend([group(json!(2)), group(Value::Null), plain]);
    groups.extend([call("c", "3"), call("d", "4")]);
    let messages = list(Value::Array(groups));
    for fold in [group_tool_uses, collapse_read_search] {
        assert_eq!(ungroup(fold(messages.clone())), messages);
        assert_eq!(ungroup(ungroup(fold(fold(messages.clone())))), messages);
    }
}

#[test]
fn foldings_of_foldings_are_undone_one_by_one() {
    let messages = list(json!([
        call_of("a", "1", "msg_1", "Read"),
        call_of("b", "2", "msg_1", "Read"),
        text("t", "a"),
        call_of("c", "3", "msg_1", "Bash"),
        call_of("d", "4", "msg_1", "Bash"),
    ]));
    let collapsed = collapse_read_search(messages.clone());
    assert_eq!(uuids(&collapsed), ["a", "t", "c", "d"]);
    let both = group_tool_uses(collapsed.clone());
    assert_eq!(uuids(&both), ["a", "t", "c"]);
    assert_eq!(ungroup(both.clone()), collapsed);
    assert_eq!(ungroup(ungroup(both)), messages);
}

#[test]
fn a_folding_that_somebody_changed_stays() {
    let folded = shown(&group_tool_uses(list(json!([call("a", "1"), call("b", "2"), result("r", "1")]))));
    assert_eq!(ungroup(list(folded.clone())).len(), 3);
    let order = |order: Value| ("foldedOrder", order);
    let changes = [
        order(json!("cc")),
        order(json!("ccrr")),
        order(json!("cccr")),
        order(json!("ccxr")),
        order(json!("ccr ")),
        order(json!("crr")),
        order(json!("ccc")),
        order(json!("")),
        order(json!(3)),
        order(Value::Null),
        ("messages", Value::Null),
        ("messages", json!([1, 2])),
        ("messages", json!([{"type": "tombstone"}, {"type": "user"}])),
        ("results", json!([{"no": "type"}])),
        ("results", json!([])),
    ];
    for (member, value) in changes {
        let mut changed = folded.clone();
        changed[0][member] = value;
        assert_eq!(shown(&ungroup(list(changed.clone()))), changed);
    }
}

#[test]
fn an_empty_folding_stays() {
    let empty = list(json!([{"type": "grouped_tool_use", "messages": [], "results": [], "foldedOrder": ""}]));
    assert_eq!(ungroup(empty.clone()), empty);
}

#[test]
fn undoing_takes_away_one_shield_and_leaves_the_group() {
    let group = |order: &str| json!([{"type": "grouped_tool_use", "messages": [call("a", "1")], "results": [], "foldedOrder": order}]);
    assert_eq!(shown(&ungroup(list(group("_c")))), group("c"));
    assert_eq!(shown(&ungroup(list(group("__c")))), group("_c"));
}

#[test]
fn a_message_that_does_not_read_back_the_same_is_not_folded() {
    let mut messages = list(json!([call("a", "1"), call("b", "2")]));
    let Message::Assistant(second) = &mut messages[1] else { panic!("an assistant message") };
    // Two members of one name: the last would win.
    Arc::make_mut(second).extra = Fields::from_iter([("uuid".into(), "c".into())]);
    assert_ne!(Message::read(&messages[1].write()), Ok(messages[1].clone()));
    assert_eq!(group_tool_uses(messages.clone()), messages);
}

#[test]
fn a_group_made_by_hand_with_results_alone_is_kept() {
    let group = GroupedToolUse { results: Vec::new().into(), ..GroupedToolUse::default() };
    let messages = vec![Message::from(group)];
    assert_eq!(ungroup(group_tool_uses(messages.clone())), messages);
}
