//! The self-test plays cases to faults, and says after how many of them each is detected.

use std::time::{Duration, Instant};

use rayon::prelude::*;
use turnproof_rules::rules::{Verdict, find};
use turnproof_suite::scenario::{Case, Scenario};
use turnproof_suite::suite::{Depth, Observed, Options, Regression, judge, shrink, size};

use crate::Fault;

/// How hard to try.
#[derive(Clone, Copy, Debug)]
pub struct SelfTest {
    /// The first seed.
    pub seed: u64,
    /// How many seeds, one after the other.
    pub seeds: u64,
    /// Within how many cases of each seed a fault has to be detected.
    pub cases: u64,
    /// How many threads; 0 for one a core.
    pub threads: usize,
}

/// When a fault was detected with one seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// The seed.
    pub seed: u64,
    /// How many cases it took.
    pub cases: u64,
    /// The time until then, for making the cases, for the subject, and for its rule. What the reference answered another
    /// fault before counts there.
    pub spent: Duration,
}

/// What became of a fault.
#[derive(Clone, Debug)]
pub struct Detection {
    /// The fault.
    pub fault: &'static Fault,
    /// When it was detected, by seed; seeds that did not are left out.
    pub found: Vec<Found>,
    /// The case of the seed in the middle, shrunk; `None` when no seed detects it.
    pub minimal: Option<Scenario>,
}

impl Detection {
    /// The median of what the seeds need, such as cases or time; `None` when no seed detects it.
    pub fn median<T: Copy + Ord>(&self, of: fn(&Found) -> T) -> Option<T> {
        let mut all: Vec<T> = self.found.iter().map(of).collect();
        all.sort_unstable();
        all.get(all.len() / 2).copied()
    }

    /// The shrunk case as it is kept; `None` when no seed detects it.
    pub fn regression(&self) -> Option<Regression> {
        let scenario = self.minimal.clone()?;
        let rule = find(self.fault.rule)?;
        let observed = Observed::of(self.fault, &Case::of(&scenario), &[rule.operation()], Depth::Whole);
        let Some(Verdict::Broken(violations)) = judge(rule, &observed) else { return None };
        let Found { seed, cases, .. } = middle(&self.found)?;
        Some(Regression {
            rule: rule.id.to_owned(),
            subject: self.fault.id.to_owned(),
            kind: violations.first()?.kind.to_owned(),
            found: violations.first()?.found.to_string(),
            origin: Some((seed, cases - 1)),
            scenario,
        })
    }

    /// How many messages the minimal case has: the lines of its plan, or what its conversation yields.
    pub fn messages(&self) -> Option<usize> {
        self.minimal.as_ref().map(size)
    }
}

/// Tries to detect each fault with each seed. Calls `progress` after each seed, and after each case that is shrunk.
/// It fails when the threads cannot be started.
pub fn selftest(
    faults: &[&'static Fault],
    test: &SelfTest,
    progress: &(dyn Fn() + Sync),
) -> Result<Vec<Detection>, rayon::ThreadPoolBuildError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(test.threads).build()?;
    let seeds: Vec<u64> = (0..test.seeds).map(|number| test.seed.wrapping_add(number)).collect();
    pool.install(|| {
        let by_seed = seeds.into_par_iter().map(|seed| {
            let found = detect(faults, seed, test.cases);
            progress();
            found
        });
        let by_seed: Vec<Vec<Option<Found>>> = by_seed.collect();
        let detections = faults.par_iter().enumerate().map(|(index, &fault)| {
            let found: Vec<Found> = by_seed.iter().filter_map(|found| found[index]).collect();
            let minimal = minimal(fault, &found, test.cases);
            progress();
            Detection { fault, found, minimal }
        });
        Ok(detections.collect())
    })
}

/// Plays the cases of a seed to all faults: those of each profile in turn.
fn detect(faults: &[&'static Fault], seed: u64, most: u64) -> Vec<Option<Found>> {
    let mut found = vec![None; faults.len()];
    let mut left: Vec<usize> = (0..faults.len()).collect();
    while let Some(&first) = left.first() {
        let (its, others): (Vec<usize>, Vec<usize>) =
            left.into_iter().partition(|&index| faults[index].profile == faults[first].profile);
        let of_profile: Vec<&'static Fault> = its.iter().map(|&index| faults[index]).collect();
        let options = faults[first].options(seed, most);
        its.into_iter().zip(detect_by(&of_profile, &options)).for_each(|(index, its)| found[index] = its);
        left = others;
    }
    found
}

/// Plays cases to all faults that no case has detected yet.
fn detect_by(faults: &[&'static Fault], options: &Options) -> Vec<Option<Found>> {
    let &Options { seed, cases: most, .. } = options;
    let mut found = vec![None; faults.len()];
    let mut spent = vec![Duration::ZERO; faults.len()];
    for number in 0..most {
        let started = Instant::now();
        let scenario = options.scenario(number);
        let case = Case::of(&scenario);
        // Played first, so that the time counts for each fault.
        case.play();
        let played = started.elapsed();
        for (index, fault) in faults.iter().enumerate() {
            if found[index].is_some() {
                continue;
            }
            let started = Instant::now();
            let is_detected = fault.is_detected(&case, Depth::Sample(number));
            spent[index] += played + started.elapsed();
            if is_detected {
                found[index] = Some(Found { seed, cases: number + 1, spent: spent[index] });
            }
        }
        if found.iter().all(Option::is_some) {
            break;
        }
    }
    found
}

/// The case of the seed in the middle, shrunk.
fn minimal(fault: &Fault, found: &[Found], most: u64) -> Option<Scenario> {
    let rule = find(fault.rule)?;
    let Found { seed, cases, .. } = middle(found)?;
    Some(shrink(fault, rule, fault.options(seed, most).scenario(cases - 1)))
}

/// The one in the middle, by how many cases it took.
fn middle(found: &[Found]) -> Option<Found> {
    let mut by_case = found.to_vec();
    by_case.sort_by_key(|found| found.cases);
    by_case.get(by_case.len() / 2).copied()
}
