//! An *input* is what an operator is given: the bytes, what they are, and how long the copy may be. *Dice* give it
//! random numbers: the same seed always gives the same ones.

use std::cell::OnceCell;
use std::ops::Range;

use super::Shape;
use super::values::{Value, values};

/// What an operator changes a copy of.
#[derive(Debug)]
pub(super) struct Input<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) shape: Shape,
    /// The longest copy that is of use.
    pub(super) most: usize,
    /// Found when the first operator asks.
    values: OnceCell<Vec<Value>>,
}

impl<'a> Input<'a> {
    pub(super) fn new(bytes: &'a [u8], shape: Shape, most: usize) -> Self {
        Self { bytes, shape, most, values: OnceCell::new() }
    }

    /// The values of the bytes. A request may go over several lines.
    pub(super) fn values(&self) -> &[Value] {
        self.values.get_or_init(|| values(self.bytes, self.shape != Shape::Request))
    }

    /// One of the values that fit, given all of them.
    pub(super) fn pick(&self, dice: &mut Dice, fits: impl Fn(&Value, &[Value]) -> bool) -> Option<&Value> {
        let values = self.values();
        values.get(dice.index(values.len(), |at| fits(&values[at], values))?)
    }

    pub(super) fn room(&self) -> usize {
        self.most.saturating_sub(self.bytes.len())
    }

    pub(super) fn replace(&self, range: Range<usize>, with: &[u8]) -> Vec<u8> {
        [&self.bytes[..range.start], with, &self.bytes[range.end..]].concat()
    }

    pub(super) fn insert(&self, at: usize, added: &[u8]) -> Vec<u8> {
        self.replace(at..at, added)
    }

    /// A copy without a member or an element, and without one of the commas beside it.
    pub(super) fn without(&self, value: &Value) -> Vec<u8> {
        let Range { mut start, mut end } = value.whole();
        let is_space = |byte: &u8| byte.is_ascii_whitespace();
        let after = end + self.bytes[end..].iter().take_while(|&byte| is_space(byte)).count();
        let before = start - self.bytes[..start].iter().rev().take_while(|&byte| is_space(byte)).count();
        if self.bytes.get(after) == Some(&b',') {
            end = after + 1;
        } else if self.bytes[..before].ends_with(b",") {
            start = before - 1;
        }
        self.replace(start..end, b"")
    }

    /// A copy with a member or an element added at the front of an object or array.
    pub(super) fn with_first(&self, holder: &Value, added: &[u8]) -> Vec<u8> {
        let at = holder.range.start + 1;
        let next = self.bytes[at..].iter().find(|byte| !byte.is_ascii_whitespace());
        let comma: &[u8] = if matches!(next, None | Some(b'}' | b']')) { b"" } else { b"," };
        self.insert(at, &[added, comma].concat())
    }
}

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

    /// A number below `count`; `None` when that is 0.
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
        let mut fitting = Vec::with_capacity(count);
        fitting.extend((0..count).filter(|&index| fits(index)));
        self.pick(&fitting).copied()
    }

    /// True once in `count` throws.
    pub(super) fn once_in(&mut self, count: u64) -> bool {
        self.throw().is_multiple_of(count.max(1))
    }
}
