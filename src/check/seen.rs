//! What one pass over a session *shows*: the facts of its records, and what is wrong with its bytes. Findings and the
//! verdict are made of that.

use std::collections::BTreeMap;
use std::io::{self, Read};

use memchr::memchr_iter;

use turnproof_reference::json::path_at;
use turnproof_reference::message::SIDE_KINDS;
use turnproof_reference::transcript::resume::Survey;
use turnproof_reference::transcript::{Chunk, Chunks, Defect, DefectKind, Detail, Found, Record};
use turnproof_rules::rules::{Facts, Repair, Rule, find};

use super::folder::continued_in;
use super::outlines::Outlines;
use super::scan::scan;
use super::uuids::Uuids;
use super::verdict::Lost;

/// Of one file so many records and content blocks are looked at: their facts are in memory.
pub(super) const MOST_PARTS: u64 = 1_200_000;

/// Whether a repair fixes each breach of a rule on transcripts.
pub(super) fn is_fixed(rule: &Rule) -> bool {
    rule.repair == Some(Repair::Must)
}

/// A byte order mark, as UTF-8.
const MARK: &[u8] = b"\xEF\xBB\xBF";

/// The bytes of a file from `start` to `end`, where the chunk has them.
fn part_of(chunk: &Chunk, start: u64, end: u64) -> Option<&[u8]> {
    let from = start.checked_sub(chunk.offset)?;
    chunk.bytes.get(from as usize..(end - chunk.offset) as usize)
}

/// What the parts of a file show that were read so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Seen {
    pub(super) lines: u64,
    /// How many records and content blocks there are.
    pub(super) parts: u64,
    pub(super) facts: Facts,
    pub(super) uuids: Uuids,
    /// What the verdict needs beside the facts; `None` where nobody asks for one.
    pub(super) session: Option<SessionSeen>,
}

impl Seen {
    /// Nothing so far.
    pub(super) fn new(verdict: bool) -> Self {
        Self {
            lines: 0,
            parts: 0,
            facts: Facts::new(),
            uuids: Uuids::default(),
            session: verdict.then(SessionSeen::default),
        }
    }

    /// Reads a whole file.
    pub(super) fn of(file: impl Read) -> io::Result<Self> {
        let mut seen = Self::new(true);
        let mut chunks = Chunks::new(file, 256 << 10);
        while let Some(chunk) = chunks.next_chunk()? {
            seen.append(scan(&chunk, true, |_| {}).seen);
            chunks.reuse(chunk);
        }
        Ok(seen)
    }

    /// Joins what the next part of the same file shows.
    pub(super) fn append(&mut self, part: Self) {
        if self.lines == 0 {
            *self = part;
            return;
        }
        self.facts.append(part.facts, self.lines);
        self.uuids.append(part.uuids);
        if let (Some(session), Some(part)) = (&mut self.session, part.session) {
            session.append(part, self.lines);
        }
        self.lines += part.lines;
        self.parts += part.parts;
    }

    /// Whether there is more than is held of one file.
    pub(super) fn is_full(&self) -> bool {
        self.parts > MOST_PARTS
    }
}

/// What the verdict on a session needs beside its facts.
#[derive(Clone, Debug, Default)]
pub(super) struct SessionSeen {
    pub(super) survey: Survey,
    pub(super) outlines: Outlines,
    pub(super) lost: Lost,
    pub(super) hidden: u64,
    pub(super) carriage_returns: u64,
    /// How many content blocks there are.
    pub(super) blocks: u64,
    /// The session in which it is continued.
    pub(super) continued_in: Option<String>,
    /// The rules on bytes whose breaches a repair fixes, with how often each is broken.
    pub(super) broken: BTreeMap<&'static str, u64>,
    has_session_records: bool,
    has_remnants: bool,
    has_other_records: bool,
}

impl SessionSeen {
    /// Whether there is a record of a session, or nothing but what is left of some.
    pub(super) fn is_session(&self) -> bool {
        self.has_session_records || self.has_remnants && !self.has_other_records
    }

    fn append(&mut self, part: Self, lines: u64) {
        self.survey.append(part.survey, lines);
        self.outlines.append(part.outlines);
        self.lost.bytes += part.lost.bytes;
        self.lost.ranges += part.lost.ranges;
        self.hidden += part.hidden;
        self.carriage_returns += part.carriage_returns;
        self.blocks += part.blocks;
        self.continued_in = part.continued_in.or(self.continued_in.take());
        self.has_session_records |= part.has_session_records;
        self.has_remnants |= part.has_remnants;
        self.has_other_records |= part.has_other_records;
        for (rule, count) in part.broken {
            *self.broken.entry(rule).or_default() += count;
        }
    }

    /// Notes what was found in a chunk.
    pub(super) fn note(&mut self, chunk: &Chunk, found: &Found<'_>) {
        match found {
            Found::Record(record) => self.note_record(record),
            &Found::Blank { start, end } => self.note_blank(part_of(chunk, start, end).unwrap_or_default()),
            &Found::Rejected { start, end, .. } => self.reject(part_of(chunk, start, end), end - start),
            Found::Defect(defect) => {
                self.hidden += u64::from(matches!(defect.kind, DefectKind::OneRecordPerLine));
                self.outlines.note_defect(defect);
                self.note_defect(defect, chunk);
            }
        }
    }

    fn note_record(&mut self, record: &Record<'_>) {
        let is_known = record.head.kind.is_some() || self.note_side_record(record);
        self.has_session_records |= is_known;
        self.has_other_records |= !is_known;
        self.blocks += record.blocks.len() as u64;
        self.survey.note(record);
        self.outlines.note(record);
    }

    /// Notes a record that is no message; gives whether its kind is known.
    fn note_side_record(&mut self, record: &Record<'_>) -> bool {
        let kind = record.type_name();
        if kind == "continued-in" {
            self.continued_in = continued_in(record.bytes).or(self.continued_in.take());
        }
        SIDE_KINDS.contains(&&*kind)
    }

    fn note_blank(&mut self, blank: &[u8]) {
        if blank != b"\n" {
            self.hidden += u64::from(blank.windows(MARK.len()).any(|part| part == MARK));
            self.carriage_returns += memchr_iter(b'\r', blank).count() as u64;
        }
    }

    /// Notes a range that holds no record; `bytes` are not there when the range was too long to be looked into.
    fn reject(&mut self, bytes: Option<&[u8]>, length: u64) {
        let is_filling = |byte: &u8| *byte == 0 || byte.is_ascii_whitespace();
        let lost = match bytes {
            Some(MARK) => 0,
            Some(bytes) => bytes.iter().filter(|byte| !is_filling(byte)).count() as u64,
            None => length,
        };
        self.lost.bytes += lost;
        self.lost.ranges += u64::from(lost > 0);
        self.has_remnants |= bytes.is_some_and(|bytes| bytes.starts_with(b"\0") || bytes.starts_with(b"{\""));
        // A reader of lines does not find the record that stands behind this on its line.
        self.hidden += u64::from(lost == 0);
    }

    fn note_defect(&mut self, defect: &Defect, chunk: &Chunk) {
        let rule = defect.kind.rule();
        let is_fixed = match defect.kind {
            // A last line without its end is legacy when it is whole.
            DefectKind::Terminated => defect.detail != Detail::None,
            // A record whose kind cannot be read is one that nobody knows, and stays.
            DefectKind::TypedFields => {
                let record = part_of(chunk, defect.piece, defect.end).unwrap_or_default();
                path_at(record, (defect.start - defect.piece) as usize) != "type"
            }
            _ => find(rule).is_some_and(|rule| is_fixed(rule) && rule.fixed_by_client.is_empty()),
        };
        if is_fixed {
            *self.broken.entry(rule).or_default() += 1;
        }
    }
}
