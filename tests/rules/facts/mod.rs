//! The rules on transcripts (`chain/*`, `id/*`, `tool/*`, `message/*`) and on made ids: each is broken by its example
//! and holds for a near miss.

mod chain;
mod generated;
mod graphs;
mod made_ids;
mod message;
mod tool;

use serde_json::{Value, json};
use turnproof_rules::rules::{
    CATALOGUE, Content, Facts, Judge, Link, MessageFacts, Place, Preserved, RecordFacts, ResultFacts, Rule, Severity,
    Verdict, Violation, find,
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
    let texts: Vec<(u32, &str)> = blocks()
        .filter(|(_, block)| block["type"] == "text")
        .filter_map(|(index, block)| Some((index, block["text"].as_str()?)))
        .collect();
    let body = &record["message"];
    let usage = body["usage"].is_object().then(|| body["usage"].to_string());
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
        message: MessageFacts {
            time: text("timestamp").or(text("createdAt")),
            role: body["role"].as_str(),
            content: match &body["content"] {
                Value::String(text) => Content::Text(text),
                Value::Array(blocks) => Content::List { is_empty: blocks.is_empty() },
                _ => Content::Missing,
            },
            texts: &texts,
            is_virtual: record["isVirtual"] == true,
            is_compact_summary: record["isCompactSummary"] == true,
            request: text("requestId"),
            model: body["model"].as_str(),
            usage: usage.as_deref().map(str::as_bytes),
        },
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
    judge(find(rule).expect(rule), &facts_of(records)).iter().map(|v| v.found.to_string() + "\n").collect()
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
    CATALOGUE.iter().copied().filter(|rule| ["chain", "id", "tool", "message"].contains(&rule.family()))
}

#[test]
fn the_families_are_complete() {
    let count = |family| family_rules().filter(|rule| rule.family() == family).count();
    assert_eq!((count("chain"), count("id"), count("tool"), count("message")), (9, 5, 7, 11));
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
            _ => broken(turnproof_rules::rules::judge_json(rule, example).expect(rule.id)),
        }
    }
}

#[test]
fn each_example_is_whole_lines_and_each_doc_explains() {
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
    // The ids are short here, and there are no times.
    let own = judge_all(&facts_of(&records)).into_iter().filter(|violation| !violation.rule.starts_with("message/"));
    assert_eq!(own.collect::<Vec<_>>(), []);
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
        ("chain/session-matches-file", vec![with(prompt("u1", ""), "sessionId", json!("s1")), prompt("u2", "u1")]),
        (
            "chain/sidechain-separate",
            vec![
                with(prompt("u1", ""), "isSidechain", json!(true)),
                with(with(prompt("u2", "u1"), "isSidechain", json!(true)), "agentId", json!("x")),
            ],
        ),
        (
            "chain/sidechain-separate",
            vec![with(prompt("u1", ""), "agentId", json!("x")), with(prompt("u2", "u1"), "agentId", json!("y"))],
        ),
        ("chain/boundary-starts-segment", vec![prompt("u3", ""), boundary(json!({}))]),
        ("chain/boundary-starts-segment", vec![with(record("system", "s", "u"), "subtype", json!("api_error"))]),
        ("chain/preserved-segment", vec![boundary(Value::Null)]),
        ("id/unique", vec![prompt("u1", ""), prompt("u2", "u1"), json!({"type": "summary"})]),
        ("tool/result-has-call", vec![results("r1", "", &["t1"]), call()]),
        ("tool/call-answered", vec![call(), results("r1", "a1", &["t1"])]),
        ("tool/unique-call-id", vec![call(), call()]),
        ("tool/unique-call-id", vec![reply("a1", "", "msg_1", &["t1", "t2"])]),
        ("tool/single-result", vec![call(), results("r1", "a1", &["t1"]), results("r1", "a1", &["t1"])]),
        ("tool/dual", vec![call(), results("r1", "a1", &["t1"])]),
        ("tool/dual", vec![with(without(results("r1", "", &["t1"]), "toolUseResult"), "isSidechain", json!(true))]),
        ("tool/source", vec![call(), results("r1", "a1", &["t1"])]),
        ("tool/source", vec![call(), with(results("r1", "a1", &["t1"]), "sourceToolAssistantUUID", json!("a1"))]),
        ("tool/placeholder-marked", vec![call(), results("r1", "a1", &["t1"])]),
    ];
    for (rule, records) in near {
        assert_eq!(broken_lines(rule, &records), [] as [u64; 0], "{rule}");
    }
}
