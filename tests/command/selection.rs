//! *Selecting* what a check tells: rules by globs, counts alone, only what is wrong, and settings in `turnproof.toml`.

#![cfg(feature = "cli")]

use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::call::{run, turnproof};

/// It breaks `chain/parent-exists` and `message/timestamp`, and `message/uuid-form` at level `info`.
const LATE: &str =
    "{\"type\":\"user\",\"uuid\":\"u1\",\"parentUuid\":\"u0\",\"message\":{\"role\":\"user\",\"content\":\"a\"}}\n";

fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = TempDir::new().unwrap();
    files.iter().for_each(|(name, text)| fs::write(folder.path().join(name), text).unwrap());
    folder
}

fn check(folder: &Path, more: &[&str]) -> (i32, String, String) {
    run(turnproof(&["check"]).args(more).current_dir(folder).env_remove("COLUMNS"))
}

/// The rules that a check finds broken.
fn broken(folder: &Path, more: &[&str]) -> Vec<String> {
    let (_, out, error) = check(folder, &[&["--format", "json", "."], more].concat());
    let summary: Value = serde_json::from_str(out.lines().last().unwrap_or_else(|| panic!("{error}"))).unwrap();
    summary["violations_by_rule"].as_object().unwrap().keys().cloned().collect()
}

#[test]
fn rules_are_selected_and_ignored_by_globs_in_comma_lists_and_by_exclamation_marks() {
    let folder = folder(&[("a.jsonl", LATE)]);
    let broken = |more: &[&str]| broken(folder.path(), more);
    let [chain, time, form] = ["chain/parent-exists", "message/timestamp", "message/uuid-form"];
    assert_eq!(broken(&[]), [chain, time, form]);
    assert_eq!(broken(&["--select", "message/*"]), [time, form]);
    assert_eq!(broken(&["--rules", "message/*"]), [time, form], "its older name");
    assert_eq!(broken(&["--select", "message/*,chain/*,!*/uuid-form"]), [chain, time]);
    assert_eq!(broken(&["--ignore", "message/*"]), [chain]);
    assert_eq!(broken(&["--ignore", "message/*,!message/timestamp"]), [chain, time]);
    assert_eq!(broken(&["--select", "message/*", "--ignore", "*/timestamp"]), [form]);
}

#[test]
fn a_selection_that_leaves_no_rule_or_names_none_is_a_wrong_call() {
    let folder = folder(&[("a.jsonl", LATE)]);
    let (code, out, error) = check(folder.path(), &["--select", "chain/*", "--ignore", "chain/*", "."]);
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(error.contains("no rule is left"), "{error}");
    let (code, _, error) = check(folder.path(), &["--ignore", "nope/*", "."]);
    assert!(code == 2 && error.contains("no rule matches `nope/*`"), "{error}");
}

#[test]
fn what_may_be_meant_by_a_mistyped_rule_is_proposed() {
    for (wrong, meant) in [
        ("pairing/result-follow-use", "pairing/result-follows-use"),
        ("!pairng/unique-use-id", "pairing/unique-use-id"),
        ("pairng/*", "pairing/*"),
        ("alternatoin", "api/alternation"),
    ] {
        let (code, out, error) = run(&mut turnproof(&["test", "--cases", "1", "--rules", wrong]));
        assert_eq!((code, out.as_str()), (2, ""));
        let wrong = wrong.trim_start_matches('!');
        assert_eq!(error, format!("turnproof: no rule matches `{wrong}`; did you mean {meant}?\n"));
    }
    let (code, _, error) = run(&mut turnproof(&["explain", "pairng/result-follows-uses"]));
    let wanted = "there is no rule `pairng/result-follows-uses`; did you mean pairing/result-follows-use?";
    assert_eq!((code, error), (2, format!("turnproof: {wanted}\n")));
}

#[test]
fn who_selects_rules_gets_their_findings_and_no_verdict() {
    let folder = folder(&[("a.jsonl", &LATE[..40])]);
    let (code, out, _) = check(folder.path(), &["--select", "chain/*", "."]);
    assert_eq!(
        (code, out.as_str()),
        (0, "1 file, 1 line, 0 records: no violations\n40 bytes = 0 in records + 0 blank + 40 in 1 rejected range\n")
    );
    assert!(check(folder.path(), &["--ignore", "wire/*", "."]).1.contains("1 file: 1 unreadable"));
}

#[test]
fn a_legacy_rule_that_is_named_itself_is_told_and_one_that_a_glob_covers_is_not() {
    let whole = LATE.replace("\"u0\"", "null");
    let folder = folder(&[("a.jsonl", whole.trim_end())]);
    assert_eq!(broken(folder.path(), &["--select", "wire/*"]), [""; 0]);
    assert_eq!(broken(folder.path(), &["--select", "wire/terminated"]), ["wire/terminated"]);
}

#[test]
fn statistics_count_violations_and_files_by_rule_and_sessions_by_class() {
    let folder = folder(&[("a.jsonl", LATE), ("b.jsonl", &LATE.replace("u1", "u2").repeat(2))]);
    let (code, out, _) = check(folder.path(), &["--statistics", "."]);
    assert_eq!(code, 1);
    let rows: Vec<Vec<&str>> = out.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows[0], ["rule", "severity", "violations", "files"]);
    assert!(rows.contains(&vec!["chain/parent-exists", "error", "3", "2"]), "{out}");
    assert!(rows.contains(&vec!["id/unique", "error", "1", "1"]), "{out}");
    assert!(out.ends_with("\n2 files: 2 damaged\n"), "{out}");
    let (_, out, _) = check(folder.path(), &["--statistics", "--format", "json", "."]);
    let lines: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of = |name: &str| lines.iter().find(|line| line["rule"] == name || line["class"] == name).unwrap();
    assert_eq!((&of("chain/parent-exists")["violations"], &of("chain/parent-exists")["files"]), (&3.into(), &2.into()));
    assert_eq!(of("damaged")["files"], 2);
    assert_eq!(check(folder.path(), &["--statistics", "--format", "github", "."]).0, 2);
}

#[test]
fn quiet_prints_what_is_wrong_alone_and_nothing_where_nothing_is() {
    let good = LATE.replace("\"u0\"", "null").replace("u1", "00000000-0000-4000-8000-000000000001");
    let good = good.replace("\"type\"", "\"timestamp\":\"2026-01-05T09:00:01Z\",\"type\"");
    let good = folder(&[("a.jsonl", &good)]);
    for limit in [&["-q", "."][..], &["--quiet", "--limit", "0", "."]] {
        assert_eq!(check(good.path(), limit), (0, String::new(), String::new()));
    }
    let torn = folder(&[("a.jsonl", &LATE[..40])]);
    let (code, out, _) = check(torn.path(), &["--quiet", "."]);
    assert!(code == 1 && out.contains("[wire/terminated]: "), "{out}");
    assert!(out.contains("a.jsonl: unreadable: ") && !out.contains("1 file"), "{out}");
}

#[test]
fn settings_are_found_upwards_and_say_what_the_call_does_not() {
    let folder = folder(&[
        ("a.jsonl", LATE),
        ("turnproof.toml", "[check]\nignore = [\"message/*\", \"!message/timestamp\"]\nfail-on = \"error\"\n"),
    ]);
    let inner = folder.path().join("inner");
    fs::create_dir(&inner).unwrap();
    fs::write(inner.join("b.jsonl"), LATE.replace("\"u0\"", "null")).unwrap();
    assert_eq!(broken(folder.path(), &["a.jsonl"]), ["chain/parent-exists", "message/timestamp"]);
    assert_eq!(broken(&inner, &[]), ["message/timestamp"], "found upwards");
    assert_eq!(check(&inner, &["."]).0, 0, "only errors fail");
    assert_eq!(check(&inner, &["--fail-on", "warning", ".",]).0, 1, "the call has the last word");
    assert_eq!(broken(&inner, &["--ignore", "*/timestamp"]), ["message/uuid-form"]);
}

#[test]
fn settings_that_mean_nothing_are_told_with_their_line() {
    for (text, told) in [
        ("[check]\nselect = [\n  \"chain/*\",\n  \"nope/*\",\n]\n", "turnproof.toml:4: no rule matches `nope/*`"),
        ("[check]\nfail-on = \"bad\"\n", "turnproof.toml:2: there is no severity `bad`; say info, warning or error"),
        ("[check]\nignored = []\n", "turnproof.toml:2: unknown field `ignored`, expected one of `select`, `ignore`"),
    ] {
        let folder = folder(&[("a.jsonl", LATE), ("turnproof.toml", text)]);
        let (code, out, error) = check(folder.path(), &["."]);
        assert_eq!((code, out.as_str()), (2, ""));
        assert!(error.contains(told), "{error}");
    }
}
