//! Boundaries: where the path begins, and what they preserve.

use turnproof_reference::transcript::resume::Missing;

use super::*;

/// u1 a1 u2 a2 before a boundary b, its summary c, and u3 after it.
fn compacted(metadata: Value, next: &str) -> Vec<Line> {
    let after = session(&format!("compact_summary c b; user u3 {next}"));
    let before = session("user u1 -; assistant a1 u1 m1; user u2 a1; assistant a2 u2 m2");
    [before, vec![boundary("b", metadata)], after].concat()
}

#[test]
fn nothing_before_the_last_boundary_comes_back() {
    for metadata in [json!({"trigger": "auto"}), Value::Null, json!(7)] {
        let lines = compacted(metadata, "c");
        assert_eq!(uuids(&lines), "b c u3");
        assert_eq!(only_note(&lines), NoteKind::BeforeBoundary { count: 4 });
    }
}

#[test]
fn a_boundary_with_a_parent_still_begins_the_conversation() {
    let mut lines = compacted(Value::Null, "c");
    lines[4] = boundary("b", Value::Null).with("parentUuid", "a2");
    assert_eq!(uuids(&lines), "b c u3");
    lines[4] = boundary("b", Value::Null).without("parentUuid");
    assert_eq!(uuids(&lines), "b c u3");
}

#[test]
fn a_virtual_boundary_is_not_a_boundary() {
    let mut lines = compacted(Value::Null, "c");
    lines[4] = boundary("b", Value::Null).with("parentUuid", "a2").with("isVirtual", true);
    assert_eq!(uuids(&lines), "u1 a1 u2 a2 c u3");
}

#[test]
fn a_preserved_segment_comes_back_after_its_anchor() {
    for next in ["c", "a2"] {
        let lines = compacted(segment("u2", "c", "a2"), next);
        assert_eq!(uuids(&lines), "b c u2 a2 u3", "{next}");
        assert_eq!(note_kinds(&lines), ["relinked", "before-boundary"]);
        assert!(notes(&lines)[0].ends_with("preserves 2 records; they were put after line 6"));
    }
    assert_eq!(uuids(&compacted(segment("u2", "b", "a2"), "c")), "b u2 a2 c u3");
}

#[test]
fn preserved_messages_come_back_after_their_anchor() {
    let lines = compacted(messages("c", &["u1", "a2"], &["u1", "a2"]), "c");
    assert_eq!(uuids(&lines), "b c u1 a2 u3");
    assert_eq!(uuids(&compacted(messages("b", &["a2"], &[]), "c")), "b a2 c u3");
}

#[test]
fn preserved_messages_count_before_a_segment_even_where_they_fail() {
    let mut metadata = segment("u2", "c", "a2");
    metadata["preservedMessages"] = messages("c", &["a2"], &[])["preservedMessages"].clone();
    assert_eq!(uuids(&compacted(metadata.clone(), "c")), "b c a2 u3");
    metadata["preservedMessages"] = json!({});
    assert_eq!(uuids(&compacted(metadata.clone(), "c")), "b c u3");
    metadata["preservedMessages"] = json!([]);
    assert_eq!(uuids(&compacted(metadata, "c")), "b c u2 a2 u3");
}

#[test]
fn a_missing_part_falls_back_to_the_plain_boundary_and_is_reported() {
    let cases = [
        (segment("lost", "c", "a2"), Missing::Head),
        (segment("u2", "lost", "a2"), Missing::Anchor),
        (segment("u2", "c", "lost"), Missing::Tail),
        (segment("a2", "c", "u2"), Missing::Walk),
        (segment("u2", "a1", "a2"), Missing::Anchor),
        (json!({"preservedSegment": {}}), Missing::Head),
        (messages("c", &["u2", "lost"], &[]), Missing::Messages { missing: 1, named: 2 }),
        (messages("c", &["u2", "u2"], &[]), Missing::List),
        (messages("c", &[], &[]), Missing::List),
        (messages("c", &["u2", "c"], &[]), Missing::Anchor),
        (json!({"preservedMessages": {"anchorUuid": "c", "uuids": ["u2", 7]}}), Missing::List),
        (json!({"preservedMessages": {"anchorUuid": "c", "uuids": "u2"}}), Missing::List),
        (json!({"preservedMessages": {"uuids": ["u2"]}}), Missing::Anchor),
        (messages("c", &["u2", "b"], &[]), Missing::Itself),
    ];
    for (metadata, what) in cases {
        let lines = compacted(metadata.clone(), "c");
        assert_eq!(uuids(&lines), "b c u3", "{metadata}");
        let resume = resumed(&file(&lines), &ResumeOptions::default()).unwrap().1;
        assert_eq!(resume.notes[0].kind, NoteKind::PreservedMissing { what }, "{metadata}");
    }
}

#[test]
fn progress_inside_a_segment_is_left_out() {
    let mut lines = compacted(segment("u2", "c", "a2"), "c");
    lines[3] = assistant("a2", "p1", "m2");
    lines.insert(3, progress("p1", "u2"));
    assert_eq!(uuids(&lines), "b c u2 a2 u3");
}

#[test]
fn a_segment_whose_walk_runs_in_a_circle_fails() {
    let mut lines = compacted(segment("u1", "c", "a2"), "c");
    lines[2] = user("u2", "a2");
    assert_eq!(uuids(&lines), "b c u3");
    assert!(notes(&lines)[0].contains("do not lead to its head"), "{:?}", notes(&lines));
}

#[test]
fn a_tail_that_is_written_again_after_the_boundary_is_found_before_it() {
    let mut lines = compacted(segment("u2", "c", "a2"), "a2");
    lines.insert(6, assistant("a2", "c", "m2"));
    assert_eq!(uuids(&lines), "b c u2 a2 u3");
    assert_eq!(note_kinds(&lines)[0], "repeated-uuid");
}

#[test]
fn only_the_last_boundary_counts_and_an_older_one_can_be_preserved_from() {
    let mut lines = compacted(segment("u2", "c", "a2"), "c");
    lines.extend(session("assistant a3 u3 m3; boundary b2 keeps=c2,a2,u3,a3; compact_summary c2 b2; user u4 c2"));
    assert_eq!(uuids(&lines), "b2 c2 a2 u3 a3 u4");
}

#[test]
fn two_boundaries_with_one_anchor_relink_one_after_the_other() {
    // The second puts its message between the anchor and what hangs on it by then.
    let lines = session(
        "user u1 -; user u2 u1; boundary b keeps=c,u1; boundary b2 keeps=c,u2; compact_summary c b2; \
         user u3 c",
    );
    // u3 hangs on u1 since the first boundary; u1 lies before the second one and stays under the anchor.
    assert_eq!(uuids(&lines), "b2 c u1 u3");
    let chained = session(
        "user u1 -; user u2 u1; boundary b keeps=c,u1; boundary b2 keeps=c,x; compact_summary c b2; \
         user x u2; user u3 c",
    );
    assert_eq!(uuids(&chained), "b2 c u1 u3");
}

#[test]
fn a_listed_message_after_the_boundary_moves_with_later_boundaries() {
    let lines =
        session("boundary b keeps=c,x; boundary b2 keeps=c,y; compact_summary c b2; user y -; user x -; user u3 c");
    // First x comes under c and u3 under x; then y comes under c and x, which hung on c, under y.
    assert_eq!(uuids(&lines), "b2 c y x u3");
}

#[test]
fn lines_of_a_reply_before_the_boundary_come_back_only_where_they_are_preserved() {
    for (preserved, back) in [
        ("keeps=c,u1,a1,r1", "u1 a1 r1"),
        ("keeps=c,u1,a1,r1 all=u1,a1,a2,r2,r1", "u1 a1 a2 r2 r1"),
        ("segment=c,u1,r1", "u1 a1 a2 r2 r1"),
    ] {
        let lines = session(&format!(
            "user u1 -; call a1 u1 m1 t1; call a2 a1 m1 t2; results r2 a2 t2; results r1 a1 t1; boundary b {preserved}; \
             compact_summary c b; user u3 c"
        ));
        assert_eq!(uuids(&lines), format!("b c {back} u3"), "{preserved}");
    }
}

#[test]
fn what_was_compacted_away_behind_a_segment_does_not_come_back() {
    for (preserved, next, back) in [
        ("segment=c,u1,u1", "c", "b c u1 u2"),
        ("segment=b,u1,u1", "c", "b u1 c u2"),
        // The notice is not one beside the path, and the reply is not one that the notice pushed off it.
        ("segment=c,u1,s", "s", "b c u1 s u2"),
    ] {
        let lines = session(&format!(
            "user u1 -; notice s u1; assistant a1 s m1; boundary b {preserved}; compact_summary c b; user u2 {next}"
        ));
        assert_eq!(uuids(&lines), back, "{preserved}");
    }
}

#[test]
fn a_reply_that_a_notice_pushed_off_a_preserved_chain_comes_back_only_if_it_is_preserved_too() {
    for (preserved, back) in [
        ("keeps=b,u1,s", "b u1 s u2"),
        ("keeps=b,u1,s all=u1,a1,s", "b u1 a1 s u2"),
        ("segment=b,u1,s", "b u1 a1 a2 s u2"),
    ] {
        let lines = session(&format!(
            "user u1 -; assistant a1 u1 m1; assistant a2 a1 m2; notice s u1; boundary b {preserved}; user u2 s"
        ));
        assert_eq!(uuids(&lines), back, "{preserved}");
    }
}

#[test]
fn a_conversation_whose_beginning_is_kept_ends_where_the_kept_ends() {
    // What was summarized has what was kept as its parent: reply, prompt, notice.
    for away in ["assistant a r m2", "user u r", "notice s r"] {
        let lines = format!("user u1 -; call a1 u1 m1 t; results r a1 t; {away}; boundary b segment=b,u1,r");
        // The summary was never written, or nothing else was.
        assert_eq!(uuids(&session(&lines)), "b u1 a1 r", "{away}");
        assert_eq!(uuids(&session(&format!("{lines}; compact_summary c b"))), "b u1 a1 r c", "{away}");
    }
}

#[test]
fn what_goes_on_from_a_message_that_was_compacted_away_still_leads_to_the_boundary() {
    let kept = "user u1 -; assistant a1 u1 m1; user u2 a1; boundary b keeps=c,u1; compact_summary c b";
    assert_eq!(uuids(&session(&format!("{kept}; user u3 u2"))), "b c u1 a1 u2 u3");
    // A later boundary that keeps more counts.
    let twice = format!("{kept}; boundary b2 keeps=c2,u1,a1,u2; compact_summary c2 b2");
    assert_eq!(uuids(&session(&twice)), "b2 c2 u1 a1 u2");
}

#[test]
fn what_was_written_after_a_message_was_listed_hangs_where_it_says() {
    for (kept, next, back) in [
        // The first boundary put u1 behind c; the second one keeps c alone.
        ("c", "c", "b2 c u2"),
        ("c,u1", "u1", "b2 c u1 u2"),
        // What names another is moved as before.
        ("u1", "c", "b2 u1 u2"),
    ] {
        let lines = session(&format!(
            "user u1 -; boundary b keeps=c,u1; compact_summary c b; boundary b2 keeps=b2,{kept}; user u2 {next}"
        ));
        assert_eq!(uuids(&lines), back, "{kept}");
    }
    // So is what a boundary has put somewhere.
    let listed = session(
        "user u1 -; boundary b keeps=c,u1,x; compact_summary c b; boundary b2 keeps=b2,u1; \
         boundary b3 keeps=u1,y; user y -; user x u1; user u1 -",
    );
    assert_eq!(uuids(&listed), "b2 u1 y x");
}
