//! The *wire* of a stream: its events, which come whole, or as bytes that are cut anywhere.

use turnproof_reference::stream::SseDecoder;
use turnproof_rules::operation::{StreamItem, Value};

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

/// The same items, each event without a name under that of the one before.
pub(super) fn with_last_names(items: Vec<StreamItem>) -> Vec<StreamItem> {
    let mut last = None;
    renamed(items, |name, data| {
        last = name.or(last.take());
        (last.clone(), data)
    })
}

/// The same items with other data in each event.
fn rewritten(items: Vec<StreamItem>, mut change: impl FnMut(String) -> String) -> Vec<StreamItem> {
    renamed(items, |name, data| (name, change(data)))
}

/// The name of an event and its data.
type Named = (Option<String>, String);

/// The same items with another name and other data in each event. Each piece of bytes then holds the whole events that
/// it ended before.
fn renamed(items: Vec<StreamItem>, mut change: impl FnMut(Option<String>, String) -> Named) -> Vec<StreamItem> {
    let mut decoder = SseDecoder::new();
    let mut rewrite = |item| match item {
        StreamItem::Event(json) => StreamItem::Event(change(None, json).1),
        StreamItem::Bytes(bytes) => {
            let sent = decoder.push(&bytes).into_iter();
            let changed = sent.map(|event| change(event.name, event.data));
            StreamItem::Bytes(changed.flat_map(|(name, data)| written(name, &data).into_bytes()).collect())
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

/// The same items with other lines in the bytes: `change` gives the line that takes the place of one, given whether a
/// name came before in its event. Each piece of bytes then holds the whole lines that it ended before.
pub(super) fn lines(items: Vec<StreamItem>, change: fn(&str, bool) -> Option<String>) -> Vec<StreamItem> {
    let (mut line, mut has_name) = (Vec::new(), false);
    let mut rewrite = |item| match item {
        StreamItem::Bytes(bytes) => {
            let mut changed = Vec::new();
            for byte in bytes {
                line.push(byte);
                if byte != b'\n' && byte != b'\r' {
                    continue;
                }
                let text = String::from_utf8_lossy(&line[..line.len() - 1]).into_owned();
                let is_end = text.is_empty();
                has_name = !is_end && (has_name || text.trim_start_matches('\u{FEFF}').starts_with("event:"));
                if let Some(other) = change(&text, has_name) {
                    changed.extend(other.into_bytes());
                    changed.push(byte);
                }
                line.clear();
            }
            StreamItem::Bytes(changed)
        }
        StreamItem::Abandon => {
            (line, has_name) = (Vec::new(), false);
            StreamItem::Abandon
        }
        other => other,
    };
    items.into_iter().map(&mut rewrite).collect()
}
