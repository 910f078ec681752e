//! Which failure comes first: the one whose rule is *nearest* to the mistake.
//!
//! A rule that is broken in one case, while its neighbour is broken in hundreds, is broken by accident, however near it
//! is to mistakes in general.

use std::cmp::Reverse;

use crate::operation::Operation;
use crate::rules::{distance, find};

use super::run::RuleCount;

/// A rule is seldom broken when another of its operation is broken in more than so many times as many cases.
const SELDOM: u64 = 4;

/// The operations that others rest on: what is wrong there is wrong here too.
fn bases(operation: Operation) -> &'static [Operation] {
    match operation {
        Operation::Repair => &[Operation::Parse, Operation::Resume, Operation::NormalizeApi],
        Operation::Usage => &[Operation::Parse],
        Operation::Play => &[Operation::Accumulate, Operation::NormalizeApi, Operation::Record, Operation::Resume],
        _ => &[],
    }
}

/// The place of a rule's failures among others, the least first. It counts, in this order:
///
/// - whether its operation rests on one whose rules are broken too;
/// - whether it is seldom broken, beside the other rules on its operation;
/// - how far it is from the mistakes that break it;
/// - in how many cases it is broken, most first.
pub fn nearness(rule: &str, counts: &[RuleCount]) -> (bool, bool, u8, Reverse<u64>) {
    let operation = |id: &str| find(id).map_or(Operation::Transcript, |rule| rule.operation());
    let bases = bases(operation(rule));
    let follows = counts.iter().any(|count| count.broken > 0 && bases.contains(&operation(count.rule)));
    let of_operation = counts.iter().filter(|count| operation(count.rule) == operation(rule));
    let most = of_operation.map(|count| count.broken).max().unwrap_or_default();
    let broken = counts.iter().find(|count| count.rule == rule).map_or(most, |count| count.broken);
    (follows, broken.saturating_mul(SELDOM) < most, distance(rule), Reverse(broken))
}
