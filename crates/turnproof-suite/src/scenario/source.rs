//! A *source* answers a generator's questions: a random one, or the bytes of a fuzzer. Answers can be kept as such
//! bytes.

use arbitrary::Unstructured;
use proptest::prelude::Rng;
use proptest::test_runner::{RngAlgorithm, TestRng};

use super::{Profile, Scenario};

/// Where choices come from.
pub trait Source {
    /// A number below `bound`, which is at least 1. An exhausted source answers 0.
    fn below(&mut self, bound: u32) -> u32;

    /// A byte below `bound`, which is at least 1.
    fn byte(&mut self, bound: u8) -> u8 {
        self.below(u32::from(bound)) as u8
    }

    /// True once in `times`.
    fn once_in(&mut self, times: u32) -> bool {
        self.below(times) == times - 1
    }

    /// The most questions that it can answer. `None` when there is no limit. It makes a short input of a fuzzer a short
    /// plan, not a long one of zeros.
    fn left(&self) -> Option<usize> {
        None
    }

    /// Any number.
    fn number(&mut self) -> u64 {
        u64::from(self.below(u32::MAX)) << 32 | u64::from(self.below(u32::MAX))
    }
}

/// Choices from a seed and a case number.
pub struct Seeded(TestRng);

impl Seeded {
    /// The choices of case `case` of `seed`.
    pub fn new(seed: u64, case: u64) -> Self {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&seed.to_le_bytes());
        bytes[8..16].copy_from_slice(&case.to_le_bytes());
        Self(TestRng::from_seed(RngAlgorithm::ChaCha, &bytes))
    }
}

impl Source for Seeded {
    fn below(&mut self, bound: u32) -> u32 {
        self.0.below(bound)
    }
}

impl Source for TestRng {
    fn below(&mut self, bound: u32) -> u32 {
        // The bias is below 2^-32 times the bound: nothing for choices among a few.
        ((u64::from(self.next_u32()) * u64::from(bound)) >> 32) as u32
    }
}

impl Source for Unstructured<'_> {
    fn below(&mut self, bound: u32) -> u32 {
        self.int_in_range(0..=bound.saturating_sub(1)).unwrap_or(0)
    }

    fn left(&self) -> Option<usize> {
        Some(self.len())
    }
}

impl Scenario {
    /// The plan that a fuzzer's bytes describe. Any bytes describe one; missing bytes count as zeros.
    ///
    /// ```
    /// use turnproof_suite::scenario::{Profile, Scenario};
    ///
    /// let bytes = Scenario::bytes_of_seed(7, 0, Profile::Hostile);
    /// assert_eq!(Scenario::from_bytes(&bytes), Scenario::from_seed(7, 0, Profile::Hostile));
    /// ```
    pub fn from_bytes(bytes: &[u8]) -> Self {
        Self::from_bytes_of(bytes, &Profile::ALL)
    }

    /// As [`from_bytes`](Self::from_bytes), but of one of these profiles: the first of them if the bytes describe a
    /// plan of another. An empty list allows all profiles.
    pub fn from_bytes_of(bytes: &[u8], profiles: &[Profile]) -> Self {
        Self::of_profiles(&mut Unstructured::new(bytes), profiles)
    }

    /// A plan of the profile that `source` chooses, if that is one of these, else of the first.
    pub(super) fn of_profiles(source: &mut dyn Source, profiles: &[Profile]) -> Self {
        let profile = Profile::ALL[source.below(Profile::ALL.len() as u32) as usize];
        let is_meant = profiles.is_empty() || profiles.contains(&profile);
        Self::generate(source, if is_meant { profile } else { profiles[0] })
    }

    /// The bytes that describe case `case` of a seed, as an input for a fuzzer.
    pub fn bytes_of_seed(seed: u64, case: u64, profile: Profile) -> Vec<u8> {
        let mut written = Written { source: Seeded::new(seed, case), bytes: Vec::new() };
        written.write(profile as u32, Profile::ALL.len() as u32);
        Self::generate(&mut written, profile);
        written.bytes
    }
}

/// A source that keeps each answer as the bytes that give the same answer.
struct Written {
    source: Seeded,
    bytes: Vec<u8>,
}

impl Written {
    /// Writes `answer` as `Unstructured` reads a number below `bound`: big-endian, in the bytes that the largest needs.
    fn write(&mut self, answer: u32, bound: u32) {
        let largest = bound.saturating_sub(1);
        let unused = largest.leading_zeros() as usize / 8;
        self.bytes.extend(&answer.to_be_bytes()[unused..]);
    }
}

impl Source for Written {
    fn below(&mut self, bound: u32) -> u32 {
        let answer = self.source.below(bound);
        self.write(answer, bound);
        answer
    }
}
