//! *Depth* is how much is asked about one case.

use std::ops::Range;

/// How much is asked about one case. Every operation is asked for whatever the depth; what differs is how many further
/// questions follow: of beginnings of a list, of a file cut here or there, of a stream in other pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// All of them: to shrink or to show a case.
    Whole,
    /// A few, chosen by the number: for each of many cases.
    Sample(u64),
    /// Those of one sort, chosen by the number: for the inputs of a fuzzer, thousands in a second.
    One(u64),
}

/// How many beginnings, cuts and the like are asked about in [`Depth::One`].
const IN_ONE: usize = 2;

/// In one case of so many a sample asks the same question again.
const AGAIN: u64 = 4;

impl Depth {
    /// Which of `count` further questions are asked: all of them, or `most` that follow one another.
    pub fn asked(self, count: usize, most: usize) -> Range<usize> {
        match self {
            Self::Whole => 0..count,
            Self::Sample(number) => window(number, count, most),
            // Other bits of the number choose the place than the sort.
            Self::One(number) => window(number >> 8, count, most.min(IN_ONE)),
        }
    }

    /// Whether the further questions of this sort, of so many sorts, are asked.
    pub const fn asks(self, sort: u64, sorts: u64) -> bool {
        match self {
            Self::Whole | Self::Sample(_) => true,
            Self::One(number) => number % sorts == sort,
        }
    }

    /// Whether the same question is asked again: the first of so many sorts of further questions. Whoever answers by
    /// chance, or remembers, shows it soon, so a sample does not ask each time.
    pub const fn asks_again(self, sorts: u64) -> bool {
        match self {
            Self::Sample(number) => number.is_multiple_of(AGAIN),
            Self::Whole | Self::One(_) => self.asks(0, sorts),
        }
    }

    /// The depth of an expensive question, which is asked for one input of a fuzzer in `times`; `None` for the others.
    /// So the cheap questions stay fast.
    pub const fn now_and_then(self, times: u64) -> Option<Self> {
        match self {
            Self::Whole | Self::Sample(_) => Some(self),
            Self::One(number) if number.is_multiple_of(times) => Some(Self::One(number / times)),
            Self::One(_) => None,
        }
    }

    /// Whether a further question is asked that belongs to one case in `times`.
    pub(crate) const fn asks_once_in(self, times: u64) -> bool {
        match self {
            Self::Whole | Self::One(_) => true,
            Self::Sample(number) => number.is_multiple_of(times),
        }
    }
}

/// `most` of `count` that follow one another; all when there are no more. The next number has those behind them.
fn window(number: u64, count: usize, most: usize) -> Range<usize> {
    if most == 0 || count <= most {
        return 0..count.min(most);
    }
    let windows = count.div_ceil(most) as u64;
    let first = ((number % windows) as usize * most).min(count - most);
    first..first + most
}
