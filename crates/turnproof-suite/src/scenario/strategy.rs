//! A *strategy* gives plans to proptest. They are generated and shrunk as everywhere else.

use proptest::strategy::{NewTree, Strategy, ValueTree};
use proptest::test_runner::TestRunner;

use super::shrink::simpler;
use super::{Profile, Scenario};

/// The proptest strategy for plans of a profile.
///
/// ```
/// use proptest::prelude::*;
/// use turnproof_suite::scenario::{Profile, strategy};
///
/// proptest!(|(scenario in strategy(Profile::Shuffled))| {
///     prop_assert!(!scenario.transcript().is_empty());
/// });
/// ```
pub fn strategy(profile: Profile) -> impl Strategy<Value = Scenario, Tree = PlanTree> {
    PlanStrategy(profile)
}

#[derive(Clone, Copy, Debug)]
struct PlanStrategy(Profile);

impl Strategy for PlanStrategy {
    type Tree = PlanTree;
    type Value = Scenario;

    fn new_tree(&self, runner: &mut TestRunner) -> NewTree<Self> {
        let plan = Scenario::generate(runner.rng(), self.0);
        Ok(PlanTree { failing: plan.clone(), current: plan, candidates: Vec::new(), started: false })
    }
}

/// A plan, with the simpler ones that have not been tried yet.
#[derive(Clone, Debug)]
pub struct PlanTree {
    /// The simplest plan known to fail.
    failing: Scenario,
    /// The plan being tried.
    current: Scenario,
    /// Steps from `failing` still to try, the next one last.
    candidates: Vec<Scenario>,
    started: bool,
}

impl PlanTree {
    /// Tries the next candidate, or the failing plan again. True when there is a candidate.
    fn next_candidate(&mut self) -> bool {
        let next = self.candidates.pop();
        let has_next = next.is_some();
        self.current = next.unwrap_or_else(|| self.failing.clone());
        has_next
    }
}

impl ValueTree for PlanTree {
    type Value = Scenario;

    fn current(&self) -> Scenario {
        self.current.clone()
    }

    /// The current plan fails, so steps from it are tried.
    fn simplify(&mut self) -> bool {
        if !self.started || self.current != self.failing {
            self.started = true;
            self.failing = self.current.clone();
            self.candidates = simpler(&self.failing).collect();
            self.candidates.reverse();
        }
        self.next_candidate()
    }

    /// The current plan passes, so the next step from the failing one is tried.
    fn complicate(&mut self) -> bool {
        self.next_candidate()
    }
}
