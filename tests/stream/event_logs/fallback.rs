//! Streams that are given up for another model.

use serde_json::json;

use super::{Step, result, review, started, steps};
use crate::make::{block, call_block, end, late, start, stop, text, text_block};

#[test]
fn fallback_mid_block() {
    let first = steps([start(), text_block(0), text(0, "First try."), stop(0), text_block(1), text(1, "Never sho")]);
    let second = steps([text_block(0), text(0, "Second try."), stop(0), late("end_turn", 9), end()]);
    review("fallback-mid-block", first.into_iter().chain([Step::Abandon, started("msg_2")]).chain(second));
}

#[test]
fn fallback_after_a_result() {
    let first = steps([start(), call_block(0, "toolu_1"), stop(0)]);
    let second = steps([call_block(0, "toolu_2"), stop(0), late("tool_use", 9), end()]);
    review(
        "fallback-after-a-result",
        first
            .into_iter()
            .chain([result("r1", "toolu_1"), Step::Abandon, started("msg_2")])
            .chain(second)
            .chain([result("r2", "toolu_2")]),
    );
}

#[test]
fn fallback_to_the_same_call() {
    let first = steps([start(), call_block(0, "toolu_1"), stop(0)]);
    let second = steps([call_block(0, "toolu_1"), stop(0), late("tool_use", 9), end()]);
    review(
        "fallback-to-the-same-call",
        first.into_iter().chain([result("r1", "toolu_1"), Step::Abandon, started("msg_2")]).chain(second),
    );
}

#[test]
fn fallback_inside_the_reply() {
    let fallback = json!({"type": "fallback", "from": {"model": "m1"}, "to": {"model": "m2"}});
    review(
        "fallback-inside-the-reply",
        steps([
            start(),
            text_block(0),
            text(0, "By the first model."),
            stop(0),
            block(1, fallback),
            stop(1),
            text_block(2),
            text(2, "By the second."),
            stop(2),
            late("end_turn", 40),
            end(),
        ]),
    );
}

#[test]
fn second_and_third_try() {
    let attempt = |said: &str| steps([text_block(0), text(0, said), stop(0)]);
    let all = [
        vec![started("msg_1")],
        attempt("One."),
        vec![Step::Abandon, started("msg_2")],
        attempt("Two."),
        vec![Step::Abandon, Step::Abandon, started("msg_3")],
        attempt("Three."),
        steps([late("end_turn", 5), end()]),
    ];
    review("second-and-third-try", all.into_iter().flatten());
}
