//! `turnproof find`: where a session lies.

use std::fs;
use std::path::Path;

use crate::call::{run, turnproof};
use serde_json::Value;

const ID: &str = "5e55a001-0000-4000-8000-000000000001";

/// Writes a session of so many prompts into a folder.
fn session(folder: &Path, id: &str, cwd: &str, prompts: usize, last: &str) {
    let line = |number: usize| {
        format!(
            r#"{{"type":"user","uuid":"c0de000{number}-0000-4000-8000-000000000001","parentUuid":null,"sessionId":"{id}","cwd":"{cwd}","timestamp":"2026-08-05T09:01:0{number}.000Z","message":{{"role":"user","content":"Rename the parser, step {number}"}}}}"#
        ) + "\n"
    };
    fs::create_dir_all(folder).unwrap();
    let lines: String = (1..=prompts).map(line).collect();
    fs::write(folder.join(format!("{id}.jsonl")), lines + last).unwrap();
}

fn find(arguments: &[&str], folder: &Path) -> (i32, String, String) {
    run(turnproof(&["find"]).args(arguments).arg(folder))
}

#[test]
fn a_session_is_found_by_its_id_and_by_words_and_can_be_opened() {
    let folder = tempfile::tempdir().unwrap();
    session(&folder.path().join("-work-shop"), ID, "/work/shop", 2, "");
    for wanted in [ID, "5e55a001", "RENAME the parser"] {
        let (code, out, error) = find(&[wanted], folder.path());
        assert_eq!((code, error.as_str()), (0, ""), "{wanted}");
        assert!(out.contains(&format!("cd /work/shop && claude --resume {ID}")), "{out}");
        assert!(out.contains("2 messages") && !out.contains("the client looks for it"), "{out}");
    }
    let (_, out, _) = find(&["step 2", "--format", "json"], folder.path());
    let line: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((&line["line"], &line["is_in_place"]), (&Value::from(2), &Value::from(true)));
}

#[test]
fn a_stub_and_a_session_out_of_its_place_are_named_as_such() {
    let folder = tempfile::tempdir().unwrap();
    session(&folder.path().join("-work-shop"), ID, "/work/shop", 1, "");
    session(&folder.path().join("-work-old"), ID, "/work/shop", 3, "");
    let (code, out, _) = find(&[ID], folder.path());
    let (first, second) = out.split_at(out.rfind(".jsonl\n").unwrap());
    assert_eq!(code, 0);
    assert!(first.contains("-work-old") && first.contains("looks for it in the folder -work-shop"), "{out}");
    assert!(second.contains("holds more"), "{out}");
}

#[test]
fn a_session_that_goes_on_elsewhere_says_where() {
    let folder = tempfile::tempdir().unwrap();
    let other = "5e55a002-0000-4000-8000-000000000001";
    let last = format!(r#"{{"type":"continued-in","continuedInSessionId":"{other}","sessionId":"{ID}"}}"#) + "\n";
    session(&folder.path().join("-work-shop"), ID, "/work/shop", 1, &last);
    let (_, out, _) = find(&[ID], folder.path());
    assert!(out.contains(&format!("turnproof find {other}")), "{out}");
}

#[test]
fn of_a_session_that_is_broken_the_next_commands_are_said() {
    let folder = tempfile::tempdir().unwrap();
    session(&folder.path().join("-work-shop"), ID, "/work/shop", 2, "{\"type\":\"user\",\n");
    let (_, out, _) = find(&[ID], folder.path());
    assert!(out.contains("damaged: `turnproof check ") && out.contains("turnproof repair "), "{out}");
    session(&folder.path().join("-work-shop"), ID, "/work/shop", 2, "");
    let (_, out, _) = find(&[ID], folder.path());
    assert!(!out.contains("broken"), "{out}");
    // A subagent's file may go on from the session's.
    let agent = r#"{"type":"user","uuid":"c0de0009-0000-4000-8000-000000000001","parentUuid":"c0de0001-0000-4000-8000-000000000001","isSidechain":true,"agentId":"a1b2c3d4","sessionId":"5e55a001-0000-4000-8000-000000000001","timestamp":"2026-08-05T09:01:09.000Z","message":{"role":"user","content":"Go on"}}"#;
    fs::write(folder.path().join("-work-shop/agent-a1b2c3d4.jsonl"), format!("{agent}\n")).unwrap();
    let (_, out, _) = find(&["a1b2c3d4"], folder.path());
    assert!(out.contains("it is a subagent's") && !out.contains("broken"), "{out}");
}

#[test]
fn what_is_not_there_is_exit_code_1() {
    let folder = tempfile::tempdir().unwrap();
    session(&folder.path().join("-work-shop"), ID, "/work/shop", 1, "");
    let (code, out, error) = find(&["no such words"], folder.path());
    assert_eq!((code, out.as_str()), (1, ""));
    assert!(error.contains("is in none of 1 session"), "{error}");
    let (code, _, error) = find(&["a"], &folder.path().join("none"));
    assert!(code == 2 && error.contains("there is no"), "{error}");
}

#[test]
fn without_a_folder_the_clients_own_is_searched() {
    let home = tempfile::tempdir().unwrap();
    session(&home.path().join("projects/-work-shop"), ID, "/work/shop", 1, "");
    let (code, out, _) = run(turnproof(&["find", ID]).env("CLAUDE_CONFIG_DIR", home.path()));
    assert!(code == 0 && out.contains(&format!("claude --resume {ID}")), "{out}");
}

#[test]
fn a_file_of_another_name_is_opened_by_its_path() {
    let folder = tempfile::tempdir().unwrap();
    session(folder.path(), "kept", "/work/shop", 1, "");
    let (code, out, _) = find(&["the parser"], folder.path());
    assert!(code == 0 && out.contains("kept.jsonl\n") && !out.contains("looks for it"), "{out}");
}

#[test]
fn an_id_that_names_no_file_is_looked_for_in_records() {
    let folder = tempfile::tempdir().unwrap();
    session(&folder.path().join("-work-shop"), ID, "/work/shop", 2, "");
    session(folder.path(), "kept", "/work/shop", 1, "");
    let (code, out, _) = find(&["c0de0002-0000-4000-8000-000000000001"], folder.path());
    assert!(code == 0 && out.contains("line      2\n") && !out.contains("kept.jsonl"), "{out}");
    fs::remove_dir_all(folder.path().join("-work-shop")).unwrap();
    let renamed = fs::read_to_string(folder.path().join("kept.jsonl")).unwrap().replace("kept", ID);
    fs::write(folder.path().join("kept.jsonl"), renamed).unwrap();
    let (code, out, _) = find(&[ID], folder.path());
    assert!(code == 0 && out.contains("kept.jsonl\n"), "{out}");
}
