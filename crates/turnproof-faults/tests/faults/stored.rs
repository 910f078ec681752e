//! Stored cases name the faults that they were found with, and still detect them.

use std::path::{Path, PathBuf};

use turnproof_faults::{self as faults, Fault};
use turnproof_rules::rules::{Verdict, find};
use turnproof_suite::scenario::Case;
use turnproof_suite::suite::{Depth, Observed, Regression, judge, load_regressions};

fn stored() -> Vec<(PathBuf, Regression)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/regressions");
    load_regressions(&folder).unwrap()
}

#[test]
fn every_stored_case_still_detects_the_fault_that_it_was_found_with() {
    let mut free = Vec::new();
    for (path, stored) in stored() {
        let Some(fault) = faults::find(&stored.subject) else { continue };
        let rule = find(&stored.rule).unwrap();
        let observed = Observed::of(fault, &Case::of(&stored.scenario), &[rule.operation()], Depth::Whole);
        let kinds: Vec<&str> = match judge(rule, &observed) {
            Some(Verdict::Broken(violations)) => violations.iter().map(|violation| violation.kind).collect(),
            _ => Vec::new(),
        };
        if !kinds.contains(&stored.kind.as_str()) {
            free.push((path, fault.id, kinds));
        }
    }
    assert!(free.is_empty(), "not detected, with the kinds that were: {free:#?}");
}

#[test]
fn every_fault_has_a_stored_case() {
    let stored = stored();
    let has_case = |fault: &&Fault| stored.iter().any(|(_, stored)| stored.subject == fault.id);
    let without: Vec<_> = faults::all().filter(|fault| !has_case(fault)).map(|fault| fault.id).collect();
    assert!(without.is_empty(), "{without:?}");
}
