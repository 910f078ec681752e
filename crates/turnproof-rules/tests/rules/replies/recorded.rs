//! *Recorded* replies: what api.anthropic.com sent with status 200 breaks no rule. The test skips where the recordings
//! are missing.

use std::path::PathBuf;
use std::{env, fs};

use serde_json::Value;
use turnproof_rules::operation::{Reply, ReplyForm};

use super::violations;

/// The recordings: `TURNPROOF_EXCHANGES`, or a folder beside the repository.
fn recordings() -> PathBuf {
    let beside = || concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/exchanges/exchanges.jsonl").into();
    env::var_os("TURNPROOF_EXCHANGES").map_or_else(beside, PathBuf::from)
}

#[test]
fn what_the_api_was_recorded_to_send_breaks_no_rule() {
    let Ok(lines) = fs::read_to_string(recordings()) else {
        eprintln!("skipped: there are no recordings at {}", recordings().display());
        return;
    };
    let mut judged = 0;
    for line in lines.lines() {
        let exchange: Value = serde_json::from_str(line).unwrap();
        if exchange["host"] != "anthropic" || exchange["kind"] != "messages" || exchange["status"] != 200 {
            continue;
        }
        let reply = match (exchange["stream"].as_str(), &exchange["response"]) {
            (Some(stream), _) => stream.to_owned(),
            (None, response @ Value::Object(_)) => response.to_string(),
            (None, _) => continue,
        };
        let reply = Reply::read(reply.as_bytes()).unwrap();
        assert!(matches!(reply.form, ReplyForm::Stream | ReplyForm::Message), "{}", exchange["source"]);
        assert_eq!(violations(&reply), [], "{}", exchange["source"]);
        judged += 1;
    }
    assert!(judged > 300, "{judged} replies");
}
