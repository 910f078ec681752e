//! A *smaller* input breaks the law of a target at the same place and with the same words as the input that was found.
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

/// The smallest input found that breaks the law of `target` as `bytes` do; `None` when they keep it.
pub fn smaller(target: &Target, bytes: &[u8], patience: Patience) -> Option<Smaller> {
    let breaks = |input: &Input| {
        first_panic(|| match input {
            Input::Bytes(bytes) => target.hold(bytes),
            Input::Plan(plan) => target.hold_to_plan(&Reference, plan, Effort::Whole),
        })
    };
    let input = target.plan(bytes).map_or_else(|| Input::Bytes(bytes.to_vec()), Input::Plan);
    let broken = breaks(&input)?;
    let (attempts, until) = (patience.attempts, Instant::now() + patience.time);
    let mut search = Search { breaks: &breaks, smallest: Smaller { input, broken }, attempts, until };
    search.try_plans();
    search.try_bytes();
    Some(search.smallest)
}

/// A search for smaller inputs.
struct Search<'a> {
    breaks: &'a dyn Fn(&Input) -> Option<Broken>,
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
    fn takes(&mut self, input: Input) -> bool {
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
        'smaller: while let Input::Plan(smallest) = self.smallest.input.clone() {
            for plan in simpler(&smallest) {
                if self.is_over() {
                    return;
                }
                if tried.insert(plan.clone()) && self.takes(Input::Plan(plan)) {
                    continue 'smaller;
                }
            }
            return;
        }
    }

    fn try_bytes(&mut self) {
        while let Input::Bytes(bytes) = self.smallest.input.clone() {
            self.without(bytes.split_inclusive(|&byte| byte == b'\n').collect());
            let Input::Bytes(shorter) = self.smallest.input.clone() else { return };
            self.without(shorter.chunks(1).collect());
            // Where a later part is gone, an earlier one may no longer be needed.
            if self.smallest.input == Input::Bytes(bytes) || self.is_over() {
                return;
            }
        }
    }

    /// Leaves out runs of parts: all of them, halves, quarters, …, single ones.
    fn without(&mut self, mut parts: Vec<&[u8]>) {
        let mut run = parts.len();
        while run > 0 && !self.is_over() {
            let mut start = 0;
            while start < parts.len() {
                let end = (start + run).min(parts.len());
                if self.takes(Input::Bytes([&parts[..start], &parts[end..]].concat().concat())) {
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
    use crate::fuzzing::Law;
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
