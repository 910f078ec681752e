//! *Depth* is how much is asked about one case.

use std::ops::Range;

/// How much is asked about one case. Every operation is asked for whatever the depth; what differs is how many
/// further questions follow: of beginnings of a list, of a file cut here or there, of a stream in other pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// All of them: to shrink a case, and to look at one.
    Whole,
    /// A few, chosen by the number: among many cases.
    Sample(u64),
}

impl Depth {
    /// Which of `count` further questions are asked: all of them, or `most` that follow one another.
    pub(super) fn asked(self, count: usize, most: usize) -> Range<usize> {
        match self {
            Self::Sample(number) if count > most => {
                let first = (number % (count - most + 1) as u64) as usize;
                first..first + most
            }
            _ => 0..count,
        }
    }

    /// Whether a further question is asked that is asked once in `times`.
    pub(super) const fn asks_once_in(self, times: u64) -> bool {
        match self {
            Self::Whole => true,
            Self::Sample(number) => number.is_multiple_of(times),
        }
    }
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
}
