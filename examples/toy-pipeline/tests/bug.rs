//! The pipeline as it was: the suite finds the mistake, names the one rule that it breaks, and shows it in a
//! conversation of a few messages.

mod judged;

use std::collections::BTreeMap;

use judged::Judged;
use toy_pipeline::Pipeline;
use turnproof::rules::matching;
use turnproof::scenario::Profile;
use turnproof::suite::{Failure, Options, run, size};

/// What the suite finds in scenarios of one profile: the smallest case of each rule that a pipeline breaks.
fn failures(pipeline: Pipeline, profile: Profile) -> BTreeMap<String, Failure> {
    let rules = ["api/*", "pairing/*"].into_iter().flat_map(matching).collect();
    let options = Options { cases: 1_000, rules, profiles: vec![profile], ..Options::default() };
    let report = run(&Judged(pipeline), &options, &[], &mut |_| {}).unwrap();
    // The first one of each rule stays.
    report.failures.into_iter().rev().map(|failure| (failure.regression.rule.clone(), failure)).collect()
}

/// Finds the mistake in scenarios of one profile; tells how many messages show it.
fn smallest(profile: Profile) -> usize {
    let mut broken = failures(Pipeline { hoists_results: false }, profile);
    // The pipeline does not claim to hold every rule of these families.
    for rule in failures(Pipeline::default(), profile).keys() {
        broken.remove(rule);
    }
    assert_eq!(broken.keys().collect::<Vec<_>>(), ["pairing/results-first"]);
    let failure = &broken["pairing/results-first"];
    println!("{failure}");
    size(&failure.regression.scenario)
}

#[test]
fn results_that_are_not_hoisted_are_found_in_a_real_conversation() {
    // A call, and the prompt that comes in the place of its result.
    assert_eq!(smallest(Profile::Causal), 2);
}

#[test]
fn results_that_are_not_hoisted_are_found_in_messages_in_any_order() {
    assert_eq!(smallest(Profile::Shuffled), 2);
}
