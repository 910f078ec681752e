//! *Counting labels*: how many cases of a run hold what, and whether that is often enough.

use crate::scenario::{LABELS, Label, Labels, Profile};

/// A label is judged only when at least so many cases are expected to hold it.
const ENOUGH: f64 = 20.0;

/// A count is rare when it is so many standard deviations below what is expected.
const DEVIATIONS: f64 = 4.0;

/// How often a label occurred.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct LabelCount {
    /// The label's name.
    pub label: &'static str,
    /// How many cases hold it.
    pub cases: u64,
    /// How many cases it is counted among: those of its profile, or all but plain ones.
    pub of: u64,
    /// The share of them that must hold it at least, from 0 to 1.
    pub least: f64,
    /// Whether the run has enough cases of the right profiles to judge it.
    pub is_judged: bool,
    /// Whether it is rarer than chance explains.
    pub is_rare: bool,
}

impl LabelCount {
    /// What to do about a label that is too rare.
    pub const REMEDY: &str = "Generate it more often (crates/turnproof-suite/src/scenario), or require it seldom (crates/turnproof-suite/src/scenario/label) when a \
                              change means it to be rarer.";

    /// The share of the cases that hold it, from 0 to 1.
    pub fn share(&self) -> f64 {
        if self.of == 0 { 0.0 } else { self.cases as f64 / self.of as f64 }
    }
}

/// The counts so far. Counts of parts of a run add up to those of the whole.
#[derive(Clone, Debug)]
pub struct LabelTally {
    /// For each profile, in the order of [`Profile::EVERY`], its cases, and how many of them hold each label.
    by_profile: [(u64, Vec<u64>); Profile::EVERY.len()],
}

impl Default for LabelTally {
    fn default() -> Self {
        Self { by_profile: Profile::EVERY.map(|_| (0, vec![0; LABELS.len()])) }
    }
}

impl LabelTally {
    /// Counts the labels of one more case.
    pub fn add(&mut self, profile: Profile, labels: &Labels) {
        let (cases, counts) = &mut self.by_profile[profile as usize];
        *cases += 1;
        labels.places().for_each(|place| counts[place] += 1);
    }

    /// The counts of a run that draws from these profiles.
    pub fn counts(&self, profiles: &[Profile]) -> Vec<LabelCount> {
        // Shares of all cases are meant for the usual mix of profiles.
        let is_usual = profiles.len() == Profile::ALL.len() && Profile::ALL.iter().all(|one| profiles.contains(one));
        LABELS.iter().enumerate().map(|(place, label)| self.count(place, label, is_usual)).collect()
    }

    fn count(&self, place: usize, label: &Label, is_usual: bool) -> LabelCount {
        let (mut cases, mut of) = (0, 0);
        for (profile, (all, counts)) in Profile::EVERY.iter().zip(&self.by_profile) {
            if label.profile.map_or(*profile != Profile::Plain, |wanted| wanted == *profile) {
                cases += counts[place];
                of += all;
            }
        }
        let least = f64::from(label.least) / 10_000.0;
        let is_judged = (label.profile.is_some() || is_usual) && can_tell(of, least);
        let is_rare = is_judged && is_rare(cases, of, least);
        LabelCount { label: label.name, cases, of, least, is_judged, is_rare }
    }
}

/// Whether so many cases are enough to judge a label of this least share.
fn can_tell(of: u64, least: f64) -> bool {
    of as f64 * least >= ENOUGH
}

/// Whether chance does not explain that so few of so many cases hold a label of this least share.
fn is_rare(cases: u64, of: u64, least: f64) -> bool {
    let expected = of as f64 * least;
    let deviation = (expected * (1.0 - least)).sqrt();
    can_tell(of, least) && (cases as f64) < expected - DEVIATIONS * deviation
}
