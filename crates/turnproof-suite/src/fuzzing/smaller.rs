//! A *smaller* input breaks the law of a target at the same place as the input that was found, by the same rule.
//!
//! Plans become smaller as those of the suite do. Bytes lose lines, then halves, quarters and so on, down to single
//! bytes.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use crate::scenario::{Scenario, simpler};
use crate::subject::Reference;

use super::broken::{Broken, first_panic};
use super::{Effort, Target};

/// How much is tried for one input.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// The most inputs.
    pub attempts: usize,
    /// The longest time.
    pub time: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self { attempts: 20_000, time: Duration::from_secs(60) }
    }
}

/// What a law is held against.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LawInput {
    /// Bytes as they are.
    Bytes(Vec<u8>),
    /// A plan.
    Plan(Scenario),
}

/// A smaller input that breaks the law.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Smaller {
    /// The input.
    pub input: LawInput,
    /// How it breaks the law.
    pub broken: Broken,
}

/// The smallest input found that breaks the law of `target` as `bytes` do; `None` when they keep it.
pub fn smaller(target: &Target, bytes: &[u8], patience: Patience) -> Option<Smaller> {
    let breaks = |input: &LawInput| {
        first_panic(|| match input {
            LawInput::Bytes(bytes) => target.hold(bytes),
            LawInput::Plan(plan) => target.hold_to_plan(&Reference, plan, Effort::Whole),
        })
    };
    let input = target.plan(bytes).map_or_else(|| LawInput::Bytes(bytes.to_vec()), LawInput::Plan);
    let broken = breaks(&input)?;
    let (attempts, until) = (patience.attempts, Instant::now() + patience.time);
    let mut search = Search { breaks: &breaks, smallest: Smaller { input, broken }, attempts, until };
    search.try_plans();
    search.try_bytes();
    Some(search.smallest)
}

/// A search for smaller inputs.
struct Search<'a> {
    breaks: &'a dyn Fn(&LawInput) -> Option<Broken>,
    /// The smallest input so far.
    smallest: Smaller,
    attempts: usize,
    until: Instant,
}

impl Search<'_> {
    fn is_over(&self) -> bool {
        self.attempts == 0 || Instant::now() >= self.until
    }

    /// Takes an input when it breaks the law in the same way; gives whether it did.
    fn takes(&mut self, input: LawInput) -> bool {
        if self.is_over() {
            return false;
        }
        self.attempts -= 1;
        let broken = (self.breaks)(&input).filter(|broken| broken.is_like(&self.smallest.broken));
        broken.map(|broken| self.smallest = Smaller { input, broken }).is_some()
    }

    fn try_plans(&mut self) {
        // What was tried once is not tried again.
        let mut tried = HashSet::new();
        'smaller: while let LawInput::Plan(smallest) = self.smallest.input.clone() {
            for plan in simpler(&smallest) {
                if self.is_over() {
                    return;
                }
                if tried.insert(plan.clone()) && self.takes(LawInput::Plan(plan)) {
                    continue 'smaller;
                }
            }
            return;
        }
    }

    fn try_bytes(&mut self) {
        while let LawInput::Bytes(bytes) = self.smallest.input.clone() {
            self.without(bytes.split_inclusive(|&byte| byte == b'\n').collect());
            let LawInput::Bytes(shorter) = self.smallest.input.clone() else { return };
            self.without(shorter.chunks(1).collect());
            // Where a later part is gone, an earlier one may no longer be needed.
            if self.smallest.input == LawInput::Bytes(bytes) || self.is_over() {
                return;
            }
        }
    }

    /// Leaves out runs of parts.
    fn without(&mut self, parts: Vec<&[u8]>) {
        fewer(parts, |bytes| match self.is_over() {
            true => None,
            false => Some(self.takes(LawInput::Bytes(bytes))),
        });
    }
}

/// Leaves out runs of parts: all of them, halves, quarters, …, single ones. `takes` says whether what is left will do,
/// and `None` when nothing more is to be tried.
pub(super) fn fewer(parts: Vec<&[u8]>, mut takes: impl FnMut(Vec<u8>) -> Option<bool>) {
    fewer_parts(parts, |before, after| {
        let left = [before, after].concat();
        takes(left.concat()).map(|will_do| will_do.then_some(left))
    });
}

/// Leaves out runs of parts, as [`fewer`] does. `takes` gets the parts before and after the run, and gives those that will
/// do in their place, as many; or else nothing.
pub(super) fn fewer_parts<T>(mut parts: Vec<T>, mut takes: impl FnMut(&[T], &[T]) -> Option<Option<Vec<T>>>) -> Vec<T> {
    let mut run = parts.len();
    while run > 0 {
        let mut start = 0;
        while start < parts.len() {
            let end = (start + run).min(parts.len());
            match takes(&parts[..start], &parts[end..]) {
                Some(Some(left)) => parts = left,
                Some(None) => start += run,
                None => return parts,
            }
        }
        run /= 2;
    }
    parts
}
