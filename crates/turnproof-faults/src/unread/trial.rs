//! A *trial* plays cases to subjects, and asks all rules of their operations.

use std::collections::BTreeMap;

use rayon::prelude::*;
use turnproof::rules::{Rule, Verdict, matching};
use turnproof::scenario::Case;
use turnproof::suite::{Depth, Observed, Options};
use turnproof_rules::Trial as Evidence;

use super::Unread;

/// A rule that a subject breaks.
#[derive(Clone, Debug)]
pub struct Broken {
    /// After how many cases.
    pub cases: u64,
    /// With which seed.
    pub seed: u64,
    /// What the rule says of it.
    pub found: String,
}

/// The rules that a subject breaks, by their ids, each with the first case of the first seed.
pub type Convicted = BTreeMap<&'static str, Broken>;

/// How hard to try.
#[derive(Clone, Copy, Debug)]
pub struct Trial {
    /// The first seed.
    pub seed: u64,
    /// How many seeds.
    pub seeds: u64,
    /// How many cases of each seed.
    pub cases: u64,
    /// Whether the first case that breaks a rule is enough.
    pub stops: bool,
}

/// So many cases are played side by side.
const SIDE_BY_SIDE: u64 = 64;

impl Trial {
    /// Plays the cases to each of the subjects.
    pub fn of(&self, subjects: &[&'static Unread], progress: &(dyn Fn(u64) + Sync)) -> Vec<Convicted> {
        let mut convicted = vec![Convicted::new(); subjects.len()];
        for seed in self.seed..self.seed.saturating_add(self.seeds) {
            let mut open: Vec<usize> = (0..subjects.len()).collect();
            for first in (0..self.cases).step_by(SIDE_BY_SIDE as usize) {
                let until = self.cases.min(first + SIDE_BY_SIDE);
                let played: Vec<Vec<(usize, Convicted)>> = (first..until)
                    .into_par_iter()
                    .map(|number| {
                        let scenario = Options { seed, cases: self.cases, ..Options::default() }.scenario(number);
                        let case = Case::of(&scenario);
                        open.iter().map(|&index| (index, broken(subjects[index], &case, seed, number))).collect()
                    })
                    .collect();
                let mut is_done = vec![false; subjects.len()];
                for (index, rules) in played.into_iter().flatten() {
                    if rules.is_empty() || (self.stops && is_done[index]) {
                        continue;
                    }
                    is_done[index] = self.stops;
                    for (rule, broken) in rules {
                        convicted[index].entry(rule).or_insert(broken);
                    }
                }
                open.retain(|&index| !is_done[index]);
                progress(until);
                if open.is_empty() {
                    break;
                }
            }
        }
        convicted
    }
}

/// The rules that a subject breaks in a case.
fn broken(subject: &Unread, case: &Case<'_>, seed: u64, number: u64) -> Convicted {
    let operations = subject.operations();
    let observed = Observed::of(&subject.subject(), case, &operations, Depth::Sample(number));
    let evidence = Evidence::of(&observed);
    let is_asked = |rule: &&'static Rule| operations.contains(&rule.operation());
    let breaks = |rule: &'static Rule| match evidence.judge(rule) {
        Some(Verdict::Broken(violations)) => {
            let found = violations.first().map(|violation| violation.found.to_string()).unwrap_or_default();
            Some((rule.id, Broken { cases: number + 1, seed, found }))
        }
        _ => None,
    };
    matching("*").into_iter().filter(is_asked).filter_map(breaks).collect()
}
