//! A *verdict* on a session follows from its consequences: each class, and the facts that lead to it.

use turnproof::check::{Acceptance, Class, Foreign, LeftOut, Lost, Verdict, verdict, verdict_of_file};
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
    assert!(verdict.is_repairable() && verdict.to_string().contains("3 lines end with CR LF"), "{verdict}");
}

#[test]
fn messages_without_a_uuid_do_not_come_back_until_a_repair_gives_them_one() {
    let nameless = |line: &str| line.replacen(r#""uuid":"#, r#""was":"#, 1);
    let all = judged(lines(&[&nameless(USER), &nameless(REPLY)]));
    assert_eq!(
        (all.class, all.is_repairable(), all.command("f").as_deref()),
        (Class::Unreadable, true, Some("turnproof repair f"))
    );
    let one = judged(lines(&[USER, REPLY, &nameless(NEXT)]));
    assert_eq!((one.class, one.broken["message/has-uuid"]), (Class::Damaged, 1), "{one}");
    assert!(one.to_string().ends_with("a repair fixes what breaks message/has-uuid"), "{one}");
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
fn a_call_at_the_end_without_a_result_is_damage_and_one_in_the_middle_is_left_out_by_the_client() {
    let verdict = judged(lines(&[USER, REPLY, NEXT, CALL]));
    assert_eq!((verdict.class, verdict.lost.results, verdict.open), (Class::Damaged, 1, 1));
    assert_eq!((&verdict.acceptance, verdict.fixed_by_client[0].rule), (&Acceptance::Accepted, "tool/call-answered"));
    assert!(verdict.to_string().contains("; 1 call at the end without a result; "), "{verdict}");
    assert_eq!(verdict.command("f").as_deref(), Some("turnproof repair f"));
    let later = NEXT.replace("\"u2\"", "\"u3\"").replace("\"a1\"", "\"a2\"");
    let verdict = judged(lines(&[USER, REPLY, NEXT, CALL, &later]));
    assert_eq!((verdict.class, verdict.lost.results, verdict.open), (Class::Healthy, 1, 0), "{verdict}");
}

#[test]
fn what_the_client_of_today_fixes_is_no_reason_to_call_a_session_refused() {
    let blank = judged(lines(&[USER, &REPLY.replace("Yes.", "  "), NEXT]));
    assert_eq!((blank.class, blank.fixed_by_client.len()), (Class::Healthy, 1), "{blank}");
    assert!(
        blank.to_string().contains("a client older than 2.1.332 may be refused for message/no-blank-text"),
        "{blank}"
    );
    let thinking = r#"{"type":"thinking","thinking":"a","signature":"EqQBCgIYAhIkMDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWYwMTIzNDU2Nzg5YWJjZGVmMDEyMzQ1Njc4OWFiY2RlZg=="}"#;
    let alone = judged(lines(&[USER, &REPLY.replace(r#"{"type":"text","text":"Yes."}"#, thinking), NEXT]));
    assert_eq!((alone.class, alone.fixed_by_client[0].rule), (Class::Healthy, "thinking/not-last"), "{alone}");
}

#[test]
fn an_empty_prompt_and_an_empty_text_in_a_result_are_refused() {
    let prompt = judged(lines(&[USER, REPLY, &NEXT.replace("Go.", "")]));
    assert_eq!(prompt.class, Class::Refused, "{prompt}");
    let result = r#"{"type":"user","uuid":"r1","parentUuid":"a2","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":[{"type":"text","text":"a"},{"type":"text","text":""}]}]}}"#;
    let result = judged(lines(&[USER, REPLY, NEXT, CALL, result]));
    assert_eq!(result.class, Class::Refused, "{result}");
}

#[test]
fn a_message_of_the_client_between_a_server_call_and_its_result_is_refused() {
    let call = REPLY.replace(
        r#"{"type":"text","text":"Yes."}"#,
        r#"{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{}}"#,
    );
    let result = REPLY.replace("\"a1\"", "\"a2\"").replace("\"u1\"", "\"u2\"").replace(
        r#"{"type":"text","text":"Yes."}"#,
        r#"{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[]}"#,
    );
    let verdict = judged(lines(&[USER, &call, NEXT, &result]));
    let Acceptance::Refused(refusals) = &verdict.acceptance else { panic!("{verdict}") };
    assert_eq!(refusals[0].rule, "pairing/server-tools");
    let joined = result.replace("\"u2\"", "\"a1\"");
    assert_eq!(judged(lines(&[USER, &call, &joined])).class, Class::Healthy);
}

#[test]
fn a_call_id_of_another_reply_is_no_damage_and_a_turn_that_was_written_again_is() {
    let result = r#"{"type":"user","uuid":"r1","parentUuid":"a2","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"a"}]}}"#;
    let call = CALL.replace("\"u2\"", "\"r1\"").replace("\"a2\"", "\"a3\"");
    let again = result.replace("\"r1\"", "\"r2\"").replace("\"a2\"", "\"a3\"");
    let other = judged(lines(&[USER, REPLY, NEXT, CALL, result, &call.replace("m2", "m3"), &again]));
    assert_eq!(other.class, Class::Healthy, "{other}");
    let same = judged(lines(&[USER, REPLY, NEXT, CALL, result, &call, &again]));
    assert_eq!((same.class, same.broken.contains_key("tool/unique-call-id")), (Class::Damaged, true), "{same}");
}

#[test]
fn what_a_cut_signature_may_lead_to_is_said() {
    let thinking = |signature: &str| {
        let block = format!(r#"{{"type":"thinking","thinking":"a","signature":"{signature}"}},"#);
        judged(lines(&[USER, &REPLY.replace(r#"{"type":"text""#, &(block + r#"{"type":"text""#)), NEXT]))
    };
    let cut = thinking("EpQCCkYICxgC…");
    assert_eq!(cut.class, Class::Healthy);
    let said = "the API may refuse it: messages.1.content.0: Invalid `signature` in `thinking` block";
    assert!(cut.to_string().contains(said), "{cut}");
    assert_eq!(thinking(&"EpQC".repeat(60)).doubts, []);
}

#[test]
fn an_open_call_of_a_server_tool_is_left_out_by_the_client() {
    let call =
        r#"{"type":"text","text":"Yes."},{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{}}"#;
    let verdict = judged(lines(&[USER, &REPLY.replace(r#"{"type":"text","text":"Yes."}"#, call), NEXT]));
    assert_eq!((verdict.class, verdict.fixed_by_client[0].rule), (Class::Healthy, "pairing/server-tools"), "{verdict}");
}

#[test]
fn progress_that_nothing_goes_on_from_has_lost_nothing_and_one_on_the_path_has() {
    let progress = r#"{"type":"progress","uuid":"p1","parentUuid":"gone","data":{}}"#;
    assert_eq!(judged(lines(&[USER, progress, REPLY, NEXT])).class, Class::Healthy);
    let on_path = judged(lines(&[USER, progress, &REPLY.replace("\"u1\"", "\"p1\""), NEXT]));
    assert_eq!(on_path.class, Class::Damaged, "{on_path}");
}

#[test]
fn a_refusal_of_the_api_that_a_session_ends_with_is_named_with_its_line() {
    let error = |text: &str| {
        let reply = REPLY.replace("\"a1\"", "\"a2\"").replace("\"u1\"", "\"u2\"").replace("Yes.", text);
        reply.replacen('{', r#"{"isApiErrorMessage":true,"#, 1)
    };
    let body = r#"API Error: 400 {\"error\":{\"message\":\"Tool reference 'X' not found\"}}"#;
    let verdict = judged(lines(&[USER, REPLY, NEXT, &error(body)]));
    let said = "line 4: the API refused this conversation: Tool reference 'X' not found; its cause is not in the file";
    assert!(verdict.class == Class::Healthy && verdict.to_string().contains(said), "{verdict}");
    let words =
        "API Error: 400 messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: t1";
    let call = CALL.replace("\"u2\"", "\"u1\"").replace("\"a2\"", "\"a1\"");
    let unfixed = judged(lines(&[USER, &call, NEXT, &error(words)]));
    assert_eq!(unfixed.class, Class::Refused, "the client did not fix it: {unfixed}");
    let overloaded = judged(lines(&[USER, REPLY, NEXT, &error("API Error: 529 Overloaded")]));
    assert_eq!(overloaded.api_error, None);
    let after =
        CALL.replace(r#"{"type":"tool_use","id":"t1","name":"Bash","input":{}}"#, r#"{"type":"text","text":"a"}"#);
    let after = after.replace("\"a2\"", "\"a3\"").replace("\"u2\"", "\"a2\"");
    assert_eq!(judged(lines(&[USER, REPLY, NEXT, &error(body), &after])).api_error, None, "the session went on");
}

#[test]
fn a_subagents_file_may_go_on_from_its_sessions_file() {
    let of_agent = |record: &str| record.replacen('{', r#"{"isSidechain":true,"agentId":"abc","#, 1);
    let result = NEXT.replace("\"Go.\"", r#"[{"type":"tool_result","tool_use_id":"t9","content":"a"}]"#);
    let reply = REPLY.replace("\"u1\"", "\"u2\"").replace("\"a1\"", "\"a2\"");
    let verdict = judged(lines(&[&of_agent(&result), &of_agent(&reply)]));
    assert_eq!((verdict.class, verdict.comes_back, verdict.without_bridges), (Class::Healthy, 2, 2), "{verdict}");
    assert_eq!(judged(lines(&[&result, &reply])).class, Class::Damaged, "in the session's file nothing may be missing");
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

/// The result of the call `t1` that `CALL` asks for, and what is said behind it.
fn answered(name: &str, text: &str) -> [String; 2] {
    let result = format!(
        r#"{{"type":"user","uuid":"{name}r","parentUuid":"a2","message":{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"t1","content":"{text}"}}]}}}}"#
    );
    let reply = REPLY.replace("\"a1\"", &format!("\"{name}s\"")).replace("\"u1\"", &format!("\"{name}r\""));
    [result, reply.replace("\"m1\"", &format!("\"{name}m\""))]
}

#[test]
fn what_the_client_leaves_out_of_a_session_of_two_clients_is_damage_and_is_named() {
    let [placeholder, other] = answered("b", "[Tool call interrupted: the session ended");
    let [result, own] = answered("a", "done");
    let begin = [USER, REPLY, NEXT, CALL];
    let verdict = judged(lines(&[&begin[..], &[&placeholder, &other, &result, &own]].concat()));
    assert_eq!((verdict.class, verdict.comes_back, verdict.is_repairable()), (Class::Damaged, 7, true), "{verdict}");
    let of_both = LeftOut { results: 1, first_result: Some((5, 7)), records: 1, first_record: Some(6) };
    assert_eq!(verdict.left_out, of_both);
    let words = "the client of today leaves out the true result on line 7, for the placeholder on line 5, and 1 record of \
                 another client, on line 6";
    assert!(verdict.to_string().contains(words), "{verdict}");
    // The first result of the file is the one that is sent.
    let verdict = judged(lines(&[&begin[..], &[&result, &placeholder, &other, &own]].concat()));
    assert_eq!((verdict.left_out.results, verdict.left_out.first_record), (0, Some(7)), "{verdict}");
    assert!(judged(lines(&[&begin[..], &[&result, &own]].concat())).left_out.is_empty());
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
fn the_conversation_of_a_file_of_a_subagent_is_judged() {
    let of_agent = |record: &str| record.replacen('{', r#"{"isSidechain":true,"agentId":"abc","#, 1);
    let verdict = judged(lines(&[&of_agent(USER), &of_agent(REPLY), &of_agent(NEXT), &of_agent(CALL)]));
    assert_eq!((verdict.class, verdict.agent.as_deref()), (Class::Healthy, Some("abc")));
    assert!(verdict.to_string().starts_with("healthy: 4 of 4 messages of the subagent abc come back; "), "{verdict}");
    assert_eq!(verdict.explaining("f"), "turnproof resume --agent abc --explain f");
}

#[test]
fn what_a_repair_does_not_mend_is_shown_and_not_sent_to_a_repair() {
    let block = r#"{"type":"text","text":"Go.","cache_control":{"type":"ephemeral"}}"#;
    let cached = NEXT.replace("\"Go.\"", &format!("[{}]", [block; 5].join(",")));
    let verdict = judged(lines(&[USER, REPLY, &cached]));
    assert_eq!((verdict.class, verdict.is_repairable()), (Class::Refused, false), "{verdict}");
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
    assert!(text.contains("\n72 files: 1 unreadable, 70 damaged, 1 healthy\n\n"), "{text}");
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

#[test]
fn the_sizes_of_what_comes_back_are_said() {
    let picture = "A".repeat(40_000);
    let lines = [
        r#"{"type":"user","uuid":"u1","parentUuid":null,"sessionId":"s","message":{"role":"user","content":"go"}}"#.to_owned(),
        r#"{"type":"assistant","uuid":"a1","parentUuid":"u1","sessionId":"s","message":{"id":"m1","role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"Read","input":{}}],"usage":{"input_tokens":5,"cache_read_input_tokens":1000,"output_tokens":20}}}"#.to_owned(),
        format!(r#"{{"type":"user","uuid":"u2","parentUuid":"a1","sessionId":"s","message":{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"toolu_1","content":[{{"type":"image","source":{{"type":"base64","media_type":"image/png","data":"{picture}"}}}}]}}]}}}}"#),
    ];
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.jsonl");
    std::fs::write(&path, lines.join("\n") + "\n").unwrap();
    let (_, out, _) =
        crate::call::run(&mut crate::call::turnproof(&["check", "--format", "json", path.to_str().unwrap()]));
    let verdict = out.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let verdict = verdict.into_iter().find(|line| line["kind"] == "verdict").unwrap();
    let sizes = &verdict["sizes"];
    assert_eq!(sizes["recorded"], serde_json::json!({"line": 2, "tokens": 1025}));
    assert_eq!((&sizes["lines"][0]["line"], &sizes["results"][0]["call"]), (&3.into(), &"toolu_1".into()));
    assert!(sizes["results"][0]["bytes"].as_u64().unwrap() > 40_000);
    // The picture counts as one, and not as the text of its bytes.
    let tokens = sizes["tokens"].as_u64().unwrap();
    assert!((1_600..2_000).contains(&tokens), "{tokens}");
}
