//! `turnproof reduce` and `turnproof scrub`: a session that can be sent to others.

use std::fs;

use tempfile::TempDir;

use crate::call::{run, turnproof};

const SESSION: &str = concat!(
    r#"{"type":"user","uuid":"u1","parentUuid":null,"sessionId":"s1","message":{"role":"user","content":"Ask Waldemar."}}"#,
    "\n",
    r#"{"type":"assistant","uuid":"a1","parentUuid":"u1","sessionId":"s1","message":{"id":"m1","role":"assistant","content":[{"type":"text","text":"Whom?"}]}}"#,
    "\n",
    r#"{"type":"user","uuid":"u2","parentUuid":"never","sessionId":"s1","message":{"role":"user","content":"Waldemar!"}}"#,
    "\n",
    r#"{"type":"tag","tag":"x","sessionId":"s1"}"#,
    "\n",
);

/// A folder with the session in it.
fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("session.jsonl"), SESSION).unwrap();
    folder
}

fn called(folder: &TempDir, arguments: &[&str]) -> (i32, String, String) {
    run(turnproof(arguments).current_dir(folder.path()))
}

#[test]
fn the_smallest_session_that_breaks_a_rule_is_the_line_that_breaks_it() {
    let (code, out, errors) = called(&folder(), &["reduce", "--rule", "chain/parent-exists", "session.jsonl"]);
    assert_eq!(code, 0, "{errors}");
    assert!(errors.starts_with("lines: 4 -> 1, bytes: "), "{errors}");
    let record: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert!(record["parentUuid"].is_string(), "{out}");
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("small.jsonl"), &out).unwrap();
    let (code, checked, _) = called(&folder, &["check", "--rules", "chain/parent-exists", "small.jsonl"]);
    assert_eq!(code, 1, "{checked}");
}

#[test]
fn the_smallest_session_of_a_predicate_is_the_one_for_which_it_ends_with_0() {
    let (code, out, errors) = called(&folder(), &["reduce", "--predicate", "grep -q Waldemar!", "session.jsonl"]);
    assert_eq!((code, out.lines().count()), (0, 1), "{errors}");
    assert!(out.contains("Waldemar!") && !out.contains("Ask"), "{out}");
}

#[test]
fn a_file_that_does_not_show_the_problem_is_exit_code_1_and_gives_nothing() {
    let (code, out, errors) = called(&folder(), &["reduce", "--rule", "tool/call-answered", "session.jsonl"]);
    assert_eq!((code, out.as_str()), (1, ""));
    assert_eq!(errors, "turnproof: session.jsonl does not show the problem\n");
}

#[test]
fn tries_have_an_end_and_it_is_said_when_there_was_more_to_try() {
    let call = ["reduce", "--rule", "chain/parent-exists", "--tries", "1", "session.jsonl"];
    let (code, out, errors) = called(&folder(), &call);
    assert_eq!((code, out.as_str()), (0, SESSION));
    assert!(errors.contains("tries: 1; there is more to try: say --tries N"), "{errors}");
}

#[test]
fn a_wrong_call_is_exit_code_2() {
    let folder = folder();
    for call in [
        &["reduce", "session.jsonl"][..],
        &["reduce", "--rule", "no/rule", "session.jsonl"],
        &["reduce", "--rule", "chain/*", "nothing.jsonl"],
        &["reduce", "--predicate", "'", "session.jsonl"],
        &["reduce", "--predicate", "no-such-command", "session.jsonl"],
        &["scrub", "nothing.jsonl"],
        &["check", "--verdict", "--format", "github", "session.jsonl"],
        &["check", "--verdict", "--rules", "chain/*", "session.jsonl"],
    ] {
        let (code, out, errors) = called(&folder, call);
        assert!(code == 2 && out.is_empty() && !errors.is_empty(), "{call:?}: {code} {out}{errors}");
    }
}

#[test]
fn a_scrubbed_session_says_no_word_of_the_session_and_is_found_wrong_at_the_same_places() {
    let folder = folder();
    let (code, out, errors) = called(&folder, &["scrub", "-o", "report.jsonl", "session.jsonl"]);
    assert_eq!((code, out.as_str()), (0, ""), "{errors}");
    let scrubbed = fs::read_to_string(folder.path().join("report.jsonl")).unwrap();
    assert_eq!(scrubbed.len(), SESSION.len());
    assert!(!scrubbed.contains("Waldemar") && !scrubbed.contains("Whom"), "{scrubbed}");
    let places = |file: &str| {
        let (_, out, _) = called(&folder, &["check", "--format", "json", file]);
        let found = out.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
        let place =
            |finding: serde_json::Value| format!("{} {} {}", finding["rule"], finding["line"], finding["column"]);
        found.filter(|line| line.get("rule").is_some()).map(place).collect::<Vec<_>>()
    };
    assert!(!places("session.jsonl").is_empty());
    assert_eq!(places("report.jsonl"), places("session.jsonl"));
    let (code, _, errors) = called(&folder, &["scrub", "-o", "report.jsonl", "session.jsonl"]);
    assert_eq!(code, 2, "a file that is there is not written over");
    assert!(errors.contains("name one that is not there yet"), "{errors}");
}

#[test]
fn the_same_seed_scrubs_the_same_way_and_another_one_another_way() {
    let folder = folder();
    let scrubbed = |seed: &str| called(&folder, &["scrub", "--seed", seed, "session.jsonl"]).1;
    assert_eq!(scrubbed("1"), scrubbed("1"));
    assert_ne!(scrubbed("1"), scrubbed("2"));
}
