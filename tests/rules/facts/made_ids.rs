//! Derived and short ids.

use crate::families::judge;
use turnproof_rules::operation::{Answer, Derived, Shortened};
use turnproof_rules::rules::Verdict;

const PARENT: &str = "3e9b1f60-7c55-4a0e-9d2f-6f1f0a7b8c9d";

fn derived(parent: &str, indexes: &[u64], answers: &[Answer]) -> Derived {
    Derived { parent: parent.to_owned(), indexes: indexes.to_vec(), answers: answers.to_vec(), again: answers.to_vec() }
}

fn id(text: &str) -> Answer {
    Ok(text.to_owned())
}

fn refusal() -> Answer {
    Err("no".to_owned())
}

#[test]
fn derived_ids_have_their_form() {
    let check = |parent: &str, index: u64, answer: Answer, holds: bool| {
        let verdict = judge("id/derived-form", &derived(parent, &[index], &[answer]));
        assert_eq!(verdict == Verdict::Holds, holds, "{parent} {index}: {verdict:?}");
    };
    check(PARENT, 10, id("3e9b1f60-7c55-4a0e-9d2f-00000000000a"), true);
    check(PARENT, 10, id("3e9b1f60-7c55-4a0e-9d2f-000000000010"), false);
    check(PARENT, 10, id("3e9b1f60-7c55-4a0e-9d2f00000000000a"), false);
    check(PARENT, 10, refusal(), false);
    check("u1", 0, id("u1000000000000"), true);
    check("", 1, id("000000000001"), true);
    check("ééééééééééééééééééééééééé", 1, id("éééééééééééééééééééééééé000000000001"), true);
    check(PARENT, (1 << 48) - 1, id("3e9b1f60-7c55-4a0e-9d2f-ffffffffffff"), true);
    check(PARENT, 1 << 48, refusal(), true);
    check(PARENT, 1 << 48, id("3e9b1f60-7c55-4a0e-9d2f-1000000000000"), false);
    check(PARENT, u64::MAX, id("3e9b1f60-7c55-4a0e-9d2f-ffffffffffff"), false);
    assert!(judge("id/derived-form", &derived("u1", &[1, 2], &[id("u1000000000001")])).is_broken());
    let nothing = judge("id/derived-form", &derived("u1", &[], &[]));
    assert!(matches!(nothing, Verdict::NotApplicable(_)));
}

#[test]
fn derived_ids_are_asked_for_twice() {
    let rule = "id/derived-deterministic";
    let same = derived("u1", &[1, 1 << 50], &[id("x"), refusal()]);
    assert_eq!(judge(rule, &same), Verdict::Holds);
    assert!(judge(rule, &Derived { again: vec![id("y"), refusal()], ..same.clone() }).is_broken());
    assert!(judge(rule, &Derived { again: vec![id("x")], ..same }).is_broken());
    assert!(matches!(judge(rule, &derived("u1", &[], &[])), Verdict::NotApplicable(_)));
}

#[test]
fn derived_ids_differ_by_index() {
    let rule = "id/derived-injective";
    assert_eq!(judge(rule, &derived("u", &[1, 2, 1], &[id("x"), id("y"), id("x")])), Verdict::Holds);
    assert!(judge(rule, &derived("u", &[1, 2], &[id("x"), id("x")])).is_broken());
    let same = judge(rule, &derived("u", &[1, 1], &[id("x"), id("x")]));
    assert!(matches!(same, Verdict::NotApplicable(_)));
    let refused = judge(rule, &derived("u", &[1, 1 << 50], &[id("x"), refusal()]));
    assert!(matches!(refused, Verdict::NotApplicable(_)));
}

#[test]
fn short_ids_have_their_form() {
    let judge = |uuid: &str, answer: Answer, again: Answer| {
        judge("id/short-form", &Shortened { uuid: uuid.to_owned(), answer, again })
    };
    let check = |uuid: &str, answer: Answer, holds: bool| {
        let verdict = judge(uuid, answer.clone(), answer);
        assert_eq!(verdict == Verdict::Holds, holds, "{uuid}: {verdict:?}");
    };
    check("ffffffff-ffff-4fff-8fff-ffffffffffff", id("e13wu1"), true);
    check("FFFFFFFF-FF", id("e13wu1"), true);
    check("ffffffff-ffff-4fff-8fff-ffffffffffff", id("3wu1rj"), false);
    check("00000000-0000-4000-8000-000000000000", id("0"), true);
    check("00000000-2400-4000-8000-000000000000", id("10"), true);
    check("00000000-2400-4000-8000-000000000000", id("000010"), false);
    check("12345678-9", refusal(), true);
    check("12345678-9", id("0"), false);
    check("ffffffff-ffff-4fff-8fff-ffffffffffff", refusal(), false);
    assert!(judge("00000000-00", id("0"), id("1")).is_broken());
    assert!(matches!(judge("msg-0123456789", refusal(), refusal()), Verdict::NotApplicable(_)));
}
