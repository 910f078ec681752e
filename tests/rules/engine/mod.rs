//! The family `engine`: each rule is broken by its example, holds for right logs, and convicts each
//! mistake that is made in them.

mod answered;
mod hostile;
mod log;
mod queue;
mod requests;
mod resume;
mod summary;

use crate::families;
use log::broken;
use turnproof::operation::Played;
use turnproof::rules::{Judge, PlayEvidence, Rule, Verdict};

const RULES: [&str; 9] = [
    "engine/every-use-answered",
    "engine/queue-order",
    "engine/summary-late",
    "engine/durable-before-request",
    "engine/request-of-live",
    "engine/no-withdrawn-survivor",
    "engine/no-compacted-survivor",
    "engine/resume-complete",
    "engine/deterministic",
];

fn family() -> impl Iterator<Item = &'static Rule> {
    families::rules_of("engine")
}

/// What a rule says of a log.
fn judge(rule: &Rule, case: &Played) -> Verdict {
    let Judge::Play(judge) = rule.judge else { panic!("{} judges something else", rule.id) };
    judge(&PlayEvidence::new(case))
}

#[test]
fn the_family_has_nine_rules_in_order() {
    families::assert_complete("engine", &RULES);
}

#[test]
fn every_example_breaks_its_rule_and_no_other() {
    families::assert_examples("engine", broken);
}

#[test]
fn what_is_not_there_is_not_applicable() {
    for whole in [false, true] {
        let empty = Played { whole, ..Played::default() };
        for rule in family() {
            assert!(matches!(judge(rule, &empty), Verdict::NotApplicable(_)), "{}", rule.id);
        }
    }
}
