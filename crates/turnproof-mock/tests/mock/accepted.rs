//! *Accepted* requests: what a host was recorded to take is answered. The test skips where the recordings are missing.

use std::path::PathBuf;
use std::{env, fs};

use serde_json::Value;

use super::client::{post, send};
use super::usual;

/// The recordings: `TURNPROOF_EXCHANGES`, or a folder beside the repository.
fn recordings() -> PathBuf {
    let beside = || concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/exchanges/exchanges.jsonl").into();
    env::var_os("TURNPROOF_EXCHANGES").map_or_else(beside, PathBuf::from)
}

#[test]
fn what_hosts_were_recorded_to_take_is_answered() {
    let Ok(lines) = fs::read_to_string(recordings()) else {
        eprintln!("skipped: there are no recordings at {}", recordings().display());
        return;
    };
    let (mock, _exchanges) = usual();
    let mut answered = 0;
    for line in lines.lines() {
        let exchange: Value = serde_json::from_str(line).unwrap();
        if exchange["status"] != 200 {
            continue;
        }
        let body = exchange["request"].to_string();
        // A recorder has put this in the place of a value.
        if body.contains("REDACTED") {
            continue;
        }
        let answer = match (exchange["host"].as_str(), exchange["kind"].as_str()) {
            (Some("anthropic"), Some("messages")) => post(&mock, "/v1/messages", &body),
            (Some("anthropic"), Some("count_tokens")) => post(&mock, "/v1/messages/count_tokens", &body),
            (Some("bedrock"), _) => send(&mock, "POST", "/model/anthropic.claude/invoke", "", body.as_bytes()),
            _ => continue,
        };
        assert_eq!(answer.status, 200, "{}: {}", exchange["source"], answer.text());
        answered += 1;
    }
    assert!(answered > 300, "{answered} answered");
}
