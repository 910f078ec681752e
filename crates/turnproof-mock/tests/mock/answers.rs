//! *Usual answers*: a text that names the request, a forced call, JSON by a schema, thinking where it is always on.

use serde_json::json;

use super::client::{ask, get, post, send};
use super::{body, tools, usual};

#[test]
fn the_usual_answer_names_the_request() {
    let (mock, exchanges) = usual();
    let first = ask(&mock, &body(json!({})));
    assert_eq!(first.said(), "Reply 1 to 1 turn, the last: hello");
    let turns = json!([
        {"role": "user", "content": "hello"},
        {"role": "assistant", "content": first.said()},
        {"role": "user", "content": [{"type": "text", "text": "and again"}]},
    ]);
    let second = ask(&mock, &body(json!({"messages": turns})));
    assert_eq!(second.said(), "Reply 2 to 3 turns, the last: and again");
    let message = second.json();
    assert_eq!((&message["stop_reason"], &message["role"]), (&json!("end_turn"), &json!("assistant")));
    assert_eq!(message["model"], "claude-sonnet-4-5");
    assert!(message["usage"]["input_tokens"].as_u64() > Some(10));
    let seen = exchanges.try_iter().nth(1).expect("two requests");
    assert!(seen.is_legal() && seen.continued.is_some_and(|continued| continued.from == 1));
}

#[test]
fn an_answer_has_the_headers_of_the_api() {
    let (mock, _exchanges) = usual();
    let answer = ask(&mock, &body(json!({})));
    assert_eq!(answer.header("content-type"), Some("application/json"));
    assert!(answer.header("request-id").is_some_and(|id| id.starts_with("req_01") && id.len() == 28));
    for limit in ["requests", "tokens", "input-tokens", "output-tokens"] {
        for part in ["limit", "remaining", "reset"] {
            assert!(answer.header(&format!("anthropic-ratelimit-{limit}-{part}")).is_some(), "{limit} {part}");
        }
    }
}

#[test]
fn a_forced_call_comes_with_an_input_that_fits() {
    let (mock, _exchanges) = usual();
    let choice = json!({"type": "tool", "name": "run_shell_command"});
    let answer = ask(&mock, &body(json!({"tools": tools(), "tool_choice": choice}))).json();
    let call = &answer["content"][0];
    assert_eq!((&answer["stop_reason"], &call["name"]), (&json!("tool_use"), &json!("run_shell_command")));
    assert_eq!(call["input"], json!({"command": "demo", "why": "test"}));
    assert_eq!(call["caller"], json!({"type": "direct"}));
    let any = ask(&mock, &body(json!({"tools": tools(), "tool_choice": {"type": "any"}}))).json();
    assert_eq!(any["stop_reason"], "tool_use");
}

#[test]
fn json_by_a_schema_comes_where_it_is_wanted() {
    let (mock, _exchanges) = usual();
    let schema = json!({
        "type": "object", "additionalProperties": false, "required": ["n", "day"],
        "properties": {"n": {"type": "integer", "minimum": 3}, "day": {"type": "string", "format": "date"}},
    });
    let format = json!({"format": {"type": "json_schema", "schema": schema}});
    let said = ask(&mock, &body(json!({"output_config": format}))).said();
    assert_eq!(serde_json::from_str::<serde_json::Value>(&said).unwrap(), json!({"n": 3, "day": "2026-01-01"}));
}

#[test]
fn a_reply_has_no_more_tokens_than_it_may() {
    let (mock, _exchanges) = usual();
    let answer = ask(&mock, &body(json!({"max_tokens": 2}))).json();
    assert_eq!((&answer["stop_reason"], &answer["content"][0]["text"]), (&json!("max_tokens"), &json!("Reply 1 ")));
}

#[test]
fn thinking_comes_where_each_reply_thinks() {
    let (mock, _exchanges) = usual();
    let thinking = json!({"type": "enabled", "budget_tokens": 1024});
    let answer = ask(&mock, &body(json!({"max_tokens": 2048, "thinking": thinking}))).json();
    assert_eq!(answer["content"][0]["type"], "thinking");
    assert!(answer["content"][0]["signature"].as_str().is_some_and(|text| text.len() > 100));
}

#[test]
fn tokens_are_counted_and_models_are_listed() {
    let (mock, exchanges) = usual();
    let mut counted = body(json!({}));
    counted.as_object_mut().unwrap().remove("max_tokens");
    let count = post(&mock, "/v1/messages/count_tokens", &counted.to_string());
    assert_eq!(count.status, 200, "{}", count.text());
    assert!(count.json()["input_tokens"].as_u64() > Some(5));
    assert!(exchanges.recv().unwrap().is_legal());
    let refused = post(&mock, "/v1/messages/count_tokens", r#"{"model":"claude-sonnet-4-5","messages":[]}"#);
    assert_eq!(refused.words(), "messages: at least one message is required");
    let models = get(&mock, "/v1/models").json();
    assert_eq!(models["has_more"], false);
    let first = models["data"][0]["id"].as_str().unwrap().to_owned();
    assert_eq!(get(&mock, &format!("/v1/models/{first}")).json()["id"], first);
    assert_eq!(get(&mock, "/v1/models/gpt").status, 404);
    assert_eq!(send(&mock, "HEAD", "/", "", b"").status, 200);
    assert_eq!(get(&mock, "/v1/else").json()["error"]["type"], "not_found_error");
    assert_eq!(get(&mock, "/v1/messages").status, 405);
}
