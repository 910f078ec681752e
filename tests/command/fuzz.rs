//! `turnproof fuzz`: what it prints, keeps and ends with.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

use crate::call::{has_python, run, turnproof};
use crate::markup::{Element, elements, ids};

/// A validator in a few lines of `sh`.
const VALIDATOR: &str = "sh docs/samples/validator.sh";

fn fuzz(folder: &TempDir, subject: &str, more: &[&str]) -> (i32, String, String) {
    let out = folder.path().join("out");
    run(turnproof(&["fuzz", "--subject", subject, "--out", out.to_str().unwrap()]).args(more))
}

#[test]
fn finds_are_told_once_and_kept_and_the_next_call_goes_on() {
    let folder = TempDir::new().unwrap();
    let (code, out, errors) = fuzz(&folder, VALIDATOR, &["--inputs", "8"]);
    assert_eq!((code, errors.as_str()), (1, ""), "{out}");
    assert!(out.contains("\nbroken: check_request check/refuses-illegal (from input "), "{out}");
    let summary = fs::read_to_string(folder.path().join("out/summary.txt")).unwrap();
    assert!(out.ends_with(&summary), "the summary is kept too");
    let kept = fs::read_dir(folder.path().join("out/finds")).unwrap().count();

    let (code, out, _) = fuzz(&folder, VALIDATOR, &["--inputs", "0"]);
    assert_eq!(code, 1, "a known find fails still");
    assert_eq!(out.matches("\nknown: ").count() * 2, kept, "{out}");
    assert!(!out.contains("\nbroken: "), "{out}");
}

#[test]
fn rules_and_known_deviations_choose_what_is_a_find() {
    let known = |text: &str| {
        let folder = TempDir::new().unwrap();
        let file = folder.path().join("known.toml");
        let entry = format!("[[test.known]]\nrule = \"check/refuses-illegal\"\nreason = \"it is young\"\n{text}\n");
        fs::write(&file, entry).unwrap();
        let (code, out, errors) = fuzz(&folder, VALIDATOR, &["--inputs", "8", "--known", file.to_str().unwrap()]);
        assert_eq!(errors, "");
        (code, out.matches("\nbroken: check_request check/refuses-illegal").count())
    };
    assert_eq!(known(""), (0, 0));
    assert_eq!(known("subject = \"first-speaker\""), (0, 0));
    assert_eq!(known("subject = \"another\"").0, 1);
    assert_eq!(known("kind = \"another\"").0, 1);
    let rules = |globs: &str| fuzz(&TempDir::new().unwrap(), VALIDATOR, &["--inputs", "8", "--rules", globs]).0;
    assert_eq!((rules("check/*"), rules("!check/refuses-illegal")), (1, 0));
    assert_eq!(rules("wire/nothing"), 2);
}

#[test]
fn the_page_of_the_morning_shows_each_find_and_the_line_that_plays_it() {
    let folder = TempDir::new().unwrap();
    let report = folder.path().join("report");
    let (_, out, _) = fuzz(&folder, VALIDATOR, &["--inputs", "30", "--report", report.to_str().unwrap()]);
    let path = report.join("report.html");
    assert!(out.ends_with(&format!("report: {}\n", path.display())), "{out}");
    let elements = elements(&fs::read_to_string(path).unwrap());
    let ids = ids(&elements);
    let links = elements.iter().filter_map(|element| element.attributes.get("href")?.strip_prefix('#'));
    assert!(links.clone().count() > 3 && links.into_iter().all(|id| ids.contains(id)));
    let sections: Vec<&Element> = elements.iter().filter(|element| element.is("failure")).collect();
    assert_eq!(sections.len(), out.matches("\nbroken: ").count(), "{out}");
    let said = &sections[0].text;
    for words in ["it did", "it had to do", "The smallest input", "It has failed since 20"] {
        assert!(said.contains(words), "{words}: {said}");
    }
    let line = elements.iter().filter(|element| element.name == "code").find(|code| code.text.contains("--inputs 0"));
    let line = &line.unwrap().text;
    let (code, out, errors) = run(turnproof(&[]).args(shlex::split(line).unwrap().iter().skip(1)));
    assert_eq!((code, errors.as_str()), (1, ""), "{line}");
    assert!(out.contains("\nknown: check_request check/refuses-illegal"), "{out}");
}

#[test]
fn finds_of_rules_that_are_not_asked_are_left_as_they_are() {
    let folder = TempDir::new().unwrap();
    fuzz(&folder, VALIDATOR, &["--inputs", "8"]);
    let (code, out, _) = fuzz(&folder, VALIDATOR, &["--inputs", "0", "--rules", "check/names-turn"]);
    assert!(!out.contains("does not fail any more"), "{out}");
    assert_eq!(code, 1);
}

#[test]
fn json_is_one_object_a_line_and_the_summary_is_the_last() {
    let folder = TempDir::new().unwrap();
    let (_, out, _) = fuzz(&folder, VALIDATOR, &["--inputs", "8", "--format", "json"]);
    let lines: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let (summary, finds) = lines.split_last().unwrap();
    assert!(!finds.is_empty() && finds.iter().all(|find| find["event"] == "found"), "{out}");
    assert!(finds.iter().all(|find| fs::metadata(find["path"].as_str().unwrap()).is_ok()), "{out}");
    assert_eq!((&summary["event"], &summary["failing"]), (&"summary".into(), &finds.len().into()));
    assert_eq!(summary["operations"]["check_request"]["inputs"], 8);
}

#[test]
fn exit_codes_tell_what_came_of_a_fuzzed_program() {
    let folder = TempDir::new().unwrap();
    let serve = format!("'{}' serve", assert_cmd::cargo::cargo_bin!("turnproof").display());
    let (code, out, errors) = fuzz(&folder, &serve, &["--inputs", "20"]);
    assert_eq!((code, errors.as_str()), (0, ""), "{out}");
    assert_eq!(fuzz(&TempDir::new().unwrap(), &serve, &["--inputs", "0"]).0, 4, "nothing ran");
    assert_eq!(fuzz(&folder, "no-such-program", &[]).0, 2);
    let (code, _, errors) = fuzz(&folder, VALIDATOR, &["--operation", "parse"]);
    assert_eq!((code, errors.contains("does not announce `parse`")), (2, true), "{errors}");
    let dies = r#"sh -c 'read a; echo "{\"name\":\"a\",\"operations\":[\"parse\"]}"; read a; exit 5'"#;
    let (code, _, errors) = fuzz(&TempDir::new().unwrap(), dies, &["--inputs", "400", "--tries", "5"]);
    assert_eq!((code, errors.contains("`parse` could not be judged")), (3, true), "{errors}");
}

#[test]
fn a_reader_with_a_planted_mistake_is_told_from_one_without() {
    if !has_python() {
        return;
    }
    let reader = |mistake: &str| {
        let subject = format!("env PYTHONPATH=adapters/kit/python python3 adapters/planted/reader.py {mistake}");
        let (code, out, errors) = fuzz(&TempDir::new().unwrap(), &subject, &["--inputs", "600", "--seed", "6"]);
        assert_eq!(errors, "", "{mistake}");
        (code, out)
    };
    assert_eq!(reader("").0, 0);
    for (mistake, found) in [("floats", "wire/lossless"), ("raw-decode", "{}{}"), ("strict-false", "␉")] {
        let (code, out) = reader(mistake);
        assert!(code == 1 && out.contains(found), "{mistake}: {out}");
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_it_with_the_summary() {
    let folder = TempDir::new().unwrap();
    let program = assert_cmd::cargo::cargo_bin!("turnproof");
    let serve = format!("'{}' serve", program.display());
    let mut child = Command::new(program)
        .args(["fuzz", "--time", "1h", "--subject", &serve, "--out"])
        .arg(folder.path().join("out"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut text = String::new();
    out.read_line(&mut text).unwrap();
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    out.read_to_string(&mut text).unwrap();
    let mut errors = String::new();
    child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
    let code = child.wait().unwrap().code().unwrap();
    assert_eq!(code, 130, "{errors}");
    assert!(text.contains("\n0 finds in "), "{text}");
    assert!(errors.contains("stopped; the same call goes on from here"), "{errors}");
}
