//! A plan as *fuzz bytes*: what the generator is answered, question by question.

use arbitrary::Unstructured;

use super::source::{Seeded, Source};
use super::{Profile, Scenario};

impl Scenario {
    /// The plan that a fuzzer's bytes describe; any bytes describe one, and bytes that run out are zeros.
    ///
    /// ```
    /// use turnproof::scenario::{Profile, Scenario};
    ///
    /// let bytes = Scenario::bytes_of_seed(7, 0, Profile::Hostile);
    /// assert_eq!(Scenario::from_bytes(&bytes), Scenario::from_seed(7, 0, Profile::Hostile));
    /// ```
    pub fn from_bytes(bytes: &[u8]) -> Self {
        Self::of_any_profile(&mut Unstructured::new(bytes))
    }

    /// A plan of the profile that `source` chooses first.
    pub(super) fn of_any_profile(source: &mut impl Source) -> Self {
        let which = source.below(Profile::ALL.len() as u32);
        Self::generate(source, Profile::ALL[which as usize])
    }

    /// The bytes that describe case `case` of a seed: for a fuzzer to begin with.
    pub fn bytes_of_seed(seed: u64, case: u64, profile: Profile) -> Vec<u8> {
        let mut written = Written { source: Seeded::new(seed, case), bytes: Vec::new() };
        let which = Profile::ALL.iter().position(|one| *one == profile).unwrap_or_default();
        written.write(which as u32, Profile::ALL.len() as u32);
        Self::generate(&mut written, profile);
        written.bytes
    }
}

/// A source that writes down each answer as the bytes that give it again.
struct Written<S> {
    source: S,
    bytes: Vec<u8>,
}

impl<S> Written<S> {
    /// Writes `answer` as `Unstructured` reads a number below `bound`: in as few bytes as the largest needs, the
    /// first the most significant.
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
                assert_eq!(
                    Scenario::from_bytes(&bytes),
                    Scenario::from_seed(11, case, profile),
                    "case {case}"
                );
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
    fn no_bytes_at_all_describe_a_plan() {
        assert_eq!(Scenario::from_bytes(b"").profile, Profile::ALL[0]);
    }
}
