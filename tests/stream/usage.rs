//! What `message_delta` sets: reasons, totals, and other members of the message.

use super::*;

fn after(delta: Value, usage: Value) -> Value {
    let late = json!({"type": "message_delta", "delta": delta, "usage": usage});
    accumulate(&[start(), late]).0.expect("a message")
}

#[test]
fn totals_replace_and_are_never_added() {
    let first = json!({"type": "message_delta", "delta": {}, "usage": {"output_tokens": 5, "input_tokens": null}});
    let second = json!({"type": "message_delta", "delta": {},
        "usage": {"output_tokens": 8, "server_tool_use": {"web_search_requests": 2}, "novel_tokens": 1}});
    let message = accumulate(&[start(), first, second]).0.unwrap();
    assert_eq!(
        message["usage"],
        json!({"input_tokens": 10, "output_tokens": 8, "cache_read_input_tokens": 3,
            "server_tool_use": {"web_search_requests": 2}, "novel_tokens": 1})
    );
}

#[test]
fn every_total_may_come_late() {
    let usage = json!({"input_tokens": 11, "output_tokens": 12, "cache_creation_input_tokens": 13,
        "cache_read_input_tokens": 14, "server_tool_use": {"web_fetch_requests": 1},
        "cache_creation": {"ephemeral_1h_input_tokens": 2}, "service_tier": "batch", "iterations": [],
        "output_tokens_details": {"thinking_tokens": 7}});
    assert_eq!(after(json!({}), usage.clone())["usage"], usage);
}

#[test]
fn a_message_that_began_without_usage_gets_that_of_the_end() {
    for none in [json!({"id": "m"}), json!({"id": "m", "usage": null})] {
        let stream = [json!({"type": "message_start", "message": none}), late("end_turn", 4)];
        assert_eq!(accumulate(&stream).0.unwrap()["usage"], json!({"output_tokens": 4}));
    }
    assert_eq!(after(json!({}), json!(null))["usage"], after(json!({}), json!({}))["usage"]);
}

#[test]
fn reasons_are_set_as_they_come_and_stay_when_they_do_not() {
    let message = after(json!({"stop_reason": "stop_sequence", "stop_sequence": "END"}), json!({}));
    assert_eq!((&message["stop_reason"], &message["stop_sequence"]), (&json!("stop_sequence"), &json!("END")));
    let again = |delta: Value| {
        let first = json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"}});
        let second = json!({"type": "message_delta", "delta": delta});
        accumulate(&[start(), first, second]).0.unwrap()["stop_reason"].clone()
    };
    assert_eq!(again(json!({})), "end_turn");
    assert_eq!(again(json!({"stop_reason": null})), "end_turn");
    assert_eq!(again(json!({"stop_reason": "refusal"})), "refusal");
}

#[test]
fn a_sequence_comes_only_with_its_reason() {
    let again = |delta: Value| {
        let first = json!({"type": "message_delta", "delta": {"stop_reason": "stop_sequence", "stop_sequence": "END"}});
        let second = json!({"type": "message_delta", "delta": delta});
        accumulate(&[start(), first, second]).0.unwrap()["stop_sequence"].clone()
    };
    assert_eq!(again(json!({"stop_sequence": null})), "END");
    assert_eq!(again(json!({"stop_reason": null, "stop_sequence": null})), "END");
    assert_eq!(again(json!({"stop_reason": "end_turn", "stop_sequence": null})), Value::Null);
    assert_eq!(again(json!({"stop_reason": "end_turn"})), "END");
}

#[test]
fn other_members_are_set_when_they_are_not_null() {
    let mut begun = start();
    begun["message"]["container"] = json!({"id": "c0"});
    begun["message"]["stop_details"] = json!({"type": "old"});
    let delta = |delta: Value| json!({"type": "message_delta", "delta": delta});
    let null = delta(json!({"container": null, "stop_details": null, "context_management": null}));
    let message = accumulate(&[begun.clone(), null]).0.unwrap();
    assert_eq!((&message["container"]["id"], &message["stop_details"]["type"]), (&json!("c0"), &json!("old")));
    assert_eq!(message.get("context_management"), None);

    let new = delta(json!({"container": {"id": "c1"}, "stop_details": {"type": "refusal"},
        "context_management": {"applied_edits": []}, "novelty": 7}));
    let message = accumulate(&[begun, new]).0.unwrap();
    assert_eq!(
        (&message["container"]["id"], &message["stop_details"]["type"], &message["novelty"]),
        (&json!("c1"), &json!("refusal"), &json!(7))
    );
    assert_eq!(message["context_management"], json!({"applied_edits": []}));
}

#[test]
fn what_the_start_and_the_blocks_give_is_not_taken_from_a_delta() {
    let stream = reply(&[text_block(0), text(0, "a"), stop(0)]);
    let mut meddling = stream.clone();
    for (name, value) in [
        ("id", json!("msg_9")),
        ("type", json!("x")),
        ("role", json!("user")),
        ("model", json!("m9")),
        ("content", json!([])),
        ("usage", json!({"output_tokens": 99})),
    ] {
        meddling[4]["delta"][name] = value;
    }
    assert_eq!(whole(&meddling), whole(&stream));
}

#[test]
fn what_the_api_puts_beside_the_delta_is_set_too() {
    let edits = json!({"applied_edits": [{"type": "clear_tool_uses_20250919"}]});
    let beside = json!({"type": "message_delta", "delta": {}, "context_management": edits,
        "input_transformations": [1], "sequence": 7});
    let message = accumulate(&[start(), beside]).0.unwrap();
    assert_eq!((&message["context_management"], &message["input_transformations"]), (&edits, &json!([1])));
    assert_eq!(message.get("sequence"), None, "what is unknown there is the event's own");
    let both = json!({"type": "message_delta", "delta": {"context_management": 1}, "context_management": 2});
    assert_eq!(accumulate(&[start(), both]).0.unwrap()["context_management"], 1);
    let null = json!({"type": "message_delta", "delta": {}, "context_management": null});
    assert_eq!(accumulate(&[start(), null]).0.unwrap().get("context_management"), None);
}
