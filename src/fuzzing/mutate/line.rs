//! Operators on *lines*: what a file looks like when whole lines get lost, move or run together.

use super::Shape;
use super::dice::Dice;
use super::input::Input;
use super::pieces::{Cut, split_end};
use super::typical;

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// How often a line is repeated at most.
const MANY: usize = 40;

/// A copy whose pieces `change` has put in another order.
pub(super) fn arranged<'a>(
    input: &Input<'a>,
    cut: Cut,
    change: impl FnOnce(&mut Vec<&'a [u8]>) -> Option<()>,
) -> Option<Vec<u8>> {
    let mut pieces = cut.pieces(input.bytes);
    change(&mut pieces)?;
    Some(cut.join(&pieces))
}

/// A second copy of a piece, anywhere.
pub(super) fn duplicate_piece(input: &Input<'_>, cut: Cut, dice: &mut Dice) -> Option<Vec<u8>> {
    arranged(input, cut, |pieces| {
        let piece = *dice.pick(pieces)?;
        pieces.insert(dice.below(pieces.len() + 1)?, piece);
        Some(())
    })
}

/// One piece less.
pub(super) fn drop_piece(input: &Input<'_>, cut: Cut, dice: &mut Dice) -> Option<Vec<u8>> {
    arranged(input, cut, |pieces| {
        pieces.remove(dice.below(pieces.len())?);
        Some(())
    })
}

/// Two pieces in each other's place.
pub(super) fn swap_pieces(input: &Input<'_>, cut: Cut, dice: &mut Dice) -> Option<Vec<u8>> {
    arranged(input, cut, |pieces| {
        let (one, other) = dice.two_below(pieces.len())?;
        pieces.swap(one, other);
        Some(())
    })
}

/// A piece in another place.
pub(super) fn move_piece(input: &Input<'_>, cut: Cut, dice: &mut Dice) -> Option<Vec<u8>> {
    arranged(input, cut, |pieces| {
        let (from, to) = dice.two_below(pieces.len())?;
        let piece = pieces.remove(from);
        pieces.insert(to, piece);
        Some(())
    })
}

pub(super) fn duplicate(input: &Input<'_>, dice: &mut Dice) -> Option<Vec<u8>> {
    duplicate_piece(input, Cut::Lines, dice)
}

pub(super) fn drop(input: &Input<'_>, dice: &mut Dice) -> Option<Vec<u8>> {
    drop_piece(input, Cut::Lines, dice)
}

pub(super) fn swap(input: &Input<'_>, dice: &mut Dice) -> Option<Vec<u8>> {
    swap_pieces(input, Cut::Lines, dice)
}

pub(super) fn shift(input: &Input<'_>, dice: &mut Dice) -> Option<Vec<u8>> {
    move_piece(input, Cut::Lines, dice)
}

pub(super) fn splice(input: &Input<'_>, dice: &mut Dice) -> Option<Vec<u8>> {
    let mut lines = Cut::Lines.pieces(input.bytes);
    let (one, other) = dice.two_below(lines.len())?;
    let (beginning, ending) = (split_end(lines[one]).0, lines[other]);
    let beginning = &beginning[..dice.between(0, beginning.len())];
    let ending = &ending[dice.below(ending.len())?..];
    let spliced = [beginning, ending].concat();
    lines[one] = &spliced;
    Some(Cut::Lines.join(&lines))
}

pub(super) fn cut_short(input: &Input<'_>, dice: &mut Dice) -> Option<Vec<u8>> {
    let mut lines = Cut::Lines.pieces(input.bytes);
    let at = dice.below(lines.len())?;
    let (says, end) = split_end(lines[at]);
    let cut = [&says[..dice.below(says.len())?], end].concat();
    lines[at] = &cut;
    Some(Cut::Lines.join(&lines))
}

pub(super) fn glue(input: &Input<'_>, dice: &mut Dice) -> Option<Vec<u8>> {
    let lines = Cut::Lines.pieces(input.bytes);
    let at = dice.below(lines.len())?;
    let before: usize = lines[..at].iter().map(|line| line.len()).sum();
    let (says, end) = split_end(lines[at]);
    let start = before + says.len();
    Some(input.replace(start..start + end.len(), b""))
}

pub(super) fn repeat(input: &Input<'_>, dice: &mut Dice) -> Option<Vec<u8>> {
    arranged(input, Cut::Lines, |lines| {
        let at = dice.below(lines.len())?;
        let line = lines[at];
        // At least once, and no more often than there is room for.
        let fitting = input.room() / line.len().max(1);
        let times = dice.between(2, MANY).min(fitting).max(1);
        lines.splice(at..at, std::iter::repeat_n(line, times));
        Some(())
    })
}

pub(super) fn blank(input: &Input<'_>, dice: &mut Dice) -> Option<Vec<u8>> {
    let blank: &[u8] = dice.pick(&[&b"\n"[..], b"\n\n\n", b" \t\n", b"\r\n"])?;
    arranged(input, Cut::Lines, |lines| {
        lines.insert(dice.below(lines.len() + 1)?, blank);
        Some(())
    })
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
        let (says, own_end) = split_end(line);
        changed.extend_from_slice(says);
        let is_changed = !own_end.is_empty() && one.is_none_or(|one| one == index);
        changed.extend_from_slice(if is_changed { end } else { own_end });
    }
    Some(changed)
}

pub(super) fn byte_order_mark(input: &Input<'_>, dice: &mut Dice) -> Option<Vec<u8>> {
    if dice.once_in(2) {
        return Some(input.insert(0, BYTE_ORDER_MARK));
    }
    let mut lines = Cut::Lines.pieces(input.bytes);
    let at = dice.below(lines.len())?;
    let marked = [BYTE_ORDER_MARK, lines[at]].concat();
    lines[at] = &marked;
    Some(Cut::Lines.join(&lines))
}

pub(super) fn typical(input: &Input<'_>, dice: &mut Dice) -> Option<Vec<u8>> {
    let added = typical::line(input, dice);
    let cut = if input.shape == Shape::Stream { Cut::Events } else { Cut::Lines };
    let mut pieces = cut.pieces(input.bytes);
    pieces.insert(dice.below(pieces.len() + 1)?, &added);
    Some(cut.join(&pieces))
}
