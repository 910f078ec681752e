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

/// Finds the mistake in scenarios of one profile, and says how many messages show it.
fn smallest(profile: Profile) -> usize {
    let mut broken = failures(Pipeline { hoists_results: false }, profile);
    // The pipeline does not claim to hold every rule of these families.
    for rule in failures(Pipeline::default(), profile).keys() {
        broken.remove(rule);
    }
    assert_eq!(broken.keys().collect::<Vec<_>>(), ["pairing/results-first"]);
    let failure = &broken["pairing/results-first"];
    size(&failure.regression.scenario)
}

/// The pages that show the failure print it as the test of the rule does. `…` stands for what they leave out.
#[test]
fn the_pages_print_what_the_test_prints() {
    let wrong = Judged(Pipeline { hoists_results: false });
    let judged = turnproof::conformance(&wrong).rules(["pairing/results-first"]).report();
    let (_, report) = judged.expect("the settings are understood");
    let failure = report.failures[0].to_string();
    for page in [include_str!("../README.md"), include_str!("../../../docs/pipeline.md")] {
        let (_, printed) = page.split_once("broken: pairing/results-first").expect("the failure");
        let printed = printed.lines().skip(1).take_while(|line| !line.starts_with("  explain: "));
        assert_eq!(printed.clone().count(), failure.lines().count() - 1, "{failure}");
        for (printed, line) in printed.zip(failure.lines().skip(1)) {
            let mut rest = line;
            for part in printed.split('…') {
                let (_, behind) = rest.split_once(part).unwrap_or_else(|| panic!("{printed}\n{line}"));
                rest = behind;
            }
        }
    }
}

#[test]
fn results_that_are_not_hoisted_are_found_in_a_real_conversation() {
    // A call, and the prompt that comes in the place of its result.
    assert_eq!(smallest(Profile::Causal), 2);
}

#[test]
fn results_that_are_not_hoisted_are_found_in_messages_in_any_order() {
    assert!(smallest(Profile::Shuffled) <= 2);
}
