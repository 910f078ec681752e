//! A *source* answers a generator's questions: a random one, or the bytes of a fuzzer.

use arbitrary::Unstructured;
use proptest::prelude::Rng;
use proptest::test_runner::{RngAlgorithm, TestRng};

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
