//! A plan as *fuzz bytes*: the answers to the generator, question by question.

use super::{Profile, Scenario, Seeded, Source};
use arbitrary::Unstructured;

impl Scenario {
    /// The plan that a fuzzer's bytes describe. Any bytes describe one; missing bytes count as zeros.
    ///
    /// ```
    /// use turnproof::scenario::{Profile, Scenario};
    ///
    /// let bytes = Scenario::bytes_of_seed(7, 0, Profile::Hostile);
    /// assert_eq!(Scenario::from_bytes(&bytes), Scenario::from_seed(7, 0, Profile::Hostile));
    /// ```
    pub fn from_bytes(bytes: &[u8]) -> Self {
        Self::from_bytes_of(bytes, &Profile::ALL)
    }

    /// As [`from_bytes`](Self::from_bytes), but of one of these profiles: the first of them if the bytes describe a plan of
    /// another. An empty list allows all profiles.
    pub fn from_bytes_of(bytes: &[u8], profiles: &[Profile]) -> Self {
        Self::of_profiles(&mut Unstructured::new(bytes), profiles)
    }

    /// A plan of the profile that `source` chooses, if that is one of these, else of the first.
    pub(super) fn of_profiles(source: &mut impl Source, profiles: &[Profile]) -> Self {
        let profile = Profile::ALL[source.below(Profile::ALL.len() as u32) as usize];
        let is_meant = profiles.is_empty() || profiles.contains(&profile);
        Self::generate(source, if is_meant { profile } else { profiles[0] })
    }

    /// The bytes that describe case `case` of a seed, as an input for a fuzzer.
    pub fn bytes_of_seed(seed: u64, case: u64, profile: Profile) -> Vec<u8> {
        let mut written = Written { source: Seeded::new(seed, case), bytes: Vec::new() };
        let which = Profile::ALL.iter().position(|one| *one == profile).unwrap_or_default();
        written.write(which as u32, Profile::ALL.len() as u32);
        Self::generate(&mut written, profile);
        written.bytes
    }
}

/// A source that keeps each answer as the bytes that give the same answer.
struct Written<S> {
    source: S,
    bytes: Vec<u8>,
}

impl<S> Written<S> {
    /// Writes `answer` as `Unstructured` reads a number below `bound`: big-endian, in as few bytes as the largest needs.
    fn write(&mut self, answer: u32, bound: u32) {
        let largest = bound.saturating_sub(1);
        let unused = largest.leading_zeros() as usize / 8;
        self.bytes.extend(&answer.to_be_bytes()[unused..]);
    }
}

impl<S: Source> Source for Written<S> {
    fn below(&mut self, bound: u32) -> u32 {
        let answer = self.source.below(bound);
        self.write(answer, bound);
        answer
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bytes_of_a_case_describe_that_case() {
        for profile in Profile::ALL {
            for case in 0..300 {
                let bytes = Scenario::bytes_of_seed(11, case, profile);
                assert_eq!(Scenario::from_bytes(&bytes), Scenario::from_seed(11, case, profile), "case {case}");
            }
        }
    }

    #[test]
    fn few_bytes_describe_few_lines() {
        let long = Scenario::bytes_of_seed(11, 0, Profile::Shuffled);
        let plans = (0..long.len()).map(|length| Scenario::from_bytes(&long[..length]));
        for (length, plan) in plans.enumerate() {
            assert!(plan.lines.len() <= length.max(1), "{length} bytes, {} lines", plan.lines.len());
        }
    }

    #[test]
    fn bytes_that_say_another_profile_describe_a_plan_of_the_first() {
        let bytes = Scenario::bytes_of_seed(11, 1, Profile::Causal);
        let profile = |profiles| Scenario::from_bytes_of(&bytes, profiles).profile;
        assert_eq!(profile(&[Profile::Hostile, Profile::Shuffled]), Profile::Hostile);
        assert_eq!(profile(&[Profile::Hostile, Profile::Causal]), Profile::Causal);
        assert_eq!(profile(&[]), Profile::Causal);
    }

    #[test]
    fn no_bytes_at_all_describe_a_plan() {
        assert_eq!(Scenario::from_bytes(b"").profile, Profile::ALL[0]);
    }
}
