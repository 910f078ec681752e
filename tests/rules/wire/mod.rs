//! The family `wire`: the model that says what a right reader finds, and the twelve rules on one reading.

mod any_bytes;
mod by_hand;
mod damage;
mod whole;
mod words;

use std::ops::Range;

use crate::families;
use serde_json::Value;
use turnproof_rules::operation::{Parsed, ParsedRecord, Reading, Rejected, Report};
use turnproof_rules::rules::{Severity, Verdict, find, right_reading};

const RULES: [&str; 12] = [
    "wire/every-byte-accounted",
    "wire/lossless",
    "wire/json-object",
    "wire/one-record-per-line",
    "wire/terminated",
    "wire/no-nul",
    "wire/utf8",
    "wire/no-lone-surrogate",
    "wire/unique-keys",
    "wire/depth",
    "wire/typed-fields",
    "wire/live-only-kind",
];

fn judge(id: &str, bytes: &[u8], parsed: &Parsed) -> Verdict {
    families::judge(id, &Reading { bytes: bytes.to_vec(), parsed: parsed.clone(), again: None })
}

#[track_caller]
fn assert_holds(id: &str, bytes: &[u8], parsed: &Parsed) {
    assert_eq!(judge(id, bytes, parsed), Verdict::Holds, "{id} on {:?}", String::from_utf8_lossy(bytes));
}

#[track_caller]
fn assert_broken(id: &str, bytes: &[u8], parsed: &Parsed) {
    let verdict = judge(id, bytes, parsed);
    assert!(verdict.is_broken(), "{id} is not broken: {verdict:?}");
}

fn record(range: Range<u64>, kind: &str, uuid: &str, bytes: &[u8]) -> ParsedRecord {
    let text = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    let written = bytes[range.start as usize..range.end as usize].to_vec();
    ParsedRecord { start: range.start, end: range.end, kind: text(kind), uuid: text(uuid), written }
}

fn rejected(range: Range<u64>, reason: &str) -> Rejected {
    Rejected { start: range.start, end: range.end, reason: reason.to_owned() }
}

fn report(rule: &str, range: Range<u64>) -> Report {
    Report { rule: rule.to_owned(), start: range.start, end: range.end }
}

/// A simple subject, as people write it first: it reads lines as `serde_json::Value` and ignores errors.
fn naive_subject(bytes: &[u8]) -> Parsed {
    let mut parsed = Parsed::default();
    let mut start = 0;
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        let end = start + line.len() as u64;
        if let Ok(value) = serde_json::from_slice::<Value>(line) {
            let text = |key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
            let written = serde_json::to_vec(&value).expect("a value can be written");
            let length = line.trim_ascii_end().len() as u64;
            let (kind, uuid) = (text("type"), text("uuid"));
            parsed.records.push(ParsedRecord { start, end: start + length, kind, uuid, written });
            parsed.blank.push((start + length, end));
        }
        start = end;
    }
    parsed
}

/// The model's pieces, as (start, end, reason); records have the reason "record".
fn pieces(bytes: &[u8]) -> Vec<(u64, u64, String)> {
    let Parsed { records, rejected, .. } = right_reading(bytes);
    let records = records.iter().map(|record| (record.start, record.end, "record".to_owned()));
    let mut pieces: Vec<_> =
        records.chain(rejected.into_iter().map(|range| (range.start, range.end, range.reason))).collect();
    pieces.sort();
    pieces
}

fn nested(open: &str, depth: usize, close: &str) -> String {
    format!("{}{}", open.repeat(depth), close.repeat(depth))
}

#[test]
fn the_family_has_these_rules_in_order_and_one_on_asking_twice() {
    families::assert_complete("wire", &[&RULES[..], &["wire/deterministic"]].concat());
}

#[test]
fn what_readers_survive_is_a_warning() {
    let warnings = RULES.iter().filter(|id| find(id).expect("there").severity == Severity::Warning);
    let expected =
        ["wire/terminated", "wire/no-lone-surrogate", "wire/unique-keys", "wire/typed-fields", "wire/live-only-kind"];
    assert_eq!(warnings.copied().collect::<Vec<_>>(), expected);
}

#[test]
fn every_example_breaks_its_rule_for_a_subject_that_does_nothing_about_it() {
    for id in RULES {
        let example = find(id).expect("there").example;
        assert_broken(id, example, &naive_subject(example));
    }
}

#[test]
fn every_example_holds_for_a_right_reading() {
    for id in RULES {
        let example = find(id).expect("there").example;
        assert_holds(id, example, &right_reading(example));
    }
}

/// The same reading by a subject that names nothing.
fn unnamed(parsed: Parsed) -> Parsed {
    let rejected = parsed.rejected.into_iter().map(|range| Rejected { reason: String::new(), ..range }).collect();
    Parsed { rejected, reports: None, ..parsed }
}

#[test]
fn a_reader_without_names_is_judged_by_what_it_reads() {
    for id in RULES {
        let example = find(id).expect("there").example;
        let right = right_reading(example);
        assert_holds(id, example, &unnamed(right.clone()));
        let silent = Parsed { reports: Some(Vec::new()), ..unnamed(right.clone()) };
        if right.reports != Some(Vec::new()) && id != "wire/lossless" && id != "wire/every-byte-accounted" {
            assert_broken(id, example, &silent);
        }
    }
    let bytes = b"{\"type\":\"user\"}\ntorn\n{}\n";
    let right = unnamed(right_reading(bytes));
    assert_holds("wire/json-object", bytes, &right);
    // What it reads is wrong: it stops at the first bad line, rejects what is good, or takes what is bad.
    let stops = Parsed { records: right.records[..1].to_vec(), ..right.clone() };
    assert_broken("wire/json-object", bytes, &stops);
    let (records, rejected) = (right.records[..1].to_vec(), vec![rejected(16..20, ""), rejected(21..23, "")]);
    assert_broken("wire/json-object", bytes, &Parsed { records, rejected, ..right.clone() });
    let takes = [right.records.clone(), vec![record(16..20, "", "", bytes)]].concat();
    assert_broken("wire/json-object", bytes, &Parsed { records: takes, rejected: Vec::new(), ..right });
}

#[test]
fn examples_of_damage_break_their_own_rule_and_no_other() {
    for id in &RULES[2..] {
        let reports = right_reading(find(id).expect("there").example).reports.unwrap();
        assert!(!reports.is_empty() && reports.iter().all(|report| report.rule == *id), "{id}: {reports:?}");
    }
}

#[test]
fn a_clean_file_is_for_three_rules_only() {
    let clean = b"{\"type\":\"user\",\"uuid\":\"u1\"}\n{\"type\":\"summary\"}\n";
    for id in RULES {
        let verdict = judge(id, clean, &right_reading(clean));
        match id {
            "wire/every-byte-accounted" | "wire/lossless" | "wire/json-object" => {
                assert_eq!(verdict, Verdict::Holds, "{id}");
            }
            _ => assert!(matches!(verdict, Verdict::NotApplicable(_)), "{id}: {verdict:?}"),
        }
    }
}

#[test]
fn an_empty_file_touches_nothing() {
    for id in RULES {
        assert!(matches!(judge(id, b"", &Parsed::default()), Verdict::NotApplicable(_)), "{id}");
    }
}

#[test]
fn a_report_without_damage_breaks_the_rule() {
    let clean = b"{\"type\":\"user\"}\n";
    for id in &RULES[2..] {
        let mut parsed = right_reading(clean);
        parsed.reports = Some(vec![report(id, 0..15)]);
        assert_broken(id, clean, &parsed);
    }
}

#[test]
fn a_report_made_twice_or_in_the_wrong_place_breaks_the_rule() {
    for id in &RULES[2..] {
        let example = find(id).expect("there").example;
        let right = right_reading(example);
        let mut twice = right.clone();
        twice.reports.as_mut().unwrap().extend(right.reports.clone().unwrap());
        assert_broken(id, example, &twice);
        let mut astray = right;
        astray.reports.iter_mut().flatten().for_each(|report| report.start = 1 << 40);
        assert_broken(id, example, &astray);
    }
}
