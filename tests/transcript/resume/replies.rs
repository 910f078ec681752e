//! Part 6: replies in one piece.

use super::*;

/// A reply of two calls whose results fan out, and the next reply on the result of the first.
fn parallel() -> Vec<Line> {
    session("user u1 -; call a1 u1 m1 t1; call a2 a1 m1 t2; results r2 a2 t2; results r1 a1 t1; assistant a3 r1 m2")
}

#[test]
fn every_parallel_call_and_result_comes_back() {
    assert_eq!(uuids(&parallel()), "u1 a1 a2 r2 r1 a3");
    assert_eq!(note_kinds(&parallel()), ["recovered", "recovered"]);
    assert_eq!(notes(&parallel())[0], "line 3 stands beside the chain; it was put back with its reply, after line 2");
}

#[test]
fn lines_come_before_results_and_both_in_file_order() {
    let lines = session(
        "user u1 -; call a1 u1 m1 t1; results r3 a1 t3; call a2 a1 m1 t2; call a3 a2 m1 t3; results r2 a1 t2; \
         results r1 a1 t1",
    );
    assert_eq!(uuids(&lines), "u1 a1 a2 a3 r3 r2 r1");
}

#[test]
fn a_second_result_for_an_answered_call_is_not_taken() {
    let mut lines = parallel();
    lines.insert(4, results("r2b", "a2", &["t2"]));
    lines.insert(5, results("r1b", "a1", &["t1"]));
    assert_eq!(uuids(&lines), "u1 a1 a2 r2 r1 a3");
    // One that answers something else besides is.
    lines[4] = results("r2b", "a2", &["t1", "t2"]);
    assert_eq!(uuids(&lines), "u1 a1 a2 r2 r1 a3");
    lines[1].0["message"]["content"].as_array_mut().unwrap().push(json!({"type": "tool_use", "id": "t4"}));
    lines[4] = results("r2b", "a2", &["t2", "t4"]);
    assert_eq!(uuids(&lines), "u1 a1 a2 r2 r2b r1 a3");
}

#[test]
fn a_reply_without_an_id_is_one_line_and_gets_its_result() {
    let lines = [
        user("u1", "-"),
        call("a1", "u1", "", "t1"),
        call("a2", "u1", "", "t2"),
        results("r1", "a1", &["t1"]),
        user("u2", "a1"),
    ];
    assert_eq!(uuids(&lines), "u1 a1 r1 u2");
}

#[test]
fn lines_of_a_reply_that_stand_apart_come_after_its_last_line() {
    let lines =
        session("user u1 -; assistant a1 u1 m1; notice s1 a1; assistant a2 s1 m1; assistant a3 a1 m1; user u2 a2");
    assert_eq!(uuids(&lines), "u1 a1 s1 a2 a3 u2");
}

#[test]
fn a_call_id_of_two_replies_gives_results_only_by_name() {
    for (result, back) in [
        ("r1 x1 t1", "u1 a1 x1 r1 u2"),
        ("r1 u1 t1", "u1 a1 x1 u2"),
        ("r1 u1 t1 sourceToolAssistantUUID=a1", "u1 a1 x1 r1 u2"),
        ("r1 u1 t1 sourceToolAssistantUUID=b1", "u1 a1 x1 u2"),
    ] {
        let lines = "user u1 -; call a1 u1 m1 t1; assistant x1 a1 m1; call b1 u1 m2 t1";
        assert_eq!(uuids(&session(&format!("{lines}; results {result}; user u2 x1"))), back, "{result}");
    }
}

#[test]
fn calls_of_two_replies_with_one_id_are_answered_each() {
    let lines =
        session("user u1 -; call a1 u1 m1 t1; call b1 a1 m2 t1; results r1 a1 t1; results r2 b1 t1; user u2 b1");
    assert_eq!(uuids(&lines), "u1 a1 r1 b1 r2 u2");
    // A second result of one of them is one too many.
    let lines =
        session("user u1 -; call a1 u1 m1 t1; call b1 a1 m2 t1; results r1 a1 t1; results r2 a1 t1; user u2 b1");
    assert_eq!(uuids(&lines), "u1 a1 r1 b1 u2");
}

#[test]
fn withdrawn_lines_and_results_do_not_come_with_their_reply() {
    let mut lines = parallel();
    lines.push(notice("s", "a3").with("retractedMessageUuids", json!(["a2"])));
    assert_eq!(uuids(&lines), "u1 a1 r1 a3 s");
}

#[test]
fn a_result_of_a_call_that_does_not_come_back_stays_away() {
    let mut lines = parallel();
    // More than results: it is not withdrawn with its call, and still has nothing to answer.
    lines[3].0["message"]["content"].as_array_mut().unwrap().push(json!({"type": "text", "text": "b"}));
    lines.push(notice("s", "a3").with("retractedMessageUuids", json!(["a2"])));
    assert_eq!(uuids(&lines), "u1 a1 r1 a3 s");
}

#[test]
fn a_reply_that_was_put_back_gets_its_results() {
    let lines = session("user p -; call a p m1 t1; notice s p; user u s; results r u t1; user v u");
    assert_eq!(uuids(&lines), "p a r s u v");
}
