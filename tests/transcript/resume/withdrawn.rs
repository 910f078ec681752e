//! Part 1: what is withdrawn.

use super::*;

#[test]
fn what_a_later_record_supersedes_or_retracts_does_not_come_back() {
    let lines = session("user u1 -; assistant a1 u1 m1; assistant a2 a1 m9 supersedesUuids=[a1]");
    assert_eq!(uuids(&lines), "u1 a2");
    assert_eq!(only_note(&lines), NoteKind::Withdrawn { by: 3 });
    let retracted = "user u1 -; assistant a1 u1 m1; notice s1 a1 retractedMessageUuids=[a1]";
    assert_eq!(uuids(&session(retracted)), "u1 s1");
    // A list that holds anything but strings is missing as a whole.
    let odd = "user u1 -; assistant a1 u1 m1; notice s1 a1 retractedMessageUuids=[a1,7,null]";
    assert_eq!(uuids(&session(odd)), "u1 a1 s1");
}

#[test]
fn withdrawing_twice_the_unknown_or_what_comes_later_changes_nothing() {
    let lines = session(
        "user u1 -; assistant a1 u1 m9 supersedesUuids=[a1,a2,nobody]; \
         assistant a2 a1 m9 supersedesUuids=[nobody,nobody]; notice s1 a2 supersedesUuids=a1",
    );
    assert_eq!(uuids(&lines), "u1 a1 a2 s1");
    let twice = session(
        "user u1 -; assistant a1 u1 m1; assistant a2 a1 m9 supersedesUuids=[a1,a1]; \
         assistant a3 a2 m9 supersedesUuids=[a1]",
    );
    assert_eq!(uuids(&twice), "u1 a2 a3");
}

#[test]
fn a_record_without_uuid_and_one_that_does_not_stand_withdraw_too() {
    let lines = session(
        "user u1 -; assistant a1 u1 m1; user u2 a1; assistant a2 u2 m2; api_refusal ? ? retractedMessageUuids=[a2]; \
         assistant a3 a1 m9 supersedesUuids=[u2]; assistant a3 a1 m3",
    );
    assert_eq!(uuids(&lines), "u1 a1 a3");
}

#[test]
fn a_sidechain_withdraws_nothing_of_the_main_conversation() {
    let lines = session("user u1 -; assistant a1 u1 m1; assistant x1 a1 m9 supersedesUuids=[a1] isSidechain");
    assert_eq!(uuids(&lines), "u1 a1");
}

#[test]
fn results_alone_of_withdrawn_calls_are_withdrawn() {
    let head = session("user u1 -; call a1 u1 m1 t1; call a2 a1 m1 t2");
    let with = |result: Line| {
        let mut lines = head.to_vec();
        lines.extend([result, assistant("a3", "r1", "m9").with("supersedesUuids", json!(["a1"]))]);
        lines
    };
    let lines = with(results("r1", "a2", &["t1"]));
    assert_eq!(uuids(&lines), "u1 a2 a3");
    assert_eq!(note_kinds(&lines), ["withdrawn", "withdrawn-result"]);
    // One call stands, or there is more than results.
    assert_eq!(uuids(&with(results("r1", "a2", &["t1", "t2"]))), "u1 a2 r1 a3");
    let mut mixed = results("r1", "a2", &["t1"]);
    mixed.0["message"]["content"].as_array_mut().unwrap().push(json!({"type": "text", "text": "b"}));
    assert_eq!(uuids(&with(mixed)), "u1 a2 r1 a3");
    let mut odd = results("r1", "a2", &["t1"]);
    odd.0["message"]["content"].as_array_mut().unwrap().push(json!(7));
    assert_eq!(uuids(&with(odd)), "u1 a2 r1 a3");
}

#[test]
fn a_call_that_another_line_still_holds_keeps_its_result() {
    let lines = session("user u1 -; call a1 u1 m1 t1; call a2 a1 m2 t1 supersedesUuids=[a1]; results r1 a2 t1");
    assert_eq!(uuids(&lines), "u1 a2 r1");
}

#[test]
fn what_is_withdrawn_is_walked_through_and_is_no_leaf() {
    let lines = session("user u1 -; assistant a1 u1 m1; user u2 a1; notice s1 a1 retractedMessageUuids=[u2]");
    assert_eq!(uuids(&lines), "u1 a1 s1");
}
