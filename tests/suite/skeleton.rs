//! The skeleton of a subject, which the library's pages show: it has a body for everything that a subject can be asked.

use turnproof_rules::operation::Operation;
use turnproof_suite::subject::program::METHODS;
use turnproof_suite::suite::{Options, run};

include!("../../docs/samples/skeleton.rs");

#[test]
fn it_has_a_body_for_each_operation_and_each_further_way_to_ask() {
    let missing: Vec<&str> =
        Operation::ALL.into_iter().filter(|one| !Mine.supports(*one)).map(Operation::name).collect();
    assert!(missing.is_empty(), "add to docs/samples/skeleton.rs: {}", missing.join(", "));
    let source = include_str!("../../docs/samples/skeleton.rs");
    for method in METHODS {
        assert!(source.contains(&format!("    fn {method}(&self, ")), "add to docs/samples/skeleton.rs: {method}");
    }
}

#[test]
fn it_is_judged_without_a_panic_and_is_wrong() {
    let options = Options { cases: 20, tries: 20, ..Options::default() };
    let report = run(&Mine, &options, &[], &mut |_| {}).unwrap();
    assert!(!report.holds());
    let found =
        report.failures.iter().flat_map(|failure| &failure.violations).map(|violation| violation.found.to_string());
    let panics: Vec<String> = found.filter(|found| found.contains("panicked")).collect();
    assert!(panics.is_empty(), "{panics:?}");
}
