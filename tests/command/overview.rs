//! An *overview* is what `turnproof check` prints without flags: findings by rule with what they mean, then the
//! verdicts, on a page however many files there are.

#![cfg(feature = "cli")]

use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;
use turnproof_rules::rules::{Audience, CATALOGUE, Judge};

use crate::call::{run, turnproof};

const USER: &str = r#"{"type":"user","uuid":"00000000-0000-4000-8000-000000000001","parentUuid":null,"timestamp":"2026-01-05T09:00:01Z","message":{"role":"user","content":"Hi."}}"#;
const REPLY: &str = r#"{"type":"assistant","uuid":"00000000-0000-4000-8000-000000000002","parentUuid":"00000000-0000-4000-8000-000000000001","timestamp":"2026-01-05T09:00:02Z","message":{"id":"m1","role":"assistant","content":[{"type":"text","text":"Yes."}]}}"#;
const NEXT: &str = r#"{"type":"user","uuid":"00000000-0000-4000-8000-000000000003","parentUuid":"00000000-0000-4000-8000-000000000002","timestamp":"2026-01-05T09:00:03Z","message":{"role":"user","content":"Go."}}"#;
const CALL: &str = r#"{"type":"assistant","uuid":"00000000-0000-4000-8000-000000000004","parentUuid":"00000000-0000-4000-8000-000000000003","timestamp":"2026-01-05T09:00:04Z","message":{"id":"m2","role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Bash","input":{}}]}}"#;

fn lines(records: &[&str]) -> String {
    records.iter().map(|record| format!("{record}\n")).collect()
}

fn healthy() -> String {
    lines(&[USER, REPLY, NEXT])
}

/// A call has no result, and its input is no object.
fn refused() -> String {
    lines(&[USER, REPLY, NEXT, &CALL.replace("\"input\":{}", "\"input\":\"x\"")])
}

/// The last prompt names a parent that was never written.
fn damaged() -> String {
    healthy().replace("\"parentUuid\":\"00000000-0000-4000-8000-000000000002\"", "\"parentUuid\":\"never written\"")
}

fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = TempDir::new().unwrap();
    files.iter().for_each(|(name, text)| fs::write(folder.path().join(name), text).unwrap());
    folder
}

fn check(path: &Path, more: &[&str]) -> (i32, String, String) {
    run(turnproof(&["check"]).args(more).arg(path).env_remove("COLUMNS"))
}

#[test]
fn a_check_of_one_file_shows_the_place_what_it_means_the_verdict_and_what_to_run() {
    let folder = folder(&[("a.jsonl", &refused())]);
    let path = folder.path().join("a.jsonl");
    let (code, out, error) = check(&path, &[]);
    assert_eq!((code, error.as_str()), (1, ""));
    let path = path.display();
    for said in [
        "warning[tool/call-answered]: no tool_result block in this file answers this tool_use\n",
        "\n  = it means: ",
        "\n  = turnproof explain tool/call-answered\n",
        &format!(
            "\n{path}: refused: 4 of 4 messages come back; the API refuses it: messages.3.content.0.tool_use.input: "
        ),
        "\n1 file: 1 refused\n",
        &format!("\n  turnproof repair {path}  "),
        &format!("\n  turnproof resume --explain {path}  "),
    ] {
        assert!(out.contains(said), "{said}\n{out}");
    }
}

#[test]
fn of_a_rule_that_one_file_breaks_often_the_first_place_is_drawn_and_the_others_are_counted() {
    let folder = folder(&[("a.jsonl", &damaged().replace("\"uuid\"", "\"parentUuid\":\"never written\",\"uuid\""))]);
    let (_, out, _) = check(&folder.path().join("a.jsonl"), &[]);
    assert_eq!(out.matches("warning[wire/unique-keys]: ").count(), 1, "{out}");
    assert!(out.contains("  = and 2 more (--limit 0 shows all)\n"), "{out}");
}

#[test]
fn a_check_of_a_folder_groups_the_findings_of_broken_files_and_counts_those_of_the_others() {
    // A message that names another role is sent as what it is, and the session is not broken by it.
    let odd = USER.replace("\"role\":\"user\"", "\"role\":\"assistant\"") + "\n";
    let folder = folder(&[
        ("a.jsonl", &damaged()),
        ("b.jsonl", &refused()),
        ("c.jsonl", &damaged()),
        ("d.jsonl", &odd),
        ("e.jsonl", &healthy()),
    ]);
    let (code, out, _) = check(folder.path(), &[]);
    let path = folder.path().display();
    assert_eq!(code, 1);
    let found = format!("error[chain/parent-exists]: 2 in 2 files, first {path}/a.jsonl:3:");
    assert!(out.starts_with(&found), "{out}");
    assert!(out.contains("\n  = it means: a reader that stops at the gap shows nothing from before it\n"), "{out}");
    assert!(out.contains("\n  = turnproof explain chain/parent-exists\n"), "{out}");
    assert!(out.contains("in files that are not broken: message/role-fits-type × 1 (--limit 5 shows them)"), "{out}");
    let at = |text: &str| out.find(text).unwrap_or_else(|| panic!("{text}\n{out}"));
    assert!(at("/b.jsonl: refused: ") < at("/a.jsonl: damaged: "), "worst first\n{out}");
    assert!(!out.contains("e.jsonl"), "healthy ones are counted only\n{out}");
    assert!(out.contains("\n5 files: 1 refused, 2 damaged, 2 healthy\n"), "{out}");
    assert!(out.contains(&format!("\n  turnproof repair {path} ")), "{out}");
}

#[test]
fn what_older_clients_wrote_is_silent_unless_it_is_asked_for_and_no_reason_to_fail() {
    let progress = NEXT.replace("\"type\":\"user\"", "\"type\":\"progress\"");
    let after = CALL.replace(
        "\"type\":\"tool_use\",\"id\":\"t1\",\"name\":\"Bash\",\"input\":{}",
        "\"type\":\"text\",\"text\":\"On.\"",
    );
    let branch = NEXT.replace("000000000003\"", "000000000005\"");
    for (text, rule) in [
        (lines(&[USER, REPLY, &progress, &after]), "chain/progress-not-parent"),
        (lines(&[USER, REPLY, NEXT, &branch]), "chain/one-leaf"),
        (healthy().trim_end().to_owned(), "wire/terminated"),
    ] {
        let folder = folder(&[("a.jsonl", &text)]);
        let path = folder.path().join("a.jsonl");
        let (code, out, _) = check(&path, &["--fail-on", "info"]);
        assert!(code == 0 && !out.contains(rule) && out.contains(": no violations\n"), "{rule}: {out}");
        let (code, out, _) = check(&path, &["--fail-on", "info", "--legacy"]);
        assert!(code == 1 && out.contains(&format!("[{rule}]: ")), "{rule}: {out}");
    }
    // A torn last line is damage.
    let folder = folder(&[("a.jsonl", &healthy()[..healthy().len() - 20])]);
    let (code, out, _) = check(folder.path(), &[]);
    assert!(code == 1 && out.contains("[wire/terminated]: "), "{out}");
}

#[test]
fn a_session_that_breaks_no_rule_on_files_and_is_refused_is_exit_code_1() {
    let system = lines(&[&USER.replace("Hi.", ""), REPLY]);
    let folder = folder(&[("a.jsonl", &system)]);
    let (code, out, _) = check(folder.path(), &["--fail-on", "error"]);
    assert!(code == 1 && out.contains("\n1 file: 1 refused\n"), "{out}");
}

#[test]
fn json_has_a_verdict_for_each_file_beside_the_findings() {
    let folder = folder(&[("a.jsonl", &healthy()), ("b.jsonl", &damaged()), ("c.jsonl", &refused())]);
    let (_, out, _) = check(folder.path(), &["--format", "json"]);
    let lines: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let kinds: Vec<&str> = lines.iter().map(|line| line["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["violation", "violation", "verdict", "verdict", "verdict", "summary"]);
    let classes: Vec<&str> = lines[2..5].iter().map(|line| line["class"].as_str().unwrap()).collect();
    assert_eq!(classes, ["refused", "damaged", "healthy"]);
    assert_eq!(lines[2]["run"], format!("turnproof repair {}", folder.path().join("c.jsonl").display()));
    assert_eq!((&lines[3]["comes_back"], &lines[3]["without_bridges"]), (&3.into(), &1.into()));
    assert_eq!(lines[4]["run"], Value::Null);
}

#[test]
fn a_folder_with_many_damaged_files_and_broken_rules_fits_a_page() {
    let folder = TempDir::new().unwrap();
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/reject");
    let mut files = 0;
    for entry in walkdir::WalkDir::new(cases).into_iter().map(Result::unwrap) {
        if entry.path().extension().is_some_and(|extension| extension == "jsonl") {
            for copy in 0..4 {
                fs::copy(entry.path(), folder.path().join(format!("{files}-{copy}.jsonl"))).unwrap();
            }
            files += 1;
        }
    }
    assert!(files * 4 > 500, "{files} cases");
    let (code, out, _) = check(folder.path(), &[]);
    assert_eq!(code, 1);
    assert!(out.lines().count() <= 60, "{}: {out}", out.lines().count());
    assert!(out.contains(" rules more: ") && out.contains("\n… and "), "{out}");
}

#[test]
fn one_file_that_breaks_all_rules_fits_a_page_and_names_each_of_them() {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/reject");
    let mut all = Vec::new();
    for entry in walkdir::WalkDir::new(cases).sort_by_file_name().into_iter().map(Result::unwrap) {
        if entry.path().extension().is_some_and(|extension| extension == "jsonl") {
            all.extend(fs::read(entry.path()).unwrap());
        }
    }
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("all.jsonl");
    fs::write(&path, all).unwrap();
    let (_, out, _) = check(&path, &["--legacy"]);
    assert!(out.lines().count() <= 60, "{}: {out}", out.lines().count());
    let (_, json, _) = check(&path, &["--legacy", "--format", "json"]);
    let summary: Value = serde_json::from_str(json.lines().last().unwrap()).unwrap();
    let rules = summary["violations_by_rule"].as_object().unwrap();
    assert!(rules.len() > 30, "{rules:?}");
    for rule in rules.keys() {
        assert!(out.contains(rule), "{rule}\n{out}");
    }
}

#[test]
fn real_transcripts_fit_a_page_and_so_do_three_copies_of_each() {
    let Some(transcripts) = crate::transcripts::folder() else { return };
    let (_, out, _) = check(&transcripts, &[]);
    assert!(out.lines().count() <= 60, "{}: {out}", out.lines().count());
    let folder = TempDir::new().unwrap();
    for (number, file) in crate::transcripts::files().iter().enumerate() {
        for copy in 0..3 {
            fs::copy(file, folder.path().join(format!("{number}-{copy}.jsonl"))).unwrap();
        }
    }
    let (_, out, _) = check(folder.path(), &[]);
    assert!(out.lines().count() <= 60, "{}: {out}", out.lines().count());
    assert!(out.contains("627 files, "), "{out}");
}

#[test]
fn each_rule_that_a_file_can_break_says_what_it_means_for_the_session() {
    for rule in CATALOGUE.iter() {
        let is_on_files = matches!(rule.judge, Judge::Parse(_) | Judge::Transcript(_));
        // What a library makes of a file is not what the file is.
        let is_of_files = is_on_files && rule.audience != Some(Audience::Libraries);
        assert_eq!(rule.consequence.is_some(), is_of_files, "{}", rule.id);
    }
}
