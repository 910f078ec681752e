//! What a loop writes holds the rules on messages.

use serde_json::{Value, json};
use turnproof_rules::operation::Played;
use turnproof_rules::rules::Verdict;

use crate::families::judge;

const RULE: &str = "engine/sound-messages";

fn id(number: u32) -> Value {
    json!(format!("00000000-0000-4000-8000-{number:012}"))
}

fn prompt(number: u32) -> Value {
    json!({"type": "user", "uuid": id(number), "parentUuid": null, "timestamp": "2026-01-05T09:00:01.000Z",
        "message": {"role": "user", "content": "a"}})
}

/// A log that left these records.
fn leaving(records: &[Value]) -> Played {
    let lines: String = records.iter().map(|record| format!("{record}\n")).collect();
    Played { transcript: lines.into_bytes(), whole: true, ..Played::default() }
}

fn with(mut record: Value, name: &str, value: Value) -> Value {
    record[name] = value;
    record
}

#[test]
fn sound_lines_hold_and_infos_are_up_to_the_model() {
    assert_eq!(judge(RULE, &leaving(&[prompt(1), json!({"type": "summary"})])), Verdict::Holds);
    let blank = with(prompt(2), "message", json!({"role": "user", "content": [{"type": "text", "text": ""}]}));
    assert_eq!(judge(RULE, &leaving(&[with(prompt(1), "uuid", json!("u1")), blank])), Verdict::Holds);
}

#[test]
fn a_violation_names_the_rule_and_the_line() {
    let odd = [
        ("message/timestamp", with(prompt(2), "timestamp", json!("yesterday"))),
        ("message/has-uuid", with(prompt(2), "uuid", Value::Null)),
        ("message/not-virtual", with(prompt(2), "isVirtual", json!(true))),
        ("message/content-not-empty", with(prompt(2), "message", json!({"role": "user"}))),
        ("message/role-fits-type", with(prompt(2), "message", json!({"role": "tool", "content": "a"}))),
    ];
    for (rule, record) in odd {
        let verdict = judge(RULE, &leaving(&[prompt(1), record]));
        let Verdict::Broken(violations) = verdict else { panic!("{rule}: {verdict:?}") };
        assert_eq!(violations.len(), 1, "{violations:?}");
        let found = violations[0].found.to_string();
        assert!(found.starts_with(rule) && found.contains("line 2"), "{violations:?}");
    }
}

#[test]
fn lines_of_others_and_torn_ones_are_not_judged() {
    let odd = leaving(&[with(prompt(1), "timestamp", json!("yesterday"))]);
    assert!(matches!(judge(RULE, &Played { whole: false, ..odd }), Verdict::NotApplicable(_)));
    let mut torn = leaving(&[prompt(1)]);
    torn.transcript.extend_from_slice(br#"{"type":"user","uuid":"#);
    assert_eq!(judge(RULE, &torn), Verdict::Holds);
}
