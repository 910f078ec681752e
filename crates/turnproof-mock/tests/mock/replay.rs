//! Answers that were recorded are *replayed*: as they were sent, to the same request or in their order.

use serde_json::{Value, json};
use turnproof_mock::{Recording, Settings, faults};

use super::client::{Response, ask};
use super::{body, started};

/// A stream as a host sent it, with a member and an event that the mock does not write.
const STREAM: &str = concat!(
    "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"model\":\"m\",\"id\":\"msg_rec\",\"type\":",
    "\"message\",\"role\":\"assistant\",\"content\":[],\"stop_reason\":null,\"stop_sequence\":null,\"usage\":{",
    "\"input_tokens\":7,\"output_tokens\":1,\"inference_geo\":\"x\"}}}\n\n",
    "event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":",
    "{\"type\":\"text\",\"text\":\"\"}}\n\n",
    "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":",
    "{\"type\":\"text_delta\",\"text\":\"as it\"}}\n\n",
    "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":",
    "{\"type\":\"text_delta\",\"text\":\" was\"}}\n\n",
    "event: content_block_stop\ndata: {\"type\":\"content_block_stop\",\"index\":0}\n\n",
    "event: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\",\"stop_sequence\":null},",
    "\"usage\":{\"output_tokens\":4}}\n\n",
    "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n",
);

fn recording(name: &str, prompt: &str, status: u16, said: &str) -> Recording {
    let request = body(json!({"messages": [{"role": "user", "content": prompt}]}));
    Recording {
        name: name.to_owned(),
        request: Some(request.to_string().into_bytes()),
        status,
        body: said.as_bytes().to_vec(),
    }
}

fn message(text: &str) -> String {
    json!({
        "model": "m", "id": "msg_whole", "type": "message", "role": "assistant",
        "content": [
            {"type": "thinking", "thinking": "hm", "signature": "c2lnbmF0dXJl"},
            {"type": "text", "text": text},
            {"type": "tool_use", "id": "toolu_01", "name": "Bash", "input": {"command": "ls"}},
        ],
        "stop_reason": "tool_use", "stop_sequence": null,
        "usage": {"input_tokens": 3, "output_tokens": 9, "cache_read_input_tokens": 2},
    })
    .to_string()
}

fn recordings() -> Vec<Recording> {
    let error = r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded, they said"}}"#;
    vec![
        recording("a.yaml", "one", 200, STREAM),
        recording("b.yaml", "two", 200, &message("whole")),
        recording("c.yaml", "three", 529, error),
    ]
}

fn asked(prompt: &str, streams: bool) -> Value {
    body(json!({"messages": [{"role": "user", "content": prompt}], "stream": streams}))
}

/// What some requests get, and the notes on each.
fn answers(requests: &[Value], failing: &str) -> Vec<(Response, String)> {
    let faults = faults(failing).expect("faults");
    let (mock, exchanges) = started(Settings { replay: recordings(), faults, ..Settings::default() });
    let answers: Vec<Response> = requests.iter().map(|request| ask(&mock, request)).collect();
    answers.into_iter().zip(exchanges.iter().map(|exchange| exchange.notes.join("; "))).collect()
}

#[test]
fn the_same_request_gets_its_answer_as_it_was_sent() {
    let requests = [asked("three", false), asked("two", false), asked("one", true), asked("one", true)];
    let answers = answers(&requests, "");
    let [(three, of_three), (two, of_two), (one, of_one), (again, of_again)] = answers.as_slice() else {
        panic!("four answers")
    };
    assert_eq!((three.status, three.words()), (529, "Overloaded, they said".to_owned()));
    assert_eq!(two.text(), message("whole"));
    assert_eq!(one.text(), STREAM);
    assert_eq!([of_three, of_two, of_one], ["recorded in c.yaml", "recorded in b.yaml", "recorded in a.yaml"]);
    assert_eq!((again.status, of_again.as_str()), (200, "no recorded answer is left"));
}

#[test]
fn another_request_gets_the_next_answer_and_the_report_says_so() {
    let answers = answers(&[asked("changed", true), asked("three", true), asked("changed", true)], "");
    let other = |name: &str| format!("recorded in {name}, which answered another request");
    assert_eq!(answers[0].1, other("a.yaml"));
    assert_eq!((answers[1].0.status, answers[1].1.as_str()), (529, "recorded in c.yaml"));
    assert_eq!(answers[2].1, other("b.yaml"));
}

#[test]
fn an_answer_takes_the_form_that_is_asked_for() {
    let answers = answers(&[asked("one", false), asked("two", true)], "");
    let whole = answers[0].0.json();
    assert_eq!(
        (&whole["content"], &whole["usage"]["input_tokens"]),
        (&json!([{"type": "text", "text": "as it was"}]), &json!(7))
    );
    let reply = turnproof_rules::operation::Reply::read(&answers[1].0.body).expect("a stream");
    let mut said = serde_json::to_value(reply.said().expect("a message")).expect("JSON");
    let mut sent: Value = serde_json::from_str(&message("whole")).expect("JSON");
    // The API says of each call who made it.
    sent["content"][2]["caller"] = json!({"type": "direct"});
    for member in ["id", "model", "usage"] {
        (said[member], sent[member]) = (Value::Null, Value::Null);
    }
    assert_eq!(said, sent);
}

#[test]
fn an_answer_that_is_lost_on_its_way_is_given_again() {
    let answers = answers(&[asked("one", true), asked("one", true)], "cut-event=3");
    assert!(!answers[0].0.is_whole && STREAM.starts_with(&answers[0].0.text()), "{}", answers[0].0.text());
    assert_eq!(answers[1].0.text(), STREAM);
}
