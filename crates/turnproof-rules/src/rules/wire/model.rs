//! A *model* is a second reader of transcripts, slow and simple; it says what a right reader finds in a file.
//!
//! A file is cut into lines at LF, a line into *segments* at runs of NUL, and a segment into *pieces*: records and
//! rejected ranges, with blanks around them. Where no whole object begins, every later `{` of the segment is tried in
//! turn, so the time is quadratic in the length of a damaged line. `serde_json` decides whether JSON is whole; a plain
//! tree reader says how it fails and what is in it. There is no limit on the length of a line.

use std::borrow::Cow;

use serde::de::IgnoredAny;

use super::fields;
use crate::json::{self, Stop, Tree};
use crate::vocabulary::{Home, Kind};

/// An object that begins inside a rejected range is taken for a record only if it has one of these members: records
/// have them, content blocks and messages nested in progress do not.
pub const MARKS: [&str; 4] = ["parentUuid", "sessionId", "leafUuid", "messageId"];

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// Why a range holds no record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A run of NUL bytes.
    Nul,
    /// Containers nest deeper than 128.
    TooDeep,
    /// A whole JSON value that is not an object.
    NotObject,
    /// The beginning of an object whose rest is missing.
    CutShort,
    /// Bytes that are neither JSON nor UTF-8.
    InvalidUtf8,
    /// Text that is not JSON.
    NotJson,
}

impl Reason {
    /// The reason as subjects give it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Nul => "nul",
            Self::TooDeep => "too-deep",
            Self::NotObject => "not-object",
            Self::CutShort => "cut-short",
            Self::InvalidUtf8 => "invalid-utf8",
            Self::NotJson => "not-json",
        }
    }
}

/// What a piece of a line holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// A record.
    Record {
        /// Its `type`, when that is a string; of a repeated key the last one.
        kind: Option<String>,
        /// Its `uuid`, likewise.
        uuid: Option<String>,
    },
    /// No record, and why.
    Rejected(Reason),
}

/// A record or a rejected range. Offsets are bytes from the file's start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The line, from 1.
    pub line: u64,
    /// The first byte.
    pub start: u64,
    /// The byte after the last one.
    pub end: u64,
    /// What it holds.
    pub found: Found,
}

impl Piece {
    /// Whether it is a record.
    pub fn is_record(&self) -> bool {
        matches!(self.found, Found::Record { .. })
    }

    fn is(&self, reason: Reason) -> bool {
        self.found == Found::Rejected(reason)
    }
}

/// What a right reader finds in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// The records and rejected ranges, in file order.
    pub pieces: Vec<Piece>,
    /// The blank ranges between them, in file order, neighbours joined.
    pub blank: Vec<(u64, u64)>,
    /// The rules that the file breaks, each with the index of the piece that breaks it; in file order, and at most one
    /// of a rule for each piece.
    pub reports: Vec<(&'static str, usize)>,
}

impl Reading {
    /// The pieces that break a rule.
    pub fn breaking(&self, rule: &str) -> impl Iterator<Item = &Piece> {
        self.reports.iter().filter(move |(broken, _)| *broken == rule).map(|&(_, piece)| &self.pieces[piece])
    }
}

/// The rules that a file breaks, each with the first byte of the record or rejected range that breaks it and the byte
/// after its last one; in file order, then by rule. A reader's own reports are right when there is one for each of
/// these, beginning somewhere in the range, and no others.
///
/// ```
/// let reports = turnproof_rules::rules::model::reports(b"{}\n\0\0\n");
/// assert_eq!(reports, [("wire/no-nul", 3, 5)]);
/// ```
pub fn reports(bytes: &[u8]) -> Vec<(&'static str, u64, u64)> {
    let Reading { pieces, reports, .. } = read(bytes);
    reports.into_iter().map(|(rule, piece)| (rule, pieces[piece].start, pieces[piece].end)).collect()
}

/// Reads a file: its pieces, its blanks, and the rules that it breaks. Every byte is in exactly one piece or blank,
/// whatever the bytes are.
pub fn read(bytes: &[u8]) -> Reading {
    let mut reading = Reading::default();
    each_piece(bytes, |line, start, end, content| {
        if let Ok(record) = &content {
            report_record(&bytes[start..end], record, &mut reading);
        }
        reading.pieces.push(piece(line, start, end, content));
    });
    let last_line = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    report_lines(last_line as u64, &mut reading);
    reading.blank = blanks(&reading.pieces, bytes.len() as u64);
    reading.reports.sort_by_key(|&(rule, piece)| (piece, rule));
    reading
}

/// What is between the pieces.
fn blanks(pieces: &[Piece], length: u64) -> Vec<(u64, u64)> {
    let starts = pieces.iter().map(|piece| piece.start).chain([length]);
    let ends = [0].into_iter().chain(pieces.iter().map(|piece| piece.end));
    ends.zip(starts).filter(|(end, start)| end < start).collect()
}

/// The pieces of a file, and nothing of what is wrong with it.
pub(in crate::rules) fn pieces(bytes: &[u8]) -> Vec<Piece> {
    let mut pieces = Vec::new();
    each_piece(bytes, |line, start, end, content| pieces.push(piece(line, start, end, content)));
    pieces
}

/// The records of a file with their trees: line, first byte, and the byte after the last one of each.
pub(in crate::rules) fn records(bytes: &[u8]) -> Vec<(u64, usize, usize, Tree<'_>)> {
    let mut records = Vec::new();
    each_piece(bytes, |line, start, end, content| {
        records.extend(content.ok().map(|tree| (line, start, end, tree)));
    });
    records
}

/// Goes through the pieces of a file: line, first byte, the byte after the last one, and what is there.
fn each_piece<'a>(bytes: &'a [u8], mut take: impl FnMut(u64, usize, usize, Result<Tree<'a>, Reason>)) {
    let mut offset = 0;
    for (number, line) in (1..).zip(bytes.split_inclusive(|&byte| byte == b'\n')) {
        let mut start = offset;
        for segment in segments(line.strip_suffix(b"\n").unwrap_or(line)) {
            for (from, to, content) in cut(segment) {
                take(number, start + from, start + to, content);
            }
            start += segment.len();
        }
        offset += line.len();
    }
}

/// The runs of NUL of a line, and what is between them.
fn segments(content: &[u8]) -> impl Iterator<Item = &[u8]> {
    content.chunk_by(|left, right| (*left == 0) == (*right == 0))
}

/// Cuts a segment, or a run of NUL, into pieces.
fn cut(segment: &[u8]) -> Vec<(usize, usize, Result<Tree<'_>, Reason>)> {
    if segment.first() == Some(&0) {
        return vec![(0, segment.len(), Err(Reason::Nul))];
    }
    let mut pieces = Vec::new();
    let mut at = skip_blanks(segment, 0);
    while at < segment.len() {
        let (end, found) = match whole_object(&segment[at..]) {
            Some((record, length)) => (at + length, Ok(record)),
            None => {
                let next = (at + 1..segment.len()).find(|&later| is_recoverable(&segment[later..]));
                let end = next.unwrap_or_else(|| without_trailing_white_space(segment));
                (end, Err(reason(&segment[at..], end - at, next.is_some())))
            }
        };
        pieces.push((at, end, found));
        at = skip_blanks(segment, end);
    }
    pieces
}

fn piece(line: u64, start: usize, end: usize, content: Result<Tree<'_>, Reason>) -> Piece {
    let text = |record: &Tree<'_>, key| record.member(key).and_then(Tree::text).map(Cow::into_owned);
    let record = |record| Found::Record { kind: text(&record, "type"), uuid: text(&record, "uuid") };
    Piece { line, start: start as u64, end: end as u64, found: content.map_or_else(Found::Rejected, record) }
}

fn is_white_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r')
}

/// Where the white space and byte order marks that begin at `at` end.
fn skip_blanks(segment: &[u8], mut at: usize) -> usize {
    loop {
        if segment[at..].starts_with(BYTE_ORDER_MARK) {
            at += BYTE_ORDER_MARK.len();
        } else if segment.get(at).is_some_and(|&byte| is_white_space(byte)) {
            at += 1;
        } else {
            return at;
        }
    }
}

fn without_trailing_white_space(segment: &[u8]) -> usize {
    segment.iter().rposition(|&byte| !is_white_space(byte)).map_or(0, |last| last + 1)
}

/// The whole object that begins with the first byte, and its length. Two readers have to agree on it.
fn whole_object(bytes: &[u8]) -> Option<(Tree<'_>, usize)> {
    if bytes.first() != Some(&b'{') {
        return None;
    }
    let (tree, length) = json::read(bytes).ok()?;
    let mut values = serde_json::Deserializer::from_slice(bytes).into_iter::<IgnoredAny>();
    values.next()?.ok()?;
    (values.byte_offset() == length).then_some((tree, length))
}

/// Whether a record begins with the first byte, although what comes before it is damaged.
fn is_recoverable(bytes: &[u8]) -> bool {
    let [b'{', b'"', letter, ..] = bytes else { return false };
    if !(letter.is_ascii_alphabetic() || *letter == b'_') {
        return false;
    }
    let Some((tree, length)) = whole_object(bytes) else { return false };
    let is_inside = matches!(bytes.get(skip_blanks(bytes, length)), Some(b',' | b']' | b'}'));
    let has_kind = matches!(tree.member("type"), Some(Tree::Text(_)));
    !is_inside && has_kind && MARKS.iter().any(|mark| tree.member(mark).is_some())
}

/// Why there is no record in the first `length` bytes of `rest`, which is what is left of the segment.
fn reason(rest: &[u8], length: usize, is_before_record: bool) -> Reason {
    let range = &rest[..length];
    let stop = json::read(rest).err();
    if stop == Some(Stop::TooDeep) {
        Reason::TooDeep
    } else if serde_json::from_slice::<IgnoredAny>(range).is_ok() {
        Reason::NotObject
    } else if range.first() == Some(&b'{') && (is_before_record || stop == Some(Stop::End)) {
        Reason::CutShort
    } else if std::str::from_utf8(range).is_err() {
        Reason::InvalidUtf8
    } else {
        Reason::NotJson
    }
}

/// Reports what is wrong inside a record, which will be the next piece.
fn report_record(bytes: &[u8], record: &Tree<'_>, reading: &mut Reading) {
    let is_live_only = |kind: Cow<'_, str>| Kind::of(&kind).is_some_and(|kind| kind.home() == Home::Memory);
    let defects = [
        ("wire/utf8", std::str::from_utf8(bytes).is_err()),
        ("wire/no-lone-surrogate", record.has_lone_surrogate()),
        ("wire/unique-keys", record.has_repeated_key()),
        ("wire/typed-fields", fields::has_wrong_type(record)),
        ("wire/live-only-kind", record.member("type").and_then(Tree::text).is_some_and(is_live_only)),
    ];
    let index = reading.pieces.len();
    let there = defects.into_iter().filter(|(_, is_there)| *is_there);
    reading.reports.extend(there.map(|(rule, _)| (rule, index)));
}

/// Reports the rejected ranges, a last line without LF, which begins at `last_line`, and the records that come after
/// another record of their line. Where a range that is cut short stands between two records, it is reported instead.
fn report_lines(last_line: u64, reading: &mut Reading) {
    let Reading { pieces, reports, .. } = reading;
    let torn = pieces.iter().rposition(|piece| piece.start >= last_line && !piece.is(Reason::Nul));
    reports.extend(torn.map(|index| ("wire/terminated", index)));
    let mut first = 0;
    for line in pieces.chunk_by(|piece, next| piece.line == next.line) {
        let mut follows_record = false;
        for (at, piece) in line.iter().enumerate() {
            let is_before_record = line[at..].iter().any(Piece::is_record);
            let index = first + at;
            let rule = match piece.found {
                Found::Record { .. } => follows_record.then_some("wire/one-record-per-line"),
                Found::Rejected(Reason::Nul) => Some("wire/no-nul"),
                Found::Rejected(Reason::TooDeep) => Some("wire/depth"),
                Found::Rejected(Reason::InvalidUtf8) => Some("wire/utf8"),
                Found::Rejected(Reason::CutShort) if is_before_record => Some("wire/one-record-per-line"),
                Found::Rejected(Reason::CutShort) if torn == Some(index) => None,
                Found::Rejected(_) => Some("wire/json-object"),
            };
            reports.extend(rule.map(|rule| (rule, index)));
            follows_record = piece.is_record() || follows_record && !piece.is(Reason::CutShort);
        }
        first += line.len();
    }
}
