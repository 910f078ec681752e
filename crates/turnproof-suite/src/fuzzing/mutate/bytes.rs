//! Operators on *bytes*: what a disk, a crash or a careless cut leaves behind.

use super::Shape;
use super::input::{Dice, Input};
use super::piece::{Cut, split_end};
use super::typical;
use super::values::is_inside_letter;

/// What UTF-8 never holds: overlong forms, lone bytes, halves of surrogate pairs, more than Unicode has.
const NOT_UTF8: &[&[u8]] = &[
    b"\xC0",
    b"\xC0\x80",
    b"\xFF",
    b"\xFF\xFE",
    b"\x80",
    b"\xE2\x82",
    b"\xED\xA0\x80",
    b"\xED\xB0\x80",
    b"\xED\xA0\xBD\xED\xB8\x80",
    b"\xF4\x90\x80\x80",
];

/// What holds JSON together.
const MARKS: &[u8] = b"\"{}[]:,\\";

/// Whether a byte is one of [`MARKS`]; it is asked of each byte.
fn is_mark(byte: u8) -> bool {
    const IS_MARK: [bool; 256] = {
        let mut is_mark = [false; 256];
        let mut at = 0;
        while at < MARKS.len() {
            is_mark[MARKS[at] as usize] = true;
            at += 1;
        }
        is_mark
    };
    IS_MARK[usize::from(byte)]
}

pub(super) fn cut_letter(input: &Input<'_>, dice: &mut Dice) -> Option<Vec<u8>> {
    drop_one(input, dice, is_inside_letter)
}

pub(super) fn not_utf8(input: &Input<'_>, dice: &mut Dice) -> Option<Vec<u8>> {
    let added = dice.pick(NOT_UTF8)?;
    Some(input.insert(dice.between(0, input.bytes.len()), added))
}

pub(super) fn nul_run(input: &Input<'_>, dice: &mut Dice) -> Option<Vec<u8>> {
    let length = *dice.pick(&[1, 2, 7, 64, 512, 4096])?;
    let at = if dice.once_in(2) {
        dice.between(0, input.bytes.len())
    } else {
        // Files that were not flushed have their runs where a write began.
        let lines = Cut::Lines.pieces(input.bytes);
        let before = dice.between(0, lines.len());
        lines[..before].iter().map(|line| line.len()).sum()
    };
    Some(input.insert(at, &vec![0; length.min(input.room()).max(1)]))
}

pub(super) fn drop_mark(input: &Input<'_>, dice: &mut Dice) -> Option<Vec<u8>> {
    drop_one(input, dice, is_mark)
}

pub(super) fn add_mark(input: &Input<'_>, dice: &mut Dice) -> Option<Vec<u8>> {
    let mark = *dice.pick(MARKS)?;
    Some(input.insert(dice.between(0, input.bytes.len()), &[mark]))
}

/// A copy without one of the bytes that `fits`.
fn drop_one(input: &Input<'_>, dice: &mut Dice, fits: impl Fn(u8) -> bool) -> Option<Vec<u8>> {
    let at = dice.index(input.bytes.len(), |at| fits(input.bytes[at]))?;
    Some(input.replace(at..at + 1, b""))
}

pub(super) fn crlf(input: &Input<'_>, dice: &mut Dice) -> Option<Vec<u8>> {
    other_ends(input, b"\r\n", dice)
}

pub(super) fn carriage_return(input: &Input<'_>, dice: &mut Dice) -> Option<Vec<u8>> {
    other_ends(input, b"\r", dice)
}

/// All lines, or one of them, with another end.
fn other_ends(input: &Input<'_>, end: &[u8], dice: &mut Dice) -> Option<Vec<u8>> {
    let lines = Cut::Lines.pieces(input.bytes);
    let one = if dice.once_in(2) { Some(dice.below(lines.len())?) } else { None };
    let mut changed = Vec::with_capacity(input.bytes.len() + lines.len());
    for (index, line) in lines.iter().enumerate() {
        let (text, own_end) = split_end(line);
        let is_changed = !own_end.is_empty() && one.is_none_or(|one| one == index);
        changed.extend_from_slice(text);
        changed.extend_from_slice(if is_changed { end } else { own_end });
    }
    Some(changed)
}

pub(super) fn typical(input: &Input<'_>, dice: &mut Dice) -> Option<Vec<u8>> {
    let cut = if input.shape == Shape::Stream { Cut::Events } else { Cut::Lines };
    let mut pieces = cut.pieces(input.bytes);
    pieces.insert(dice.below(pieces.len() + 1)?, typical::line(input, dice).into());
    Some(cut.join(&pieces))
}
