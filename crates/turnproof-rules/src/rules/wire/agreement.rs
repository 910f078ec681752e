//! An *agreement* is what most rules of this family ask for. Where the model finds a file to break the rule, the
//! subject finds the same pieces and reports the rule for them, and nowhere else.

use std::borrow::Cow;

use crate::json::{self, Stop, Tree};
use crate::operation::{Parsed, ParsedRecord, Rejected};
use crate::rules::{Applies, ParseEvidence, Place, Report, applies};

use super::answers::slice;
use super::model::{Found, Piece, Reading};

/// Which pieces must be found beside those that break the rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reach {
    /// None.
    Piece,
    /// The records of their lines.
    Line,
    /// The records of the file.
    File,
}

/// What each rule reaches, and why a file does not touch it.
const AGREEMENTS: [(&str, Reach, &str); 10] = [
    ("wire/json-object", Reach::File, "the file holds nothing but blanks and NUL"),
    (
        "wire/one-record-per-line",
        Reach::Line,
        "no line holds more than one record or the beginning of one before another",
    ),
    ("wire/terminated", Reach::Piece, "the last line ends with LF, or holds nothing but blanks and NUL"),
    ("wire/no-nul", Reach::Line, "the file holds no NUL byte"),
    ("wire/utf8", Reach::Piece, "no record holds bytes other than UTF-8, and no range is rejected for them"),
    ("wire/no-lone-surrogate", Reach::Piece, "no record holds an escape that is half of a surrogate pair"),
    ("wire/unique-keys", Reach::Piece, "no object in a record repeats a key"),
    ("wire/depth", Reach::Piece, "nothing nests deeper than 128"),
    ("wire/typed-fields", Reach::Piece, "every known field of every record has its JSON type"),
    ("wire/live-only-kind", Reach::Piece, "no record is of a kind that lives in memory only"),
];

/// Rules on what is inside a record. They, and none that reaches further, judge the `type` and `uuid` of the records
/// that break them.
const INSIDE_RECORDS: [&str; 4] = ["wire/utf8", "wire/no-lone-surrogate", "wire/unique-keys", "wire/typed-fields"];

/// Judges what a subject read from a file.
pub(super) fn agree(case: &ParseEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let (reading, rule) = (case.reading(), report.rule);
    let parsed = &*with_names(reading, &case.parsed);
    let agreement = AGREEMENTS.into_iter().find(|(own, ..)| *own == rule);
    let (_, reach, untouched) = agreement.ok_or("the rule is not in the table of agreements")?;
    let breaking: Vec<&Piece> = reading.breaking(rule).collect();
    let is_near = |piece: &Piece| match reach {
        Reach::Piece => false,
        Reach::Line => breaking.iter().any(|broken| broken.line == piece.line),
        Reach::File => true,
    };
    let is_concerned = |piece: &&Piece| breaking.contains(piece) || piece.is_record() && is_near(piece);
    let concerned: Vec<&Piece> = reading.pieces.iter().filter(is_concerned).collect();
    let mut tell = |start: u64, end: u64, found: String, expected: String| {
        report.old_add(Place::Bytes { start, end }, found, expected);
    };
    for piece in &concerned {
        if let Some(expected) = missing_piece(parsed, piece) {
            tell(piece.start, piece.end, what_is_at(parsed, piece), expected);
        }
    }
    for piece in &concerned {
        let breaks = |rule: &&str| reading.breaking(rule).any(|broken| broken == *piece);
        if let Some((found, expected)) = wrong_head(parsed, piece)
            && (reach == Reach::Piece || !INSIDE_RECORDS.iter().any(breaks))
        {
            tell(piece.start, piece.end, found, expected);
        }
    }
    for range in parsed.rejected.iter().filter(|range| rule_of_reason(&range.reason) == rule) {
        if !reading.pieces.iter().any(|piece| is_same_range(range, piece)) {
            let found = format!("a range rejected as {}", range.reason);
            tell(range.start, range.end, found, what_the_model_has(reading, range.start, range.end));
        }
    }
    let is_foreign = |record: &&ParsedRecord| !reading.pieces.iter().any(|piece| is_same_record(record, piece));
    for record in parsed.records.iter().filter(|_| reach == Reach::File).filter(is_foreign) {
        if let Some(found) = foreign_record(&case.bytes, record) {
            let expected = what_the_model_has(reading, record.start, record.end);
            tell(record.start, record.end, found.to_owned(), expected);
        }
    }
    let own = || parsed.reports.iter().filter(|report| report.rule == rule);
    for piece in &breaking {
        let count = own().filter(|report| piece.start <= report.start && report.start < piece.end).count();
        if count != 1 {
            let expected = format!("one report of {rule} that begins in these bytes");
            tell(piece.start, piece.end, format!("{count} reports"), expected);
        }
    }
    for report in own() {
        if !breaking.iter().any(|piece| piece.start <= report.start && report.start < piece.end) {
            let expected = "no report: what is here does not break the rule".to_owned();
            tell(report.start, report.end, format!("a report of {rule}"), expected);
        }
    }
    applies(!concerned.is_empty(), untouched)
}

/// What a subject read. One that names nothing is lent the names of the model: what is reported, and why the bytes are
/// rejected that the model rejects too.
fn with_names<'a>(reading: &Reading, parsed: &'a Parsed) -> Cow<'a, Parsed> {
    if !parsed.unnamed {
        return Cow::Borrowed(parsed);
    }
    let reason = |range: &Rejected| {
        let piece = reading.pieces.iter().find(|piece| (piece.start, piece.end) == (range.start, range.end));
        match piece.map(|piece| &piece.found) {
            Some(Found::Rejected(reason)) => reason.name(),
            _ => "not-json",
        }
    };
    let rejected = parsed.rejected.iter().map(|range| Rejected { reason: reason(range).to_owned(), ..*range });
    Cow::Owned(Parsed { rejected: rejected.collect(), reports: reading.in_words(), ..parsed.clone() })
}

/// What the subject should have, byte for byte, and does not.
fn missing_piece(parsed: &Parsed, piece: &Piece) -> Option<String> {
    let (is_there, expected) = match piece.found {
        Found::Record { .. } => (record_at(parsed, piece).is_some(), "a record".to_owned()),
        Found::Rejected(reason) => (
            parsed.rejected.iter().any(|range| is_same_range(range, piece)),
            format!("a range rejected as {}", reason.name()),
        ),
    };
    (!is_there).then(|| format!("{expected} at bytes {} to {}", piece.start, piece.end))
}

/// A record whose `type` or `uuid` is not what the model reads: what the subject reads, and what the model does.
fn wrong_head(parsed: &Parsed, piece: &Piece) -> Option<(String, String)> {
    let Found::Record { kind, uuid } = &piece.found else { return None };
    let record = record_at(parsed, piece)?;
    let quoted = |text: &Option<String>| text.as_ref().map_or("none".to_owned(), |text| format!("{text:?}"));
    let say = |kind, uuid| format!("a record with type {} and uuid {}", quoted(kind), quoted(uuid));
    ((&record.kind, &record.uuid) != (kind, uuid)).then(|| (say(&record.kind, &record.uuid), say(kind, uuid)))
}

/// What a record of the subject is that the model does not have. One that nests too deep is left to `wire/depth`.
fn foreign_record(bytes: &[u8], record: &ParsedRecord) -> Option<&'static str> {
    match slice(bytes, record.start, record.end).map(json::read_all) {
        None => Some("a record outside the file"),
        Some(Err(Stop::TooDeep)) => None,
        Some(Ok(Tree::Object(_))) => Some("a record with other bounds, or inside a damaged one"),
        Some(Ok(_)) => Some("a record that is JSON, but not an object"),
        Some(Err(Stop::End | Stop::Wrong)) => Some("a record that is not whole JSON"),
    }
}

/// The rule that a rejected range of this reason breaks first of all.
fn rule_of_reason(reason: &str) -> &'static str {
    match reason {
        "nul" => "wire/no-nul",
        "too-deep" => "wire/depth",
        "invalid-utf8" => "wire/utf8",
        _ => "wire/json-object",
    }
}

fn is_same_record(record: &ParsedRecord, piece: &Piece) -> bool {
    piece.is_record() && (record.start, record.end) == (piece.start, piece.end)
}

fn is_same_range(range: &Rejected, piece: &Piece) -> bool {
    let Found::Rejected(reason) = piece.found else { return false };
    (range.start, range.end, range.reason.as_str()) == (piece.start, piece.end, reason.name())
}

fn record_at<'a>(parsed: &'a Parsed, piece: &Piece) -> Option<&'a ParsedRecord> {
    parsed.records.iter().find(|record| is_same_record(record, piece))
}

/// What the subject has where the model has the piece, in words.
fn what_is_at(parsed: &Parsed, piece: &Piece) -> String {
    let touches = |start: u64, end: u64| start < piece.end && piece.start < end;
    if let Some(record) = parsed.records.iter().find(|record| touches(record.start, record.end)) {
        return format!("a record at bytes {} to {}", record.start, record.end);
    }
    if let Some(range) = parsed.rejected.iter().find(|range| touches(range.start, range.end)) {
        return format!("bytes {} to {} rejected as {}", range.start, range.end, range.reason);
    }
    match parsed.blank.iter().find(|range| touches(range.0, range.1)) {
        Some((start, end)) => format!("bytes {start} to {end} taken for blank"),
        None => "nothing at all".to_owned(),
    }
}

/// What the model has in a range, in words.
fn what_the_model_has(reading: &Reading, start: u64, end: u64) -> String {
    let Some(piece) = reading.pieces.iter().find(|piece| start < piece.end && piece.start < end) else {
        return "blank: nothing but white space, or no bytes at all".to_owned();
    };
    match piece.found {
        Found::Record { .. } => format!("a record at bytes {} to {}", piece.start, piece.end),
        Found::Rejected(reason) => format!("bytes {} to {} rejected as {}", piece.start, piece.end, reason.name()),
    }
}
