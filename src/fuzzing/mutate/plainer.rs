//! A *plainer* input is one with a value less, or with a shorter value in its place: steps on the way to a small one.

use super::Shape;
use super::input::Input;
use super::piece::Cut;
use super::values::{Sort, Value};

/// The parts of which some may be left out: events of a stream, lines of all else.
pub(in crate::fuzzing) fn parts(bytes: &[u8], shape: Shape) -> Vec<&[u8]> {
    let cut = if shape == Shape::Stream { Cut::Events } else { Cut::Lines };
    let mut rest = bytes;
    let split = |piece: std::borrow::Cow<'_, [u8]>| {
        let (part, after) = rest.split_at(piece.len());
        rest = after;
        part
    };
    cut.pieces(bytes).into_iter().map(split).collect()
}

/// A copy without its member or element number `number`, the largest first; `None` when there are fewer.
pub(in crate::fuzzing) fn without_value(bytes: &[u8], shape: Shape, number: usize) -> Option<Vec<u8>> {
    let input = Input::new(bytes, shape, usize::MAX);
    let value = nth_largest(&input, number)?;
    Some(input.without(value))
}

/// A copy with the shortest value of its sort in the place of its value number `number`, the largest first; `None` when
/// there are fewer. A value that is as short already is passed over: then the copy is as long as the input.
pub(in crate::fuzzing) fn with_short_value(bytes: &[u8], shape: Shape, number: usize) -> Option<Vec<u8>> {
    let input = Input::new(bytes, shape, usize::MAX);
    let value = nth_largest(&input, number)?;
    let short: &[u8] = match value.sort {
        Sort::Text => b"\"\"",
        Sort::Number => b"0",
        Sort::Object => b"{}",
        Sort::Array => b"[]",
        Sort::Flag | Sort::Null | Sort::Other => return Some(bytes.to_vec()),
    };
    Some(if short.len() < value.range.len() { input.replace(value.range.clone(), short) } else { bytes.to_vec() })
}

fn nth_largest<'i>(input: &'i Input<'_>, number: usize) -> Option<&'i Value> {
    let mut values: Vec<&Value> = input.values().iter().filter(|value| value.holder.is_some()).collect();
    values.sort_by_key(|value| std::cmp::Reverse(value.whole().len()));
    values.get(number).copied()
}
