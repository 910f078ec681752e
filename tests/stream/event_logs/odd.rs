//! Streams that end early, or go wrong.

use serde_json::json;

use super::{Step, ping, review, steps};
use crate::make::{block, call_block, delta, end, input, late, start, stop, text, text_block};

#[test]
fn cut_at_max_tokens() {
    review(
        "cut-at-max-tokens",
        steps([start(), text_block(0), text(0, "And then he sa"), late("max_tokens", 100), end()]),
    );
}

#[test]
fn cut_inside_an_input() {
    review(
        "cut-inside-an-input",
        steps([start(), call_block(0, "toolu_1"), input(0, "{\"command\": \"rm -r"), late("max_tokens", 100), end()]),
    );
}

#[test]
fn error_mid_stream() {
    let failure = json!({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}});
    review(
        "error-mid-stream",
        steps([
            start(),
            text_block(0),
            text(0, "Shown."),
            stop(0),
            text_block(1),
            text(1, "Not sho"),
            failure,
            text(1, "wn."),
            end(),
        ]),
    );
}

#[test]
fn ping_storm() {
    let events = steps([start(), text_block(0), text(0, "a"), text(0, "b"), stop(0), late("end_turn", 3), end()]);
    review("ping-storm", [ping()].into_iter().chain(events.into_iter().flat_map(|event| [event, ping()])));
}

#[test]
fn blocks_left_open() {
    review(
        "blocks-left-open",
        steps([
            start(),
            text_block(0),
            text(0, "One"),
            text_block(1),
            text(1, "Two"),
            text(0, "?"),
            stop(0),
            call_block(2, "toolu_1"),
            end(),
        ]),
    );
}

#[test]
fn halves_of_a_pair() {
    let half = |token: &str| {
        let delta = format!(r#"{{"type":"text_delta","text":"{token}"}}"#);
        Step::Event(format!(r#"{{"type":"content_block_delta","index":0,"delta":{delta}}}"#))
    };
    let before = steps([start(), text_block(0)]);
    let after = steps([stop(0), late("end_turn", 3), end()]);
    review("halves-of-a-pair", before.into_iter().chain([half(r"Hi \ud83d"), half(r"\ude00 and \ud83d")]).chain(after));
}

#[test]
fn everything_wrong() {
    review(
        "everything-wrong",
        steps([
            text(0, "too early"),
            start(),
            start(),
            block(3, json!({"type": "text", "text": ""})),
            text_block(0),
            text(7, "?"),
            delta(-1, json!({"type": "text_delta", "text": "?"})),
            stop(0),
            stop(0),
            json!([1]),
            json!({"type": "content_block_stop"}),
            call_block(1, "toolu_1"),
            input(1, "{'a'}"),
            stop(1),
            end(),
            text(1, "too late"),
            end(),
        ]),
    );
}
