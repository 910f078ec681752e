//! An *input* is what an operator is given: the bytes, what they are, and how long the copy may be.

use std::ops::Range;

use super::Shape;
use super::dice::Dice;
use super::values::{Value, values};

/// What an operator changes a copy of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Input<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) shape: Shape,
    /// The longest copy that is of use.
    pub(super) most: usize,
}

impl<'a> Input<'a> {
    /// The values of the bytes. A request may go over several lines.
    pub(super) fn values(&self) -> Vec<Value> {
        values(self.bytes, self.shape != Shape::Request)
    }

    /// One of the values that fit, given all of them.
    pub(super) fn pick(&self, dice: &mut Dice, fits: impl Fn(&Value, &[Value]) -> bool) -> Option<Value> {
        let mut values = self.values();
        let at = dice.index(values.len(), |at| fits(&values[at], &values))?;
        Some(values.swap_remove(at))
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
