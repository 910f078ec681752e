//! An *agreement* is what most rules of this family ask for: where the model finds a file to break the
//! rule, the subject finds the same pieces and reports the rule for them, and nowhere else.

use crate::operation::{Parsed, ParsedRecord, Rejected};
use crate::rules::{ParseEvidence, Place, Verdict, Violation};

use super::model::{Found, Piece, Reading, Reason};
use crate::json::{self, Stop, Tree};

/// Which pieces beside those that break the rule must be found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    /// None.
    Piece,
    /// The records of their lines.
    Line,
    /// The records of the file.
    File,
}

/// What a rule of this kind asks for.
pub(super) struct Agreement {
    pub(super) rule: &'static str,
    pub(super) reach: Reach,
    /// Why a file does not touch the rule.
    pub(super) untouched: &'static str,
}

/// Rules on what is inside a record; they, and none that reaches further, judge the `type` and `uuid` of the
/// records that break them.
const INSIDE_RECORDS: [&str; 4] = ["wire/utf8", "wire/no-lone-surrogate", "wire/unique-keys", "wire/typed-fields"];

impl Agreement {
    /// Judges what a subject read from a file.
    pub(super) fn judge(&self, case: &ParseEvidence<'_>) -> Verdict {
        let (bytes, parsed) = (case.bytes.as_slice(), &case.parsed);
        let reading = case.reading();
        let concerned = self.concerned(reading);
        let mut violations: Vec<Violation> =
            concerned.iter().filter_map(|piece| self.missing_piece(parsed, piece)).collect();
        violations.extend(concerned.iter().filter_map(|piece| self.wrong_head(reading, parsed, piece)));
        violations.extend(self.foreign_ranges(reading, parsed));
        if self.reach == Reach::File {
            violations.extend(self.foreign_records(bytes, reading, parsed));
        }
        violations.extend(self.missing_reports(reading, parsed));
        violations.extend(self.foreign_reports(reading, parsed));
        if concerned.is_empty() && violations.is_empty() {
            return Verdict::NotApplicable(self.untouched);
        }
        Verdict::from_violations(violations)
    }

    fn concerned<'a>(&self, reading: &'a Reading) -> Vec<&'a Piece> {
        let breaking: Vec<&Piece> = reading.breaking(self.rule).collect();
        let is_near = |piece: &Piece| match self.reach {
            Reach::Piece => false,
            Reach::Line => breaking.iter().any(|broken| broken.line == piece.line),
            Reach::File => true,
        };
        let is_concerned = |piece: &&Piece| breaking.contains(piece) || piece.is_record() && is_near(piece);
        reading.pieces.iter().filter(is_concerned).collect()
    }

    fn violation(&self, start: u64, end: u64, found: String, expected: String) -> Violation {
        Violation { rule: self.rule, place: Place::Bytes { start, end }, found, expected, error: None }
    }

    /// A piece that the subject does not have, byte for byte.
    fn missing_piece(&self, parsed: &Parsed, piece: &Piece) -> Option<Violation> {
        let (is_there, expected) = match piece.found {
            Found::Record { .. } => (record_at(parsed, piece).is_some(), "a record".to_owned()),
            Found::Rejected(reason) => (
                parsed.rejected.iter().any(|range| is_same_range(range, piece, reason)),
                format!("a range rejected as {}", reason.name()),
            ),
        };
        let expected = format!("{expected} at bytes {} to {}", piece.start, piece.end);
        (!is_there).then(|| self.violation(piece.start, piece.end, what_is_at(parsed, piece), expected))
    }

    /// A record whose `type` or `uuid` is not what the model reads.
    fn wrong_head(&self, reading: &Reading, parsed: &Parsed, piece: &Piece) -> Option<Violation> {
        let Found::Record { kind, uuid } = &piece.found else { return None };
        let record = record_at(parsed, piece)?;
        if (&record.kind, &record.uuid) == (kind, uuid) {
            return None;
        }
        let breaks = |rule: &&str| reading.breaking(rule).any(|broken| broken == piece);
        if self.reach != Reach::Piece && INSIDE_RECORDS.iter().any(breaks) {
            return None;
        }
        let say = |kind: &Option<String>, uuid: &Option<String>| {
            format!("a record with type {} and uuid {}", quoted(kind), quoted(uuid))
        };
        let (found, expected) = (say(&record.kind, &record.uuid), say(kind, uuid));
        Some(self.violation(piece.start, piece.end, found, expected))
    }

    /// Ranges that the subject rejects for this rule's reason, and the model does not.
    fn foreign_ranges(&self, reading: &Reading, parsed: &Parsed) -> Vec<Violation> {
        let is_known = |range: &&Rejected| {
            reading.pieces.iter().any(|piece| match piece.found {
                Found::Rejected(reason) => is_same_range(range, piece, reason),
                Found::Record { .. } => false,
            })
        };
        let foreign = parsed.rejected.iter().filter(|range| rule_of_reason(&range.reason) == self.rule);
        foreign
            .filter(|range| !is_known(range))
            .map(|range| {
                let found = format!("a range rejected as {}", range.reason);
                let expected = what_the_model_has(reading, range.start, range.end);
                self.violation(range.start, range.end, found, expected)
            })
            .collect()
    }

    /// Records of the subject that are none. One that nests too deep is left to `wire/depth`.
    fn foreign_records(&self, bytes: &[u8], reading: &Reading, parsed: &Parsed) -> Vec<Violation> {
        let is_known = |record: &&ParsedRecord| {
            reading.pieces.iter().any(|piece| piece.is_record() && is_same_record(record, piece))
        };
        let foreign = parsed.records.iter().filter(|record| !is_known(record));
        foreign
            .filter_map(|record| {
                let found = match slice(bytes, record.start, record.end).map(json::read_all) {
                    None => "a record outside the file",
                    Some(Err(Stop::TooDeep)) => return None,
                    Some(Ok(Tree::Object(_))) => "a record with other bounds, or inside a damaged one",
                    Some(Ok(_)) => "a record that is JSON, but not an object",
                    Some(Err(Stop::End | Stop::Wrong)) => "a record that is not whole JSON",
                };
                let expected = what_the_model_has(reading, record.start, record.end);
                Some(self.violation(record.start, record.end, found.to_owned(), expected))
            })
            .collect()
    }

    /// Pieces that break the rule without exactly one report by the subject.
    fn missing_reports(&self, reading: &Reading, parsed: &Parsed) -> Vec<Violation> {
        let reports_in = |piece: &Piece| {
            let own = parsed.reports.iter().filter(|report| report.rule == self.rule);
            own.filter(|report| piece.start <= report.start && report.start < piece.end).count()
        };
        let expected = || format!("one report of {} that begins in these bytes", self.rule);
        let counted = reading.breaking(self.rule).map(|piece| (piece, reports_in(piece)));
        counted
            .filter(|&(_, count)| count != 1)
            .map(|(piece, count)| self.violation(piece.start, piece.end, format!("{count} reports"), expected()))
            .collect()
    }

    /// Reports of the rule by the subject in places that do not break it.
    fn foreign_reports(&self, reading: &Reading, parsed: &Parsed) -> Vec<Violation> {
        let is_due = |start: u64| reading.breaking(self.rule).any(|piece| piece.start <= start && start < piece.end);
        let own = parsed.reports.iter().filter(|report| report.rule == self.rule);
        own.filter(|report| !is_due(report.start))
            .map(|report| {
                let found = format!("a report of {}", self.rule);
                let expected = "no report: what is here does not break the rule".to_owned();
                self.violation(report.start, report.end, found, expected)
            })
            .collect()
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

/// The bytes of a range, if they are in the file.
pub(super) fn slice(bytes: &[u8], start: u64, end: u64) -> Option<&[u8]> {
    bytes.get(usize::try_from(start).ok()?..usize::try_from(end).ok()?)
}

fn quoted(text: &Option<String>) -> String {
    text.as_ref().map_or("none".to_owned(), |text| format!("{text:?}"))
}

fn is_same_record(record: &ParsedRecord, piece: &Piece) -> bool {
    (record.start, record.end) == (piece.start, piece.end)
}

fn is_same_range(range: &Rejected, piece: &Piece, reason: Reason) -> bool {
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
        Found::Rejected(reason) => {
            format!("bytes {} to {} rejected as {}", piece.start, piece.end, reason.name())
        }
    }
}
