//! `turnproof requests` as people and pipes use it.

use std::fs;

use serde_json::Value;

use crate::call::{run, turnproof};

const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/samples/sent.jsonl");

fn requests(arguments: &[&str], input: &str) -> (i32, String, String) {
    run(turnproof(&[&["requests"], arguments].concat()).env_remove("COLUMNS").write_stdin(input))
}

fn sample() -> Vec<Value> {
    let text = fs::read_to_string(SAMPLE).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn text(records: &[Value]) -> String {
    records.iter().map(|record| format!("{record}\n")).collect()
}

#[test]
fn each_request_is_a_line_with_its_verdict() {
    let (code, out, error) = requests(&["-"], &text(&sample()));
    assert_eq!((code, error.as_str()), (0, ""));
    let lines: Vec<&str> = out.lines().collect();
    assert!(lines[2].ends_with("100 %  legal"), "{out}");
    assert_eq!(lines.last(), Some(&"-: 2 requests: 2 rebuilt, 2 exactly as sent, 2 legal"));
    assert_eq!(lines.len(), 5);
}

#[test]
fn a_narrow_terminal_gets_the_same_below_one_another() {
    let (_, out, _) = run(turnproof(&["requests", SAMPLE]).env("COLUMNS", "50"));
    assert!(out.starts_with("request 1\n  line            4\n"), "{out}");
    assert!(out.contains("  verdict         legal\n"), "{out}");
}

#[test]
fn a_body_is_shown_and_all_are_written() {
    let (code, body, error) = requests(&[SAMPLE, "--show", "2"], "");
    assert_eq!((code, error.as_str()), (0, ""));
    let json: Value = serde_json::from_str(&body).unwrap();
    assert_eq!(json["messages"].as_array().map(Vec::len), Some(3));
    let folder = tempfile::tempdir().unwrap();
    let bodies = folder.path().join("new/bodies");
    let (code, _, error) = requests(&[SAMPLE, "-o", bodies.to_str().unwrap()], "");
    assert_eq!((code, error), (0, format!("turnproof: 2 requests in {}\n", bodies.display())));
    assert_eq!(fs::read_to_string(bodies.join("request-002.json")).unwrap(), body);
    let (code, out, _) = run(turnproof(&["check", "--request"]).arg(bodies.join("request-001.json")));
    assert_eq!(code, 0, "{out}");
    let (code, _, error) = requests(&[SAMPLE, "--show", "3"], "");
    assert_eq!((code, error.as_str()), (2, "turnproof: there is no request 3: the session notes 2 requests\n"));
}

#[test]
fn json_has_a_line_for_each_request_and_a_summary() {
    let (code, out, _) = requests(&["--format", "json", SAMPLE], "");
    let lines: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((code, lines.len()), (0, 3));
    let member = |name: &str| lines[1][name].clone();
    assert_eq!((member("number"), member("line"), member("turns")), (2.into(), 9.into(), 3.into()));
    assert_eq!((member("hashes_fit"), member("digest_fits"), member("legal")), (true.into(), true.into(), true.into()));
    assert_eq!((member("continues"), member("same_bytes")), (1.into(), member("bytes_before")));
    assert_eq!((lines[2]["kind"].as_str(), lines[2]["hashes_fit"].as_u64()), (Some("summary"), Some(2)));
}

#[test]
fn what_breaks_the_cache_and_what_was_changed_is_said() {
    let mut records = sample();
    let mut shape = records[1].clone();
    shape["shape"]["system"][0]["text"] = "Other words.".into();
    shape["shapeHash"] = "0".repeat(64).into();
    records[8]["shapeHash"] = shape["shapeHash"].clone();
    records.insert(7, shape);
    let (code, out, _) = requests(&["-"], &text(&records));
    assert_eq!(code, 0);
    assert!(out.contains("legal; differs from 1 at system.0.text; changed since: system prompt or tools"), "{out}");
}

#[test]
fn a_refusal_is_named_with_its_line_and_words() {
    let mut records = sample();
    let last = records.last_mut().unwrap();
    last["isApiErrorMessage"] = true.into();
    last["apiErrorStatus"] = 400.into();
    last["message"]["content"][0]["text"] = "API Error: 400 messages.1: \u{1b}[31mno".into();
    let (_, out, _) = requests(&["-"], &text(&records));
    assert!(out.contains("legal; line 10: the API refused it (400): API Error: 400 messages.1: ␛[31mno"), "{out}");
    assert!(out.ends_with("2 legal, 1 refused by the API\n"), "{out}");
}

#[test]
fn a_request_that_is_not_legal_or_not_there_makes_the_exit_code_1() {
    let mut records = sample();
    records[7]["message"]["content"][0]["tool_use_id"] = "toolu_other".into();
    let (code, out, _) = requests(&["-"], &text(&records));
    assert_eq!(code, 1);
    assert!(out.contains("not legal: pairing/no-orphan-result, pairing/result-follows-use"), "{out}");
    let mut records = sample();
    records.remove(7);
    let (code, out, _) = requests(&["-"], &text(&records));
    assert_eq!(code, 1);
    assert!(out.contains("cannot be rebuilt: turn 2, ") && out.contains(": 1 rebuilt, 1 exactly as sent"), "{out}");
    let (code, out, error) = requests(&["-", "--show", "2"], &text(&records));
    assert_eq!((code, out.as_str()), (1, ""));
    assert!(error.starts_with("turnproof: request 2 cannot be rebuilt: turn 2, "), "{error}");
}

#[test]
fn a_scrubbed_session_notes_the_same_requests_by_the_hashes_of_its_own_texts() {
    let mut records = sample();
    records[1]["shape"]["system"][0]["text"] = "Plans of Ada Lovelace".into();
    for (records, fit) in [(sample(), [true, true]), (records, [false, false])] {
        let (_, scrubbed, _) = run(turnproof(&["scrub", "--seed", "1", "-"]).write_stdin(text(&records)));
        let fits = |session: &str| {
            let (code, out, _) = requests(&["--format", "json", "-"], session);
            let lines = out.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
            let judged = lines.filter(|line| line["kind"] != "summary");
            let member = |line: &Value| (line["turns"].clone(), line["hashes_fit"].clone(), line["legal"].clone());
            (code, judged.map(|line| member(&line)).collect::<Vec<_>>())
        };
        let (before, after) = (fits(&text(&records)), fits(&scrubbed));
        assert_eq!(before.1.iter().map(|line| line.1 == true).collect::<Vec<_>>(), fit);
        assert_eq!(before, after);
        let hashes = |session: &str| -> Vec<String> {
            let words = session.split('"').filter(|word| word.len() == 64);
            words.filter(|word| word.bytes().all(|byte| byte.is_ascii_hexdigit())).map(str::to_owned).collect()
        };
        let (before, after) = (hashes(&text(&records)), hashes(&scrubbed));
        assert!(before.len() >= 6 && before.iter().all(|hash| !after.contains(hash)), "{after:?}");
    }
}

#[test]
fn a_session_without_notes_says_so() {
    let (code, out, error) = requests(&["-"], &text(&sample()[..1]));
    assert_eq!((code, out.as_str()), (0, ""));
    assert_eq!(error, "turnproof: -: no request is noted; clients before 2.1.332 did not note what they sent\n");
    let (code, _, error) = requests(&["none.jsonl"], "");
    assert!(code == 2 && error.contains("there is no such file"), "{error}");
    let (code, _, error) = requests(&[concat!(env!("CARGO_MANIFEST_DIR"), "/tests/sessions")], "");
    assert!(code == 2 && error.contains("requests takes one session"), "{error}");
}

#[test]
fn a_check_warns_of_what_was_not_sent_and_changes_no_verdict() {
    let case = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cases/reject/sent-complete/other-words-sent.jsonl");
    let (code, out, _) = run(&mut turnproof(&["check", case, "--fail-on", "warning"]));
    assert_eq!((code, run(&mut turnproof(&["check", case])).0), (1, 0));
    assert!(out.contains("sent/complete") && out.contains(": healthy: 5 of 5 messages come back"), "{out}");
}
