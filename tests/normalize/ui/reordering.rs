//! Reordering: each call is followed by its pre-hooks, results and post-hooks.

use serde_json::{Value, json};
use turnproof_reference::normalize::ui::reorder_for_ui;

use super::{call, call_of, hook, list, result, text, uuids};

fn order(messages: Value) -> Vec<String> {
    uuids(&reorder_for_ui(list(messages))).into_iter().map(str::to_owned).collect()
}

/// A `hook_result` message.
fn hook_result(uuid: &str, id: &str, event: &str) -> Value {
    json!({"type": "hook_result", "uuid": uuid, "toolUseID": id, "hookEvent": event, "content": "a"})
}

/// A `progress` message of a hook.
fn hook_progress(uuid: &str, id: &str, event: &str) -> Value {
    json!({"type": "progress", "uuid": uuid, "toolUseID": id, "data": {"type": "hook_progress", "hookEvent": event}})
}

#[test]
fn a_call_is_followed_by_its_pre_hooks_its_results_and_its_post_hooks_in_list_order() {
    let messages = json!([
        call("call", "1"),
        hook("post 1", "1", "PostToolUse"),
        result("result 1", "1"),
        hook("pre 1", "1", "PreToolUse"),
        result("result 2", "1"),
        hook("post 2", "1", "PostToolUseFailure"),
        hook("pre 2", "1", "PreToolUse"),
    ]);
    assert_eq!(order(messages), ["call", "pre 1", "pre 2", "result 1", "result 2", "post 1", "post 2"]);
}

#[test]
fn parts_of_a_story_come_from_wherever_they_stand_even_before_the_call() {
    let messages = json!([
        result("result 1", "1"),
        text("text 1", "a"),
        hook("post 2", "2", "PostToolUse"),
        call("call 1", "1"),
        call("call 2", "2"),
        text("text 2", "a"),
        result("result 2", "2"),
        hook("pre 1", "1", "PreToolUse"),
    ]);
    let expected = ["text 1", "call 1", "pre 1", "result 1", "call 2", "result 2", "post 2", "text 2"];
    assert_eq!(order(messages), expected);
}

#[test]
fn hooks_are_known_in_each_of_their_three_forms() {
    for form in [hook, hook_result, hook_progress] {
        for event in ["PreToolUse", "PostToolUse", "PostToolUseFailure"] {
            let messages =
                json!([call("call", "1"), text("text", "a"), result("result", "1"), form("hook", "1", event)]);
            let expected = match event {
                "PreToolUse" => ["call", "hook", "result", "text"],
                _ => ["call", "result", "hook", "text"],
            };
            assert_eq!(order(messages), expected, "{event}");
        }
    }
    // The older name of `data`.
    let mut old = hook_progress("hook", "1", "PreToolUse");
    old["progress"] = old["data"].take();
    old.as_object_mut().unwrap().remove("data");
    assert_eq!(order(json!([call("call", "1"), text("text", "a"), old])), ["call", "hook", "text"]);
}

#[test]
fn what_is_nearly_a_hook_stays_where_it_is() {
    let changed = |mut message: Value, path: &str, value: Value| {
        *message.pointer_mut(path).expect("a member") = value;
        message
    };
    let attached = hook("near", "1", "PreToolUse");
    let returned = hook_result("near", "1", "PreToolUse");
    let live = hook_progress("near", "1", "PreToolUse");
    let nearly = [
        changed(attached.clone(), "/attachment/type", json!("success_hook_")),
        changed(attached.clone(), "/attachment/type", Value::Null),
        changed(attached.clone(), "/attachment/toolUseID", json!(1)),
        changed(attached.clone(), "/attachment/toolUseID", json!("2")),
        changed(attached.clone(), "/attachment/hookEvent", json!("SessionStart")),
        changed(attached.clone(), "/attachment/hookEvent", Value::Null),
        changed(attached, "/attachment", Value::Null),
        changed(returned.clone(), "/toolUseID", Value::Null),
        changed(returned.clone(), "/hookEvent", json!("Stop")),
        changed(returned, "/hookEvent", json!(["PreToolUse"])),
        changed(live.clone(), "/toolUseID", Value::Null),
        changed(live.clone(), "/data/type", json!("bash_progress")),
        changed(live.clone(), "/data/hookEvent", json!("")),
        changed(live.clone(), "/data", json!("hook_progress")),
        changed(live, "/data", Value::Null),
        json!({"type": "system", "uuid": "near", "toolUseID": "1", "hookEvent": "PreToolUse"}),
    ];
    for near in nearly {
        let messages = json!([call("call", "1"), text("text", "a"), near]);
        assert_eq!(order(messages), ["call", "text", "near"], "{near}");
    }
}

#[test]
fn what_is_nearly_a_call_or_a_result_stays_where_it_is() {
    let two = |mut message: Value| {
        let blocks = message["message"]["content"].as_array_mut().expect("blocks");
        blocks.push(json!({"type": "text", "text": "a"}));
        message
    };
    let changed = |mut message: Value, key: &str, value: Value| {
        message["message"]["content"][0][key] = value;
        message
    };
    let kind = |mut message: Value, kind: &str| {
        message["type"] = json!(kind);
        message
    };
    let calls = [
        two(call("call", "1")),
        changed(call("call", "1"), "id", Value::Null),
        changed(call("call", "1"), "type", json!("server_tool_use")),
        kind(call("call", "1"), "user"),
    ];
    for near in calls {
        assert_eq!(
            order(json!([near, text("text", "a"), result("result", "1")])),
            ["call", "text", "result"],
            "{near}"
        );
    }
    let results = [
        two(result("result", "1")),
        changed(result("result", "1"), "tool_use_id", Value::Null),
        changed(result("result", "1"), "type", json!("web_search_tool_result")),
        kind(result("result", "1"), "assistant"),
    ];
    for near in results {
        assert_eq!(order(json!([call("call", "1"), text("text", "a"), near])), ["call", "text", "result"], "{near}");
    }
}

#[test]
fn calls_with_one_id_have_stories_of_their_own() {
    let messages = json!([
        result("early", "1"),
        text("text 1", "a"),
        call_of("first", "1", "msg_1", "Bash"),
        text("text 2", "a"),
        result("result 1", "1"),
        call_of("second", "1", "msg_2", "Bash"),
        text("text 3", "a"),
        result("result 2", "1"),
        hook("pre 2", "1", "PreToolUse"),
        call_of("third", "1", "msg_3", "Bash"),
    ]);
    let expected = ["text 1", "first", "early", "result 1", "text 2", "second", "pre 2", "result 2", "text 3", "third"];
    assert_eq!(order(messages), expected);
}

#[test]
fn a_line_that_repeats_a_call_of_its_reply_keeps_its_place_and_the_rest_follows_the_first() {
    let messages = json!([call("first", "1"), text("text", "a"), call("again", "1"), result("result", "1")]);
    assert_eq!(order(messages), ["first", "result", "text", "again"]);
}

#[test]
fn results_and_hooks_without_a_call_stay_where_they_are() {
    let messages = json!([
        result("orphan 1", "9"),
        call("call", "1"),
        hook("orphan 2", "9", "PreToolUse"),
        result("result", "1"),
        hook("orphan 3", "8", "PostToolUse"),
    ]);
    assert_eq!(order(messages), ["orphan 1", "call", "result", "orphan 2", "orphan 3"]);
}

#[test]
fn ids_are_compared_as_they_are_shown() {
    let json = r#"[
        {"type":"assistant","uuid":"call","message":{"content":[{"type":"tool_use","id":"\ud83d"}]}},
        {"type":"system","uuid":"notice"},
        {"type":"user","uuid":"result","message":{"content":[{"type":"tool_result","tool_use_id":"\ufffd"}]}}
    ]"#;
    let messages = serde_json::from_str(json).unwrap();
    assert_eq!(uuids(&reorder_for_ui(messages)), ["call", "result", "notice"]);
}

#[test]
fn an_empty_list_stays_empty() {
    assert_eq!(order(json!([])), [""; 0]);
}
