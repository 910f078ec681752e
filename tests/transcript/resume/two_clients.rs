//! Parts 2 and 7: placeholders whose true results are in the file, and the turns of two clients.

use super::*;

/// A placeholder for the result of a call.
fn placeholder(uuid: &str, parent: &str, call: &str) -> Line {
    results(uuid, parent, &[call]).with("toolDenialKind", "interrupted")
}

/// A call that two clients answer: one with a placeholder, the other with the true result.
fn two_clients(last: &str) -> Vec<Line> {
    let mut lines = session("user u1 -; call a1 u1 m1 t1");
    lines.push(placeholder("p", "a1", "t1"));
    lines.extend(session("user b1 p; assistant b2 b1 m2; results r a1 t1; assistant a2 r m3"));
    lines.extend(session(last));
    lines
}

#[test]
fn the_true_result_wins_wherever_it_is_and_both_turns_come_back() {
    let lines = two_clients("user u2 a2");
    assert_eq!(uuids(&lines), "u1 a1 r b1 b2 a2 u2");
    assert_eq!(note_kinds(&lines), ["replaced", "turn-back"]);
    let other_way_round = two_clients("user u2 b2");
    assert_eq!(uuids(&other_way_round), "u1 a1 r a2 b1 b2 u2");
}

#[test]
fn a_placeholder_is_known_by_its_text_too() {
    for text in [
        "[Tool call interrupted: the session ended before this call's result was recorded.]",
        "[Tool result missing due to internal error]",
        "[Tool use interrupted]",
    ] {
        for content in [json!(text), json!([{"type": "text", "text": text}])] {
            let mut lines = session("user u1 -; call a1 u1 m1 t1; results p a1 t1; results r a1 t1; user u2 p");
            lines[2].0["message"]["content"][0]["content"] = content;
            assert_eq!(uuids(&lines), "u1 a1 r u2", "{text}");
        }
    }
}

#[test]
fn without_a_true_result_of_the_same_call_a_placeholder_stays() {
    let mut lines =
        session("user u1 -; call a1 u1 m1 t1; results p a1 t1; user u2 p; call a2 u2 m2 t1; results r a2 t1");
    lines[2] = placeholder("p", "a1", "t1");
    assert_eq!(uuids(&lines), "u1 a1 p u2 a2 r");
    let mut twice = session("user u1 -; call a1 u1 m1 t1; results p a1 t1; results q a1 t1; user u2 p");
    for line in &mut twice[2..4] {
        *line = line.clone().with("toolDenialKind", "interrupted");
    }
    assert_eq!(uuids(&twice), "u1 a1 p u2");
}

#[test]
fn a_true_result_stands_where_a_boundary_preserves_its_placeholder() {
    let mut lines =
        session("user u1 -; call a1 u1 m1 t1; results p a1 t1; results r a1 t1; boundary b; user c b; user u2 c");
    lines[2] = placeholder("p", "a1", "t1");
    lines[4] = boundary("b", messages("c", &["u1", "a1", "p"], &[]));
    assert_eq!(uuids(&lines), "b c u1 a1 r u2");
}
