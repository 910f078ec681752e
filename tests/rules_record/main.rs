//! The family `record`: each rule is broken by its example, holds for right answers, and convicts each
//! mistake that is made in them.

mod bytes;
mod case;
mod generated;
mod hostile;
mod kept;
mod links;
mod once;
mod recorder;

use case::broken;
use turnproof::operation::Recorded;
use turnproof::rules::{CATALOGUE, Judge, RecordEvidence, Rule, Verdict};

const RULES: [&str; 12] = [
    "record/incremental",
    "record/prefix-parent",
    "record/chain-links",
    "record/no-ephemeral",
    "record/user-before-request",
    "record/late-fields",
    "record/boundary-tail-first",
    "record/append-only",
    "record/whole-lines",
    "record/nothing-lost",
    "record/total",
    "record/deterministic",
];

fn family() -> impl Iterator<Item = &'static Rule> {
    CATALOGUE.iter().copied().filter(|rule| rule.family() == "record")
}

/// What a rule says of a case.
fn judge(rule: &Rule, case: &Recorded) -> Verdict {
    let Judge::Record(judge) = rule.judge else { panic!("{} judges something else", rule.id) };
    judge(&RecordEvidence::new(case))
}

#[test]
fn the_family_has_twelve_rules_in_order() {
    assert_eq!(family().map(|rule| rule.id).collect::<Vec<_>>(), RULES);
    for rule in family() {
        assert!(!rule.title.ends_with('.') && rule.doc.len() > 200 && !rule.remedy.is_empty(), "{}", rule.id);
        assert!(!rule.sources.is_empty() && !rule.doc.contains("  "), "{}", rule.id);
    }
}

#[test]
fn every_example_breaks_its_rule_and_no_other() {
    for rule in family() {
        let case: Recorded = serde_json::from_slice(rule.example).expect(rule.id);
        assert_eq!(broken(&case), [rule.id]);
    }
}

#[test]
fn what_is_not_there_is_not_applicable() {
    let empty = Recorded {
        before: Vec::new(),
        session: "s1".into(),
        steps: Vec::new(),
        answers: Ok(Vec::new()),
        again: None,
    };
    for rule in family() {
        assert!(matches!(judge(rule, &empty), Verdict::NotApplicable(_)), "{}", rule.id);
    }
}
