//! The family `engine`: each rule is broken by its example, holds for right logs, and convicts each
//! mistake that is made in them.

mod answered;
mod hostile;
mod log;
mod queue;
mod requests;
mod resume;
mod summary;

use log::broken;
use turnproof::operation::Played;
use turnproof::rules::{CATALOGUE, Judge, PlayEvidence, Rule, Verdict};

const RULES: [&str; 8] = [
    "engine/every-use-answered",
    "engine/queue-order",
    "engine/summary-late",
    "engine/durable-before-request",
    "engine/request-of-live",
    "engine/no-withdrawn-survivor",
    "engine/resume-complete",
    "engine/deterministic",
];

fn family() -> impl Iterator<Item = &'static Rule> {
    CATALOGUE.iter().copied().filter(|rule| rule.family() == "engine")
}

/// What a rule says of a log.
fn judge(rule: &Rule, case: &Played) -> Verdict {
    let Judge::Play(judge) = rule.judge else { panic!("{} judges something else", rule.id) };
    judge(&PlayEvidence::new(case))
}

#[test]
fn the_family_has_eight_rules_in_order() {
    assert_eq!(family().map(|rule| rule.id).collect::<Vec<_>>(), RULES);
    for rule in family() {
        assert!(!rule.title.ends_with('.') && rule.doc.len() > 200 && !rule.remedy.is_empty(), "{}", rule.id);
        assert!(!rule.sources.is_empty() && !rule.doc.contains("  "), "{}", rule.id);
    }
}

#[test]
fn every_example_breaks_its_rule_and_no_other() {
    for rule in family() {
        let case: Played = serde_json::from_slice(rule.example).expect(rule.id);
        assert_eq!(broken(&case), [rule.id]);
    }
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
