//! Damages streams: events are repeated, lost, swapped or changed, and bytes are damaged. Such streams are made from the lines of a plan without a conversation.

use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::json::Fields;
use crate::message::{Block, Factory, FixedContext, Message, ToolResult, Typed};
use crate::operation::StreamItem;

use super::line::is_default;
use super::pool::call_id;
use super::streamed::{block_events, message_end, message_start};
use super::{BlockPlan, Damage, LineKind, LinePlan, Sort, choices};

/// The stream that these lines describe: events, or bytes in pieces of this length.
pub(super) fn stream(lines: &[LinePlan], piece: Option<usize>) -> Vec<StreamItem> {
    let mut items = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        match line.kind {
            LineKind::Assistant { .. } => reply(&mut items, line, number, piece),
            LineKind::Progress { .. } => put(&mut items, line, vec![r#"{"type":"ping"}"#.to_owned()], piece),
            LineKind::StreamEvent => put(&mut items, line, vec![r#"{"type":"event_of_tomorrow"}"#.to_owned()], piece),
            LineKind::User { .. } => items.extend(answer(line, number).map(StreamItem::Message)),
            LineKind::Tombstone { .. } => items.push(StreamItem::Abandon),
            _ => {}
        }
    }
    items
}

/// The reply of an assistant line.
fn reply(items: &mut Vec<StreamItem>, line: &LinePlan, number: usize, piece: Option<usize>) {
    let mut events = vec![message_start(u64::from(line.reply), "claude-opus-4-5")];
    for (index, block) in (0..).zip(&line.blocks) {
        let call = match block {
            BlockPlan::ToolUse { call, .. } => call_id(*call),
            _ => "",
        };
        events.extend(block_events(*block, call, index, 1, false));
    }
    events.extend(message_end("end_turn", 10));
    let mut events: Vec<String> = events.iter().map(Fields::to_json).collect();
    let is_given_up = line.stream_damage.is_some_and(|damage| damage.apply(&mut events, number));
    put(items, line, events, piece);
    if is_given_up || line.damage.iter().any(|damage| damage.sort == Sort::Cut) {
        items.push(StreamItem::Abandon);
    }
}

choices! {
    /// What happens to one event of a reply, or to what follows it.
    StreamSort {
        EventTwice "event-twice" "an event of a stream twice";
        EventLost "event-lost" "an event of a stream missing";
        EventsSwapped "events-swapped" "two events of a stream swapped";
        OtherIndex "other-index" "an event of a block that is not there";
        OddIndex "odd-index" "an index that is no whole number";
        SecondStart "second-start" "a message that begins in the middle of another";
        MalformedEvent "malformed-event" "an event that is none";
        CutShort "cut-short" "a stream that ends too early";
        Error "error" "an error in a stream";
        OddDelta "odd-delta" "a delta of another sort";
    }
}

choices! {
    /// How a line of a stream of bytes ends.
    LineEnd {
        Lf "lf" "a line feed";
        CrLf "crlf" "a carriage return and a line feed";
        Cr "cr" "a carriage return";
    }
}

impl LineEnd {
    const fn text(self) -> &'static str {
        match self {
            Self::Lf => "\n",
            Self::CrLf => "\r\n",
            Self::Cr => "\r",
        }
    }
}

/// What happens to the stream of a reply, and at which of its events, counted from 0. After the last it counts on from
/// the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct StreamDamage {
    /// What happens.
    pub sort: StreamSort,
    /// Where.
    #[serde(default, skip_serializing_if = "is_default")]
    pub at: u8,
}

impl StreamDamage {
    /// Damages one event. True when the stream is given up.
    fn apply(self, events: &mut Vec<String>, number: usize) -> bool {
        let at = usize::from(self.at) % events.len();
        match self.sort {
            StreamSort::EventTwice => events.insert(at, events[at].clone()),
            StreamSort::EventLost => drop(events.remove(at)),
            StreamSort::EventsSwapped if at == 0 => put_odd_delta(events, at, number),
            StreamSort::EventsSwapped => events.swap(at - 1, at),
            StreamSort::OtherIndex => reindex(events, at, "7"),
            StreamSort::OddIndex => reindex(events, at, ["-1", "0.0", "\"0\"", "0.5"][number % 4]),
            StreamSort::SecondStart => events.insert(at, message_start(99, "claude-sonnet-4-5").to_json()),
            StreamSort::MalformedEvent => {
                events.insert(at, MALFORMED[(usize::from(self.at) / 3 + number) % MALFORMED.len()].to_owned());
            }
            StreamSort::CutShort => events.truncate(at),
            StreamSort::Error => {
                events.truncate(at);
                let error = json!({"type": "overloaded_error", "message": "Overloaded"});
                events.push(json!({"type": "error", "error": error}).to_string());
                return true;
            }
            StreamSort::OddDelta => put_odd_delta(events, at, number),
        }
        false
    }
}

/// Events that are none, or that lack what they need.
const MALFORMED: [&str; 11] = [
    "[]",
    "{",
    r#"{"type":"content_block_delta"}"#,
    r#"{"type":"content_block_start","index":0,"content_block":"text"}"#,
    r#"{"type":"content_block_start","index":0,"content_block":null}"#,
    r#"{"type":"content_block_start","index":0}"#,
    r#"{"type":"message_start","message":[]}"#,
    r#"{"type":"message_delta","delta":null}"#,
    r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta"}}"#,
    r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":7}}"#,
    r#"{"type":"content_block_stop"}"#,
];

/// Puts in a delta that mostly no block of the reply takes.
fn put_odd_delta(events: &mut Vec<String>, at: usize, number: usize) {
    const DELTAS: [&str; 8] = [
        r#"{"type":"delta_of_tomorrow","text":"a"}"#,
        r#"{"type":"signature_delta","signature":"b3RoZXI="}"#,
        r#"{"type":"compaction_delta","content":"a"}"#,
        r#"{"type":"text_delta","text":"a"}"#,
        r#"{"type":"thinking_delta","thinking":"a"}"#,
        r#"{"type":"citations_delta","citation":{"type":"char_location","cited_text":"a","document_index":0}}"#,
        r#"{"type":"input_json_delta","partial_json":"{"}"#,
        r#"{"type":"signature_delta","signature":"b3RoZXI="}"#,
    ];
    let (delta, index) = (DELTAS[number % DELTAS.len()], number / DELTAS.len() % 3);
    events.insert(at, format!("{{\"type\":\"content_block_delta\",\"index\":{index},\"delta\":{delta}}}"));
}

/// Replaces the index of the first event from here on that has one.
fn reindex(events: &mut [String], from: usize, index: &str) {
    const MEMBER: &str = "\"index\":";
    let found = events.iter_mut().skip(from).find_map(|event| Some((event.find(MEMBER)?, event)));
    if let Some((at, event)) = found {
        let start = at + MEMBER.len();
        let length = event[start..].find(|letter: char| !letter.is_ascii_digit()).unwrap_or(0);
        event.replace_range(start..start + length, index);
    }
}

/// The results of a user line, as a message with its own id.
fn answer(line: &LinePlan, number: usize) -> Option<String> {
    let result = |block: &BlockPlan| match block {
        BlockPlan::ToolResult { call, .. } => Some(Block::from(ToolResult::new(call_id(*call), "done", false))),
        _ => None,
    };
    let results: Vec<Block> = line.blocks.iter().filter_map(result).collect();
    if results.is_empty() {
        return None;
    }
    let uuid = format!("77777777-0000-4000-8000-{number:012}");
    let mut context = FixedContext::default();
    let mut factory = Factory::new(&mut context);
    let message = factory.with_uuid(uuid).with_timestamp("2026-01-01T00:00:00.000Z").user(results);
    Some(Message::from(message).to_json())
}

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

/// A server-sent event. The first damage of the plan's line decides the number of data lines.
fn sent(event: &str, line: &LinePlan) -> Vec<u8> {
    let end = line.line_end.text();
    let first_damage = line.damage.first().map(|damage| damage.sort);
    let cut = match first_damage {
        // Any place in the middle may be cut, such as inside a word.
        Some(Sort::NoLineEnd) => (event.len() / 2..).find(|&at| event.is_char_boundary(at)).unwrap_or(0),
        Some(Sort::Spaced | Sort::Blanks) => usize::from(event.starts_with('{')),
        _ => 0,
    };
    let (first, second) = event.split_at(cut);
    let mut sent = match first_damage {
        Some(Sort::Blanks) => format!(": keep-alive{end}{end}event: message{end}id: 1{end}"),
        _ => format!("event:message{end}"),
    };
    if !first.is_empty() {
        sent.extend(["data: ", first, end]);
    }
    sent.extend(["data: ", second, end, end]);
    sent.into_bytes()
}

fn spoil(bytes: &mut Vec<u8>, Damage { sort, number }: Damage) {
    let at = |share: u8| bytes.len() * usize::from(share) / 256;
    match sort {
        Sort::Cut | Sort::Splice => bytes.truncate(at(number)),
        Sort::BadByte => bytes.insert(at(number), 0xFF),
        Sort::NulInside => bytes.insert(at(number), 0),
        Sort::Overwrite => drop(bytes.drain(at(number / 2)..at(number))),
        Sort::ByteOrderMark => drop(bytes.splice(0..0, "\u{FEFF}".bytes())),
        Sort::Garbage => drop(bytes.splice(0..0, "garbage\n\n".bytes())),
        _ => {}
    }
}
