//! Streams that are abandoned, and what becomes of what they have shown.

use std::slice::from_ref;

use crate::families;
use serde_json::{Value, json};
use turnproof_rules::operation::StreamItem;
use turnproof_rules::rules::{Place, StreamList, Verdict};

use super::stream::*;

/// The parts of a case where a reply with a text and a call is abandoned after the call's result.
struct Parts {
    items: Vec<StreamItem>,
    a1: Value,
    a2: Value,
    r1: Value,
    b1: Value,
}

fn parts() -> Parts {
    let r1 = result("r1", "toolu_1");
    let items = vec![
        start(),
        begin(0, text("a")),
        stop(0),
        begin(1, call("toolu_1", json!({}))),
        stop(1),
        join(&r1),
        StreamItem::Abandon,
        start_of("msg_2"),
        begin(0, text("b")),
        stop(0),
        end(),
    ];
    Parts {
        items,
        a1: line("a1", text("a")),
        a2: line("a2", call("toolu_1", json!({}))),
        r1,
        b1: line_of("msg_2", "b1", text("b")),
    }
}

impl Parts {
    fn events(&self) -> Vec<Value> {
        let (a1, a2, r1, b1) = (self.a1.clone(), self.a2.clone(), self.r1.clone(), self.b1.clone());
        vec![a1.clone(), a2.clone(), r1, tombstone(&a1), tombstone(&a2), b1]
    }

    fn slots(&self) -> Vec<Value> {
        vec![tombstone(&self.a1), tombstone(&self.a2), tombstone(&self.r1), self.b1.clone()]
    }

    fn right(&self) -> Stream {
        let live = [self.b1.clone()];
        Stream::of(self.items.clone()).yields(&self.events()).remains(&live).places(&self.slots())
    }
}

#[test]
fn a_fallback_that_withdraws_what_was_shown_holds() {
    let tested = [
        "stream/tombstones-exact",
        "stream/no-withdrawn-survivor",
        "stream/slots-stable",
        "stream/accumulates",
        "stream/one-message-per-block",
    ];
    parts().right().holds(&tested);
}

#[test]
fn tombstones_are_exact_and_come_first() {
    let parts = parts();
    let rule = "stream/tombstones-exact";
    let with_events = |change: fn(&mut Vec<Value>)| {
        let mut events = parts.events();
        change(&mut events);
        Stream { events, ..Stream { slots: None, ..parts.right() } }
    };
    // The other order; after the next try's first.
    with_events(|events| events.swap(3, 4)).breaks(rule);
    with_events(|events| events.swap(4, 5)).breaks(rule);
    with_events(|events| {
        let again = events[3].clone();
        events.insert(4, again);
    })
    .breaks(rule);
    // One is forgotten: what it should name stays.
    let mut events = parts.events();
    events.remove(3);
    let live = [parts.a1.clone(), parts.b1.clone()];
    let slots = [parts.a1.clone(), tombstone(&parts.a2), tombstone(&parts.r1), parts.b1.clone()];
    Stream::of(parts.items.clone()).yields(&events).remains(&live).places(&slots).breaks(rule);
    // One too many.
    let mut events = parts.events();
    events.push(tombstone(&parts.b1));
    let mut slots = parts.slots();
    slots[3] = tombstone(&parts.b1);
    Stream::of(parts.items.clone()).yields(&events).remains(&[]).places(&slots).breaks(rule);
    // One for what was never shown.
    let mut events = parts.events();
    events.insert(5, tombstone(&line("never", text("a"))));
    Stream { events, ..parts.right() }.breaks(rule);
}

#[test]
fn nothing_withdrawn_survives_in_the_live_view() {
    let parts = parts();
    let rule = "stream/no-withdrawn-survivor";
    let live =
        |live: &[&Value]| Stream { live: live.iter().map(|&message| message.clone()).collect(), ..parts.right() };
    live(&[&parts.a1, &parts.b1]).breaks(rule);
    live(&[&parts.a2, &parts.b1]).breaks(rule);
    // The result of a withdrawn call.
    live(&[&parts.r1, &parts.b1]).breaks(rule);
}

#[test]
fn a_result_stays_when_a_standing_message_holds_its_call() {
    let mut parts = parts();
    parts.items[8] = begin(0, call("toolu_1", json!({})));
    parts.b1 = line_of("msg_2", "b1", call("toolu_1", json!({})));
    let live = [parts.r1.clone(), parts.b1.clone()];
    let slots = [tombstone(&parts.a1), tombstone(&parts.a2), parts.r1.clone(), parts.b1.clone()];
    let stream = Stream::of(parts.items.clone()).yields(&parts.events());
    stream.clone().remains(&live).places(&slots).holds(&["stream/accumulates"]);
    let without = Stream { slots: None, ..stream.remains(&live[1..]) };
    without.breaks("stream/accumulates");
}

#[test]
fn places_never_move() {
    let parts = parts();
    let rule = "stream/slots-stable";
    let places = |slots: &[Value]| parts.right().places(slots);
    let right = parts.slots();
    places(&right[2..]).breaks(rule);
    places(&[&right[..2], &right[3..]].concat()).breaks(rule);
    places(&[right[1].clone(), right[0].clone(), right[2].clone(), right[3].clone()]).breaks(rule);
    places(&[right[0].clone(), right[1].clone(), right[2].clone(), tombstone(&parts.b1)]).breaks(rule);
    let late = with_late(parts.b1.clone(), "end_turn", 9);
    places(&[&right[..3], &[late]].concat()).breaks(rule);
}

#[test]
fn what_has_shown_nothing_withdraws_nothing() {
    let items = vec![start(), begin(0, text("a")), StreamItem::Abandon, StreamItem::Abandon, start_of("msg_2"), end()];
    Stream::of(items.clone()).yields(&[]).holds(&["stream/tombstones-exact"]);
    let never = line("a1", text("a"));
    let stream = Stream { events: vec![tombstone(&never)], ..Stream::of(items) };
    stream.breaks("stream/tombstones-exact");
}

#[test]
fn an_earlier_reply_may_belong_to_the_stream_or_not() {
    let items = vec![
        start(),
        begin(0, text("a")),
        stop(0),
        end(),
        start_of("msg_2"),
        begin(0, text("b")),
        stop(0),
        StreamItem::Abandon,
    ];
    let (a1, b1) = (line("a1", text("a")), line_of("msg_2", "b1", text("b")));
    let stream = Stream::of(items);
    let tombstones = [tombstone(&a1), tombstone(&b1)];
    stream
        .clone()
        .yields(&[a1.clone(), b1.clone(), tombstones[1].clone()])
        .remains(from_ref(&a1))
        .places(&[a1.clone(), tombstones[1].clone()])
        .holds(&["stream/tombstones-exact"]);
    stream
        .clone()
        .yields(&[&[a1.clone(), b1.clone()], &tombstones[..]].concat())
        .remains(&[])
        .places(&tombstones)
        .holds(&["stream/tombstones-exact"]);
    stream.yields(&[a1.clone(), b1.clone()]).breaks("stream/tombstones-exact");
}

#[test]
fn what_was_withdrawn_is_not_withdrawn_again() {
    let items = vec![
        start(),
        begin(0, text("a")),
        stop(0),
        StreamItem::Abandon,
        start_of("msg_2"),
        begin(0, text("b")),
        stop(0),
        StreamItem::Abandon,
    ];
    let (a1, b1) = (line("a1", text("a")), line_of("msg_2", "b1", text("b")));
    let (gone, gone_too) = (tombstone(&a1), tombstone(&b1));
    let stream = |events: &[&Value]| {
        let events: Vec<Value> = events.iter().copied().cloned().collect();
        Stream::of(items.clone()).yields(&events).remains(&[]).places(&[gone.clone(), gone_too.clone()])
    };
    stream(&[&a1, &gone, &b1, &gone_too]).holds(&["stream/tombstones-exact"]);
    stream(&[&a1, &gone, &b1, &gone, &gone_too]).breaks("stream/tombstones-exact");
    stream(&[&a1, &b1, &gone, &gone_too]).breaks("stream/tombstones-exact");
}

#[test]
fn each_violation_names_the_list_that_its_place_counts_in() {
    let parts = parts();
    let place = |rule: &str, change: fn(&mut Stream)| {
        let mut stream = parts.right();
        change(&mut stream);
        match families::judge(rule, &stream.done()) {
            Verdict::Broken(violations) => match violations[0].place {
                Place::Streamed { list, index } => (list, index),
                place => panic!("{place}"),
            },
            verdict => panic!("{verdict:?}"),
        }
    };
    let (accumulates, per_block) = ("stream/accumulates", "stream/one-message-per-block");
    let block = |stream: &mut Stream| stream.events[5]["message"]["content"][0]["text"] = json!("other");
    assert_eq!(place(accumulates, block), (StreamList::Lines, 2));
    let user = |stream: &mut Stream| stream.events[2]["message"]["role"] = json!("other");
    assert_eq!(place(accumulates, user), (StreamList::Users, 0));
    assert_eq!(place(accumulates, |stream| stream.messages = Some(vec![])), (StreamList::Wholes, 0));
    assert_eq!(place(accumulates, |stream| stream.live.clear()), (StreamList::Live, 0));
    assert_eq!(place(per_block, |stream| stream.events.swap(1, 2)), (StreamList::Messages, 1));
    assert_eq!(place(per_block, |stream| stream.events[5]["uuid"] = json!("")), (StreamList::Yielded, 5));
    let tombstones = |stream: &mut Stream| stream.events.swap(3, 4);
    assert_eq!(place("stream/tombstones-exact", tombstones), (StreamList::LinesAndTombstones, 2));
    let survivor = "stream/no-withdrawn-survivor";
    assert_eq!(place(survivor, |stream| stream.live.push(stream.events[0].clone())), (StreamList::Live, 1));
    let slots = |stream: &mut Stream| stream.slots.as_mut().unwrap()[1] = stream.events[1].clone();
    assert_eq!(place(survivor, slots), (StreamList::Slots, 1));
    // An error of the API has no place that is counted.
    let places = |stream: &mut Stream| {
        let slots = stream.slots.as_mut().unwrap();
        slots[3] = tombstone(&slots[3]);
        slots.insert(0, json!({"type": "assistant", "isApiErrorMessage": true}));
    };
    assert_eq!(place("stream/slots-stable", places), (StreamList::Places, 3));
}

#[test]
fn what_people_say_beside_a_withdrawn_result_stays() {
    let mut parts = parts();
    let result = parts.r1["message"]["content"][0].clone();
    parts.r1["message"]["content"] = json!([result, text("and look there")]);
    parts.items[5] = join(&parts.r1);
    let mut left = parts.r1.clone();
    left["message"]["content"] = json!([text("and look there")]);
    let live = [left.clone(), parts.b1.clone()];
    let slots = |of_user: &Value| [tombstone(&parts.a1), tombstone(&parts.a2), of_user.clone(), parts.b1.clone()];
    let stream = Stream::of(parts.items.clone()).yields(&parts.events());
    let right = stream.clone().remains(&live).places(&slots(&left));
    right.clone().holds(&["stream/accumulates", "stream/slots-stable"]);
    Stream { slots: None, ..stream.remains(&live[1..]) }.breaks("stream/accumulates");
    right.places(&slots(&tombstone(&parts.r1))).breaks("stream/slots-stable");
}
