//! *Seeds*: the same seed gives the same bytes, all that it gives is legal, and every kind comes.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use turnproof_mock::{Mock, Settings};

use super::client::{Response, ask};
use super::started;
use super::streams::{accumulated, allowing, broken};

fn seeded(seed: u64) -> Mock {
    started(Settings { seed: Some(seed), ..Settings::default() }).0
}

fn streamed(mock: &Mock) -> Response {
    let mut body = allowing();
    body["stream"] = true.into();
    ask(mock, &body)
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    let of = |seed: u64| {
        let mock = seeded(seed);
        (0..6).map(|_| streamed(&mock)).map(|answer| (answer.headers, answer.body)).collect::<Vec<_>>()
    };
    assert_eq!(of(7), of(7));
    assert_ne!(of(7), of(8));
}

/// Rules on replies that a seed breaks on purpose: types that nobody knows.
const ON_PURPOSE: &str = "reply/known";

#[test]
fn replies_from_seeds_are_legal_and_of_every_kind() {
    let (mut kinds, mut stops) = (BTreeSet::new(), BTreeSet::new());
    for seed in 0..4 {
        let mock = seeded(seed);
        for _ in 0..60 {
            let stream = streamed(&mock).text();
            let wrong: Vec<String> =
                broken(&stream).into_iter().filter(|wrong| !wrong.starts_with(ON_PURPOSE)).collect();
            assert_eq!(wrong, [] as [&str; 0], "{stream}");
            let message = accumulated(&stream);
            stops.insert(message["stop_reason"].as_str().unwrap().to_owned());
            let blocks = message["content"].as_array().unwrap();
            kinds.extend(blocks.iter().map(|block| block["type"].as_str().unwrap().to_owned()));
        }
    }
    for kind in [
        "text",
        "thinking",
        "redacted_thinking",
        "tool_use",
        "server_tool_use",
        "web_search_tool_result",
        "block_of_tomorrow",
    ] {
        assert!(kinds.contains(kind), "{kind} in {kinds:?}");
    }
    for stop in ["end_turn", "tool_use", "max_tokens", "stop_sequence", "refusal", "model_context_window_exceeded"] {
        assert!(stops.contains(stop), "{stop} in {stops:?}");
    }
}

#[test]
fn a_seed_allows_what_the_request_allows() {
    let mock = seeded(3);
    for _ in 0..40 {
        let message = ask(&mock, &super::body(json!({}))).json();
        let blocks = message["content"].as_array().unwrap();
        let is_plain = |block: &Value| matches!(block["type"].as_str(), Some("text" | "block_of_tomorrow"));
        assert!(blocks.iter().all(is_plain), "{message}");
    }
}
