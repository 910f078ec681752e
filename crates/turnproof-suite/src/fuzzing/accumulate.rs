//! `accumulate`: any bytes, read as a model's stream.
//!
//! The bytes are server-sent events. Two comments are orders: `: abandon` gives the stream up, and `: message JSON`
//! adds a message of another sender.

use serde_json::Value;

use crate::operation::{Accumulated, Operation, Plain, StreamItem, StreamText, Streamed};
use crate::stream::{Accumulator, ModelEvent, SseDecoder};
use crate::subject::{Outcome, Subject};
use crate::suite::{Depth, Observed};

use super::mutate::Shape;
use super::{Law, Target, hold, place};

/// Any bytes to messages.
pub const ACCUMULATE: Target = Target {
    name: "accumulate",
    title: "a stream gives the same messages however it is cut, as bytes or as events; what it gives is what the plain \
            accumulator gives, and what is withdrawn is gone",
    law: Law::Bytes(accumulate),
    shape: Some(Shape::Stream),
};

/// The comment that gives a stream up.
const ABANDON: &[u8] = b": abandon";

/// The comment with which a message joins.
const MESSAGE: &[u8] = b": message ";

fn accumulate(subject: &dyn Subject, bytes: &[u8], depth: Depth) {
    let items = items(bytes);
    let ask = |items: &[StreamItem]| match subject.accumulate(items) {
        Outcome::Output(text) => Some(text),
        // A message that is none may be refused.
        Outcome::Rejected(_) | Outcome::Unsupported => None,
    };
    let Some(text) = ask(&items) else { return };
    let cut = ask(&in_pieces(&items, 1 + place(depth, 23) as usize));
    assert!(cut.as_ref().map(untold) == Some(untold(&text)), "cuts change nothing: {text:?} became {cut:?}");
    if let Some(events) = as_events(&items) {
        let events = ask(&events);
        let is_same = events.as_ref().map(untold) == Some(untold(&text));
        assert!(is_same, "bytes or events, it is the same: {text:?} became {events:?}");
    }
    events_written_again_are_themselves(&items);
    let streamed = match Streamed::read(&text) {
        Ok(streamed) => streamed,
        // Messages hold the values of events a few levels deeper, and no reader need go so deep.
        Err(why) if why.contains(Plain::TOO_DEEP) => return,
        Err(why) => panic!("what is given can be read: {why}"),
    };
    let again = depth.asks(0, 4).then(|| ask(&items)).flatten().map(|text| Streamed::read(&text));
    let accumulated = Accumulated { items, output: Ok(streamed), cut_otherwise: None, again };
    hold(&Observed::from(accumulated), &[Operation::Accumulate]);
}

/// An event that is read, written and read again is the same. An accumulator ends with the message that it had last.
fn events_written_again_are_themselves(items: &[StreamItem]) {
    let mut decoder = SseDecoder::new();
    let mut accumulator = Accumulator::new();
    let bytes = items.iter().filter_map(|item| if let StreamItem::Bytes(bytes) = item { Some(bytes) } else { None });
    for event in bytes.flat_map(|bytes| decoder.push(bytes)) {
        let Ok(event) = ModelEvent::of_server_event(&event) else { continue };
        let again = ModelEvent::read(&event.write());
        assert!(again.as_ref().ok() == Some(&event), "an event written again is itself: {event:?} became {again:?}");
        // The messages show what is wrong here; a panic is what counts.
        let _ = accumulator.apply(&event);
    }
    let (message, is_over) = (accumulator.message(), accumulator.is_over());
    if let Ok(whole) = accumulator.finish() {
        assert!(is_over && message == Some(whole), "a reply that is whole is its message: {message:?} is not");
    }
}

/// What a subject gave, without the number of the item at which something was wrong: that depends on the cuts.
fn untold(text: &StreamText) -> [Option<&str>; 5] {
    [
        Some(text.events.as_str()),
        Some(text.live.as_str()),
        text.slots.as_deref(),
        text.messages.as_deref(),
        text.fault.as_ref().map(|fault| fault.name.as_str()),
    ]
}

/// The stream that the bytes describe.
pub(super) fn items(bytes: &[u8]) -> Vec<StreamItem> {
    let mut items = Vec::new();
    let mut piece = Vec::new();
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        let order = order(line.strip_suffix(b"\n").unwrap_or(line));
        if order.is_none() {
            piece.extend_from_slice(line);
        } else if !piece.is_empty() {
            items.push(StreamItem::Bytes(std::mem::take(&mut piece)));
        }
        items.extend(order);
    }
    if !piece.is_empty() {
        items.push(StreamItem::Bytes(piece));
    }
    items
}

/// A stream as an input of [`ACCUMULATE`]: events and bytes as they are sent, orders as comments.
///
/// ```
/// use turnproof_suite::fuzzing::stream_text;
/// use turnproof_rules::operation::StreamItem;
///
/// let items = [StreamItem::Event("{\"type\":\"ping\"}".to_owned()), StreamItem::Abandon];
/// assert_eq!(stream_text(&items), b"data: {\"type\":\"ping\"}\n\n\n: abandon\n");
/// ```
pub fn stream_text(items: &[StreamItem]) -> Vec<u8> {
    let text = |item: &StreamItem| match item {
        StreamItem::Event(json) => format!("data: {json}\n\n").into_bytes(),
        StreamItem::Bytes(bytes) => bytes.clone(),
        StreamItem::Abandon => [b"\n", ABANDON, b"\n"].concat(),
        StreamItem::Message(json) => [b"\n", MESSAGE, json.as_bytes(), b"\n"].concat(),
    };
    items.iter().flat_map(text).collect()
}

/// The order that a line is.
fn order(line: &[u8]) -> Option<StreamItem> {
    if line == ABANDON {
        return Some(StreamItem::Abandon);
    }
    let json = std::str::from_utf8(line.strip_prefix(MESSAGE)?).ok()?;
    Some(StreamItem::Message(json.to_owned()))
}

/// The same stream, its bytes in pieces of `size`.
fn in_pieces(items: &[StreamItem], size: usize) -> Vec<StreamItem> {
    let pieces = |item: &StreamItem| match item {
        StreamItem::Bytes(bytes) => bytes.chunks(size).map(|piece| StreamItem::Bytes(piece.to_vec())).collect(),
        item => vec![item.clone()],
    };
    items.iter().flat_map(pieces).collect()
}

/// The same stream, its bytes as the events that they hold; `None` when an event has a name and no type.
fn as_events(items: &[StreamItem]) -> Option<Vec<StreamItem>> {
    let mut decoder = SseDecoder::new();
    let mut events = Vec::new();
    for item in items {
        if let StreamItem::Bytes(bytes) = item {
            for event in decoder.push(bytes) {
                let value: Value = serde_json::from_str(&event.data).ok()?;
                value["type"].is_string().then(|| events.push(StreamItem::Event(event.data)))?;
            }
            continue;
        }
        if *item == StreamItem::Abandon {
            decoder = SseDecoder::new();
        }
        events.push(item.clone());
    }
    Some(events)
}
