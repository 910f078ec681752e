//! Parts 3 and 4: where the conversation ends, and the path to there.

use super::*;

#[test]
fn the_leaf_that_comes_last_in_the_file_wins_whatever_the_time() {
    let lines = session(
        "user u1 - timestamp=2026-01-01T00:00:00.000Z; assistant a1 u1 m1 timestamp=2026-01-09T00:00:00.000Z; \
         assistant b1 u1 m2 timestamp=2026-01-02T00:00:00.000Z",
    );
    assert_eq!(uuids(&lines), "u1 b1");
    assert_eq!(only_note(&lines), NoteKind::OtherBranch { count: 1 });
}

#[test]
fn notices_below_an_old_speaker_do_not_make_its_branch_win() {
    let lines = session("user u1 -; assistant a1 u1 m1; assistant b1 u1 m2; notice s1 a1; progress p1 s1");
    assert_eq!(uuids(&lines), "u1 b1");
}

#[test]
fn of_terminals_with_one_leaf_a_participant_wins_and_then_the_last() {
    let lines = session("user u1 -; notice s1 u1; notice s2 u1; progress p1 u1");
    // The other notice comes back beside it (part 7).
    assert_eq!(uuids(&lines), "u1 s1 s2");
    let lines = session("user u1 -; progress p1 u1; progress p2 p1");
    assert_eq!(uuids(&lines), "u1");
}

#[test]
fn a_meta_message_is_a_leaf_only_where_there_is_no_other() {
    let lines = session("user u1 -; assistant a1 u1 m1; user u2 - isMeta");
    assert_eq!(uuids(&lines), "u1 a1");
    // Below a leaf it comes back as any participant does.
    assert_eq!(uuids(&session("user u1 -; user u2 u1 isMeta")), "u1 u2");
    assert_eq!(uuids(&session("user u1 - isMeta; user u2 u1 isMeta; user u3 u1 isMeta")), "u1 u3");
}

#[test]
fn without_any_terminal_the_last_speaker_ends_the_conversation() {
    // A bridge closes the circle again, so that each record is a parent.
    let lines = session("user u1 u3; notice s1 lost; assistant u3 s1 m1");
    assert_eq!(uuids(&lines), "u1 s1 u3");
    let meta = session("user u1 u3; notice s1 lost; assistant u3 s1 m1 isMeta");
    assert_eq!(uuids(&meta), "s1 u3 u1");
}

#[test]
fn a_record_whose_children_are_all_sidechains_is_a_terminal() {
    let lines = session("user u1 -; assistant a1 u1 m1; user x1 a1 isSidechain; notice s1 u1");
    assert_eq!(uuids(&lines), "u1 a1 s1");
}
