//! `junit.xml` of a mock: a test for each rule that was asked, which fails where a request breaks it.

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use turnproof_rules::rules::Rule;

use super::MockTally;
use crate::report::run::junit::legible;

/// The file. It fails when the XML cannot be written.
pub fn mock_junit(tally: &MockTally, rules: &[&'static Rule]) -> Result<String, quick_junit::SerializeError> {
    let mut report = Report::new("turnproof mock");
    let mut suite = TestSuite::new("requests");
    suite.add_test_cases(rules.iter().map(|rule| test(tally, rule)));
    report.add_test_suite(suite);
    report.to_string()
}

fn test(tally: &MockTally, rule: &Rule) -> TestCase {
    let status = match tally.found.get(rule.id) {
        None => TestCaseStatus::success(),
        Some(found) => {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            status.set_type(rule.id);
            status.set_message(found.first().map_or(String::new(), |first| legible(first)));
            let lines: Vec<String> = found.iter().map(|line| legible(line)).collect();
            let more = tally.broken.get(rule.id).copied().unwrap_or(0) - found.len() as u64;
            let more = if more > 0 { format!("... {more} more\n") } else { String::new() };
            status.set_description(format!("{}\n{more}what to do: {}\n", lines.join("\n"), rule.remedy));
            status
        }
    };
    let mut test = TestCase::new(rule.id, status);
    test.set_classname(format!("turnproof.{}", rule.family()));
    test
}
