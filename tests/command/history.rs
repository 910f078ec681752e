//! `turnproof check --requests` as a user meets it.

#![cfg(feature = "cli")]

use std::fs;

use serde_json::{Value, json};
use tempfile::TempDir;
use turnproof_rules::rules::{CATALOGUE, Judge};

use crate::call::{run, turnproof};

fn body(turns: &[(&str, &str)]) -> Value {
    let turns = turns.iter().map(|(role, content)| json!({"role": role, "content": content}));
    json!({"model": "m", "max_tokens": 9, "messages": turns.collect::<Vec<_>>()})
}

fn lines(bodies: &[Value]) -> String {
    bodies.iter().map(|body| format!("{body}\n")).collect()
}

fn check(text: impl Into<Vec<u8>>, more: &[&str]) -> (i32, String, String) {
    run(turnproof(&["check", "--requests", "-"]).args(more).write_stdin(text))
}

const FIRST: [(&str, &str); 1] = [("user", "a")];
const NEXT: [(&str, &str); 3] = [("user", "a"), ("assistant", "b"), ("user", "c")];
const LAST: [(&str, &str); 5] = [("user", "a"), ("assistant", "B"), ("user", "c"), ("assistant", "d"), ("user", "e")];

#[test]
fn a_history_that_grows_is_one_line_and_exit_code_0() {
    let expected = "-: 2 requests: 1 of 1 continue the one before unchanged; nothing found\n";
    assert_eq!(check(lines(&[body(&FIRST), body(&NEXT)]), &[]), (0, expected.into(), "".into()));
}

#[test]
fn a_finding_names_the_request_its_place_and_what_to_read() {
    let (code, out, error) = check(lines(&[body(&FIRST), body(&NEXT), body(&LAST)]), &[]);
    assert_eq!((code, error.as_str()), (1, ""));
    for part in [
        "error[history/text-changed]: the assistant says something else than at messages.1.content before\n",
        "  --> -#3: messages.1\n",
        "   = turnproof explain history/text-changed\n",
        "info[history/cache]: the same for 1 of 3 turns, ",
        "-: 3 requests: 1 of 2 continue the one before unchanged; 1 error, 1 note\n",
    ] {
        assert!(out.contains(part), "{part}\n{out}");
    }
    let (code, out, _) = check(lines(&[body(&FIRST), body(&NEXT), body(&LAST)]), &["--format", "json"]);
    let found: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((code, &found[0]["request"], &found[0]["continues"]), (1, &json!(3), &json!(2)));
    assert_eq!(
        (&found[2]["kind"], &found[2]["errors"], &found[2]["continued"]),
        (&json!("summary"), &json!(1), &json!(1))
    );
}

#[test]
fn a_note_makes_the_exit_code_1_only_where_it_is_asked_for() {
    let compacted = lines(&[body(&NEXT), body(&[("user", "Summary."), ("user", "c")])]);
    assert_eq!(check(&*compacted, &[]).0, 0);
    assert_eq!(check(&*compacted, &["--fail-on", "info"]).0, 1);
    assert_eq!(check(&*compacted, &["--fail-on", "info", "--select", "history/order"]).0, 0);
}

#[test]
fn a_recording_is_read_as_the_requests_that_it_holds() {
    let exchange = |body: &Value| json!({"host": "anthropic", "status": 200, "request": body, "response": {}});
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a.jsonl");
    fs::write(&path, lines(&[exchange(&body(&NEXT)), exchange(&body(&LAST))])).unwrap();
    let (code, out, _) = run(&mut turnproof(&["check", "--requests", path.to_str().unwrap()]));
    assert!(code == 1 && out.contains("history/text-changed"), "{out}");
}

#[test]
fn what_is_no_request_is_exit_code_2() {
    assert_eq!(check("{}\n", &[]).0, 2);
    assert_eq!(check("", &[]).0, 2);
    assert_eq!(check(lines(&[body(&FIRST)]), &["--select", "wire/*"]).0, 2);
    assert_eq!(run(&mut turnproof(&["check", "--requests", "/no/such/file"])).0, 2);
}

#[test]
fn rules_on_requests_in_a_row_explain_themselves() {
    for rule in CATALOGUE.iter().filter(|rule| matches!(rule.judge, Judge::Requests(_))) {
        let (code, out, _) = run(&mut turnproof(&["explain", rule.id]));
        assert!(code == 0 && out.contains("It judges: requests in a row"), "{out}");
    }
}
