//! *Streams*: what is streamed is what is said, and breaks no rule on replies.

use serde_json::{Value, json};
use turnproof_reference::message::Typed;
use turnproof_reference::stream::{Accumulator, ModelEvent, SseDecoder};
use turnproof_rules::operation::reply_violations;

use super::client::ask;
use super::{body, scripted, tools, usual};

/// The message that the reference makes of a stream.
pub(crate) fn accumulated(stream: &str) -> Value {
    let mut decoder = SseDecoder::new();
    let mut accumulator = Accumulator::new();
    for event in decoder.push(stream.as_bytes()) {
        let event = ModelEvent::of_server_event(&event).expect("an event");
        accumulator.apply(&event).expect("it fits");
    }
    assert!(!decoder.finish(), "a stream that is cut: {stream}");
    let message = accumulator.message().expect("a message").write();
    serde_json::from_str(message.get()).expect("JSON")
}

/// What the rules on replies say of a reply.
pub(crate) fn broken(reply: &str) -> Vec<String> {
    let violations = reply_violations(reply).expect("a reply");
    violations
        .iter()
        .map(|(rule, violation)| format!("{}: {} at {}", rule.id, violation.found, violation.place))
        .collect()
}

/// A script with every kind of block.
pub(crate) const EVERY: &str = r#"
[[step]]
blocks = [
  { type = "thinking", thinking = "It may be\nthis: \"é漢字😀\"" },
  { type = "redacted_thinking" },
  { type = "text", text = "I look.", citations = [{ type = "char_location", cited_text = "a", document_index = 0, document_title = "d", start_char_index = 0, end_char_index = 1, file_id = "f" }] },
  { type = "server_tool_use", name = "web_search", input = { query = "a" } },
  { type = "server_tool_result", content = [] },
  { type = "tool_use", use = "shell", text = "echo alpha" },
  { type = "tool_use", use = "read", text = "/a.txt" },
  { type = "tool_use", name = "bash", input = { command = "ls" } },
]
usage = { input_tokens = 7, cache_read_input_tokens = 5 }
"#;

/// A request that allows all of that.
pub(crate) fn allowing() -> Value {
    let mut tools = tools();
    tools.as_array_mut().unwrap().push(json!({"type": "web_search_20250305", "name": "web_search"}));
    let thinking = json!({"type": "adaptive"});
    body(json!({"model": "claude-opus-4-6", "max_tokens": 4096, "tools": tools, "thinking": thinking}))
}

#[test]
fn a_stream_makes_the_message_that_comes_without_it() {
    let whole = ask(&scripted(EVERY), &allowing()).json();
    let mut streamed = allowing();
    streamed["stream"] = true.into();
    let answer = ask(&scripted(EVERY), &streamed);
    assert_eq!(answer.header("content-type"), Some("text/event-stream; charset=utf-8"));
    assert_eq!(broken(&answer.text()), [] as [&str; 0]);
    assert_eq!(broken(&whole.to_string()), [] as [&str; 0]);
    let message = accumulated(&answer.text());
    for member in ["id", "model", "role", "content", "stop_reason", "stop_sequence"] {
        assert_eq!(message[member], whole[member], "{member}");
    }
    assert_eq!(message["usage"]["output_tokens"], whole["usage"]["output_tokens"]);
    assert_eq!(whole["usage"]["cache_read_input_tokens"], 5);
    let kinds: Vec<&Value> = whole["content"].as_array().unwrap().iter().map(|block| &block["type"]).collect();
    assert_eq!(
        kinds,
        [
            "thinking",
            "redacted_thinking",
            "text",
            "server_tool_use",
            "web_search_tool_result",
            "tool_use",
            "tool_use",
            "tool_use"
        ]
    );
}

#[test]
fn the_usual_stream_breaks_no_rule() {
    let (mock, _exchanges) = usual();
    let stream = ask(&mock, &body(json!({"stream": true}))).text();
    assert!(stream.starts_with("event: message_start\ndata: {"), "{stream}");
    assert!(stream.contains("event: ping\n"));
    assert_eq!(broken(&stream), [] as [&str; 0]);
    assert_eq!(accumulated(&stream)["content"][0]["text"], "Reply 1 to 1 turn, the last: hello");
}

#[test]
fn what_the_request_does_not_allow_is_left_out() {
    let answer = ask(&scripted(EVERY), &body(json!({"tools": tools()}))).json();
    let kinds: Vec<&Value> = answer["content"].as_array().unwrap().iter().map(|block| &block["type"]).collect();
    assert_eq!(kinds, ["text", "tool_use", "tool_use", "tool_use"]);
    // Without any tool no call is left either.
    let answer = ask(&scripted(EVERY), &body(json!({}))).json();
    assert_eq!((answer["content"].as_array().unwrap().len(), &answer["stop_reason"]), (1, &json!("end_turn")));
}
