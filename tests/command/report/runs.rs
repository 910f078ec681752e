//! Runs to report on: of faults, of stored cases, and made by hand to be hostile.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{LazyLock, OnceLock};

use rayon::prelude::*;
use turnproof::report::run::{Exhibit, Replay, RunReport};
use turnproof_faults::{self as faults, Fault};
use turnproof_rules::rules::{CATALOGUE, Judge, Place, Sentence, Violation, find, matching};
use turnproof_suite::scenario::{Case, Profile, Scenario};
use turnproof_suite::subject::{Reference, Subject};
use turnproof_suite::suite::{
    Depth, Failure, Observed, Options, Regression, Report, RuleCount, judge, load_regressions, run,
};

/// A run and all that its report is made of.
pub(crate) struct Run {
    pub(crate) options: Options,
    pub(crate) report: Report,
    pub(crate) exhibits: Vec<Exhibit>,
    /// What is kept of it, written once for all that ask.
    written: OnceLock<BTreeMap<&'static str, String>>,
}

impl Run {
    pub(crate) fn of(subject: &dyn Subject, options: Options) -> Self {
        let report = run(subject, &options, &[], &mut |_| {}).unwrap();
        let exhibits = report.failures.iter().map(|failure| Exhibit::of(subject, failure)).collect();
        Self { options, report, exhibits, written: OnceLock::new() }
    }

    /// A run that found these failures.
    pub(crate) fn made(subject: &str, options: Options, failures: Vec<Failure>, exhibits: Vec<Exhibit>) -> Self {
        let counts = counts(&failures);
        let report = Report { subject: subject.into(), cases: options.cases, counts, failures, ..Report::default() };
        Self { options, report, exhibits, written: OnceLock::new() }
    }

    pub(crate) fn files(&self) -> &BTreeMap<&'static str, String> {
        self.written.get_or_init(|| self.report_of().files().unwrap().into_iter().collect())
    }

    pub(crate) fn report_of(&self) -> RunReport<'_> {
        RunReport {
            version: "1.2.3",
            replay: Replay::Command("turnproof test"),
            options: &self.options,
            report: &self.report,
            exhibits: &self.exhibits,
        }
    }
}

pub(crate) fn options(seed: u64, cases: u64) -> Options {
    Options { seed, cases, ..Options::default() }
}

/// A run of a reader that loses members whose value is null.
pub(crate) fn drops_nulls(threads: usize) -> Run {
    let rules = ["wire/*", "id/*"].into_iter().flat_map(matching).collect();
    Run::of(fault("parse/drops-nulls"), Options { rules, threads, ..options(3, 150) })
}

/// A run of the reference, in which nothing is broken.
pub(crate) fn reference(cases: u64) -> Run {
    Run::of(&Reference, options(1, cases))
}

pub(crate) fn fault(id: &str) -> &'static Fault {
    faults::find(id).unwrap()
}

/// The name of what a rule judges.
pub(crate) fn operation(rule: &str) -> &'static str {
    find(rule).unwrap().operation().name()
}

/// A report of every stored case of a fault, as if one run had found them all.
pub(crate) static STORED: LazyLock<Run> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/regressions");
    let stored: Vec<Regression> =
        load_regressions(&folder).unwrap().into_iter().map(|(_, regression)| regression).collect();
    let known: Vec<(&Fault, Regression)> =
        stored.into_iter().filter_map(|stored| Some((faults::find(&stored.subject)?, stored))).collect();
    let failures = known.into_par_iter().filter_map(|(fault, regression)| {
        let rule = find(&regression.rule).unwrap();
        let observed = Observed::of(fault, &Case::of(&regression.scenario), &[rule.operation()], Depth::Whole);
        let turnproof_rules::rules::Verdict::Broken(violations) = judge(rule, &observed)? else { return None };
        let failure = Failure {
            regression,
            violations,
            is_again: true,
            cut_off: None,
            asked: Vec::new(),
            stream: None,
            said: Vec::new(),
        };
        let exhibit = Exhibit::of(fault, &failure);
        Some((failure, exhibit))
    });
    let (failures, exhibits): (Vec<_>, Vec<_>) = failures.collect::<Vec<_>>().into_iter().unzip();
    Run::made("every fault", options(7, 1_000_000), failures, exhibits)
});

/// Counts that go with failures: each rule with one is broken, the others held.
pub(crate) fn counts(failures: &[Failure]) -> Vec<RuleCount> {
    let judged = CATALOGUE.iter().filter(|rule| {
        !matches!(rule.judge, Judge::Transcript(_) | Judge::Reply(_) | Judge::Requests(_) | Judge::Talk(_))
    });
    judged
        .enumerate()
        .map(|(at, rule)| {
            let broken = failures.iter().filter(|failure| failure.regression.rule == rule.id).count() as u64;
            // A few that were not tested.
            let is_touched = broken > 0 || at % 9 > 0;
            RuleCount {
                rule: rule.id,
                supported: broken > 0 || at % 10 > 0,
                held: if is_touched { 12_345 * (at as u64 + 1) } else { 0 },
                not_applicable: 678,
                broken,
                ..RuleCount::default()
            }
        })
        .collect()
}

/// Texts that can break a page.
pub(crate) const HOSTILE: &str = "\u{0}\u{1b}[31m]]><script>alert(1)</script></section><!--\u{202E}evil\u{2066}\
    <img src=http://example.com/a.png onerror=x>\"'&amp;\r\n\t\u{FFFF}\u{FFFE}\u{FFFD}\u{85}\u{7f}\u{2028}\u{feff}]]>";

/// A failure of this rule with these violations, as if the case had been found.
pub(crate) fn planted(rule: &str, subject: &str, profile: Profile, violations: Vec<Violation>) -> Failure {
    let regression = Regression {
        rule: rule.into(),
        subject: subject.into(),
        kind: "planted".into(),
        found: "something".into(),
        origin: Some((3, 4)),
        scenario: Scenario::from_seed(3, 4, profile),
    };
    Failure { regression, violations, is_again: true, cut_off: None, asked: Vec::new(), stream: None, said: Vec::new() }
}

/// A run with a failure whose texts are hostile.
pub(crate) fn hostile() -> Run {
    let violation = Violation {
        rule: "wire/utf8",
        kind: "planted",
        place: Place::Bytes { start: 3, end: 9 },
        found: HOSTILE.into(),
        expected: Sentence::new("{text}", vec![("text", HOSTILE.repeat(20_000).into())]),
        error: Some(HOSTILE.into()),
        at: None,
        severity: None,
    };
    let failure = planted("wire/utf8", HOSTILE, Profile::Hostile, vec![violation]);
    let exhibit = Exhibit::of(&Reference, &failure);
    Run::made(HOSTILE, options(3, 5), vec![failure], vec![exhibit])
}
