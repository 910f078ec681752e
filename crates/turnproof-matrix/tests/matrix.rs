//! The *matrix* of small libraries, one of each class: what is counted, reported, kept, confirmed and written.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

/// A folder of adapters, and what a run of the matrix leaves.
struct Field {
    folder: TempDir,
}

impl Field {
    /// Adapters of these stubs.
    fn of(stubs: &[&str]) -> Self {
        let field = Self { folder: TempDir::new().unwrap() };
        for stub in stubs {
            field.adapter(stub, stub, "");
        }
        field
    }

    fn adapters(&self) -> PathBuf {
        self.folder.path().join("adapters")
    }

    /// Adds an adapter that starts a stub after what its launcher does first.
    fn adapter(&self, folder: &str, stub: &str, first: &str) {
        let path = self.adapters().join(folder);
        fs::create_dir_all(&path).unwrap();
        let about = format!(
            "package = \"{folder}\"\nversion = \"1.0.0\"\nregistry = \"crates.io\"\nlanguage = \"rust\"\n\
             operations = [\"normalize_api\"]\nfunction = \"send\"\nduty = \"{}\"\nstart_timeout = \"60s\"\n",
            if folder == "passes-on" { "its README says that the caller answers each call" } else { "" }
        );
        fs::write(path.join("adapter.toml"), about).unwrap();
        let stub = format!("'{}' {stub}", env!("CARGO_BIN_EXE_matrix-stub"));
        let run = format!("#!/bin/sh\n{first}\n[ \"${{1:-}}\" != --install ] || exit 0\nexec {stub}\n");
        fs::write(path.join("run"), run).unwrap();
        fs::set_permissions(path.join("run"), fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn matrix(&self, arguments: &[&str]) -> Output {
        let path = |name: &str| self.folder.path().join(name);
        let mut command = Command::new(env!("CARGO_BIN_EXE_turnproof-matrix"));
        command.args(["--cases", "150", "--jobs", "2"]).args(arguments);
        command.arg("--adapters").arg(self.adapters()).arg("--out").arg(path("out")).arg("--kept").arg(path("kept"));
        command.output().unwrap()
    }

    /// A file that was written.
    fn written(&self, name: &str) -> String {
        fs::read_to_string(self.folder.path().join(name)).unwrap()
    }

    /// The lines of `matrix.jsonl` of a kind, about a subject.
    fn lines(&self, kind: &str, subject: &str) -> Vec<Value> {
        let all: Vec<Value> =
            self.written("out/matrix.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let is_of = |line: &Value| match kind {
            "breach" => line["file"].as_str().is_some_and(|file| file.starts_with(&format!("{subject}/"))),
            _ => line["subject"] == subject,
        };
        all.into_iter().filter(|line| line["kind"] == kind && is_of(line)).collect()
    }

    /// The breaches of a class that were found of a subject: rule and harm.
    fn breaches(&self, subject: &str, class: &str) -> Vec<(String, String)> {
        let words = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let all = self.lines("breach", subject);
        all.iter()
            .filter(|line| line["class"] == class)
            .map(|line| (words(&line["rule"]), words(&line["harm"])))
            .collect()
    }

    /// The sum of a count over all rules of a subject.
    fn sum(&self, subject: &str, count: &str) -> u64 {
        self.lines("rule", subject).iter().map(|line| line[count].as_u64().unwrap()).sum()
    }
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

const ALL: [&str; 5] = ["dies-of-pictures", "forgets-failures", "passes-on", "refuses", "repairs"];

#[test]
fn each_class_is_told_apart_and_the_page_and_the_lines_stay_as_they_are() {
    let field = Field::of(&ALL);
    field.adapter("not-here", "repairs", "echo 'not-here: there is no cargo' >&2; exit 69");
    let output = field.matrix(&["--date", "2026-01-02"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));

    // Whoever sends a history as it is, or refuses it, harms no legal one.
    for subject in ["passes-on", "refuses", "repairs"] {
        assert_eq!(field.breaches(subject, "legal"), [], "{subject}");
    }
    // A failed result that is a text, and one that is a list.
    let lost = || ("normalize/conserves".to_owned(), "lost".to_owned());
    assert_eq!(field.breaches("forgets-failures", "legal"), [lost(), lost()]);
    // One of each sort of image.
    let crashes = field.breaches("dies-of-pictures", "legal");
    assert!((1..=3).contains(&crashes.len()), "{crashes:?}");
    assert!(crashes.iter().all(|crash| *crash == ("crash".to_owned(), "refused".to_owned())), "{crashes:?}");
    for (subject, only) in [("passes-on", "passed_on"), ("refuses", "refused"), ("repairs", "repaired")] {
        for count in ["passed_on", "refused", "repaired"] {
            assert_eq!(field.sum(subject, count) > 0, count == only, "{subject} {count}");
        }
    }
    assert!(field.breaches("passes-on", "passed-on").len() > 8);
    let unsupported = &field.lines("operation", "forgets-failures")[0]["unsupported"];
    assert!(unsupported.as_object().is_some_and(|reasons| !reasons.is_empty()), "{unsupported}");
    assert_eq!(field.lines("skipped", "not-here")[0]["why"], "not-here: there is no cargo");

    insta::with_settings!({ snapshot_path => "../../../snapshots/matrix", prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!("page", field.written("out/matrix.md"));
        let lines = field.written("out/matrix.jsonl");
        let is_shown = |line: &&str| ["\"run\"", "not-here", "forgets-failures"].iter().any(|part| line.contains(part));
        let is_short = |line: &&str| !line.contains("\"class\":\"passed-on\"");
        let lines: Vec<&str> = lines.lines().filter(is_shown).filter(is_short).collect();
        insta::assert_snapshot!("lines", lines.join("\n"));
    });
    let html = field.written("out/matrix.html");
    assert!(html.starts_with("<!DOCTYPE html>") && !html.contains("<script"));
    assert!(html.contains("content lost") && html.contains("its README says that the caller answers each call"));
}

#[test]
fn each_kind_of_violation_in_streams_has_a_smallest_case_of_its_own() {
    let field = Field::of(&["misreads"]);
    assert!(field.matrix(&["--keep"]).status.success());
    let mut lost: Vec<String> = field
        .lines("breach", "misreads")
        .iter()
        .map(|breach| format!("{} {}", breach["rule"], breach["found"].as_str().unwrap().split(':').next().unwrap()))
        .collect();
    lost.sort();
    let of = |member: &str| format!("\"stream/accumulates\" as a whole without its {member}");
    assert_eq!(lost, [of("stop_reason"), of("usage")]);
}

#[test]
fn a_repair_is_told_by_what_becomes_of_sound_files_and_of_damaged_ones() {
    let tools = ["declines", "leaves", "mends", "shortens"];
    let field = Field::of(&tools);
    assert!(field.matrix(&["--keep"]).status.success());
    for (tool, only) in [("declines", "refused"), ("leaves", "passed_on"), ("mends", "repaired")] {
        assert_eq!(field.breaches(tool, "legal"), [], "{tool}");
        assert_eq!(field.breaches(tool, "anew"), [], "{tool}");
        for count in ["refused", "passed_on", "repaired"] {
            assert_eq!(field.sum(tool, count) > 0, count == only, "{tool} {count}");
        }
    }
    let rules =
        |class: &str| -> Vec<String> { field.breaches("leaves", class).into_iter().map(|(rule, _)| rule).collect() };
    assert_eq!(rules("passed-on"), ["repair/clean", "repair/legal"]);
    let of_sound = field.breaches("shortens", "legal");
    let harm = |rule: &str, harm: &str| of_sound.contains(&(rule.to_owned(), harm.to_owned()));
    assert!(harm("repair/resumes", "lost") && harm("repair/minimal", "changed"), "{of_sound:?}");
    let page = field.written("out/matrix.md");
    assert!(page.contains("0 libraries in 0 languages") && page.contains("## Tools that repair transcripts"), "{page}");
    assert!(!page.contains("## The libraries") && !page.contains("read otherwise"), "tools have tables of their own");
    // A smallest case reads as lines, before and after.
    let kept: Value = serde_json::from_str(&field.written("kept/shortens/repair-resumes.json")).unwrap();
    let (given, made) = (kept["input"].as_array().unwrap(), kept["answer"].as_array().unwrap());
    assert_eq!(made.len() + 1, given.len(), "{kept}");
    assert_eq!(field.matrix(&["--replay"]).status.code(), Some(0));
}

#[test]
fn kept_cases_are_played_again_and_one_that_no_longer_breaks_its_rule_is_named() {
    let field = Field::of(&["forgets-failures"]);
    assert!(field.matrix(&["--keep"]).status.success());
    let kept = "kept/forgets-failures/normalize-conserves.json";
    let case: Value = serde_json::from_str(&field.written(kept)).unwrap();
    assert_eq!((&case["class"], &case["messages"]), (&"legal".into(), &3.into()));
    assert_eq!(case["input"].as_array().map(Vec::len), Some(3));
    // It reads as a stored case of the suite, too.
    let stored = turnproof_suite::suite::load_regressions(&field.folder.path().join("kept/forgets-failures")).unwrap();
    assert!(stored.iter().any(|(_, stored)| stored.rule == "normalize/conserves"));

    let again = field.matrix(&["--replay"]);
    assert_eq!(again.status.code(), Some(0));
    assert!(said(&again).contains("breaks: forgets-failures/normalize-conserves.json"), "{}", said(&again));

    // The library is fixed.
    field.adapter("forgets-failures", "repairs", "");
    let fixed = field.matrix(&["--replay"]);
    assert_eq!(fixed.status.code(), Some(1));
    let named = "NOT ANY MORE: forgets-failures/normalize-conserves.json: the rule holds";
    assert!(said(&fixed).contains(named), "{}", said(&fixed));
}

#[test]
fn a_library_that_answers_by_chance_is_not_accused_of_what_a_second_run_does_not_show() {
    let field = Field::of(&[]);
    // Its second process is another library.
    let mark = field.folder.path().join("mark");
    let first = format!(
        "[ \"${{1:-}}\" != --install ] || exit 0\n[ ! -e '{0}' ] || exec '{1}' repairs\ntouch '{0}'",
        mark.display(),
        env!("CARGO_BIN_EXE_matrix-stub")
    );
    field.adapter("by-chance", "forgets-failures", &first);
    assert!(field.matrix(&["--keep"]).status.success());
    let breaches = field.lines("breach", "by-chance");
    assert!(!breaches.is_empty() && breaches.iter().all(|breach| breach["confirmed"] == false));
    assert!(field.written("out/matrix.md").contains("was not so in a second run, and is not claimed"));
    assert!(!Path::new(&field.folder.path().join("kept/by-chance/normalize-conserves.json")).exists());
}

#[test]
fn the_list_and_the_errors_of_a_call_say_what_is_there() {
    let field = Field::of(&["repairs"]);
    let list = field.matrix(&["--list"]);
    assert_eq!(said(&list), "repairs: repairs 1.0.0 (crates.io, rust), normalize_api\n");
    let none = field.matrix(&["--only", "x*"]);
    assert_eq!(none.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&none.stderr).contains("matches `x*`"));
    fs::write(field.adapters().join("repairs/adapter.toml"), "package = 1\n").unwrap();
    let broken = field.matrix(&["--list"]);
    assert_eq!(broken.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&broken.stderr).contains("adapter.toml"));
}

#[test]
fn the_benchmark_of_repairs_has_each_kind_of_damage_and_nothing_of_ours_is_less_than_no_repair() {
    let field = Field::of(&["repairs"]);
    let output = field.matrix(&["--repairs", "1", "--seed", "2"]);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(0), "{said}");
    let lines = field.written("out/repairs.jsonl");
    let cases: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for damage in turnproof_suite::scenario::SESSION_DAMAGES {
        let alone: Vec<&Value> =
            cases.iter().filter(|case| case["damages"] == serde_json::json!([damage.name])).collect();
        let tools: Vec<&str> = alone.iter().filter_map(|case| case["tool"].as_str()).collect();
        assert_eq!(tools, ["no repair", "turnproof"], "{}", damage.name);
        assert_eq!((&alone[1]["accepted"], &alone[1]["idempotent"]), (&Value::from(true), &Value::from(true)));
        assert!(field.written("out/repairs.md").contains(damage.what));
    }
}
