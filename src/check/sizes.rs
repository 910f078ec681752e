//! The *sizes* of a session: how many tokens come back, and what takes most of the room.

use std::slice::from_ref;

use serde::Serialize;

use turnproof_reference::json::Number;
use turnproof_reference::message::{Block, Content, Entry, Event, Message, User};
use turnproof_reference::normalize::estimate_tokens;
use turnproof_reference::transcript::read_entry;
use turnproof_reference::transcript::resume::Place;
use turnproof_reference::usage::usage_of_line;
use turnproof_rules::operation::UsageRow;

use super::outlines::{Abridged, BlockOutline, PlainMessage, may_hold_picture, tokens_of};

/// So many of the largest lines and results are named.
const NAMED: usize = 3;

/// The sizes of the conversation that comes back.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Sizes {
    /// About how many tokens its messages have, from lengths alone, without system prompt and tools.
    pub tokens: u64,
    /// What the API counted for its last reply.
    pub recorded: Option<RecordedTokens>,
    /// The last compaction in it.
    pub compaction: Option<Compaction>,
    /// Its largest lines, the largest first.
    pub lines: Vec<Large>,
    /// The largest results of its calls, the largest first.
    pub results: Vec<Large>,
}

/// What the API counted for a reply: what it read, of the cache or not, and what it wrote.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RecordedTokens {
    /// The line of the reply, from 1.
    pub line: u64,
    /// All tokens.
    pub tokens: u64,
}

/// A compaction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Compaction {
    /// The line of its boundary, from 1.
    pub line: u64,
    /// How many tokens the conversation had before, as the client wrote it down.
    pub before: Option<u64>,
    /// How many it had behind it.
    pub after: Option<u64>,
}

/// A large line or result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Large {
    /// The line, from 1.
    pub line: u64,
    /// Its bytes in the file.
    pub bytes: u64,
    /// The call of a result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call: Option<String>,
}

/// A large result, and where its call is to be read.
pub(super) type LargeResult = (Large, Option<(Place, BlockOutline)>);

impl Sizes {
    /// Adds a message that was read from `record`, abridged or not.
    pub(super) fn take(&mut self, place: &Place, Abridged { event, left_out, blocks }: &Abridged<'_>, record: &[u8]) {
        keep(&mut self.lines, place.line, place.end - place.start, || None);
        let Some(message) = event.message() else { return };
        // A picture has fewer tokens than its bytes say.
        let has_picture = *left_out > 0 && may_hold_picture(record);
        let whole = match has_picture.then(|| read_entry(record)) {
            Some(Ok(Entry::Event(Event::Message(whole)))) => Some(whole),
            _ => None,
        };
        self.tokens += match &whole {
            Some(whole) => estimate_tokens(from_ref(whole)),
            None => estimate_tokens(from_ref(message)) + left_out / BYTES_A_TOKEN,
        };
        match message {
            Message::System(notice) => {
                if let Some(metadata) = notice.compact_metadata.get().filter(|_| notice.is("compact_boundary")) {
                    let tokens = |number: &Number| number.as_f64() as u64;
                    let (before, after) =
                        (metadata.pre_tokens.get().map(tokens), metadata.post_tokens.get().map(tokens));
                    self.compaction = Some(Compaction { line: place.line, before, after });
                }
            }
            Message::User(user) => self.take_results(place.line, user, blocks),
            _ => {}
        }
    }

    /// Adds what another message has, which was read; `results` are the largest.
    pub(super) fn take_read(&mut self, message: Self, results: &mut Vec<LargeResult>) {
        message.lines.into_iter().for_each(|line| keep(&mut self.lines, line.line, line.bytes, || None));
        self.tokens += message.tokens;
        for large in message.results {
            keep_item(results, large.bytes, |(other, _)| other.bytes, || (large, None));
        }
    }

    /// Adds a message of a plain conversation.
    pub(super) fn take_plain(&mut self, place: &Place, message: &PlainMessage<'_>, results: &mut Vec<LargeResult>) {
        keep(&mut self.lines, place.line, place.end - place.start, || None);
        self.tokens += message.blocks().map(tokens_of).sum::<u64>() + message.bytes / BYTES_A_TOKEN;
        for outline in message.outlines {
            let Some(bytes) = outline.bytes_of_result() else { continue };
            let large = Large { line: place.line, bytes, call: None };
            keep_item(results, bytes, |(other, _)| other.bytes, || (large, Some((*place, *outline))));
        }
    }

    /// Adds what the API counted for a reply, where its line says it.
    pub(super) fn take_usage(&mut self, line: u64, record: &[u8]) {
        self.recorded = recorded(record).map(|tokens| RecordedTokens { line, tokens });
    }

    /// Adds the results of a line, whose blocks have these outlines if it is abridged.
    fn take_results(&mut self, line: u64, user: &User, outlines: &[BlockOutline]) {
        let Some(Content::Blocks(blocks)) = user.content() else { return };
        for (index, block) in blocks.iter().enumerate() {
            let Block::ToolResult(result) = block else { continue };
            let bytes = match outlines.get(index).and_then(BlockOutline::bytes_of_result) {
                Some(bytes) => bytes,
                None => result.content.get().map_or(0, |content| content.get().len() as u64),
            };
            keep(&mut self.results, line, bytes, || result.tool_use_id.as_str().map(str::to_owned));
        }
    }
}

/// What the API counted for a reply, where its line says it.
fn recorded(record: &[u8]) -> Option<u64> {
    let rows = usage_of_line(record);
    let tokens = |row: &UsageRow| {
        let numbers =
            [row.input_tokens, row.cache_creation_input_tokens, row.cache_read_input_tokens, row.output_tokens];
        numbers.into_iter().fold(0, u64::saturating_add)
    };
    rows.first().map(tokens).filter(|tokens| *tokens > 0)
}

/// About how many bytes of text make a token.
const BYTES_A_TOKEN: u64 = 4;

/// Keeps the largest, the earlier first where two are equal.
fn keep(largest: &mut Vec<Large>, line: u64, bytes: u64, call: impl FnOnce() -> Option<String>) {
    keep_item(largest, bytes, |other| other.bytes, || Large { line, bytes, call: call() });
}

fn keep_item<T>(largest: &mut Vec<T>, bytes: u64, bytes_of: impl Fn(&T) -> u64, item: impl FnOnce() -> T) {
    let at = largest.partition_point(|other| bytes_of(other) >= bytes);
    if at < NAMED {
        largest.insert(at, item());
        largest.truncate(NAMED);
    }
}
