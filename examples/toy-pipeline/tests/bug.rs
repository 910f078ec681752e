//! The pipeline as it was: the suite finds the mistake, names the one rule that it breaks, and shows it in a
//! conversation of a few messages.

mod judged;

use std::collections::BTreeSet;

use judged::Judged;
use toy_pipeline::Pipeline;
use turnproof::rules::matching;
use turnproof::scenario::Profile;
use turnproof::suite::{Options, run, size};

const CLAIMED: [&str; 7] = [
    "api/first-user",
    "api/alternation",
    "pairing/result-follows-use",
    "pairing/no-orphan-result",
    "pairing/unique-use-id",
    "pairing/single-result",
    "pairing/results-first",
];

/// Finds the mistake in scenarios of one profile; tells how many messages show it.
fn smallest(profile: Profile) -> usize {
    let options = Options {
        cases: 1_000,
        rules: CLAIMED.into_iter().flat_map(matching).collect(),
        profiles: vec![profile],
        ..Options::default()
    };
    let buggy = Judged(Pipeline { hoists_results: false });
    let report = run(&buggy, &options, &[], &mut |_| {}).unwrap();
    let broken = report.failures.iter().map(|failure| failure.regression.rule.as_str());
    let broken: BTreeSet<&str> = broken.collect();
    assert_eq!(broken, BTreeSet::from(["pairing/results-first"]));
    println!("{}", report.failures[0]);
    size(&report.failures[0].regression.scenario)
}

#[test]
fn results_that_are_not_hoisted_are_found_in_a_real_conversation() {
    // A prompt, the call, its result, and the next prompt.
    assert_eq!(smallest(Profile::Causal), 4);
}

#[test]
fn results_that_are_not_hoisted_are_found_in_messages_in_any_order() {
    assert!(smallest(Profile::Shuffled) <= 3);
}
