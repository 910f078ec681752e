//! Facts of generated records.

use proptest::prelude::*;
use serde_json::{Value, json};
use turnproof_rules::rules::{Facts, Place, Violation};

use super::{PLACEHOLDER, facts_of, family_rules, judge, judge_all, push, record, reply, results};

/// Any record, with ids from small sets.
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
        let odd = ["", " ", "a"][(bits % 3) as usize];
        let block = if bits & 16 == 0 { block } else { json!({"type": "text", "text": odd}) };
        let mut record = json!({"type": kind, "uuid": format!("u{uuid}"), "parentUuid": parent,
            "sessionId": session, "message": {"id": format!("msg_{}", bits & 3), "content": [block]}});
        record["requestId"] = json!(format!("req_{}", bits & 2));
        record["isCompactSummary"] = json!(bits & 8 != 0);
        record["timestamp"] = json!(["2026-01-05T09:00:01Z", "yesterday"][(bits & 1) as usize]);
        if bits & 3 == 3 {
            record["isVirtual"] = json!(true);
            record["message"]["model"] = json!("<synthetic>");
            record["message"]["role"] = json!("user");
            record.as_object_mut().expect("an object").remove("uuid");
        }
        if bits & 7 == 6 {
            record["message"]["content"] = json!(odd);
        }
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
