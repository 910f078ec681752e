//! *Cutting otherwise*: the same stream in other pieces, which must change nothing.

use crate::json;

use crate::operation::StreamItem;

/// The same stream: texts and inputs in smaller deltas, events as server-sent events in a few bytes each.
pub(super) fn cut_otherwise(items: &[StreamItem]) -> Vec<StreamItem> {
    let mut cut = Vec::new();
    let mut bytes = Vec::new();
    for item in items {
        match item {
            StreamItem::Event(json) => {
                for event in smaller_deltas(json) {
                    bytes.extend(format!("event: x\r\ndata: {event}\r\n\r\n").bytes());
                }
            }
            StreamItem::Bytes(more) => bytes.extend(more),
            other => {
                drain(&mut bytes, &mut cut);
                cut.push(other.clone());
            }
        }
    }
    drain(&mut bytes, &mut cut);
    cut
}

/// Gives the bytes out in pieces of seven, which tear characters and line ends.
fn drain(bytes: &mut Vec<u8>, cut: &mut Vec<StreamItem>) {
    cut.extend(bytes.chunks(7).map(|piece| StreamItem::Bytes(piece.to_vec())));
    bytes.clear();
}

/// A delta of a text or of an input in two; any other event as it is.
fn smaller_deltas(json: &str) -> Vec<String> {
    const TEXTS: [&str; 3] = ["text", "partial_json", "thinking"];
    // What a value cannot hold, such as half of a surrogate pair, stays in one piece.
    let Ok(event) = json::value(json) else { return vec![json.to_owned()] };
    let found = TEXTS.iter().find_map(|member| Some((*member, event["delta"][member].as_str()?)));
    let Some((member, text)) = found.filter(|_| event["type"] == "content_block_delta") else {
        return vec![json.to_owned()];
    };
    let middle = text.char_indices().nth(text.chars().count() / 2).map_or(0, |(at, _)| at);
    [&text[..middle], &text[middle..]]
        .map(|part| {
            let mut delta = event.clone();
            delta["delta"][member] = part.into();
            delta.to_string()
        })
        .to_vec()
}
