//! The reference does both operations on JSON text.

use serde_json::{Value, json};
use turnproof_rules::operation::Operation;
use turnproof_suite::subject::{Outcome, Reference, Subject};

use super::{call, result, text};

fn answer(outcome: Outcome<String>) -> Value {
    match outcome {
        Outcome::Output(json) => serde_json::from_str(&json).expect("JSON"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_reference_splits_and_reorders() {
    let messages = json!([text("t", "a"), call("c", "1"), text("u", "b"), result("r", "1")]).to_string();
    let said = json!([{"type": "text", "text": "a"}]);
    assert_eq!(answer(Reference.normalize_ui(&messages))[0]["message"]["content"], said);
    assert_eq!(answer(Reference.reorder_ui(&messages))[2]["uuid"], "r");
    assert!(Reference.supports(Operation::NormalizeUi) && Reference.supports(Operation::ReorderUi));
}

#[test]
fn events_that_are_no_messages_are_left_out() {
    let events = json!([
        {"type": "tombstone", "message": {}},
        {"type": "tool_use_summary", "summary": "a"},
        {"type": "system", "uuid": "kept"},
        {"type": "stream_event", "event": {}},
        {"type": "stream_request_start"},
    ]);
    let kept = json!([{"type": "system", "uuid": "kept"}]);
    assert_eq!(answer(Reference.normalize_ui(&events.to_string())), kept);
    assert_eq!(answer(Reference.reorder_ui(&events.to_string())), kept);
}

#[test]
fn halves_of_surrogate_pairs_come_through() {
    let json = r#"[{"type":"user","uuid":"\ud83d","message":{"content":"half \ude00"}}]"#;
    let expected = r#"[{"type":"user","uuid":"\ud83d","message":{"content":[{"type":"text","text":"half \ude00"}]}}]"#;
    assert_eq!(Reference.normalize_ui(json), Outcome::Output(expected.into()));
    assert_eq!(Reference.reorder_ui(json), Outcome::Output(json.into()));
}

#[test]
fn what_is_no_array_of_events_is_rejected() {
    for json in ["", "{}", "[1]", r#"[{"type":"novel"}]"#, r#"[{"type":7}]"#] {
        assert!(matches!(Reference.normalize_ui(json), Outcome::Rejected(_)), "{json}");
        assert!(matches!(Reference.reorder_ui(json), Outcome::Rejected(_)), "{json}");
    }
}
