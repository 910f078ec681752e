//! The view over a bridge: no meta messages, no groups.

use serde_json::{Value, json};
use turnproof_reference::normalize::ui::{bridge_view, collapse_read_search, group_tool_uses};

use super::{call, call_of, list, result, shown, text, uuids};

fn view(messages: Value) -> Value {
    shown(&bridge_view(list(messages)))
}

fn meta(mut message: Value, flag: Value) -> Value {
    message["isMeta"] = flag;
    message
}

fn group(messages: Value, results: Value) -> Value {
    json!({"type": "grouped_tool_use", "uuid": "g", "toolName": "Bash", "messages": messages, "results": results})
}

#[test]
fn meta_messages_of_every_kind_are_dropped() {
    let system = json!({"type": "system", "uuid": "s"});
    let messages = json!([
        meta(text("a", "a"), json!(true)),
        text("b", "a"),
        meta(system.clone(), json!(true)),
        meta(text("c", "a"), json!(false)),
        meta(text("d", "a"), Value::Null),
        meta(group(json!([call("e", "1")]), json!([])), json!(true)),
        system,
    ]);
    let expected = json!([messages[1], messages[3], messages[4], messages[6]]);
    assert_eq!(view(messages), expected);
}

#[test]
fn groups_of_others_give_their_calls_and_then_their_results_in_place() {
    let calls = json!([call("a", "1"), call("b", "2")]);
    let results = json!([result("ra", "1"), result("rb", "2")]);
    let messages = json!([text("t", "a"), group(calls, results), text("u", "a")]);
    assert_eq!(uuids(&bridge_view(list(messages))), ["t", "a", "b", "ra", "rb", "u"]);
    // One of the lists may be missing.
    assert_eq!(uuids(&bridge_view(list(json!([group(json!([call("a", "1")]), Value::Null)])))), ["a"]);
    assert_eq!(uuids(&bridge_view(list(json!([group(Value::Null, json!([result("r", "1")]))])))), ["r"]);
}

#[test]
fn foldings_give_their_members_in_their_old_order_also_after_a_second_folding() {
    let messages = list(json!([
        call_of("a", "1", "msg_1", "Read"),
        result("ra", "1"),
        call_of("b", "2", "msg_1", "Read"),
        result("rb", "2"),
    ]));
    let once = collapse_read_search(messages.clone());
    assert_eq!(once.len(), 1);
    assert_eq!(bridge_view(once.clone()), messages);
    assert_eq!(bridge_view(group_tool_uses(once.clone())), messages);
    assert_eq!(bridge_view(group_tool_uses(group_tool_uses(once))), messages);
}

#[test]
fn a_folding_whose_order_does_not_fit_gives_calls_and_then_results() {
    let mut folded = group(json!([call("a", "1"), call("b", "2")]), json!([result("r", "1")]));
    for order in ["crc", "cr", "crcr", "rrc", "", "xyz"] {
        folded["foldedOrder"] = json!(order);
        let expected = if order == "crc" { ["a", "r", "b"] } else { ["a", "b", "r"] };
        assert_eq!(uuids(&bridge_view(list(json!([folded])))), expected, "{order}");
    }
}

#[test]
fn meta_messages_and_groups_inside_a_group_are_treated_alike() {
    let inner = group(json!([call("b", "2"), meta(call("c", "3"), json!(true))]), json!([]));
    let messages = json!([group(json!([call("a", "1"), inner, call("d", "4")]), json!([]))]);
    assert_eq!(uuids(&bridge_view(list(messages))), ["a", "b", "d"]);
}

#[test]
fn a_group_that_cannot_be_unfolded_stays() {
    let groups = json!([
        group(json!([]), json!([])),
        group(Value::Null, Value::Null),
        {"type": "grouped_tool_use", "uuid": "g"},
        group(json!([call("a", "1"), {"type": "novel"}]), json!([])),
        group(json!([call("a", "1")]), json!([7])),
        group(json!([call("a", "1"), {"type": "tombstone"}]), json!([])),
    ]);
    assert_eq!(view(groups.clone()), groups);
}
