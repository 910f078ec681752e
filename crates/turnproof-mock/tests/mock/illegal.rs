//! *Illegal* bodies: twenty kinds, each refused with the words of the API.

use serde_json::{Value, json};
use turnproof_mock::{OnIllegal, Settings};

use super::client::{ask, post, send};
use super::{body, started, usual};

/// A body whose conversation goes on with these turns.
fn turns(turns: Value) -> Value {
    body(json!({"messages": turns}))
}

fn call(id: &str) -> Value {
    json!({"type": "tool_use", "id": id, "name": "Bash", "input": {"command": "ls"}})
}

fn result(id: &str) -> Value {
    json!({"type": "tool_result", "tool_use_id": id, "content": "a"})
}

fn user(content: Value) -> Value {
    json!({"role": "user", "content": content})
}

fn assistant(content: Value) -> Value {
    json!({"role": "assistant", "content": content})
}

/// Twenty illegal bodies, each with some of the words.
fn illegal() -> Vec<(&'static str, String, &'static str)> {
    let hi = || user(json!("hi"));
    let thinking = || json!({"type": "thinking", "thinking": "a", "signature": "EqQBaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"});
    let mut without_limit = body(json!({}));
    without_limit.as_object_mut().unwrap().remove("max_tokens");
    let mut without_model = body(json!({}));
    without_model.as_object_mut().unwrap().remove("model");
    let surrogate = body(json!({})).to_string().replace("hello", r"half \ud83d");
    let bodies = [
        (
            "a dangling call",
            turns(json!([hi(), assistant(json!([call("toolu_1")])), hi()])),
            "without `tool_result` blocks immediately after: toolu_1",
        ),
        (
            "an orphan result",
            turns(json!([hi(), assistant(json!("a")), user(json!([result("toolu_9")]))])),
            "unexpected `tool_use_id` found in `tool_result` blocks: toolu_9",
        ),
        (
            "an empty text",
            turns(json!([user(json!([{"type": "text", "text": ""}]))])),
            "text content blocks must be non-empty",
        ),
        (
            "thinking last",
            turns(json!([hi(), assistant(json!([thinking()])), hi()])),
            "The final block in an assistant message cannot be `thinking`",
        ),
        ("no messages", turns(json!([])), "messages: at least one message is required"),
        (
            "the same id twice",
            turns(json!([
                hi(),
                assistant(json!([call("toolu_1"), call("toolu_1")])),
                user(json!([result("toolu_1")]))
            ])),
            "`tool_use` ids must be unique",
        ),
        (
            "a role that is none",
            turns(json!([{"role": "tool", "content": "a"}])),
            "messages.0.role: Input should be 'user' or 'assistant'",
        ),
        ("no limit", without_limit, "max_tokens: Field required"),
        ("no model", without_model, "model: Field required"),
        (
            "the system first",
            turns(json!([{"role": "system", "content": "a"}, hi()])),
            "use the top-level 'system' parameter",
        ),
        ("no content", turns(json!([{"role": "user"}])), "messages.0.content: Field required"),
        (
            "empty content",
            turns(json!([hi(), assistant(json!([])), hi()])),
            "messages.1: all messages must have non-empty content",
        ),
        (
            "a limit of nothing",
            body(json!({"max_tokens": 0})),
            "max_tokens: Input should be greater than or equal to 1",
        ),
        (
            "two results for a call",
            turns(json!([
                hi(),
                assistant(json!([call("toolu_1")])),
                user(json!([result("toolu_1"), result("toolu_1")]))
            ])),
            "each tool_use must have a single result. Found multiple `tool_result` blocks with id: toolu_1",
        ),
        (
            "a result behind a text",
            turns(json!([
                hi(),
                assistant(json!([call("toolu_1")])),
                user(json!([{"type": "text", "text": "a"}])),
                user(json!([result("toolu_1")]))
            ])),
            "toolu_1",
        ),
        ("a call of the user", turns(json!([user(json!([call("toolu_1")]))])), "messages.0"),
        (
            "an id of other letters",
            turns(json!([hi(), assistant(json!([call("a b")])), user(json!([result("a b")]))])),
            "String should match pattern '^[a-zA-Z0-9_-]+$'",
        ),
        (
            "an input that is no object",
            turns(json!([
                hi(),
                assistant(json!([{"type": "tool_use", "id": "toolu_1", "name": "Bash", "input": "ls"}])),
                user(json!([result("toolu_1")]))
            ])),
            "input",
        ),
        (
            "thinking without a signature",
            turns(json!([
                hi(),
                assistant(json!([{"type": "thinking", "thinking": "a"}, {"type": "text", "text": "b"}])),
                hi()
            ])),
            "signature",
        ),
    ];
    let bodies = bodies.into_iter().map(|(name, body, words)| (name, body.to_string(), words));
    bodies
        .chain([("half of a pair", surrogate, "The request body is not valid JSON: no low surrogate in string")])
        .collect()
}

#[test]
fn twenty_illegal_bodies_are_refused_with_the_words_of_the_api() {
    let (mock, exchanges) = usual();
    let bodies = illegal();
    assert_eq!(bodies.len(), 20);
    for (name, body, words) in bodies {
        let refused = post(&mock, "/v1/messages", &body);
        assert_eq!(refused.status, 400, "{name}: {}", refused.text());
        let error = refused.json();
        assert_eq!((&error["type"], &error["error"]["type"]), (&json!("error"), &json!("invalid_request_error")));
        assert_eq!(error["request_id"].as_str(), refused.header("request-id"), "{name}");
        assert!(refused.words().contains(words), "{name}: {}", refused.words());
        assert!(!exchanges.recv().unwrap().is_legal(), "{name}");
    }
}

#[test]
fn what_is_illegal_is_answered_where_that_is_wanted_and_reported_all_the_same() {
    let (mock, exchanges) = started(Settings { on_illegal: OnIllegal::Answer, ..Settings::default() });
    for (name, body, _) in illegal() {
        let answered = post(&mock, "/v1/messages", &body);
        assert_eq!(answered.status, 200, "{name}: {}", answered.text());
        assert!(!exchanges.recv().unwrap().is_legal(), "{name}");
    }
}

#[test]
fn a_request_that_is_none_is_refused_as_the_api_does() {
    let (mock, _exchanges) = usual();
    let words = |body: &str| {
        let refused = post(&mock, "/v1/messages", body);
        assert_eq!(refused.status, 400, "{body}");
        refused.words()
    };
    assert_eq!(words(""), "The request body is not valid JSON: unexpected end of data");
    assert!(words("{\"model\":").starts_with("The request body is not valid JSON: "));
    assert_eq!(words("{}"), "messages: Field required");
    assert_eq!(words(r#"{"messages":{}}"#), "messages: Input should be a valid list");
    assert_eq!(words("7"), "Input should be an object");
    assert_eq!(words(r#"[{"role":"user","content":"a"}]"#), "Input should be an object");
}

#[test]
fn a_key_and_the_version_of_the_api_are_wanted() {
    let (mock, _exchanges) = usual();
    let body = body(json!({})).to_string();
    let refused = |headers: &str| send(&mock, "POST", "/v1/messages", headers, body.as_bytes());
    let without_key = refused("anthropic-version: 2023-06-01\r\n");
    assert_eq!((without_key.status, without_key.words()), (401, "x-api-key header is required".to_owned()));
    assert_eq!(without_key.json()["error"]["type"], "authentication_error");
    let without_version = refused("x-api-key: k\r\n");
    let words = "anthropic-version: header is required";
    assert_eq!((without_version.status, without_version.words()), (400, words.to_owned()));
    assert_eq!(refused("authorization: Bearer k\r\nanthropic-version: 2023-06-01\r\n").status, 200);
}

#[test]
fn the_beginning_of_a_reply_is_refused_for_models_that_do_not_take_one() {
    let (mock, _exchanges) = usual();
    let prefilled = |model: &str| {
        let turns = json!([user(json!("a")), assistant(json!("It is"))]);
        ask(&mock, &body(json!({"model": model, "messages": turns})))
    };
    assert_eq!(prefilled("claude-sonnet-4-5").status, 200);
    let refused = prefilled("claude-opus-4-8");
    assert_eq!(refused.status, 400);
    assert!(refused.words().starts_with("This model does not support assistant message prefill."));
}
