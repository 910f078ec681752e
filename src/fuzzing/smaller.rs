//! A *smaller* input breaks the law of a target as the input does that was found: at the same place, with the same words.
//!
//! Plans become smaller as those of the suite do. Bytes lose lines, then halves, quarters and so on, at last
//! single bytes.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use crate::scenario::{Scenario, simpler};
use crate::subject::Reference;

use super::broken::{Broken, Watch};
use super::{Effort, Law, Target};

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
pub enum Input {
    /// Bytes as they are.
    Bytes(Vec<u8>),
    /// A plan.
    Plan(Scenario),
}

/// A smaller input that breaks the law.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Smaller {
    /// The input.
    pub input: Input,
    /// How it breaks the law.
    pub broken: Broken,
}

/// The smallest input found that breaks the law of `target` as `bytes` do; none where they keep it.
pub fn smaller(target: &Target, bytes: &[u8], patience: Patience) -> Option<Smaller> {
    let watch = Watch::begin();
    match target.law {
        Law::Bytes(_) => {
            let breaks = |bytes: &Vec<u8>| watch.broken(|| target.hold(bytes));
            let (input, broken) = Search::new(&breaks, bytes.to_vec(), patience)?.of_bytes();
            Some(Smaller { input: Input::Bytes(input), broken })
        }
        Law::Plan(..) => {
            let hold = |plan: &Scenario| target.hold_to_plan(&Reference, plan, Effort::Whole);
            let breaks = |plan: &Scenario| watch.broken(|| hold(plan));
            let (input, broken) = Search::new(&breaks, target.plan(bytes)?, patience)?.of_plans();
            Some(Smaller { input: Input::Plan(input), broken })
        }
    }
}

/// A search for smaller inputs.
struct Search<'a, I> {
    breaks: &'a dyn Fn(&I) -> Option<Broken>,
    /// The smallest input so far.
    current: I,
    /// How it breaks the law.
    broken: Broken,
    attempts: usize,
    until: Instant,
}

impl<'a, I> Search<'a, I> {
    /// None where the input keeps the law.
    fn new(breaks: &'a dyn Fn(&I) -> Option<Broken>, input: I, patience: Patience) -> Option<Self> {
        let broken = breaks(&input)?;
        let until = Instant::now() + patience.time;
        Some(Self { breaks, current: input, broken, attempts: patience.attempts, until })
    }

    fn is_over(&self) -> bool {
        self.attempts == 0 || Instant::now() >= self.until
    }

    /// Takes an input where it breaks the law in the same way; whether it did.
    fn takes(&mut self, input: I) -> bool {
        if self.is_over() {
            return false;
        }
        self.attempts -= 1;
        match (self.breaks)(&input) {
            Some(broken) if broken.is_like(&self.broken) => {
                (self.current, self.broken) = (input, broken);
                true
            }
            _ => false,
        }
    }
}

impl Search<'_, Scenario> {
    fn of_plans(mut self) -> (Scenario, Broken) {
        // What was tried once is not tried again.
        let mut tried = HashSet::new();
        'smaller: loop {
            for plan in simpler(&self.current) {
                if tried.insert(plan.clone()) && self.takes(plan) {
                    continue 'smaller;
                }
                if self.is_over() {
                    break;
                }
            }
            return (self.current, self.broken);
        }
    }
}

impl Search<'_, Vec<u8>> {
    fn of_bytes(mut self) -> (Vec<u8>, Broken) {
        loop {
            let length = self.current.len();
            self.without(|bytes| bytes.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect());
            self.without(|bytes| bytes.iter().map(|&byte| vec![byte]).collect());
            // Where a later part is gone, an earlier one may no longer be needed.
            if self.current.len() == length || self.is_over() {
                return (self.current, self.broken);
            }
        }
    }

    /// Leaves out runs of parts: all of them, halves, quarters, …, single ones.
    fn without(&mut self, parts: fn(&[u8]) -> Vec<Vec<u8>>) {
        let mut parts = parts(&self.current);
        let mut run = parts.len();
        while run > 0 && !self.is_over() {
            let mut start = 0;
            while start < parts.len() {
                let end = (start + run).min(parts.len());
                if self.takes([&parts[..start], &parts[end..]].concat().concat()) {
                    parts.drain(start..end);
                } else {
                    start += run;
                }
            }
            run /= 2;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::{LineKind, Profile};
    use crate::subject::Subject;
    use crate::suite::Depth;

    fn contains(bytes: &[u8], part: &[u8]) -> bool {
        bytes.windows(part.len()).any(|window| window == part)
    }

    fn no_ab(_: &dyn Subject, bytes: &[u8], _: Depth) {
        assert!(bytes.len() < 100, "inputs are short: {}", bytes.len());
        assert!(!contains(bytes, b"ab"), "no input holds ab: {bytes:?}");
    }

    fn of_bytes(law: fn(&dyn Subject, &[u8], Depth)) -> Target {
        Target { name: "planted", title: "planted", law: Law::Bytes(law), shape: None }
    }

    fn bytes_of(found: Option<Smaller>) -> Vec<u8> {
        match found.expect("a broken law").input {
            Input::Bytes(bytes) => bytes,
            Input::Plan(plan) => panic!("a plan: {plan:?}"),
        }
    }

    #[test]
    fn bytes_become_the_few_that_break_the_law() {
        let found = smaller(&of_bytes(no_ab), b"line one\nxxabyy\nline three\n", Patience::default());
        assert_eq!(bytes_of(found), b"ab");
    }

    #[test]
    fn bytes_far_from_each_other_stay_together() {
        let law: fn(&dyn Subject, &[u8], Depth) = |_, bytes, _| {
            let behind = bytes.iter().position(|&byte| byte == b'(').map(|at| &bytes[at..]);
            assert!(!behind.is_some_and(|rest| contains(rest, b")\n")), "brackets: {bytes:?}");
        };
        let text = b"one\n  (\ntwo\nthree ) \nx)\nfour".repeat(9);
        assert_eq!(bytes_of(smaller(&of_bytes(law), &text[..text.len() - 1], Patience::default())), b"()\n");
    }

    #[test]
    fn a_law_that_breaks_in_another_way_is_not_the_same() {
        // Long inputs break the law in another way, with `ab` or without.
        let found = bytes_of(smaller(&of_bytes(no_ab), &b"ab".repeat(300), Patience::default()));
        assert_eq!(found.len(), 100);
    }

    #[test]
    fn an_input_that_keeps_the_law_has_no_smaller_one() {
        assert_eq!(smaller(&of_bytes(no_ab), b"ba", Patience::default()), None);
    }

    #[test]
    fn the_effort_is_bounded() {
        let none = Patience { attempts: 0, ..Patience::default() };
        assert_eq!(bytes_of(smaller(&of_bytes(no_ab), b"xaby", none)), b"xaby");
        let few = Patience { attempts: 3, ..Patience::default() };
        assert!(bytes_of(smaller(&of_bytes(no_ab), &b"x\nab\ny\n".repeat(9), few)).len() > 2);
        let no_time = Patience { time: Duration::ZERO, ..Patience::default() };
        assert_eq!(bytes_of(smaller(&of_bytes(no_ab), b"xaby", no_time)), b"xaby");
    }

    fn no_tombstone(_: &dyn Subject, plan: &Scenario, _: Depth) {
        let found = plan.lines.iter().any(|line| matches!(line.kind, LineKind::Tombstone { .. }));
        assert!(!found, "no line is a tombstone: one of {} is", plan.lines.len());
    }

    #[test]
    fn a_plan_becomes_the_one_line_that_breaks_the_law() {
        let target =
            Target { name: "planted", title: "planted", law: Law::Plan(no_tombstone, &Profile::ALL), shape: None };
        let plans = (0..).map(|case| Scenario::from_seed(5, case, Profile::Hostile));
        let has_several = |plan: &Scenario| {
            plan.lines.len() > 5 && plan.lines.iter().any(|line| matches!(line.kind, LineKind::Tombstone { .. }))
        };
        let plan = plans.take(1_000).find(has_several).expect("a plan with a tombstone");
        let found = smaller(&target, &serde_json::to_vec(&plan).expect("JSON"), Patience::default());
        let found = found.expect("a broken law");
        assert_eq!(found.broken.words(), "no line is a tombstone");
        let Input::Plan(plan) = found.input else { panic!("bytes: {:?}", found.input) };
        assert_eq!(plan.profile, Profile::Shuffled);
        assert_eq!(plan.lines.iter().map(|line| line.kind).collect::<Vec<_>>(), [LineKind::TOMBSTONE]);
        assert!(plan.indexes.is_empty() && !plan.context && plan.lines[0].blocks.is_empty(), "{plan:?}");
    }
}
