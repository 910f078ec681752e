//! A *finding* is a violation in a file, with the line that it stands on.

use std::io::{self, Read, Seek};

use memchr::{memchr, memrchr};

use turnproof_reference::json::{Cursor, MAX_DEPTH, PathStep, Scratch, Span, locate, path_at};
use turnproof_reference::transcript::{Chunk, Defect, DefectKind, Detail, MAX_LINE, Reason};
use turnproof_rules::rules::{Place, Rule, Sentence, Violation};

use super::line_reader::LineReader;
use super::uuids::Uuids;

/// A violation in a file.
#[derive(Clone, Debug)]
pub struct Finding<'a> {
    /// The file's name.
    pub file: &'a str,
    /// The rule that is broken.
    pub rule: &'static Rule,
    /// The line, from 1.
    pub line: u64,
    /// The first byte concerned, from the file's start.
    pub start: u64,
    /// The byte after the last one.
    pub end: u64,
    /// The place inside the record, such as `message.content[2].id`; empty for the whole.
    pub path: String,
    /// In which way the rule is broken.
    pub kind: &'static str,
    /// What was found.
    pub found: Sentence,
    /// What was expected.
    pub expected: Sentence,
    /// The line's bytes, as far as they are in memory; empty when the file cannot be read again.
    pub text: &'a [u8],
    /// Where `text` begins in the file.
    pub text_start: u64,
}

impl<'a> Finding<'a> {
    /// The first byte concerned, counted from 1 within the line.
    pub fn column(&self) -> u64 {
        self.start.saturating_sub(self.text_start) + 1
    }

    /// The finding of a defect in a line of a chunk whose lines begin after `lines` others.
    pub(super) fn of_defect(
        file: &'a str,
        rule: &'static Rule,
        defect: &Defect,
        (text, text_start): (&'a [u8], u64),
        lines: u64,
    ) -> Self {
        let (kind, found, expected) = wrong(defect, text, text_start);
        let from = (defect.start - text_start) as usize;
        let in_record = matches!(
            defect.kind,
            DefectKind::NoLoneSurrogate
                | DefectKind::UniqueKeys
                | DefectKind::TypedFields
                | DefectKind::LiveOnlyKind
                | DefectKind::Utf8
        );
        let record = (defect.piece - text_start) as usize;
        let path = match in_record && from <= text.len() {
            true => path_at(&text[record..], from - record),
            false => String::new(),
        };
        Self {
            file,
            rule,
            line: lines + defect.line,
            start: defect.start,
            end: defect.end,
            path,
            kind,
            found,
            expected,
            text,
            text_start,
        }
    }
}

/// Finds the lines of a chunk for places in order; it searches for each line once.
pub(super) struct Lines<'a> {
    chunk: &'a Chunk,
    start: usize,
    end: usize,
}

impl<'a> Lines<'a> {
    pub(super) fn new(chunk: &'a Chunk) -> Self {
        Self { chunk, start: 0, end: 0 }
    }

    /// The line in which a byte of the file lies, without its LF, and where it begins.
    pub(super) fn around(&mut self, at: u64) -> (&'a [u8], u64) {
        let bytes = &self.chunk.bytes;
        let at = ((at - self.chunk.offset) as usize).min(bytes.len());
        if !(self.start..=self.end).contains(&at) || self.end == 0 {
            self.start = memrchr(b'\n', &bytes[..at]).map_or(0, |found| found + 1);
            self.end = memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |found| at + found);
        }
        (&bytes[self.start..self.end], self.chunk.offset + self.start as u64)
    }
}

/// What is wrong by a defect: the kind, what is found and what is expected.
fn wrong(defect: &Defect, line: &[u8], line_start: u64) -> (&'static str, Sentence, Sentence) {
    let (kind, expected) = kind_of(defect);
    let bytes = line.get((defect.start - line_start) as usize..((defect.end - line_start) as usize));
    (kind, found(defect, bytes.unwrap_or_default()), expected)
}

/// The kind of a defect, and what is expected in its place.
fn kind_of(defect: &Defect) -> (&'static str, Sentence) {
    let (kind, expected) = match (defect.kind, defect.detail) {
        (DefectKind::Terminated, Detail::Rejected(Reason::CutShort, _)) => {
            ("cut-short", "a whole record and a line end")
        }
        (DefectKind::Terminated, _) => ("no-line-end", "a line end, so that the next record is not glued on"),
        (DefectKind::OneRecordPerLine, Detail::Rejected(..)) => ("cut-short", "one record a line"),
        (DefectKind::OneRecordPerLine, _) => ("second-record", "one record a line"),
        (DefectKind::NoNul, _) => ("nul", "text alone"),
        (DefectKind::Utf8, _) => ("not-utf8", "UTF-8"),
        (DefectKind::NoLoneSurrogate, _) => ("lone-surrogate", "a pair, or a character of its own"),
        (DefectKind::UniqueKeys, _) => ("key-twice", "each key once"),
        (DefectKind::Depth, _) => return ("too-deep", Sentence::new(LEVELS, vec![("most", MAX_DEPTH.into())])),
        (DefectKind::TypedFields, Detail::WrongType { expected, .. }) => ("wrong-type", expected),
        (DefectKind::LiveOnlyKind, _) => ("live-only", "a kind that is persisted"),
        (_, Detail::Rejected(reason @ Reason::TooLong, _)) => return (reason.name(), MOST_OF_A_LINE.into()),
        (_, Detail::Rejected(reason, _)) => (reason.name(), "one JSON object"),
        _ => ("damaged", "one JSON object"),
    };
    (kind, expected.into())
}

const MOST_OF_A_LINE: &str = "one JSON object of at most 256 MiB (`--max-line` allows more) and 262,144 content blocks";

const LEVELS: &str = "at most {most} levels";

/// What a defect found in these bytes.
fn found(defect: &Defect, bytes: &[u8]) -> Sentence {
    let shown = || String::from_utf8_lossy(bytes).chars().take(60).collect::<String>();
    let with =
        |template: &'static str, name: &'static str, value: String| Sentence::new(template, vec![(name, value.into())]);
    let count = match defect.detail {
        Detail::Count(count @ 2..) => format!(" (the first of {count} in this record)"),
        _ => String::new(),
    };
    let counted_too = |template: &'static str, name: &'static str, value: String| {
        Sentence::new(template, vec![(name, value.into()), ("count", count.clone().into())])
    };
    match (defect.kind, defect.detail) {
        (DefectKind::Terminated, Detail::Rejected(Reason::CutShort, _)) => "the last line ends inside a record".into(),
        (DefectKind::Terminated, _) => "the last line has no line end".into(),
        (DefectKind::OneRecordPerLine, Detail::Rejected(..)) => {
            "a record is cut short, and another one follows on its line".into()
        }
        (DefectKind::OneRecordPerLine, _) => "a second record stands on this line".into(),
        (DefectKind::NoNul, _) => {
            let bytes = counted(defect.end - defect.start, "NUL byte");
            with("{bytes}, as a file system leaves after a crash", "bytes", bytes)
        }
        (DefectKind::Utf8, _) => {
            let hex: Vec<String> = bytes.iter().take(4).map(|byte| format!("{byte:02X}")).collect();
            let one = bytes.len() == 1;
            let template = if one { "a byte that is not UTF-8 ({hex})" } else { "bytes that are not UTF-8 ({hex})" };
            with(template, "hex", hex.join(" "))
        }
        (DefectKind::NoLoneSurrogate, _) => {
            counted_too("`{escape}` is half of a surrogate pair{count}", "escape", shown())
        }
        (DefectKind::UniqueKeys, _) if bytes == b"\"" => {
            with("the empty key stands in its object already{count}", "count", count)
        }
        (DefectKind::UniqueKeys, _) => {
            counted_too("the key `{key}` stands in its object already{count}", "key", shown())
        }
        (DefectKind::Depth, _) => Sentence::new("nesting deeper than {most}", vec![("most", MAX_DEPTH.into())]),
        (DefectKind::TypedFields, Detail::WrongType { found, .. }) => {
            with("this is of type {type}", "type", found.name().to_owned())
        }
        (DefectKind::LiveOnlyKind, _) => {
            with("a record of the kind {kind}, which lives in memory alone", "kind", shown())
        }
        (_, Detail::Rejected(Reason::TooLong, _)) => {
            let bytes = counted(defect.end - defect.start, "byte");
            with("{bytes}, more than is looked into on one line", "bytes", bytes)
        }
        (_, Detail::Rejected(reason, fault)) => with("{what}", "what", reason.in_words(fault)),
        _ => "the line is damaged".into(),
    }
}

/// A number and its noun, in the plural unless it is one.
fn counted(number: u64, noun: &str) -> String {
    if number == 1 { format!("a {noun}") } else { format!("{number} {noun}s") }
}

/// Reads again the lines of violations of whole transcripts. A line with many violations is read once.
pub(super) struct Excerpts<'a, O, F> {
    /// The file's name.
    name: &'a str,
    uuids: &'a Uuids,
    /// Opens the file, once a line is asked for.
    open: Option<O>,
    file: Option<LineReader<F>>,
    line: Vec<u8>,
    /// Where the record in `line` begins, and where the line does.
    at: Option<(u64, u64)>,
    /// The blocks of the record's content, once they are asked for.
    blocks: Option<Vec<Span>>,
}

impl<'a, F: Read + Seek, O: FnOnce() -> io::Result<F>> Excerpts<'a, O, F> {
    /// The excerpts of a file; `memory` is used for its lines.
    pub(super) fn new(name: &'a str, uuids: &'a Uuids, memory: Vec<u8>, open: O) -> Self {
        Self { name, uuids, open: Some(open), file: None, line: memory, at: None, blocks: None }
    }

    /// The memory of a line, for the next file.
    pub(super) fn into_memory(mut self) -> Vec<u8> {
        self.line.clear();
        self.line.shrink_to(LONG as usize);
        self.line
    }

    pub(super) fn finding(&mut self, rule: &'static Rule, violation: &Violation) -> Finding<'_> {
        let (line, start, member, block, length) = match violation.place {
            Place::Record { line, start, member, block } => (line, start, member, block, 1),
            Place::Bytes { start, end } => (0, start, "", None, (end - start) as u32),
            _ => (1, 0, "", None, 1),
        };
        let text_start = self.seek(start);
        let place = self.place(member, block).unwrap_or(Span { start: 0, end: length });
        Finding {
            file: self.name,
            rule,
            line,
            start: start + u64::from(place.start),
            end: start + u64::from(place.end),
            path: member_path(member, block),
            kind: violation.kind,
            found: violation.found.clone(),
            expected: violation.expected.clone(),
            text: &self.line,
            text_start,
        }
    }

    /// Where a member lies in the record at hand, or the outermost part of its path that is there.
    fn place(&mut self, member: &str, block: Option<u32>) -> Option<Span> {
        let (start, text_start) = self.at?;
        let record = self.line.get((start - text_start) as usize..)?;
        let uuid = if member == "uuid" { self.uuids.find(start, record) } else { None };
        if uuid.is_some() {
            return uuid;
        }
        let Some(block) = block else {
            // The empty path is the whole record.
            let steps: Vec<PathStep<'_>> =
                member.split('.').filter(|name| !name.is_empty()).map(PathStep::Member).collect();
            return locate(record, &steps).or_else(|| locate(record, steps.get(..1)?));
        };
        let blocks = self.blocks.get_or_insert_with(|| content_blocks(record));
        blocks.get(block as usize).copied().or_else(|| locate(record, &[PathStep::Member("message")]))
    }

    /// Reads the line of the record that begins at `start`; gives where the line begins. What cannot be read again
    /// stays empty.
    fn seek(&mut self, start: u64) -> u64 {
        if self.at.is_none_or(|(at, _)| at != start) {
            self.blocks = None;
            self.at = Some((start, self.read_line(start).unwrap_or(start)));
        }
        self.at.map_or(start, |(_, text_start)| text_start)
    }

    /// Reads the line in which byte `at` lies; gives where it begins.
    fn read_line(&mut self, at: u64) -> io::Result<u64> {
        self.line.clear();
        if let Some(open) = self.open.take() {
            self.file = Some(LineReader::new(open()?)?);
        }
        let Some(file) = &mut self.file else { return Ok(at) };
        let start = file.line_start(at)?;
        file.read_line(LONG, &mut self.line)?;
        if self.line.last() != Some(&b'\n') {
            // Memory that grows is copied, so a long line gets all that it may need at once.
            let rest = file.size.saturating_sub(start).min(MAX_LINE as u64 + 1).saturating_sub(self.line.len() as u64);
            self.line.reserve_exact(rest as usize);
            file.read_line(u64::MAX, &mut self.line)?;
        }
        self.line.pop_if(|last| *last == b'\n');
        Ok(start)
    }
}

/// A line of so many bytes is long.
const LONG: u64 = 8 << 20;

fn content_blocks(record: &[u8]) -> Vec<Span> {
    let mut blocks = Vec::new();
    if let Some(content) = locate(record, &[PathStep::Member("message"), PathStep::Member("content")]) {
        let mut scratch = Scratch::default();
        let mut cursor = Cursor::new(record, content.start as usize, &mut scratch);
        // Content that is not a list has no blocks.
        let _ = cursor.array(|cursor, _| cursor.value().map(|(_, span)| blocks.push(span)));
    }
    blocks
}

/// A member's path with the index of its block.
fn member_path(member: &str, block: Option<u32>) -> String {
    match (block, member.split_once("message.content")) {
        (Some(block), Some(("", rest))) => format!("message.content[{block}]{rest}"),
        _ => member.to_owned(),
    }
}
