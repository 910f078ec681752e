//! To be *judged* is to be held to the rules of an operation.

use crate::operation::Operation;
use crate::rules::{CATALOGUE, Verdict};
use crate::scenario::Case;
use crate::subject::Subject;
use crate::suite::{Depth, Observed, Trial};

/// Asks a subject about a case, and judges what it does.
///
/// # Panics
/// When a rule of these operations is broken; the message begins with the rule.
pub(super) fn keeps_the_rules(subject: &dyn Subject, case: &Case<'_>, operations: &[Operation], depth: Depth) {
    let observed = Observed::of(subject, case, operations, depth);
    hold(&observed, operations);
}

/// Judges what a subject did.
///
/// # Panics
/// When a rule of these operations is broken; the message begins with the rule.
pub(super) fn hold(observed: &Observed, operations: &[Operation]) {
    let trial = Trial::of(observed);
    for rule in CATALOGUE.iter().filter(|rule| operations.contains(&rule.operation())) {
        let Some(Verdict::Broken(violations)) = trial.judge(rule) else { continue };
        let Some(first) = violations.first() else { continue };
        let more = violations.len() - 1;
        panic!("{}: {}: {}; expected {} (and {more} more)", rule.id, first.place, first.found, first.expected);
    }
}

/// A place among `count`, chosen by the depth; the middle one when all is asked.
pub(super) const fn place(depth: Depth, count: u64) -> u64 {
    match depth {
        Depth::One(number) | Depth::Sample(number) => (number >> 8) % count,
        Depth::Whole => count / 2,
    }
}
