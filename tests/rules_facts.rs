//! The rules on transcripts (`chain/*`, `id/*`, `tool/*`) and on made ids: each is broken by its example
//! and holds for a near miss.

use proptest::prelude::*;
use serde_json::{Value, json};
use turnproof::operation::{Answer, Derived, Shortened};
use turnproof::rules::{
    CATALOGUE, Facts, Judge, Link, Place, Preserved, RecordFacts, ResultFacts, Rule, Severity, Verdict,
    Violation, find,
};

const PLACEHOLDER: &str = "[Tool result missing due to internal error]";

/// Adds a record to the facts, read naively from its JSON.
fn push(facts: &mut Facts, line: u64, start: u64, record: &Value) {
    let text = |name: &str| record[name].as_str();
    let kind = text("type").unwrap_or("");
    let blocks = record["message"]["content"].as_array().map_or(&[][..], Vec::as_slice);
    let blocks = || (0_u32..).zip(blocks);
    let calls: Vec<(u32, &str)> = blocks()
        .filter(|(_, block)| kind == "assistant" && block["type"] == "tool_use")
        .filter_map(|(index, block)| Some((index, block["id"].as_str()?)))
        .collect();
    let results: Vec<ResultFacts> = blocks()
        .filter(|(_, block)| kind == "user" && block["type"] == "tool_result")
        .filter_map(|(index, block)| {
            let call = block["tool_use_id"].as_str()?;
            let text = block["content"].as_str().or(block["content"][0]["text"].as_str());
            Some(ResultFacts { block: index, call, is_placeholder: text == Some(PLACEHOLDER) })
        })
        .collect();
    facts.push(&RecordFacts {
        line,
        start,
        kind,
        subtype: text("subtype").unwrap_or(""),
        uuid: text("uuid"),
        parent: match &record["parentUuid"] {
            Value::String(id) => Link::To(id),
            Value::Null if record.get("parentUuid").is_some() => Link::Null,
            _ => Link::Absent,
        },
        logical_parent: text("logicalParentUuid"),
        session: text("sessionId"),
        agent: text("agentId"),
        is_sidechain: record["isSidechain"] == true,
        reply: record["message"]["id"].as_str().filter(|_| kind == "assistant"),
        calls: &calls,
        results: &results,
        has_tool_use_result: record.get("toolUseResult").is_some(),
        source_assistant: text("sourceToolAssistantUUID"),
        preserved: preserved(&record["compactMetadata"]),
    });
}

fn preserved(metadata: &Value) -> Option<Preserved> {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let segment = metadata.get("preservedSegment");
    let messages = metadata.get("preservedMessages");
    segment.or(messages)?;
    let uuids = |of: &Value| of["uuids"].as_array().into_iter().flatten().filter_map(text).collect();
    Some(Preserved {
        segment: segment.map(|of| ["headUuid", "anchorUuid", "tailUuid"].map(|name| text(&of[name]))),
        messages: messages.map(|of| (text(&of["anchorUuid"]), uuids(of))),
    })
}

/// The facts of a transcript's records, one a line.
fn facts_of(records: &[Value]) -> Facts {
    let mut facts = Facts::new();
    for (line, record) in (1..).zip(records) {
        push(&mut facts, line, line * 100, record);
    }
    facts
}

fn lines(text: &[u8]) -> Vec<Value> {
    serde_json::Deserializer::from_slice(text).into_iter().map(|line| line.expect("JSON")).collect()
}

fn judge(rule: &Rule, facts: &Facts) -> Vec<Violation> {
    let mut violations = Vec::new();
    if let Judge::Transcript(judge) = rule.judge {
        judge(facts, &mut |violation| violations.push(violation));
    }
    assert!(violations.iter().all(|violation| violation.rule == rule.id), "{}", rule.id);
    violations
}

fn judge_all(facts: &Facts) -> Vec<Violation> {
    CATALOGUE.iter().flat_map(|rule| judge(rule, facts)).collect()
}

/// The lines on which a rule is broken.
fn broken_lines(rule: &str, records: &[Value]) -> Vec<u64> {
    let line = |violation: &Violation| match violation.place {
        Place::Record { line, start, .. } => {
            assert_eq!(start, line * 100);
            line
        }
        _ => panic!("no record: {violation:?}"),
    };
    judge(find(rule).expect(rule), &facts_of(records)).iter().map(line).collect()
}

fn text_of(rule: &str, records: &[Value]) -> String {
    judge(find(rule).expect(rule), &facts_of(records)).iter().map(|v| v.found.clone() + "\n").collect()
}

fn link(parent: &str) -> Value {
    if parent.is_empty() { Value::Null } else { json!(parent) }
}

/// A prompt; an empty parent means null.
fn prompt(uuid: &str, parent: &str) -> Value {
    json!({"type": "user", "uuid": uuid, "parentUuid": link(parent),
        "message": {"role": "user", "content": "a"}})
}

/// A line of the reply with this id, with these calls.
fn reply(uuid: &str, parent: &str, id: &str, calls: &[&str]) -> Value {
    let block = |call: &&str| json!({"type": "tool_use", "id": call, "name": "Bash", "input": {}});
    let content: Vec<Value> = calls.iter().map(block).collect();
    json!({"type": "assistant", "uuid": uuid, "parentUuid": link(parent),
        "message": {"id": id, "role": "assistant", "content": content}})
}

/// A record with the results of these calls.
fn results(uuid: &str, parent: &str, calls: &[&str]) -> Value {
    let block = |call: &&str| json!({"type": "tool_result", "tool_use_id": call, "content": "a"});
    let content: Vec<Value> = calls.iter().map(block).collect();
    json!({"type": "user", "uuid": uuid, "parentUuid": link(parent), "toolUseResult": "a",
        "message": {"role": "user", "content": content}})
}

/// A record of another type.
fn record(kind: &str, uuid: &str, parent: &str) -> Value {
    json!({"type": kind, "uuid": uuid, "parentUuid": link(parent)})
}

fn with(mut record: Value, name: &str, value: Value) -> Value {
    record[name] = value;
    record
}

fn without(mut record: Value, name: &str) -> Value {
    record.as_object_mut().expect("an object").remove(name);
    record
}

fn boundary(metadata: Value) -> Value {
    json!({"type": "system", "subtype": "compact_boundary", "uuid": "b1", "parentUuid": null,
        "logicalParentUuid": "u3", "compactMetadata": metadata})
}

fn family_rules() -> impl Iterator<Item = &'static Rule> {
    CATALOGUE.iter().copied().filter(|rule| ["chain", "id", "tool"].contains(&rule.family()))
}

#[test]
fn the_families_are_complete() {
    let count = |family| family_rules().filter(|rule| rule.family() == family).count();
    assert_eq!((count("chain"), count("id"), count("tool")), (9, 5, 7));
}

#[test]
fn each_example_breaks_its_rule_and_no_other_of_severity_error() {
    for rule in family_rules() {
        let broken = |verdict: Verdict| assert!(verdict.is_broken(), "{}: {verdict:?}", rule.id);
        let example = rule.example;
        match rule.judge {
            Judge::Transcript(_) => {
                let facts = facts_of(&lines(example));
                assert!(!judge(rule, &facts).is_empty(), "{}", rule.id);
                for other in family_rules().filter(|other| other.id != rule.id) {
                    let is_silent = other.severity < Severity::Error || judge(other, &facts).is_empty();
                    assert!(is_silent, "{} also breaks {}", rule.id, other.id);
                }
            }
            Judge::DeriveUuid(judge) => broken(judge(&serde_json::from_slice(example).expect(rule.id))),
            Judge::ShortId(judge) => broken(judge(&serde_json::from_slice(example).expect(rule.id))),
            _ => panic!("{} judges neither transcripts nor ids", rule.id),
        }
    }
}

#[test]
fn each_example_is_whole_lines_and_each_doc_teaches() {
    for rule in family_rules() {
        let sentences = rule.doc.matches(". ").count() + rule.doc.matches(".\n").count() + 1;
        assert!((3..=8).contains(&sentences), "{} has {sentences} sentences", rule.id);
        assert!(!rule.title.ends_with('.') && !rule.remedy.is_empty() && !rule.sources.is_empty());
        if let Judge::Transcript(_) = rule.judge {
            assert!(rule.example.ends_with(b"\n"), "{}", rule.id);
        }
    }
}

#[test]
fn a_good_session_breaks_no_rule() {
    let records = [
        json!({"type": "summary", "summary": "a", "leafUuid": "elsewhere"}),
        prompt("u1", ""),
        reply("a1", "u1", "msg_1", &["t1"]),
        reply("a2", "a1", "msg_1", &["t2"]),
        with(results("r2", "a2", &["t2"]), "sourceToolAssistantUUID", json!("a2")),
        with(results("r1", "a1", &["t1"]), "sourceToolAssistantUUID", json!("a1")),
        reply("a3", "r1", "msg_2", &[]),
        record("system", "s1", "a3"),
        prompt("u3", "s1"),
        boundary(json!({"trigger": "auto", "preTokens": 1})),
        prompt("u4", "b1"),
    ];
    assert_eq!(judge_all(&facts_of(&records)), []);
    assert_eq!(judge_all(&facts_of(&[])), []);
}

#[test]
fn near_misses_hold() {
    let call = || reply("a1", "", "msg_1", &["t1"]);
    let near: [(&str, Vec<Value>); 26] = [
        ("chain/parent-exists", vec![prompt("u1", ""), prompt("u2", "u1")]),
        ("chain/parent-exists", vec![record("file-history-snapshot", "f1", "gone")]),
        ("chain/parent-exists", vec![without(prompt("u1", ""), "parentUuid")]),
        ("chain/parent-before-child", vec![prompt("u1", "gone")]),
        ("chain/parent-before-child", vec![prompt("u1", ""), prompt("u2", "u1"), prompt("u1", "u2")]),
        ("chain/progress-not-parent", vec![record("progress", "p1", ""), record("progress", "p2", "p1")]),
        ("chain/one-leaf", vec![prompt("u1", ""), prompt("u2", "")]),
        ("chain/one-leaf", vec![prompt("u1", ""), prompt("u2", "u1"), prompt("u2", "u1")]),
        ("chain/one-leaf", vec![prompt("u1", "u1"), prompt("u2", "u1")]),
        (
            "chain/session-matches-file",
            vec![with(prompt("u1", ""), "sessionId", json!("s1")), prompt("u2", "u1")],
        ),
        (
            "chain/sidechain-separate",
            vec![
                with(prompt("u1", ""), "isSidechain", json!(true)),
                with(with(prompt("u2", "u1"), "isSidechain", json!(true)), "agentId", json!("x")),
            ],
        ),
        (
            "chain/sidechain-separate",
            vec![
                with(prompt("u1", ""), "agentId", json!("x")),
                with(prompt("u2", "u1"), "agentId", json!("y")),
            ],
        ),
        ("chain/boundary-starts-segment", vec![prompt("u3", ""), boundary(json!({}))]),
        (
            "chain/boundary-starts-segment",
            vec![with(record("system", "s", "u"), "subtype", json!("api_error"))],
        ),
        ("chain/preserved-segment", vec![boundary(Value::Null)]),
        ("id/unique", vec![prompt("u1", ""), prompt("u2", "u1"), json!({"type": "summary"})]),
        ("tool/result-has-call", vec![results("r1", "", &["t1"]), call()]),
        ("tool/call-answered", vec![call(), results("r1", "a1", &["t1"])]),
        ("tool/unique-call-id", vec![call(), call()]),
        ("tool/unique-call-id", vec![reply("a1", "", "msg_1", &["t1", "t2"])]),
        ("tool/single-result", vec![call(), results("r1", "a1", &["t1"]), results("r1", "a1", &["t1"])]),
        ("tool/dual", vec![call(), results("r1", "a1", &["t1"])]),
        (
            "tool/dual",
            vec![with(without(results("r1", "", &["t1"]), "toolUseResult"), "isSidechain", json!(true))],
        ),
        ("tool/source", vec![call(), results("r1", "a1", &["t1"])]),
        (
            "tool/source",
            vec![call(), with(results("r1", "a1", &["t1"]), "sourceToolAssistantUUID", json!("a1"))],
        ),
        ("tool/placeholder-marked", vec![call(), results("r1", "a1", &["t1"])]),
    ];
    for (rule, records) in near {
        assert_eq!(broken_lines(rule, &records), [] as [u64; 0], "{rule}");
    }
}

#[test]
fn a_fork_is_two_ways_on() {
    let root = || reply("a1", "", "msg_1", &["t1"]);
    let own = |uuid| reply(uuid, "a1", "msg_1", &[]);
    let result = |uuid| results(uuid, "a1", &["t1"]);
    let notice = |uuid| record("system", uuid, "a1");
    let side = |record| with(record, "isSidechain", json!(true));
    let cases: [(&str, Vec<Value>, bool); 12] = [
        ("a result", vec![result("r1")], false),
        ("a result and a line of the reply", vec![own("a2"), result("r1")], false),
        ("two results", vec![result("r1"), result("r2")], false),
        ("two lines of the reply", vec![own("a2"), own("a3"), result("r1")], false),
        ("a notice beside a result", vec![notice("s1"), result("r1")], false),
        ("a prompt beside a result", vec![result("r1"), prompt("u1", "a1")], true),
        ("a reply beside a result", vec![result("r1"), reply("a4", "a1", "msg_2", &[])], true),
        ("a prompt beside the reply", vec![own("a2"), prompt("u1", "a1")], true),
        ("a notice beside the reply", vec![own("a2"), notice("s1")], true),
        ("two prompts", vec![prompt("u1", "a1"), prompt("u2", "a1")], true),
        ("a sidechain", vec![prompt("u1", "a1"), side(prompt("u2", "a1"))], false),
        ("progress", vec![result("r1"), record("progress", "p1", "a1")], false),
    ];
    for (name, children, is_fork) in cases {
        let records: Vec<Value> = std::iter::once(root()).chain(children).collect();
        assert_eq!(
            broken_lines("chain/one-leaf", &records),
            if is_fork { vec![1] } else { vec![] },
            "{name}"
        );
    }
    let many: Vec<Value> = (0..7).map(|n| prompt(&format!("u{n}"), if n == 0 { "" } else { "u0" })).collect();
    let expected = "6 records follow this one, on lines 2, 3, 4, 5 and more\n";
    assert_eq!(text_of("chain/one-leaf", &many), expected);
    assert_eq!(text_of("chain/one-leaf", &many[..3]), "2 records follow this one, on lines 2 and 3\n");
}

#[test]
fn each_cycle_is_reported_once_at_its_first_record() {
    let tail = || [prompt("t1", "c1"), prompt("t2", "t1")];
    let ring =
        |length: usize| (1..=length).map(move |n| prompt(&format!("c{n}"), &format!("c{}", n % length + 1)));
    for length in 1..=3 {
        let ring_then_tail: Vec<Value> = ring(length).chain(tail()).collect();
        assert_eq!(broken_lines("chain/acyclic", &ring_then_tail), [1], "{length}");
        let tail_then_ring: Vec<Value> = tail().into_iter().chain(ring(length)).collect();
        assert_eq!(broken_lines("chain/acyclic", &tail_then_ring), [3], "{length}");
    }
    let two = [prompt("x1", "x2"), prompt("y1", "y1"), prompt("x2", "x1"), prompt("z1", "")];
    assert_eq!(broken_lines("chain/acyclic", &two), [1, 2]);
    assert!(text_of("chain/acyclic", &two).contains("after 2 records"));
}

#[test]
fn other_lines_are_named_in_words() {
    let late = [prompt("u2", "u1"), prompt("u1", "")];
    assert_eq!(text_of("chain/parent-before-child", &late), "the parent comes later, on line 2\n");
    let repeated = [prompt("u1", ""), prompt("u1", ""), prompt("u1", "")];
    assert_eq!(broken_lines("id/unique", &repeated), [2, 3]);
    assert!(text_of("id/unique", &repeated).starts_with("the record on line 1 has the same uuid"));
    let progress = [record("progress", "p1", ""), prompt("u1", "p1")];
    let expected = "the parent, on line 1, is a progress record\n";
    assert_eq!(text_of("chain/progress-not-parent", &progress), expected);
}

#[test]
fn a_foreign_session_is_reported_once() {
    let of = |session: &str, uuid: &str| with(prompt(uuid, ""), "sessionId", json!(session));
    let records = [prompt("u0", ""), of("s1", "u1"), of("s2", "u2"), of("s3", "u3"), of("s2", "u4")];
    let rule = "chain/session-matches-file";
    assert_eq!(broken_lines(rule, &records), [3, 4]);
    assert!(text_of(rule, &records).starts_with("2 records of session s2"));
    let mut facts = facts_of(&records);
    facts.set_file_session("s2");
    let found: Vec<String> = judge(find(rule).expect(rule), &facts).into_iter().map(|v| v.found).collect();
    assert_eq!(found.len(), 2);
    assert!(found[0].starts_with("1 record of session s1"), "{found:?}");
}

#[test]
fn subagents_are_kept_apart() {
    let of = |agent: &str, uuid: &str, parent: &str| {
        with(with(prompt(uuid, parent), "isSidechain", json!(true)), "agentId", json!(agent))
    };
    let records = [prompt("u1", ""), of("x", "x1", ""), of("y", "y1", "x1"), of("y", "y2", "u1")];
    assert_eq!(broken_lines("chain/sidechain-separate", &records), [3, 4]);
    assert!(text_of("chain/sidechain-separate", &records).contains("line 2, belongs to another subagent"));
}

#[test]
fn a_boundary_lacks_either_link() {
    let rule = "chain/boundary-starts-segment";
    let plain = boundary(Value::Null);
    assert_eq!(broken_lines(rule, &[without(plain.clone(), "parentUuid")]), [1]);
    assert_eq!(broken_lines(rule, &[with(plain.clone(), "logicalParentUuid", Value::Null)]), [1]);
    let neither = with(without(plain, "logicalParentUuid"), "parentUuid", json!("u3"));
    assert_eq!(broken_lines(rule, &[neither]), [1, 1]);
}

#[test]
fn a_preserved_segment_leads_from_tail_to_head() {
    let rule = "chain/preserved-segment";
    let segment = |head: &str, anchor: &str, tail: &str| {
        let segment = json!({"headUuid": head, "anchorUuid": anchor, "tailUuid": tail});
        let chain = [prompt("u1", ""), record("progress", "p1", "u1"), prompt("u3", "p1")];
        chain.into_iter().chain([boundary(json!({ "preservedSegment": segment }))]).collect::<Vec<_>>()
    };
    assert_eq!(text_of(rule, &segment("u1", "b1", "u3")), "");
    assert_eq!(text_of(rule, &segment("u3", "b1", "u3")), "");
    assert!(text_of(rule, &segment("u3", "b1", "u1")).contains("the tail, line 1, misses the head, line 3"));
    assert_eq!(text_of(rule, &segment("u1", "gone", "u3")), "the anchor, gone, is not in this file\n");
    assert_eq!(broken_lines(rule, &segment("x", "y", "z")), [4, 4, 4]);
    let nameless = [boundary(json!({"preservedSegment": {}}))];
    assert!(text_of(rule, &nameless).contains("the boundary names no head"));
    let around = |head: &str| {
        let segment = json!({"headUuid": head, "anchorUuid": "b1", "tailUuid": "u1"});
        let ring = [prompt("u1", "u3"), prompt("u3", "u2"), prompt("u2", "u1"), prompt("u4", "u2")];
        ring.into_iter().chain([boundary(json!({ "preservedSegment": segment }))]).collect::<Vec<_>>()
    };
    assert_eq!(broken_lines(rule, &around("u2")), [] as [u64; 0]);
    assert_eq!(broken_lines(rule, &around("u4")), [5]);
}

#[test]
fn preserved_messages_are_in_the_file() {
    let rule = "chain/preserved-segment";
    let messages = |anchor: &str, uuids: &[&str]| {
        let messages = json!({"anchorUuid": anchor, "uuids": uuids});
        vec![prompt("u3", ""), boundary(json!({ "preservedMessages": messages }))]
    };
    assert_eq!(text_of(rule, &messages("b1", &["u3"])), "");
    assert_eq!(text_of(rule, &messages("b1", &[])), "");
    assert_eq!(broken_lines(rule, &messages("gone", &["u3"])), [2]);
    let expected = "of 3 preserved messages, 2 are not in this file, the first x\n";
    assert_eq!(text_of(rule, &messages("b1", &["x", "u3", "y"])), expected);
}

#[test]
fn repeated_calls_and_results_are_told_from_repeated_records() {
    let twice = [reply("a1", "", "msg_1", &["t1", "t1"])];
    assert_eq!(broken_lines("tool/unique-call-id", &twice), [1]);
    let copies =
        [reply("a1", "", "m", &["t1"]), reply("a1", "", "m", &["t1"]), reply("a2", "", "m", &["t1"])];
    assert_eq!(broken_lines("tool/unique-call-id", &copies), [3]);
    let bare = || without(reply("a1", "", "m", &["t1"]), "uuid");
    assert_eq!(broken_lines("tool/unique-call-id", &[bare(), bare()]), [2]);
    let answered = [results("r1", "", &["t1", "t1"]), results("r2", "", &["t1"])];
    assert_eq!(broken_lines("tool/single-result", &answered), [1, 2]);
}

#[test]
fn a_source_holds_the_call() {
    let rule = "tool/source";
    let sourced = |source: &str, calls: &[&str]| {
        with(results("r1", "", calls), "sourceToolAssistantUUID", json!(source))
    };
    let calls = || [reply("a1", "", "m", &["t1"]), reply("a2", "a1", "m", &["t2"])];
    let session = |result: Value| calls().into_iter().chain([result]).collect::<Vec<_>>();
    assert_eq!(broken_lines(rule, &session(sourced("a2", &["t2"]))), [] as [u64; 0]);
    let wrong = session(sourced("a2", &["t1"]));
    let expected = "the source, on line 2, does not hold the call; the call is on line 1\n";
    assert_eq!(text_of(rule, &wrong), expected);
    assert!(text_of(rule, &session(sourced("gone", &["t3"]))).contains("the call is not in this file"));
    assert_eq!(broken_lines(rule, &session(sourced("gone", &["t1", "t2"]))), [3]);
}

#[test]
fn one_record_lacks_its_raw_output_once() {
    let bare = without(results("r1", "", &["t1", "t2"]), "toolUseResult");
    assert_eq!(broken_lines("tool/dual", &[bare]), [1]);
}

#[test]
fn the_place_of_a_block_names_the_block() {
    let facts = facts_of(&[results("r1", "", &["t1", "t2"])]);
    let places: Vec<Place> =
        judge(find("tool/result-has-call").expect("a rule"), &facts).iter().map(|v| v.place).collect();
    let place = |block| Place::Record { line: 1, start: 100, member: "message.content", block: Some(block) };
    assert_eq!(places, [place(0), place(1)]);
}

const PARENT: &str = "3e9b1f60-7c55-4a0e-9d2f-6f1f0a7b8c9d";

fn derived(parent: &str, indexes: &[u64], answers: &[Answer]) -> Derived {
    Derived {
        parent: parent.to_owned(),
        indexes: indexes.to_vec(),
        answers: answers.to_vec(),
        again: answers.to_vec(),
    }
}

fn judge_derived(rule: &str, case: &Derived) -> Verdict {
    match find(rule).expect(rule).judge {
        Judge::DeriveUuid(judge) => judge(case),
        _ => panic!("{rule} does not judge derived ids"),
    }
}

fn id(text: &str) -> Answer {
    Ok(text.to_owned())
}

fn refusal() -> Answer {
    Err("no".to_owned())
}

#[test]
fn derived_ids_have_their_form() {
    let check = |parent: &str, index: u64, answer: Answer, holds: bool| {
        let verdict = judge_derived("id/derived-form", &derived(parent, &[index], &[answer]));
        assert_eq!(verdict == Verdict::Holds, holds, "{parent} {index}: {verdict:?}");
    };
    check(PARENT, 10, id("3e9b1f60-7c55-4a0e-9d2f-00000000000a"), true);
    check(PARENT, 10, id("3e9b1f60-7c55-4a0e-9d2f-000000000010"), false);
    check(PARENT, 10, id("3e9b1f60-7c55-4a0e-9d2f00000000000a"), false);
    check(PARENT, 10, refusal(), false);
    check("u1", 0, id("u1000000000000"), true);
    check("", 1, id("000000000001"), true);
    check("ééééééééééééééééééééééééé", 1, id("éééééééééééééééééééééééé000000000001"), true);
    check(PARENT, (1 << 48) - 1, id("3e9b1f60-7c55-4a0e-9d2f-ffffffffffff"), true);
    check(PARENT, 1 << 48, refusal(), true);
    check(PARENT, 1 << 48, id("3e9b1f60-7c55-4a0e-9d2f-1000000000000"), false);
    check(PARENT, u64::MAX, id("3e9b1f60-7c55-4a0e-9d2f-ffffffffffff"), false);
    assert!(judge_derived("id/derived-form", &derived("u1", &[1, 2], &[id("u1000000000001")])).is_broken());
    let nothing = judge_derived("id/derived-form", &derived("u1", &[], &[]));
    assert!(matches!(nothing, Verdict::NotApplicable(_)));
}

#[test]
fn derived_ids_are_asked_for_twice() {
    let rule = "id/derived-deterministic";
    let same = derived("u1", &[1, 1 << 50], &[id("x"), refusal()]);
    assert_eq!(judge_derived(rule, &same), Verdict::Holds);
    assert!(judge_derived(rule, &Derived { again: vec![id("y"), refusal()], ..same.clone() }).is_broken());
    assert!(judge_derived(rule, &Derived { again: vec![id("x")], ..same }).is_broken());
    assert!(matches!(judge_derived(rule, &derived("u1", &[], &[])), Verdict::NotApplicable(_)));
}

#[test]
fn derived_ids_differ_by_index() {
    let rule = "id/derived-injective";
    assert_eq!(judge_derived(rule, &derived("u", &[1, 2, 1], &[id("x"), id("y"), id("x")])), Verdict::Holds);
    assert!(judge_derived(rule, &derived("u", &[1, 2], &[id("x"), id("x")])).is_broken());
    let same = judge_derived(rule, &derived("u", &[1, 1], &[id("x"), id("x")]));
    assert!(matches!(same, Verdict::NotApplicable(_)));
    let refused = judge_derived(rule, &derived("u", &[1, 1 << 50], &[id("x"), refusal()]));
    assert!(matches!(refused, Verdict::NotApplicable(_)));
}

#[test]
fn short_ids_have_their_form() {
    let judge = |uuid: &str, answer: Answer, again: Answer| {
        let Judge::ShortId(judge) = find("id/short-form").expect("a rule").judge else { panic!("no judge") };
        judge(&Shortened { uuid: uuid.to_owned(), answer, again })
    };
    let check = |uuid: &str, answer: Answer, holds: bool| {
        let verdict = judge(uuid, answer.clone(), answer);
        assert_eq!(verdict == Verdict::Holds, holds, "{uuid}: {verdict:?}");
    };
    check("ffffffff-ffff-4fff-8fff-ffffffffffff", id("e13wu1"), true);
    check("FFFFFFFF-FF", id("e13wu1"), true);
    check("ffffffff-ffff-4fff-8fff-ffffffffffff", id("3wu1rj"), false);
    check("00000000-0000-4000-8000-000000000000", id("0"), true);
    check("00000000-2400-4000-8000-000000000000", id("10"), true);
    check("00000000-2400-4000-8000-000000000000", id("000010"), false);
    check("12345678-9", refusal(), true);
    check("12345678-9", id("0"), false);
    check("ffffffff-ffff-4fff-8fff-ffffffffffff", refusal(), false);
    assert!(judge("00000000-00", id("0"), id("1")).is_broken());
    assert!(matches!(judge("msg-0123456789", refusal(), refusal()), Verdict::NotApplicable(_)));
}

/// Any record over small pools of ids.
fn any_record() -> impl Strategy<Value = Value> {
    let pick = |pool: &'static [&'static str]| prop::sample::select(pool);
    let head = (pick(&["user", "assistant", "system", "progress", "summary"]), 0..12_u32, 0..14_u32);
    let tail = (pick(&["s1", "s2", "s3"]), pick(&["", "x", "y"]), pick(&["t1", "t2", "t3", "t4"]), 0..32_u32);
    (head, tail).prop_map(|((kind, uuid, parent), (session, agent, call, bits))| {
        let parent = match parent {
            0 => Value::Null,
            n => json!(format!("u{n}")),
        };
        let content = if bits & 1 == 0 { "a" } else { PLACEHOLDER };
        let block = match kind {
            "assistant" => json!({"type": "tool_use", "id": call}),
            _ => json!({"type": "tool_result", "tool_use_id": call, "content": content}),
        };
        let mut record = json!({"type": kind, "uuid": format!("u{uuid}"), "parentUuid": parent,
            "sessionId": session, "message": {"id": format!("msg_{}", bits & 3), "content": [block]}});
        if bits & 4 != 0 {
            record["sourceToolAssistantUUID"] = json!(format!("u{}", bits % 12));
        }
        if !agent.is_empty() {
            record["isSidechain"] = json!(true);
            record["agentId"] = json!(agent);
        }
        if kind == "system" && bits & 8 != 0 {
            record["subtype"] = json!("compact_boundary");
            record["compactMetadata"] = json!({"preservedSegment": {"headUuid": "u1", "anchorUuid": "u2",
                "tailUuid": "u3"}, "preservedMessages": {"anchorUuid": "u4", "uuids": ["u5", "u6"]}});
        }
        record
    })
}

/// The facts of the records, gathered in parts that end before these positions.
fn facts_in_parts(records: &[Value], cuts: &[usize]) -> Facts {
    let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut % (records.len() + 1)).collect();
    cuts.sort_unstable();
    cuts.push(records.len());
    let (mut facts, mut from) = (Facts::new(), 0);
    for to in cuts {
        let mut part = Facts::new();
        for (index, record) in records.iter().enumerate().take(to).skip(from) {
            push(&mut part, (index - from) as u64 + 1, (index as u64 + 1) * 100, record);
        }
        facts.append(part, from as u64);
        from = to;
    }
    facts
}

/// The line of a violation that is about a record.
fn line_of(violation: &Violation) -> u64 {
    match violation.place {
        Place::Record { line, .. } => line,
        _ => 0,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn facts_joined_from_parts_are_judged_as_facts_gathered_at_once(
        records in prop::collection::vec(any_record(), 0..24),
        cuts in prop::collection::vec(0..100_usize, 0..5),
    ) {
        let whole = judge_all(&facts_of(&records));
        prop_assert_eq!(judge_all(&facts_in_parts(&records, &cuts)), whole);
    }

    #[test]
    fn violations_come_in_file_order(records in prop::collection::vec(any_record(), 0..24)) {
        let facts = facts_of(&records);
        for rule in family_rules() {
            prop_assert!(judge(rule, &facts).is_sorted_by_key(line_of), "{}", rule.id);
        }
    }
}

#[test]
fn many_records_are_judged_in_linear_time() {
    let mut facts = Facts::new();
    let mut add = |line: u64, record: Value| push(&mut facts, line, line * 100, &record);
    let count = 200_000_u64;
    for line in 1..=count {
        let (uuid, parent) = (format!("u{line}"), format!("u{}", line - 1));
        let parent = if line == 1 { "u100000" } else { &parent };
        let call = format!("t{}", line / 2);
        add(
            line,
            match line % 4 {
                0 => reply(&uuid, parent, "msg_1", &[&call]),
                1 => results(&uuid, parent, &[&call]),
                2 => record("attachment", &uuid, "u1"),
                _ => {
                    let segment = json!({"headUuid": "u3", "anchorUuid": "u1", "tailUuid": parent});
                    let metadata = json!({ "preservedSegment": segment });
                    json!({"type": "system", "subtype": "compact_boundary", "uuid": uuid,
                        "parentUuid": parent, "compactMetadata": metadata})
                }
            },
        );
    }
    assert!(!judge_all(&facts).is_empty());
}
