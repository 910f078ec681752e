//! What is *rare* in streams: halves of characters, long numbers, two ends, what tombstones hold, what joins.

use std::slice::from_ref;

use serde_json::{Value, json};
use turnproof_rules::operation::{Plain, StreamItem};
use turnproof_rules::rules::Verdict;

use super::stream::*;
use crate::families;

/// A delta as JSON text, which may hold half of a surrogate pair.
fn torn(delta: &str) -> StreamItem {
    StreamItem::Event(format!(r#"{{"type":"content_block_delta","index":0,"delta":{delta}}}"#))
}

fn torn_text(text: &str) -> StreamItem {
    torn(&format!(r#"{{"type":"text_delta","text":"{text}"}}"#))
}

#[test]
fn halves_of_a_character_are_joined_across_deltas() {
    let items = vec![start(), begin(0, text("")), torn_text("a\\ud83d"), torn_text("\\ude00b"), stop(0), end()];
    let stream = Stream::of(items);
    let said = |said: &str| stream.clone().yields(&[line("a1", text(said))]);
    said("a😀b").holds(&["stream/accumulates", "stream/one-message-per-block"]);
    said("a\u{FFFD}\u{FFFD}b").breaks("stream/accumulates");
    said("ab").breaks("stream/accumulates");
}

#[test]
fn a_half_that_stays_alone_is_kept_or_becomes_the_replacement() {
    let items = vec![start(), begin(0, text("")), torn_text("a\\ud83d"), text_delta(0, "b"), stop(0), end()];
    let stream = Stream::of(items);
    stream.clone().yields(&[line("a1", text("a\u{FFFD}b"))]).holds(&["stream/accumulates"]);
    // A text with the half itself is read as one with the replacement.
    let kept = Plain::read(r#"{"type":"text","text":"a\ud83db"}"#).unwrap().into_value().into();
    stream.clone().yields(&[line("a1", kept)]).holds(&["stream/accumulates"]);
    stream.yields(&[line("a1", text("ab"))]).breaks("stream/accumulates");
}

#[test]
fn a_half_in_the_start_of_a_block_is_joined_with_the_other_one() {
    let first = r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":"\ud83d"}}"#;
    let items = vec![start(), StreamItem::Event(first.into()), torn_text("\\ude00"), stop(0), end()];
    let stream = Stream::of(items);
    stream.clone().yields(&[line("a1", text("😀"))]).holds(&["stream/accumulates"]);
    stream.yields(&[line("a1", text("\u{FFFD}\u{FFFD}"))]).breaks("stream/accumulates");
}

#[test]
fn halves_in_the_json_of_an_input_are_joined_before_it_is_read() {
    let piece = |piece: &str| torn(&format!(r#"{{"type":"input_json_delta","partial_json":"{piece}"}}"#));
    let pieces = [piece(r#"{\"a\":\"\ud83d"#), piece(r#"\ude00\"}"#)];
    let items = [vec![start(), begin(0, call("toolu_1", json!({})))], pieces.to_vec(), vec![stop(0), end()]].concat();
    let stream = Stream::of(items);
    let input = |input: Value| stream.clone().yields(&[line("a1", call("toolu_1", input))]);
    input(json!({"a": "😀"})).holds(&["stream/accumulates", "stream/total"]);
    input(json!({"a": "\u{FFFD}\u{FFFD}"})).breaks("stream/accumulates");
}

#[test]
fn whole_numbers_are_compared_by_their_digits() {
    let items =
        vec![start(), begin(0, call("toolu_1", json!({}))), json_delta(0, r#"{"a":9007199254740993}"#), stop(0), end()];
    let stream = Stream::of(items);
    let input = |input: Value| stream.clone().yields(&[line("a1", call("toolu_1", input))]);
    input(json!({"a": 9_007_199_254_740_993_u64})).holds(&["stream/accumulates"]);
    input(json!({"a": 9_007_199_254_740_992_u64})).breaks("stream/accumulates");
    input(json!({"a": 9_007_199_254_740_993.0})).breaks("stream/accumulates");
}

#[test]
fn a_number_may_be_written_in_another_way() {
    let items = vec![start(), begin(0, call("toolu_1", json!({}))), json_delta(0, r#"{"a":[2.50,1e2,-0.0]}"#), stop(0)];
    let input = call("toolu_1", json!({"a": [2.5, 100, 0]}));
    Stream::of([items, vec![end()]].concat()).yields(&[line("a1", input)]).holds(&["stream/accumulates"]);
}

/// A reply with a text and these ends, and what becomes of its line.
fn ended(ends: &[Value], body: &Value) -> Stream {
    let late = ends.iter().map(|members| {
        let mut members = members.clone();
        members["type"] = json!("message_delta");
        event(members)
    });
    let items = [start(), begin(0, text("a")), stop(0)].into_iter().chain(late).chain([end()]).collect();
    let a1 = line("a1", text("a"));
    let mut live = a1.clone();
    for (name, value) in body.as_object().unwrap() {
        live["message"][name] = value.clone();
    }
    Stream::of(items).yields(&[a1]).remains(&[live])
}

#[test]
fn each_end_counts_and_null_takes_nothing_away() {
    let first = json!({"delta": {"stop_reason": "stop_sequence", "stop_sequence": "END"},
        "usage": {"input_tokens": 7, "output_tokens": 20}});
    let second = json!({"delta": {"stop_reason": null, "stop_sequence": null}, "usage": {"output_tokens": 15}});
    let ends = [first, second];
    let body = |reason: Value, input: u64, output: u64| {
        let usage = json!({"input_tokens": input, "output_tokens": output});
        json!({"stop_reason": reason, "stop_sequence": "END", "usage": usage})
    };
    let rule = "stream/late-fields";
    ended(&ends, &body(json!("stop_sequence"), 7, 15)).holds(&[rule]);
    ended(&ends, &body(Value::Null, 7, 15)).breaks(rule);
    ended(&ends, &body(json!("stop_sequence"), 7, 20)).breaks(rule);
    ended(&ends, &body(json!("stop_sequence"), 5, 15)).breaks(rule);
}

#[test]
fn new_members_of_the_end_are_set_on_the_last_message_alone() {
    let rule = "stream/late-fields";
    let end = json!({"delta": {"stop_reason": "end_turn", "novelty": {"a": 1}}, "usage": {"output_tokens": 9},
        "input_transformations": [1]});
    let usage = json!({"input_tokens": 5, "output_tokens": 9});
    let all = json!({"stop_reason": "end_turn", "usage": usage, "novelty": {"a": 1}, "input_transformations": [1]});
    let without = |name: &str| {
        let mut body = all.clone();
        body.as_object_mut().unwrap().remove(name);
        body
    };
    ended(from_ref(&end), &all).holds(&[rule]);
    ended(from_ref(&end), &without("novelty")).breaks(rule);
    ended(from_ref(&end), &without("input_transformations")).breaks(rule);
    let mut early = ended(from_ref(&end), &all);
    early.events[0]["message"]["novelty"] = json!({"a": 1});
    early.breaks(rule);
}

#[test]
fn what_the_start_has_said_is_not_taken_from_the_end() {
    let end = json!({"delta": {"id": "msg_2", "model": "other", "stop_reason": "end_turn"},
        "usage": {"output_tokens": 9}});
    let body = json!({"stop_reason": "end_turn", "usage": {"input_tokens": 5, "output_tokens": 9}});
    let mut whole = whole(&[text("a")], Some("end_turn"), 9);
    let stream = ended(from_ref(&end), &body);
    stream.clone().wholes(from_ref(&whole)).holds(&["stream/accumulates", "stream/late-fields"]);
    whole["id"] = json!("msg_2");
    stream.wholes(&[whole]).breaks("stream/accumulates");
}

#[test]
fn a_line_has_a_uuid_and_a_time_of_its_own() {
    let items = vec![start(), begin(0, text("a")), stop(0), end()];
    let rule = "stream/one-message-per-block";
    Stream::of(items.clone()).yields(&[line("a1", text("a"))]).holds(&[rule]);
    Stream::of(items.clone()).yields(&[line("msg_1", text("a"))]).breaks(rule);
    let mut timeless = line("a1", text("a"));
    timeless.as_object_mut().unwrap().remove("timestamp");
    Stream::of(items).yields(&[timeless]).breaks(rule);
}

#[test]
fn a_tombstone_holds_the_message_with_its_late_fields_or_without() {
    let rule = "stream/tombstones-exact";
    let items = vec![start(), begin(0, text("a")), stop(0), late("end_turn", 9), StreamItem::Abandon];
    let a1 = line("a1", text("a"));
    let withdrawn = |message: &Value| {
        let shown = [a1.clone(), tombstone(message)];
        let stream = Stream::of(items.clone()).yields(&shown).remains(&[]);
        Stream { slots: Some(vec![tombstone(message)]), ..stream }
    };
    withdrawn(&a1).holds(&[rule]);
    withdrawn(&with_late(a1.clone(), "end_turn", 9)).holds(&[rule]);
    withdrawn(&json!({"uuid": "a1"})).breaks(rule);
    let mut other = a1.clone();
    other["message"]["content"] = json!([]);
    withdrawn(&other).breaks(rule);
}

#[test]
fn what_joins_stays_as_it_came() {
    let answer = result("r1", "toolu_1");
    let items = vec![start(), begin(0, call("toolu_1", json!({}))), stop(0), join(&answer), end()];
    let a1 = line("a1", call("toolu_1", json!({})));
    let stream = |live: &Value| {
        let shown = [a1.clone(), answer.clone()];
        Stream::of(items.clone()).yields(&shown).remains(&[a1.clone(), live.clone()])
    };
    stream(&answer).holds(&["stream/accumulates"]);
    let mut emptied = answer.clone();
    emptied["message"]["content"][0]["content"] = json!("");
    stream(&emptied).breaks("stream/accumulates");
}

#[test]
fn brackets_in_a_text_nest_nothing() {
    let open = format!("\\\"{}", "[".repeat(200));
    let stream = Stream::of(vec![start(), begin(0, text("")), text_delta(0, &open), stop(0), end()]);
    stream.clone().yields(&[line("a1", text(&open))]).holds(&["stream/accumulates"]);
    stream.yields(&[line("a1", text(""))]).breaks("stream/accumulates");
}

#[test]
fn what_comes_after_an_event_that_nests_too_deep_need_not_be_read() {
    let nested = |depth: usize| {
        let ping = format!(r#"{{"type":"ping","a":{}{}}}"#, "[".repeat(depth), "]".repeat(depth));
        let items = vec![start(), StreamItem::Event(ping), begin(0, text("a")), stop(0), end()];
        broken(&Stream::of(items).fault("bad-event", 1).done())
    };
    assert!(!nested(90).is_empty());
    for depth in [100, 101, 120] {
        assert_eq!(nested(depth), [""; 0], "{depth}");
    }
}

#[test]
fn an_event_that_nests_too_deep_may_be_read_or_not_also_with_half_of_a_pair_in_it() {
    let ping = format!(r#"{{"type":"ping","half":"\ud800","a":{}{}}}"#, "[".repeat(140), "]".repeat(140));
    let stream = Stream::of(vec![start(), StreamItem::Event(ping), begin(0, text("a")), stop(0), end()]);
    assert_eq!(broken(&stream.clone().yields(&[line("a1", text("a"))]).done()), [""; 0]);
    assert_eq!(broken(&stream.fault("bad-event", 1).done()), [""; 0]);
}

#[test]
fn an_end_that_says_one_thing_alone_says_it() {
    let stops = event(json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"}}));
    let stream = Stream::of(vec![start(), begin(0, text("a")), stop(0), stops, end()]);
    let case = stream.yields(&[line("a1", text("a"))]).done();
    assert_eq!(broken(&case), ["stream/late-fields"]);
}

#[test]
fn a_wrong_whole_message_is_shown_without_its_nulls() {
    let items = vec![start(), begin(0, text("a")), stop(0), late("end_turn", 7), end()];
    let stream = Stream::of(items).yields(&[with_late(line("a1", text("a")), "end_turn", 7)]);
    let case = stream.wholes(&[whole(&[text("b")], Some("end_turn"), 7)]).done();
    let broken = families::verdicts("stream", &case).into_iter().find_map(|(_, verdict)| match verdict {
        Verdict::Broken(violations) => violations.into_iter().next(),
        _ => None,
    });
    let found = broken.expect("a violation").found.to_string();
    assert!(found.starts_with("as a whole with another content: ") && !found.contains("null"), "{found}");
}
