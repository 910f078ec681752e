//! *Runs* of the suite: the result is the same for any number of threads, and failures are shrunk to what matters.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use turnproof_faults::{self as faults, Fault};
use turnproof_rules::operation::{StreamItem, UsageRow};
use turnproof_rules::rules::{CATALOGUE, Judge, Mistake, Verdict, Violation, find};
use turnproof_suite::scenario::plain::is_legal;
use turnproof_suite::scenario::{Case, LineKind, Profile, Scenario, simpler};
use turnproof_suite::subject::{Outcome, Reference, Subject};
use turnproof_suite::suite::{
    CaseLine, Depth, Failure, Observed, Options, Regression, Report, RuleCount, judge, load_regressions, nearness, run,
    shrink,
};

fn options(seed: u64, cases: u64) -> Options {
    Options { seed, cases, ..Options::default() }
}

fn run_logged(subject: &dyn Subject, options: &Options) -> (Report, Vec<CaseLine>) {
    let mut lines = Vec::new();
    let report = run(subject, options, &[], &mut |line| lines.push(line.clone())).unwrap();
    (report, lines)
}

fn fault(id: &str) -> &'static Fault {
    faults::find(id).unwrap()
}

#[test]
fn the_same_seed_gives_the_same_report_whatever_the_threads() {
    let subject = fault("parse/drops-nulls");
    let one = run_logged(subject, &Options { threads: 1, ..options(3, 300) });
    let three = run_logged(subject, &Options { threads: 3, ..options(3, 300) });
    assert_eq!(one, three);
    assert!(!one.0.failures.is_empty());
}

#[test]
fn a_rule_that_is_seldom_broken_comes_behind_the_others_of_its_operation() {
    let order = |broken: &[(&'static str, u64)]| {
        let count = |&(rule, broken): &(_, u64)| RuleCount { rule, broken, ..RuleCount::default() };
        let counts: Vec<RuleCount> = broken.iter().map(count).collect();
        let mut rules: Vec<&str> = broken.iter().map(|(rule, _)| *rule).collect();
        rules.sort_by_key(|rule| nearness(rule, &counts));
        rules
    };
    let [near, far] = ["resume/total", "resume/complete"];
    assert_eq!(order(&[(far, 61), (near, 61)]), [near, far]);
    assert_eq!(order(&[(far, 61), (near, 16)]), [near, far], "a quarter is enough");
    assert_eq!(order(&[(far, 61), (near, 15)]), [far, near]);
    let next = "resume/bridges-gap";
    assert_eq!(
        order(&[(far, 60), (next, 61)]),
        [next, far],
        "of two that are as near, the one that is broken more often"
    );
    let other = "usage/deterministic";
    assert_eq!(order(&[(far, 802), (other, 11)]), [other, far], "those of other operations do not count");
    let repair = "repair/total";
    assert_eq!(order(&[(repair, 61), (other, 11)]), [repair, other], "the nearer one");
    assert_eq!(order(&[(repair, 61), (far, 11)]), [far, repair], "what a repair rests on comes first");
}

/// Counts the first file alone.
struct FirstFile;

impl Subject for FirstFile {
    fn name(&self) -> &str {
        "first-file"
    }

    fn usage(&self, files: &[Vec<u8>]) -> Outcome<Vec<UsageRow>> {
        Reference.usage(&files[..files.len().min(1)])
    }
}

#[test]
fn a_failure_of_usage_shows_the_files_where_there_are_several() {
    let (report, _) = run_logged(&FirstFile, &options(1, 200));
    let failure = report.failures.iter().find(|failure| failure.regression.rule == "usage/once-per-reply").unwrap();
    let text = failure.to_string();
    assert!(text.contains("\n  file 1, line 1: {") && text.contains("\n  file 2, line 1: {"), "{text}");
}

#[test]
fn shards_together_run_the_cases_of_the_whole() {
    let (_, whole) = run_logged(&Reference, &options(7, 101));
    let mut parts = Vec::new();
    for shard in ["1/3", "2/3", "3/3"] {
        parts.extend(run_logged(&Reference, &Options { shard: shard.parse().unwrap(), ..options(7, 101) }).1);
    }
    parts.sort_by_key(|line| line.case);
    assert_eq!(parts, whole);
}

#[test]
fn other_seeds_give_other_cases() {
    let (_, one) = run_logged(&Reference, &options(1, 50));
    let (_, two) = run_logged(&Reference, &options(2, 50));
    let same = one.iter().zip(&two).filter(|(a, b)| a.plan == b.plan).count();
    assert!(same < 5, "{same} of 50 plans are the same");
}

#[test]
fn what_a_subject_does_not_do_is_neither_held_nor_broken() {
    struct Idle;
    impl Subject for Idle {
        fn name(&self) -> &str {
            "idle"
        }
    }
    let (report, _) = run_logged(&Idle, &options(1, 20));
    assert!(report.counts.iter().all(|count| !count.supported && count.held + count.broken == 0));
    assert_eq!(report.failures, []);
}

#[test]
fn a_panic_of_the_subject_is_a_finding() {
    struct Panicking;
    impl Subject for Panicking {
        fn name(&self) -> &str {
            "panicking"
        }
        fn short_id(&self, uuid: &str) -> Outcome<String> {
            assert!(uuid.is_empty(), "no id is good enough");
            Outcome::Rejected("empty".into())
        }
    }
    let (report, _) = run_logged(&Panicking, &options(1, 20));
    let found = report.failures[0].violations[0].found.to_string();
    assert!(found.contains("panicked: no id is good enough"), "{found}");
}

/// The smallest case in which a fault is detected by its rule.
fn smallest(id: &str) -> Scenario {
    smallest_case(id, &fault(id).options(7, 1_000))
}

fn smallest_case(id: &str, cases: &Options) -> Scenario {
    let fault = fault(id);
    let rule = find(fault.rule).unwrap();
    let is_detected = |plan: &Scenario| {
        let observed = Observed::of(fault, &Case::of(plan), &[rule.operation()], Depth::Whole);
        judge(rule, &observed).is_some_and(|verdict| verdict.is_broken())
    };
    let first = (0..cases.cases).map(|case| cases.scenario(case)).find(is_detected);
    shrink(fault, rule, first.unwrap())
}

fn smallest_transcript(id: &str) -> String {
    String::from_utf8_lossy(&smallest(id).transcript()).replace('\0', "NUL")
}

/// What a run finds of a fault that rejects records.
fn rejecting_failure(id: &str) -> Regression {
    let fault = fault(id);
    let (report, _) = run_logged(fault, &Options { rules: vec![find(fault.rule).unwrap()], ..options(7, 1_000) });
    let mut failures = report.failures.into_iter().map(|failure| failure.regression);
    failures.find(|regression| regression.kind == "record-rejected").unwrap()
}

#[test]
fn failures_shrink_to_the_smallest_case() {
    let record = concat!(
        r#"{"type":"user","message":{"role":"user","content":[]},"#,
        r#""uuid":"00000000-0000-4000-8000-000000000001","#,
        r#""sessionId":"5e550000-0000-4000-8000-000000000001","timestamp":"2026-01-01T00:00:00.000Z"}"#,
    );
    let smallest_of = |id| smallest_transcript(id).replace("00:00:01", "00:00:00");
    let nul = smallest_of("parse/loses-a-record-beside-nul");
    assert!(nul == format!("NUL{record}\n") || nul == format!("{record}NUL\n"), "{nul}");
    assert_eq!(smallest_of("parse/loses-the-last-line"), record);
    // One line that is written twice, without its end, is less than two lines.
    let glued = rejecting_failure("parse/loses-glued-records").scenario.transcript();
    assert_eq!(String::from_utf8_lossy(&glued).replace("00:00:01", "00:00:00"), format!("{record}{record}"));
    // Damage also makes records without a type, from two lines that are both needed.
    let undamaged = Options { profiles: vec![Profile::Shuffled], ..options(7, 1_000) };
    let untyped = smallest_case("parse/panics-without-type", &undamaged);
    assert_eq!(untyped.lines().iter().map(|line| line.kind).collect::<Vec<_>>(), [LineKind::UNTYPED]);
    let index = smallest("derive_uuid/decimal-index").indexes;
    assert_eq!(index, [10], "the first index whose digits differ");
    let wrapped = smallest("derive_uuid/wraps-the-index").indexes;
    assert_eq!(wrapped, [1 << 48], "the first index that does not fit");
}

#[test]
fn no_single_step_from_a_smallest_case_breaks_the_rule_in_the_same_way() {
    let some: Vec<&Fault> = faults::all().step_by(5).collect();
    some.into_par_iter().for_each(|fault| {
        let rule = find(fault.rule).unwrap();
        let kinds = |plan: &Scenario| {
            let observed = Observed::of(fault, &Case::of(plan), &[rule.operation()], Depth::Whole);
            let Some(Verdict::Broken(violations)) = judge(rule, &observed) else { return Vec::new() };
            violations.iter().map(Violation::mistake).collect()
        };
        let smallest = smallest(fault.id);
        // The case was shrunk for one of its kinds of violation, and no further step keeps that kind.
        let shrunk_for: Vec<Mistake> = kinds(&smallest);
        // A legal dialogue may be replaced by legal ones alone.
        let stays_legal = |plan: &Scenario| is_legal(plan.turns()) || !is_legal(smallest.turns());
        let steps = simpler(&smallest).filter(stays_legal);
        let still_there: Vec<Mistake> = steps.flat_map(|plan| kinds(&plan)).collect();
        assert!(shrunk_for.iter().any(|kind| !still_there.contains(kind)), "{}: {smallest:?}", fault.id);
    });
}

#[test]
fn a_stored_case_breaks_its_rule_again_when_it_is_replayed() {
    let folder = tempfile::tempdir().unwrap();
    let fault = fault("parse/loses-glued-records");
    let rules = vec![find(fault.rule).unwrap()];
    let regression = rejecting_failure(fault.id);
    regression.save(folder.path()).unwrap();

    let stored: Vec<Regression> =
        load_regressions(folder.path()).unwrap().into_iter().map(|(_, regression)| regression).collect();
    assert_eq!(stored, [regression]);
    let none = Options { rules, ..options(7, 0) };
    let replayed = run(fault, &none, &stored, &mut |_| {}).unwrap();
    assert_eq!((replayed.replayed, replayed.cases, replayed.failures.len()), (1, 0, 1));
    let held = run(&Reference, &none, &stored, &mut |_| {}).unwrap();
    assert_eq!(held.failures, []);
}

#[test]
fn the_reference_holds_every_rule() {
    let report = run(&Reference, &options(1, 2_000), &[], &mut |_| {}).unwrap();
    assert_eq!(report.failures, []);
    // One that depends on sizes, on the caller or on the model is judged in requests only.
    let asks_subjects = |rule: &str| !matches!(find(rule).unwrap().judge, Judge::Request { structural: false, .. });
    let asked = report.counts.iter().filter(|count| asks_subjects(count.rule));
    let idle: Vec<_> = asked.filter(|count| !count.supported || count.held == 0).collect();
    assert!(idle.is_empty(), "{idle:?}");
}

#[test]
fn the_reference_holds_in_every_stored_case() {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).join("tests/regressions");
    let stored: Vec<Regression> =
        load_regressions(&folder).unwrap().into_iter().map(|(_, regression)| regression).collect();
    assert!(!stored.is_empty(), "no stored case in {}", folder.display());
    let report = run(&Reference, &options(1, 0), &stored, &mut |_| {}).unwrap();
    assert_eq!(report.failures, []);
}

#[test]
fn plans_survive_json_and_play_to_the_same_bytes() {
    for case in 0..200 {
        for profile in Profile::ALL {
            let plan = Scenario::from_seed(5, case, profile);
            let json = serde_json::to_string(&plan).unwrap();
            let again: Scenario = serde_json::from_str(&json).unwrap();
            assert_eq!(again, plan);
            assert_eq!(again.transcript(), plan.transcript());
        }
    }
}

#[test]
fn shuffled_lines_are_all_records() {
    for case in 0..500 {
        let plan = Scenario::from_seed(9, case, Profile::Shuffled);
        // A large one may stand for many records.
        if plan.lines().iter().any(|line| line.large.is_some()) {
            continue;
        }
        let Outcome::Output(parsed) = Reference.parse(&plan.transcript()) else { panic!("not read") };
        assert_eq!(parsed.records.len(), plan.lines().len(), "{plan:?}");
        assert_eq!(parsed.rejected, [], "{plan:?}");
    }
}

#[test]
fn every_kind_of_message_and_every_defect_is_generated() {
    let mut kinds: BTreeMap<String, u32> = BTreeMap::new();
    let mut reports: BTreeMap<String, u32> = BTreeMap::new();
    for case in 0..2_000 {
        let plan = Scenario::from_seed(9, case, Profile::Hostile);
        let Outcome::Output(parsed) = Reference.parse(&plan.transcript()) else { panic!("not read") };
        for kind in parsed.records.iter().filter_map(|record| record.kind.clone()) {
            *kinds.entry(kind).or_default() += 1;
        }
        for report in parsed.reports.into_iter().flatten() {
            *reports.entry(report.rule).or_default() += 1;
        }
    }
    for kind in turnproof_reference::message::Kind::ALL {
        assert!(kinds.get(kind.name()).is_some_and(|&count| count > 20), "{}: {kinds:?}", kind.name());
    }
    /// Rules on the answer itself, whatever the bytes hold.
    const OF_ANSWERS: [&str; 3] = ["wire/every-byte-accounted", "wire/lossless", "wire/deterministic"];
    let wire = CATALOGUE.iter().filter(|rule| rule.family() == "wire").map(|rule| rule.id);
    for rule in wire.filter(|rule| !OF_ANSWERS.contains(rule)) {
        assert!(reports.get(rule).is_some_and(|&count| count > 20), "{rule}: {reports:?}");
    }
}

/// The failure of a fault that has this rule, and the files in which it is kept.
fn kept(id: &str, folder: &Path) -> (Failure, Vec<PathBuf>) {
    let fault = fault(id);
    let rules = vec![find(fault.rule).unwrap()];
    let report = run(fault, &Options { rules, ..options(1, 1_000) }, &[], &mut |_| {}).unwrap();
    let failure = report.failures.into_iter().next().unwrap();
    let files = failure.save(folder).unwrap();
    (failure, files)
}

#[test]
fn a_case_about_a_stream_is_kept_with_its_stream() {
    let folder = tempfile::TempDir::new().unwrap();
    let id = "accumulate/reads-the-byte-order-mark";
    let (failure, files) = kept(id, folder.path());
    assert_eq!(files[1], files[0].with_extension("sse"));
    let stream = fs::read(&files[1]).unwrap();
    assert!(failure.to_string().contains("<U+FEFF>data: "), "{failure}");
    let items = [StreamItem::Bytes(stream)];
    assert_ne!(fault(id).accumulate(&items), Reference.accumulate(&items), "the file shows it to any program");
    assert_eq!(load_regressions(folder.path()).unwrap().len(), 1);
}

#[test]
fn the_stream_that_a_subject_panics_at_is_kept_too() {
    let folder = tempfile::TempDir::new().unwrap();
    let id = "accumulate/panics-on-an-unknown-block";
    let (failure, files) = kept(id, folder.path());
    let stream = fs::read_to_string(&files[1]).unwrap();
    let delta = stream.find("content_block_delta").unwrap();
    // The block that it is about has not begun, or never begins.
    assert!(stream.find("content_block_start").is_none_or(|start| delta < start), "{failure}");
}

#[test]
fn a_case_about_a_reply_is_kept_with_its_stream_and_other_cases_have_none() {
    let folder = tempfile::TempDir::new().unwrap();
    let (_, files) = kept("check_response/checks-no-order", folder.path());
    let reply = fs::read_to_string(&files[1]).unwrap();
    assert!(
        !fault("check_response/checks-no-order")
            .check_response(&reply)
            .into_answer()
            .unwrap()
            .is_ok_and(|errors| !errors.is_empty())
    );
    assert!(Reference.check_response(&reply).into_answer().unwrap().is_ok_and(|errors| !errors.is_empty()), "{reply}");
    assert_eq!(kept("parse/drops-nulls", folder.path()).1.len(), 1);
}
