//! `turnproof check --request` as a user meets it.

#![cfg(feature = "cli")]

use std::fs;
use std::path::PathBuf;

use crate::call::{run, turnproof};
use serde_json::Value;
use tempfile::TempDir;
use turnproof_rules::rules::{CATALOGUE, Judge, Severity};

const LEGAL: &str = r#"{"model":"m","max_tokens":1,"messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"text","text":"b"}]},{"role":"user","content":[{"type":"text","text":"c"},{"type":"text","text":"d"}]}]}"#;
/// A call without its result: an error everywhere.
const OPEN: &str = r#"[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"text","text":"b"},{"type":"tool_use","id":"toolu_1","name":"Bash","input":{}}]}]"#;
/// A run of one role: some host of some year has refused it.
const RUN: &str = r#"[{"role":"user","content":"a"},{"role":"user","content":"b"}]"#;
/// A block that nobody knows: a warning.
const UNKNOWN: &str = r#"[{"role":"user","content":[{"type":"input_text","text":"a"}]}]"#;

fn check(body: impl Into<Vec<u8>>, more: &[&str]) -> (i32, String, String) {
    run(turnproof(&["check", "--request", "-"]).args(more).write_stdin(body))
}

fn files(bodies: &[(&str, &str)]) -> (TempDir, Vec<PathBuf>) {
    let folder = TempDir::new().unwrap();
    let paths = bodies.iter().map(|(name, body)| {
        let path = folder.path().join(name);
        fs::write(&path, body).unwrap();
        path
    });
    let paths = paths.collect();
    (folder, paths)
}

fn json(out: &str) -> (Vec<Value>, Value) {
    let mut lines: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let summary = lines.pop().unwrap();
    assert_eq!(summary["kind"], "summary");
    (lines, summary)
}

#[test]
fn a_session_is_named_as_one() {
    let session = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/samples/session.jsonl");
    let (code, _, error) = run(&mut turnproof(&["check", "--request", session]));
    assert!(code == 2 && error.contains("a session, and no request; `turnproof check` judges it"), "{error}");
}

#[test]
fn a_legal_request_is_a_line_for_each_host_and_exit_code_0() {
    let (code, out, error) = check(LEGAL, &[]);
    assert_eq!((code, error.as_str()), (0, ""));
    let (_, list, _) = check(r#"[{"role":"user","content":"a"}]"#, &[]);
    assert!(list.starts_with("-: 1 turn, 1 block, 31 bytes\n  anthropic: legal\n"), "{list}");
    assert!(list.ends_with("  not judged: model, tools and whatever else a body has, since this is a list of turns\n"));
    let hosts = ["anthropic", "bedrock-converse", "bedrock-invoke", "vertex", "portable (every host, every year)"];
    let lines: String = hosts.iter().map(|host| format!("  {host}: legal\n")).collect();
    assert_eq!(out, format!("-: 3 turns, 4 blocks, {} bytes\n{lines}", LEGAL.len()));
    let (_, one, _) = check(LEGAL, &["--profile", "vertex"]);
    assert_eq!(one, format!("-: legal under vertex: 3 turns, 4 blocks, {} bytes\n", LEGAL.len()));
}

#[test]
fn a_broken_rule_is_reported_with_its_place_the_apis_words_the_block_and_where_to_learn_more() {
    let (code, out, error) = check(OPEN, &[]);
    assert_eq!((code, error.as_str()), (1, ""));
    for part in [
        "error[pairing/result-follows-use]: the call toolu_1 has no result in the next turn\n",
        "  --> -: messages.1.content.1\n",
        "   | {\"id\":\"toolu_1\",\"input\":{},\"name\":\"Bash\",\"type\":\"tool_use\"}\n",
        "   = the API answers: messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: \
         toolu_1. Each `tool_use` block must have a corresponding `tool_result` block in the next message.\n",
        "   = turnproof explain pairing/result-follows-use\n",
        "-: 2 turns, 3 blocks, ",
        "  anthropic: not legal: 1 error: pairing/result-follows-use\n",
    ] {
        assert!(out.contains(part), "{part}\n{out}");
    }
}

#[test]
fn the_profile_decides_what_is_legal_and_which_words_are_printed() {
    for (profile, code, words) in [
        ("portable", 1, "roles must alternate"),
        ("bedrock-converse", 0, "legal under bedrock-converse"),
        ("bedrock-invoke", 0, "legal under bedrock-invoke"),
        ("anthropic", 0, "legal under anthropic"),
        ("vertex", 0, "legal under vertex"),
    ] {
        let (found, out, _) = check(RUN, &["--profile", profile]);
        assert_eq!(found, code, "{profile}");
        assert!(out.contains(words), "{out}");
    }
}

#[test]
fn several_requests_are_judged_in_order() {
    let (_folder, paths) = files(&[("a.json", LEGAL), ("b.json", OPEN), ("c.json", RUN)]);
    for repeated in [true, false] {
        let mut command = turnproof(&["check", "--request", "--profile", "portable"]);
        for (index, path) in paths.iter().enumerate() {
            if repeated && index > 0 {
                command.arg("--request");
            }
            command.arg(path);
        }
        let (code, out, _) = run(&mut command);
        assert_eq!(code, 1);
        let at = |text: &str| out.find(text).unwrap_or_else(|| panic!("{text}\n{out}"));
        let places = [
            at("a.json: legal under portable"),
            at("pairing/result-follows-use"),
            at("b.json: messages not legal: 1 error under portable"),
            at("api/alternation"),
            at("c.json: messages not legal: 1 error under portable"),
        ];
        assert!(places.is_sorted(), "{out}");
    }
}

#[test]
fn what_is_no_request_is_exit_code_2() {
    let deep = "[".repeat(100_000);
    for (body, why) in [
        ("", "not JSON"),
        ("{", "not JSON"),
        ("7", "a request is an object with `messages`"),
        ("{}", "an object without `messages`"),
        (r#"{"messages":1}"#, "an object whose `messages` is no array"),
        (deep.as_str(), "not JSON"),
    ] {
        let (code, out, error) = check(body, &[]);
        assert_eq!((code, out.as_str()), (2, ""), "{body:.20}");
        assert!(error.starts_with("turnproof: -: ") && error.contains(why), "{error}");
    }
    let (code, _, error) = check(b"[\"\xFF\"]".to_vec(), &[]);
    assert_eq!((code, error.as_str()), (2, "turnproof: -: not UTF-8 after byte 2\n"));
    let (code, _, error) = run(&mut turnproof(&["check", "--request", "no-such-file.json"]));
    assert_eq!(code, 2);
    assert!(error.contains("no-such-file.json: there is no such file"), "{error}");
}

#[test]
fn what_cannot_be_read_does_not_hide_the_others() {
    let (_folder, paths) = files(&[("a.json", "{"), ("b.json", OPEN)]);
    let (code, out, error) = run(turnproof(&["check", "--request"]).args(&paths));
    assert_eq!(code, 2);
    assert!(error.contains("a.json: not JSON") && out.contains("pairing/result-follows-use"), "{error}{out}");
}

#[test]
fn a_wrong_call_is_exit_code_2() {
    for arguments in [
        &["check", "--request"][..],
        &["check", "--request", "-", "--profile", "mars"],
        &["check", "--profile", "portable", "."],
        &["check", "--request", "-", "--rules", "nope/*"],
        &["check", "--request", "-", "--rules", "wire/*"],
    ] {
        let (code, out, error) = run(turnproof(arguments).write_stdin(LEGAL));
        assert_eq!((code, out.len()), (2, 0), "{arguments:?}");
        assert!(!error.is_empty(), "{arguments:?}");
    }
}

#[test]
fn only_the_rules_asked_for_are_judged() {
    assert_eq!(check(OPEN, &["--rules", "api/*"]).0, 0);
    assert_eq!(check(OPEN, &["--rules", "pairing/*", "--rules", "wire/*"]).0, 1);
}

#[test]
fn the_least_severity_that_fails_can_be_chosen() {
    let codes = |body: &str| ["info", "warning", "error"].map(|least| check(body, &["--fail-on", least]).0);
    assert_eq!(codes(LEGAL), [0, 0, 0]);
    assert_eq!(codes(UNKNOWN), [1, 1, 0]);
    // A host takes what is only warned of.
    assert_eq!(check(UNKNOWN, &[]).0, 0);
    assert_eq!(codes(OPEN), [1, 1, 1]);
}

#[test]
fn programs_get_one_object_a_line() {
    let (code, out, _) = check(OPEN, &["--format", "json"]);
    let (violations, summary) = json(&out);
    assert_eq!((code, violations.len()), (1, 2));
    let [violation, verdict] = &violations[..] else { panic!("{violations:?}") };
    assert_eq!((&violation["turn"], &violation["block"]), (&Value::from(1), &Value::from(1)));
    for (name, expected) in [
        ("kind", "violation"),
        ("rule", "pairing/result-follows-use"),
        ("severity", "error"),
        ("file", "-"),
        ("path", "messages.1.content.1"),
    ] {
        assert_eq!(violation[name], expected);
    }
    assert!(violation["error"].as_str().unwrap().starts_with("messages.1: `tool_use` ids were found"));
    assert_eq!(summary["violations_by_rule"]["pairing/result-follows-use"], 1);
    let of = |name: &str| summary[name].as_u64().unwrap();
    assert_eq!((of("requests"), of("legal"), of("turns"), of("blocks"), of("unreadable")), (1, 0, 2, 3, 0));
    assert_eq!((of("bytes"), &summary["profile"]), (OPEN.len() as u64, &Value::from("anthropic")));
    assert_eq!((&verdict["kind"], &verdict["legal"]), (&Value::from("verdict"), &Value::from(false)));
    let vertex = serde_json::json!({"legal": false, "errors": 1, "rules": ["pairing/result-follows-use"]});
    assert_eq!(verdict["hosts"]["vertex"], vertex);
    let (_, summary) = json(&check(LEGAL, &["--format", "json"]).1);
    assert_eq!((&summary["legal"], &summary["violations"]), (&Value::from(1), &Value::from(0)));
}

#[test]
fn a_workflow_gets_annotations() {
    let (_folder, paths) = files(&[("a.json", OPEN), ("b.json", UNKNOWN)]);
    let (code, out, _) = run(turnproof(&["check", "--format", "github", "--request"]).args(&paths));
    assert_eq!(code, 1);
    assert!(
        out.contains("a.json,line=1,title=pairing/result-follows-use (no-result)::`messages.1.content.1`: "),
        "{out}"
    );
    assert!(out.lines().any(|line| line.starts_with("::error ")), "{out}");
    assert!(out.lines().any(|line| line.starts_with("::warning ")), "{out}");
}

#[test]
fn of_many_violations_of_a_rule_the_first_ones_are_shown() {
    let blanks = [r#"{"type":"text","text":" "}"#; 12].join(",");
    let body = format!(r#"[{{"role":"user","content":[{blanks}]}}]"#);
    let (_, out, _) = check(body.as_str(), &["--profile", "anthropic"]);
    assert_eq!(out.matches("error[api/no-blank-text]").count(), 5);
    assert!(out.contains("... 7 more of api/no-blank-text (--limit 0 shows all)\n"), "{out}");
    assert!(out.contains("not legal: 12 errors under anthropic: 1 turn, 12 blocks"), "{out}");
    assert_eq!(check(body, &["--limit", "0"]).1.matches("error[api/no-blank-text]").count(), 12);
}

#[test]
fn nothing_in_a_request_controls_the_terminal() {
    let body = r#"[{"role":"user","content":[{"type":"\u001b[31m\n\u202e","\u001b[2J_A":1,"text":"\u001b]0;x"}]}]"#;
    for format in ["human", "json", "github"] {
        let (code, out, _) = check(body, &["--format", format]);
        assert_eq!(code, 1);
        let controls = |character: char| character.is_control() && character != '\n';
        assert!(!out.contains(controls), "{format}: {out:?}");
    }
}

#[test]
fn the_same_request_gives_the_same_output() {
    assert_eq!(check(OPEN, &[]), check(OPEN, &[]));
}

#[test]
fn rules_on_requests_explain_themselves_with_the_words_of_the_api() {
    for rule in CATALOGUE.iter() {
        let Judge::Request { structural, .. } = rule.judge else { continue };
        let (code, out, _) = run(&mut turnproof(&["explain", rule.id]));
        assert_eq!(code, 0);
        assert!(out.contains("`turnproof check --request`") || out.contains("check\n--request"), "{out}");
        assert_eq!(out.contains("subjects are not asked"), !structural, "{out}");
        // Its example is shortened, and so breaks nothing.
        assert_eq!(out.contains("What the API answers"), rule.id != "api/request-size", "{out}");
    }
    let (_, out, _) = run(&mut turnproof(&["explain", "api/no-blank-text"]));
    assert!(
        out.contains(
            "portable, anthropic, bedrock-invoke, vertex:\n    messages: text content blocks must contain non-whitespace text\n"
        ),
        "{out}"
    );
    assert!(
        out.contains(
            "bedrock-converse:\n    The text field in the ContentBlock object at messages.0.content.0 is blank."
        ),
        "{out}"
    );
}

#[test]
fn the_hosts_of_a_rule_are_recorded_documented_or_inferred() {
    let (code, out, _) = run(&mut turnproof(&["rules", "--hosts", "--format", "json"]));
    assert_eq!(code, 0);
    let lines: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of = |rule: &str| lines.iter().find(|line| line["rule"] == rule).unwrap()["hosts"].clone();
    assert_eq!(lines.len(), CATALOGUE.iter().filter(|rule| matches!(rule.judge, Judge::Request { .. })).count());
    assert_eq!(of("pairing/calls-last")["anthropic"], "recorded 2026-05");
    assert_eq!(of("pairing/calls-last")["vertex"], "inferred");
    assert_eq!(of("api/no-blank-text")["bedrock-converse"], "documented");
    // Every host takes two turns of one role.
    assert_eq!(of("api/alternation"), serde_json::json!({}));
    let (_, table, _) = run(&mut turnproof(&["rules", "--hosts", "body/*"]));
    assert!(table.contains("recorded by 2026-08") && table.contains("The profile portable"), "{table}");
}

#[test]
fn the_list_of_rules_says_which_ones_only_requests_are_judged_by() {
    let (_, out, _) = run(&mut turnproof(&["rules", "api/*", "--format", "json"]));
    for line in out.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()) {
        if line["severity"] == Severity::Warning.name() {
            assert_eq!(line["judges"], "request", "{line}");
        }
    }
}
