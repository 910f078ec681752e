//! The rules on *replies*: each example breaks its rule alone, whole replies break none, and each fault breaks exactly
//! the rule that it should, at its event.

mod examples;
mod faults;
mod foreign;
mod legal;
mod recorded;

use serde_json::{Value, json};
use turnproof_rules::operation::Reply;
use turnproof_rules::rules::{CATALOGUE, Judge, Violation};

/// What all rules on replies say of a reply.
fn violations(reply: &Reply) -> Vec<Violation> {
    let mut violations = Vec::new();
    for rule in CATALOGUE.iter() {
        if let Judge::Reply(judge) = rule.judge {
            judge(reply, &mut |violation| violations.push(violation));
        }
    }
    violations
}

/// What all rules say of a text: rule, kind and place.
fn found(text: &str) -> Vec<String> {
    let reply = Reply::read(text.as_bytes()).unwrap_or_else(|error| panic!("{error}: {text}"));
    let words = |violation: Violation| format!("{} {} at {}", violation.rule, violation.kind, violation.place);
    violations(&reply).into_iter().map(words).collect()
}

/// The text of a stream, as a host sends it.
fn stream(events: &[Value]) -> String {
    events.iter().map(|event| format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap_or("?"))).collect()
}

fn start() -> Value {
    json!({"type": "message_start", "message": {
        "id": "msg_1", "type": "message", "role": "assistant", "model": "claude-sonnet-4-5", "content": [],
        "stop_reason": null, "stop_sequence": null, "usage": {"input_tokens": 9, "output_tokens": 1},
    }})
}

fn block(index: u64, block: Value) -> Value {
    json!({"type": "content_block_start", "index": index, "content_block": block})
}

fn delta(index: u64, delta: Value) -> Value {
    json!({"type": "content_block_delta", "index": index, "delta": delta})
}

fn stop(index: u64) -> Value {
    json!({"type": "content_block_stop", "index": index})
}

fn end(reason: &str) -> Value {
    let delta = json!({"stop_reason": reason, "stop_sequence": null});
    json!({"type": "message_delta", "delta": delta, "usage": {"output_tokens": 40}})
}

fn text_block() -> Value {
    json!({"type": "text", "text": ""})
}

fn text(text: &str) -> Value {
    json!({"type": "text_delta", "text": text})
}

fn thinking(text: &str) -> Value {
    json!({"type": "thinking_delta", "thinking": text})
}

fn input(json: &str) -> Value {
    json!({"type": "input_json_delta", "partial_json": json})
}

fn call() -> Value {
    json!({"type": "tool_use", "id": "toolu_1", "name": "Bash", "input": {}})
}

/// A legal stream with thinking, a text and a call.
fn legal() -> Vec<Value> {
    vec![
        start(),
        json!({"type": "ping"}),
        block(0, json!({"type": "thinking", "thinking": "", "signature": ""})),
        delta(0, thinking("Hm.")),
        delta(0, json!({"type": "signature_delta", "signature": "c2ln"})),
        stop(0),
        block(1, text_block()),
        delta(1, text("I call.")),
        stop(1),
        block(2, call()),
        delta(2, input("")),
        delta(2, input(r#"{"command":"#)),
        delta(2, input(r#""ls"}"#)),
        stop(2),
        end("tool_use"),
        json!({"type": "message_stop"}),
    ]
}

/// A legal message that is no stream.
fn message() -> Value {
    json!({
        "id": "msg_1", "type": "message", "role": "assistant", "model": "claude-sonnet-4-5",
        "content": [text_block(), call()], "stop_reason": "tool_use", "stop_sequence": null,
        "usage": {"input_tokens": 9, "output_tokens": 40},
    })
}
