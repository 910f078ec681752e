//! Part 2: parents, circles and gaps.

use super::*;

#[test]
fn a_parent_that_was_never_written_does_not_cut_off_what_came_before() {
    let lines = session("user u1 -; assistant a1 u1 m1; user u2 lost; assistant a2 u2 m2");
    assert_eq!(uuids(&lines), "u1 a1 u2 a2");
    assert_eq!(only_note(&lines), NoteKind::Bridged { is_named: true, to: Some(2) });
    assert_eq!(notes(&lines), ["line 3 names a parent that is not in the file; it was put after line 2"]);
}

#[test]
fn a_gap_is_bridged_within_its_session_alone() {
    let lines = session("user u1 -; user x1 - sessionId=s2; user u2 lost");
    assert_eq!(uuids(&lines), "u1 u2");
    let lines = session("user x1 - sessionId=s2; user u2 lost");
    assert_eq!(uuids(&lines), "u2");
    assert_eq!(note_kinds(&lines), ["other-branch", "bridged"]);
    let without = |line: Line| line.without("sessionId");
    let lines = [without(user("x1", "-")), user("u1", "-"), without(user("x2", "lost"))];
    assert_eq!(uuids(&lines), "x1 x2");
}

#[test]
fn a_parent_of_another_type_or_a_missing_one_is_a_gap() {
    for parent in [json!({"uuid": "u1"}), json!(["u1"]), json!(7), json!(true)] {
        let lines = [user("u1", "-"), assistant("a1", "?", "m1").with("parentUuid", parent)];
        assert_eq!(uuids(&lines), "u1 a1");
        assert_eq!(only_note(&lines), NoteKind::Bridged { is_named: false, to: Some(1) });
    }
    let lines = session("user u1 ?; assistant a1 ? m1");
    assert_eq!(notes(&lines), ["line 2 names no parent; it was put after line 1"]);
}

#[test]
fn a_bridge_goes_to_a_participant_whatever_branch_it_is_on() {
    let lines = session("user u1 -; assistant a1 u1 m1; assistant b1 u1 m2; progress p1 a1; user u2 lost");
    assert_eq!(uuids(&lines), "u1 b1 u2");
}

#[test]
fn a_parent_in_a_sidechain_is_a_gap() {
    let lines = session("user u1 -; user x1 u1 isSidechain; assistant a1 x1 m1");
    assert_eq!(uuids(&lines), "u1 a1");
}

#[test]
fn a_circle_is_cut_at_its_first_record_which_is_bridged() {
    let lines = session("user u1 -; user u2 a2; assistant a2 u2 m2; user u3 a2");
    assert_eq!(uuids(&lines), "u1 u2 a2 u3");
    assert_eq!(only_note(&lines), NoteKind::CircleCut { to: Some(1) });
    let alone = session("user u1 a1; assistant a1 u1 m1");
    assert_eq!(uuids(&alone), "u1 a1");
    assert_eq!(only_note(&alone), NoteKind::CircleCut { to: None });
}

#[test]
fn a_record_that_names_itself_is_a_circle_of_one() {
    let lines = session("user u1 -; assistant a1 a1 m1; user u2 a1");
    assert_eq!(uuids(&lines), "u1 a1 u2");
    assert_eq!(uuids(&[user("u1", "u1")]), "u1");
}

#[test]
fn two_circles_and_what_leads_into_them_end() {
    let lines = session("user a b; user b c; user c a; user d c; user e f; user f e; user g f");
    assert_eq!(uuids(&lines), "a c d e f g");
    assert_eq!(note_kinds(&lines), ["circle-cut", "other-branch", "circle-cut"]);
}

#[test]
fn a_parent_further_down_in_the_file_is_followed() {
    assert_eq!(uuids(&session("assistant a1 u1 m1; user u1 -")), "u1 a1");
}

#[test]
fn a_bridge_that_closes_a_circle_again_ends_the_walk() {
    // The gap is bridged to the record before it, whose parent is the gap's record.
    let lines = session("user u1 u2; user u2 lost");
    assert_eq!(uuids(&lines), "u1 u2");
}

#[test]
fn progress_in_the_chain_is_stepped_over() {
    let lines = session("user u1 -; progress p1 u1; progress p2 p1; assistant a1 p2 m1; progress p3 a1");
    assert_eq!(uuids(&lines), "u1 a1");
    let kind = only_note(&lines);
    assert_eq!(kind, NoteKind::PassedOver { count: 3 });
}
