//! *Shrinking* a case keeps its violation and takes away the rest (SPEC 9.4). Each [mistake](Mistake) gets a smallest
//! case of its own.

use std::collections::HashSet;

use crate::rules::{Mistake, Rule, Verdict, Violation};
use crate::scenario::{Case, Profile, Scenario, simpler};
use crate::subject::{Stop, Subject};

use super::{Depth, Observed, every_client, judge};

/// The most steps that are tried for one case, unless other options are given.
pub(super) const MOST_TRIES: usize = 20_000;

/// A case that was made smaller.
pub(super) struct Shrunk {
    pub(super) scenario: Scenario,
    /// Its violations as they were seen last; none where no step was taken.
    pub(super) seen: Vec<Violation>,
    /// Whether there were more steps to try than were allowed.
    pub(super) is_cut_off: bool,
}

/// Who is asked, and by which rule it is judged.
#[derive(Clone, Copy)]
pub(super) struct Asked<'a> {
    pub(super) subject: &'a dyn Subject,
    pub(super) rule: &'a Rule,
    /// Whether the rule is asked [as of every client](every_client).
    pub(super) every_client: bool,
    /// What ends the run: then nobody is asked any more.
    pub(super) stop: &'a Stop,
}

impl Asked<'_> {
    /// The verdict on a scenario, when so much is asked. A crash is none of a rule, and is shrunk as if it were.
    pub(super) fn verdict(&self, scenario: &Scenario, depth: Depth) -> Option<Verdict> {
        let observed = Observed::of(self.subject, &Case::of(scenario), &[self.rule.operation()], depth);
        if let Some(crash) = observed.crash(self.rule.operation()) {
            return Some(Verdict::Broken(vec![Violation::of_crash(self.rule.id, crash)]));
        }
        match self.every_client {
            true => every_client::judge(self.rule, scenario, &observed),
            false => judge(self.rule, &observed),
        }
    }

    /// The violations by which a scenario shows a mistake, when so much is asked.
    fn shown(&self, scenario: &Scenario, mistake: &Mistake, depth: Depth) -> Vec<Violation> {
        of_mistake(self.verdict(scenario, depth), mistake)
    }

    /// The least that has to be asked to see the violation. A subject whose tries are few is slow, and most rules look
    /// at the first answer alone.
    fn least_depth(&self, mistake: &Mistake, scenario: &Scenario) -> Depth {
        let shows = |depth: &Depth| !self.shown(scenario, mistake, *depth).is_empty();
        [Depth::One(0), Depth::One(1)].into_iter().find(shows).unwrap_or(Depth::Whole)
    }
}

/// The simplest scenario found from `scenario` that still shows the same [mistake](Mistake) as the first violation.
/// No single step of [`simpler`] leads to a simpler one.
pub fn shrink(subject: &dyn Subject, rule: &Rule, scenario: Scenario) -> Scenario {
    let asked = Asked { subject, rule, every_client: false, stop: &Stop::default() };
    let Some(Verdict::Broken(violations)) = asked.verdict(&scenario, Depth::Whole) else { return scenario };
    let Some(first) = violations.first() else { return scenario };
    shrink_mistake(&asked, &first.mistake(), scenario, MOST_TRIES).scenario
}

/// The simplest scenario found from `scenario`, with so many tries, that still shows this mistake.
pub(super) fn shrink_mistake(asked: &Asked<'_>, mistake: &Mistake, scenario: Scenario, tries: usize) -> Shrunk {
    let depth = if tries < MOST_TRIES { asked.least_depth(mistake, &scenario) } else { Depth::Whole };
    let (mut current, mut seen) = (scenario, Vec::new());
    // No scenario is judged twice.
    let mut tried = HashSet::new();
    'smaller: loop {
        for candidate in simpler(&current) {
            if tried.contains(&candidate) || !every_client::may_stand_for(&candidate, &current) {
                continue;
            }
            if tried.len() >= tries || asked.stop.is_set() {
                return Shrunk { scenario: current, seen, is_cut_off: true };
            }
            tried.insert(candidate.clone());
            let shown = asked.shown(&candidate, mistake, depth);
            if !shown.is_empty() {
                (current, seen) = (candidate, shown);
                continue 'smaller;
            }
        }
        return Shrunk { scenario: current, seen, is_cut_off: false };
    }
}

/// How many messages a scenario has: the lines of the plan, or what its conversation yields.
pub fn size(scenario: &Scenario) -> usize {
    match scenario.profile() {
        Profile::Causal => Case::of(scenario).messages().len(),
        Profile::Plain => scenario.turns().len(),
        _ => scenario.lines().len(),
    }
}

/// The violations of a verdict that show a mistake.
pub(super) fn of_mistake(verdict: Option<Verdict>, wanted: &Mistake) -> Vec<Violation> {
    let Some(Verdict::Broken(mut violations)) = verdict else { return Vec::new() };
    violations.retain(|violation| violation.mistake() == *wanted);
    violations
}
