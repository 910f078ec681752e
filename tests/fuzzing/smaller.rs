//! Smaller inputs: few bytes, plain plans, and the same law broken in the same way.

use std::time::Duration;

use turnproof_suite::fuzzing::{Law, LawInput, Patience, Smaller, Target, smaller};
use turnproof_suite::scenario::{LineKind, Profile, Scenario};
use turnproof_suite::subject::Subject;
use turnproof_suite::suite::Depth;

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
        LawInput::Bytes(bytes) => bytes,
        LawInput::Plan(plan) => panic!("a plan: {plan:?}"),
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
    let found = plan.lines().iter().any(|line| matches!(line.kind, LineKind::Tombstone { .. }));
    assert!(!found, "no line is a tombstone: one of {} is", plan.lines().len());
}

#[test]
fn a_plan_becomes_the_one_line_that_breaks_the_law() {
    let target = Target { name: "planted", title: "planted", law: Law::Plan(no_tombstone, &Profile::ALL), shape: None };
    let plans = (0..).map(|case| Scenario::from_seed(5, case, Profile::Hostile));
    let has_several = |plan: &Scenario| {
        plan.lines().len() > 5 && plan.lines().iter().any(|line| matches!(line.kind, LineKind::Tombstone { .. }))
    };
    let plan = plans.take(1_000).find(has_several).expect("a plan with a tombstone");
    let found = smaller(&target, &serde_json::to_vec(&plan).expect("JSON"), Patience::default());
    let found = found.expect("a broken law");
    assert!(found.broken.message.starts_with("no line is a tombstone: "), "{:?}", found.broken);
    let LawInput::Plan(plan) = found.input else { panic!("bytes: {:?}", found.input) };
    assert_eq!(plan.profile(), Profile::Shuffled);
    assert_eq!(plan.lines().iter().map(|line| line.kind).collect::<Vec<_>>(), [LineKind::TOMBSTONE]);
    assert!(plan.indexes.is_empty() && !plan.context && plan.lines()[0].blocks.is_empty(), "{plan:?}");
}
