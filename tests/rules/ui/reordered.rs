//! Right orders, and the mistakes that are made in ordering.

use serde_json::{Value, json};
use turnproof_rules::operation::UiReordered;

use super::{broken_by_order, given};

/// A message by a short name: `c1` and `d1` are calls of tool 1, `r1` and `s1` its results, `p1` and `q1` hooks before
/// it, `h1`, `i1` and `j1` hooks after it. Anything else is a text.
fn message(name: &str) -> Value {
    let (sort, number) = name.split_at(1);
    let id = format!("toolu_{number}");
    let call = || json!({"type": "tool_use", "id": id, "name": "Bash", "input": {}});
    let result = || json!({"type": "tool_result", "tool_use_id": id, "content": "a"});
    match sort {
        "c" | "d" => json!({"type": "assistant", "uuid": name, "message": {"content": [call()]}}),
        "r" | "s" => json!({"type": "user", "uuid": name, "message": {"content": [result()]}}),
        "p" => json!({"type": "attachment", "uuid": name,
            "attachment": {"type": "hook_success", "toolUseID": id, "hookEvent": "PreToolUse"}}),
        "q" => json!({"type": "progress", "uuid": name, "toolUseID": id,
            "data": {"type": "hook_progress", "hookEvent": "PreToolUse"}}),
        "h" => json!({"type": "hook_result", "uuid": name, "toolUseID": id, "hookEvent": "PostToolUse"}),
        "i" => json!({"type": "progress", "uuid": name, "toolUseID": id,
            "data": {"type": "hook_progress", "hookEvent": "PostToolUseFailure"}}),
        "j" => json!({"type": "attachment", "uuid": name,
            "attachment": {"type": "hook_blocking_error", "toolUseID": id, "hookEvent": "PostToolUse"}}),
        // What looks like a part of a story and is not one.
        "C" => json!({"type": "assistant", "uuid": name, "message": {"content": [call(), call()]}}),
        "R" => json!({"type": "user", "uuid": name, "message": {"content": [result(), {"type": "text"}]}}),
        "U" => json!({"type": "user", "uuid": name, "message": {"content": [call()]}}),
        "S" => json!({"type": "attachment", "uuid": name,
            "attachment": {"type": "hook_success", "toolUseID": id, "hookEvent": "Stop"}}),
        "F" => json!({"type": "attachment", "uuid": name,
            "attachment": {"type": "file", "toolUseID": id, "hookEvent": "PreToolUse"}}),
        "P" => json!({"type": "progress", "uuid": name, "toolUseID": id, "data": {"type": "bash_progress"}}),
        "N" => json!({"type": "hook_result", "uuid": name, "toolUseID": 1, "hookEvent": "PreToolUse"}),
        "T" => json!({"type": "tombstone", "message": {"uuid": "c1"}}),
        "Y" => json!({"type": "system", "uuid": name, "toolUseID": id, "hookEvent": "PreToolUse"}),
        _ => json!({"type": "user", "uuid": name, "message": {"content": "a"}}),
    }
}

fn messages(names: &str) -> Value {
    names.split_whitespace().map(message).collect()
}

/// Lists, and their right order.
const RIGHT: &[(&str, &str)] = &[
    ("a", "a"),
    ("a c1 r1 b", "a c1 r1 b"),
    ("c1 a r1", "c1 r1 a"),
    ("c1 c2 r2 r1", "c1 r1 c2 r2"),
    ("c1 h1 r1 p1", "c1 p1 r1 h1"),
    ("c1 i1 q1 h1 s1 j1 r1 p1", "c1 q1 p1 s1 r1 i1 h1 j1"),
    ("r1 a c1", "a c1 r1"),
    ("p1 h1 c1", "c1 p1 h1"),
    ("r1 a h2 b p3", "r1 a h2 b p3"),
    ("c1 a d1 r1 b", "c1 a d1 r1 b"),
    ("c1 r1 d1 s1", "c1 r1 d1 s1"),
    ("c2 c1 d2 a r1 r2", "c2 c1 r1 d2 r2 a"),
    ("r1 c1 a d1", "c1 r1 a d1"),
    ("c1 C1 R1 r1", "c1 r1 C1 R1"),
    ("C1 r1 p1", "C1 r1 p1"),
    ("c1 S1 F1 P1 N1 Y1 U1 r1", "c1 r1 S1 F1 P1 N1 Y1 U1"),
    ("U1 r1", "U1 r1"),
    ("T1 c1 T1 r1", "c1 r1"),
    ("c1 a a b r1 r1", "c1 r1 r1 a a b"),
    ("x1 y2 z3 x1", "x1 y2 z3 x1"),
];

fn case(names: &str, output: Value) -> UiReordered {
    UiReordered {
        messages: messages(names).into(),
        again: Some(given(output.clone())),
        reordered: Some(given(output.clone())),
        output: given(output),
    }
}

#[test]
fn right_orders_break_nothing() {
    assert!(RIGHT.len() >= 15);
    for (names, order) in RIGHT {
        assert_eq!(broken_by_order(&case(names, messages(order))), [""; 0], "{names}");
    }
}

#[test]
fn a_message_lost_repeated_or_changed_is_detected() {
    for (names, order) in RIGHT {
        let right = messages(order).as_array().unwrap().clone();
        for at in 0..right.len() {
            let (mut lost, mut twice, mut changed) = (right.clone(), right.clone(), right.clone());
            lost.remove(at);
            twice.insert(at, right[at].clone());
            changed[at]["isMeta"] = json!(true);
            for wrong in [lost, twice, changed] {
                assert_eq!(broken_by_order(&case(names, json!(wrong))), ["ui/permutation"], "{names} at {at}");
            }
        }
    }
}

#[test]
fn events_that_pass_by_must_not_come_out() {
    assert_eq!(broken_by_order(&case("T1 c1 T1 r1", messages("T1 c1 r1"))), ["ui/permutation"]);
}

#[test]
fn every_other_order_is_detected() {
    let mut detections = 0;
    for (names, order) in RIGHT {
        let right = messages(order).as_array().unwrap().clone();
        for from in 0..right.len() {
            for to in 0..right.len() {
                let mut wrong = right.clone();
                let moved = wrong.remove(from);
                wrong.insert(to, moved);
                let broken = broken_by_order(&case(names, json!(wrong)));
                assert_eq!(broken.is_empty(), wrong == right, "{names}: {from} to {to}: {broken:?}");
                assert!(!broken.contains(&"ui/permutation"));
                detections += usize::from(!broken.is_empty());
            }
        }
    }
    assert!(detections > 300, "{detections}");
}

#[test]
fn orders_that_are_wrong_in_the_ways_of_the_field_are_detected_by_their_rule() {
    let story = ["ui/tool-story"];
    let others = ["ui/others-in-order"];
    for (names, wrong, rule) in [
        // Left where it stood.
        ("c1 a r1", "c1 a r1", &story[..]),
        ("r1 c1", "r1 c1", &story),
        // Hooks after the results, or before, or in reverse.
        ("c1 p1 r1 h1", "c1 r1 p1 h1", &story),
        ("c1 p1 r1 h1", "c1 p1 h1 r1", &story),
        ("c1 p1 q1 r1", "c1 q1 p1 r1", &story),
        ("c1 r1 s1", "c1 s1 r1", &story),
        // The first call with an id gets all results.
        ("c1 d1 r1", "c1 r1 d1", &story),
        ("c1 r1 d1 s1", "c1 r1 s1 d1", &story),
        // A hook is taken to stand before its call.
        ("c1 p1", "p1 c1", &story),
        // Orphans are carried to the end.
        ("r1 a", "a r1", &others),
        ("a p1 b", "a b p1", &others),
        // Calls are drawn together.
        ("c1 a c2", "c1 c2 a", &others),
        ("d1 a c1", "c1 a d1", &others),
        // What is no hook of a call moves.
        ("c1 a S1", "c1 S1 a", &others),
        ("c1 a P1", "c1 P1 a", &others),
        ("c1 a R1", "c1 R1 a", &others),
    ] {
        assert_eq!(broken_by_order(&case(names, messages(wrong))), rule, "{names}: {wrong}");
    }
}

#[test]
fn an_order_that_changes_again_is_detected() {
    for (names, order) in RIGHT.iter().filter(|(_, order)| order.split_whitespace().count() > 2) {
        let mut turned = messages(order).as_array().unwrap().clone();
        turned.rotate_left(1);
        for again in [given(json!(turned)), given(json!([])), given(json!(1)), Err("no".into())] {
            let wrong = UiReordered { reordered: Some(again), ..case(names, messages(order)) };
            assert_eq!(broken_by_order(&wrong), ["ui/reorder-idempotent"], "{names}");
        }
    }
}
