//! The case files, judged: what must hold, what must break, and what is said about it.

use std::collections::BTreeSet;
use std::io;
use std::path::Path;

use crate::corpus::{Case, cases};
use turnproof::check::{Finding, InputError, Judged, Options, Sink, Tally, TranscriptFile, check};
use turnproof::report::{Human, Screen};
use turnproof_rules::operation::Report;
use turnproof_rules::rules::{CATALOGUE, Judge, Rule, Severity, find, right_reading};

const MISSING: &str = "a field of a wrong type counts as missing";
const CIRCLE: &str = "a circle has a record whose parent is not earlier";

/// Rules above `info` that a case in `reject` breaks beside the one of its folder, and why it must.
const ALSO_BROKEN: &[(&str, &str, &str)] = &[
    ("reject/chain-acyclic/progress-records", "chain/parent-before-child", CIRCLE),
    (
        "reject/chain-acyclic/record-that-names-itself",
        "chain/parent-before-child",
        "a record is not earlier than itself",
    ),
    ("reject/chain-acyclic/result-that-follows-a-circle-of-progress", "chain/parent-before-child", CIRCLE),
    (
        "reject/chain-acyclic/result-that-follows-a-circle-of-progress",
        "chain/progress-not-parent",
        "that is how the walk gets in",
    ),
    ("reject/chain-acyclic/three-records", "chain/parent-before-child", CIRCLE),
    ("reject/chain-acyclic/two-records", "chain/parent-before-child", CIRCLE),
    ("reject/chain-parent-exists/parent-lost-in-a-damaged-line", "wire/json-object", "that is how the parent was lost"),
    ("reject/tool-result-has-call/call-lost-in-a-damaged-line", "wire/json-object", "that is how the call was lost"),
    ("reject/wire-no-nul/records-on-both-sides", "wire/one-record-per-line", "both stand on one line"),
    ("reject/wire-no-nul/run-inside-a-record", "wire/json-object", "the run leaves two halves of a record"),
    ("reject/wire-typed-fields/content-is-a-number", "message/content-not-empty", MISSING),
    ("reject/wire-typed-fields/message-is-a-string", "message/content-not-empty", MISSING),
    ("reject/wire-typed-fields/timestamp-is-a-number", "message/timestamp", MISSING),
    ("reject/wire-typed-fields/uuid-is-a-number", "message/has-uuid", MISSING),
];

/// What a check reports.
#[derive(Default)]
struct Reported {
    /// Rule, first byte, and the byte after the last one.
    findings: Vec<(&'static str, Severity, u64, u64)>,
}

impl Sink for Reported {
    fn finding(&mut self, finding: &Finding<'_>) -> io::Result<()> {
        self.findings.push((finding.rule.id, finding.rule.severity, finding.start, finding.end));
        Ok(())
    }

    fn unreadable(&mut self, error: &InputError) -> io::Result<()> {
        panic!("{error}");
    }
}

fn options() -> Options {
    Options { threads: 1, ..Options::default() }
}

/// The case's file under a name that is the same everywhere.
fn input(case: &Case) -> TranscriptFile {
    let mut input = TranscriptFile::file(&case.path);
    input.name = format!("tests/cases/{}.jsonl", case.id);
    input
}

fn judge(case: &Case) -> (Reported, Tally) {
    let mut reported = Reported::default();
    let tally = check(&[input(case)], &options(), &mut reported).unwrap();
    (reported, tally)
}

/// The rules above `info` that a case breaks.
fn broken(case: &Case) -> BTreeSet<&'static str> {
    let (reported, _) = judge(case);
    let above_info = reported.findings.iter().filter(|(_, severity, ..)| *severity > Severity::Info);
    above_info.map(|&(rule, ..)| rule).collect()
}

/// The rule of a folder in `reject`: its family is what stands before the first dash.
fn rule_of(case: &Case) -> String {
    case.topic().replacen('-', "/", 1)
}

#[test]
fn what_is_to_be_accepted_breaks_nothing_above_info() {
    let cases = cases();
    for case in cases.iter().filter(|case| case.folder() == "accept") {
        assert_eq!(broken(case), BTreeSet::new(), "{}", case.id);
    }
}

#[test]
fn what_is_to_be_rejected_breaks_the_rule_of_its_folder_and_no_other() {
    let mut problems = Vec::new();
    let mut needless: BTreeSet<_> = ALSO_BROKEN.iter().map(|&(id, rule, _)| (id, rule)).collect();
    let cases = cases();
    for case in cases.iter().filter(|case| case.folder() == "reject") {
        let own = rule_of(case);
        let (reported, _) = judge(case);
        if find(&own).is_none() || !reported.findings.iter().any(|finding| finding.0 == own) {
            problems.push(format!("{}: {own} holds", case.id));
        }
        let others = broken(case).into_iter().filter(|&rule| rule != own);
        for other in others.filter(|&rule| !needless.remove(&(&*case.id, rule))) {
            problems.push(format!("{}: {other} is broken too", case.id));
        }
    }
    problems.extend(needless.into_iter().map(|(id, rule)| format!("{id}: {rule} holds, and need not be listed")));
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn the_list_of_rules_that_are_broken_too_is_sorted_and_gives_reasons() {
    assert!(ALSO_BROKEN.is_sorted());
    assert!(ALSO_BROKEN.iter().all(|(.., reason)| !reason.is_empty()));
}

#[test]
fn every_rule_that_a_file_can_break_has_a_case_to_reject() {
    // What a subject makes of a file, not what the file is.
    let unbreakable = ["wire/every-byte-accounted", "wire/lossless", "wire/deterministic"];
    let rules: Vec<String> = cases().iter().filter(|case| case.folder() == "reject").map(rule_of).collect();
    for rule in CATALOGUE.iter().filter(|rule| !unbreakable.contains(&rule.id)) {
        if matches!(rule.judge, Judge::Parse(_) | Judge::Transcript(_)) {
            assert!(rules.iter().any(|own| own == rule.id), "{}", rule.id);
        }
    }
}

#[test]
fn the_bytes_of_every_case_add_up() {
    for case in cases() {
        let (_, tally) = judge(&case);
        let sum = tally.record_bytes + tally.blank_bytes + tally.rejected_bytes;
        assert_eq!((sum, tally.bytes), (tally.bytes, case.bytes.len() as u64), "{}", case.id);
    }
}

#[test]
fn on_every_case_the_model_reports_what_the_check_finds() {
    for case in cases() {
        let (reported, _) = judge(&case);
        let on_wire = reported.findings.iter().filter(|(rule, ..)| rule.starts_with("wire/"));
        let mut found: Vec<_> = on_wire.map(|&(rule, _, start, _)| (rule, start)).collect();
        for Report { rule, start, end } in right_reading(&case.bytes).reports.into_iter().flatten() {
            let at = found.iter().position(|&(own, at)| own == rule && (start..end).contains(&at));
            let at = at.unwrap_or_else(|| panic!("{}: no {rule} in {start}..{end}: {found:?}", case.id));
            found.remove(at);
        }
        assert_eq!(found, [], "{}: the model does not report", case.id);
    }
}

#[test]
fn what_is_said_about_every_case_is_as_reviewed() {
    for case in cases() {
        let mut printed = Vec::new();
        let mut report = Human::new(&mut printed, Screen::default(), 5);
        let tally = check(&[input(&case)], &options(), &mut report).unwrap();
        report.finish(&tally, &[]).unwrap();
        let mut settings = insta::Settings::clone_current();
        settings.set_snapshot_path(format!("../../snapshots/check/{}/{}", case.folder(), case.topic()));
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.bind(|| insta::assert_snapshot!(case.fault(), String::from_utf8(printed).unwrap()));
    }
}

/// A report, and the verdicts.
struct Judging<S> {
    report: S,
    judged: Vec<Judged>,
}

impl<S: Sink> Sink for Judging<S> {
    fn wants(&mut self, file: &str, rule: &Rule) -> bool {
        self.report.wants(file, rule)
    }

    fn finding(&mut self, finding: &Finding<'_>) -> io::Result<()> {
        self.report.finding(finding)
    }

    fn end_of_file(&mut self, judged: Option<&Judged>) -> io::Result<()> {
        self.judged.extend(judged.cloned());
        self.report.end_of_file(judged)
    }
}

#[test]
fn the_output_depends_on_neither_threads_nor_chunks() {
    let inputs: Vec<TranscriptFile> = cases().iter().map(input).collect();
    let print = |threads, chunk_size| {
        let mut printed = Vec::new();
        let report = Human::new(&mut printed, Screen::default(), 0);
        let mut judging = Judging { report, judged: Vec::new() };
        let options = Options { threads, chunk_size, verdicts: true, ..Options::default() };
        let tally = check(&inputs, &options, &mut judging).unwrap();
        let Judging { mut report, judged } = judging;
        report.finish(&tally, &judged).unwrap();
        assert_eq!(judged.len(), inputs.len());
        (judged, printed)
    };
    let once = print(1, 1 << 18);
    for (threads, chunk_size) in [(2, 1 << 18), (5, 1 << 18), (1, 1), (3, 1), (2, 100), (4, 1000)] {
        assert!(print(threads, chunk_size) == once, "{threads} threads, chunks of {chunk_size}");
    }
}

#[test]
fn every_snapshot_belongs_to_a_case_and_every_topic_is_in_the_readme() {
    let tests = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).join("tests");
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).join("snapshots/check");
    let cases = cases();
    let mut snapshots = 0;
    for entry in walkdir::WalkDir::new(&folder) {
        let entry = entry.unwrap();
        // Beside the reviewed ones there may be new ones that wait for review.
        if entry.path().extension().is_some_and(|extension| extension == "snap") {
            let path = entry.path().strip_prefix(&folder).unwrap().with_extension("jsonl");
            assert!(tests.join("cases").join(&path).is_file(), "{} has no case", path.display());
            snapshots += 1;
        }
    }
    assert_eq!(snapshots, cases.len());
    let readme = std::fs::read_to_string(tests.join("cases/README.md")).unwrap();
    for case in cases {
        let topic = format!("`{}/{}`", case.folder(), case.topic());
        assert!(readme.contains(&topic), "{topic}");
    }
}
