//! *Disorder* is what happens to a stream on its way: events are doubled, lost, swapped, of another block;
//! bytes are damaged and cut. Such streams are made of the lines of a plan that plays no conversation.

use serde_json::json;

use crate::json::Fields;
use crate::operation::StreamItem;

use super::damage::Damage;
use super::line::{BlockPlan, LineKind, LinePlan, Link};
use super::pool::call_id;
use super::streamed::{block_events, message_end, message_start};

/// The stream that these lines describe: events, or bytes in pieces of this length.
pub(super) fn stream(lines: &[LinePlan], piece: Option<usize>) -> Vec<StreamItem> {
    let mut items = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        match line.kind {
            LineKind::Assistant => reply(&mut items, line, number, piece),
            LineKind::Progress => put(&mut items, line, vec![r#"{"type":"ping"}"#.to_owned()], piece),
            LineKind::StreamEvent => {
                put(&mut items, line, vec![r#"{"type":"event_of_tomorrow"}"#.to_owned()], piece);
            }
            LineKind::User => items.extend(answer(line, number).map(StreamItem::Message)),
            LineKind::Tombstone => items.push(StreamItem::Abandon),
            _ => {}
        }
    }
    items
}

/// A reply of an assistant line, in the order in which its link leaves it.
fn reply(items: &mut Vec<StreamItem>, line: &LinePlan, number: usize, piece: Option<usize>) {
    let mut events = vec![message_start(u64::from(line.reply), "claude-opus-4-5")];
    for (index, block) in (0..).zip(&line.blocks) {
        let call = match block {
            BlockPlan::ToolUse(which) | BlockPlan::OddCall(_, which) => call_id(*which),
            _ => "",
        };
        events.extend(block_events(*block, call, index, 1, false));
    }
    events.extend(message_end("end_turn", 10));
    let mut events: Vec<String> = events.iter().map(Fields::to_json).collect();
    let mut is_given_up = false;
    if let Link::To(which) = line.parent {
        is_given_up = disturb(&mut events, which, number);
    }
    put(items, line, events, piece);
    if is_given_up || line.damage.iter().any(|damage| matches!(damage, Damage::Cut(_))) {
        items.push(StreamItem::Abandon);
    }
}

/// Brings one event out of order; gives whether nobody goes on with the stream.
fn disturb(events: &mut Vec<String>, which: u8, number: usize) -> bool {
    let at = (usize::from(which) / 10 + number) % events.len();
    match which % 10 {
        0 => events.insert(at, events[at].clone()),
        1 => drop(events.remove(at)),
        2 if at > 0 => events.swap(at - 1, at),
        3 => reindex(events, at, "7"),
        4 => reindex(events, at, ["-1", "0.0", "\"0\"", "0.5"][number % 4]),
        5 => events.insert(at, message_start(99, "claude-sonnet-4-5").to_json()),
        6 => events.insert(at, ["[]", "{", r#"{"type":"content_block_delta"}"#][number % 3].to_owned()),
        7 => events.truncate(at),
        8 => {
            events.truncate(at);
            let error = json!({"type": "overloaded_error", "message": "Overloaded"});
            events.push(json!({"type": "error", "error": error}).to_string());
            return true;
        }
        _ => {
            let deltas = [
                json!({"type": "delta_of_tomorrow", "text": "a"}),
                json!({"type": "signature_delta", "signature": "b3RoZXI="}),
            ];
            let delta = &deltas[number % 2];
            let event = json!({"type": "content_block_delta", "index": 0, "delta": delta});
            events.insert(at, event.to_string());
        }
    }
    false
}

/// Gives the first event from here on that has an index another one.
fn reindex(events: &mut [String], from: usize, index: &str) {
    const MEMBER: &str = "\"index\":";
    let found = events.iter_mut().skip(from).find_map(|event| Some((event.find(MEMBER)?, event)));
    if let Some((at, event)) = found {
        let start = at + MEMBER.len();
        let length = event[start..].find(|letter: char| !letter.is_ascii_digit()).unwrap_or(0);
        event.replace_range(start..start + length, index);
    }
}

/// The results of a user line, as a message with an id of its own.
fn answer(line: &LinePlan, number: usize) -> Option<String> {
    let result = |block: &BlockPlan| match block {
        BlockPlan::ToolResult(which) | BlockPlan::OddResult(_, which) => {
            Some(json!({"type": "tool_result", "tool_use_id": call_id(*which), "content": "done"}))
        }
        _ => None,
    };
    let results: Vec<_> = line.blocks.iter().filter_map(result).collect();
    let uuid = format!("77777777-0000-4000-8000-{number:012}");
    let message = json!({"type": "user", "uuid": uuid, "timestamp": "2026-01-01T00:00:00.000Z",
        "message": {"role": "user", "content": results}});
    (!results.is_empty()).then(|| message.to_string())
}

/// Sends events.
fn put(items: &mut Vec<StreamItem>, line: &LinePlan, events: Vec<String>, piece: Option<usize>) {
    match piece {
        None => items.extend(events.into_iter().map(StreamItem::Event)),
        Some(piece) => {
            let mut bytes: Vec<u8> = events.iter().flat_map(|event| sent(event, line)).collect();
            line.damage.iter().for_each(|damage| spoil(&mut bytes, *damage));
            items.extend(bytes.chunks(piece).map(|piece| StreamItem::Bytes(piece.to_vec())));
        }
    }
}

/// A server-sent event; the ends of lines and the number of data lines are as the line has it.
fn sent(event: &str, line: &LinePlan) -> Vec<u8> {
    let end = ["\n", "\r\n", "\r"][usize::from(line.session) % 3];
    let cut = match line.damage.first() {
        // In the middle of a word, as it may be.
        Some(Damage::NoLineEnd) => (event.len() / 2..).find(|&at| event.is_char_boundary(at)).unwrap_or(0),
        Some(Damage::Spaced | Damage::Blanks) => usize::from(event.starts_with('{')),
        _ => 0,
    };
    let (first, second) = event.split_at(cut);
    let mut sent = match line.damage.first() {
        Some(Damage::Blanks) => format!(": keep-alive{end}{end}event: message{end}id: 1{end}"),
        _ => format!("event:message{end}"),
    };
    if !first.is_empty() {
        sent.extend(["data: ", first, end]);
    }
    sent.extend(["data: ", second, end, end]);
    sent.into_bytes()
}

/// What happens to the bytes of a reply.
fn spoil(bytes: &mut Vec<u8>, damage: Damage) {
    let at = |share: u8| bytes.len() * usize::from(share) / 256;
    match damage {
        Damage::Cut(share) | Damage::Splice(share) => bytes.truncate(at(share)),
        Damage::BadByte(share) => bytes.insert(at(share), 0xFF),
        Damage::NulInside(share) => bytes.insert(at(share), 0),
        Damage::Overwrite(share) => drop(bytes.drain(at(share / 2)..at(share))),
        Damage::ByteOrderMark => drop(bytes.splice(0..0, "\u{FEFF}".bytes())),
        Damage::Garbage(_) => drop(bytes.splice(0..0, "garbage\n\n".bytes())),
        _ => {}
    }
}
