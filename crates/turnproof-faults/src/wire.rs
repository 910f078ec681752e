//! The *wire* of a stream: its events, which come whole, or as bytes that are cut anywhere.

use serde_json::Value;
use turnproof::operation::StreamItem;

/// The same items, each piece of bytes changed.
pub(super) fn pieces(mut items: Vec<StreamItem>, change: fn(&mut Vec<u8>)) -> Vec<StreamItem> {
    for item in &mut items {
        if let StreamItem::Bytes(bytes) = item {
            change(bytes);
        }
    }
    items
}

/// The same items, each event changed. Bytes stay bytes; each piece then holds the whole events that it ended
/// before.
pub(super) fn events(items: Vec<StreamItem>, mut change: impl FnMut(&mut Value)) -> Vec<StreamItem> {
    let mut changed = |json: String| match serde_json::from_str::<Value>(&json) {
        Ok(event) => {
            let mut other = event.clone();
            change(&mut other);
            if other == event { json } else { other.to_string() }
        }
        // Halves of surrogate pairs, and what is no JSON, are nothing that can be changed here.
        Err(_) => json,
    };
    let mut all = Vec::new();
    let mut reader = Reader::default();
    for item in items {
        all.push(match item {
            StreamItem::Event(json) => StreamItem::Event(changed(json)),
            other => reader.read(other, |sent| changed(sent.data.join("\n"))),
        });
    }
    all
}

/// The same items, with the data lines of each event that comes as bytes joined in another way.
pub(super) fn joined(items: Vec<StreamItem>, join: fn(&[String]) -> String) -> Vec<StreamItem> {
    let mut reader = Reader::default();
    items.into_iter().map(|item| reader.read(item, |sent| join(&sent.data))).collect()
}

/// A server-sent event, written anew with this data.
fn written(sent: &Sent, data: String) -> String {
    let name = sent.name.iter().map(|name| format!("event: {name}\n"));
    let lines = data.split('\n').map(|line| format!("data: {line}\n"));
    name.chain(lines).chain(["\n".to_owned()]).collect()
}

/// A server-sent event.
struct Sent {
    name: Option<String>,
    /// Its lines of data.
    data: Vec<String>,
}

/// What has come so far.
#[derive(Default)]
struct Reader {
    line: Vec<u8>,
    is_after_return: bool,
    has_line: bool,
    name: Option<String>,
    data: Vec<String>,
}

impl Reader {
    /// The same item, with other data in each event that it ends.
    fn read(&mut self, item: StreamItem, mut data: impl FnMut(&Sent) -> String) -> StreamItem {
        match item {
            StreamItem::Bytes(bytes) => {
                let sent = self.take(&bytes).into_iter().map(|sent| written(&sent, data(&sent)));
                StreamItem::Bytes(sent.collect::<String>().into_bytes())
            }
            StreamItem::Abandon => {
                *self = Self::default();
                StreamItem::Abandon
            }
            other => other,
        }
    }

    /// Takes more bytes; gives the events that they end.
    fn take(&mut self, bytes: &[u8]) -> Vec<Sent> {
        let mut sent = Vec::new();
        for &byte in bytes {
            let is_second_half = std::mem::replace(&mut self.is_after_return, byte == b'\r') && byte == b'\n';
            match byte {
                b'\n' if is_second_half => {}
                b'\n' | b'\r' => sent.extend(self.end_line()),
                _ => self.line.push(byte),
            }
        }
        sent
    }

    fn end_line(&mut self) -> Option<Sent> {
        let text = String::from_utf8_lossy(&std::mem::take(&mut self.line)).into_owned();
        let is_first = !std::mem::replace(&mut self.has_line, true);
        let line = if is_first { text.strip_prefix('\u{FEFF}').unwrap_or(&text) } else { &text };
        if line.is_empty() {
            let (name, data) = (self.name.take(), std::mem::take(&mut self.data));
            return (!data.is_empty()).then_some(Sent { name, data });
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "data" => self.data.push(value.to_owned()),
            "event" => self.name = Some(value.to_owned()),
            _ => {}
        }
        None
    }
}
