//! *Paths* of other hosts: Bedrock's InvokeModel with its framing, Vertex, and batches.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};

use super::client::{get, post, send};
use super::streams::{accumulated, broken};
use super::{body, usual};

/// A body as clouds take it: without a model, with their version of the API.
fn cloud(version: &str) -> String {
    let mut body = body(json!({"anthropic_version": version}));
    body.as_object_mut().unwrap().remove("model");
    body.to_string()
}

const BEDROCK: &str = "/model/us.anthropic.claude-sonnet-4-5-20250929-v1%3A0";

/// The events of a stream of AWS, checksums looked at.
fn unframed(mut bytes: &[u8]) -> Vec<Value> {
    let number = |bytes: &[u8]| u32::from_be_bytes(bytes[..4].try_into().unwrap());
    let checksum = |bytes: &[u8]| {
        let mut crc = flate2::Crc::new();
        crc.update(bytes);
        crc.sum()
    };
    let mut events = Vec::new();
    while !bytes.is_empty() {
        let (total, head) = (number(bytes) as usize, number(&bytes[4..]) as usize);
        let message = &bytes[..total];
        assert_eq!(number(&message[8..]), checksum(&message[..8]));
        assert_eq!(number(&message[total - 4..]), checksum(&message[..total - 4]));
        let payload: Value = serde_json::from_slice(&message[12 + head..total - 4]).unwrap();
        let data = BASE64_STANDARD.decode(payload["bytes"].as_str().unwrap()).unwrap();
        events.push(serde_json::from_slice(&data).unwrap());
        bytes = &bytes[total..];
    }
    events
}

#[test]
fn bedrock_is_asked_by_its_paths_and_without_a_key() {
    let (mock, exchanges) = usual();
    let body = cloud("bedrock-2023-05-31");
    let answer = send(&mock, "POST", &format!("{BEDROCK}/invoke"), "", body.as_bytes());
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert_eq!(answer.json()["type"], "message");
    assert!(answer.header("x-amzn-requestid").is_some());
    assert_eq!(exchanges.recv().unwrap().model, "us.anthropic.claude-sonnet-4-5-20250929-v1:0");
    let answer = send(&mock, "POST", &format!("{BEDROCK}/invoke-with-response-stream"), "", body.as_bytes());
    assert_eq!(answer.header("content-type"), Some("application/vnd.amazon.eventstream"));
    let events = unframed(&answer.body);
    let last = events.last().unwrap();
    assert!(last["amazon-bedrock-invocationMetrics"]["outputTokenCount"].as_u64() > Some(0), "{last}");
    let text: String =
        events.iter().map(|event| format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap())).collect();
    assert!(accumulated(&text)["content"][0]["text"].as_str().unwrap().starts_with("Reply 2 to 1 turn"));
}

#[test]
fn bedrock_refuses_in_its_own_form() {
    let (mock, _exchanges) = usual();
    let body = r#"{"anthropic_version":"bedrock-2023-05-31","max_tokens":5,"messages":[]}"#;
    let refused = send(&mock, "POST", &format!("{BEDROCK}/invoke"), "", body.as_bytes());
    assert_eq!((refused.status, refused.header("x-amzn-errortype")), (400, Some("ValidationException")));
    assert_eq!(refused.json()["message"], "messages: at least one message is required");
}

#[test]
fn vertex_is_asked_by_its_paths() {
    let (mock, exchanges) = usual();
    let path = "/v1/projects/p/locations/global/publishers/anthropic/models/claude-sonnet-4-5@20250929";
    let body = cloud("vertex-2023-10-16");
    let answer = send(&mock, "POST", &format!("{path}:rawPredict"), "", body.as_bytes());
    assert_eq!(
        (answer.status, answer.json()["model"].clone()),
        (200, json!("claude-sonnet-4-5@20250929")),
        "{}",
        answer.text()
    );
    assert_eq!(exchanges.recv().unwrap().verdicts[0].host.name(), "vertex");
    let stream = send(&mock, "POST", &format!("{path}:streamRawPredict"), "", body.as_bytes()).text();
    assert_eq!(broken(&stream), [] as [&str; 0]);
    let count = "/v1/projects/p/locations/global/publishers/anthropic/models/count-tokens:rawPredict";
    assert!(send(&mock, "POST", count, "", body.as_bytes()).json()["input_tokens"].is_u64());
}

#[test]
fn a_batch_is_judged_request_by_request() {
    let (mock, exchanges) = usual();
    let illegal = body(json!({"messages": []}));
    let requests = json!({"requests": [
        {"custom_id": "a", "params": body(json!({}))}, {"custom_id": "b", "params": illegal},
    ]});
    let made = post(&mock, "/v1/messages/batches", &requests.to_string()).json();
    let id = made["id"].as_str().unwrap();
    assert_eq!((&made["processing_status"], &made["request_counts"]["processing"]), (&json!("in_progress"), &json!(2)));
    assert_eq!(exchanges.recv().unwrap().verdicts.len(), 2);
    let path = format!("/v1/messages/batches/{id}");
    let state = get(&mock, &path).json();
    assert_eq!((&state["processing_status"], &state["request_counts"]["errored"]), (&json!("ended"), &json!(1)));
    let results = get(&mock, &format!("{path}/results")).text();
    let results: Vec<Value> = results.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(results[0]["result"]["message"]["role"], "assistant");
    assert_eq!(results[1]["result"]["error"]["error"]["message"], "messages: at least one message is required");
    assert_eq!(get(&mock, "/v1/messages/batches").json()["data"][0]["id"], id);
    assert_eq!(send(&mock, "DELETE", &path, super::client::HEADERS, b"").status, 200);
    assert_eq!(get(&mock, &path).status, 404);
    assert_eq!(post(&mock, "/v1/messages/batches", r#"{"requests":[]}"#).status, 400);
}
