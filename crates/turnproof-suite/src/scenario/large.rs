//! What is *large* about a line: one dimension, and how large it is. All else stays small.
//!
//! A plan holds the dimension and a number, so that it is short however large its transcript is, and shrinking finds
//! the smallest number that still fails.

use serde::{Deserialize, Serialize};

use super::pool::{TextForm, call_id, quoted};
use super::{BlockPlan, Form, LineKind, LinePlan, Source};

/// A dimension of a line, and its size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Large {
    /// Its first text has so many characters. A line without a text gets one.
    Text(u32),
    /// Its first tool result has so many characters.
    Result(u32),
    /// Its content has so many blocks.
    Blocks(u32),
    /// It begins at this byte of the file: a side record before it takes up the room.
    Offset(u32),
    /// So many messages come after it, each linked to the one before.
    Messages(u32),
    /// It has an object of so many members, of which two repeat others.
    Members(u32),
}

const KIB: u32 = 1024;

/// Where readers that take a file in pieces may cut it.
pub(super) const EDGES: [u32; 4] = [8 * KIB, 16 * KIB, 64 * KIB, KIB * KIB];

/// A record that begins so many bytes before an edge extends across it: no record of a message is shorter.
pub(super) const ACROSS: u32 = 120;

impl Large {
    /// The place of the dimension among all, from 1 on, and its number.
    pub(super) fn choices(large: Option<Self>) -> [u64; 2] {
        let (place, number) = match large {
            None => (0, 0),
            Some(Self::Blocks(number)) => (1, number),
            Some(Self::Text(number)) => (2, number),
            Some(Self::Result(number)) => (3, number),
            Some(Self::Offset(number)) => (4, number),
            Some(Self::Messages(number)) => (5, number),
            Some(Self::Members(number)) => (6, number),
        };
        [place, number.into()]
    }

    /// The same dimension with other numbers.
    pub(super) fn resized(self, size: impl Fn(u32) -> Vec<u32>) -> Vec<Self> {
        let (with, number): (fn(u32) -> Self, u32) = match self {
            Self::Text(number) => (Self::Text, number),
            Self::Result(number) => (Self::Result, number),
            Self::Blocks(number) => (Self::Blocks, number),
            Self::Offset(number) => (Self::Offset, number),
            Self::Messages(number) => (Self::Messages, number),
            Self::Members(number) => (Self::Members, number),
        };
        size(number).into_iter().map(with).collect()
    }

    /// Draws a dimension for a line, and a number: mostly a little more than a limit that programs have.
    fn draw(source: &mut dyn Source, line: &LinePlan) -> Self {
        let has_result = line.blocks.iter().any(|block| matches!(block, BlockPlan::ToolResult { .. })) && !line.plain;
        match source.below(13) {
            0 if has_result => Self::Result(length(source)),
            0..4 => Self::Text(length(source)),
            4..6 => Self::Blocks(match source.below(4) {
                0..3 => many_blocks(source),
                _ => 257 + source.below(8),
            }),
            6..8 => Self::Offset(edge(source) - source.below(ACROSS)),
            8..10 => Self::Members(66 + source.below(8)),
            _ if source.once_in(30) => Self::Messages(1_000 + source.below(25)),
            _ => Self::Messages(101 + source.below(8)),
        }
    }
}

/// More blocks than one hexadecimal digit counts.
fn many_blocks(source: &mut dyn Source) -> u32 {
    17 + source.below(16)
}

/// An edge: the largest is rare, since it takes the time of hundreds. Small files reach the first ones anyway.
fn edge(source: &mut dyn Source) -> u32 {
    let [small @ .., largest] = EDGES;
    if source.once_in(24) { largest } else { small[source.below(4).min(2) as usize] }
}

/// So many characters as to make a text or a record long.
fn length(source: &mut dyn Source) -> u32 {
    match source.below(3) {
        0 => 10_001 + source.below(10_000),
        _ => edge(source).max(64 * KIB) + source.below(1_000),
    }
}

/// Makes one line of a plan large, if it has one that says something. Often another one has many blocks, which costs
/// little.
pub(super) fn enlarge(source: &mut dyn Source, lines: &mut [LinePlan]) {
    let says = |line: &&mut LinePlan| line.says_content();
    let count = lines.iter_mut().filter(says).count();
    let at = source.below(count.max(1) as u32) as usize;
    if let Some(line) = lines.iter_mut().filter(says).nth(at) {
        line.large = Some(Large::draw(source, line));
    }
    let other = source.below(2 * count.max(1) as u32) as usize;
    if let Some(line) = lines.iter_mut().filter(says).nth(other).filter(|line| line.large.is_none()) {
        line.large = Some(Large::Blocks(many_blocks(source)));
    }
}

impl LinePlan {
    /// Its content if it is a string.
    pub(super) fn string(&self) -> String {
        match self.large {
            Some(Large::Text(length)) => long(length),
            _ => self.first_text().token(),
        }
    }

    /// Makes its blocks, which are given as JSON, as large as it is.
    pub(super) fn grow(&self, blocks: &mut Vec<String>) {
        let place = |is_meant: fn(&BlockPlan) -> bool| self.blocks.iter().position(is_meant);
        match self.large {
            Some(Large::Text(length)) => {
                let block = TextForm::Plain.filled(&long(length));
                match place(|block| matches!(block, BlockPlan::Text { form: TextForm::Plain, .. })) {
                    Some(at) => blocks[at] = block,
                    None => blocks.push(block),
                }
            }
            Some(Large::Result(length)) => {
                if let Some(at) = place(|block| matches!(block, BlockPlan::ToolResult { .. }))
                    && let BlockPlan::ToolResult { call, .. } = self.blocks[at]
                {
                    let (call, content) = (quoted(call_id(call)), long(length));
                    blocks[at] = format!("{{\"type\":\"tool_result\",\"tool_use_id\":{call},\"content\":{content}}}");
                }
            }
            Some(Large::Blocks(count)) => {
                let count = blocks.len().max(count as usize);
                blocks.resize(count, TextForm::Plain.filled("\"a\""));
            }
            _ => {}
        }
    }
}

/// A member with an object of so many members: the last two repeat the third and one of the late ones.
pub(super) fn members(count: u32) -> String {
    let mut members: Vec<String> = (0..count.max(3)).map(|number| format!("\"m{number}\":{number}")).collect();
    let late = count.saturating_sub(1).max(1);
    members.extend([format!("\"m{late}\":1"), "\"m2\":\"again\"".to_owned()]);
    format!("\"members\":{{{}}},", members.join(","))
}

/// A text of so many characters, as JSON.
fn long(length: u32) -> String {
    const PART: &str = "0123456789abcdef";
    let (parts, rest) = (length as usize / PART.len(), length as usize % PART.len());
    // Most lengths have characters of several bytes, so that a cut at any byte may be in the middle of one.
    let part = if length.is_multiple_of(4) { PART } else { "0é2😀4é6😀8éa😀cée😀" };
    format!("\"{}{}\"", part.repeat(parts), &PART[..rest])
}

/// A side record of so many bytes with its line end, or of a few more.
pub(super) fn filler(bytes: usize) -> String {
    let empty = "{\"type\":\"tag\",\"tag\":\"\"}\n";
    empty.replace("\"\"", &format!("\"{}\"", "a".repeat(bytes.saturating_sub(empty.len()))))
}

/// The ids of the messages that come after a line, in order.
pub(super) fn ids(line: usize, count: u32) -> impl Iterator<Item = String> {
    (1..=count).map(move |number| format!("1a26e000-{line:04}-4000-8000-{number:012}"))
}

/// A message that comes after a line: prompts and replies take turns.
pub(super) fn message(number: usize, id: &str, parent: Option<&str>, session: &str) -> String {
    let parent = parent.map_or("null".to_owned(), quoted);
    let body = match number % 2 {
        0 => r#""type":"user","message":{"role":"user","content":"a"}"#.to_owned(),
        _ => format!(
            "\"type\":\"assistant\",\"message\":{{\"id\":\"msg_more_{number}\",\"type\":\"message\",\"role\":\"assistant\",\
             \"model\":\"m\",\"content\":[{{\"type\":\"text\",\"text\":\"a\"}}],\"stop_reason\":\"end_turn\",\
             \"stop_sequence\":null}}"
        ),
    };
    format!(
        "{{\"parentUuid\":{parent},{body},\"uuid\":\"{id}\",\"sessionId\":\"{session}\",\
         \"timestamp\":\"2026-01-01T00:01:00.000Z\"}}\n"
    )
}

impl LinePlan {
    /// Whether it is a message with content that can be made large.
    fn says_content(&self) -> bool {
        match self.kind {
            LineKind::User { form } => form.is_filled(),
            LineKind::Assistant { form, .. } => form.is_filled() && !form.says_words(),
            _ => false,
        }
    }
}
