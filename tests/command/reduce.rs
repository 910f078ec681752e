//! `turnproof reduce` and `turnproof scrub`: a session that can be sent to others.

use std::collections::BTreeSet;
use std::fs;

use tempfile::TempDir;
use turnproof_suite::scenario::{Profile, SESSION_DAMAGES, Scenario};

use crate::call::{has_python, run, turnproof};
use crate::transcripts;

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
fn of_a_text_that_is_needed_in_part_little_more_is_left_and_no_letter_is_cut_in_two() {
    let folder = folder();
    for (before, after) in [(1, 900), (900, 1), (500, 500), (20, 700)] {
        let [before, after] = [before, after].map(|letters| "\u{E4}\\u00e4\\n".repeat(letters));
        let line = format!(r#"{{"type":"user","message":{{"content":"{before}Waldemar!{after}"}}}}"#);
        fs::write(folder.path().join("long.jsonl"), line).unwrap();
        let (code, out, errors) = called(&folder, &["reduce", "--predicate", "grep -q Waldemar!", "long.jsonl"]);
        assert!(code == 0 && out.contains("Waldemar!") && out.len() < 80, "{errors}{out}");
        assert!(serde_json::from_str::<serde_json::Value>(&out).is_ok(), "{out}");
    }
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
    let folder = folder_with_reader();
    for call in [
        &["reduce", "session.jsonl"][..],
        &["reduce", "--rule", "no/rule", "session.jsonl"],
        &["reduce", "--rule", "chain/*", "nothing.jsonl"],
        &["reduce", "--predicate", "'", "session.jsonl"],
        &["reduce", "--predicate", "no-such-command", "session.jsonl"],
        &["reduce", "--predicate", "true", "--subject", "true", "session.jsonl"],
        &["reduce", "--subject", "no-such-command", "session.jsonl"],
        &["reduce", "--subject", "python3 reader.py", "--operation", "resume", "session.jsonl"],
        &["reduce", "--rule", "chain/*", "--operation", "parse", "session.jsonl"],
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

/// A reader on the kit. It dies in one way of two words together, in another way of one of them, and sleeps at a third.
const READER: &str = r#"
import sys, time
sys.path.insert(0, KIT)
from turnproof_subject import serve

def parse(data):
    if b"Waldemar!" in data:
        raise KeyError("both") if b"Ask" in data else ValueError("one")
    if b"Whom?" in data:
        time.sleep(60)
    records, at = [], 0
    for line in data.splitlines(keepends=True):
        records.append({"start": at, "end": at + len(line) - 1, "type": "tag", "uuid": None, "written": b"{}"})
        at += len(line)
    return {"records": records, "blank": [], "rejected": []}

serve(name="toy", parse=parse)
"#;

/// The session and the reader in a folder.
fn folder_with_reader() -> TempDir {
    let folder = folder();
    let kit = std::path::absolute("adapters/kit/python").unwrap();
    fs::write(folder.path().join("reader.py"), READER.replace("KIT", &format!("{:?}", kit.to_str().unwrap()))).unwrap();
    folder
}

/// What is asked with the reader as the subject.
fn asked(folder: &TempDir, more: &[&str]) -> (i32, String, String) {
    called(folder, &[&["reduce", "--subject", "python3 reader.py", "session.jsonl"], more].concat())
}

#[test]
fn the_smallest_session_of_a_subject_that_dies_is_the_one_at_which_it_dies_in_the_same_way() {
    if !has_python() {
        return;
    }
    let (code, out, errors) = asked(&folder_with_reader(), &["--tries", "60"]);
    assert_eq!(code, 0, "{errors}");
    assert!(errors.starts_with("problem: parse crash: "), "{errors}");
    assert!(errors.contains("KeyError") && !errors.contains("ValueError"), "{errors}");
    // Of one word alone it dies in another way.
    assert!(out.contains("Ask") && out.contains("Waldemar!") && !out.contains("Whom"), "{out}");
    assert_eq!(out.lines().count(), 2, "{out}");
}

#[test]
fn the_smallest_session_of_a_subject_that_hangs_is_the_one_at_which_it_hangs() {
    if !has_python() {
        return;
    }
    let folder = folder_with_reader();
    let session = fs::read_to_string(folder.path().join("session.jsonl")).unwrap();
    fs::write(folder.path().join("session.jsonl"), session.replace("Waldemar", "Waldi")).unwrap();
    let (code, out, errors) = asked(&folder, &["--timeout", "1s", "--tries", "8"]);
    assert_eq!(code, 0, "{errors}");
    assert!(errors.starts_with("problem: parse crash: timed-out"), "{errors}");
    assert!(out.contains("Whom?") && out.lines().count() == 1, "{out}");
    assert!(errors.contains("tries: 8; there is more to try: say --tries N"), "{errors}");
}

#[test]
fn the_smallest_session_of_a_subject_that_breaks_a_rule_breaks_that_rule() {
    if !has_python() {
        return;
    }
    let folder = folder_with_reader();
    let glued = "{\"type\":\"tag\"}{\"type\":\"tag\"}\nno record\n{\"type\":\"tag\",\"sessionId\":\"s\"}\n";
    fs::write(folder.path().join("session.jsonl"), glued).unwrap();
    let (code, out, errors) = asked(&folder, &["--rule", "wire/one-record-per-line"]);
    assert_eq!((code, out.as_str()), (0, "{}{}\n"), "{errors}");
    assert!(errors.starts_with("problem: parse wire/one-record-per-line: "), "{errors}");
    let (code, out, errors) = asked(&folder, &["--rule", "wire/no-nul"]);
    assert_eq!((code, out.as_str()), (1, ""), "{errors}");
    assert_eq!(errors, "turnproof: session.jsonl does not show the problem\n");
}

#[test]
fn a_subject_that_does_all_right_shows_no_problem() {
    let serve = format!("'{}' serve", assert_cmd::cargo::cargo_bin!("turnproof").display());
    let (code, out, errors) = called(&folder(), &["reduce", "--subject", &serve, "session.jsonl"]);
    assert_eq!((code, out.as_str()), (1, ""));
    assert_eq!(errors, "turnproof: session.jsonl does not show the problem\n");
}

/// The rules that a check finds in a file.
fn rules_broken(folder: &TempDir, file: &str) -> BTreeSet<String> {
    let (_, out, _) = called(folder, &["check", "--legacy", "--format", "json", file]);
    let lines = out.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    lines.filter_map(|line| Some(line["rule"].as_str()?.to_owned())).collect()
}

/// Holds that of each rule that a session breaks at most three records are left; gives the rules.
fn assert_few_are_left(name: &str, session: &[u8]) -> BTreeSet<String> {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("session.jsonl"), session).unwrap();
    let rules = rules_broken(&folder, "session.jsonl");
    for rule in &rules {
        let output = folder.path().join("small.jsonl");
        let call = ["reduce", "--rule", rule, "-o", output.to_str().unwrap(), "session.jsonl"];
        let (code, _, errors) = called(&folder, &call);
        let small = fs::read(&output).unwrap();
        let lines = small.split_inclusive(|&byte| byte == b'\n').count();
        assert!(code == 0 && lines <= 3, "{name}: {rule}: {errors}{}", String::from_utf8_lossy(&small));
        assert!(rules_broken(&folder, "small.jsonl").contains(rule), "{name}: {rule}");
        fs::remove_file(output).unwrap();
    }
    rules
}

#[test]
fn of_each_rule_that_an_injured_session_breaks_at_most_three_records_are_left() {
    let sessions: Vec<Vec<u8>> =
        (0..12).map(|case| Scenario::from_seed(6, case, Profile::Causal).transcript()).collect();
    let mut rules = BTreeSet::new();
    for (number, damage) in (0..).zip(SESSION_DAMAGES) {
        let damaged = sessions.iter().find_map(|session| damage.damage(session, number));
        let Some(damaged) = damaged else { continue };
        rules.append(&mut assert_few_are_left(damage.name, &damaged));
    }
    assert!(rules.len() >= 20, "only {} rules were broken: {rules:?}", rules.len());
}

#[test]
fn of_each_rule_that_a_large_real_transcript_breaks_when_it_is_injured_at_most_three_records_are_left() {
    let files = transcripts::files().into_iter().map(|path| (path.display().to_string(), fs::read(&path).unwrap()));
    let large = files.filter(|(_, file)| (700_000..1_500_000).contains(&file.len()));
    for (number, (name, file)) in (0..).zip(large) {
        // A few damages each, other ones for each file.
        for damage in SESSION_DAMAGES.iter().cycle().skip(5 * number as usize).take(5) {
            let Some(damaged) = damage.damage(&file, number) else { continue };
            assert_few_are_left(&format!("{name} with {}", damage.name), &damaged);
        }
    }
}
