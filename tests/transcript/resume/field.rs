//! Cases from the field that concern chains, resumes and compactions. Numbers are issues of
//! anthropics/claude-code unless another repository is named; versions are those of its change log.

use super::*;

/// The uuids of a file that is more than lines of records.
fn uuids_of(bytes: &[u8]) -> String {
    resumed(bytes, &ResumeOptions::default()).unwrap().0
}

#[test]
fn parents_that_were_never_written_cost_nothing_21617_22526_22107_24304_58554_2_1_91() {
    let lines: Vec<Line> = (0..200)
        .map(|at| {
            let parent = if at % 9 == 5 { format!("lost{at}") } else { format!("u{}", at - 1) };
            user(&format!("u{at}"), if at == 0 { "-" } else { &parent })
        })
        .collect();
    assert_eq!(uuids(&lines).split(' ').count(), 200);
    assert_eq!(note_kinds(&lines), vec!["bridged"; 22]);
}

#[test]
fn a_snapshot_with_the_next_messages_uuid_is_no_message_24304() {
    let snapshot = line("file-history-snapshot", "x", "?").without("uuid").with("messageId", "u2");
    assert_eq!(uuids(&[user("u1", "-"), snapshot, user("u2", "u1")]), "u1 u2");
}

#[test]
fn a_reply_whose_middle_line_is_absent_hangs_together_21751() {
    let lines = session("user u1 -; assistant a1 u1 m1; call a3 a2 m1 t1; results r1 a3 t1");
    assert_eq!(uuids(&lines), "u1 a1 a3 r1");
}

#[test]
fn a_retry_that_succeeded_is_not_lost_to_its_errors_83460() {
    let lines = session(
        "user u1 -; system e1 u1 subtype=api_error; system e2 e1 subtype=api_error; assistant a1 u1 m1; user u2 e2; \
         assistant a2 u2 m2",
    );
    assert_eq!(uuids(&lines), "u1 e1 e2 a1 u2 a2");
    assert_eq!(only_note(&lines), NoteKind::PutBack { count: 1, after: 1 });
}

#[test]
fn a_reply_beside_a_stop_hook_summary_is_not_lost_88597() {
    let lines = session("user p -; assistant a p m1; notice s p; user u s");
    assert_eq!(uuids(&lines), "p a s u");
}

#[test]
fn hook_progress_makes_parasitic_forks_that_are_walked_through_35024_38575_2_1_83() {
    let lines = session(
        "user u1 -; call a1 u1 m1 t1; progress p1 a1; progress p2 p1; results r1 p1 t1; attachment x1 p2; \
         assistant a2 r1 m2",
    );
    assert_eq!(uuids(&lines), "u1 a1 r1 x1 a2");
}

#[test]
fn progress_flushed_late_does_not_win_33651() {
    let lines = session(
        "user u1 -; call a1 u1 m1 t1; results r1 a1 t1; assistant a2 r1 m2; \
         progress p1 a1 timestamp=2099-01-01T00:00:00.000Z; progress p2 p1 timestamp=2099-01-01T00:00:01.000Z",
    );
    assert_eq!(uuids(&lines), "u1 a1 r1 a2");
}

#[test]
fn attachments_are_links_of_a_subagents_chain_bytepioneer_ai_codex_host_171() {
    let lines = session(
        "user u1 - agent=x; attachment h1 u1 agent=x; \
         assistant a1 h1 m1 agent=x; attachment h2 a1 agent=x; \
         user u2 h2 agent=x",
    );
    let options = ResumeOptions { agent: Some("x".into()) };
    assert_eq!(resumed(&file(&lines), &options).unwrap().0, "u1 h1 a1 h2 u2");
}

#[test]
fn spliced_glued_and_padded_records_come_back_81843_49876_76059_50347_2_1_121() {
    let [u1, a1, u2, a2] =
        [user("u1", "-"), assistant("a1", "u1", "m1"), user("u2", "a1"), assistant("a2", "u2", "m2")]
            .map(|line| line.0.to_string());
    assert_eq!(uuids_of(format!("{u1}{a1}\n{u2}\n{a2}\n").as_bytes()), "u1 a1 u2 a2");
    // Cut short in the middle of a line: the whole record after it counts, and its gap is bridged.
    let torn = &a1[..a1.len() / 2];
    assert_eq!(uuids_of(format!("{u1}\n{torn}{u2}\n{a2}\n").as_bytes()), "u1 u2 a2");
    let nul = "\0".repeat(4096);
    assert_eq!(uuids_of(format!("{u1}\n{nul}\n{a1}{nul}\n{u2}\n{a2}\n{nul}").as_bytes()), "u1 a1 u2 a2");
    assert_eq!(uuids_of(format!("{u1}\ngarbage\n{a1}\n").as_bytes()), "u1 a1");
}

#[test]
fn a_line_cut_inside_a_signature_and_times_that_run_backwards_do_no_harm_20992() {
    let late = user("u2", "a1").with("timestamp", "2020-01-01T00:00:00.000Z").0;
    let torn =
        r#"{"type":"assistant","uuid":"a1","parentUuid":"u1","message":{"content":[{"type":"thinking","signature":"Eq"#;
    let head = user("u1", "-").with("sessionId", "s1").0;
    assert_eq!(uuids_of(format!("{head}\n{torn}\n{late}\n").as_bytes()), "u1 u2");
}

#[test]
fn a_missing_result_of_several_leaves_the_others_45286() {
    let lines = session(
        "user u1 -; call a1 u1 m1 t1; call a2 a1 m1 t2; call a3 a2 m1 t3; results r1 a1 t1; results r3 a3 t3; \
         assistant b r3 m2",
    );
    assert_eq!(uuids(&lines), "u1 a1 a2 a3 r1 r3 b");
}

#[test]
fn records_of_another_session_are_another_branch_26964_29342() {
    let lines =
        session("user u1 -; user x1 - sessionId=s2; assistant a1 u1 m1; assistant x2 x1 m2 sessionId=s2; user u2 a1");
    assert_eq!(uuids(&lines), "u1 a1 u2");
}

#[test]
fn a_torn_tail_is_left_out_and_what_is_appended_after_it_comes_back_53821() {
    let (u1, a1, u2) = (user("u1", "-").0, assistant("a1", "u1", "m1").0.to_string(), user("u2", "u1").0);
    let torn = &a1[..a1.len() - 9];
    assert_eq!(uuids_of(format!("{u1}\n{torn}").as_bytes()), "u1");
    assert_eq!(uuids_of(format!("{u1}\n{torn}\n{u2}\n").as_bytes()), "u1 u2");
    assert_eq!(uuids_of(format!("{u1}\n{torn}{u2}\n").as_bytes()), "u1 u2");
}

#[test]
fn line_separators_inside_strings_end_no_line_27472() {
    let mut result = results("r1", "a1", &["t1"]);
    result.0["toolUseResult"] = json!("one\u{2028}two\u{2029}three\u{85}four");
    assert_eq!(uuids(&[user("u1", "-"), call("a1", "u1", "m1", "t1"), result]), "u1 a1 r1");
}

#[test]
fn a_result_whose_call_was_compacted_away_still_comes_back_8484_14173_40305() {
    let mut lines =
        session("user u1 -; call a1 u1 m1 t1; boundary b; compact_summary c b; results r1 c t1; assistant a2 r1 m2");
    lines[2] = boundary("b", json!({"trigger": "auto"}));
    assert_eq!(uuids(&lines), "b c r1 a2");
}

#[test]
fn a_last_turn_of_thinking_alone_comes_back_10199() {
    let mut thinking = assistant("a1", "u1", "m1");
    thinking.0["message"]["content"] = json!([{"type": "thinking", "thinking": "a", "signature": "s"}]);
    assert_eq!(uuids(&[user("u1", "-"), thinking]), "u1 a1");
}

#[test]
fn lines_of_a_reply_with_foreign_lines_between_stay_one_reply_19460_63155_2_1_47() {
    let lines = session(
        "user u1 -; assistant a1 u1 m1; user x1 - isSidechain; call a2 a1 m1 t1; progress p1 a2; call a3 a2 m1 t2; \
         results r1 a2 t1; results r2 a3 t2; assistant b r2 m2",
    );
    assert_eq!(uuids(&lines), "u1 a1 a2 a3 r1 r2 b");
}

#[test]
fn a_resume_does_not_undo_a_compaction_14462_tamaratran_fast_jev_compaction_89_2_1_20() {
    for metadata in [
        json!({"trigger": "auto", "preTokens": 7, "postTokens": 1, "cumulativeDroppedTokens": 6, "durationMs": 1}),
        json!({"preservedSegment": {"headUuid": "u1", "anchorUuid": "c", "tailUuid": "lost"}}),
        json!({"preservedSegment": {"headUuid": "lost", "anchorUuid": "c", "tailUuid": "u2"}}),
        json!({"preservedSegment": {"headUuid": "u2", "anchorUuid": "lost", "tailUuid": "u2"}}),
    ] {
        let lines = [user("u1", "-"), user("u2", "u1"), boundary("b", metadata), user("c", "b"), user("u3", "c")];
        assert_eq!(uuids(&lines), "b c u3");
    }
}

#[test]
fn a_boundary_whose_metadata_is_null_is_a_plain_one_omnigent_ai_omnigent_1957() {
    let lines = session("user u1 -; boundary b; user c b");
    assert_eq!(uuids(&lines), "b c");
    assert_eq!(uuids(&[user("u1", "-"), boundary("b", Value::Null).without("compactMetadata"), user("c", "b")]), "b c");
}

#[test]
fn existing_boundaries_are_respected_each_time_2_0_31() {
    let lines = session("user u1 -; boundary b1; user c1 b1; user u2 c1; boundary b2; user c2 b2");
    assert_eq!(uuids(&lines), "b2 c2");
}

#[test]
fn metadata_before_the_first_message_does_not_hide_it_62851_41616_45753_2168() {
    let side = line("pr-link", "x", "?").without("uuid").with("prNumber", 7);
    let mut lines = vec![side; 3_000];
    lines.extend(session("user u1 -; assistant a1 u1 m1"));
    assert_eq!(uuids(&lines), "u1 a1");
}

#[test]
fn a_run_that_produced_no_turn_says_why_there_is_nothing_2_1_187() {
    let queued = line("queue-operation", "x", "?").without("uuid").with("operation", "enqueue");
    assert_eq!(not_found(&[queued]), NotFound::SideRecordsOnly { records: 1 });
}

#[test]
fn a_conversation_that_starts_with_an_orphaned_result_comes_back_2_1_69() {
    let lines = session("results r1 lost t0; assistant a1 r1 m1; user u1 a1");
    assert_eq!(uuids(&lines), "r1 a1 u1");
}

#[test]
fn circles_and_messages_that_name_themselves_end_2_1_30_2_1_108() {
    assert_eq!(uuids(&session("user u1 a1; assistant a1 u1 m1; user u2 a1")), "u1 a1 u2");
    assert_eq!(uuids(&session("user u1 -; assistant a1 a1 m1; user u2 a1")), "u1 a1 u2");
}

#[test]
fn subagents_in_the_file_do_not_cut_the_session_2_1_78() {
    let lines = session(
        "user u1 -; call a1 u1 m1 t1; user x1 a1 agent=x; assistant x2 x1 m2 agent=x; \
         results r1 a1 t1; user x3 x2 agent=x",
    );
    assert_eq!(uuids(&lines), "u1 a1 r1");
}

#[test]
fn parallel_results_come_back_2_1_80_31330_37779() {
    let lines =
        session("user u1 -; call a3 u1 m1 t1; call a4 a3 m1 t2; results r2 a4 t2; results r1 a3 t1; assistant b r1 m2");
    assert_eq!(uuids(&lines), "u1 a3 a4 r2 r1 b");
}

#[test]
fn a_dead_end_of_notices_does_not_anchor_the_conversation_2_1_101() {
    let lines = session("user u1 -; assistant a1 u1 m1; notice d1 -; notice d2 d1; user d3 d2 isMeta");
    assert_eq!(uuids(&lines), "u1 a1");
}

#[test]
fn repeated_uuids_of_a_real_file_stand_once_66947_48936_56196_5034() {
    let lines = session("user u1 -; assistant a1 u1 m1; assistant a1 u1 m1 requestId=req_1; user u2 a1");
    assert_eq!(uuids(&lines), "u1 a1 u2");
    assert_eq!(only_note(&lines), NoteKind::RepeatedUuid { standing: 3 });
}

#[test]
fn notices_without_a_subtype_are_links_of_the_chain() {
    let bare = line("system", "s1", "u1").with("level", "info").with("content", "a");
    assert_eq!(uuids(&[user("u1", "-"), bare, assistant("a1", "s1", "m1")]), "u1 s1 a1");
}
