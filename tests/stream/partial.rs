//! Streams that end early: what there is of the message, and what was shown.

use super::*;

fn stream() -> Vec<Value> {
    reply(&[text_block(0), text(0, "ab"), text(0, "cd"), stop(0), call_block(1, "t1"), input(1, "{\"a\":1}"), stop(1)])
}

#[test]
fn the_message_so_far_grows_with_each_event() {
    let texts: Vec<Value> =
        (1..=5).map(|cut| accumulate(&stream()[..cut]).0.unwrap()["content"][0]["text"].clone()).collect();
    assert_eq!(texts, [json!(null), json!(""), json!("ab"), json!("abcd"), json!("abcd")]);
}

#[test]
fn an_open_call_has_the_input_of_its_start_until_it_stops() {
    let inputs: Vec<Value> =
        (6..=8).map(|cut| accumulate(&stream()[..cut]).0.unwrap()["content"][1]["input"].clone()).collect();
    assert_eq!(inputs, [json!({}), json!({}), json!({"a": 1})]);
}

#[test]
fn nothing_is_shown_of_a_block_that_does_not_stop() {
    let shown: Vec<usize> = (0..=stream().len())
        .map(|cut| {
            let mut looped = Loop::new();
            looped.play(&stream()[..cut]);
            looped.live().len()
        })
        .collect();
    assert_eq!(shown, [0, 0, 0, 0, 0, 1, 1, 1, 2, 2, 2]);
}

#[test]
fn looking_at_a_message_does_not_change_it() {
    let mut accumulator = Accumulator::new();
    for json in stream() {
        let _ = accumulator.message();
        accumulator.apply(&event(&json)).unwrap();
        assert_eq!(accumulator.message(), accumulator.message());
    }
    let (shown, finished) = (accumulator.message(), accumulator.finish().unwrap());
    assert_eq!(shown, Some(finished.clone()));
    assert_eq!(value(&finished), whole(&stream()));
}

#[test]
fn a_reply_cut_at_its_limit_has_its_open_block_stopped() {
    for inside in [
        vec![text_block(0), text(0, "half a sen")],
        vec![call_block(0, "t1"), input(0, "{\"command\": \"ls\"}")],
        vec![block(0, json!({"type": "thinking", "thinking": "", "signature": ""}))],
    ] {
        let cut = whole(&[&[start()], &inside[..], &[late("max_tokens", 100), end()]].concat());
        let stopped = whole(&[&[start()], &inside[..], &[stop(0), late("max_tokens", 100), end()]].concat());
        assert_eq!(cut, stopped);
        assert_eq!(cut["stop_reason"], "max_tokens");
    }
}
