//! A reader is *lossless* when a record that it writes back is the document that it read.

use crate::operation::ParsedRecord;
use crate::rules::{Judge, ParseEvidence, Place, RuleEntry, Verdict, Violation};

use super::agreement::slice;
use crate::json;

const ID: &str = "wire/lossless";

pub(super) const LOSSLESS: RuleEntry = rule!("wire/lossless", Error, Judge::Parse(judge));

fn judge(case: &ParseEvidence<'_>) -> Verdict {
    let (bytes, parsed) = (case.bytes.as_slice(), &case.parsed);
    let readable: Vec<(&ParsedRecord, &[u8])> =
        parsed.records.iter().filter_map(|record| Some((record, slice(bytes, record.start, record.end)?))).collect();
    if readable.is_empty() {
        return Verdict::NotApplicable("no record was read");
    }
    Verdict::from_violations(readable.iter().filter_map(|(record, read)| change(record, read)).collect())
}

/// What became of a record, unless it is the same.
fn change(record: &ParsedRecord, read: &[u8]) -> Option<Violation> {
    let (found, expected) = difference(read, &record.written)?;
    let place = Place::Bytes { start: record.start, end: record.end };
    Some(Violation { rule: ID, place, found: found.to_owned(), expected: expected.to_owned(), error: None })
}

fn difference(read: &[u8], written: &[u8]) -> Option<(&'static str, &'static str)> {
    if read == written {
        return None;
    }
    if written.contains(&b'\n') {
        return Some(("a record that is written with a line end in it", "one line, without its LF"));
    }
    let Ok(before) = json::read_all(read) else {
        return Some(("other bytes for a record that is not whole JSON", "the bytes of the record"));
    };
    match json::read_all(written) {
        Err(_) => Some(("a record that is written as something else than whole JSON", "the record")),
        Ok(after) if before.same_document(&after) => None,
        Ok(_) => Some((
            "a record that is written as another document",
            "the same members and values, numbers and lone surrogates as they are written in the file",
        )),
    }
}
