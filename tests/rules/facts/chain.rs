//! Which record follows which, whose records they are, and what a compact boundary keeps.

use serde_json::{Value, json};
use turnproof_rules::rules::find;

use super::*;

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
        assert_eq!(broken_lines("chain/one-leaf", &records), if is_fork { vec![1] } else { vec![] }, "{name}");
    }
    let many: Vec<Value> = (0..7).map(|n| prompt(&format!("u{n}"), if n == 0 { "" } else { "u0" })).collect();
    let expected = "6 records follow this one, on lines 2, 3, 4, 5 and more\n";
    assert_eq!(text_of("chain/one-leaf", &many), expected);
    assert_eq!(text_of("chain/one-leaf", &many[..3]), "2 records follow this one, on lines 2 and 3\n");
}

#[test]
fn each_cycle_is_reported_once_at_its_first_record() {
    let tail = || [prompt("t1", "c1"), prompt("t2", "t1")];
    let ring = |length: usize| (1..=length).map(move |n| prompt(&format!("c{n}"), &format!("c{}", n % length + 1)));
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
    let found: Vec<String> = judge(find(rule).expect(rule), &facts).into_iter().map(|v| v.found.to_string()).collect();
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
fn the_first_message_of_a_subagents_file_goes_on_from_the_sessions_file_and_no_later_one_does() {
    let of =
        |uuid: &str, parent: &str| with(with(prompt(uuid, parent), "isSidechain", json!(true)), "agentId", json!("x"));
    let rule = "chain/parent-exists";
    assert!(broken_lines(rule, &[of("x1", "elsewhere"), of("x2", "x1")]).is_empty());
    assert_eq!(broken_lines(rule, &[of("x1", "elsewhere"), of("x2", "lost")]), [2]);
    assert_eq!(broken_lines(rule, &[of("x1", ""), of("x2", "lost")]), [2]);
    // In the session's file every parent is there.
    assert_eq!(broken_lines(rule, &[of("x1", "elsewhere"), prompt("u1", "")]), [1]);
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
