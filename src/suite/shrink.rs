//! *Shrinking* a case keeps what is wrong with it and takes away the rest.

use crate::rules::{Rule, Verdict};
use crate::scenario::{Case, Scenario, simpler};
use crate::subject::Subject;

use super::judge::judge;
use super::observe::observe;

/// The most steps that are tried for one case.
const MOST_TRIES: usize = 20_000;

/// The simplest scenario found from `scenario` that still breaks `rule`: no single step of
/// [`simpler`] leads to a simpler one that does.
pub fn shrink(subject: &dyn Subject, rule: &Rule, scenario: Scenario) -> Scenario {
    let mut current = scenario;
    let mut tries = 0;
    'smaller: loop {
        for candidate in simpler(&current) {
            tries += 1;
            if tries > MOST_TRIES {
                return current;
            }
            let observed = observe(subject, &Case::of(&candidate), &[rule.operation()]);
            if judge(rule, &observed).as_ref().is_some_and(Verdict::is_broken) {
                current = candidate;
                continue 'smaller;
            }
        }
        return current;
    }
}
