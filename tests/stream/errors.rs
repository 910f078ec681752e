//! The table of *errors*: each has its name, and the stream continues as the table says.

use std::slice;

use super::*;

#[test]
fn what_comes_before_the_start_is_ignored() {
    for early in [text_block(0), text(0, "a"), stop(0), late("end_turn", 1), end()] {
        let (message, errors) = accumulate(slice::from_ref(&early));
        assert_eq!((message, errors), (None, vec!["before-message-start"]), "{early}");
        let stream = [&[early][..], &reply(&[text_block(0), text(0, "a"), stop(0)])].concat();
        let (message, errors) = accumulate(&stream);
        assert_eq!(errors, ["before-message-start"]);
        assert_eq!(message.unwrap(), whole(&stream[1..]));
    }
}

#[test]
fn pings_and_unknown_events_may_come_anywhere() {
    let noise = [json!({"type": "ping"}), json!({"type": "vendor_notice", "index": -1}), json!({"novelty": 1})];
    let plain = reply(&[text_block(0), text(0, "a"), stop(0)]);
    let noisy: Vec<Value> = plain.iter().flat_map(|event| [&noise[..], slice::from_ref(event)].concat()).collect();
    assert_eq!(whole(&[noisy, noise.to_vec()].concat()), whole(&plain));
}

#[test]
fn a_second_start_leaves_the_message_as_it_was() {
    let mut other = start();
    other["message"]["id"] = "msg_2".into();
    for second in [start(), other] {
        let stream = [&[start(), text_block(0), text(0, "a"), second][..], &[text(0, "b"), end()]].concat();
        let (message, errors) = accumulate(&stream);
        let message = message.unwrap();
        assert_eq!(errors, ["second-message-start"]);
        assert_eq!((&message["id"], &message["content"][0]["text"]), (&json!("msg_1"), &json!("ab")));
    }
}

#[test]
fn what_comes_after_the_end_is_ignored_until_another_reply_starts() {
    let plain = reply(&[text_block(0), text(0, "a"), stop(0)]);
    for (late_event, name) in [
        (text_block(1), Some("after-message-stop")),
        (text(0, "b"), Some("after-message-stop")),
        (stop(0), Some("after-message-stop")),
        (late("max_tokens", 99), Some("after-message-stop")),
        (end(), Some("after-message-stop")),
        (json!({"type": "ping"}), None),
        (json!({"type": "vendor_notice"}), None),
        (json!({"type": "error", "error": {"type": "api_error", "message": "x"}}), Some("api-error")),
    ] {
        let (message, errors) = accumulate(&[&plain[..], slice::from_ref(&late_event)].concat());
        assert_eq!(errors, Vec::from_iter(name), "{late_event}");
        assert_eq!(message.unwrap(), whole(&plain), "{late_event}");
    }
    let again = reply(&[text_block(0), text(0, "c"), stop(0)]);
    assert_eq!(whole(&[plain, again.clone()].concat()), whole(&again));
}

#[test]
fn a_block_at_a_wrong_index_is_ignored() {
    for index in [json!(1), json!(7), json!(-1), json!(0.5), json!(1e300), json!(u64::MAX)] {
        let wrong = block(index.clone(), json!({"type": "text", "text": "x"}));
        let (message, errors) = accumulate(&reply(&[wrong, text_block(0), text(0, "a"), stop(0)]));
        assert_eq!(errors, ["wrong-block-index"], "{index}");
        assert_eq!(message.unwrap(), whole(&reply(&[text_block(0), text(0, "a"), stop(0)])));
    }
    let reopened = [text_block(0), text(0, "a"), stop(0), text_block(0), text_block(1), stop(1)];
    let (message, errors) = accumulate(&reply(&reopened));
    assert_eq!(errors, ["wrong-block-index"]);
    assert_eq!(message.unwrap()["content"], json!([{"type": "text", "text": "a"}, {"type": "text", "text": ""}]));
}

#[test]
fn a_wrong_index_does_not_stop_the_block_that_is_open() {
    let (message, errors) = accumulate(&reply(&[text_block(0), text(0, "a"), text_block(5), text(0, "b")]));
    assert_eq!(errors, ["wrong-block-index"]);
    assert_eq!(message.unwrap()["content"][0]["text"], "ab");
}

#[test]
fn an_index_is_a_number_however_it_is_written() {
    let stream = [start(), text_block(0), stop(json!(0.0)), block(json!(1.0), json!({"type": "text"}))];
    assert_eq!(accumulate(&stream).1, [""; 0]);
    let written = r#"{"type":"content_block_stop","index":0e0}"#;
    let mut accumulator = Accumulator::new();
    for event in [event(&start()), event(&text_block(0)), read(written).unwrap()] {
        accumulator.apply(&event).unwrap();
    }
    assert_eq!(accumulator.stopped_blocks().len(), 1);
}

#[test]
fn a_block_that_is_still_open_is_stopped_by_the_next_one() {
    let stream = reply(&[call_block(0, "toolu_1"), input(0, "{\"a\":1}"), text_block(1), text(1, "b"), stop(1)]);
    let (message, errors) = accumulate(&stream);
    assert_eq!(errors, ["block-still-open"]);
    assert_eq!(
        message.unwrap()["content"],
        json!([{"type": "tool_use", "id": "toolu_1", "name": "Bash", "input": {"a": 1}}, {"type": "text", "text": "b"}])
    );
}

#[test]
fn a_block_that_was_never_started_gets_nothing() {
    for index in [json!(1), json!(-1), json!(0.5), json!(u64::MAX), json!(1e300)] {
        for wrong in [delta(index.clone(), json!({"type": "text_delta", "text": "x"})), stop(index.clone())] {
            let (message, errors) = accumulate(&reply(&[text_block(0), wrong.clone(), text(0, "a"), stop(0)]));
            assert_eq!(errors, ["no-such-block"], "{wrong}");
            assert_eq!(message.unwrap()["content"], json!([{"type": "text", "text": "a"}]));
        }
    }
    assert_eq!(accumulate(&[start(), stop(0)]).1, ["no-such-block"]);
}

#[test]
fn a_block_that_is_stopped_gets_nothing_more() {
    for wrong in [text(0, "x"), stop(0)] {
        let (message, errors) =
            accumulate(&reply(&[text_block(0), text(0, "a"), stop(0), text_block(1), wrong, stop(1)]));
        assert_eq!(errors, ["block-stopped"]);
        assert_eq!(message.unwrap()["content"], json!([{"type": "text", "text": "a"}, {"type": "text", "text": ""}]));
    }
    assert_eq!(accumulate(&[start(), text_block(0), late("max_tokens", 9), text(0, "x")]).1, ["block-stopped"]);
    let content = json!([{"type": "text", "text": "given"}]);
    assert_eq!(accumulate(&[start_with(content), text(0, "x")]).1, ["block-stopped"]);
}

#[test]
fn an_input_that_is_no_json_is_kept_as_a_string() {
    let begun = [start(), call_block(0, "toolu_1"), input(0, "{\"a\": tru"), input(0, "}")];
    assert_eq!(accumulate(&begun).1, [""; 0], "nothing is parsed before the stop");
    for bad in ["{\"a\":", "{\"a\":1}}", "nul", "{'a':1}", "\u{a0}", "[1,]", "{} {}", "1 2", "\"\u{1}\""] {
        let (message, errors) = accumulate(&reply(&[call_block(0, "toolu_1"), input(0, bad), stop(0)]));
        assert_eq!(errors, ["bad-input-json"], "{bad}");
        assert_eq!(message.unwrap()["content"][0]["input"], bad);
    }
    for stops in [&[text_block(1)][..], &[late("max_tokens", 9)], &[end()]] {
        let cut = [&[start(), call_block(0, "toolu_1"), input(0, "{\"a\":\"b")], stops].concat();
        let (message, errors) = accumulate(&cut);
        let expected = if stops[0] == text_block(1) { "block-still-open" } else { "bad-input-json" };
        assert_eq!(errors, [expected]);
        assert_eq!(message.unwrap()["content"][0]["input"], "{\"a\":\"b");
    }
}

#[test]
fn an_input_too_deep_for_a_transcript_is_kept_as_a_string() {
    let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    assert!(whole(&reply(&[call_block(0, "t"), input(0, &nested(120)), stop(0)]))["content"][0]["input"].is_array());
    let (message, errors) = accumulate(&reply(&[call_block(0, "t"), input(0, &nested(121)), stop(0)]));
    assert_eq!(errors, ["bad-input-json"]);
    assert_eq!(message.unwrap()["content"][0]["input"], nested(121));
    let deep = nested(100_000);
    assert_eq!(accumulate(&reply(&[call_block(0, "t"), input(0, &deep), stop(0)])).1, ["bad-input-json"]);
    assert_eq!(read(&format!("{{\"type\":\"ping\",\"x\":{deep}}}")).unwrap_err().name(), "bad-event");
}

#[test]
fn a_wrong_field_costs_a_stream_neither_its_message_nor_a_block() {
    let message = json!({"id": 7, "role": "assistant", "content": [], "stop_reason": {},
        "usage": {"input_tokens": "12", "output_tokens": 1}});
    let events = [
        json!({"type": "message_start", "message": message}),
        json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": 7}}),
        text(0, "a"),
        stop(0),
        json!({"type": "content_block_start", "index": 1, "content_block": {"type": "tool_use", "id": "t", "name": []}}),
        stop(1),
        json!({"type": "message_delta", "delta": {"stop_reason": 7}, "usage": {"output_tokens": "5"}}),
        json!({"type": "message_delta", "delta": {"stop_sequence": "b"}, "usage": 7}),
        json!({"type": "message_stop"}),
    ];
    let (message, errors) = accumulate(&events);
    assert_eq!(errors, [""; 0]);
    let content = json!([{"type": "text", "text": "a"}, {"type": "tool_use", "id": "t", "name": [], "input": {}}]);
    let usage = json!({"input_tokens": "12", "output_tokens": 1});
    let whole = json!({"id": 7, "role": "assistant", "content": content, "stop_reason": {}, "stop_sequence": "b",
        "usage": usage});
    assert_eq!(message.unwrap(), whole);
}

#[test]
fn an_event_that_lacks_what_its_type_needs_is_no_event() {
    for bad in [
        json!(7),
        json!("message_stop"),
        json!([]),
        json!(null),
        json!({"type": 7}),
        json!({"type": "message_start"}),
        json!({"type": "message_start", "message": null}),
        json!({"type": "message_start", "message": [7]}),
        json!({"type": "content_block_start", "content_block": {"type": "text"}}),
        json!({"type": "content_block_start", "index": 0}),
        json!({"type": "content_block_start", "index": "0", "content_block": {"type": "text"}}),
        json!({"type": "content_block_start", "index": null, "content_block": {"type": "text"}}),
        json!({"type": "content_block_start", "index": 0, "content_block": "text"}),
        json!({"type": "content_block_delta", "index": 0}),
        json!({"type": "content_block_delta", "delta": {"type": "text_delta", "text": "x"}}),
        delta(0, json!({"type": "text_delta"})),
        delta(0, json!({"type": "text_delta", "text": null})),
        delta(0, json!({"type": "input_json_delta", "partial_json": {}})),
        delta(0, json!({"type": "citations_delta"})),
        delta(0, json!({"type": "thinking_delta", "text": "x"})),
        delta(0, json!({"type": "signature_delta", "signature": 7})),
        delta(0, json!({"type": 7})),
        json!({"type": "content_block_stop"}),
        json!({"type": "message_delta", "usage": {"output_tokens": 5}}),
        json!({"type": "message_delta", "delta": 7}),
    ] {
        let error = read(&bad.to_string()).expect_err(&bad.to_string());
        assert_eq!(error.name(), "bad-event", "{bad}");
        let (message, errors) = accumulate(&reply(&[text_block(0), bad.clone(), text(0, "a"), stop(0)]));
        assert_eq!(errors, ["bad-event"], "{bad}");
        assert_eq!(message.unwrap()["content"], json!([{"type": "text", "text": "a"}]));
    }
}

#[test]
fn an_error_names_the_member_that_is_missing_or_wrong() {
    for (bad, words) in [
        (delta(0, json!({"type": "text_delta", "text": 7})), "`delta.text` should be a string, not number: 7"),
        (json!({"type": "content_block_stop"}), "`index` should be a number, not absent"),
        (block(0, json!([])), "`content_block` should be an object, not array: []"),
        (json!({"type": 7}), "`type` should be a string, not number: 7"),
    ] {
        let error = read(&bad.to_string()).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
}

#[test]
fn an_error_of_the_api_ends_the_stream_and_what_was_shown_stays() {
    let failure = json!({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}});
    let mut looped = Loop::new();
    looped.play(&[start(), text_block(0), text(0, "a"), stop(0), text_block(1), text(1, "b"), failure.clone()]);
    looped.play(&[text(1, "c"), stop(1), late("end_turn", 5), end()]);
    assert_eq!(
        looped.errors,
        ["api-error", "after-message-stop", "after-message-stop", "after-message-stop", "after-message-stop"]
    );
    assert_eq!(says(&looped.live()), ["a"]);
    assert_eq!(looped.live()[0]["message"]["stop_reason"], Value::Null);

    let mut accumulator = Accumulator::new();
    accumulator.apply(&event(&start())).unwrap();
    let error = accumulator.apply(&event(&failure)).unwrap_err();
    assert!(
        matches!(&error, StreamError::ApiError { kind, message } if kind == "overloaded_error" && message == "Overloaded")
    );
    assert!(accumulator.is_over());
    assert_eq!(accumulator.finish(), Err(StreamError::Unfinished));
    for odd in
        [json!({"type": "error"}), json!({"type": "error", "error": null}), json!({"type": "error", "error": "busy"})]
    {
        assert_eq!(accumulate(&[odd]).1, ["api-error"]);
    }
}

#[test]
fn a_message_is_whole_only_after_its_stop() {
    let events = reply(&[text_block(0), text(0, "a"), stop(0)]);
    for cut in 0..events.len() {
        let mut accumulator = Accumulator::new();
        events[..cut].iter().for_each(|json| drop(accumulator.apply(&event(json)).unwrap()));
        assert_eq!(accumulator.has_begun(), cut > 0);
        assert_eq!(accumulator.finish().unwrap_err().name(), "unfinished");
    }
}

#[test]
fn every_name_of_the_table_is_the_name_of_an_error() {
    let spec = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../SPEC.md")).unwrap();
    let section = spec.split("\n### ").find(|section| section.starts_with("4.4 ")).unwrap();
    let rows = section.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next());
    assert_eq!(rows.collect::<Vec<_>>(), StreamError::NAMES);
}
