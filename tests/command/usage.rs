//! `turnproof usage` as people and pipes use it.

use std::fs;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::call;

const MAIN: &str = r#"{"type":"user","uuid":"u1","sessionId":"s1","message":{"role":"user","content":"a"}}
{"type":"assistant","uuid":"a1","sessionId":"s1","requestId":"req_1","message":{"id":"msg_1","model":"large","content":[],"usage":{"input_tokens":7,"output_tokens":1,"cache_read_input_tokens":12000}}}
{"type":"assistant","uuid":"a2","sessionId":"s1","requestId":"req_1","message":{"id":"msg_1","model":"large","content":[],"usage":{"input_tokens":7,"output_tokens":1031,"cache_read_input_tokens":12000}}}
{"type":"assistant","uuid":"x1","sessionId":"s1","isSidechain":true,"message":{"id":"msg_2","model":"small","content":[],"usage":{"input_tokens":3,"output_tokens":12,"cache_creation_input_tokens":100}}}
{"type":"assistant","uuid":"a3","sessionId":"s1","message":{"id":"msg_3","model":"large","content":[{"type":"text","text":"twelve bytes"}]}}
"#;

const FORK: &str = r#"{"type":"assistant","uuid":"b1","sessionId":"s2","requestId":"req_1","forkedFrom":{"sessionId":"s1","messageUuid":"a1"},"message":{"id":"msg_1","model":"large","content":[],"usage":{"input_tokens":7,"output_tokens":1}}}
{"type":"assistant","uuid":"b2","sessionId":"s2","message":{"id":"msg_4","model":"large","content":[],"usage":{"input_tokens":1,"output_tokens":2}}}
"#;

const TABLE: &str = "\
session       model             replies  input  cache writes  cache reads  output     without usage
s2            large                   1      1             0            0       2
s1            large                   2      7             0       12,000   1,031  1, wrote about 3
              small, subagents        1      3           100            0      12
all sessions  large                   3      8             0       12,000   1,033  1, wrote about 3
              small, subagents        1      3           100            0      12
everything                            4     11           100       12,000   1,045  1, wrote about 3
";

/// A folder with both sessions. The fork's name comes first.
fn folder() -> (TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a-fork.jsonl"), FORK).unwrap();
    fs::write(folder.path().join("session.jsonl"), MAIN).unwrap();
    fs::write(folder.path().join("notes.txt"), MAIN).unwrap();
    let path = folder.path().to_str().unwrap().to_owned();
    (folder, path)
}

fn usage(arguments: &[&str], input: &str) -> (i32, String, String) {
    let arguments = [&["usage"], arguments].concat();
    call::run(call::turnproof(&arguments).env_remove("COLUMNS").write_stdin(input))
}

fn rows(arguments: &[&str], input: &str) -> Vec<Value> {
    let (code, out, error) = usage(&[&["--format", "json"], arguments].concat(), input);
    assert_eq!((code, error.as_str()), (0, ""));
    out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_folder_gives_a_table_by_session_and_model_with_totals() {
    let (_folder, path) = folder();
    assert_eq!(usage(&[&path], ""), (0, TABLE.to_owned(), String::new()));
}

#[test]
fn a_narrow_terminal_gets_the_same_numbers_below_one_another() {
    let (_folder, path) = folder();
    let page = |columns: &str| call::run(call::turnproof(&["usage", &path]).env("COLUMNS", columns)).1;
    assert_eq!(page("120"), TABLE);
    let narrow = page("60");
    assert!(narrow.lines().all(|line| line.chars().count() <= 60), "{narrow}");
    let small =
        ["  small, subagents", "    replies             1", "    input               3", "    cache writes      100"];
    let small = small.join("\n");
    assert!(narrow.contains(&small), "{narrow}");
    assert!(
        narrow.starts_with("s2\n  large\n") && narrow.contains("\neverything\n    replies             4\n"),
        "{narrow}"
    );
    let digits = |page: &str| page.split_whitespace().filter(|word| word.starts_with(char::is_numeric)).count();
    assert!(digits(&narrow) >= 6 * 5, "{narrow}");
}

#[test]
fn json_has_a_line_for_each_row() {
    let (_folder, path) = folder();
    let rows = rows(&[&path], "");
    assert_eq!(
        rows[1],
        json!({
            "session": "s1", "model": "large", "sidechain": false, "replies": 2, "unknown": 1, "input_tokens": 7,
            "output_tokens": 1031, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 12000,
            "estimated_output_tokens": 3
        })
    );
    assert_eq!(rows.len(), 3);
    let all: u64 = rows.iter().map(|row| row["output_tokens"].as_u64().unwrap()).sum();
    assert_eq!(all, 1045);
}

#[test]
fn files_named_twice_and_standard_input_count_once() {
    let (_folder, path) = folder();
    let session = format!("{path}/session.jsonl");
    let once = rows(&[&session], "");
    assert_eq!(rows(&[&session, &session, "-"], MAIN), once);
    assert_eq!(rows(&["-"], MAIN), once);
    // One reply, whichever file is read first.
    let both = [format!("{path}/a-fork.jsonl"), session];
    let sum = |rows: &[Value]| rows.iter().map(|row| row["output_tokens"].as_u64().unwrap()).sum::<u64>();
    assert_eq!(sum(&rows(&[&both[0], &both[1]], "")), sum(&rows(&[&both[1], &both[0]], "")));
}

#[test]
fn what_cannot_be_read_is_said_and_the_rest_is_counted() {
    let (_folder, path) = folder();
    let missing = format!("{path}/none.jsonl");
    let (code, out, error) = usage(&["--format", "json", &missing, "-"], &format!("{MAIN}garbage\n"));
    assert_eq!((code, out.lines().count()), (2, 2));
    assert!(error.contains("none.jsonl: there is no such file or folder"), "{error}");
    assert!(error.contains("turnproof: -: 7 bytes hold no record; left out"), "{error}");
}

#[test]
fn without_replies_there_is_no_table() {
    let empty = tempfile::tempdir().unwrap();
    let (code, out, error) = usage(&[empty.path().to_str().unwrap()], "");
    assert_eq!((code, out.as_str()), (4, ""));
    assert!(error.contains("nothing to count"), "{error}");
    let (code, out, error) = usage(&["-"], MAIN.lines().next().unwrap());
    assert_eq!((code, out.as_str()), (0, ""));
    assert_eq!(error, "turnproof: no reply of a model in 1 file\n");
    assert_eq!(usage(&["--format", "json", "-"], "").1, "");
}

#[test]
fn names_that_would_act_on_a_terminal_are_shown_harmless() {
    let line = r#"{"type":"assistant","sessionId":"\u001b[31mred","message":{"id":"a","model":"m\u0007"}}"#;
    let (code, out, _) = usage(&["-"], line);
    assert_eq!(code, 0);
    assert!(!out.contains(['\u{1b}', '\u{7}']) && out.contains("␛[31mred"), "{out}");
}

#[test]
fn a_closed_output_is_no_error() {
    let (_folder, path) = folder();
    let call = format!("{} usage {path} | true", assert_cmd::cargo::cargo_bin!("turnproof").display());
    let output = std::process::Command::new("sh").arg("-c").arg(call).output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
}

#[test]
fn usage_beside_the_message_counts_where_the_message_has_none() {
    let line = |id: &str, inside: &str, beside: &str| {
        format!(
            r#"{{"type":"assistant","uuid":"{id}","sessionId":"s","message":{{"id":"{id}","model":"m","content":[]{inside}}}{beside}}}"#
        )
    };
    let (inside, beside) = (r#","usage":{"output_tokens":3}"#, r#","usage":{"input_tokens":7,"output_tokens":40}"#);
    let none = r#","usage":null"#;
    let lines = [line("m1", "", beside), line("m2", inside, beside), line("m3", none, beside), line("m4", none, none)];
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.jsonl");
    fs::write(&path, lines.join("\n") + "\n").unwrap();
    let (code, out, _) = call::run(&mut call::turnproof(&["usage", "--format", "json", path.to_str().unwrap()]));
    let row: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((code, &row["replies"], &row["unknown"]), (0, &json!(4), &json!(1)));
    assert_eq!((&row["input_tokens"], &row["output_tokens"]), (&json!(14), &json!(83)));
}
