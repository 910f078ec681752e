//! `turnproof resume` as people and pipes use it.

use std::fs;

use crate::{call, transcripts};
use serde_json::Value;

fn turnproof(arguments: &[&str], input: &str) -> (i32, String, String) {
    call::run(call::turnproof(arguments).write_stdin(input))
}

fn resume(arguments: &[&str], input: &str) -> (i32, String, String) {
    turnproof(&[&["resume"], arguments].concat(), input)
}

const PROMPT: &str = r#"{"type":"user","uuid":"u1","parentUuid":null,"sessionId":"s1","message":{"role":"user","content":"list the files"}}"#;
const CALL: &str = r#"{"type":"assistant","uuid":"a1","parentUuid":"u1","sessionId":"s1","message":{"id":"msg_1","role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"Bash","input":{}}]}}"#;
const PROGRESS: &str =
    r#"{"type":"progress","uuid":"p1","parentUuid":"a1","sessionId":"s1","toolUseID":"toolu_1","data":{}}"#;
const RESULT: &str = r#"{"type":"user","uuid":"r1","parentUuid":"p1","sessionId":"s1","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"a b"}]}}"#;
const BRANCH: &str = r#"{"type":"assistant","uuid":"b1","parentUuid":"u1","sessionId":"s1","isApiErrorMessage":true,"message":{"id":"msg_2","role":"assistant","content":[{"type":"text","text":"no"}]}}"#;
const REPLY: &str = r#"{"type":"assistant","uuid":"a2","parentUuid":"lost","sessionId":"s1","message":{"id":"msg_3","role":"assistant","content":[{"type":"text","text":"Two files."}]}}"#;

fn session() -> String {
    [r#"{"type":"summary","summary":"a","leafUuid":"r1"}"#, PROMPT, BRANCH, CALL, PROGRESS, RESULT, REPLY].join("\n")
        + "\n"
}

/// A folder with the session in it.
fn folder() -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.jsonl");
    fs::write(&path, session()).unwrap();
    (folder, path.to_str().unwrap().to_owned())
}

#[test]
fn records_come_back_byte_for_byte_with_a_line_end_each() {
    let (_folder, path) = folder();
    let whole = [PROMPT, CALL, RESULT, REPLY].map(|line| format!("{line}\n")).concat();
    for (file, input) in [(&*path, ""), ("-", &*session())] {
        let (code, out, error) = resume(&[file], input);
        assert_eq!((code, &*out), (0, &*whole));
        let reported: Vec<&str> = error.lines().collect();
        assert_eq!(
            reported,
            [
                "turnproof: 1 record on branches that were left, from line 3 on, does not come back",
                "turnproof: 1 record on the chain, from line 5 on, is no message and was stepped over",
                "turnproof: line 7 names a parent that is not in the file; it was put after line 6",
                "turnproof: 4 of 7 records come back",
            ]
        );
    }
    assert_eq!(resume(&["--quiet", &path], ""), (0, whole, String::new()));
}

#[test]
fn a_resumed_conversation_can_be_normalized_and_the_request_is_legal() {
    let (_, conversation, _) = resume(&["-q", "-"], &session());
    let (code, request, error) = turnproof(&["normalize", "-q", "--for", "api", "-"], &conversation);
    assert_eq!((code, &*error), (0, ""));
    let turns: Vec<Value> = serde_json::from_str(&request).unwrap();
    assert_eq!(
        turns.iter().map(|turn| turn["role"].as_str().unwrap()).collect::<Vec<_>>(),
        ["user", "assistant", "user", "assistant"]
    );
    assert_eq!(turnproof(&["check", "--request", "-"], &request).0, 0);
}

#[test]
fn no_conversation_is_exit_code_1_with_the_reason() {
    let (code, out, error) = resume(&["-q", "-"], "{\"type\":\"queue-operation\"}\n");
    assert_eq!((code, &*out), (1, ""));
    assert!(error.contains("no conversation") && error.contains("side records alone (1"), "{error}");
    assert_eq!(resume(&["-"], "").0, 1);
    assert_eq!(resume(&["--explain", "-"], "").0, 1);
    let (code, out, _) = resume(&["--format", "json", "-"], "");
    assert_eq!(code, 1);
    let summary: Value = serde_json::from_str(&out).unwrap();
    assert!(summary["not_found"].as_str().unwrap().contains("no record"), "{summary}");
}

#[test]
fn at_most_ten_notes_of_a_kind_are_printed() {
    let gap = |at: usize| format!("{{\"type\":\"user\",\"uuid\":\"u{at}\",\"parentUuid\":\"lost\"}}\n");
    let lines: String = (0..1_020).map(gap).collect();
    let (_, out, error) = resume(&["-"], &lines);
    assert_eq!((out.lines().count(), error.lines().count()), (1_020, 12));
    assert!(error.contains("… and 1,010 more like the last one"), "{error}");
}

#[test]
fn programs_get_places_and_notes() {
    let (code, out, error) = resume(&["--format", "json", "-"], &session());
    assert_eq!((code, &*error), (0, ""));
    let summary: Value = serde_json::from_str(&out).unwrap();
    let lines: Vec<u64> =
        summary["places"].as_array().unwrap().iter().map(|place| place["line"].as_u64().unwrap()).collect();
    assert_eq!((lines, &summary["records"]), (vec![2, 4, 6, 7], &Value::from(7)));
    let place = &summary["places"][1];
    let bytes = place["start"].as_u64().unwrap() as usize..place["end"].as_u64().unwrap() as usize;
    assert_eq!(&session()[bytes], CALL);
    let kinds: Vec<&str> =
        summary["notes"].as_array().unwrap().iter().map(|note| note["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["other-branch", "passed-over", "bridged"]);
    assert_eq!(summary["not_found"], Value::Null);
}

#[test]
fn the_chain_is_drawn_as_a_tree() {
    let (code, out, error) = resume(&["--explain", "-"], &session());
    assert_eq!(code, 0);
    assert_eq!(
        out.lines().take(6).collect::<Vec<_>>(),
        [
            "● 2  user u1: \"list the files\"",
            "├─○ 3  assistant b1 (msg_2): text \"no\"  ← a branch that was left",
            "● 4  assistant a1 (msg_1): tool_use toolu_1 Bash {}",
            "· 5  progress p1",
            "● 6  user r1: tool_result toolu_1 \"a b\"",
            "● 7  assistant a2 (msg_3): text \"Two files.\"  ← parent missing, bridged to line 6",
        ]
    );
    assert!(error.ends_with("turnproof: 4 of 7 records come back\n"), "{error}");
    assert!(!out.contains('\u{1b}'));
}

#[test]
fn a_subagent_is_found_in_the_file_or_in_its_own() {
    let (folder, path) = folder();
    let agent = |id: &str, uuid: &str| {
        format!(
            "{{\"type\":\"user\",\"uuid\":\"{uuid}\",\"parentUuid\":null,\"isSidechain\":true,\"agentId\":\"{id}\"}}\n"
        )
    };
    fs::write(&path, session() + &agent("inside", "x1")).unwrap();
    fs::write(folder.path().join("agent-beside.jsonl"), agent("beside", "x2")).unwrap();
    let nested = folder.path().join("session/subagents/workflows/7");
    fs::create_dir_all(&nested).unwrap();
    fs::write(nested.join("agent-nested.jsonl"), agent("nested", "x3")).unwrap();
    fs::write(folder.path().join("session/subagents/agent-own.jsonl"), agent("own", "x4")).unwrap();
    for (id, uuid) in [("inside", "x1"), ("beside", "x2"), ("nested", "x3"), ("own", "x4")] {
        assert_eq!(resume(&["-q", "--agent", id, &path], ""), (0, agent(id, uuid), String::new()));
    }
    let (code, _, error) = resume(&["--agent", "nobody", &path], "");
    assert_eq!(code, 1);
    assert!(error.contains("ask for one of the subagents that it names: inside"), "{error}");
    assert_eq!(resume(&["--agent", "../agent-beside", &path], "").0, 1);
}

#[test]
fn a_fork_is_a_new_file_that_resumes_and_checks() {
    let (folder, path) = folder();
    let to = folder.path().join("3f2b8f6e-4b7e-4d43-9a3f-0d8c6c1e2a77.jsonl");
    let to = to.to_str().unwrap();
    let (code, out, error) = resume(&["-q", "--fork-to", to, "--at", "r1", &path], "");
    assert_eq!((code, &*out, &*error), (0, "", ""));
    let copy = fs::read_to_string(to).unwrap();
    let records: Vec<Value> = copy.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(
        records.iter().map(|record| record["forkedFrom"]["messageUuid"].as_str().unwrap()).collect::<Vec<_>>(),
        ["u1", "a1", "r1"]
    );
    assert!(records.iter().all(|record| record["sessionId"] == "3f2b8f6e-4b7e-4d43-9a3f-0d8c6c1e2a77"));
    assert_eq!(resume(&[to], ""), (0, copy.clone(), "turnproof: 3 of 3 records come back\n".to_owned()));
    let (code, out, _) = turnproof(
        &["check", "--rules", "chain/*", "--rules", "id/*", "--rules", "wire/*", "--fail-on", "info", to],
        "",
    );
    assert_eq!(code, 0, "{out}");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(fs::metadata(to).unwrap().permissions().mode() & 0o777, 0o600);
    }
    // A file that is there is never written over.
    let (code, _, error) = resume(&["-q", "--fork-to", to, &path], "");
    assert_eq!(code, 2);
    assert!(error.contains("name a file that is not there yet"), "{error}");
    assert_eq!(fs::read_to_string(to).unwrap(), copy);
}

#[test]
fn a_fork_at_an_unknown_message_makes_no_file() {
    let (folder, path) = folder();
    let to = folder.path().join("fork.jsonl");
    let (code, _, error) = resume(&["--fork-to", to.to_str().unwrap(), "--at", "u9", &path], "");
    assert_eq!(code, 2);
    assert!(error.contains("the message u9 is not in the conversation"), "{error}");
    assert!(!to.exists());
}

#[test]
fn a_wrong_call_is_exit_code_2() {
    let (folder, path) = folder();
    for arguments in [
        &["/no/such/file"][..],
        &[],
        &["--at", "u1", &path],
        &["--explain", "--format", "json", &path],
        &[folder.path().to_str().unwrap()],
    ] {
        let (code, out, error) = resume(arguments, "");
        assert_eq!((code, &*out), (2, ""), "{arguments:?}");
        assert!(!error.is_empty());
    }
}

#[cfg(unix)]
#[test]
fn a_reader_that_goes_away_ends_it_quietly() {
    use std::process::Stdio;
    let line =
        format!("{{\"type\":\"user\",\"uuid\":\"u\",\"parentUuid\":null,\"cwd\":\"{}\"}}\n", "x".repeat(4 << 20));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.jsonl");
    fs::write(&path, line).unwrap();
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_turnproof"))
        .args(["resume", "-q", path.to_str().unwrap()])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0));
}

#[test]
fn real_transcripts_resume_to_requests_that_are_legal() {
    let mut files = transcripts::files();
    files.sort_by_key(|path| std::cmp::Reverse(fs::metadata(path).unwrap().len()));
    let forks = tempfile::tempdir().unwrap();
    for (number, path) in files.iter().take(10).enumerate() {
        let (code, conversation, _) = resume(&["-q", path.to_str().unwrap()], "");
        assert_eq!(code, 0, "{}", path.display());
        let (_, request, _) = turnproof(&["normalize", "-q", "--for", "api", "-"], &conversation);
        assert_eq!(turnproof(&["check", "--request", "-"], &request).0, 0, "{}", path.display());
        // Resuming what was resumed changes nothing, and a fork has the same conversation.
        assert_eq!(resume(&["-q", "-"], &conversation).1.lines().count(), conversation.lines().count());
        let fork = forks.path().join(format!("{number}.jsonl"));
        assert_eq!(resume(&["-q", "--fork-to", fork.to_str().unwrap(), path.to_str().unwrap()], "").0, 0);
        let copy = fs::read_to_string(&fork).unwrap();
        assert_eq!(resume(&["-q", fork.to_str().unwrap()], "").1, copy);
        assert_eq!(copy.lines().count(), conversation.lines().count());
    }
}
