//! A *verdict* on a session follows from its consequences: each class, and the facts that lead to it.

use turnproof::check::{Acceptance, Class, Foreign, Lost, Verdict, verdict, verdict_of_file};
use turnproof_reference::transcript::Transcript;

const USER: &str = r#"{"type":"user","uuid":"u1","parentUuid":null,"message":{"role":"user","content":"Hi."}}"#;
const REPLY: &str = r#"{"type":"assistant","uuid":"a1","parentUuid":"u1","message":{"id":"m1","role":"assistant","content":[{"type":"text","text":"Yes."}]}}"#;
const NEXT: &str = r#"{"type":"user","uuid":"u2","parentUuid":"a1","message":{"role":"user","content":"Go."}}"#;
const CALL: &str = r#"{"type":"assistant","uuid":"a2","parentUuid":"u2","message":{"id":"m2","role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Bash","input":{}}]}}"#;

/// The verdict on a file; the same whether it is read from memory or not.
fn judged(file: impl Into<Vec<u8>>) -> Verdict {
    let file = file.into();
    let read = verdict_of_file(std::io::Cursor::new(&file)).unwrap();
    assert_eq!(verdict(&Transcript::from_bytes(file)), read);
    read
}

fn lines(records: &[&str]) -> String {
    records.iter().map(|record| format!("{record}\n")).collect()
}

#[test]
fn a_session_that_every_reader_finds_and_the_api_takes_is_healthy() {
    let verdict = judged(lines(&[USER, REPLY, NEXT]));
    assert_eq!((verdict.class, verdict.comes_back, verdict.messages), (Class::Healthy, 3, 3));
    assert_eq!((verdict.acceptance.clone(), verdict.command("f")), (Acceptance::Accepted, None));
    assert_eq!(judged(lines(&[USER, REPLY, NEXT]).trim_end()).class, Class::Healthy, "a last line without LF is old");
}

#[test]
fn cr_before_the_end_of_lines_is_damage_that_a_repair_takes_out() {
    let verdict = judged(lines(&[USER, REPLY, NEXT]).replace('\n', "\r\n"));
    assert_eq!((verdict.class, verdict.comes_back, verdict.carriage_returns), (Class::Damaged, 3, 3), "{verdict}");
    assert!(verdict.is_mended() && verdict.to_string().contains("3 lines end with CR LF"), "{verdict}");
}

#[test]
fn messages_without_a_uuid_do_not_come_back_until_a_repair_gives_them_one() {
    let nameless = |line: &str| line.replacen(r#""uuid":"#, r#""was":"#, 1);
    let all = judged(lines(&[&nameless(USER), &nameless(REPLY)]));
    assert_eq!(
        (all.class, all.is_mended(), all.command("f").as_deref()),
        (Class::Unreadable, true, Some("turnproof repair f"))
    );
    let one = judged(lines(&[USER, REPLY, &nameless(NEXT)]));
    assert_eq!((one.class, one.broken["message/has-uuid"]), (Class::Damaged, 1), "{one}");
    assert!(one.to_string().ends_with("a repair mends what breaks message/has-uuid"), "{one}");
}

#[test]
fn a_block_that_only_a_newer_api_may_know_is_no_reason_to_call_a_session_refused() {
    let newer = CALL.replace(r#""input":{}"#, r#""input":{},"caller":{"type":"newer"}"#);
    let result = r#"{"type":"user","uuid":"r1","parentUuid":"a2","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"a"}]}}"#;
    let verdict = judged(lines(&[USER, REPLY, NEXT, &newer, result]));
    assert_eq!(verdict.class, Class::Healthy, "{verdict}");
}

#[test]
fn a_session_without_a_message_is_healthy_since_nothing_was_lost() {
    let verdict = judged("{\"type\":\"summary\",\"summary\":\"a\",\"leafUuid\":\"u1\"}\n");
    assert_eq!((verdict.class, verdict.comes_back), (Class::Healthy, 0));
}

#[test]
fn a_call_without_a_result_is_refused_with_the_error_of_the_api() {
    let verdict = judged(lines(&[USER, REPLY, NEXT, CALL]));
    assert_eq!((verdict.class, verdict.lost.results), (Class::Refused, 1));
    let Acceptance::Refused(refusals) = &verdict.acceptance else { panic!("{verdict}") };
    assert_eq!(refusals[0].rule, "tool/call-answered");
    assert!(refusals[0].error.contains("`tool_use` ids were found without `tool_result` blocks"), "{verdict}");
    assert_eq!(verdict.command("f").as_deref(), Some("turnproof repair f"));
}

#[test]
fn a_blank_text_is_refused_although_a_client_would_mend_it() {
    assert_eq!(judged(lines(&[USER, REPLY, &NEXT.replace("Go.", "  ")])).class, Class::Refused);
}

#[test]
fn a_reader_that_stops_at_a_gap_shows_what_stands_behind_it() {
    let verdict = judged(lines(&[USER, REPLY, &NEXT.replace("\"a1\"", "\"never written\"")]));
    assert_eq!((verdict.class, verdict.comes_back, verdict.without_bridges), (Class::Damaged, 3, 1));
    assert_eq!(verdict.lost, Lost { parents: 1, ..Lost::default() });
}

#[test]
fn what_readers_of_lines_do_not_find_is_damage_and_nothing_is_lost() {
    let marked = format!("\u{FEFF}{}", lines(&[USER, REPLY]));
    let glued = format!("{USER}{REPLY}\n");
    let nuls = format!("{USER}\n\0\0\0\0{REPLY}\n");
    for file in [marked, glued, nuls] {
        let verdict = judged(file);
        assert_eq!((verdict.class, verdict.comes_back, verdict.hidden), (Class::Damaged, 2, 1), "{verdict}");
        assert_eq!(verdict.lost, Lost::default());
    }
}

#[test]
fn a_circle_of_parents_is_damage() {
    let verdict = judged(lines(&[&USER.replace("null", "\"a1\""), REPLY, NEXT]));
    assert_eq!((verdict.class, verdict.comes_back, verdict.circles), (Class::Damaged, 3, 1));
}

#[test]
fn a_message_whose_uuid_stands_twice_comes_back_once() {
    let verdict = judged(lines(&[USER, REPLY, REPLY]));
    assert_eq!((verdict.class, verdict.comes_back, verdict.messages), (Class::Damaged, 2, 3));
}

#[test]
fn a_torn_end_says_how_many_bytes_are_lost() {
    let verdict = judged(lines(&[USER, REPLY]) + &NEXT[..40]);
    let lost = NEXT[..40].bytes().filter(|byte| !byte.is_ascii_whitespace()).count() as u64;
    assert_eq!((verdict.class, verdict.comes_back), (Class::Damaged, 2));
    assert_eq!(verdict.lost, Lost { ranges: 1, bytes: lost, ..Lost::default() });
}

#[test]
fn a_session_of_which_nothing_comes_back_is_unreadable() {
    assert_eq!(judged(vec![0; 500]).class, Class::Unreadable, "NULs alone");
    assert_eq!(judged(&USER[..40]).class, Class::Unreadable, "one torn record");
}

#[test]
fn what_is_no_session_says_what_it_is_and_has_lost_nothing() {
    assert_eq!(judged("").foreign, Some(Foreign::Empty));
    let verdict = judged("{\n  \"a\": 1\n}\n");
    assert_eq!((verdict.class, verdict.foreign), (Class::NotASession, Some(Foreign::Document)));
    assert_eq!(verdict.lost, Lost::default());
    assert_eq!(judged("hello\n").class, Class::NotASession);
}

#[test]
fn a_file_of_a_subagent_is_judged_by_its_own_conversation() {
    let of_agent = |record: &str| record.replacen('{', r#"{"isSidechain":true,"agentId":"abc","#, 1);
    let verdict = judged(lines(&[&of_agent(USER), &of_agent(REPLY)]));
    assert_eq!((verdict.class, verdict.comes_back), (Class::Healthy, 2));
}

#[test]
fn the_conversation_of_a_file_of_a_subagent_is_judged_and_sent_to_a_repair() {
    let of_agent = |record: &str| record.replacen('{', r#"{"isSidechain":true,"agentId":"abc","#, 1);
    let verdict = judged(lines(&[&of_agent(USER), &of_agent(REPLY), &of_agent(NEXT), &of_agent(CALL)]));
    assert_eq!((verdict.class, verdict.agent.as_deref()), (Class::Refused, Some("abc")));
    assert!(verdict.to_string().starts_with("refused: 4 of 4 messages of the subagent abc come back; "), "{verdict}");
    assert_eq!(verdict.command("f").as_deref(), Some("turnproof repair f"));
    assert_eq!(verdict.explaining("f"), "turnproof resume --agent abc --explain f");
}

#[test]
fn what_a_repair_does_not_mend_is_shown_and_not_sent_to_a_repair() {
    let block = r#"{"type":"text","text":"Go.","cache_control":{"type":"ephemeral"}}"#;
    let cached = NEXT.replace("\"Go.\"", &format!("[{}]", [block; 5].join(",")));
    let verdict = judged(lines(&[USER, REPLY, &cached]));
    assert_eq!((verdict.class, verdict.is_mended()), (Class::Refused, false), "{verdict}");
    assert_eq!(verdict.command("f").as_deref(), Some("turnproof resume --explain f"));
    // Damage beside it is repaired.
    let verdict = judged(format!("{USER}{REPLY}\n{cached}\n"));
    assert_eq!((verdict.class, verdict.command("f").as_deref()), (Class::Refused, Some("turnproof repair f")));
}

#[test]
fn classes_are_ordered_worst_first() {
    assert!(Class::ALL.is_sorted());
    assert!(
        Class::Unreadable < Class::Refused && Class::Refused < Class::Damaged && Class::NotASession < Class::Healthy
    );
}

#[test]
#[cfg(feature = "cli")]
fn the_verdicts_on_a_folder_name_what_is_broken_worst_first_and_count_the_rest() {
    let folder = tempfile::tempdir().unwrap();
    for index in 0..70 {
        std::fs::write(folder.path().join(format!("{index}.jsonl")), lines(&[USER, REPLY, NEXT, CALL])).unwrap();
    }
    std::fs::write(folder.path().join("healthy.jsonl"), lines(&[USER, REPLY])).unwrap();
    std::fs::write(folder.path().join("lost.jsonl"), &USER[..40]).unwrap();
    let path = folder.path().to_str().unwrap();
    let (code, text, _) = crate::call::run(&mut crate::call::turnproof(&["check", "--verdict", path]));
    assert_eq!((code, text.lines().count()), (1, 60), "{text}");
    assert!(text.lines().next().unwrap().contains("lost.jsonl: unreadable"), "{text}");
    assert!(text.contains("\n… and 16 more (--verdict --format json has them all)\n"), "{text}");
    assert!(text.contains("\n72 files: 1 unreadable, 70 refused, 1 healthy\n\n"), "{text}");
    let run: Vec<&str> = text.lines().rev().take(2).map(str::trim_start).collect();
    assert!(run[1].starts_with(&format!("turnproof repair {path} ")), "{text}");
    assert!(run[0].starts_with(&format!("turnproof resume --explain {path}/lost.jsonl ")), "{text}");
}

#[test]
fn a_command_quotes_the_name_of_a_file_for_the_shell() {
    let verdict = judged(lines(&[USER, REPLY, NEXT, CALL]));
    assert_eq!(verdict.command("a b's.jsonl").as_deref(), Some(r"turnproof repair 'a b'\''s.jsonl'"));
    assert_eq!(verdict.command("a/b-1.jsonl").as_deref(), Some("turnproof repair a/b-1.jsonl"));
}
