//! What the deltas of each type make of the blocks of each type.

use super::*;

/// The block that a start and some deltas make.
fn made(start: Value, deltas: &[Value]) -> Value {
    let deltas = deltas.iter().map(|added| delta(0, added.clone()));
    let inside: Vec<Value> = [block(0, start)].into_iter().chain(deltas).chain([stop(0)]).collect();
    whole(&reply(&inside))["content"][0].clone()
}

#[test]
fn deltas_are_added_to_the_text_of_the_start() {
    let piece = |text: &str| json!({"type": "text_delta", "text": text});
    assert_eq!(
        made(json!({"type": "text", "text": "a", "novelty": 1}), &[piece("b"), piece(""), piece("c")]),
        json!({"type": "text", "text": "abc", "novelty": 1})
    );
    assert_eq!(made(json!({"type": "text"}), &[]), json!({"type": "text"}));
    assert_eq!(made(json!({"type": "text", "text": null}), &[piece("b")]), json!({"type": "text", "text": "b"}));
}

#[test]
fn citations_are_added_one_by_one() {
    let cited = |title: &str| json!({"type": "citations_delta", "citation": {"title": title, "at": 1.0}});
    for none in [json!({"type": "text", "text": "a"}), json!({"type": "text", "text": "a", "citations": null})] {
        assert_eq!(
            made(none, &[cited("x"), cited("y")])["citations"],
            json!([{"title": "x", "at": 1.0}, {"title": "y", "at": 1.0}])
        );
    }
    let given = json!({"type": "text", "text": "a", "citations": [7]});
    assert_eq!(made(given, &[cited("x")])["citations"], json!([7, {"title": "x", "at": 1.0}]));
}

#[test]
fn thinking_grows_and_the_last_signature_is_kept() {
    let piece = |text: &str| json!({"type": "thinking_delta", "thinking": text, "estimated_tokens": 3});
    let signed = |text: &str| json!({"type": "signature_delta", "signature": text});
    assert_eq!(
        made(
            json!({"type": "thinking", "thinking": "", "signature": ""}),
            &[piece("Hm"), signed("s1"), piece("."), signed("s2")]
        ),
        json!({"type": "thinking", "thinking": "Hm.", "signature": "s2"})
    );
}

#[test]
fn redacted_thinking_comes_whole() {
    let redacted = json!({"type": "redacted_thinking", "data": "xyz"});
    assert_eq!(made(redacted.clone(), &[json!({"type": "thinking_delta", "thinking": "x"})]), redacted);
}

#[test]
fn the_input_of_every_sort_of_call_is_the_parsed_concatenation() {
    let piece = |text: &str| json!({"type": "input_json_delta", "partial_json": text});
    for name in ["tool_use", "server_tool_use", "mcp_tool_use"] {
        let start = json!({"type": name, "id": "t1", "name": "n", "input": {}});
        let call = made(start.clone(), &[piece(""), piece("{\"a\": [1"), piece("0, \"}\"]"), piece("}")]);
        assert_eq!(call, json!({"type": name, "id": "t1", "name": "n", "input": {"a": [10, "}"]}}));
        for json in ["[]", "7", "\"a\"", "null", " {} "] {
            assert_eq!(made(start.clone(), &[piece(json)])["input"], serde_json::from_str::<Value>(json).unwrap());
        }
    }
}

#[test]
fn a_call_without_input_has_that_of_its_start_or_an_empty_one() {
    let piece = |text: &str| json!({"type": "input_json_delta", "partial_json": text});
    for nothing in [vec![], vec![piece("")], vec![piece(" \n"), piece("\t\r")]] {
        let with = |input: Value| made(json!({"type": "tool_use", "id": "t1", "name": "n", "input": input}), &nothing);
        assert_eq!(with(json!({"a": 1}))["input"], json!({"a": 1}));
        for other in [json!({}), json!(null), json!("a"), json!([1])] {
            assert_eq!(with(other)["input"], json!({}));
        }
        assert_eq!(made(json!({"type": "tool_use", "id": "t1"}), &nothing)["input"], json!({}));
    }
    let given = json!({"type": "tool_use", "id": "t1", "name": "n", "input": {"a": 1}});
    assert_eq!(made(given, &[piece("{\"b\":2}")])["input"], json!({"b": 2}));
}

#[test]
fn the_digits_of_an_input_stay_as_they_came_and_it_fits_on_one_line() {
    let mut accumulator = Accumulator::new();
    let pieces = ["{\n  \"pi\": 3.14", "0, \"big\": 123456789012345678901234567890,\r\n", "\"text\": \"a\\n b\" }"];
    let pieces = pieces.iter().map(|piece| input(0, piece));
    for json in [start(), call_block(0, "t1")].into_iter().chain(pieces).chain([stop(0)]) {
        accumulator.apply(&event(&json)).unwrap();
    }
    let json = accumulator.stopped_blocks()[0].write();
    let expected = r#"{"pi":3.140,"big":123456789012345678901234567890,"text":"a\n b"}"#;
    assert_eq!(json.get(), format!(r#"{{"type":"tool_use","id":"t1","name":"Bash","input":{expected}}}"#));
}

#[test]
fn a_compaction_delta_replaces_the_content() {
    let whole = |content: Value| json!({"type": "compaction_delta", "content": content});
    let start = json!({"type": "compaction", "content": null});
    assert_eq!(
        made(start.clone(), &[whole(json!("a")), whole(json!("b"))]),
        json!({"type": "compaction", "content": "b"})
    );
    let both = json!({"type": "compaction_delta", "content": "a", "encrypted_content": "xyz"});
    assert_eq!(
        made(start, &[both, whole(json!(null))]),
        json!({"type": "compaction", "content": null, "encrypted_content": "xyz"})
    );
}

#[test]
fn a_delta_that_does_not_fit_its_block_changes_nothing() {
    let deltas = [
        json!({"type": "text_delta", "text": "x"}),
        json!({"type": "input_json_delta", "partial_json": "{\"x\":1}"}),
        json!({"type": "citations_delta", "citation": {}}),
        json!({"type": "thinking_delta", "thinking": "x"}),
        json!({"type": "signature_delta", "signature": "x"}),
        json!({"type": "compaction_delta", "content": "x"}),
        json!({"type": "novel_delta", "text": "x"}),
        json!({}),
    ];
    for (start, fitting) in [
        (json!({"type": "text", "text": "a"}), &[0, 2][..]),
        (json!({"type": "thinking", "thinking": "a", "signature": "b"}), &[3, 4]),
        (json!({"type": "tool_use", "id": "t", "name": "n", "input": {}}), &[1]),
        (json!({"type": "server_tool_use", "id": "t", "name": "n", "input": {}}), &[1]),
        (json!({"type": "redacted_thinking", "data": "a"}), &[]),
        (json!({"type": "web_search_tool_result", "tool_use_id": "t", "content": []}), &[]),
        (json!({"type": "compaction", "content": "a"}), &[5]),
        (json!({"type": "novelty", "text": "a"}), &[]),
        (json!({"text": "a"}), &[]),
    ] {
        for (at, delta) in deltas.iter().enumerate() {
            let has_changed = made(start.clone(), std::slice::from_ref(delta)) != start;
            assert_eq!(has_changed, fitting.contains(&at), "{start} {delta}");
        }
    }
}

#[test]
fn blocks_of_server_tools_and_of_unknown_types_are_kept_as_given() {
    let result = json!({"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": [{"url": "u"}]});
    let novelty = json!({"type": "novelty", "deep": {"a": [1.50]}});
    let stream = reply(&[block(0, result.clone()), stop(0), block(1, novelty.clone()), stop(1)]);
    assert_eq!(whole(&stream)["content"], json!([result, novelty]));
}

#[test]
fn a_fallback_block_names_the_new_model_of_the_message() {
    let fallback = json!({"type": "fallback", "from": {"model": "m1"}, "to": {"model": "m2"}});
    let message = whole(&reply(&[text_block(0), stop(0), block(1, fallback.clone()), stop(1), text_block(2), stop(2)]));
    assert_eq!((&message["model"], &message["content"][1]), (&json!("m2"), &fallback));
    let mut looped = Loop::new();
    looped.play(&reply(&[text_block(0), stop(0), block(1, fallback), stop(1), text_block(2), stop(2)]));
    let models: Vec<Value> = looped.live().iter().map(|line| line["message"]["model"].clone()).collect();
    assert_eq!(models, ["m1", "m2", "m2"]);
    for odd in [
        json!({"type": "fallback"}),
        json!({"type": "fallback", "to": "m2"}),
        json!({"type": "other", "to": {"model": "m2"}}),
    ] {
        assert_eq!(whole(&reply(&[block(0, odd), stop(0)]))["model"], "m1");
    }
}

#[test]
fn a_start_may_hold_content_already() {
    let content =
        json!([{"type": "text", "text": "a"}, {"type": "tool_use", "id": "t", "name": "n", "input": {"a": 1}}]);
    let stream = [start_with(content.clone()), text_block(2), text(2, "b"), stop(2), end()];
    let expected = json!([content[0], content[1], {"type": "text", "text": "b"}]);
    assert_eq!(whole(&stream)["content"], expected);
    assert_eq!(blocks(&[start_with(json!("plain"))]), [json!({"type": "text", "text": "plain"})]);
    assert_eq!(blocks(&[start_with(json!(""))]), Vec::<Value>::new());
    assert_eq!(blocks(&[start_with(json!(null))]), Vec::<Value>::new());
}

#[test]
fn events_are_written_as_they_were_read() {
    let stream = reply(&[
        text_block(0),
        delta(0, json!({"type": "text_delta", "text": "a", "novelty": 1})),
        delta(0, json!({"type": "input_json_delta", "partial_json": "{"})),
        delta(0, json!({"type": "citations_delta", "citation": {"a": 1}})),
        delta(0, json!({"type": "thinking_delta", "thinking": "a"})),
        delta(0, json!({"type": "signature_delta", "signature": "a"})),
        delta(0, json!({"type": "compaction_delta", "content": null})),
        delta(0, json!({"type": "novel_delta", "text": 7})),
        delta(0, json!({})),
        stop(0),
        json!({"type": "ping", "novelty": [1]}),
        json!({"type": "error", "error": {"type": "api_error", "message": "x"}, "request_id": "req_1"}),
        json!({"type": "error", "error": null}),
        json!({"type": "novelty", "index": 7}),
        json!({"index": 7}),
        json!({"type": null, "index": 7}),
        json!({"type": "message_delta", "delta": {"stop_reason": null, "container": {"id": "c"}}, "usage": null}),
    ]);
    for json in stream {
        let read = event(&json);
        let written: Value = serde_json::from_str(read.write().get()).unwrap();
        assert_eq!(written, json);
        assert_eq!(read.type_name(), json["type"].as_str().unwrap_or_default());
        assert_eq!(event(&written), read);
    }
}

#[test]
fn a_delta_that_does_not_fit_is_ignored_without_an_error() {
    let (message, errors) = accumulate(&[start(), text_block(0), input(0, "{"), stop(0)]);
    assert_eq!((message.unwrap()["content"][0].clone(), errors), (json!({"type": "text", "text": ""}), vec![]));
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
