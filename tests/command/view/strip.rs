//! The *strip* of requests: a bar for each request that a session notes, and none where it notes none.

use serde_json::{Value, json};

use super::attached::{HOSTILE, chain, reply, user};
use super::{harmless, page, section};
use crate::markup::Element;

fn note(id: &str, base: Option<&str>, keep: u64, tail: &[&str]) -> Value {
    json!({"type": "api-request", "id": id, "timestamp": "2026-01-01T00:00:00.000Z", "params": {"model": "m"},
        "shapeHash": "aa".repeat(32), "base": base, "keep": keep, "tail": tail, "requestDigest": "00".repeat(32)})
}

fn turn(hash: &str, text: &str) -> Value {
    json!({"type": "api-request-blob", "hash": hash, "message": {"role": "user", "content": text}})
}

/// A session of two requests, of which the second one is refused.
fn session() -> String {
    let (one, other) = ("11".repeat(32), "22".repeat(32));
    let shape =
        json!({"type": "api-request-shape", "shapeHash": "aa".repeat(32), "shape": {"system": [], "tools": []}});
    let mut answer = reply(json!([{"type": "text", "text": "hello"}]));
    answer["requestRef"] = json!("r1");
    answer["message"]["usage"] =
        json!({"input_tokens": 10, "cache_creation_input_tokens": 30, "cache_read_input_tokens": 60});
    let mut refused = reply(json!([{"type": "text", "text": HOSTILE}]));
    refused["isApiErrorMessage"] = json!(true);
    refused["apiErrorStatus"] = json!(400);
    refused["message"]["id"] = json!("m2");
    let chain = chain(&[user(json!("hi")), answer, user(json!("go on")), refused]);
    let lines: Vec<&str> = chain.lines().collect();
    let notes = [shape, turn(&one, &"a".repeat(300)), note("r1", None, 0, &[&one])];
    let more = [turn(&other, &"b".repeat(100)), note("r2", Some("r1"), 1, &[&other])];
    let text = |notes: &[Value]| notes.iter().map(|note| note.to_string() + "\n").collect::<String>();
    format!("{}\n{}{}\n{}\n{}{}\n", lines[0], text(&notes), lines[1], lines[2], text(&more), lines[3])
}

#[test]
fn each_request_is_a_bar_with_its_size_and_its_cache_and_a_refusal_has_its_words() {
    let elements = harmless(&page("s.jsonl", session()));
    let bars: Vec<&Element> = elements.iter().filter(|element| element.attributes.contains_key("style")).collect();
    assert_eq!(bars.len(), 2);
    // What the reply says of its tokens comes first; else what is as before counts.
    assert!(bars[0].attributes["style"].ends_with(";--cached:60"), "{:?}", bars[0].attributes);
    assert!(bars[0].attributes["title"].starts_with("request 1, 2026-01-01 00:00:00, 3"), "{:?}", bars[0].attributes);
    assert!(bars[1].attributes["style"].starts_with("--high:100;--cached:7"), "{:?}", bars[1].attributes);
    assert!(bars[1].is("refused"));
    let requests = section(&elements, "requests");
    assert!(requests.text.contains("request 2 was refused (400): </details></div><script>"), "{}", requests.text);
}

#[test]
fn a_session_that_notes_no_request_has_no_strip() {
    let elements = harmless(&page("s.jsonl", chain(&[user(json!("hi"))])));
    assert!(!elements.iter().any(|element| element.attributes.get("id").is_some_and(|id| id == "requests")));
}
