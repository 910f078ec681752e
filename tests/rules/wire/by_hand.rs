//! One subject that is right and one that is wrong, by hand, for each rule.

use turnproof_rules::operation::{Parsed, ParsedRecord, Rejected, Report};
use turnproof_rules::rules::Verdict;

use turnproof_rules::rules::right_reading;

use super::{assert_broken, assert_holds, judge, nested, record, rejected, report};

/// What a subject found; which bytes are blank does not matter here.
fn parsed(records: &[ParsedRecord], rejected: &[Rejected], reports: &[Report]) -> Parsed {
    Parsed { records: records.into(), rejected: rejected.into(), reports: Some(reports.into()), ..Parsed::default() }
}

#[test]
fn every_byte_accounted() {
    let bytes = b"{}\nx\n";
    let mut parsed = Parsed {
        records: vec![record(0..2, "", "", bytes)],
        blank: vec![(2, 3), (4, 5)],
        rejected: vec![rejected(3..4, "not-json")],
        ..Parsed::default()
    };
    assert_holds("wire/every-byte-accounted", bytes, &parsed);
    let whole = parsed.clone();
    parsed.blank.pop();
    assert_broken("wire/every-byte-accounted", bytes, &parsed);
    for blank in [vec![(2, 3), (4, 6)], vec![(1, 3), (4, 5)], vec![(4, 5), (2, 3)], vec![(2, 3), (3, 3), (4, 5)]] {
        assert_broken("wire/every-byte-accounted", bytes, &Parsed { blank, ..whole.clone() });
    }
    assert_broken("wire/every-byte-accounted", b"", &whole);
    assert_broken("wire/every-byte-accounted", bytes, &Parsed::default());
}

#[test]
fn lossless() {
    let lossless = |read: &str, written: &str| {
        let mut parsed = Parsed::default();
        let end = read.len() as u64;
        let written = written.as_bytes().to_vec();
        parsed.records.push(ParsedRecord { start: 0, end, kind: None, uuid: None, written });
        judge("wire/lossless", read.as_bytes(), &parsed)
    };
    for (read, written) in [
        (r#"{"a":1.0}"#, r#"{"a":1.0}"#),
        (r#"{"a":1, "b":[true,null]}"#, r#"{"b":[true,null],"a":1}"#),
        (r#"{"a":1,"a":2}"#, r#"{"a":2}"#),
        (r#"{"a":"\u00e9\ud83d\ude00\ud83d"}"#, r#"{"a":"é😀\uD83D"}"#),
    ] {
        assert_eq!(lossless(read, written), Verdict::Holds, "{read} {written}");
    }
    for (read, written) in [
        (r#"{"a":1.0}"#, r#"{"a":1}"#),
        (r#"{"a":1e2}"#, r#"{"a":100}"#),
        (r#"{"a":null}"#, "{}"),
        (r#"{"a":1,"a":2}"#, r#"{"a":1}"#),
        (r#"{"a":"\ud83d"}"#, r#"{"a":"\ufffd"}"#),
        (r#"{"a":1}"#, "{\"a\":\n1}"),
        (r#"{"a":[1,2]}"#, r#"{"a":[2,1]}"#),
        (r#"{"a":true}"#, r#"{"a":false}"#),
        (r#"{"a":1}"#, r#"{"a":1"#),
        (r#"{"a":1}"#, r#"{"a":1}}"#),
    ] {
        assert!(lossless(read, written).is_broken(), "{read} {written}");
    }
}

#[test]
fn lossless_lets_bytes_that_are_not_utf8_become_the_replacement_character() {
    let bytes = b"{\"a\":\"\xFF\"}";
    let mut parsed = Parsed { records: vec![record(0..9, "", "", bytes)], ..Parsed::default() };
    assert_holds("wire/lossless", bytes, &parsed);
    parsed.records[0].written = "{\"a\":\"\u{FFFD}\"}".into();
    assert_holds("wire/lossless", bytes, &parsed);
    parsed.records[0].written = b"{\"a\":\"\"}".to_vec();
    assert_broken("wire/lossless", bytes, &parsed);
}

#[test]
fn json_object() {
    let bytes = b"[1]\n{\"a\":1}\n";
    let mut parsed =
        parsed(&[record(4..11, "", "", bytes)], &[rejected(0..3, "not-object")], &[report("wire/json-object", 0..3)]);
    assert_holds("wire/json-object", bytes, &parsed);
    let whole = parsed.clone();
    parsed.records.insert(0, record(0..3, "", "", bytes));
    assert_broken("wire/json-object", bytes, &parsed);
    assert_broken("wire/json-object", bytes, &Parsed { records: vec![], ..whole.clone() });
    assert_broken("wire/json-object", bytes, &Parsed { reports: Some(vec![]), ..whole.clone() });
    let not_json = vec![rejected(0..3, "not-json")];
    assert_broken("wire/json-object", bytes, &Parsed { rejected: not_json, ..whole.clone() });
    let wrong_kind = vec![record(4..11, "user", "", bytes)];
    assert_broken("wire/json-object", bytes, &Parsed { records: wrong_kind, ..whole });
}

#[test]
fn json_object_detects_a_split_at_a_line_separator() {
    let bytes = "{\"a\":\"x\u{2028}y\"}\n".as_bytes();
    assert_holds("wire/json-object", bytes, &right_reading(bytes));
    let parsed = Parsed {
        blank: vec![(7, 10), (13, 14)],
        rejected: vec![rejected(0..7, "cut-short"), rejected(10..13, "not-json")],
        ..Parsed::default()
    };
    assert_broken("wire/json-object", bytes, &parsed);
}

#[test]
fn one_record_per_line() {
    let bytes = b"{\"a\":1}{\"b\":2}\n";
    let mut parsed = parsed(
        &[record(0..7, "", "", bytes), record(7..14, "", "", bytes)],
        &[],
        &[report("wire/one-record-per-line", 7..14)],
    );
    assert_holds("wire/one-record-per-line", bytes, &parsed);
    parsed.records.remove(0);
    assert_broken("wire/one-record-per-line", bytes, &parsed);
}

#[test]
fn terminated() {
    let bytes = b"{\"a\":1}";
    let mut parsed = parsed(&[record(0..7, "", "", bytes)], &[], &[report("wire/terminated", 0..7)]);
    assert_holds("wire/terminated", bytes, &parsed);
    parsed.reports.as_mut().unwrap()[0].start = 6;
    assert_holds("wire/terminated", bytes, &parsed);
    parsed.reports = Some(Vec::new());
    assert_broken("wire/terminated", bytes, &parsed);
}

#[test]
fn no_nul() {
    let bytes = b"\0\0{\"a\":1}\n";
    let mut parsed = parsed(&[record(2..9, "", "", bytes)], &[rejected(0..2, "nul")], &[report("wire/no-nul", 0..2)]);
    assert_holds("wire/no-nul", bytes, &parsed);
    parsed.records.clear();
    assert_broken("wire/no-nul", bytes, &parsed);
}

#[test]
fn utf8() {
    let bytes = b"{\"type\":\"\xFF\"}\n\xFF\n";
    let mut parsed = parsed(
        &[record(0..12, "\u{FFFD}", "", bytes)],
        &[rejected(13..14, "invalid-utf8")],
        &[report("wire/utf8", 9..10), report("wire/utf8", 13..14)],
    );
    assert_holds("wire/utf8", bytes, &parsed);
    parsed.reports.as_mut().unwrap().pop();
    assert_broken("wire/utf8", bytes, &parsed);
}

#[test]
fn no_lone_surrogate() {
    let bytes = br#"{"uuid":"\ud83d"}"#;
    let mut parsed = parsed(&[record(0..17, "", "\u{FFFD}", bytes)], &[], &[report("wire/no-lone-surrogate", 9..15)]);
    assert_holds("wire/no-lone-surrogate", bytes, &parsed);
    parsed.records[0].uuid = None;
    assert_broken("wire/no-lone-surrogate", bytes, &parsed);
}

#[test]
fn unique_keys() {
    let bytes = br#"{"uuid":"u1","uuid":"u2"}"#;
    let mut parsed = parsed(&[record(0..25, "", "u2", bytes)], &[], &[report("wire/unique-keys", 13..19)]);
    assert_holds("wire/unique-keys", bytes, &parsed);
    parsed.reports.as_mut().unwrap()[0].start = 14;
    assert_holds("wire/unique-keys", bytes, &parsed);
    parsed.reports.as_mut().unwrap()[0].start = 0;
    assert_broken("wire/unique-keys", bytes, &parsed);
    parsed.reports.as_mut().unwrap()[0].start = 13;
    parsed.records[0].uuid = Some("u1".to_owned());
    assert_broken("wire/unique-keys", bytes, &parsed);
    assert_holds("wire/json-object", bytes, &parsed);
}

#[test]
fn depth() {
    let bytes = format!("{{\"x\":{}}}", nested("[", 128, "]"));
    let bytes = bytes.as_bytes();
    let end = bytes.len() as u64;
    let right = parsed(&[], &[rejected(0..end, "too-deep")], &[report("wire/depth", 0..1)]);
    assert_holds("wire/depth", bytes, &right);
    let wrong = Parsed { records: vec![record(0..end, "", "", bytes)], ..Parsed::default() };
    assert_broken("wire/depth", bytes, &wrong);
    assert!(matches!(judge("wire/json-object", bytes, &wrong), Verdict::NotApplicable(_)));
}

#[test]
fn typed_fields() {
    let bytes = br#"{"type":"user","uuid":7}"#;
    let mut parsed = parsed(&[record(0..24, "user", "", bytes)], &[], &[report("wire/typed-fields", 22..23)]);
    assert_holds("wire/typed-fields", bytes, &parsed);
    parsed.records.clear();
    assert_broken("wire/typed-fields", bytes, &parsed);
}

#[test]
fn live_only_kind() {
    let bytes = br#"{"type":"tombstone"}"#;
    let mut parsed = parsed(&[record(0..20, "tombstone", "", bytes)], &[], &[report("wire/live-only-kind", 8..19)]);
    assert_holds("wire/live-only-kind", bytes, &parsed);
    parsed.reports.as_mut().unwrap()[0].start = 0;
    assert_broken("wire/live-only-kind", bytes, &parsed);
    parsed.reports = Some(Vec::new());
    assert_broken("wire/live-only-kind", bytes, &parsed);
}
