//! An *agreement* is what most rules of this family ask for. Where the model finds a file to break the rule, the
//! subject finds the same pieces and reports the rule for them, and nowhere else.

use std::borrow::Cow;

use crate::json::{self, Stop, Tree};
use crate::operation::{Parsed, ParsedRecord, Rejected};
use crate::rules::{Applies, ParseEvidence, Place, Report, Sentence, applies};

use super::answers::slice;
use super::model::{Piece, PieceContent, Reading};

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

/// A kind, what is found, and what is expected.
type Wrong = (&'static str, Sentence, Sentence);

const RECORD_REJECTED: &str = "record-rejected";
const OTHER_REASON: &str = "other-reason";
const BLANK_REJECTED: &str = "blank-rejected";
const DAMAGE_TAKEN_FOR_BLANK: &str = "damage-taken-for-blank";
const DAMAGE_MISSING: &str = "damage-missing";
const NOT_REPORTED: &str = "not-reported";
const FALSE_REPORT: &str = "false-report";
const OTHER_BYTE: &str = "other-byte";

/// The kinds that are about [naming](crate::rules::is_of_naming) alone: no record is read otherwise.
pub(in crate::rules) const NAMING: [&str; 7] =
    [OTHER_REASON, BLANK_REJECTED, DAMAGE_TAKEN_FOR_BLANK, DAMAGE_MISSING, NOT_REPORTED, FALSE_REPORT, OTHER_BYTE];

/// Judges what a subject read from a file.
pub(super) fn agree(case: &ParseEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let (reading, rule) = (case.reading(), report.rule);
    let parsed = &*with_names(case);
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
    let mut add = |start: u64, end: u64, (kind, found, expected): Wrong| {
        report.add(Place::Bytes { start, end }, kind, found, expected);
    };
    for piece in concerned.iter().filter(|piece| !is_there(parsed, piece)) {
        add(piece.start, piece.end, instead(parsed, piece));
    }
    for piece in &concerned {
        let breaks = |rule: &&str| reading.breaking(rule).any(|broken| broken == *piece);
        if let Some(wrong) = wrong_head(parsed, piece)
            && (reach == Reach::Piece || !INSIDE_RECORDS.iter().any(breaks))
        {
            add(piece.start, piece.end, wrong);
        }
    }
    for range in parsed.rejected.iter().filter(|range| rule_of_reason(&range.reason) == rule) {
        if !reading.pieces.iter().any(|piece| is_same_range(range, piece)) {
            let (found, place) = (rejected_as(&range.reason), model_at(reading, range.start, range.end));
            let kind = match place.map(Piece::is_record) {
                Some(true) => RECORD_REJECTED,
                Some(false) => OTHER_REASON,
                None => BLANK_REJECTED,
            };
            add(range.start, range.end, (kind, found, what_the_model_has(place)));
        }
    }
    let is_foreign = |record: &&ParsedRecord| !reading.pieces.iter().any(|piece| is_same_record(record, piece));
    for record in parsed.records.iter().filter(|_| reach == Reach::File).filter(is_foreign) {
        if let Some((kind, found)) = foreign_record(&case.bytes, record) {
            let expected = what_the_model_has(model_at(reading, record.start, record.end));
            add(record.start, record.end, (kind, found.into(), expected));
        }
    }
    let own = || parsed.reports.iter().flatten().filter(|report| report.rule == rule);
    for piece in &breaking {
        let inside = own().map(|report| report.start).filter(|start| (piece.start..piece.end).contains(start));
        if let Some(wrong) = wrong_place(rule, &inside.collect::<Vec<_>>(), piece.first_byte(rule, &case.bytes)) {
            add(piece.start, piece.end, wrong);
        }
    }
    for report in own() {
        if !breaking.iter().any(|piece| piece.start <= report.start && report.start < piece.end) {
            let expected = "no report: what is here does not break the rule".into();
            add(report.start, report.end, (FALSE_REPORT, sentence!("a report of {rule}", rule), expected));
        }
    }
    applies(!concerned.is_empty(), untouched)
}

/// What is wrong with the reports of a piece that breaks a rule, which begin at these bytes. One is right, and if it is
/// known where, it is there.
fn wrong_place(rule: &str, starts: &[u64], first: Option<u64>) -> Option<Wrong> {
    let &[start] = starts else {
        let expected = sentence!("one report of {rule} that begins in these bytes", rule);
        return Some((NOT_REPORTED, sentence!("{count} reports", count = starts.len()), expected));
    };
    // A key may count with the quote before it.
    let is_right = |first: u64| first == start || rule == "wire/unique-keys" && first == start + 1;
    let first = first.filter(|first| !is_right(*first))?;
    let found = sentence!("a report of {rule} at byte {start}", rule, start);
    Some((OTHER_BYTE, found, sentence!("one at byte {first}, the first one concerned", first)))
}

/// What a subject read. One that names nothing is lent the names of the model: what is reported, and why the bytes are
/// rejected that the model rejects too.
fn with_names<'a>(case: &'a ParseEvidence<'_>) -> Cow<'a, Parsed> {
    let (reading, parsed) = (case.reading(), &case.parsed);
    if parsed.reports.is_some() {
        return Cow::Borrowed(parsed);
    }
    let reason = |range: &Rejected| {
        let piece = reading.pieces.iter().find(|piece| (piece.start, piece.end) == (range.start, range.end));
        match piece.map(|piece| &piece.found) {
            Some(PieceContent::Rejected(reason)) => reason.name(),
            _ => "not-json",
        }
    };
    let rejected = parsed.rejected.iter().map(|range| Rejected { reason: reason(range).to_owned(), ..*range });
    Cow::Owned(Parsed { rejected: rejected.collect(), reports: Some(reading.in_words(&case.bytes)), ..parsed.clone() })
}

/// Whether the subject has the piece, byte for byte.
fn is_there(parsed: &Parsed, piece: &Piece) -> bool {
    match piece.found {
        PieceContent::Record { .. } => record_at(parsed, piece).is_some(),
        PieceContent::Rejected(_) => parsed.rejected.iter().any(|range| is_same_range(range, piece)),
    }
}

/// A record whose `type` or `uuid` is not what the model reads: what the subject reads, and what the model does.
fn wrong_head(parsed: &Parsed, piece: &Piece) -> Option<Wrong> {
    let PieceContent::Record { kind, uuid } = &piece.found else { return None };
    let record = record_at(parsed, piece)?;
    let quoted = |text: &Option<String>| text.as_ref().map_or("none".to_owned(), |text| format!("{text:?}"));
    let say = |kind: &Option<String>, uuid: &Option<String>| {
        sentence!("a record with type {kind} and uuid {uuid}", kind = quoted(kind), uuid = quoted(uuid))
    };
    let is_wrong = (&record.kind, &record.uuid) != (kind, uuid);
    is_wrong.then(|| ("other-head", say(&record.kind, &record.uuid), say(kind, uuid)))
}

/// What a record of the subject is that the model does not have. One that nests too deep is left to `wire/depth`.
fn foreign_record(bytes: &[u8], record: &ParsedRecord) -> Option<(&'static str, &'static str)> {
    match slice(bytes, record.start, record.end).map(json::read_all) {
        None => Some(("outside-file", "a record outside the file")),
        Some(Err(Stop::TooDeep)) => None,
        Some(Ok(Tree::Object(_))) => Some(("other-bounds", "a record with other bounds, or inside a damaged one")),
        Some(Ok(_)) => Some(("no-object", "a record that is JSON, but not an object")),
        Some(Err(Stop::End | Stop::Wrong)) => Some(("not-whole", "a record that is not whole JSON")),
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
    let PieceContent::Rejected(reason) = piece.found else { return false };
    (range.start, range.end, range.reason.as_str()) == (piece.start, piece.end, reason.name())
}

fn record_at<'a>(parsed: &'a Parsed, piece: &Piece) -> Option<&'a ParsedRecord> {
    parsed.records.iter().find(|record| is_same_record(record, piece))
}

/// What is wrong where the subject does not have the piece.
fn instead(parsed: &Parsed, piece: &Piece) -> Wrong {
    let Piece { start, end, .. } = piece;
    let expected = match piece.found {
        PieceContent::Record { .. } => record_in_words(*start, *end),
        PieceContent::Rejected(reason) => {
            sentence!("a range rejected as {reason} at bytes {start} to {end}", reason = reason.name(), start, end)
        }
    };
    let touches = |start: u64, end: u64| start < piece.end && piece.start < end;
    let pick = |of_record, of_damage| if piece.is_record() { of_record } else { of_damage };
    let (kind, found) = if let Some(record) = parsed.records.iter().find(|record| touches(record.start, record.end)) {
        (pick("other-bounds", "damage-read"), record_in_words(record.start, record.end))
    } else if let Some(range) = parsed.rejected.iter().find(|range| touches(range.start, range.end)) {
        (pick(RECORD_REJECTED, OTHER_REASON), rejection_in_words(range.start, range.end, &range.reason))
    } else if let Some((start, end)) = parsed.blank.iter().find(|range| touches(range.0, range.1)) {
        let found = sentence!("bytes {start} to {end} taken for blank", start, end);
        (pick("record-taken-for-blank", DAMAGE_TAKEN_FOR_BLANK), found)
    } else {
        (pick("record-missing", DAMAGE_MISSING), "nothing at all".into())
    };
    (kind, found, expected)
}

/// What the model has in a range.
fn model_at(reading: &Reading, start: u64, end: u64) -> Option<&Piece> {
    reading.pieces.iter().find(|piece| start < piece.end && piece.start < end)
}

fn what_the_model_has(piece: Option<&Piece>) -> Sentence {
    match piece.map(|piece| (&piece.found, piece.start, piece.end)) {
        Some((PieceContent::Record { .. }, start, end)) => record_in_words(start, end),
        Some((PieceContent::Rejected(reason), start, end)) => rejection_in_words(start, end, reason.name()),
        None => "blank: nothing but white space, or no bytes at all".into(),
    }
}

fn record_in_words(start: u64, end: u64) -> Sentence {
    sentence!("a record at bytes {start} to {end}", start, end)
}

fn rejection_in_words(start: u64, end: u64, reason: &str) -> Sentence {
    sentence!("bytes {start} to {end} rejected as {reason}", start, end, reason)
}

fn rejected_as(reason: &str) -> Sentence {
    sentence!("a range rejected as {reason}", reason)
}
