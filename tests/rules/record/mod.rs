//! The family `record`: each rule is broken by its example, holds for right answers, and detects each mistake in them.

mod bytes;
mod case;
mod envelope;
mod generated;
mod hints;
mod hostile;
mod kept;
mod links;
mod lists;
mod once;
mod rare;
mod recorder;

use crate::families;
use turnproof_rules::operation::Recorded;

const RULES: [&str; 15] = [
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
    "record/envelope",
    "record/total",
    "record/starting-parent",
    "record/team",
    "record/deterministic",
];

#[test]
fn the_family_has_fifteen_rules_in_order() {
    families::assert_complete("record", &RULES);
}

#[test]
fn every_example_breaks_its_rule_and_no_other() {
    families::assert_examples::<Recorded>("record");
}

#[test]
fn what_is_not_there_is_not_applicable() {
    let empty =
        Recorded { before: Vec::new(), session: "s1".into(), steps: Vec::new(), answers: Ok(Vec::new()), again: None };
    families::assert_untouched("record", &empty);
}
