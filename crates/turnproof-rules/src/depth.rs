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

/// `most` of `count` that follow one another; all when there are no more.
fn window(number: u64, count: usize, most: usize) -> Range<usize> {
    let most = most.min(count);
    let first = (number % (count - most + 1) as u64) as usize;
    first..first + most
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_of_many_cases_ask_each_question() {
        for count in 0..9 {
            let asked = (0..9).flat_map(|number| Depth::Sample(number).asked(count, 3));
            let mut asked: Vec<usize> = asked.collect();
            asked.sort_unstable();
            asked.dedup();
            assert_eq!(asked, Vec::from_iter(0..count));
        }
    }

    #[test]
    fn one_asks_questions_of_one_sort_and_each_in_its_turn() {
        for number in 0..9 {
            let sorts: Vec<u64> = (0..3).filter(|&sort| Depth::One(number).asks(sort, 3)).collect();
            assert_eq!(sorts, [number % 3]);
            assert!(Depth::Sample(number).asks(0, 3) && Depth::Sample(number).asks(2, 3));
        }
        assert_eq!(Depth::One(3 << 8).asked(9, 5), 3..5);
        assert_eq!(Depth::One(6).now_and_then(3), Some(Depth::One(2)));
        assert_eq!((Depth::One(7).now_and_then(3), Depth::Whole.now_and_then(3)), (None, Some(Depth::Whole)));
    }
}
