//! Calls, their results, and where these come from.

use serde_json::{Value, json};
use turnproof_rules::rules::{Place, find};

use super::{broken_lines, facts_of, judge, reply, results, text_of, with, without};

#[test]
fn repeated_calls_and_results_are_distinguished_from_repeated_records() {
    let twice = [reply("a1", "", "msg_1", &["t1", "t1"])];
    assert_eq!(broken_lines("tool/unique-call-id", &twice), [1]);
    let copies = [reply("a1", "", "m", &["t1"]), reply("a1", "", "m", &["t1"]), reply("a2", "", "m", &["t1"])];
    assert_eq!(broken_lines("tool/unique-call-id", &copies), [3]);
    let bare = || without(reply("a1", "", "m", &["t1"]), "uuid");
    assert_eq!(broken_lines("tool/unique-call-id", &[bare(), bare()]), [2]);
    let answered = [results("r1", "", &["t1", "t1"]), results("r2", "", &["t1"])];
    assert_eq!(broken_lines("tool/single-result", &answered), [1, 2]);
}

#[test]
fn a_source_holds_the_call() {
    let rule = "tool/source";
    let sourced =
        |source: &str, calls: &[&str]| with(results("r1", "", calls), "sourceToolAssistantUUID", json!(source));
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
