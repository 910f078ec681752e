//! What *broke* first: the first scenario of each mistake and of each way to crash, and the smallest case that is found
//! from it.

use crate::operation::{CALM, Operation};
use crate::rules::{Mistake, Violation};
use crate::scenario::{Plan, Scenario};

use super::Depth;
use super::failure::Failure;
use super::question::question;
use super::regression::Regression;
use super::shrink::{Asked, Shrunk, of_mistake, shrink_mistake};

/// How many mistakes of one rule, and ways to crash at one operation, get a smallest case each.
const MOST_MISTAKES: usize = 4;

/// A scenario that broke a rule, or at which the subject crashed.
pub(super) struct Broke {
    /// The mistake, or the way to crash.
    mistake: Mistake,
    /// The first violation that shows it.
    violation: Violation,
    scenario: Scenario,
    /// Its seed and number. `None` when it was stored.
    origin: Option<(u64, u64)>,
}

/// Keeps a scenario that is the first of its mistake.
pub(super) fn keep(
    first: &mut Vec<Broke>,
    mistake: Mistake,
    violation: &Violation,
    scenario: &Scenario,
    origin: Option<(u64, u64)>,
) {
    if first.len() < MOST_MISTAKES && !first.iter().any(|broke| broke.mistake == mistake) {
        let (violation, scenario) = (violation.clone(), scenario.clone());
        first.push(Broke { mistake, violation, scenario, origin });
    }
}

/// The plans that disturb a subject less, though none is smaller: a recording without disturbances, a stream in large
/// pieces.
fn calmer(plan: &Scenario, operation: Operation) -> Vec<Scenario> {
    match (operation, &plan.plan) {
        (Operation::Record, Plan::Shuffled { .. } | Plan::Hostile { .. }) => {
            CALM.map(|calm| Scenario { indexes: vec![calm], ..plan.clone() }).into()
        }
        (Operation::Accumulate, Plan::Hostile { lines, .. }) => {
            vec![plan.with(Plan::Hostile { lines: lines.clone(), piece: u8::MAX })]
        }
        _ => Vec::new(),
    }
}

/// The smallest case of a mistake. A subject that does not break the rule again answers at random, or
/// remembers: its case stays as it was found.
pub(super) fn smallest(asked: &Asked<'_>, broke: Broke, tries: usize) -> Failure {
    let Broke { mistake, violation, scenario: found_in, origin } = broke;
    let Shrunk { mut scenario, seen, is_cut_off } = shrink_mistake(asked, &mistake, found_in.clone(), tries);
    if !asked.stop.is_set() {
        let shows = |plan: &Scenario| !of_mistake(asked.verdict(plan, Depth::Whole), &mistake).is_empty();
        scenario = calmer(&scenario, asked.rule.operation()).into_iter().find(shows).unwrap_or(scenario);
    }
    let violations = match of_mistake(asked.verdict(&scenario, Depth::Whole), &mistake) {
        // Nobody was asked again.
        _ if asked.stop.is_set() && seen.is_empty() => vec![violation.clone()],
        _ if asked.stop.is_set() => seen,
        violations => violations,
    };
    let is_again = !violations.is_empty();
    let (scenario, violations) = if is_again { (scenario, violations) } else { (found_in, vec![violation]) };
    let found = violations[0].found.to_string();
    let regression = Regression {
        rule: asked.rule.id.to_owned(),
        subject: asked.subject.name().to_owned(),
        kind: mistake.kind.to_owned(),
        found,
        origin,
        scenario,
    };
    let cut_off = (is_cut_off && is_again && !asked.stop.is_set()).then_some(tries);
    let shown = is_again && !asked.stop.is_set();
    let (asked, stream) =
        if shown { question(asked.subject, asked.rule, &regression.scenario) } else { Default::default() };
    Failure { regression, violations, is_again, cut_off, asked, stream, said: Vec::new() }
}
