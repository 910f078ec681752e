//! Unread faults in reading *transcripts*.

use turnproof::operation::{Parsed, ParsedRecord, Rejected, Report};

use super::super::super::wrong::Wrong;
use super::{Unread, unread};

const BOM: &[u8] = "\u{FEFF}".as_bytes();

pub(super) const UNREAD: &[Unread] = &[
    unread(
        "parse/unread-third-marks-rejected",
        "3.5.2: a byte order mark where a value could begin is blank too",
        "rejects the byte order mark at the start of a file",
        Wrong::Parsed(|bytes, parsed| {
            if !bytes.starts_with(BOM) || parsed.blank.first().is_none_or(|&(start, end)| start > 0 || end < 3) {
                return;
            }
            parsed.blank[0].0 = 3;
            parsed.blank.retain(|(start, end)| start < end);
            parsed.rejected.insert(0, Rejected { start: 0, end: 3, reason: "not-json".to_owned() });
            parsed.reports.insert(0, Report { rule: "wire/json-object".to_owned(), start: 0, end: 3 });
        }),
    ),
    unread(
        "parse/unread-third-blanks-rejected",
        "3.5.2: a rejected range goes on to the last byte of the stretch that is not blank",
        "takes the white space behind a torn line into the rejected range",
        Wrong::Parsed(|bytes, parsed| {
            for range in &mut parsed.rejected {
                let blank = parsed.blank.iter_mut().find(|(start, _)| *start == range.end);
                let Some((start, end)) = blank else { continue };
                let behind = bytes[*start as usize..*end as usize].iter();
                let count = behind.take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r')).count() as u64;
                (range.end, *start) = (range.end + count, *start + count);
            }
            parsed.blank.retain(|(start, end)| start < end);
        }),
    ),
    unread(
        "parse/unread-third-values-are-no-json",
        "3.5.3: the reason of one whole JSON value that is no object is not-object",
        "gives the same reason for a list or a number on a line as for what is no JSON",
        Wrong::Parsed(|_, parsed| {
            for range in parsed.rejected.iter_mut().filter(|range| range.reason == "not-object") {
                range.reason = "not-json".to_owned();
            }
        }),
    ),
    unread(
        "parse/unread-third-keys-as-written",
        "3.5.4: keys are compared as text, so \"uuid\" and \"\\u0075uid\" are the same",
        "compares keys as they are written, and sees no repetition where one has an escape",
        Wrong::Parsed(|bytes, parsed| {
            let Parsed { records, reports, .. } = parsed;
            reports.retain(|report| {
                let within = |record: &&ParsedRecord| (record.start..record.end).contains(&report.start);
                let record = records.iter().find(within);
                report.rule != "wire/unique-keys" || !record.is_some_and(|record| has_escaped_key(own(bytes, record)))
            });
        }),
    ),
    unread(
        "parse/unread-third-first-type-on-the-line",
        "2: the type of a message names its kind",
        "takes the first type that stands on the line, also that of the message inside",
        Wrong::Parsed(|bytes, parsed| {
            for record in &mut parsed.records {
                let written = String::from_utf8_lossy(own(bytes, record)).into_owned();
                let first = written.split_once("\"type\":\"").and_then(|(_, rest)| rest.split('"').next());
                if let (Some(_), Some(first)) = (&record.kind, first) {
                    record.kind = Some(first.to_owned());
                }
            }
        }),
    ),
    unread(
        "parse/unread-third-no-empty-lists",
        "3.5.5: a record that is read and written back is the same JSON document",
        "leaves out members that are empty lists when it writes, as omitempty does",
        Wrong::Parsed(|_, parsed| {
            for record in &mut parsed.records {
                if let Ok(written) = str::from_utf8(&record.written) {
                    record.written = without_empty_lists(written).into_bytes();
                }
            }
        }),
    ),
    unread(
        "parse/unread-third-torn-end-not-reported",
        "3.5.2: a missing LF of the last line is reported in both cases, read or rejected",
        "reports the missing line end of a last line that it could read, and not of one that it could not",
        Wrong::Parsed(|bytes, parsed| {
            if parsed.rejected.iter().any(|range| range.end == bytes.len() as u64) {
                parsed.reports.retain(|report| report.rule != "wire/terminated");
            }
        }),
    ),
    unread(
        "parse/unread-third-too-deep-by-one",
        "3.5.4: arrays and objects nest at most 128 deep, the record itself counted",
        "rejects a record that nests exactly 128 deep",
        Wrong::Parsed(|bytes, parsed| {
            let Parsed { records, rejected, reports, .. } = parsed;
            for record in records.extract_if(.., |record| depth(own(bytes, record)) == 128) {
                let (start, end) = (record.start, record.end);
                reports.retain(|report| !(start..end).contains(&report.start));
                reports.push(Report { rule: "wire/depth".to_owned(), start, end });
                rejected.push(Rejected { start, end, reason: "too-deep".to_owned() });
            }
            rejected.sort_by_key(|range| range.start);
        }),
    ),
    unread(
        "parse/unread-third-recovers-what-has-a-uuid",
        "3.5.2: a recoverable object has at least one of parentUuid, sessionId, leafUuid and messageId",
        "recovers only a record with a uuid behind a torn one",
        Wrong::Parsed(|_, parsed| {
            let Parsed { records, rejected, .. } = parsed;
            for range in rejected.iter_mut().filter(|range| range.reason == "cut-short") {
                let is_lost = |record: &mut ParsedRecord| record.start == range.end && record.uuid.is_none();
                let lost = records.extract_if(.., is_lost).next();
                range.end = lost.map_or(range.end, |record| record.end);
            }
        }),
    ),
];

/// The bytes of a record in its file.
fn own<'a>(bytes: &'a [u8], record: &ParsedRecord) -> &'a [u8] {
    &bytes[record.start as usize..record.end as usize]
}

/// Whether a key has an escape in it.
fn has_escaped_key(record: &[u8]) -> bool {
    let written = String::from_utf8_lossy(record);
    written.match_indices("\\u").any(|(place, _)| {
        let rest = &written[place..];
        rest.find('"').is_some_and(|end| rest[end + 1..].trim_start().starts_with(':'))
    })
}

/// A record without the members that are empty lists, but for those that come first in their object.
fn without_empty_lists(written: &str) -> String {
    let mut kept = String::with_capacity(written.len());
    for piece in written.split_inclusive("\":[]") {
        let name = piece.strip_suffix("\":[]").and_then(|before| before.rsplit_once(",\""));
        match name {
            Some((before, name)) if !name.contains('"') => kept.push_str(before),
            _ => kept.push_str(piece),
        }
    }
    kept
}

/// How deep arrays and objects nest.
fn depth(record: &[u8]) -> usize {
    let (mut open, mut deepest, mut is_text, mut is_escaped) = (0_usize, 0, false, false);
    for byte in record {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if is_text => is_escaped = true,
            b'"' => is_text = !is_text,
            b'{' | b'[' if !is_text => {
                open += 1;
                deepest = deepest.max(open);
            }
            b'}' | b']' if !is_text => open = open.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}
