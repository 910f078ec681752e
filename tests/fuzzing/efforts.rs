//! Efforts: how much of a law is asked with one input.

use std::cell::RefCell;

use turnproof_suite::fuzzing::{Effort, Law, Target};
use turnproof_suite::scenario::{Profile, Scenario};
use turnproof_suite::subject::{Reference, Subject};
use turnproof_suite::suite::Depth;

fn never_whole(_: &dyn Subject, _: &[u8], depth: Depth) {
    assert!(depth != Depth::Whole, "all is asked: it is");
}

fn always_whole(_: &dyn Subject, _: &[u8], depth: Depth) {
    assert!(depth == Depth::Whole, "all is asked: {depth:?} is");
}

fn of_law(law: Law) -> Target {
    Target { name: "planted", title: "planted", law, shape: None }
}

fn breaks(law: fn(&dyn Subject, &[u8], Depth), effort: Effort) -> bool {
    let target = of_law(Law::Bytes(law));
    std::panic::catch_unwind(|| target.hold_to(&Reference, b"a", effort)).is_err()
}

#[test]
fn a_part_is_one_depth_and_the_whole_is_that_and_all() {
    assert!(!breaks(never_whole, Effort::Part) && breaks(always_whole, Effort::Part));
    assert!(breaks(never_whole, Effort::Whole) && breaks(always_whole, Effort::Whole));
}

thread_local! {
    /// The depths at which the law below was held in this thread.
    static DEPTHS: RefCell<Vec<Depth>> = const { RefCell::new(Vec::new()) };
}

fn note_depth(_: &dyn Subject, _: &Scenario, depth: Depth) {
    DEPTHS.with_borrow_mut(|depths| depths.push(depth));
}

#[test]
fn plans_have_numbers_of_their_own() {
    let target = of_law(Law::Plan(note_depth, &Profile::ALL));
    let number = |case| {
        target.hold_to_plan(&Reference, &Scenario::from_seed(1, case, Profile::Shuffled), Effort::Part);
        match DEPTHS.take().as_slice() {
            [Depth::One(number)] => *number,
            depths => panic!("the depth of a part is the number of the plan: {depths:?}"),
        }
    };
    let mut numbers: Vec<u64> = (0..100).map(number).collect();
    numbers.sort_unstable();
    numbers.dedup();
    assert!(numbers.len() > 90, "{} different numbers of 100 plans", numbers.len());
    assert_eq!(number(3), number(3));
}
