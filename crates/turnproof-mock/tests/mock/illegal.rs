//! *Illegal* bodies: twenty kinds, each refused with the words of the API.

use serde::Deserialize;
use serde_json::json;
use turnproof_mock::{OnIllegal, Settings};

use super::client::{ask, post, send};
use super::{body, started, usual};

/// An illegal body, with some of the words by which it is refused.
#[derive(Deserialize)]
struct Illegal {
    name: String,
    words: String,
    body: String,
}

/// Twenty illegal bodies.
fn illegal() -> Vec<Illegal> {
    include_str!("illegal.jsonl").lines().map(|line| serde_json::from_str(line).expect("a line")).collect()
}

#[test]
fn twenty_illegal_bodies_are_refused_with_the_words_of_the_api() {
    let (mock, exchanges) = usual();
    let bodies = illegal();
    assert_eq!(bodies.len(), 20);
    for Illegal { name, words, body } in bodies {
        let refused = post(&mock, "/v1/messages", &body);
        assert_eq!(refused.status, 400, "{name}: {}", refused.text());
        let error = refused.json();
        assert_eq!((&error["type"], &error["error"]["type"]), (&json!("error"), &json!("invalid_request_error")));
        assert_eq!(error["request_id"].as_str(), refused.header("request-id"), "{name}");
        assert!(refused.words().contains(&words), "{name}: {}", refused.words());
        assert!(!exchanges.recv().unwrap().is_legal(), "{name}");
    }
}

#[test]
fn what_is_illegal_is_answered_where_that_is_wanted_and_reported_all_the_same() {
    let (mock, exchanges) = started(Settings { on_illegal: OnIllegal::Answer, ..Settings::default() });
    for Illegal { name, body, .. } in illegal() {
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
        let turns = json!([{"role": "user", "content": "a"}, {"role": "assistant", "content": "It is"}]);
        ask(&mock, &body(json!({"model": model, "messages": turns})))
    };
    assert_eq!(prefilled("claude-sonnet-4-5").status, 200);
    let refused = prefilled("claude-opus-4-8");
    assert_eq!(refused.status, 400);
    assert!(refused.words().starts_with("This model does not support assistant message prefill."));
}
