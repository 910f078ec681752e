//! Blocks, whole messages and late fields.

use std::slice::from_ref;

use serde_json::{Value, json};
use turnproof_rules::operation::StreamItem;

use super::stream::*;

/// A reply with thinking, text and two calls.
fn long_reply() -> (Vec<StreamItem>, [Value; 4]) {
    let items = vec![
        start(),
        event(json!({"type": "ping"})),
        begin(0, json!({"type": "thinking", "thinking": "", "signature": ""})),
        delta(0, json!({"type": "thinking_delta", "thinking": "hm"})),
        delta(0, json!({"type": "thinking_delta", "thinking": "m"})),
        delta(0, json!({"type": "signature_delta", "signature": "old"})),
        delta(0, json!({"type": "signature_delta", "signature": "sig"})),
        stop(0),
        begin(1, text("")),
        text_delta(1, "he"),
        text_delta(1, "llo"),
        delta(1, json!({"type": "citations_delta", "citation": {"cited_text": "a"}})),
        delta(1, json!({"type": "citations_delta", "citation": {"cited_text": "b"}})),
        stop(1),
        begin(2, call("toolu_1", json!({}))),
        json_delta(2, ""),
        json_delta(2, "{\"a\":"),
        json_delta(2, " [1]}"),
        stop(2),
        begin(3, call("toolu_2", json!({}))),
        stop(3),
        late("tool_use", 90),
        end(),
    ];
    let mut cited = text("hello");
    cited["citations"] = json!([{"cited_text": "a"}, {"cited_text": "b"}]);
    let blocks = [
        json!({"type": "thinking", "thinking": "hmm", "signature": "sig"}),
        cited,
        call("toolu_1", json!({"a": [1]})),
        call("toolu_2", json!({})),
    ];
    (items, blocks)
}

/// The right output for the long reply.
fn right() -> Stream {
    let (items, blocks) = long_reply();
    let lines: Vec<Value> =
        blocks.iter().enumerate().map(|(at, block)| line(&format!("a{at}"), block.clone())).collect();
    let mut live = lines.clone();
    live[3] = with_late(live[3].clone(), "tool_use", 90);
    let whole = whole(&blocks, Some("tool_use"), 90);
    Stream::of(items).yields(&lines).remains(&live).wholes(&[whole])
}

#[test]
fn a_reply_in_order_holds() {
    let tested = [
        "stream/accumulates",
        "stream/one-message-per-block",
        "stream/late-fields",
        "stream/total",
        "stream/slots-stable",
    ];
    right().holds(&tested);
    // A subject may give messages and views or not.
    Stream { slots: None, messages: None, ..right() }.holds(&tested[..4]);
}

/// The right output with a change in each list of messages.
fn changed(change: impl Fn(&mut Value)) -> Stream {
    let mut stream = right();
    stream.events.iter_mut().for_each(&change);
    stream.live.iter_mut().for_each(&change);
    stream.slots.iter_mut().flatten().for_each(&change);
    stream
}

#[test]
fn a_block_that_is_put_together_wrongly_is_detected() {
    let wrong: [(&str, &str, Value); 6] = [
        ("hello", "text", json!("llo")),
        ("hello", "citations", json!([{"cited_text": "b"}])),
        ("hmm", "signature", json!("oldsig")),
        ("hmm", "thinking", json!("m")),
        ("toolu_1", "input", json!("{\"a\": [1]}")),
        ("toolu_2", "input", json!("")),
    ];
    for (which, member, value) in wrong {
        let change = |line: &mut Value| {
            let block = &mut line["message"]["content"][0];
            if block.to_string().contains(which) {
                block[member] = value.clone();
            }
        };
        changed(change).breaks("stream/accumulates");
    }
}

#[test]
fn a_whole_message_that_differs_is_detected() {
    let (_, blocks) = long_reply();
    let mut summed = whole(&blocks, Some("tool_use"), 91);
    right().wholes(from_ref(&summed)).breaks("stream/accumulates");
    summed = whole(&blocks, None, 90);
    right().wholes(&[summed]).breaks("stream/accumulates");
    right().wholes(&[whole(&blocks[..3], Some("tool_use"), 90)]).breaks("stream/accumulates");
    right().wholes(&[]).breaks("stream/accumulates");
    let mut more = whole(&blocks, Some("tool_use"), 90);
    more["container"] = Value::Null;
    right().wholes(&[more]).holds(&["stream/accumulates"]);
}

#[test]
fn a_message_of_two_blocks_or_with_other_ids_is_detected() {
    let rule = "stream/one-message-per-block";
    changed(|line| line["message"]["id"] = line["uuid"].clone()).breaks(rule);
    changed(|line| line["requestId"] = line["uuid"].clone()).breaks(rule);
    changed(|line| line["message"]["model"] = json!("other")).breaks(rule);
    changed(|line| {
        let block = line["message"]["content"][0].clone();
        line["message"]["content"] = json!([block, block]);
    })
    .breaks(rule);
    let mut shared = right();
    shared.events.iter_mut().for_each(|line| line["uuid"] = json!("a0"));
    assert!(broken(&shared.done()).contains(&rule));
    // The reply in one piece, when it is whole.
    let (items, blocks) = long_reply();
    let mut joined = with_late(line("a0", blocks[0].clone()), "tool_use", 90);
    joined["message"]["content"] = json!(blocks);
    Stream::of(items).yields(&[joined]).wholes(&[whole(&blocks, Some("tool_use"), 90)]).breaks(rule);
}

#[test]
fn a_message_that_comes_after_the_next_user_message_was_not_yielded_at_once() {
    let answer = result("r1", "toolu_1");
    let items = vec![
        start(),
        begin(0, call("toolu_1", json!({}))),
        stop(0),
        join(&answer),
        begin(1, text("b")),
        stop(1),
        late("end_turn", 9),
        end(),
    ];
    let (a1, a2) = (line("a1", call("toolu_1", json!({}))), line("a2", text("b")));
    let a2_late = with_late(a2.clone(), "end_turn", 9);
    let stream = Stream::of(items);
    stream
        .clone()
        .yields(&[a1.clone(), answer.clone(), a2.clone()])
        .remains(&[a1.clone(), answer.clone(), a2_late.clone()])
        .holds(&["stream/one-message-per-block", "stream/accumulates"]);
    stream
        .yields(&[answer.clone(), a1.clone(), a2])
        .remains(&[answer, a1, a2_late])
        .breaks("stream/one-message-per-block");
}

#[test]
fn late_fields_are_set_on_the_last_message_alone() {
    let rule = "stream/late-fields";
    let late_on = |which: fn(usize) -> bool| {
        let mut stream = right();
        for list in [&mut stream.live, stream.slots.as_mut().unwrap()] {
            for (at, line) in list.iter_mut().enumerate() {
                line["message"]["stop_reason"] = if which(at) { json!("tool_use") } else { Value::Null };
                line["message"]["usage"]["output_tokens"] = json!(if which(at) { 90 } else { 1 });
            }
        }
        stream
    };
    late_on(|at| at == 3).holds(&[rule]);
    late_on(|_| true).breaks(rule);
    late_on(|_| false).breaks(rule);
    late_on(|at| at == 0).breaks(rule);
    let mut early = right();
    early.events[3] = early.live[3].clone();
    early.breaks(rule);
    let mut partial = right();
    for list in [&mut partial.live, partial.slots.as_mut().unwrap()] {
        list[3]["message"]["usage"] = json!({"output_tokens": 90});
    }
    partial.breaks(rule);
}

#[test]
fn a_message_that_is_lost_from_the_list_is_detected() {
    let mut stream = Stream { slots: None, ..right() };
    stream.live.remove(1);
    stream.breaks("stream/accumulates");
    let mut stream = Stream { slots: None, ..right() };
    stream.live.swap(0, 1);
    stream.breaks("stream/accumulates");
}

#[test]
fn a_reply_that_is_cut_at_its_limit_stops_its_blocks() {
    let items = vec![start(), begin(0, text("")), text_delta(0, "half"), late("max_tokens", 90), end()];
    let a1 = line("a1", text("half"));
    let stream = Stream::of(items).yields(from_ref(&a1)).remains(&[with_late(a1, "max_tokens", 90)]);
    stream.clone().wholes(&[whole(&[text("half")], Some("max_tokens"), 90)]).holds(&["stream/late-fields"]);
    stream.wholes(&[whole(&[], Some("max_tokens"), 90)]).breaks("stream/accumulates");
}

#[test]
fn the_input_of_the_start_counts_when_nothing_comes_after_it() {
    let given = call("toolu_1", json!({"a": 1}));
    let items = vec![start(), begin(0, given.clone()), stop(0)];
    Stream::of(items.clone()).yields(&[line("a1", given)]).holds(&["stream/accumulates"]);
    Stream::of(items).yields(&[line("a1", call("toolu_1", json!({})))]).breaks("stream/accumulates");
}

#[test]
fn input_that_is_no_json_is_kept_as_text() {
    let items = vec![start(), begin(0, call("toolu_1", json!({}))), json_delta(0, "{\"a\":"), stop(0)];
    let stream = |input: Value| Stream::of(items.clone()).yields(&[line("a1", call("toolu_1", input))]);
    stream(json!("{\"a\":")).fault("bad-input-json", 3).holds(&["stream/accumulates", "stream/total"]);
    stream(json!({})).fault("bad-input-json", 3).breaks("stream/accumulates");
    stream(json!("{\"a\":")).breaks("stream/total");
}

#[test]
fn pieces_that_do_not_fit_change_nothing() {
    let items = vec![
        start(),
        begin(0, text("a")),
        json_delta(0, "{}"),
        delta(0, json!({"type": "new_delta", "text": "x"})),
        event(json!({"type": "new_event", "index": 9})),
        begin_again(),
        stop(0),
    ];
    Stream::of(items.clone()).yields(&[line("a1", text("a"))]).holds(&["stream/accumulates", "stream/total"]);
    let mut odd = text("a");
    odd["input"] = json!({});
    Stream::of(items).yields(&[line("a1", odd)]).breaks("stream/accumulates");
}

/// A thing that is not known.
fn begin_again() -> StreamItem {
    event(json!({"type": "content_block_restart", "index": 0}))
}

#[test]
fn a_fallback_block_names_the_new_model() {
    let block = json!({"type": "fallback", "to": {"model": "small"}});
    let items =
        vec![start(), begin(0, text("a")), stop(0), begin(1, block.clone()), stop(1), begin(2, text("b")), stop(2)];
    let (a1, mut a2, mut a3) = (line("a1", text("a")), line("a2", block.clone()), line("a3", text("b")));
    a2["message"]["model"] = json!("small");
    a3["message"]["model"] = json!("small");
    let mut all = whole(&[text("a"), block, text("b")], None, 1);
    all["model"] = json!("small");
    let stream = Stream::of(items);
    let yielded = [a1.clone(), a2.clone(), a3.clone()];
    stream.clone().yields(&yielded).wholes(from_ref(&all)).holds(&["stream/one-message-per-block"]);
    a3["message"]["model"] = json!("m");
    stream.clone().yields(&[a1.clone(), a2, a3]).wholes(&[all]).breaks("stream/one-message-per-block");
    stream.yields(&yielded).wholes(&[whole(&[text("a")], None, 1)]).breaks("stream/accumulates");
}

#[test]
fn content_of_the_start_is_yielded_at_once() {
    let first = json!({"type": "message_start", "message": {"id": "msg_1", "type": "message", "role": "assistant",
        "model": "m", "content": [call("toolu_1", json!({}))], "usage": {"input_tokens": 5, "output_tokens": 1}}});
    let items = vec![event(first), begin(1, text("b")), stop(1)];
    let (a1, a2) = (line("a1", call("toolu_1", json!({}))), line("a2", text("b")));
    Stream::of(items.clone()).yields(&[a1, a2.clone()]).holds(&["stream/one-message-per-block"]);
    Stream::of(items).yields(&[a2]).breaks("stream/one-message-per-block");
}
