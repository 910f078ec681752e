//! *Dice* are where a mutation's chance comes from: the same seed always throws the same numbers.

/// A source of numbers that look random.
#[derive(Clone, Debug)]
pub(super) struct Dice(u64);

impl Dice {
    pub(super) fn new(seed: u32) -> Self {
        Self(u64::from(seed))
    }

    /// The next number: one step of splitmix64, in which each bit of the state moves all bits.
    pub(super) fn throw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let number = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let number = (number ^ number >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        number ^ number >> 31
    }

    /// A number below `count`; none below zero things.
    pub(super) fn below(&mut self, count: usize) -> Option<usize> {
        (count > 0).then(|| (self.throw() % count as u64) as usize)
    }

    /// A number of `low..=high`; `low` when there is none between.
    pub(super) fn between(&mut self, low: usize, high: usize) -> usize {
        let count = high.saturating_sub(low).saturating_add(1);
        low + self.below(count).unwrap_or(0)
    }

    /// Two different numbers below `count`, in any order.
    pub(super) fn two_below(&mut self, count: usize) -> Option<(usize, usize)> {
        let one = self.below(count)?;
        let other = self.below(count - 1)?;
        Some((one, if other < one { other } else { other + 1 }))
    }

    pub(super) fn pick<'a, T>(&mut self, list: &'a [T]) -> Option<&'a T> {
        list.get(self.below(list.len())?)
    }

    /// One of the numbers below `count` that fit.
    pub(super) fn index(&mut self, count: usize, fits: impl Fn(usize) -> bool) -> Option<usize> {
        self.pick(&(0..count).filter(|&index| fits(index)).collect::<Vec<_>>()).copied()
    }

    /// True once in `count` throws.
    pub(super) fn once_in(&mut self, count: u64) -> bool {
        self.throw().is_multiple_of(count.max(1))
    }
}
