//! Where one mistake breaks several rules, the one that is nearest to it comes first.

use std::path::Path;

use rayon::prelude::*;
use turnproof_faults::{self as faults, Fault};
use turnproof_rules::rules::{CATALOGUE, Rule, Verdict, distance, find};
use turnproof_suite::scenario::Case;
use turnproof_suite::suite::{Depth, Observed, Trial, load_regressions};

#[test]
fn the_rule_of_a_fault_is_seldom_behind_another_that_the_fault_breaks() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/regressions");
    let stored = load_regressions(&folder).unwrap();
    let of_faults: Vec<_> = stored.iter().filter_map(|(_, case)| Some((faults::find(&case.subject)?, case))).collect();
    let behind: Vec<String> = of_faults
        .par_iter()
        .filter_map(|(fault, case)| {
            let fault: &Fault = fault;
            let operation = find(fault.rule)?.operation();
            let observed = Observed::of(fault, &Case::of(&case.scenario), &[operation], Depth::Whole);
            let trial = Trial::of(&observed);
            let is_broken = |rule: &&Rule| {
                rule.operation() == operation && trial.judge(rule).as_ref().is_some_and(Verdict::is_broken)
            };
            let mut broken: Vec<&str> = CATALOGUE.iter().copied().filter(is_broken).map(|rule| rule.id).collect();
            broken.sort_by_key(|id| distance(id));
            (broken.first() != Some(&fault.rule))
                .then(|| format!("{}: {} before {}", fault.id, broken.join(" "), fault.rule))
        })
        .collect();
    assert!(behind.len() * 10 <= of_faults.len(), "{behind:#?}");
}
