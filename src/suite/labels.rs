//! *Counting labels*: how many cases of a run hold what, and whether that is often enough.

use crate::scenario::{LABELS, Label, Labels, Profile};

/// How many cases must be expected to hold a label before it can be called rare.
const ENOUGH: f64 = 20.0;

/// By how many standard deviations a count must fall short: further than chance goes.
const DEVIATIONS: f64 = 4.0;

/// How often a label occurred.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct LabelCount {
    /// The label's name.
    pub label: &'static str,
    /// How many cases hold it.
    pub cases: u64,
    /// Of how many: the cases of its profile, or all.
    pub of: u64,
    /// In which share of them it must occur at least.
    pub least: f64,
    /// Whether there are enough cases to tell, drawn as the share is meant.
    pub is_judged: bool,
    /// Whether it occurs so seldom that chance does not explain it.
    pub is_rare: bool,
}

impl LabelCount {
    /// What to do about a label that is too rare.
    pub const REMEDY: &str = "Generate it more often (src/scenario), or require it seldom (src/scenario/label) when a \
                              change means it to be rarer.";

    /// In which share of the cases it occurs, from 0 to 1.
    pub fn share(&self) -> f64 {
        if self.of == 0 { 0.0 } else { self.cases as f64 / self.of as f64 }
    }
}

/// The counts so far. Counts of parts of a run add up to those of the whole.
#[derive(Clone, Debug)]
pub(super) struct LabelTally {
    /// For each profile its cases, and for each label how many of them hold it.
    by_profile: [(u64, Vec<u64>); Profile::ALL.len()],
}

impl Default for LabelTally {
    fn default() -> Self {
        Self { by_profile: Profile::ALL.map(|_| (0, vec![0; LABELS.len()])) }
    }
}

impl LabelTally {
    /// Counts a case.
    pub(super) fn add(&mut self, profile: Profile, labels: &Labels) {
        let [causal, shuffled, hostile] = &mut self.by_profile;
        let (cases, counts) = match profile {
            Profile::Causal => causal,
            Profile::Shuffled => shuffled,
            Profile::Hostile => hostile,
        };
        *cases += 1;
        for place in labels.places() {
            if let Some(count) = counts.get_mut(place) {
                *count += 1;
            }
        }
    }

    /// What came out, for a run that draws from these profiles.
    pub(super) fn counts(&self, profiles: &[Profile]) -> Vec<LabelCount> {
        // A share of all cases is one of the usual mix.
        let is_usual = profiles.len() == Profile::ALL.len() && Profile::ALL.iter().all(|one| profiles.contains(one));
        LABELS.iter().enumerate().map(|(place, label)| self.count(place, label, is_usual)).collect()
    }

    fn count(&self, place: usize, label: &Label, is_usual: bool) -> LabelCount {
        let (mut cases, mut of) = (0, 0);
        for (profile, (all, counts)) in Profile::ALL.iter().zip(&self.by_profile) {
            if label.profile.is_none_or(|wanted| wanted == *profile) {
                cases += counts.get(place).copied().unwrap_or_default();
                of += all;
            }
        }
        let least = f64::from(label.least) / 10_000.0;
        let is_judged = (label.profile.is_some() || is_usual) && can_tell(of, least);
        let is_rare = is_judged && is_rare(cases, of, least);
        LabelCount { label: label.name, cases, of, least, is_judged, is_rare }
    }
}

/// Whether so many cases are enough to tell, if the label occurs in the least share of all.
fn can_tell(of: u64, least: f64) -> bool {
    of as f64 * least >= ENOUGH
}

/// Whether so few of so many cases cannot be chance, if the label occurs in the least share of all.
fn is_rare(cases: u64, of: u64, least: f64) -> bool {
    let expected = of as f64 * least;
    let deviation = (expected * (1.0 - least)).sqrt();
    can_tell(of, least) && (cases as f64) < expected - DEVIATIONS * deviation
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_is_rare_only_beyond_chance() {
        // 200 are expected, with a deviation of 14.
        assert!(is_rare(140, 100_000, 0.002));
        assert!(!is_rare(145, 100_000, 0.002));
        // Too few cases to tell.
        assert!(!is_rare(0, 9_999, 0.002));
        assert!(is_rare(0, 10_000, 0.002));
    }

    #[test]
    fn labels_of_profiles_that_do_not_run_are_not_rare() {
        let mut tally = LabelTally::default();
        (0..100_000).for_each(|_| tally.add(Profile::Causal, &Labels::default()));
        let counts = tally.counts(&[Profile::Causal]);
        let profile_of = |count: &LabelCount| LABELS.iter().find(|label| label.name == count.label).unwrap().profile;
        let rare: Vec<_> = counts.iter().filter(|count| count.is_rare).collect();
        assert!(rare.len() > 50);
        assert!(rare.iter().all(|count| profile_of(count) == Some(Profile::Causal)));
    }
}
