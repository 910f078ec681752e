//! The command as a user meets it: exit codes, its two outputs, and hostile inputs.

#![cfg(feature = "cli")]

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};

use crate::call::{run, turnproof};
use serde_json::Value;
use tempfile::TempDir;
use turnproof_rules::rules::CATALOGUE;

/// The uuid of a prompt, by its number.
macro_rules! id {
    ($number:literal) => {
        concat!("00000000-0000-4000-8000-00000000000", $number)
    };
}

/// A line with a prompt; its parent as JSON.
macro_rules! prompt {
    ($number:literal, $($parent:tt)+) => {
        concat!(
            r#"{"type":"user","message":{"role":"user","content":"a"},"timestamp":"2026-01-05T09:00:01Z","uuid":""#,
            id!($number),
            r#"","parentUuid":"#,
            $($parent)+,
            "}\n"
        )
    };
}

const GOOD: &str = prompt!(1, "null");
const DANGLING: &str = prompt!(2, concat!("\"", id!(1), "\""));
/// A fork, which is reported at level `info`.
const FORK: &str =
    concat!(prompt!(1, "null"), prompt!(2, concat!("\"", id!(1), "\"")), prompt!(3, concat!("\"", id!(1), "\"")),);
/// A last line without its end, which is a warning.
const UNTERMINATED: &str = GOOD.trim_ascii_end();

fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = TempDir::new().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

fn check(path: &Path, more: &[&str]) -> (i32, String, String) {
    run(turnproof(&["check"]).args(more).arg(path))
}

/// The JSON lines of a check: the violations, and the summary.
fn json(path: &Path, more: &[&str]) -> (Vec<Value>, Value) {
    let (_, out, _) = check(path, &[&["--format", "json"], more].concat());
    let mut lines: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let summary = lines.pop().unwrap();
    assert_eq!(summary["kind"], "summary");
    lines.retain(|line| line["kind"] == "violation");
    (lines, summary)
}

fn assert_adds_up(summary: &Value) {
    let of = |name: &str| summary[name].as_u64().unwrap();
    assert_eq!(of("record_bytes") + of("blank_bytes") + of("rejected_bytes"), of("bytes"));
}

fn cases() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases")
}

// --- exit codes

#[test]
fn a_good_file_is_exit_code_0_and_nothing_goes_to_standard_error() {
    let folder = folder(&[("a.jsonl", GOOD)]);
    let (code, out, error) = check(&folder.path().join("a.jsonl"), &[]);
    assert_eq!((code, error.as_str()), (0, ""));
    assert!(out.contains("1 file, 1 line, 1 record: no violations"), "{out}");
}

#[test]
fn a_broken_rule_is_exit_code_1() {
    let folder = folder(&[("a.jsonl", DANGLING)]);
    let (code, out, error) = check(folder.path(), &[]);
    assert_eq!((code, error.as_str()), (1, ""));
    assert!(out.starts_with("error[chain/parent-exists]: "), "{out}");
    assert!(out.contains("a.jsonl:1:150"), "{out}");
}

#[test]
fn a_path_that_does_not_exist_is_exit_code_2_with_advice() {
    let (code, out, error) = run(&mut turnproof(&["check", "no-such-file.jsonl"]));
    assert_eq!(code, 2);
    assert!(out.contains("0 files"), "{out}");
    assert!(error.contains("no-such-file.jsonl: there is no such file or folder"), "{error}");
}

#[test]
fn a_wrong_call_is_exit_code_2() {
    for arguments in [&["check"][..], &["no-such-command"], &["check", "--format", "xml", "."], &[]] {
        let (code, out, error) = run(&mut turnproof(arguments));
        assert_eq!((code, out.as_str()), (2, ""), "{arguments:?}");
        assert!(error.contains("Usage: turnproof") || error.contains("try '--help'"), "{error}");
    }
}

#[test]
fn a_folder_without_transcripts_is_exit_code_4() {
    let folder = folder(&[("notes.txt", "hello")]);
    let (code, out, error) = check(folder.path(), &[]);
    assert_eq!((code, out.as_str()), (4, ""));
    assert!(error.contains("nothing to check: no session"), "{error}");
}

#[test]
fn the_least_severity_that_fails_can_be_chosen() {
    let folder = folder(&[("info.jsonl", FORK), ("warning.jsonl", UNTERMINATED), ("error.jsonl", DANGLING)]);
    let codes = |name: &str| {
        ["info", "warning", "error"].map(|least| check(&folder.path().join(name), &["--legacy", "--fail-on", least]).0)
    };
    assert_eq!(codes("info.jsonl"), [1, 0, 0]);
    assert_eq!(codes("warning.jsonl"), [1, 1, 0]);
    assert_eq!(codes("error.jsonl"), [1, 1, 1]);
    assert_eq!(check(&folder.path().join("info.jsonl"), &["--legacy"]).0, 0);
    assert_eq!(check(&folder.path().join("warning.jsonl"), &["--legacy"]).0, 0);
    assert_eq!(check(&folder.path().join("error.jsonl"), &["--legacy"]).0, 1);
}

#[test]
fn a_file_named_after_another_session_says_so() {
    let folder = folder(&[(
        "00000000-0000-4000-8000-00000000a001.jsonl",
        &GOOD.replace("\"type\"", "\"sessionId\":\"s2\",\"type\""),
    )]);
    let (found, _) = json(folder.path(), &[]);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0]["rule"], "chain/session-matches-file");
    assert_eq!(found[0]["expected"], "only records of session 00000000-0000-4000-8000-00000000a001");
}

// --- inputs

#[cfg(unix)]
#[test]
fn what_cannot_be_read_is_exit_code_2_and_its_neighbours_are_judged() {
    use std::os::unix::fs::PermissionsExt;

    let folder = folder(&[("a.jsonl", DANGLING), ("d.jsonl", GOOD), ("z.jsonl", DANGLING)]);
    let made = std::process::Command::new("mkfifo").arg(folder.path().join("b.jsonl")).status().unwrap();
    assert!(made.success());
    std::os::unix::fs::symlink("nowhere", folder.path().join("c.jsonl")).unwrap();
    let closed = folder.path().join("d.jsonl");
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o000)).unwrap();
    // A user who may read every file, such as root, can read this one too.
    let unreadable = if File::open(&closed).is_ok() { 2 } else { 3 };

    let (code, _, error) = check(folder.path(), &[]);
    assert_eq!(code, 2);
    assert!(error.contains("b.jsonl: not a regular file"), "{error}");
    assert!(error.contains("c.jsonl: there is no such file"), "{error}");
    assert_eq!(error.lines().count(), unreadable, "{error}");
    let (found, summary) = json(folder.path(), &[]);
    let files: Vec<&str> = found.iter().map(|line| line["file"].as_str().unwrap()).collect();
    assert!(files[0].ends_with("a.jsonl") && files[1].ends_with("z.jsonl"), "{files:?}");
    assert_eq!(summary["unreadable"], unreadable);
    assert_adds_up(&summary);
}

#[cfg(unix)]
#[test]
fn a_circle_of_links_is_reported_and_no_file_is_read_twice() {
    let folder = folder(&[("a/b/c.jsonl", GOOD)]);
    std::os::unix::fs::symlink("..", folder.path().join("a/b/up")).unwrap();
    let (code, out, error) = check(folder.path(), &[]);
    assert_eq!(code, 0, "nothing is lost");
    assert!(out.contains("1 file, 1 line"), "{out}");
    assert!(error.contains("a symbolic link back to"), "{error}");
}

#[cfg(unix)]
#[test]
fn a_pipe_that_is_named_is_read() {
    let folder = folder(&[]);
    let pipe = folder.path().join("pipe.jsonl");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let writer = std::thread::spawn({
        let pipe = pipe.clone();
        move || fs::write(pipe, DANGLING).unwrap()
    });
    let (code, out, _) = check(&pipe, &[]);
    writer.join().unwrap();
    assert_eq!(code, 1);
    assert!(out.contains("pipe.jsonl:1:150"), "{out}");
}

#[test]
fn standard_input_is_named_by_a_dash_and_excerpts_point_into_it() {
    let (code, out, error) = run(turnproof(&["check", "-"]).write_stdin(DANGLING));
    assert_eq!((code, error.as_str()), (1, ""));
    assert!(out.contains("--> -:1:150"), "{out}");
    assert!(out.contains(concat!("\"parentUuid\":\"", id!(1), "\"}")), "{out}");
}

#[test]
fn files_of_a_folder_are_judged_in_the_order_of_their_names() {
    let folder = folder(&[("b.jsonl", DANGLING), ("a/z.jsonl", DANGLING), ("c.txt", DANGLING), ("a.jsonl", DANGLING)]);
    let (found, summary) = json(folder.path(), &[]);
    let name = |line: &Value| {
        let path = PathBuf::from(line["file"].as_str().unwrap());
        path.strip_prefix(folder.path()).unwrap().to_str().unwrap().replace('\\', "/")
    };
    assert_eq!(found.iter().map(name).collect::<Vec<_>>(), ["a/z.jsonl", "a.jsonl", "b.jsonl"]);
    assert_eq!(summary["files"], 3);
}

// --- hostile inputs

/// Many times what is read at once, and judged in a second.
const LARGE: usize = 20_000_000;

fn write_large(path: &Path, before: &str, part: &[u8], after: &str) {
    let mut file = BufWriter::new(File::create(path).unwrap());
    file.write_all(before.as_bytes()).unwrap();
    for _ in 0..LARGE / part.len() {
        file.write_all(part).unwrap();
    }
    file.write_all(after.as_bytes()).unwrap();
    file.flush().unwrap();
}

#[test]
fn a_line_of_20_megabytes_is_one_record() {
    let folder = folder(&[]);
    let path = folder.path().join("long.jsonl");
    let head = DANGLING.split_once("\"parentUuid\"").unwrap().0.to_owned() + "\"note\":\"";
    write_large(&path, &head, &[b'x'; 1000], "\",\"parentUuid\":\"u0\"}\n");
    let (found, summary) = json(&path, &[]);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0]["path"], "parentUuid");
    assert!(found[0]["excerpt"].as_str().unwrap().ends_with("x\",\"parentUuid\":\"u0\"}"));
    assert_eq!((&summary["records"], &summary["lines"]), (&Value::from(1), &Value::from(1)));
    assert_adds_up(&summary);
}

#[test]
fn a_file_of_20_megabytes_of_nul_is_one_rejected_range() {
    let folder = folder(&[]);
    let path = folder.path().join("nul.jsonl");
    write_large(&path, GOOD, &[0; 1000], "");
    let (found, summary) = json(&path, &[]);
    assert_eq!(found.len(), 1);
    assert_eq!((&found[0]["rule"], &found[0]["line"]), (&Value::from("wire/no-nul"), &Value::from(2)));
    assert_eq!((&summary["records"], &summary["rejected"]), (&Value::from(1), &Value::from(1)));
    assert_eq!(summary["rejected_bytes"], LARGE);
    assert_adds_up(&summary);
}

#[test]
fn a_line_nested_100_000_deep_is_rejected_and_its_neighbours_are_read() {
    let folder = folder(&[]);
    for (open, close) in [("[", "]"), ("{\"a\":", "}"), ("[", ""), ("{\"a\":[", "")] {
        let deep =
            format!("{GOOD}{}1{}\n{}", open.repeat(100_000), close.repeat(100_000), GOOD.replace(id!(1), id!(2)));
        let path = folder.path().join("deep.jsonl");
        fs::write(&path, deep).unwrap();
        let (found, summary) = json(&path, &[]);
        assert_eq!(found.len(), 1, "{open}");
        assert_eq!(found[0]["rule"], "wire/depth");
        assert_eq!((&summary["records"], &summary["rejected"]), (&Value::from(2), &Value::from(1)));
        assert_adds_up(&summary);
    }
}

#[test]
fn a_reader_that_closes_the_pipe_early_ends_the_command_quietly() {
    let folder = folder(&[("a.jsonl", &DANGLING.repeat(20_000))]);
    // Annotations are grouped, and end before a pipe is full.
    for format in ["human", "json"] {
        let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin!("turnproof"))
            .args(["check", "--limit", "0", "--format", format])
            .arg(folder.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut start = [0; 100];
        child.stdout.take().unwrap().read_exact(&mut start).unwrap();
        let Output { status, stderr, .. } = child.wait_with_output().unwrap();
        assert_eq!((status.code(), String::from_utf8_lossy(&stderr).as_ref()), (Some(0), ""), "{format}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_of_the_run_and_not_of_the_transcript() {
    let folder = folder(&[("a.jsonl", DANGLING)]);
    for format in ["human", "json", "github"] {
        let Output { status, stderr, .. } = std::process::Command::new(assert_cmd::cargo::cargo_bin!("turnproof"))
            .args(["check", "--format", format])
            .arg(folder.path())
            .stdout(File::create("/dev/full").unwrap())
            .output()
            .unwrap();
        assert_eq!(status.code(), Some(70));
        assert!(String::from_utf8_lossy(&stderr).starts_with("turnproof: cannot write: "));
    }
}

#[test]
fn the_output_is_the_same_with_any_number_of_threads() {
    for format in ["human", "json", "github"] {
        let print = |threads: &str| check(&cases(), &["--threads", threads, "--format", format]);
        let one = print("1");
        assert_eq!(one.0, 1, "{}", one.2);
        assert!(one.2.contains("empty.jsonl: no session: an empty file"), "{}", one.2);
        assert!(print("2") == one && print("5") == one, "{format}");
    }
}

// --- formats

#[test]
fn colours_follow_the_environment() {
    let folder = folder(&[("a.jsonl", DANGLING)]);
    let print = |variables: &[(&str, &str)]| {
        let (_, out, _) = run(turnproof(&["check"]).arg(folder.path()).envs(variables.iter().copied()));
        out.contains('\x1b')
    };
    assert!(!print(&[]), "no terminal");
    assert!(print(&[("CLICOLOR_FORCE", "1")]));
    assert!(!print(&[("NO_COLOR", "1")]));
    let (_, out, _) = run(turnproof(&["explain", "wire/utf8"]).env("CLICOLOR_FORCE", "1"));
    assert!(out.contains('\x1b'));
    let (_, out, _) = run(turnproof(&["check", "--format", "json"]).arg(folder.path()).env("CLICOLOR_FORCE", "1"));
    assert!(!out.contains('\x1b'));
}

#[test]
fn json_lines_are_objects_with_all_members_and_end_with_the_summary() {
    let (found, summary) = json(&cases(), &[]);
    let mut counts = BTreeMap::<String, u64>::new();
    for line in &found {
        assert_eq!(line["kind"], "violation");
        for name in ["rule", "severity", "file", "path", "found", "expected", "excerpt"] {
            assert!(line[name].is_string(), "{name} in {line}");
        }
        let number = |name: &str| line[name].as_u64().unwrap();
        assert!(number("line") >= 1 && number("column") >= 1 && number("start") < number("end"), "{line}");
        *counts.entry(line["rule"].as_str().unwrap().to_owned()).or_default() += 1;
    }
    for name in ["files", "lines", "records", "bytes", "blank", "rejected", "violations", "unreadable"] {
        assert!(summary[name].is_u64(), "{name}");
    }
    assert_eq!(summary["violations"], found.len());
    assert_eq!(summary["violations_by_rule"], serde_json::to_value(counts).unwrap());
    assert_adds_up(&summary);
}

#[test]
fn the_bytes_of_each_violation_are_in_its_file() {
    let (found, _) = json(&cases(), &[]);
    for line in found {
        let bytes = fs::read(line["file"].as_str().unwrap()).unwrap();
        let of = |name: &str| line[name].as_u64().unwrap() as usize;
        let before = &bytes[..of("start")];
        assert!(of("end") <= bytes.len(), "{line}");
        assert_eq!(before.iter().filter(|&&byte| byte == b'\n').count() + 1, of("line"), "{line}");
        let line_start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        assert_eq!(of("start") - line_start + 1, of("column"), "{line}");
    }
}

#[test]
fn github_annotations_escape_what_commands_give_a_meaning() {
    let name = "a,b:c%d.jsonl";
    let folder = folder(&[(name, "{\"type\":\"mode\",\"uuid\":\"%0A\",\"%\":1,\"%\":2}\n")]);
    let (code, out, _) = check(&folder.path().join(name), &["--format", "github", "--fail-on", "warning"]);
    assert_eq!(code, 1);
    let first = out.lines().next().unwrap();
    assert!(first.starts_with("::warning file="), "{first}");
    assert!(first.contains("a%2Cb%3Ac%25d.jsonl,line=1,col=36,title=wire/unique-keys (key-twice)::"), "{first}");
    assert!(first.ends_with("`%25`: the key `%25` stands in its object already; expected each key once"), "{first}");
    assert!(out.contains("1 file, 1 line, 1 record: 1 violation"), "{out}");
}

#[test]
fn at_most_so_many_violations_of_a_rule_are_shown_over_all_files_as_the_limit_says() {
    let folder = folder(&[("a.jsonl", &DANGLING.repeat(5)), ("b.jsonl", &DANGLING.repeat(3))]);
    let shown = |limit: &str| {
        let (_, out, _) = check(folder.path(), &["--limit", limit]);
        (out.matches("error[chain/parent-exists]: ").count(), out.contains("more of chain/parent-exists\n"))
    };
    assert_eq!(shown("2"), (2, true));
    assert_eq!(shown("6"), (6, true));
    assert_eq!(shown("8"), (8, false));
    assert_eq!(shown("0"), (8, false));
    assert_eq!(json(folder.path(), &["--limit", "2"]).1["violations"], 5 + 3 + 4 + 2);
}

// --- rules

#[test]
fn only_the_rules_that_globs_name_are_judged() {
    let by_rule = |globs: &[&str]| {
        let (_, summary) = json(&cases(), globs);
        let rules = summary["violations_by_rule"].as_object().unwrap();
        rules.keys().cloned().collect::<Vec<_>>()
    };
    assert!(by_rule(&["--rules", "chain/*"]).iter().all(|rule| rule.starts_with("chain/")));
    assert_eq!(by_rule(&["--rules", "*/unique", "--rules", "tool/du?l"]), ["id/unique", "tool/dual"]);
    assert!(by_rule(&[]).len() > 20);
}

#[test]
fn a_glob_that_matches_no_rule_is_exit_code_2_with_advice() {
    for arguments in [&["check", "--rules", "wire/*", "--rules", "nope/*", "."][..], &["rules", "nope/*"]] {
        let (code, out, error) = run(&mut turnproof(arguments));
        assert_eq!((code, out.as_str()), (2, ""));
        assert_eq!(error, "turnproof: no rule matches `nope/*`; `turnproof rules` lists them all\n");
    }
}

#[test]
fn a_folder_of_stored_cases_that_is_not_there_is_exit_code_2_with_advice() {
    let (code, out, error) = run(&mut turnproof(&["test", "--cases", "1", "--regressions", "target/not/there"]));
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(error.contains("there is no folder target/not/there; make it (`mkdir -p target/not/there`)"), "{error}");
}

#[test]
fn all_rules_are_listed_for_people_and_for_programs() {
    let (code, out, _) = run(&mut turnproof(&["rules"]));
    assert_eq!((code, out.lines().count()), (0, CATALOGUE.len() + 1));
    let (_, out, _) = run(&mut turnproof(&["rules", "--format", "json"]));
    for (line, rule) in out.lines().zip(CATALOGUE.iter()) {
        let line: Value = serde_json::from_str(line).unwrap();
        assert_eq!((&line["rule"], &line["title"]), (&Value::from(rule.id), &Value::from(rule.title)));
    }
    let (_, out, _) = run(&mut turnproof(&["rules", "id/*", "--format", "json"]));
    assert_eq!(out.lines().count(), CATALOGUE.iter().filter(|rule| rule.family() == "id").count());
}

#[test]
fn every_rule_explains_itself() {
    for rule in CATALOGUE.iter() {
        let (code, out, error) = run(&mut turnproof(&["explain", rule.id]));
        assert_eq!((code, error.as_str()), (0, ""), "{}", rule.id);
        assert!(out.starts_with(rule.id), "{out}");
        for heading in ["An example that breaks it", "What to do", "Where it comes from"] {
            assert!(out.contains(heading), "{heading} in {}", rule.id);
        }
        let controls = |character: char| character.is_control() && character != '\n';
        assert!(!out.contains(controls), "{}", rule.id);
    }
}

#[test]
fn a_rule_that_does_not_exist_is_exit_code_2_with_what_may_be_meant() {
    let (code, out, error) = run(&mut turnproof(&["explain", "chain/unique"]));
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(error.contains("did you mean ") && error.contains("id/unique"), "{error}");
    let (_, _, error) = run(&mut turnproof(&["explain", "nothing-like-it"]));
    assert!(error.contains("`turnproof rules` lists them all"), "{error}");
}

#[test]
fn the_help_of_every_command_has_examples() {
    let (code, out, _) = run(&mut turnproof(&["--help"]));
    assert_eq!(code, 0);
    assert!(out.contains("Exit codes:"), "{out}");
    for command in ["check", "rules", "explain"] {
        let (code, out, _) = run(&mut turnproof(&[command, "--help"]));
        assert_eq!(code, 0);
        assert!(out.contains("Example") && out.contains(&format!("  turnproof {command} ")), "{out}");
        assert!(out.lines().all(|line| line.chars().count() <= 100), "{out}");
    }
}

// --- real transcripts

#[test]
fn real_transcripts_are_read_and_their_bytes_add_up() {
    let Some(folder) = crate::transcripts::folder() else { return };
    let (_, summary) = json(&folder, &[]);
    assert_eq!((&summary["files"], &summary["unreadable"]), (&Value::from(209), &Value::from(0)));
    assert_adds_up(&summary);
}
