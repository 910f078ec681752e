//! *Shrinking* a case keeps its violation and takes away the rest (SPEC 9.4).

use std::collections::HashSet;

use crate::rules::{Rule, Verdict};
use crate::scenario::{Case, Profile, Scenario, simpler};
use crate::subject::Subject;

use super::distinct::{kind, of_kind};
use super::{Depth, Observed, judge};

/// The most steps that are tried for one case.
const MOST_TRIES: usize = 20_000;

/// The simplest scenario found from `scenario` that still has a violation of the same [kind](super::kind) as the first.
/// No single step of [`simpler`] leads to a simpler one.
pub fn shrink(subject: &dyn Subject, rule: &Rule, scenario: Scenario) -> Scenario {
    let Some(Verdict::Broken(violations)) = verdict(subject, rule, &scenario) else { return scenario };
    let Some(first) = violations.first() else { return scenario };
    shrink_kind(subject, rule, &kind(first), scenario)
}

/// The simplest scenario found from `scenario` that still has a violation of this [kind](super::kind).
pub(super) fn shrink_kind(subject: &dyn Subject, rule: &Rule, kind: &str, scenario: Scenario) -> Scenario {
    let mut current = scenario;
    // No scenario is judged twice.
    let mut tried = HashSet::new();
    'smaller: loop {
        for candidate in simpler(&current) {
            if !tried.insert(candidate.clone()) {
                continue;
            }
            if tried.len() > MOST_TRIES {
                return current;
            }
            if !of_kind(verdict(subject, rule, &candidate), kind).is_empty() {
                current = candidate;
                continue 'smaller;
            }
        }
        return current;
    }
}

/// The verdict of a rule on a scenario, when all is asked.
pub(super) fn verdict(subject: &dyn Subject, rule: &Rule, scenario: &Scenario) -> Option<Verdict> {
    let observed = Observed::of(subject, &Case::of(scenario), &[rule.operation()], Depth::Whole);
    judge(rule, &observed)
}

/// How many messages a scenario has: the lines of the plan, or what its conversation yields.
pub fn size(scenario: &Scenario) -> usize {
    match scenario.profile {
        Profile::Causal => Case::of(scenario).messages().len(),
        _ => scenario.lines.len(),
    }
}
