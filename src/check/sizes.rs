//! The *sizes* of a session: how many tokens come back, and what takes most of the room.

use std::io::{self, Read, Seek};

use serde::{Deserialize, Serialize};

use turnproof_reference::json::Number;
use turnproof_reference::message::{Block, Content, Entry, Event, Message};
use turnproof_reference::normalize::estimate_tokens;
use turnproof_reference::transcript::read_entry;
use turnproof_reference::transcript::resume::{Place, PlaceReader, ResumeOptions, resume_file};

/// So many of the largest lines and results are named.
const NAMED: usize = 3;

/// The sizes of the conversation that comes back.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Sizes {
    /// About how many tokens its messages have, from lengths alone (SPEC.md section 8.2), without system prompt and tools.
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

/// The sizes of the main conversation of a file, which is read twice; `None` where nothing comes back.
///
/// # Errors
/// When it cannot be read.
pub fn sizes(mut file: impl Read + Seek) -> io::Result<Option<Sizes>> {
    let Ok(resume) = resume_file(&mut file, &ResumeOptions::default())? else { return Ok(None) };
    let (mut reader, mut sizes, mut record) = (PlaceReader::new(file)?, Sizes::default(), Vec::new());
    for place in &resume.places {
        record.clear();
        reader.copy(place, &mut record)?;
        let Ok(Entry::Event(event)) = read_entry(&record) else { continue };
        sizes.take(place, &event, &record);
    }
    Ok(Some(sizes))
}

impl Sizes {
    fn take(&mut self, place: &Place, event: &Event, record: &[u8]) {
        keep(&mut self.lines, Large { line: place.line, bytes: place.end - place.start, call: None });
        let Some(message) = event.message() else { return };
        self.tokens += estimate_tokens(std::slice::from_ref(message));
        match message {
            Message::Assistant(_) => {
                if let Some(tokens) = recorded(record) {
                    self.recorded = Some(RecordedTokens { line: place.line, tokens });
                }
            }
            Message::System(notice) if notice.is("compact_boundary") => {
                let metadata = notice.compact_metadata.get();
                let tokens = |number: Option<&Number>| number.map(|number| number.as_f64() as u64);
                let before = tokens(metadata.and_then(|metadata| metadata.pre_tokens.get()));
                let after = tokens(metadata.and_then(|metadata| metadata.post_tokens.get()));
                self.compaction = Some(Compaction { line: place.line, before, after });
            }
            _ => {}
        }
        let Some(Content::Blocks(blocks)) = message.content() else { return };
        for block in blocks {
            if let Block::ToolResult(result) = block {
                let bytes = result.content.get().map_or(0, |content| content.get().len() as u64);
                let call = result.tool_use_id.as_str().map(str::to_owned);
                keep(&mut self.results, Large { line: place.line, bytes, call });
            }
        }
    }
}

/// What the API counted for a reply, where its line says it.
fn recorded(record: &[u8]) -> Option<u64> {
    #[derive(Deserialize)]
    struct Line {
        message: Option<Body>,
    }
    #[derive(Deserialize)]
    struct Body {
        usage: Option<Usage>,
    }
    #[derive(Deserialize)]
    struct Usage {
        input_tokens: Option<u64>,
        cache_creation_input_tokens: Option<u64>,
        cache_read_input_tokens: Option<u64>,
        output_tokens: Option<u64>,
    }
    let usage = serde_json::from_slice::<Line>(record).ok()?.message?.usage?;
    let numbers =
        [usage.input_tokens, usage.cache_creation_input_tokens, usage.cache_read_input_tokens, usage.output_tokens];
    let tokens = numbers.into_iter().flatten().fold(0, u64::saturating_add);
    (tokens > 0).then_some(tokens)
}

/// Keeps the largest, the earlier first where two are equal.
fn keep(largest: &mut Vec<Large>, one: Large) {
    let at = largest.partition_point(|other| other.bytes >= one.bytes);
    if at < NAMED {
        largest.insert(at, one);
        largest.truncate(NAMED);
    }
}
