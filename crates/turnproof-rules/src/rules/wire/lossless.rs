//! A reader is *lossless* when a record that it writes back is the document that it read.

use crate::operation::ParsedRecord;
use crate::rules::{Judge, ParseEvidence, Place, Rule, Severity, Verdict, Violation};

use super::agreement::slice;
use crate::json;

const ID: &str = "wire/lossless";

pub(super) const LOSSLESS: Rule = Rule {
    id: ID,
    title: "a record that is read and written back is the same JSON document, on one line",
    severity: Severity::Error,
    doc: "Tools read a transcript, change one thing, and write it back: a fork gives records new ids, a \
          repair moves a parent. Whatever they did not mean to change must come through: members that \
          they do not know, nulls, numbers down to their last digit (`1.0` is not `1`), and halves of \
          surrogate pairs. The order of members may differ, of a repeated key the last value counts, and \
          bytes that are not UTF-8 may become U+FFFD. A record that nobody touched is best written byte \
          for byte.\n\n\
          A typed reader that drops nulls and rewrites timestamps was measured to change 42 percent of \
          real lines, and an enum that throws away the payload of unknown kinds loses whole records. A \
          reader that goes through floating point changes large numbers without a word. An escaped NUL \
          (`\\u0000`), written raw or taken for the end of the text, breaks the next request for ever.",
    example: br#"{"type":"user","uuid":"u1","cost":1.0,"id":12345678901234567891234,"slug":null}
{"type":"user","uuid":"u2","message":{"role":"user","content":"half \ud83d and \u0000"}}
"#,
    remedy: "Keep a record as its bytes and read from them what is asked for; when a member changes, \
             replace its bytes alone. If records are parsed into values, keep numbers as text and unknown \
             members as they came.",
    sources: &[
        "spec section 3",
        "anthropics/claude-code#94055",
        "anthropics/claude-code#65155",
        "datadog-labs/trajectory#78",
    ],
    judge: Judge::Parse(judge),
};

fn judge(case: &ParseEvidence<'_>) -> Verdict {
    let (bytes, parsed) = (case.bytes.as_slice(), &case.parsed);
    let readable: Vec<(&ParsedRecord, &[u8])> = parsed
        .records
        .iter()
        .filter_map(|record| Some((record, slice(bytes, record.start, record.end)?)))
        .collect();
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
