//! `junit.xml`: a run for CI servers. A test suite is a family of rules, a test is a rule.
//!
//! A rule that was broken is a failure, with its smallest case as text, and so is a known deviation that has stopped. A
//! rule that was broken only as is known is skipped, with the reason. A rule that was not exercised is skipped too:
//! the subject does not do the operation, or no case touched it.
//!
//! A suite `crashes` has a test for each way in which the subject crashed at an operation: an error, since no rule is broken
//! by it.
//!
//! XML cannot hold most control characters. They are written as their pictures (`␀`).

use quick_junit::{NonSuccessKind, Property, Report, TestCase, TestCaseStatus, TestSuite};

use crate::report::excerpt::Excerpt;
use turnproof_rules::operation::Operation;
use turnproof_rules::rules::{Rule, find};
use turnproof_suite::suite::{Deviation, Failure, RuleCount};

use super::{Fate, RunReport, in_ascii};

/// The most violations that are shown of a case.
const VIOLATIONS: usize = 10;

/// So many lines of a transcript are shown.
const LINES: usize = 200;

/// The file.
/// It fails when the XML cannot be written.
pub fn text(run: &RunReport<'_>) -> Result<String, quick_junit::SerializeError> {
    let mut report = Report::new("turnproof");
    for (family, counts) in run.families() {
        let mut suite = TestSuite::new(family);
        suite.add_properties(properties(run));
        suite.add_test_cases(counts.iter().map(|count| test(run, count)));
        report.add_test_suite(suite);
    }
    let crashes: Vec<TestCase> =
        run.report.crashes().map(|(operation, crash)| crashed(run, operation, crash)).collect();
    if !crashes.is_empty() {
        let mut suite = TestSuite::new("crashes");
        suite.add_properties(properties(run));
        suite.add_test_cases(crashes);
        report.add_test_suite(suite);
    }
    report.to_string()
}

fn crashed(run: &RunReport<'_>, operation: Operation, crash: &Failure) -> TestCase {
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
    status.set_type(crash.regression.kind.as_str());
    status.set_message(legible(&crash.regression.found));
    status.set_description(description(run, crash, None));
    let mut test = TestCase::new(operation.name(), status);
    test.set_classname("turnproof.crashes");
    test
}

fn properties(run: &RunReport<'_>) -> Vec<Property> {
    let mut properties = vec![
        ("turnproof", run.version.to_owned()),
        ("subject", legible(&run.report.subject)),
        ("seed", run.options.seed.to_string()),
        ("cases", run.report.cases.to_string()),
        ("profiles", run.profiles().join(", ")),
    ];
    properties.extend(run.part().map(|shard| ("shard", shard.to_string())));
    properties.into_iter().map(|(name, value)| Property::new(name, value)).collect()
}

fn test(run: &RunReport<'_>, count: &RuleCount) -> TestCase {
    let rule = find(count.rule);
    let deviation = run.deviation(count.rule);
    let status = match run.fate(count) {
        Fate::Stopped => deviation.map_or_else(TestCaseStatus::success, stopped),
        Fate::Known => skipped(&format!("known: {}", deviation.map_or("", |one| &one.known.reason))),
        Fate::Held => TestCaseStatus::success(),
        Fate::Broken => broken(run, count, rule),
        Fate::NotApplicable => skipped("no case exercised it"),
        Fate::NotSupported => {
            let operation = rule.map_or("the operation", |rule| rule.operation().name());
            skipped(&format!("the subject does not do {operation}"))
        }
    };
    let mut test = TestCase::new(count.rule, status);
    test.set_classname(format!("turnproof.{}", rule.map_or("", |rule| rule.family())));
    let numbers = [
        ("held", count.held),
        ("not_applicable", count.not_applicable),
        ("broken", count.broken),
        ("known", count.known),
    ];
    test.add_properties(numbers.map(|(name, number)| Property::new(name, number.to_string())));
    test
}

fn stopped(deviation: &Deviation) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
    status.set_type("known-deviation-stopped");
    status.set_message(legible(&format!("a known deviation has stopped: {}", deviation.stopped())));
    status.set_description(format!("it is known because: {}\n", legible(&deviation.known.reason)));
    status
}

fn skipped(why: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::skipped();
    status.set_message(legible(why));
    status
}

fn broken(run: &RunReport<'_>, count: &RuleCount, rule: Option<&Rule>) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
    let failure = rule.and_then(|rule| run.report.failure_of(rule));
    let first = failure.and_then(|failure| failure.violations.first());
    status.set_type(first.map_or(count.rule.to_owned(), |first| format!("{}#{}", count.rule, first.kind)));
    status.set_message(match first {
        Some(violation) => {
            format!("{}; expected {}", legible(&violation.found.to_string()), legible(&violation.expected.to_string()))
        }
        None => rule.map_or(String::new(), |rule| format!("broken: {}", rule.title)),
    });
    if let Some(failure) = failure {
        status.set_description(description(run, failure, rule));
    }
    status
}

fn description(run: &RunReport<'_>, failure: &Failure, rule: Option<&Rule>) -> String {
    let mut text = rule.map_or(String::new(), |rule| format!("{}: {}\n\n", rule.id, rule.title));
    for violation in failure.violations.iter().take(VIOLATIONS) {
        let [found, expected] = [&violation.found, &violation.expected].map(|words| legible(&words.to_string()));
        text.push_str(&format!("{}: {found}; expected {expected}\n", violation.place));
        if let Some(error) = &violation.error {
            text.push_str(&format!("  the API answers: {}\n", legible(error)));
        }
    }
    if failure.violations.len() > VIOLATIONS {
        text.push_str(&format!("... {} more\n", failure.violations.len() - VIOLATIONS));
    }
    text.extend(failure.said.iter().map(|line| format!("{}\n", legible(line))));
    let plan = serde_json::to_string(&failure.regression.scenario).unwrap_or_default();
    text.push_str(&format!("\nagain: {}\nplan: {}\n", run.replay(failure), in_ascii(&plan)));
    if let Some(rule) = rule {
        text.push_str(&format!("what to do: {}\n", rule.remedy));
    }
    text.push_str("\ntranscript:\n");
    let transcript = failure.regression.scenario.transcript();
    for line in transcript.split_inclusive(|&byte| byte == b'\n').take(LINES) {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        text.push_str(&format!("| {}\n", Excerpt::whole(line)));
    }
    text
}

/// A text on one line, without characters that XML cannot hold.
pub(in crate::report) fn legible(text: &str) -> String {
    let noncharacters = |character| matches!(character, '\u{FFFE}' | '\u{FFFF}');
    Excerpt::whole(text.as_bytes()).replace(noncharacters, "\u{FFFD}")
}
