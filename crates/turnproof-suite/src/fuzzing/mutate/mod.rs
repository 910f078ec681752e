//! A *mutation* is a changed copy of an input that still looks like what its target reads: lines have moved, ids lead
//! to other records, values have another type. So a fuzzer gets past the first token.
//!
//! libFuzzer itself changes bytes, and most of what it makes of a transcript is no JSON. Its custom mutator may call
//! [`mutate`] and [`cross`] instead. The same arguments give the same copy.
//!
//! An [`Operator`] is one way to change an input; [`OPERATORS`] lists them. They find pieces, values and ids in damaged
//! bytes too, in linear time.
//!
//! ```
//! use turnproof_suite::fuzzing::mutate::{Shape, mutate};
//!
//! let input = b"{\"type\":\"user\",\"uuid\":\"u1\"}\n{\"type\":\"user\",\"parentUuid\":\"u1\"}\n";
//! let changed = mutate(input, Shape::Transcript, 7, 4096);
//! assert_ne!(changed, input);
//! assert_eq!(changed, mutate(input, Shape::Transcript, 7, 4096));
//! ```

mod bytes;
mod cross;
mod input;
mod operator;
mod piece;
pub(super) mod plainer;
mod typical;
mod value;
mod values;
pub mod words;

pub use cross::cross;
pub use operator::{OPERATORS, Operator};

use input::{Dice, Input};
use piece::shorten;

/// What the bytes of a target are, so that its mutations fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// A transcript: a JSON object a line.
    Transcript,
    /// A model's stream: server-sent events.
    Stream,
    /// A request to a model: one JSON document.
    Request,
}

impl Shape {
    /// Every shape.
    pub const ALL: [Self; 3] = [Self::Transcript, Self::Stream, Self::Request];

    /// Its name, which is that of its dictionary: `fuzz/dictionaries/NAME.dict`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Transcript => "transcript",
            Self::Stream => "stream",
            Self::Request => "request",
        }
    }
}

/// One changed copy of `input`, at most `most` bytes long; the same for the same arguments.
///
/// Mostly one operator is applied, at most four. An empty input becomes a small whole one. A copy that is too long is
/// cut after a line, or inside the first line.
pub fn mutate(input: &[u8], shape: Shape, seed: u32, most: usize) -> Vec<u8> {
    changed(input, shape, seed, most).0
}

/// The names of the operators that [`mutate`] applies for the same arguments, in order.
pub fn operators_applied(input: &[u8], shape: Shape, seed: u32, most: usize) -> Vec<&'static str> {
    changed(input, shape, seed, most).1
}

fn changed(input: &[u8], shape: Shape, seed: u32, most: usize) -> (Vec<u8>, Vec<&'static str>) {
    let mut dice = Dice::new(seed);
    let mut bytes = shorten(input.to_vec(), most);
    if bytes.is_empty() {
        let typical = typical::line(&Input::new(&bytes, shape, most), &mut dice);
        return (shorten(typical, most), Vec::new());
    }
    let start = bytes.clone();
    let mut names = Vec::new();
    let steps = [1, 1, 1, 1, 1, 2, 3, 4];
    for _ in 0..dice.pick(&steps).copied().unwrap_or(1) {
        let next = step(&Input::new(&bytes, shape, most), &mut dice);
        // A step that takes another one back would leave a copy that nothing has changed.
        if let Some((name, next)) = next.filter(|(_, next)| *next != start) {
            names.push(name);
            bytes = next;
        }
    }
    (bytes, names)
}

/// Applies one of the operators that find something to change.
fn step(input: &Input<'_>, dice: &mut Dice) -> Option<(&'static str, Vec<u8>)> {
    let mut left: Vec<&Operator> = OPERATORS.iter().filter(|operator| operator.shapes.contains(&input.shape)).collect();
    loop {
        let operator = left.swap_remove(dice.below(left.len())?);
        if let Some(bytes) = operator.change(input, dice) {
            return Some((operator.name, bytes));
        }
    }
}
