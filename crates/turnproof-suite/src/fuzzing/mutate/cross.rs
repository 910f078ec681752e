//! A *cross* is one input made of two.

use super::input::Dice;
use super::piece::{Cut, Pieces, shorten};

/// One input made of the lines of two, at most `most` bytes long; the same for the same arguments.
///
/// It is the beginning of one and the end of the other, one with a run of the other's lines inside, or both in turns.
pub fn cross(one: &[u8], other: &[u8], seed: u32, most: usize) -> Vec<u8> {
    let mut dice = Dice::new(seed);
    let (first, second) = (Cut::Lines.pieces(one), Cut::Lines.pieces(other));
    let lines = match dice.below(3) {
        _ if first.is_empty() || second.is_empty() => [first, second].concat(),
        Some(0) => spliced(&first, &second, &mut dice),
        Some(1) => inserted(&first, &second, &mut dice),
        _ => in_turns(&first, &second, &mut dice),
    };
    shorten(Cut::Lines.join(&lines), most)
}

/// At least one line of the beginning, and at least one of the end.
fn spliced<'a>(first: &Pieces<'a>, second: &Pieces<'a>, dice: &mut Dice) -> Pieces<'a> {
    let beginning = &first[..dice.between(1, first.len())];
    let end = &second[dice.between(0, second.len().saturating_sub(1))..];
    [beginning, end].concat()
}

fn inserted<'a>(first: &Pieces<'a>, second: &Pieces<'a>, dice: &mut Dice) -> Pieces<'a> {
    let start = dice.between(0, second.len().saturating_sub(1));
    let end = dice.between(start + 1, second.len());
    let (before, after) = first.split_at(dice.between(0, first.len()));
    [before, &second[start..end], after].concat()
}

fn in_turns<'a>(first: &Pieces<'a>, second: &Pieces<'a>, dice: &mut Dice) -> Pieces<'a> {
    let (mut first, mut second) = (first.as_slice(), second.as_slice());
    let mut lines = Pieces::new();
    while !first.is_empty() && !second.is_empty() {
        let next = if dice.once_in(2) { &mut first } else { &mut second };
        let (run, rest) = next.split_at(dice.between(1, next.len().min(4)));
        lines.extend_from_slice(run);
        *next = rest;
    }
    [lines.as_slice(), first, second].concat()
}
