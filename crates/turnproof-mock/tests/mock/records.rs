//! *Records*: each exchange has its file, in a form that `check --recordings` reads, and no key is in it.

use std::fs;

use serde_json::{Value, json};
use turnproof_mock::{MASK, Settings};

use super::client::{ask, post, send};
use super::{body, started};

#[test]
fn each_exchange_is_written_down_without_its_key() {
    let folder = tempfile::tempdir().unwrap();
    let record = Some(folder.path().join("requests"));
    let (mock, exchanges) = started(Settings { record: record.clone(), ..Settings::default() });
    ask(&mock, &body(json!({"stream": true})));
    post(&mock, "/v1/messages?key=sk-ant-secret", &body(json!({"messages": []})).to_string());
    let secrets = "authorization: Bearer sk-ant-secret\r\nx-goog-api-key: sk-ant-secret\r\ncookie: a=sk-ant-secret\r\n\
                   anthropic-version: 2023-06-01\r\n";
    send(&mock, "POST", "/v1/messages", secrets, b"no JSON");
    let files: Vec<_> = exchanges.try_iter().filter_map(|exchange| exchange.file).collect();
    assert_eq!(files.len(), 3);
    let texts: Vec<String> = files.iter().map(|file| fs::read_to_string(file).unwrap()).collect();
    assert!(texts.iter().all(|text| !text.contains("secret")), "{texts:?}");
    let records: Vec<Value> = texts.iter().map(|text| serde_json::from_str(text).unwrap()).collect();
    assert_eq!((&records[0]["headers"]["x-api-key"], &records[0]["status"]), (&json!(MASK), &json!(200)));
    assert_eq!(records[0]["headers"]["anthropic-version"], "2023-06-01");
    assert!(records[0]["stream"].as_str().unwrap().ends_with("\n\n"));
    assert_eq!(records[1]["verdict"]["findings"][0]["rule"], "api/first-user");
    assert_eq!(records[1]["response"]["error"]["message"], "messages: at least one message is required");
    assert_eq!(records[2]["request"], "no JSON");
    drop(mock);
    let again = turnproof_mock::Mock::start(Settings { record, ..Settings::default() }, drop);
    assert!(again.expect_err("it would mix two runs").to_string().ends_with("the folder is not empty"));
}
