//! A *model* is a second reader of transcripts, slow and simple; it says what a right reader finds in a file.
//!
//! A file is cut into lines at LF, a line into *segments* at runs of NUL, and a segment into *pieces*: records and
//! rejected ranges, with blanks around them. Where no whole object begins, every later `{` of the segment is tried in
//! turn, so the time is quadratic in the length of a damaged line. `serde_json` decides whether JSON is whole; a plain
//! tree reader says how it fails and what is in it. There is no limit on the length of a line.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashSet;

use serde::de::IgnoredAny;
use twox_hash::XxHash3_128;

use super::fields;
use super::first_byte::first_byte;
use crate::json::{self, Stop, Tree};
use crate::operation::{Parsed, ParsedRecord, Rejected, Report};
use crate::vocabulary::{Home, Kind};

/// An object that begins inside a rejected range is taken for a record only if it has one of these members: records
/// have them, content blocks and messages nested in progress do not.
const MARKS: [&str; 4] = ["parentUuid", "sessionId", "leafUuid", "messageId"];

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// Why a range holds no record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    Nul,
    TooDeep,
    NotObject,
    /// The beginning of an object whose rest is missing.
    CutShort,
    InvalidUtf8,
    NotJson,
}

impl Reason {
    /// The reason as subjects give it.
    pub(crate) const fn name(self) -> &'static str {
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
pub(crate) enum PieceContent {
    /// A record; `None` when the member is missing or no string.
    Record {
        kind: Option<String>,
        uuid: Option<String>,
    },
    Rejected(Reason),
}

/// A record or a rejected range. Offsets are bytes from the file's start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    /// The line, from 1.
    pub(crate) line: u64,
    pub(crate) start: u64,
    pub(crate) end: u64,
    pub(crate) found: PieceContent,
}

impl Piece {
    pub(crate) fn is_record(&self) -> bool {
        matches!(self.found, PieceContent::Record { .. })
    }

    fn is(&self, reason: Reason) -> bool {
        self.found == PieceContent::Rejected(reason)
    }

    /// The byte of the file at which a record that breaks a rule is reported; `None` where it may be any of its bytes,
    /// and for a rejected range.
    pub(super) fn first_byte(&self, rule: &str, file: &[u8]) -> Option<u64> {
        let record = file.get(self.start as usize..self.end as usize).filter(|_| self.is_record())?;
        Some(self.start + first_byte(rule, record)? as u64)
    }
}

/// What a right reader finds in a file.
#[derive(Debug, Default)]
pub(crate) struct Reading {
    /// The records and rejected ranges, in file order.
    pub(crate) pieces: Vec<Piece>,
    /// The rules that the file breaks, each with the index of the piece that breaks it; in file order, then by rule,
    /// and at most one of a rule for each piece.
    reports: Vec<(&'static str, usize)>,
}

impl Reading {
    /// The pieces that break a rule.
    pub(crate) fn breaking(&self, rule: &str) -> impl Iterator<Item = &Piece> {
        self.reports.iter().filter(move |(broken, _)| *broken == rule).map(|&(_, piece)| &self.pieces[piece])
    }

    /// What a right reader reports of these bytes.
    pub(super) fn in_words(&self, bytes: &[u8]) -> Vec<Report> {
        let report = |(rule, piece): &(&str, usize)| {
            let piece = &self.pieces[*piece];
            Report {
                rule: (*rule).to_owned(),
                start: piece.first_byte(rule, bytes).unwrap_or(piece.start),
                end: piece.end,
            }
        };
        self.reports.iter().map(report).collect()
    }
}

/// What a right subject reads from a file: the model with which the rules of the family `wire` compare. A subject's own
/// reports are right when there is one for each of these and no others. Of a record it begins at the same byte, and of
/// anything else somewhere in the range.
///
/// ```
/// let right = turnproof_rules::rules::right_reading(b"{}\n\0\0\n");
/// assert_eq!((right.records[0].end, right.rejected[0].end), (2, 5));
/// assert_eq!(right.reports.unwrap()[0].rule, "wire/no-nul");
/// ```
pub fn right_reading(bytes: &[u8]) -> Parsed {
    let reading = read(bytes);
    let (reports, pieces) = (Some(reading.in_words(bytes)), reading.pieces);
    let mut parsed = Parsed { blank: blanks(&pieces, bytes.len() as u64), reports, ..Parsed::default() };
    for Piece { start, end, found, .. } in pieces {
        match found {
            PieceContent::Record { kind, uuid } => {
                let written = bytes[start as usize..end as usize].to_vec();
                parsed.records.push(ParsedRecord { start, end, kind, uuid, written });
            }
            PieceContent::Rejected(reason) => {
                parsed.rejected.push(Rejected { start, end, reason: reason.name().to_owned() })
            }
        }
    }
    parsed
}

/// Reads a file: its pieces, and the rules that it breaks. Every byte is in exactly one piece, or blank.
pub(crate) fn read(bytes: &[u8]) -> Reading {
    read_with_records(bytes, |_| {})
}

/// Reads a file, and hands each of its [`records`] to the caller as well.
pub(crate) fn read_with_records<'a>(bytes: &'a [u8], mut take: impl FnMut(RecordTree<'a>)) -> Reading {
    let mut reading = Reading::default();
    each_piece(bytes, |line, start, end, content| {
        if let Ok(record) = &content {
            report_record(&bytes[start..end], record, &mut reading);
        }
        reading.pieces.push(piece(line, start, end, &content));
        if let Ok(tree) = content {
            take((line, start, end, tree));
        }
    });
    let last_line = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    report_lines(last_line as u64, &mut reading);
    reading.reports.sort_by_key(|&(rule, piece)| (piece, rule));
    reading
}

/// What is between the pieces: first byte, and the byte after the last one.
pub(crate) fn blanks(pieces: &[Piece], length: u64) -> Vec<(u64, u64)> {
    let starts = pieces.iter().map(|piece| piece.start).chain([length]);
    let ends = [0].into_iter().chain(pieces.iter().map(|piece| piece.end));
    ends.zip(starts).filter(|(end, start)| end < start).collect()
}

/// The pieces of a file, and nothing of what is wrong with it.
pub(crate) fn pieces(bytes: &[u8]) -> Vec<Piece> {
    let mut pieces = Vec::new();
    each_piece(bytes, |line, start, end, content| pieces.push(piece(line, start, end, &content)));
    pieces
}

/// A record with its tree: line, first byte, and the byte after the last one.
pub(crate) type RecordTree<'a> = (u64, usize, usize, Tree<'a>);

/// The records of a file.
pub(crate) fn records(bytes: &[u8]) -> Vec<RecordTree<'_>> {
    let mut records = Vec::new();
    each_piece(bytes, |line, start, end, content| {
        records.extend(content.ok().map(|tree| (line, start, end, tree)));
    });
    records
}

/// Gives the pieces of a file in order: line, first byte, the byte after the last one, and what is there.
fn each_piece<'a>(bytes: &'a [u8], mut take: impl FnMut(u64, usize, usize, Result<Tree<'a>, Reason>)) {
    let mut offset = 0;
    for (number, line) in (1..).zip(json::lines(bytes)) {
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
    let (whole, damaged) = if content.contains(&0) { (&[][..], content) } else { (content, &[][..]) };
    let whole = Some(whole).filter(|whole| !whole.is_empty());
    whole.into_iter().chain(damaged.chunk_by(|left, right| (*left == 0) == (*right == 0)))
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

fn piece(line: u64, start: usize, end: usize, content: &Result<Tree<'_>, Reason>) -> Piece {
    let text = |record: &Tree<'_>, key| record.member(key).and_then(Tree::text).map(Cow::into_owned);
    let record = |record| PieceContent::Record { kind: text(record, "type"), uuid: text(record, "uuid") };
    let found = content.as_ref().map_or_else(|reason| PieceContent::Rejected(*reason), record);
    Piece { line, start: start as u64, end: end as u64, found }
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
    agrees(bytes, length).then_some((tree, length))
}

thread_local! {
    /// Hashes of objects on which both readers agreed of late: the models read a file one after another.
    static AGREED: RefCell<HashSet<u128>> = RefCell::new(HashSet::new());
}

/// How many are kept.
const MOST_AGREED: usize = 1 << 12;

/// Whether the second reader finds a whole object that is as long. It stops behind an object, whatever follows.
fn agrees(bytes: &[u8], length: usize) -> bool {
    let hash = XxHash3_128::oneshot(&bytes[..length]);
    AGREED.with_borrow_mut(|agreed| {
        if agreed.contains(&hash) {
            return true;
        }
        let mut values = serde_json::Deserializer::from_slice(bytes).into_iter::<IgnoredAny>();
        let agrees = values.next().is_some_and(|value| value.is_ok()) && values.byte_offset() == length;
        if agreed.len() == MOST_AGREED {
            agreed.clear();
        }
        if agrees {
            agreed.insert(hash);
        }
        agrees
    })
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
        ("wire/typed-fields", !fields::misfits(record).is_empty()),
        ("wire/live-only-kind", record.member("type").and_then(Tree::text).is_some_and(is_live_only)),
    ];
    let index = reading.pieces.len();
    let there = defects.into_iter().filter(|(_, is_there)| *is_there);
    reading.reports.extend(there.map(|(rule, _)| (rule, index)));
}

/// Reports the rejected ranges, a last line without LF, which begins at `last_line`, and the records that come after
/// another record of their line. Where a range that is cut short is between two records, it is reported instead.
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
                PieceContent::Record { .. } => follows_record.then_some("wire/one-record-per-line"),
                PieceContent::Rejected(Reason::Nul) => Some("wire/no-nul"),
                PieceContent::Rejected(Reason::TooDeep) => Some("wire/depth"),
                PieceContent::Rejected(Reason::InvalidUtf8) => Some("wire/utf8"),
                PieceContent::Rejected(Reason::CutShort) if is_before_record => Some("wire/one-record-per-line"),
                PieceContent::Rejected(Reason::CutShort) if torn == Some(index) => None,
                PieceContent::Rejected(_) => Some("wire/json-object"),
            };
            reports.extend(rule.map(|rule| (rule, index)));
            follows_record = piece.is_record() || follows_record && !piece.is(Reason::CutShort);
        }
        first += line.len();
    }
}
