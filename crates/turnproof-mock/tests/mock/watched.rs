//! A mock that is *watched*, as a test uses it.

use serde_json::{Value, json};
use turnproof_mock::{Settings, Watched};

use super::body;

/// The status of the answer to a body.
fn post(mock: &Watched, body: &Value) -> u16 {
    use std::io::{Read, Write};
    let mut stream = std::net::TcpStream::connect(mock.url().trim_start_matches("http://")).expect("it listens");
    let body = body.to_string();
    let head = "POST /v1/messages HTTP/1.1\r\nhost: a\r\nx-api-key: k\r\nanthropic-version: 2023-06-01\r\n";
    write!(stream, "{head}connection: close\r\ncontent-length: {}\r\n\r\n{body}", body.len()).expect("it reads");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("it answers");
    answer.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status")
}

#[test]
fn what_is_right_passes_and_is_kept_with_its_record() {
    let mock = Watched::start(Settings::default()).expect("it listens");
    assert_eq!(post(&mock, &body(json!({}))), 200);
    assert_eq!(mock.wrong(), [] as [&str; 0]);
    let seen = mock.take();
    let record: Value = serde_json::from_str(seen[0].record.as_deref().expect("a record")).expect("JSON");
    assert_eq!(record["request"]["messages"][0]["content"], "hello");
    mock.assert_right();
}

#[test]
#[should_panic(expected = "(api/first-user); the API answers: messages: at least one message is required")]
fn what_is_not_legal_panics_with_the_words_of_the_api() {
    let mock = Watched::start(Settings::default()).expect("it listens");
    assert_eq!(post(&mock, &body(json!({}))), 200);
    assert_eq!(post(&mock, &body(json!({"messages": []}))), 400);
    mock.assert_right();
}

#[test]
fn what_was_meant_to_be_refused_is_taken_out() {
    let mock = Watched::start(Settings::default()).expect("it listens");
    assert_eq!(post(&mock, &json!("no request")), 400);
    assert_eq!(mock.wrong(), ["request 1: the API answers: Input should be an object"]);
    assert_eq!(mock.take().len(), 1);
    mock.assert_right();
}
