//! Where official accumulators differ from each other: what this one does, a test for each case.
//! `tests/adapter_anthropic.rs` holds the Python package against it.

use super::*;

#[test]
fn an_event_before_the_start_is_an_error_with_a_name() {
    assert_eq!(accumulate(&[text(0, "a")]), (None, vec!["before-message-start"]));
}

#[test]
fn a_second_start_is_an_error_and_changes_nothing() {
    let (message, errors) = accumulate(&[start(), text_block(0), text(0, "a"), start()]);
    assert_eq!((message.unwrap()["content"][0]["text"].clone(), errors), (json!("a"), vec!["second-message-start"]));
}

#[test]
fn the_index_of_a_block_is_looked_at() {
    assert_eq!(blocks(&[start(), block(3, json!({"type": "text", "text": "x"}))]), Vec::<Value>::new());
}

#[test]
fn a_delta_for_an_unknown_index_is_an_error_and_never_hits_another_block() {
    for index in [-1, 1, 9] {
        let wrong = delta(index, json!({"type": "text_delta", "text": "x"}));
        let (message, errors) = accumulate(&[start(), text_block(0), wrong]);
        assert_eq!((message.unwrap()["content"][0]["text"].clone(), errors), (json!(""), vec!["no-such-block"]));
    }
}

#[test]
fn a_delta_that_does_not_fit_is_ignored_without_a_word() {
    let (message, errors) = accumulate(&[start(), text_block(0), input(0, "{"), stop(0)]);
    assert_eq!((message.unwrap()["content"][0].clone(), errors), (json!({"type": "text", "text": ""}), vec![]));
}

#[test]
fn a_signature_replaces_the_one_before() {
    let thinking = block(0, json!({"type": "thinking", "thinking": "", "signature": ""}));
    let signed = |signature: &str| delta(0, json!({"type": "signature_delta", "signature": signature}));
    assert_eq!(blocks(&[start(), thinking, signed("a"), signed("b")])[0]["signature"], "b");
}

#[test]
fn null_details_and_containers_leave_what_was_there() {
    let mut begun = start();
    begun["message"]["stop_details"] = json!({"type": "a"});
    begun["message"]["container"] = json!({"id": "c"});
    let nulls = json!({"type": "message_delta", "delta": {"stop_details": null, "container": null}});
    let message = accumulate(&[begun, nulls]).0.unwrap();
    assert_eq!((&message["stop_details"], &message["container"]), (&json!({"type": "a"}), &json!({"id": "c"})));
}

#[test]
fn a_container_is_set() {
    let container = json!({"type": "message_delta", "delta": {"container": {"id": "c"}}});
    assert_eq!(accumulate(&[start(), container]).0.unwrap()["container"], json!({"id": "c"}));
}

#[test]
fn details_of_the_output_tokens_are_set() {
    let details =
        json!({"type": "message_delta", "delta": {}, "usage": {"output_tokens_details": {"thinking_tokens": 3}}});
    assert_eq!(
        accumulate(&[start(), details]).0.unwrap()["usage"]["output_tokens_details"],
        json!({"thinking_tokens": 3})
    );
}

#[test]
fn a_compaction_replaces_the_content_and_is_not_appended() {
    let piece = |text: &str| delta(0, json!({"type": "compaction_delta", "content": text}));
    let stream = [start(), block(0, json!({"type": "compaction", "content": null})), piece("a"), piece("b")];
    assert_eq!(blocks(&stream)[0]["content"], "b");
}

#[test]
fn an_input_is_parsed_when_its_block_stops_and_its_text_survives_when_it_is_no_json() {
    let stream = [start(), call_block(0, "t"), input(0, "{\"a\": tru"), input(0, "}")];
    assert_eq!(accumulate(&stream).1, [""; 0], "nothing is parsed before the stop");
    let stopped = [&stream[..], &[stop(0)]].concat();
    assert_eq!(
        (blocks(&stopped)[0]["input"].clone(), accumulate(&stopped).1),
        (json!("{\"a\": tru}"), vec!["bad-input-json"])
    );
}

#[test]
fn the_input_keeps_its_place_among_the_members_of_a_call() {
    let call = r#"{"type":"tool_use","id":"t","name":"n","input":{},"caller":{"type":"direct"}}"#;
    let mut accumulator = Accumulator::new();
    let begun = format!(r#"{{"type":"content_block_start","index":0,"content_block":{call}}}"#);
    for event in [event(&start()), read(&begun).unwrap(), event(&input(0, "{\"a\":1}")), event(&stop(0))] {
        accumulator.apply(&event).unwrap();
    }
    assert_eq!(accumulator.stopped_blocks()[0].write().get(), call.replace("{},", "{\"a\":1},"));
}

#[test]
fn a_block_that_never_stops_is_stopped_by_the_late_fields() {
    let (message, errors) = accumulate(&[start(), text_block(0), text(0, "a"), late("max_tokens", 9)]);
    let message = message.unwrap();
    assert_eq!(
        (&message["content"][0]["text"], &message["stop_reason"], errors),
        (&json!("a"), &json!("max_tokens"), vec![])
    );
    assert_eq!(accumulate(&[start(), text_block(0), late("max_tokens", 9), text(0, "x")]).1, ["block-stopped"]);
}

#[test]
fn the_end_without_a_stop_is_told_and_what_there_is_can_be_had() {
    let mut accumulator = Accumulator::new();
    for json in [start(), text_block(0), text(0, "a")] {
        accumulator.apply(&event(&json)).unwrap();
    }
    assert_eq!(value(&accumulator.message().unwrap())["content"][0]["text"], "a");
    assert_eq!(accumulator.finish(), Err(StreamError::Unfinished));
}
