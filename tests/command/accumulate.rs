//! `turnproof accumulate` as people and pipes use it.

use std::io::Read;
use std::process::{Command, Stdio};

use crate::call::{run, turnproof};
use serde_json::{Value, json};

fn accumulate(arguments: &[&str], input: &[u8]) -> (i32, String, String) {
    run(turnproof(&["accumulate"]).args(arguments).write_stdin(input))
}

/// A reply with thinking, text and a call.
fn events() -> Vec<Value> {
    let start = json!({"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": [],
        "stop_reason": null, "stop_sequence": null, "usage": {"input_tokens": 9, "output_tokens": 1}});
    let delta = |index: u64, delta: Value| json!({"type": "content_block_delta", "index": index, "delta": delta});
    let block =
        |index: u64, block: Value| json!({"type": "content_block_start", "index": index, "content_block": block});
    let stop = |index: u64| json!({"type": "content_block_stop", "index": index});
    vec![
        json!({"type": "message_start", "message": start}),
        json!({"type": "ping"}),
        block(0, json!({"type": "thinking", "thinking": "", "signature": ""})),
        delta(0, json!({"type": "thinking_delta", "thinking": "Hm."})),
        delta(0, json!({"type": "signature_delta", "signature": "sig"})),
        stop(0),
        block(1, json!({"type": "text", "text": ""})),
        delta(1, json!({"type": "text_delta", "text": "Grüß "})),
        delta(1, json!({"type": "text_delta", "text": "dich."})),
        stop(1),
        block(2, json!({"type": "tool_use", "id": "toolu_1", "name": "Bash", "input": {}})),
        delta(2, json!({"type": "input_json_delta", "partial_json": "{\"n\":\n1.10"})),
        delta(2, json!({"type": "input_json_delta", "partial_json": "}"})),
        stop(2),
        json!({"type": "message_delta", "delta": {"stop_reason": "tool_use", "stop_sequence": null},
            "usage": {"output_tokens": 40}}),
        json!({"type": "message_stop"}),
    ]
}

fn response(events: &[Value]) -> String {
    let lines =
        events.iter().map(|event| format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap_or("message")));
    lines.collect()
}

fn json_lines(events: &[Value]) -> String {
    events.iter().map(|event| format!("{event}\n")).collect()
}

fn values(lines: &str) -> Vec<Value> {
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_response_becomes_one_message_for_each_block_with_late_fields_on_the_last() {
    let (code, out, error) = accumulate(&["--request-id", "req_1", "-"], response(&events()).as_bytes());
    assert_eq!((code, error.as_str()), (0, ""));
    let messages = values(&out);
    let blocks: Vec<&Value> = messages.iter().map(|line| &line["message"]["content"][0]).collect();
    assert_eq!(
        blocks,
        [
            &json!({"type": "thinking", "thinking": "Hm.", "signature": "sig"}),
            &json!({"type": "text", "text": "Grüß dich."}),
            &json!({"type": "tool_use", "id": "toolu_1", "name": "Bash", "input": {"n": 1.1}}),
        ]
    );
    let stops: Vec<&Value> = messages.iter().map(|line| &line["message"]["stop_reason"]).collect();
    assert_eq!(stops, [&Value::Null, &Value::Null, &json!("tool_use")]);
    assert_eq!(messages[1]["message"]["usage"], json!({"input_tokens": 9, "output_tokens": 1}));
    assert_eq!(messages[2]["message"]["usage"], json!({"input_tokens": 9, "output_tokens": 40}));
    assert!(messages.iter().all(|line| line["requestId"] == "req_1" && line["message"]["id"] == "msg_1"));
    assert_ne!(messages[0]["uuid"], messages[1]["uuid"]);
    assert!(out.contains("1.10"), "numbers keep their digits: {out}");
}

#[test]
fn all_forms_of_input_give_the_same() {
    let events = events();
    let expected = accumulate(&["--seed", "1", "-"], response(&events).as_bytes());
    let wrapped: Vec<Value> =
        events.iter().map(|event| json!({"type": "stream_event", "uuid": "x", "event": event})).collect();
    let array = serde_json::to_string_pretty(&events).unwrap();
    for input in [
        json_lines(&events),
        json_lines(&wrapped),
        array,
        format!("\u{FEFF}{}", json_lines(&events)),
        response(&events).replace('\n', "\r\n"),
    ] {
        assert_eq!(accumulate(&["--seed", "1", "-"], input.as_bytes()), expected, "{input}");
    }
    assert_ne!(accumulate(&["--seed", "2", "-"], response(&events).as_bytes()), expected);
}

#[test]
fn the_whole_message_of_each_reply_can_be_printed() {
    let twice = [events(), events()].concat();
    let (code, out, _) = accumulate(&["--whole", "-"], json_lines(&twice).as_bytes());
    let messages = values(&out);
    assert_eq!((code, messages.len()), (0, 2));
    assert_eq!(messages[0]["content"].as_array().unwrap().len(), 3);
    assert_eq!(messages[0]["usage"]["output_tokens"], 40);
    assert_eq!(messages[0], messages[1]);
}

#[test]
fn a_stream_cut_short_gives_what_was_shown_and_exit_code_1() {
    let (code, out, error) = accumulate(&["-"], response(&events()[..8]).as_bytes());
    assert_eq!((code, values(&out).len()), (1, 1));
    assert!(error.contains("at the end: unfinished") && error.contains("send the request again"), "{error}");

    let (code, out, _) = accumulate(&["--whole", "-"], response(&events()[..8]).as_bytes());
    assert_eq!((code, &values(&out)[0]["content"][1]["text"]), (1, &json!("Grüß ")));

    let (code, _, error) = accumulate(&["-"], response(&events()).trim_end().as_bytes());
    assert_eq!(code, 1);
    assert!(error.contains("inside an event"), "{error}");
}

#[test]
fn what_is_wrong_is_reported_with_its_place_and_the_rest_is_read() {
    let mut broken = events();
    broken.insert(3, json!({"type": "content_block_delta", "index": 7, "delta": {"type": "text_delta", "text": "x"}}));
    let whole = values(&accumulate(&["--seed", "1", "-"], response(&events()).as_bytes()).1);
    for (input, place) in [
        (response(&broken), "event 4"),
        (json_lines(&broken), "line 4"),
        (serde_json::to_string(&broken).unwrap(), "element 3"),
    ] {
        let (code, out, error) = accumulate(&["--seed", "1", "-"], input.as_bytes());
        assert_eq!(code, 1);
        assert_eq!(values(&out), whole);
        assert!(error.contains(&format!("{place}: no-such-block")), "{error}");
    }
    let input = json_lines(&events()).replacen("{\"type\":\"ping\"}", "garbage", 1);
    let (code, out, error) = accumulate(&["--seed", "1", "-"], input.as_bytes());
    assert_eq!((code, values(&out)), (1, whole));
    assert!(error.contains("line 2: bad-event"), "{error}");
}

#[test]
fn an_error_of_the_api_is_printed_in_its_words() {
    let mut failed = events()[..6].to_vec();
    failed.push(json!({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}));
    let (code, out, error) = accumulate(&["-"], response(&failed).as_bytes());
    assert_eq!((code, values(&out).len()), (1, 1));
    assert!(error.contains("event 7: api-error") && error.contains("`overloaded_error`: Overloaded"), "{error}");
    assert!(!error.contains("unfinished"), "{error}");
}

#[test]
fn what_cannot_be_read_is_exit_code_2() {
    for (arguments, input) in [
        (&["-"][..], ""),
        (&["-"], "this is no stream\n"),
        (&["-"], "[1,"),
        (&["/no/such/file"], ""),
        (&[], ""),
        (&["--seed", "x", "-"], ""),
    ] {
        let (code, out, error) = accumulate(arguments, input.as_bytes());
        assert_eq!((code, out.as_str()), (2, ""), "{arguments:?}");
        assert!(!error.is_empty());
    }
}

#[test]
fn a_closed_pipe_ends_the_command_quietly() {
    let block = |at: usize| {
        let text = "a".repeat(4000);
        [
            json!({"type": "content_block_start", "index": at, "content_block": {"type": "text", "text": text}}),
            json!({"type": "content_block_stop", "index": at}),
        ]
    };
    let all = events();
    let blocks = (0..200).flat_map(block);
    let mut stream: Vec<Value> = all[..1].iter().cloned().chain(blocks).chain(all[14..].iter().cloned()).collect();
    // There is no call in it.
    stream[401]["delta"]["stop_reason"] = json!("end_turn");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("long.jsonl");
    std::fs::write(&file, json_lines(&stream)).unwrap();
    let binary = assert_cmd::cargo::cargo_bin("turnproof");
    let mut child = Command::new(binary)
        .arg("accumulate")
        .arg(&file)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut error = String::new();
    child.stderr.take().unwrap().read_to_string(&mut error).unwrap();
    assert_eq!((child.wait().unwrap().code(), error.as_str()), (Some(0), ""));
}
