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

/// How many values are inside others.
pub(in crate::fuzzing) fn inner_values(bytes: &[u8], shape: Shape) -> usize {
    Input::new(bytes, shape, usize::MAX).values().iter().filter(|value| value.holder.is_some()).count()
}

/// A copy with value number `number`, the largest first, in the place of the outermost one around it; `None` when there
/// are fewer.
pub(in crate::fuzzing) fn with_inner_value(bytes: &[u8], shape: Shape, number: usize) -> Option<Vec<u8>> {
    let input = Input::new(bytes, shape, usize::MAX);
    let value = nth_largest(&input, number)?;
    let mut outermost = value;
    while let Some(holder) = outermost.holder {
        outermost = &input.values()[holder];
    }
    Some(input.replace(outermost.range.clone(), &bytes[value.range.clone()]))
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

/// A copy without one end of a text: each value in turn, the largest first, has numbers for its first and second half,
/// and for its first and last eighth. `None` when there are fewer. What is no text is passed over.
pub(in crate::fuzzing) fn with_shorter_text(bytes: &[u8], shape: Shape, number: usize) -> Option<Vec<u8>> {
    let input = Input::new(bytes, shape, usize::MAX);
    let value = nth_largest(&input, number / 4)?;
    // Of the quotes the last one may be missing.
    if value.sort != Sort::Text || value.range.len() < 4 {
        return Some(bytes.to_vec());
    }
    let (start, end) = (value.range.start + 1, value.range.end - 1);
    let cut = |at: usize| start + cut_at(&bytes[start..end], at);
    let eighth = (end - start).div_ceil(8);
    let end_left_out = match number % 4 {
        0 => start..cut((end - start) / 2),
        1 => cut((end - start) / 2)..end,
        2 => start..cut(eighth),
        _ => cut(end - start - eighth)..end,
    };
    Some(input.replace(end_left_out, b""))
}

/// The first place from `at` on where a text can be cut: no escape and no letter is cut in two.
fn cut_at(text: &[u8], at: usize) -> usize {
    let mut place = 0;
    while place < at {
        place += match text[place..] {
            [b'\\', b'u', ..] => 6,
            [b'\\', ..] => 2,
            _ => 1 + text[place + 1..].iter().take_while(|&&byte| byte & 0xC0 == 0x80).count(),
        };
    }
    place.min(text.len())
}

fn nth_largest<'i>(input: &'i Input<'_>, number: usize) -> Option<&'i Value> {
    let mut values: Vec<&Value> = input.values().iter().filter(|value| value.holder.is_some()).collect();
    values.sort_by_key(|value| std::cmp::Reverse(value.whole().len()));
    values.get(number).copied()
}
