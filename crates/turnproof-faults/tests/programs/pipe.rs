//! Programs that keep to the protocol are judged as subjects in Rust are.

use turnproof_faults::find;
use turnproof_rules::operation::Operation;
use turnproof_rules::rules::CATALOGUE;
use turnproof_suite::subject::program::{Program, Setup};
use turnproof_suite::subject::{Outcome, Subject};
use turnproof_suite::suite::{Options, Regression, Report, run, size};

use super::{judged, patient};

fn judged_here(id: &str, cases: u64) -> Report {
    let name = id.split('/').next().expect("an operation");
    let operation = Operation::ALL.into_iter().find(|operation| operation.name() == name).expect("an operation");
    let rules = CATALOGUE.iter().copied().filter(|rule| rule.operation() == operation).collect();
    let options = Options { cases, threads: 2, rules, ..Options::default() };
    run(find(id).expect("a fault"), &options, &[], &mut |_| {}).expect("threads")
}

/// One fault of each sort of data on the wire.
const FAULTS: [&str; 11] = [
    "normalize_api/results-behind-the-text",
    "parse/drops-nulls",
    "normalize_ui/derives-always",
    "resume/begins-at-an-odd-parent",
    "accumulate/adds-usage-up",
    "record/drops-nulls",
    "usage/any-sidechain-line",
    "check_request/checks-no-pairs",
    "play/attaches-texts-alone",
    "make/boundary-with-a-parent",
    "fold/bridge-drops-empty-groups",
];

#[test]
fn a_fault_is_found_through_a_pipe_as_it_is_found_here() {
    for id in FAULTS {
        let here = judged_here(id, 60);
        let there = judged(&Program::start(patient(&format!("fault {id}"))).expect("it starts"), 60);
        assert_eq!(here.counts, there.counts, "{id}");
        assert_eq!((there.crashes, &there.ended), (0, &None), "{id}");
    }
}

#[test]
fn shrinking_through_a_pipe_ends_at_one_or_two_messages() {
    for id in
        ["normalize_api/results-behind-the-text", "normalize_api/keeps-orphan-results", "normalize_ui/derives-always"]
    {
        let program = Program::start(patient(&format!("fault {id}"))).expect("it starts");
        let report = judged(&program, 200);
        let rule = find(id).expect("a fault").rule;
        let failure = report.failures.iter().find(|failure| failure.regression.rule == rule);
        let Regression { scenario, .. } = &failure.unwrap_or_else(|| panic!("{id} is detected by {rule}")).regression;
        assert!(size(scenario) <= 2, "{id}: {} messages: {scenario:?}", size(scenario));
    }
}

#[test]
fn shrinking_that_is_cut_off_says_so() {
    let id = "normalize_api/results-behind-the-text";
    let program = Program::start(patient(&format!("fault {id}"))).expect("it starts");
    let rule = find(id).expect("a fault").rule;
    let rules = CATALOGUE.iter().copied().filter(|one| one.id == rule).collect();
    let options = Options { cases: 200, threads: 2, tries: 3, rules, ..Options::default() };
    let report = run(&program, &options, &[], &mut |_| {}).expect("threads");
    let cut_off: Vec<_> = report.failures.iter().filter(|failure| failure.cut_off == Some(3)).collect();
    assert!(!cut_off.is_empty(), "{:?}", report.failures);
    let text = cut_off[0].to_string();
    assert!(text.contains("shrunk in 3 tries, the most that are made; there may be a smaller case"), "{text}");
}

#[test]
fn a_script_of_one_question_is_judged_too() {
    let once = Some(vec!["short_id".to_owned()]);
    let program = Program::start(Setup { once, ..patient("once") }).expect("nothing is started yet");
    let right = program.short_id("8c1f0a52-0000-4000-8000-000000000001");
    assert_eq!(right, Outcome::Output("8c1f0a".to_owned()));
    assert_eq!(program.short_id("u1"), Outcome::Rejected("this is no UUID".to_owned()));
    assert_eq!(program.derive_uuid("u1", 0), Outcome::Unsupported);
    let dead = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| program.short_id("")));
    let crash = dead.expect_err("a crash");
    let crash = crash.downcast_ref::<turnproof_suite::subject::Crash>().expect("a crash");
    assert_eq!(crash.how, "it ended before it answered, with exit code 3");
    assert_eq!(program.stop(), None);
}
