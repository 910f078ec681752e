//! An answer to any sequence of events, and the name of what was wrong first.

use serde_json::json;
use turnproof_rules::operation::StreamItem;

use super::stream::*;

/// Wrong sequences, the fault that is reported, and the texts that are yielded.
fn wrong() -> Vec<(Vec<StreamItem>, &'static str, u64, &'static [&'static str])> {
    let open = || vec![start(), begin(0, text("a"))];
    let after = |mut items: Vec<StreamItem>, more: Vec<StreamItem>| {
        items.extend(more);
        items
    };
    let error = || event(json!({"type": "error", "error": {"type": "overloaded_error"}}));
    vec![
        (vec![event(json!({"type": "ping"})), stop(0)], "before-message-start", 1, &[]),
        (vec![end()], "before-message-start", 0, &[]),
        (after(open(), vec![start_of("msg_2"), stop(0)]), "second-message-start", 2, &["a"]),
        (after(open(), vec![stop(0), end(), end()]), "after-message-stop", 4, &["a"]),
        (after(open(), vec![stop(0), begin(5, text("b")), stop(5)]), "wrong-block-index", 3, &["a"]),
        (after(open(), vec![begin(1, text("b")), stop(1)]), "block-still-open", 2, &["a", "b"]),
        (after(open(), vec![text_delta(3, "x"), stop(0)]), "no-such-block", 2, &["a"]),
        (after(open(), vec![stop(0), stop(0)]), "block-stopped", 3, &["a"]),
        (after(open(), vec![stop(0), text_delta(0, "x")]), "block-stopped", 3, &["a"]),
        (after(open(), vec![StreamItem::Event("{".into()), stop(0)]), "bad-event", 2, &["a"]),
        (after(open(), vec![event(json!([1])), stop(0)]), "bad-event", 2, &["a"]),
        (after(open(), vec![event(json!({"type": "content_block_stop"})), stop(0)]), "bad-event", 2, &["a"]),
        (after(open(), vec![error()]), "api-error", 2, &[]),
        (vec![event(json!({"type": "message_start"})), start()], "bad-event", 0, &[]),
    ]
}

#[test]
fn the_first_fault_is_named_at_its_item() {
    for (items, name, item, texts) in wrong() {
        let lines: Vec<_> = texts.iter().enumerate().map(|(at, it)| line(&format!("a{at}"), text(it))).collect();
        let stream = Stream::of(items).yields(&lines);
        stream.clone().fault(name, item).holds(&["stream/total"]);
        stream.breaks("stream/total");
        stream.clone().fault(name, item + 1).breaks("stream/total");
        let other = if name == "no-such-block" { "block-stopped" } else { "no-such-block" };
        stream.clone().fault(other, item).breaks("stream/total");
        stream.fault("some-error", item).breaks("stream/total");
    }
}

#[test]
fn an_event_out_of_order_changes_nothing() {
    let items = vec![start(), begin(0, text("a")), stop(0), text_delta(0, "x"), begin(7, text("b")), end()];
    let stream = Stream::of(items).fault("block-stopped", 3);
    stream.clone().yields(&[line("a1", text("a"))]).holds(&["stream/accumulates"]);
    stream.clone().yields(&[line("a1", text("ax"))]).breaks("stream/accumulates");
    let both = [line("a1", text("a")), line("a2", text("b"))];
    stream.yields(&both).breaks("stream/one-message-per-block");
}

#[test]
fn an_orderly_stream_has_no_fault() {
    let items = vec![start(), begin(0, text("a")), stop(0), end()];
    let stream = Stream::of(items).yields(&[line("a1", text("a"))]);
    stream.holds(&["stream/total"]);
    stream.clone().fault("unfinished", 3).breaks("stream/total");
}

#[test]
fn a_stream_that_ends_before_its_end_is_unfinished_unless_it_was_given_up_or_failed() {
    let open = vec![start(), begin(0, text("a")), stop(0)];
    let a1 = line("a1", text("a"));
    let stream = |more: Vec<StreamItem>| {
        let items = [open.clone(), more].concat();
        Stream { fault: None, ..Stream::of(items).yields(std::slice::from_ref(&a1)) }
    };
    stream(vec![]).fault("unfinished", 3).holds(&["stream/total"]);
    stream(vec![]).fault("unfinished", 2).holds(&["stream/total"]);
    stream(vec![]).breaks("stream/total");
    stream(vec![end()]).holds(&["stream/total"]);
    let error = event(json!({"type": "error", "error": {"type": "overloaded_error"}}));
    stream(vec![error]).fault("api-error", 3).holds(&["stream/total"]);
    let given_up = stream(vec![StreamItem::Abandon]).yields(&[a1.clone(), tombstone(&a1)]).remains(&[]);
    given_up.places(&[tombstone(&a1)]).holds(&["stream/total"]);
}

#[test]
fn a_missing_output_and_one_that_is_no_list_are_reported_by_one_rule() {
    let mut case = Stream::of(vec![start()]).done();
    case.output = Err("it crashed".into());
    assert_eq!(broken(&case), ["stream/total"]);
    let mut case = Stream::of(vec![start()]).done();
    case.output.as_mut().unwrap().live = json!({}).into();
    assert_eq!(broken(&case), ["stream/total"]);
}

#[test]
fn a_second_answer_may_differ_in_ids_and_times_alone() {
    let items = vec![start(), begin(0, text("a")), stop(0), end()];
    let first = Stream::of(items).yields(&[line("a1", text("a"))]);
    let again = |other: Stream| Stream { again: Some(Box::new(other)), ..first.clone() };
    again(first.clone().yields(&[line("b7", text("a"))])).holds(&["stream/total"]);
    again(first.clone().yields(&[line("a1", text("b"))])).breaks("stream/total");
    again(first.clone().yields(&[])).breaks("stream/total");
    again(first.clone().fault("no-such-block", 1)).breaks("stream/total");
}

#[test]
fn a_delta_without_what_it_adds_may_be_reported_or_not() {
    let items = vec![start(), begin(0, text("a")), delta(0, json!({"type": "text_delta"})), stop(0), end()];
    let stream = Stream::of(items).yields(&[line("a1", text("a"))]);
    stream.holds(&["stream/total"]);
    stream.clone().fault("bad-event", 2).holds(&["stream/total"]);
    stream.fault("bad-event", 1).breaks("stream/total");
}

#[test]
fn a_misplaced_event_of_a_wrong_shape_may_be_reported_as_either() {
    let block = |block: serde_json::Value| json!({"type": "content_block_start", "index": 0, "content_block": block});
    let wrong = [
        json!({"type": "message_delta", "delta": 1}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": 1}}),
        json!({"type": "content_block_stop", "index": -1}),
        block(json!([])),
        block(json!({"text": "a"})),
    ];
    for misplaced in wrong {
        let stream = Stream::of(vec![event(misplaced.clone())]);
        stream.breaks("stream/total");
        stream.clone().fault("before-message-start", 0).holds(&["stream/total"]);
        stream.clone().fault("bad-event", 0).holds(&["stream/total"]);
        stream.fault("no-such-block", 0).breaks("stream/total");
    }
    let right = [
        json!({"type": "message_delta", "delta": {"stop_reason": []}}),
        json!({"type": "message_delta", "delta": {}, "usage": 1}),
        block(json!({"type": "text", "text": 1})),
        json!({"type": "message_delta", "delta": {"stop_reason": null}, "usage": {}}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "a"}}),
        json!({"type": "content_block_stop", "index": 0}),
        block(json!({"type": "text", "text": "a"})),
    ];
    for misplaced in right {
        let stream = Stream::of(vec![event(misplaced)]);
        stream.clone().fault("before-message-start", 0).holds(&["stream/total"]);
        stream.fault("bad-event", 0).breaks("stream/total");
    }
}

#[test]
fn places_of_messages_that_share_a_uuid_are_not_judged() {
    let [first, second] = ["a", "b"].map(|call| result("u1", call));
    let both = [first.clone(), second.clone()];
    let stream = Stream::of(vec![join(&first), join(&second)]).yields(&both);
    stream.clone().remains(&both).places(&both).holds(&[]);
    let own = [first.clone(), result("u2", "b")];
    let stream = Stream::of(vec![join(&own[0]), join(&own[1])]).yields(&own).remains(&own);
    stream.clone().places(&own).holds(&["stream/slots-stable"]);
    stream.places(&[own[1].clone(), first]).breaks("stream/slots-stable");
}
