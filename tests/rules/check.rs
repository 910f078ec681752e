//! The family `check`: each rule is broken by its example, and holds for right answers.

use serde_json::json;
use turnproof_rules::operation::{Checked, Host, Refusal};
use turnproof_rules::rules::{Place, Verdict};

use crate::families;

#[test]
fn the_family_is_complete_and_in_order() {
    let rules = ["check/accepts-legal", "check/refuses-illegal", "check/names-turn", "check/deterministic"];
    families::assert_complete("check", &rules);
}

#[test]
fn every_example_breaks_its_rule_and_no_other() {
    families::assert_examples::<Checked>("check");
}

/// A request whose second turn is empty, and what was said of it: the turns that were named.
fn checked(named: &[Option<u64>]) -> Checked {
    let turn = |role, content: &str| json!({"role": role, "content": content});
    let request = json!([turn("user", "a"), turn("assistant", ""), turn("user", "b")]).to_string();
    let refusals = named.iter().map(|&turn| Refusal { turn, error: "wrong".into() }).collect();
    Checked { request, host: Host::Portable, answer: Ok(refusals), again: None }
}

#[test]
fn a_violation_is_at_the_turn_that_is_wrong() {
    for (id, wrong) in [("check/refuses-illegal", checked(&[])), ("check/names-turn", checked(&[Some(2)]))] {
        match families::judge(id, &wrong) {
            Verdict::Broken(violations) => {
                assert_eq!(violations[0].place, Place::Message { index: 1, block: None }, "{id}");
            }
            other => panic!("{id}: {other:?}"),
        }
    }
}

#[test]
fn one_error_that_names_the_turn_is_enough() {
    for right in [&[Some(1)][..], &[Some(2), Some(1)], &[None, Some(1)]] {
        families::assert_holds("check", &checked(right), &["check/refuses-illegal", "check/names-turn"]);
    }
    for wrong in [&[None][..], &[Some(0)], &[Some(0), Some(2)]] {
        assert_eq!(families::broken("check", &checked(wrong)), ["check/names-turn"]);
    }
}

#[test]
fn the_same_answer_is_given_twice() {
    let again = |again| Checked { again: Some(again), ..checked(&[Some(1)]) };
    families::assert_holds("check", &again(checked(&[Some(1)]).answer), &["check/deterministic"]);
    for other in [Ok(Vec::new()), Err("no".to_owned()), checked(&[None]).answer] {
        assert_eq!(families::broken("check", &again(other)), ["check/deterministic"]);
    }
}
