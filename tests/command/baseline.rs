//! A *baseline* knows what was found before: a check tells what is new, and only that fails.

#![cfg(feature = "cli")]

use std::fs;
use std::path::Path;

use tempfile::TempDir;
use turnproof::check::Baseline;

use crate::call::{run, turnproof};

/// A prompt whose parent was never written, and without a time.
fn late(uuid: &str, parent: &str) -> String {
    format!(
        "{{\"type\":\"user\",\"uuid\":\"{uuid}\",\"parentUuid\":\"{parent}\",\"message\":{{\"role\":\"user\",\"content\":\"a\"}}}}\n"
    )
}

fn check(folder: &Path, more: &[&str]) -> (i32, String, String) {
    run(turnproof(&["check"]).args(more).arg(".").current_dir(folder).env_remove("COLUMNS"))
}

fn folder(text: &str) -> TempDir {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("a.jsonl"), text).unwrap();
    folder
}

#[test]
fn a_baseline_is_written_where_there_is_none_and_then_only_what_is_new_fails() {
    let folder = folder(&late("u1", "gone1"));
    let known = ["--baseline", "known.jsonl"];
    let (code, out, error) = check(folder.path(), &known);
    assert!(code == 0 && out.contains("[chain/parent-exists]: "), "{out}");
    assert!(error.contains("3 findings and 1 broken session are the baseline now: known.jsonl"), "{error}");

    let (code, out, error) = check(folder.path(), &known);
    assert!(code == 0 && out.starts_with("1 file, 1 line, 1 record: no violations\n"), "{out}");
    assert!(error.contains("3 findings and 1 broken session were known: known.jsonl"), "{error}");

    // The baseline lies in the folder, and is no session of it. The line moves, and what is known with it; the second one is new.
    fs::write(folder.path().join("a.jsonl"), late("u2", "gone2") + &late("u1", "gone1")).unwrap();
    let (code, out, _) = check(folder.path(), &[&known[..], &["--limit", "0"]].concat());
    assert_eq!(code, 1);
    assert_eq!(out.matches("error[chain/parent-exists]: ").count(), 1, "{out}");
    assert!(out.contains("a.jsonl:1:") && !out.contains("a.jsonl:2:"), "{out}");
    assert!(out.contains("\n1 file: 1 damaged"), "{out}");
}

#[test]
fn a_broken_session_that_is_known_does_not_fail_unless_it_gets_worse() {
    let folder = folder(&(late("u2", "gone2") + &late("u1", "gone1")));
    let known = ["--baseline", "known.jsonl"];
    let (code, _, error) = check(folder.path(), &known);
    assert!(code == 0 && error.contains(" and 1 broken session are the baseline now"), "{error}");
    let (code, out, _) = check(folder.path(), &known);
    assert!(code == 0 && out.contains("1 file: 1 damaged; 1 of them known from the baseline\n"), "{out}");
    assert!(!out.contains("turnproof repair"), "{out}");
    fs::write(folder.path().join("a.jsonl"), &late("u2", "gone2")[..40]).unwrap();
    let (code, out, _) = check(folder.path(), &[&known[..], &["--ignore", "wire/*"]].concat());
    assert!(code == 1 && out.contains("\n1 file: 1 unreadable\n"), "{out}");
}

#[test]
fn what_is_gone_is_told_and_the_baseline_is_written_anew_when_that_is_asked_for() {
    let folder = folder(&(late("u2", "gone2") + &late("u1", "gone1")));
    let known = ["--baseline", "known.jsonl"];
    check(folder.path(), &known);
    let before = fs::read_to_string(folder.path().join("known.jsonl")).unwrap();
    fs::write(folder.path().join("a.jsonl"), late("u1", "gone1")).unwrap();
    let (code, _, error) = check(folder.path(), &known);
    assert!(code == 0 && error.contains("3 of the baseline are gone; --write-baseline takes them out"), "{error}");
    assert_eq!(fs::read_to_string(folder.path().join("known.jsonl")).unwrap(), before, "only compared");
    check(folder.path(), &[&known[..], &["--write-baseline"]].concat());
    assert!(fs::read_to_string(folder.path().join("known.jsonl")).unwrap().len() < before.len());
    let (_, _, error) = check(folder.path(), &known);
    assert!(!error.contains("gone"), "{error}");
}

#[test]
fn each_finding_of_the_baseline_covers_one_finding() {
    let folder = folder(&late("u1", "gone1"));
    let known = ["--baseline", "known.jsonl", "--select", "chain/*"];
    check(folder.path(), &known);
    fs::write(folder.path().join("a.jsonl"), late("u1", "gone1") + &late("u2", "gone1")).unwrap();
    let (code, out, _) = check(folder.path(), &known);
    assert!(code == 1 && out.contains(": 1 violation\n"), "{out}");
}

#[test]
fn a_known_finding_whose_sentence_names_a_line_stays_known_when_lines_move() {
    let linked = |uuid: &str, parent: &str, is_sidechain: bool| {
        format!(
            "{{\"type\":\"user\",\"uuid\":\"{uuid}\",\"parentUuid\":{parent},\"isSidechain\":{is_sidechain},\
             \"message\":{{\"role\":\"user\",\"content\":\"a\"}}}}\n"
        )
    };
    let lines = linked("u1", "null", true) + &linked("u2", "\"u1\"", false);
    let folder = folder(&lines);
    let known = ["--baseline", "known.jsonl", "--select", "chain/sidechain-separate"];
    let (_, out, _) = check(folder.path(), &known);
    assert!(out.contains("the parent, on line 1, is a sidechain record"), "{out}");
    fs::write(folder.path().join("a.jsonl"), linked("u0", "null", false) + &lines).unwrap();
    let (code, out, error) = check(folder.path(), &known);
    assert!(code == 0 && out.contains(": no violations\n"), "{out}");
    assert!(error.contains("1 finding and 0 broken sessions were known") && !error.contains("gone"), "{error}");
}

#[test]
fn a_file_that_is_no_baseline_is_told_with_its_line_and_stays_as_it_is() {
    let folder = folder(&late("u1", "gone1"));
    for (text, told) in [
        ("", "line 1: the file is empty"),
        ("[]\n", "line 1: no line of a baseline"),
        (
            "{\"kind\":\"baseline\",\"version\":1}\n",
            "line 1: its version is 1, and not 2; write a new one with --write-baseline",
        ),
        (
            "{\"kind\":\"baseline\",\"version\":2}\n{\"kind\":\"verdict\",\"file\":\"a\",\"class\":\"b\"}\n",
            "line 2: there is no class `b`",
        ),
    ] {
        fs::write(folder.path().join("known.jsonl"), text).unwrap();
        let (code, out, error) = check(folder.path(), &["--baseline", "known.jsonl"]);
        assert_eq!((code, out.as_str()), (2, ""));
        assert!(error.contains("known.jsonl: ") && error.contains(told), "{error}");
        assert_eq!(fs::read_to_string(folder.path().join("known.jsonl")).unwrap(), text);
    }
    let (code, _, error) = check(folder.path(), &["--write-baseline"]);
    assert!(code == 2 && error.contains("--write-baseline needs a file: say --baseline FILE"), "{error}");
}

#[test]
fn a_baseline_that_is_read_and_written_is_the_same_text() {
    let folder = folder(&(late("u2", "gone2") + &late("u1", "gone1") + &late("u1", "gone1")));
    check(folder.path(), &["--baseline", "known.jsonl"]);
    let text = fs::read_to_string(folder.path().join("known.jsonl")).unwrap();
    assert_eq!(Baseline::read(&text).unwrap().to_text(), text);
    assert!(text.starts_with("{\"kind\":\"baseline\",\"version\":2}\n{\"kind\":\"verdict\","), "{text}");
}
