//! Part 5: replies that a notice pushed off the chain.

use super::*;

#[test]
fn a_delivered_reply_is_not_lost_to_a_sibling_notice() {
    let lines = session("user p -; assistant a p m1; notice s p; user u s");
    assert_eq!(uuids(&lines), "p a s u");
    assert_eq!(only_note(&lines), NoteKind::PutBack { count: 1, after: 1 });
    let swapped = session("user p -; notice s p; assistant a p m1; user u s");
    assert_eq!(uuids(&swapped), "p s a u");
}

#[test]
fn a_run_at_the_end_of_the_path_gets_its_reply_back_too() {
    // The prompt is the last leaf in the file, and a notice below it stands higher up.
    let lines = session("notice s p; assistant a p m1; user p -");
    assert_eq!(uuids(&lines), "p s a");
}

#[test]
fn with_a_reply_come_its_descendants_each_time_the_last() {
    let lines = session(
        "user p -; assistant a1 p m1; call a2 a1 m1 t1; notice x a1; progress g a2; results r g t1; notice s p; \
         user u s",
    );
    // At a1 the last child is x; a2 comes back with its reply, and the result with the call.
    assert_eq!(uuids(&lines), "p a1 a2 r x s u");
    let without =
        session("user p -; assistant a1 p m1; call a2 a1 m1 t1; progress g a2; results r g t1; notice s p; user u s");
    assert_eq!(uuids(&without), "p a1 a2 r s u");
    assert_eq!(note_kinds(&without), ["put-back", "passed-over"]);
}

#[test]
fn several_replies_come_back_in_file_order() {
    let lines = session(
        "user p -; assistant a1 p m1; notice s1 p; assistant a2 p m2; assistant a3 s1 m3; notice s2 s1; \
         assistant a4 s2 m4; user u s2",
    );
    assert_eq!(uuids(&lines), "p a1 s1 a2 a3 s2 a4 u");
}

#[test]
fn what_is_withdrawn_an_error_or_already_on_the_path_is_not_put_back() {
    let with = |a: Line, u: Line| [user("p", "-"), a, notice("s", "p"), u];
    let error = assistant("a", "p", "m1").with("isApiErrorMessage", true);
    assert_eq!(uuids(&with(error, user("u", "s"))), "p s u");
    let retracting = user("u", "s").with("retractedMessageUuids", json!(["a"]));
    assert_eq!(uuids(&with(assistant("a", "p", "m1"), retracting)), "p s u");
    // Another line of a reply on the path comes back in part 6, where it stands in the file.
    let lines = session("user p -; assistant a p m1; notice s p; user u s; assistant b u m1");
    assert_eq!(uuids(&lines), "p a s u b");
}

#[test]
fn a_reply_after_the_next_prompt_or_beside_a_result_was_left_on_purpose() {
    let late = session("user p -; notice s p; user u s; assistant a p m1; user v u");
    assert_eq!(uuids(&late), "p s u v");
    let answered = session("call p - m0 t1; assistant a p m1; notice s p; results r s t1");
    assert_eq!(uuids(&answered), "p s r");
    let replied = session("user p -; assistant a p m1; notice s p; assistant b s m2");
    assert_eq!(uuids(&replied), "p s b");
    let rewound = session("user p -; assistant a p m1; user u p");
    assert_eq!(uuids(&rewound), "p u");
}

#[test]
fn a_withdrawn_speaker_is_part_of_a_run() {
    let lines = session("user p -; assistant a p m1; assistant w p m2; user u w supersedesUuids=[w]");
    assert_eq!(uuids(&lines), "p a u");
}
