//! The *wire* of a stream: its events, which come whole, or as bytes that are cut anywhere.

use serde_json::Value;
use turnproof::operation::StreamItem;
use turnproof::stream::SseDecoder;

/// The same items, each event changed.
pub(super) fn events(items: Vec<StreamItem>, mut change: impl FnMut(&mut Value)) -> Vec<StreamItem> {
    rewritten(items, |json| match serde_json::from_str::<Value>(&json) {
        Ok(event) => {
            let mut other = event.clone();
            change(&mut other);
            if other == event { json } else { other.to_string() }
        }
        // Halves of surrogate pairs, and what is no JSON, cannot be changed here.
        Err(_) => json,
    })
}

/// The same items, with the data lines of each event joined in another way.
pub(super) fn joined(items: Vec<StreamItem>, join: fn(&[&str]) -> String) -> Vec<StreamItem> {
    rewritten(items, |data| join(&data.split('\n').collect::<Vec<_>>()))
}

/// The same items with other data in each event. Each piece of bytes then holds the whole events that it ended before.
fn rewritten(items: Vec<StreamItem>, mut change: impl FnMut(String) -> String) -> Vec<StreamItem> {
    let mut decoder = SseDecoder::new();
    let mut rewrite = |item| match item {
        StreamItem::Event(json) => StreamItem::Event(change(json)),
        StreamItem::Bytes(bytes) => {
            let sent = decoder.push(&bytes).into_iter();
            StreamItem::Bytes(sent.flat_map(|event| written(event.name, &change(event.data)).into_bytes()).collect())
        }
        StreamItem::Abandon => {
            decoder = SseDecoder::new();
            StreamItem::Abandon
        }
        StreamItem::Message(json) => StreamItem::Message(json),
    };
    items.into_iter().map(&mut rewrite).collect()
}

fn written(name: Option<String>, data: &str) -> String {
    let name = name.map(|name| format!("event: {name}\n"));
    let lines = data.split('\n').map(|line| format!("data: {line}\n"));
    name.into_iter().chain(lines).chain(["\n".to_owned()]).collect()
}
