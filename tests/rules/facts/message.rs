//! The rules on single messages: what breaks them, what almost does, and that a check gathers the same facts.

use std::collections::BTreeSet;
use std::io;

use serde_json::{Value, json};
use turnproof::check::{Finding, Options, Sink, TranscriptFile, check};

use super::{CATALOGUE, broken_lines, facts_of, judge_all, text_of, with, without};

fn id(number: u32) -> Value {
    json!(format!("00000000-0000-4000-8000-{number:012}"))
}

/// A record of the chain with the members that each has; number 0 as the parent means null.
fn record(kind: &str, number: u32, parent: u32) -> Value {
    let parent = if parent == 0 { Value::Null } else { id(parent) };
    json!({"type": kind, "uuid": id(number), "parentUuid": parent, "timestamp": "2026-01-05T09:00:01.000Z"})
}

fn prompt(number: u32, parent: u32) -> Value {
    with(record("user", number, parent), "message", json!({"role": "user", "content": "a"}))
}

fn reply(number: u32, parent: u32) -> Value {
    let body = json!({"id": "msg_1", "role": "assistant", "content": [{"type": "text", "text": "b"}]});
    with(with(record("assistant", number, parent), "message", body), "requestId", json!("req_1"))
}

fn boundary(number: u32, before: u32) -> Value {
    let record = with(record("system", number, 0), "subtype", json!("compact_boundary"));
    with(record, "logicalParentUuid", id(before))
}

fn summary(number: u32, parent: u32) -> Value {
    with(prompt(number, parent), "isCompactSummary", json!(true))
}

/// A reply with other members in its message.
fn saying(members: Value) -> Value {
    let mut record = reply(1, 0);
    for (name, value) in members.as_object().expect("members") {
        record["message"][name] = value.clone();
    }
    record
}

fn synthetic(usage: Value) -> Value {
    saying(json!({"model": "<synthetic>", "usage": usage}))
}

fn text_block(text: &str) -> Value {
    json!([{"type": "text", "text": text}])
}

#[test]
fn a_sound_session_breaks_no_rule_at_all() {
    let records = [
        prompt(1, 0),
        reply(2, 1),
        with(reply(3, 2), "uuid", json!("018f2c3a-7b1d-7abc-9def-0123456789AB")),
        record("attachment", 4, 2),
        record("hook_result", 5, 4),
        boundary(6, 5),
        summary(7, 6),
        json!({"type": "summary", "summary": "a", "leafUuid": "elsewhere"}),
        json!({"type": "progress"}),
        json!({"type": "from tomorrow", "message": {"role": "user", "content": ""}, "isVirtual": true}),
    ];
    let broken = judge_all(&facts_of(&records));
    let others = broken.into_iter().filter(|violation| violation.rule != "chain/one-leaf");
    assert_eq!(others.collect::<Vec<_>>(), []);
}

#[test]
fn each_rule_on_single_records_is_broken_by_one_member() {
    let zero = json!({"input_tokens": 0, "output_tokens": 0});
    let broken: [(&str, Value); 22] = [
        ("message/content-not-empty", saying(json!({"content": []}))),
        ("message/content-not-empty", saying(json!({"content": ""}))),
        ("message/content-not-empty", saying(json!({"content": null}))),
        ("message/content-not-empty", saying(json!({"content": 7}))),
        ("message/content-not-empty", without(prompt(1, 0), "message")),
        ("message/no-blank-text", saying(json!({"content": text_block("")}))),
        ("message/no-blank-text", saying(json!({"content": text_block("\n\u{a0}\u{1f}")}))),
        ("message/no-blank-text", with(prompt(1, 0), "message", json!({"content": " "}))),
        ("message/content-is-list", saying(json!({"content": "b"}))),
        ("message/role-fits-type", saying(json!({"role": "user"}))),
        ("message/role-fits-type", saying(json!({"role": ""}))),
        ("message/has-uuid", without(record("system", 1, 0), "uuid")),
        ("message/has-uuid", with(record("attachment", 1, 0), "uuid", json!(7))),
        ("message/uuid-form", with(record("hook_result", 1, 0), "uuid", json!(""))),
        ("message/timestamp", without(record("attachment", 1, 0), "timestamp")),
        ("message/timestamp", with(prompt(1, 0), "timestamp", json!(0))),
        ("message/not-virtual", with(prompt(1, 0), "isVirtual", json!(true))),
        ("message/not-virtual", json!({"type": "tombstone", "isVirtual": true})),
        ("message/synthetic-usage", synthetic(Value::Null)),
        ("message/synthetic-usage", synthetic(json!({"input_tokens": 0}))),
        ("message/synthetic-usage", synthetic(json!({"input_tokens": 0, "output_tokens": "0"}))),
        ("message/synthetic-usage", synthetic(with(zero, "iterations", json!([{"output_tokens": 1e-3}])))),
    ];
    for (rule, record) in broken {
        assert_eq!(broken_lines(rule, &[prompt(9, 0), record.clone()]), [2], "{rule}: {record}");
    }
}

#[test]
fn near_misses_on_single_records_hold() {
    let zero = json!({"input_tokens": 0, "output_tokens": 0.0, "service_tier": "7", "cache_creation": null});
    let near: [(&str, Value); 12] = [
        ("message/content-not-empty", saying(json!({"content": [7]}))),
        ("message/content-not-empty", record("system", 1, 0)),
        ("message/no-blank-text", saying(json!({"content": text_block(" .")}))),
        ("message/no-blank-text", saying(json!({"content": [{"type": "thinking", "thinking": "", "text": ""}]}))),
        ("message/no-blank-text", json!({"type": "progress", "message": {"content": text_block("")}})),
        ("message/content-is-list", with(prompt(1, 0), "message", json!({"content": "a"}))),
        ("message/role-fits-type", saying(json!({"role": 7}))),
        ("message/has-uuid", json!({"type": "file-history-snapshot"})),
        ("message/timestamp", with(without(prompt(1, 0), "timestamp"), "createdAt", json!("2026-01-05T09:00:01Z"))),
        ("message/not-virtual", with(prompt(1, 0), "isVirtual", json!("true"))),
        ("message/synthetic-usage", synthetic(zero)),
        ("message/synthetic-usage", saying(json!({"model": "claude", "usage": {"input_tokens": 7}}))),
    ];
    for (rule, record) in near {
        assert_eq!(broken_lines(rule, std::slice::from_ref(&record)), [] as [u64; 0], "{rule}: {record}");
    }
}

#[test]
fn times_are_read_as_rfc_3339_writes_them() {
    let broken =
        |time: &str| !broken_lines("message/timestamp", &[with(prompt(1, 0), "timestamp", json!(time))]).is_empty();
    for time in [
        "2026-01-05T09:00:01Z",
        "2026-01-05t09:00:01.5z",
        "2024-02-29T00:00:00.000000001+23:59",
        "2000-02-29T00:00:00Z",
        "1990-12-31T23:59:60Z",
        "0000-01-01T00:00:00-00:00",
    ] {
        assert!(!broken(time), "{time}");
    }
    for time in [
        "",
        "T",
        "2026-01-05",
        "2026-01-05T09:00:01",
        "2026-01-05 09:00:01Z",
        "2026-1-05T09:00:01Z",
        "2026-13-05T09:00:01Z",
        "2026-00-05T09:00:01Z",
        "2026-01-00T09:00:01Z",
        "2026-04-31T09:00:01Z",
        "2026-02-29T09:00:01Z",
        "1900-02-29T09:00:01Z",
        "2026-01-05T24:00:01Z",
        "2026-01-05T09:60:01Z",
        "2026-01-05T09:00:61Z",
        "2026-01-05T09:00Z",
        "2026-01-05T09:00:01.Z",
        "2026-01-05T09:00:01,5Z",
        "2026-01-05T09:00:01+0100",
        "2026-01-05T09:00:01+24:00",
        "2026-01-05T09:00:01+01:60",
        "2026-01-05T09:00:01ZZ",
        "2026-01-05T09:00:+1Z",
        "\u{0662}026-01-05T09:00:01Z",
    ] {
        assert!(broken(time), "{time}");
    }
}

#[test]
fn uuids_are_distinguished_from_names_and_reported_once_for_each_file() {
    let uuid = |uuid: &str| with(prompt(1, 0), "uuid", json!(uuid));
    let broken = |name: &str| !broken_lines("message/uuid-form", &[uuid(name)]).is_empty();
    for name in ["6F1C1DE6-9B1B-4A5F-8C3D-2E7F5A9B0C1D", "6f1c1de6-9b1b-4a5f-8c3d-0000000000ff"] {
        assert!(!broken(name), "{name}");
    }
    for name in [
        "u1",
        "6f1c1de69b1b4a5f8c3d2e7f5a9b0c1d",
        "6f1c1de6-9b1b-4a5f-8c3d-2e7f5a9b0c1",
        "6f1c1de6-9b1b-4a5f-8c3d-2e7f5a9b0c1g",
        "6f1c1de69-b1b-4a5f-8c3d-2e7f5a9b0c1d",
        "{6f1c1de6-9b1b-4a5f-8c3d-2e7f5a9b0c1d}",
        "6f1c1de6-9b1b-4a5f-8c3d-2e7f5a9b0c1d-",
    ] {
        assert!(broken(name), "{name}");
    }
    let several = [prompt(1, 0), uuid("u1"), uuid("u2"), uuid("u3")];
    assert_eq!(broken_lines("message/uuid-form", &several), [2]);
    assert!(text_of("message/uuid-form", &several).starts_with("3 uuids"));
}

#[test]
fn a_summary_follows_its_boundary() {
    let lines = |records: &[Value]| broken_lines("message/summary-follows-boundary", records);
    let nothing: [u64; 0] = [];
    assert_eq!(lines(&[prompt(1, 0), boundary(2, 1), summary(3, 2)]), nothing);
    assert_eq!(lines(&[prompt(1, 0), boundary(2, 1), summary(3, 2), summary(4, 3)]), nothing);
    // As the first clients wrote it.
    assert_eq!(lines(&[prompt(1, 0), summary(2, 0), boundary(3, 2)]), nothing);
    // `chain/parent-exists` reports it.
    assert_eq!(lines(&[prompt(1, 0), boundary(2, 1), summary(3, 9)]), nothing);
    // An assistant's flag means nothing.
    assert_eq!(lines(&[boundary(2, 1), with(reply(3, 0), "isCompactSummary", json!(true))]), nothing);

    assert_eq!(lines(&[prompt(1, 0), boundary(2, 1), summary(3, 1)]), [3]);
    assert_eq!(lines(&[prompt(1, 0), boundary(2, 1), summary(3, 0)]), [3]);
    let micro = with(record("system", 2, 1), "subtype", json!("microcompact_boundary"));
    assert_eq!(lines(&[prompt(1, 0), boundary(4, 1), micro, summary(3, 2)]), [4]);
    // A fork puts a summary behind messages that were kept.
    assert_eq!(lines(&[boundary(1, 9), prompt(2, 1), reply(3, 2), summary(4, 3)]), nothing);
    assert_eq!(lines(&[boundary(1, 9), summary(2, 1), prompt(3, 2), summary(4, 3)]), nothing);
    assert_eq!(lines(&[boundary(1, 9), summary(2, 1), boundary(3, 2), summary(4, 2)]), [4]);
    assert_eq!(lines(&[boundary(1, 9), summary(2, 1), prompt(3, 2), boundary(4, 3), summary(5, 3)]), [5]);
    let found = text_of("message/summary-follows-boundary", &[prompt(1, 0), boundary(2, 1), summary(3, 1)]);
    assert!(found.contains("on line 1, is no boundary, and the boundary on line 2"), "{found}");
}

#[test]
fn the_lines_of_a_reply_name_one_request_and_each_request_gave_one_reply() {
    let line = |number: u32, reply_id: &str, request: &str| {
        let mut line = with(reply(number, 0), "requestId", json!(request));
        line["message"]["id"] = json!(reply_id);
        line
    };
    let lines = |records: &[Value]| broken_lines("message/reply-agrees", records);
    let nothing: [u64; 0] = [];
    assert_eq!(lines(&[line(1, "m1", "q1"), prompt(2, 1), line(3, "m1", "q1"), line(4, "m2", "q2")]), nothing);
    assert_eq!(lines(&[line(1, "m1", "q1"), without(line(2, "m1", ""), "requestId"), line(3, "m1", "")]), nothing);
    assert_eq!(lines(&[line(1, "", "q1"), line(2, "", "q2"), line(3, "m1", "q1")]), nothing);
    // A user's request is not the reply's.
    assert_eq!(lines(&[line(1, "m1", "q1"), with(prompt(2, 1), "requestId", json!("q2"))]), nothing);

    assert_eq!(lines(&[line(1, "m1", "q1"), line(2, "m1", "q2")]), [2]);
    assert_eq!(lines(&[line(1, "m1", "q1"), line(2, "m2", "q1")]), [2]);
    assert_eq!(lines(&[line(1, "m1", "q1"), line(2, "m2", "q2"), line(3, "m1", "q2"), line(4, "m1", "q1")]), [3]);
    let found = text_of("message/reply-agrees", &[prompt(1, 0), line(2, "m1", "q1"), line(3, "m1", "q2")]);
    assert!(found.contains("on line 2"), "{found}");
}

/// The findings of a check: rule and line.
#[derive(Default)]
struct RulesAndLines(BTreeSet<(&'static str, u64)>);

impl Sink for RulesAndLines {
    fn finding(&mut self, finding: &Finding<'_>) -> io::Result<()> {
        self.0.insert((finding.rule.id, finding.line));
        Ok(())
    }
}

#[test]
fn a_check_gathers_the_facts_that_a_plain_reader_does() {
    let mut records: Vec<Value> = Vec::new();
    let texts = ["", " ", "a", "\n", "\u{feff}", "\u{a0}b", "\\", "\"", "é", "\u{3000}"];
    for (number, text) in (1..).zip(texts) {
        let mut odd = reply(number, 0);
        odd["message"]["content"] =
            if number % 2 == 0 { json!(text) } else { json!([7, {"type": "text", "text": text}]) };
        records.extend([odd, with(prompt(100 + number, 0), "message", json!({"role": text, "content": [text]}))]);
    }
    records.extend([
        saying(json!({"content": []})),
        saying(json!({"content": {}, "role": null})),
        synthetic(json!({"input_tokens": 0, "output_tokens": -0.0})),
        synthetic(json!({"input_tokens": 1, "output_tokens": 0})),
        synthetic(json!(7)),
        with(prompt(50, 0), "message", json!("a")),
        with(prompt(51, 0), "timestamp", json!("2026-01-05T09:00:01\u{5a}")),
        with(prompt(52, 0), "isVirtual", json!(true)),
        with(reply(53, 0), "requestId", json!("req_\n2")),
        boundary(54, 1),
        summary(55, 53),
        without(prompt(56, 0), "uuid"),
        with(record("attachment", 57, 0), "timestamp", json!("yesterday")),
    ]);
    let expected: BTreeSet<(&str, u64)> = CATALOGUE
        .iter()
        .filter(|rule| rule.family() == "message")
        .flat_map(|rule| broken_lines(rule.id, &records).into_iter().map(|line| (rule.id, line)))
        .collect();
    let rules: BTreeSet<&str> = expected.iter().map(|(rule, _)| *rule).collect();
    assert_eq!(rules.len(), 10, "all but the form of uuids: {rules:?}");

    let file: String = records.iter().map(|record| format!("{record}\n")).collect();
    for (threads, chunk_size) in [(1, 1 << 18), (2, 64)] {
        let mut found = RulesAndLines::default();
        let options = Options { threads, chunk_size, ..Options::default() };
        let input = TranscriptFile::stream("-", file.as_bytes()).expect("a copy of the stream");
        check(&[input], &options, &mut found).expect("a check");
        found.0.retain(|(rule, _)| rule.starts_with("message/"));
        assert_eq!(found.0, expected);
    }
}
