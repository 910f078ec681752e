//! The family `wire`: the model that says what a right reader finds, and the twelve rules on one reading.

use std::ops::Range;

use serde_json::Value;
use turnproof::operation::{Parsed, ParsedRecord, Rejected, Report};
use turnproof::rules::model::{self, Found, Piece};
use turnproof::rules::{CATALOGUE, Judge, ParseEvidence, ParsedBytes, Rule, Severity, Verdict, find};

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

// --- helpers

fn judge(id: &str, bytes: &[u8], parsed: &Parsed) -> Verdict {
    match find(id).expect("the rule is in the catalogue").judge {
        Judge::Parse(judge) => judge(&ParseEvidence::new(ParsedBytes { bytes, parsed, again: None })),
        _ => panic!("{id} does not judge parse"),
    }
}

fn assert_holds(id: &str, bytes: &[u8], parsed: &Parsed) {
    assert_eq!(judge(id, bytes, parsed), Verdict::Holds, "{id} on {:?}", String::from_utf8_lossy(bytes));
}

#[track_caller]
fn assert_broken(id: &str, bytes: &[u8], parsed: &Parsed) {
    let verdict = judge(id, bytes, parsed);
    let Verdict::Broken(violations) = verdict else { panic!("{id} is not broken: {verdict:?}") };
    assert!(!violations.is_empty());
    for violation in violations {
        assert_eq!(violation.rule, id);
        assert!(!violation.found.is_empty() && !violation.expected.is_empty());
    }
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

/// A subject that answers as the model does.
fn right_subject(bytes: &[u8]) -> Parsed {
    let reading = model::read(bytes);
    let mut parsed = Parsed { blank: reading.blank, ..Parsed::default() };
    for Piece { start, end, found, .. } in reading.pieces {
        match found {
            Found::Record { kind, uuid } => {
                let written = bytes[start as usize..end as usize].to_vec();
                parsed.records.push(ParsedRecord { start, end, kind, uuid, written });
            }
            Found::Rejected(reason) => parsed.rejected.push(rejected(start..end, reason.name())),
        }
    }
    parsed.reports =
        model::reports(bytes).iter().map(|&(rule, start, end)| report(rule, start..end)).collect();
    parsed
}

/// A subject as people write them at first: lines, `serde_json::Value`, and errors passed over.
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
fn pieces(bytes: &[u8]) -> Vec<(u64, u64, &'static str)> {
    let name = |found: &Found| match found {
        Found::Record { .. } => "record",
        Found::Rejected(reason) => reason.name(),
    };
    model::read(bytes).pieces.iter().map(|piece| (piece.start, piece.end, name(&piece.found))).collect()
}

fn heads(bytes: &[u8]) -> Vec<(Option<String>, Option<String>)> {
    let head = |piece: Piece| match piece.found {
        Found::Record { kind, uuid } => Some((kind, uuid)),
        Found::Rejected(_) => None,
    };
    model::read(bytes).pieces.into_iter().filter_map(head).collect()
}

#[track_caller]
fn assert_model(
    bytes: &[u8],
    expected_pieces: &[(u64, u64, &'static str)],
    expected_reports: &[(&'static str, u64, u64)],
) {
    assert_eq!(pieces(bytes), expected_pieces, "pieces of {:?}", String::from_utf8_lossy(bytes));
    assert_eq!(model::reports(bytes), expected_reports, "reports of {:?}", String::from_utf8_lossy(bytes));
}

fn nested(open: &str, depth: usize, close: &str) -> String {
    format!("{}{}", open.repeat(depth), close.repeat(depth))
}

// --- the catalogue

#[test]
fn the_family_has_these_rules_in_order_and_one_on_asking_twice() {
    let family: Vec<&&Rule> = CATALOGUE.iter().filter(|rule| rule.family() == "wire").collect();
    assert_eq!(
        family.iter().map(|rule| rule.id).collect::<Vec<_>>(),
        [&RULES[..], &["wire/deterministic"]].concat()
    );
    for rule in family {
        assert!(!rule.title.ends_with('.') && rule.doc.len() > 200 && !rule.remedy.is_empty(), "{}", rule.id);
        assert!(!rule.sources.is_empty() && !rule.doc.contains("  "), "{}", rule.id);
    }
}

#[test]
fn what_readers_survive_is_a_warning() {
    let warnings = RULES.iter().filter(|id| find(id).expect("there").severity == Severity::Warning);
    let expected = ["wire/terminated", "wire/unique-keys", "wire/typed-fields", "wire/live-only-kind"];
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
fn every_example_holds_for_a_right_subject() {
    for id in RULES {
        let example = find(id).expect("there").example;
        assert_holds(id, example, &right_subject(example));
    }
}

#[test]
fn examples_of_damage_break_their_own_rule_and_no_other() {
    for id in &RULES[2..] {
        let reports = model::reports(find(id).expect("there").example);
        assert!(!reports.is_empty() && reports.iter().all(|(rule, ..)| rule == id), "{id}: {reports:?}");
    }
}

#[test]
fn a_clean_file_is_for_three_rules_only() {
    let clean = b"{\"type\":\"user\",\"uuid\":\"u1\"}\n{\"type\":\"summary\"}\n";
    for id in RULES {
        let verdict = judge(id, clean, &right_subject(clean));
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
        let mut parsed = right_subject(clean);
        parsed.reports = vec![report(id, 0..15)];
        assert_broken(id, clean, &parsed);
    }
}

#[test]
fn a_report_made_twice_or_in_the_wrong_place_breaks_the_rule() {
    for id in &RULES[2..] {
        let example = find(id).expect("there").example;
        let right = right_subject(example);
        let mut twice = right.clone();
        twice.reports.extend(right.reports.clone());
        assert_broken(id, example, &twice);
        let mut astray = right;
        astray.reports.iter_mut().for_each(|report| report.start = 1 << 40);
        assert_broken(id, example, &astray);
    }
}

// --- one subject that is right and one that is wrong, by hand, for each rule

#[test]
fn every_byte_accounted() {
    let bytes = b"{}\nx\n";
    let mut parsed = Parsed {
        records: vec![record(0..2, "", "", bytes)],
        blank: vec![(2, 3), (4, 5)],
        rejected: vec![rejected(3..4, "not-json")],
        reports: vec![],
    };
    assert_holds("wire/every-byte-accounted", bytes, &parsed);
    let whole = parsed.clone();
    parsed.blank.pop();
    assert_broken("wire/every-byte-accounted", bytes, &parsed);
    for blank in
        [vec![(2, 3), (4, 6)], vec![(1, 3), (4, 5)], vec![(4, 5), (2, 3)], vec![(2, 3), (3, 3), (4, 5)]]
    {
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
    let mut parsed = Parsed {
        records: vec![record(4..11, "", "", bytes)],
        blank: vec![(3, 4), (11, 12)],
        rejected: vec![rejected(0..3, "not-object")],
        reports: vec![report("wire/json-object", 0..3)],
    };
    assert_holds("wire/json-object", bytes, &parsed);
    let whole = parsed.clone();
    parsed.records.insert(0, record(0..3, "", "", bytes));
    assert_broken("wire/json-object", bytes, &parsed);
    assert_broken("wire/json-object", bytes, &Parsed { records: vec![], ..whole.clone() });
    assert_broken("wire/json-object", bytes, &Parsed { reports: vec![], ..whole.clone() });
    let not_json = vec![rejected(0..3, "not-json")];
    assert_broken("wire/json-object", bytes, &Parsed { rejected: not_json, ..whole.clone() });
    let wrong_kind = vec![record(4..11, "user", "", bytes)];
    assert_broken("wire/json-object", bytes, &Parsed { records: wrong_kind, ..whole });
}

#[test]
fn json_object_convicts_a_split_at_a_line_separator() {
    let bytes = "{\"a\":\"x\u{2028}y\"}\n".as_bytes();
    assert_holds("wire/json-object", bytes, &right_subject(bytes));
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
    let mut parsed = Parsed {
        records: vec![record(0..7, "", "", bytes), record(7..14, "", "", bytes)],
        blank: vec![(14, 15)],
        rejected: vec![],
        reports: vec![report("wire/one-record-per-line", 7..14)],
    };
    assert_holds("wire/one-record-per-line", bytes, &parsed);
    parsed.records.remove(0);
    assert_broken("wire/one-record-per-line", bytes, &parsed);
}

#[test]
fn terminated() {
    let bytes = b"{\"a\":1}";
    let mut parsed = Parsed {
        records: vec![record(0..7, "", "", bytes)],
        reports: vec![report("wire/terminated", 0..7)],
        ..Parsed::default()
    };
    assert_holds("wire/terminated", bytes, &parsed);
    parsed.reports[0].start = 6;
    assert_holds("wire/terminated", bytes, &parsed);
    parsed.reports.clear();
    assert_broken("wire/terminated", bytes, &parsed);
}

#[test]
fn no_nul() {
    let bytes = b"\0\0{\"a\":1}\n";
    let mut parsed = Parsed {
        records: vec![record(2..9, "", "", bytes)],
        blank: vec![(9, 10)],
        rejected: vec![rejected(0..2, "nul")],
        reports: vec![report("wire/no-nul", 0..2)],
    };
    assert_holds("wire/no-nul", bytes, &parsed);
    parsed.records.clear();
    assert_broken("wire/no-nul", bytes, &parsed);
}

#[test]
fn utf8() {
    let bytes = b"{\"type\":\"\xFF\"}\n\xFF\n";
    let mut parsed = Parsed {
        records: vec![record(0..12, "\u{FFFD}", "", bytes)],
        blank: vec![(12, 13), (14, 15)],
        rejected: vec![rejected(13..14, "invalid-utf8")],
        reports: vec![report("wire/utf8", 9..10), report("wire/utf8", 13..14)],
    };
    assert_holds("wire/utf8", bytes, &parsed);
    parsed.reports.pop();
    assert_broken("wire/utf8", bytes, &parsed);
}

#[test]
fn no_lone_surrogate() {
    let bytes = br#"{"uuid":"\ud83d"}"#;
    let mut parsed = Parsed {
        records: vec![record(0..17, "", "\u{FFFD}", bytes)],
        reports: vec![report("wire/no-lone-surrogate", 9..15)],
        ..Parsed::default()
    };
    assert_holds("wire/no-lone-surrogate", bytes, &parsed);
    parsed.records[0].uuid = None;
    assert_broken("wire/no-lone-surrogate", bytes, &parsed);
}

#[test]
fn unique_keys() {
    let bytes = br#"{"uuid":"u1","uuid":"u2"}"#;
    let mut parsed = Parsed {
        records: vec![record(0..25, "", "u2", bytes)],
        reports: vec![report("wire/unique-keys", 13..19)],
        ..Parsed::default()
    };
    assert_holds("wire/unique-keys", bytes, &parsed);
    parsed.records[0].uuid = Some("u1".to_owned());
    assert_broken("wire/unique-keys", bytes, &parsed);
    assert_holds("wire/json-object", bytes, &parsed);
}

#[test]
fn depth() {
    let bytes = format!("{{\"x\":{}}}", nested("[", 128, "]"));
    let bytes = bytes.as_bytes();
    let end = bytes.len() as u64;
    let right = Parsed {
        rejected: vec![rejected(0..end, "too-deep")],
        reports: vec![report("wire/depth", 0..1)],
        ..Parsed::default()
    };
    assert_holds("wire/depth", bytes, &right);
    let wrong = Parsed { records: vec![record(0..end, "", "", bytes)], ..Parsed::default() };
    assert_broken("wire/depth", bytes, &wrong);
    assert!(matches!(judge("wire/json-object", bytes, &wrong), Verdict::NotApplicable(_)));
}

#[test]
fn typed_fields() {
    let bytes = br#"{"type":"user","uuid":7}"#;
    let mut parsed = Parsed {
        records: vec![record(0..24, "user", "", bytes)],
        reports: vec![report("wire/typed-fields", 22..23)],
        ..Parsed::default()
    };
    assert_holds("wire/typed-fields", bytes, &parsed);
    parsed.records.clear();
    assert_broken("wire/typed-fields", bytes, &parsed);
}

#[test]
fn live_only_kind() {
    let bytes = br#"{"type":"tombstone"}"#;
    let mut parsed = Parsed {
        records: vec![record(0..20, "tombstone", "", bytes)],
        reports: vec![report("wire/live-only-kind", 0..20)],
        ..Parsed::default()
    };
    assert_holds("wire/live-only-kind", bytes, &parsed);
    parsed.reports.clear();
    assert_broken("wire/live-only-kind", bytes, &parsed);
}

// --- the model: a row of the damage table each

#[test]
fn the_model_rejects_what_is_no_json_object() {
    assert_model(
        b"{}\nabc \n12\n\"a\"\r\n{\"a\" 1}\n{\"a\":1\n1 2\n",
        &[
            (0, 2, "record"),
            (3, 6, "not-json"),
            (8, 10, "not-object"),
            (11, 14, "not-object"),
            (16, 23, "not-json"),
            (24, 30, "cut-short"),
            (31, 34, "not-json"),
        ],
        &[
            ("wire/json-object", 3, 6),
            ("wire/json-object", 8, 10),
            ("wire/json-object", 11, 14),
            ("wire/json-object", 16, 23),
            ("wire/json-object", 24, 30),
            ("wire/json-object", 31, 34),
        ],
    );
    assert_eq!(model::read(b"\n {} \n\n").blank, [(0, 2), (4, 7)]);
}

#[test]
fn the_model_knows_every_way_to_be_cut_short() {
    let whole = br#"{"a":[1,-2.5e+3,true,false,null,{"b":"c\n\u00e9"}],"d":{}}"#;
    for end in 1..whole.len() {
        let line = [&whole[..end], b"\n"].concat();
        let end = whole[..end].trim_ascii_end().len() as u64;
        assert_model(&line, &[(0, end, "cut-short")], &[("wire/json-object", 0, end)]);
    }
    for wrong in
        [r#"{"a":"\u1x"#, r#"{"a":tru "#, r#"{"a":01"#, r#"{"a":"\x"#, "{\"a\":\"\t\"", "{,", "{\"a\":1,}"]
    {
        assert_eq!(pieces(wrong.as_bytes())[0].2, "not-json", "{wrong}");
    }
}

#[test]
fn the_model_recovers_glued_records() {
    assert_model(
        b"{\"a\":1}{\"b\":2} {}\n",
        &[(0, 7, "record"), (7, 14, "record"), (15, 17, "record")],
        &[("wire/one-record-per-line", 7, 14), ("wire/one-record-per-line", 15, 17)],
    );
}

#[test]
fn the_model_recovers_a_record_after_one_cut_short() {
    let whole = r#"{"type":"user","sessionId":"s"}"#;
    let line = format!("{{\"type\":\"us{whole}\n");
    assert_model(
        line.as_bytes(),
        &[(0, 11, "cut-short"), (11, 42, "record")],
        &[("wire/one-record-per-line", 0, 11)],
    );
    let line = format!("{{\"a\":1, {whole}{{}}\n");
    assert_model(
        line.as_bytes(),
        &[(0, 8, "cut-short"), (8, 39, "record"), (39, 41, "record")],
        &[("wire/one-record-per-line", 0, 8), ("wire/one-record-per-line", 39, 41)],
    );
    let line = format!("{{}}x{whole}\n");
    assert_model(
        line.as_bytes(),
        &[(0, 2, "record"), (2, 3, "not-json"), (3, 34, "record")],
        &[("wire/json-object", 2, 3), ("wire/one-record-per-line", 3, 34)],
    );
}

#[test]
fn the_model_does_not_take_objects_inside_damage_for_records() {
    for inside in [
        r#"{"a":[{"type":"text","text":"x"}"#,
        r#"{"a":{"type":"user","sessionId":"s"},"#,
        r#"{"a":[{"type":"user","sessionId":"s"} ]"#,
        r#"{"a":{ "type":"user","sessionId":"s"}"#,
        r#"{"a":{"type":1,"sessionId":"s"}"#,
    ] {
        let reason = pieces(format!("{inside}\n").as_bytes());
        assert!(
            reason.iter().all(|(.., name)| *name == "cut-short" || *name == "record"),
            "{inside}: {reason:?}"
        );
        assert!(!reason.iter().skip(1).any(|(.., name)| *name == "record"), "{inside}: {reason:?}");
    }
}

#[test]
fn the_model_reads_a_last_line_without_line_feed() {
    assert_model(b"{}\n{}", &[(0, 2, "record"), (3, 5, "record")], &[("wire/terminated", 3, 5)]);
    assert_model(b"{}\n{\"a\":", &[(0, 2, "record"), (3, 8, "cut-short")], &[("wire/terminated", 3, 8)]);
    assert_model(
        b"x\0 ",
        &[(0, 1, "not-json"), (1, 2, "nul")],
        &[("wire/json-object", 0, 1), ("wire/terminated", 0, 1), ("wire/no-nul", 1, 2)],
    );
    assert_model(b"{}\n \t", &[(0, 2, "record")], &[]);
    assert_model(b"{}\n\0", &[(0, 2, "record"), (3, 4, "nul")], &[("wire/no-nul", 3, 4)]);
}

#[test]
fn the_model_skips_runs_of_nul() {
    assert_model(
        b"\0\0{}\0{\"a\":\0\n",
        &[(0, 2, "nul"), (2, 4, "record"), (4, 5, "nul"), (5, 10, "cut-short"), (10, 11, "nul")],
        &[("wire/no-nul", 0, 2), ("wire/no-nul", 4, 5), ("wire/json-object", 5, 10), ("wire/no-nul", 10, 11)],
    );
    assert_model(
        b"{\"a\":\0{}\n",
        &[(0, 5, "cut-short"), (5, 6, "nul"), (6, 8, "record")],
        &[("wire/one-record-per-line", 0, 5), ("wire/no-nul", 5, 6)],
    );
}

#[test]
fn the_model_reads_strings_that_are_not_utf8_and_rejects_the_rest() {
    assert_model(
        b"{\"uuid\":\"a\xFF\"}\n{\xFF}\n\xFF\n",
        &[(0, 13, "record"), (14, 17, "invalid-utf8"), (18, 19, "invalid-utf8")],
        &[("wire/utf8", 0, 13), ("wire/utf8", 14, 17), ("wire/utf8", 18, 19)],
    );
    assert_eq!(heads(b"{\"uuid\":\"a\xFF\"}\n"), [(None, Some("a\u{FFFD}".to_owned()))]);
}

#[test]
fn the_model_shows_lone_surrogates_as_replacement_characters() {
    let text = |text: &str| Some(text.to_owned());
    let line = br#"{"type":"\ud83d","uuid":"\ude00\ud83d"}"#;
    assert_eq!(heads(line), [(text("\u{FFFD}"), text("\u{FFFD}\u{FFFD}"))]);
    let torn = ("wire/no-lone-surrogate", 0, 14);
    assert_model(b"{\"\\ud83d\":[1]}\n", &[(0, 14, "record")], &[torn]);
    assert_model(b"{\"\\ud83d\\ude00\":\"\\\\ud83d\"}\n", &[(0, 26, "record")], &[]);
}

#[test]
fn the_model_takes_the_last_of_repeated_keys() {
    let line = br#"{"type":"a","uuid":"u1","type":"b","u\u0075id":"u2"}"#;
    assert_eq!(heads(line), [(Some("b".to_owned()), Some("u2".to_owned()))]);
    assert_model(
        b"{\"a\":[{\"b\":1,\"\\u0062\":1}]}\n",
        &[(0, 26, "record")],
        &[("wire/unique-keys", 0, 26)],
    );
    assert_model(b"{\"a\":{\"b\":1},\"b\":{\"a\":1}}\n", &[(0, 25, "record")], &[]);
}

#[test]
fn the_model_rejects_the_129th_container() {
    let objects = |depth: usize| format!("{}1{}\n", "{\"a\":".repeat(depth), "}".repeat(depth));
    assert_eq!(pieces(objects(128).as_bytes())[0].2, "record");
    assert_eq!(pieces(objects(129).as_bytes())[0].2, "too-deep");
    assert_eq!(pieces(nested("[", 128, "]").as_bytes())[0].2, "not-object");
    assert_eq!(pieces(nested("[", 129, "]").as_bytes())[0].2, "too-deep");
    assert_eq!(pieces("[".repeat(100_000).as_bytes()), [(0, 100_000, "too-deep")]);
    assert_eq!(pieces("{\"a\":".repeat(1_000).as_bytes()), [(0, 5_000, "too-deep")]);
    let glued = format!("{}{{\"type\":\"user\",\"parentUuid\":null}}\n", objects(129).trim());
    let reports = [("wire/depth", 0, 775)];
    assert_model(glued.as_bytes(), &[(0, 775, "too-deep"), (775, 808, "record")], &reports);
}

#[test]
fn the_model_tolerates_separators_carriage_returns_and_byte_order_marks() {
    assert_model("{\"a\":\"\u{2028}\u{2029}\"}\n".as_bytes(), &[(0, 14, "record")], &[]);
    assert_model(b"{}\r\n{}\r\n", &[(0, 2, "record"), (4, 6, "record")], &[]);
    assert_model(b"\xEF\xBB\xBF{}\n\xEF\xBB\xBF \n", &[(3, 5, "record")], &[]);
    assert_model(b"x\xEF\xBB\xBF \n", &[(0, 4, "not-json")], &[("wire/json-object", 0, 4)]);
}

#[test]
fn the_model_names_known_fields_of_the_wrong_type() {
    let breaks = |line: &str| {
        model::reports(format!("{line}\n").as_bytes()).iter().any(|r| r.0 == "wire/typed-fields")
    };
    for wrong in [
        r#"{"type":7}"#,
        r#"{"type":["user"]}"#,
        r#"{"type":"user","isMeta":"yes"}"#,
        r#"{"type":"user","message":"hello"}"#,
        r#"{"type":"user","message":{"content":{}}}"#,
        r#"{"type":"user","message":{"content":["x"]}}"#,
        r#"{"type":"user","message":{"content":[null]}}"#,
        r#"{"type":"user","message":{"content":[{"type":3}]}}"#,
        r#"{"type":"user","message":{"content":[{"type":"tool_result","is_error":1}]}}"#,
        r#"{"type":"assistant","message":{"usage":{"input_tokens":"3"}}}"#,
        r#"{"type":"assistant","message":{"usage":{"cache_creation":{"ephemeral_1h_input_tokens":[]}}}}"#,
        r#"{"type":"assistant","message":{"content":[{"type":"mcp_tool_result","tool_use_id":1}]}}"#,
        r#"{"type":"system","compactMetadata":{"preservedMessages":{"uuids":["a",null]}}}"#,
        r#"{"type":"system","retractedMessageUuids":"a"}"#,
        r#"{"type":"stream_request_start","uuid":false}"#,
        r#"{"type":"user","uuid":"a","uuid":1}"#,
    ] {
        assert!(breaks(wrong), "{wrong}");
    }
    for right in [
        "{}",
        r#"{"type":null,"uuid":1}"#,
        r#"{"type":"summary","uuid":1,"leafUuid":2}"#,
        r#"{"type":"atis-latch","message":3}"#,
        r#"{"type":"user","parentUuid":null,"isMeta":null,"message":null,"imagePasteIds":[1]}"#,
        r#"{"type":"user","message":{"content":"x"},"toolUseResult":7}"#,
        r#"{"type":"user","message":{"content":[{"type":null},{},{"type":"new","text":1}]}}"#,
        r#"{"type":"assistant","message":{"usage":{"input_tokens":3,"service_tier":null}}}"#,
        r#"{"type":"system","hookInfos":[1],"level":"loud","compactMetadata":null}"#,
        r#"{"type":"user","uuid":1,"uuid":"a"}"#,
    ] {
        assert!(!breaks(right), "{right}");
    }
}

#[test]
fn the_model_names_kinds_that_must_not_be_on_disk() {
    for kind in ["tool_use_summary", "tombstone", "grouped_tool_use", "stream_event", "stream_request_start"]
    {
        let line = format!("{{\"type\":{kind:?}}}\n");
        let end = line.len() as u64 - 1;
        assert_model(line.as_bytes(), &[(0, end, "record")], &[("wire/live-only-kind", 0, end)]);
    }
    assert_model(b"{\"type\":\"progress\"}\n", &[(0, 19, "record")], &[]);
}

// --- any bytes

/// Damaged files, the same each time: pieces of records and of damage, put together at random.
fn damaged_files() -> impl Iterator<Item = Vec<u8>> {
    const PARTS: [&[u8]; 24] = [
        b"{",
        b"}",
        b"[",
        b"]",
        b"\"",
        b":",
        b",",
        b"\n",
        b" ",
        b"\r",
        b"\0",
        b"\\",
        b"\\ud83d",
        b"\xFF",
        b"\xEF\xBB\xBF",
        b"null",
        b"12",
        b"-",
        b"\"a\":",
        b"{\"a\":1}",
        b"\"type\":\"user\"",
        b"{\"type\":\"user\",\"sessionId\":\"s\"}",
        b"{\"type\":\"tombstone\",\"a\":\"",
        b"\"uuid\":\"u\"",
    ];
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut next = move |below: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % below
    };
    (0..20_000).map(move |_| {
        let count = next(12);
        (0..count).flat_map(|_| PARTS[next(24) as usize].iter().copied()).collect()
    })
}

#[test]
fn on_any_bytes_the_model_satisfies_every_rule() {
    for bytes in damaged_files() {
        let parsed = right_subject(&bytes);
        for id in RULES {
            let verdict = judge(id, &bytes, &parsed);
            assert!(!verdict.is_broken(), "{id} on {:?}: {verdict:?}", String::from_utf8_lossy(&bytes));
        }
    }
}

#[test]
fn on_any_bytes_every_report_of_the_model_convicts_a_subject_that_keeps_silent() {
    for bytes in damaged_files() {
        let mut parsed = right_subject(&bytes);
        for report in std::mem::take(&mut parsed.reports) {
            assert_broken(&report.rule, &bytes, &parsed);
        }
    }
}

#[test]
fn every_line_that_serde_json_reads_as_an_object_is_one_record() {
    for bytes in damaged_files() {
        for line in bytes.split(|&byte| byte == b'\n') {
            if let Ok(Value::Object(_)) = serde_json::from_slice(line) {
                assert_eq!(pieces(line).len(), 1, "{:?}", String::from_utf8_lossy(line));
                assert_eq!(pieces(line)[0].2, "record");
            }
        }
    }
}
