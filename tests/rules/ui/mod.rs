//! The family `ui`: each rule is broken by its example, holds for right outputs, and detects each mistake in them.

pub(crate) mod alike;
mod generated;
mod normalized;
mod reordered;

use crate::{families, random};
use proptest::prelude::*;
use serde_json::{Value, json};
use turnproof_rules::operation::{Given, Plain, UiNormalized, UiReordered};
use turnproof_rules::rules::{Rule, Verdict, find, judge_json};

const RULES: [&str; 12] = [
    "ui/one-block",
    "ui/conserves",
    "ui/derived-after-split",
    "ui/paste-ids",
    "ui/stable",
    "ui/prefix-stable",
    "ui/unique-ids",
    "ui/permutation",
    "ui/tool-story",
    "ui/others-in-order",
    "ui/reorder-idempotent",
    "ui/reorder-deterministic",
];

fn given(value: Value) -> Given {
    Ok(value.into())
}

/// The ids of the rules that a split breaks.
fn broken_by_split(case: &UiNormalized) -> Vec<&'static str> {
    families::broken("ui", case)
}

/// The ids of the rules that an order breaks.
fn broken_by_order(case: &UiReordered) -> Vec<&'static str> {
    families::broken("ui", case)
}

#[test]
fn the_family_has_twelve_rules_in_order() {
    families::assert_complete("ui", &RULES);
}

#[test]
fn every_example_breaks_its_rule_and_no_other_on_its_operation_but_where_one_follows() {
    let family = || families::rules_of("ui");
    for rule in family() {
        let others = family().filter(|other| other.operation() == rule.operation());
        let is_broken = |other: &&Rule| judge_json(other, rule.example).unwrap().is_broken();
        let broken: Vec<&str> = others.filter(is_broken).map(|rule| rule.id).collect();
        let follows: &[&str] = match rule.id {
            // Two parts with the message's own id are also not derived.
            "ui/unique-ids" => &["ui/derived-after-split"],
            _ => &[],
        };
        let mut expected = [follows, &[rule.id]].concat();
        expected.sort_by_key(|id| RULES.iter().position(|other| other == id));
        assert_eq!(broken, expected, "{}", rule.id);
    }
}

#[test]
fn what_is_not_there_is_not_applicable() {
    let empty = UiNormalized { messages: json!([]).into(), output: given(json!([])), again: None, shorter: Vec::new() };
    let order = UiReordered { messages: json!([]).into(), output: given(json!([])), again: None, reordered: None };
    families::assert_untouched("ui", &empty);
    families::assert_untouched("ui", &order);
}

#[test]
fn an_output_that_is_no_list_is_reported_by_one_rule() {
    for output in [Err("refused".to_owned()), given(json!({})), given(json!(null))] {
        let messages = Plain::from(json!([{"type": "user", "message": {"content": "a"}}]));
        let split =
            UiNormalized { messages: messages.clone(), output: output.clone(), again: None, shorter: Vec::new() };
        assert_eq!(broken_by_split(&split), ["ui/conserves"]);
        assert_eq!(
            broken_by_order(&UiReordered { messages, output, again: None, reordered: None }),
            ["ui/permutation"]
        );
    }
}

/// Words and names that rules look for.
const WORDS: &str = "user|assistant|attachment|progress|hook_result|hook_progress|tool_use|tool_result|image|text|u1|\
                     u1000000000000||ü|PreToolUse|hook_success|tombstone";
const NAMES: &str = "type|uuid|message|content|imagePasteIds|id|tool_use_id|toolUseID|hookEvent|data|attachment|text";

fn any_json() -> impl Strategy<Value = Value> {
    random::any_json(WORDS, NAMES)
}

proptest! {
    #[test]
    fn arbitrary_json_never_panics(
        messages in prop::collection::vec(any_json(), 0..5),
        output in prop::collection::vec(any_json(), 0..5),
        odd in any_json(),
        is_same in any::<bool>(),
    ) {
        let messages = Value::from(messages);
        let output = if is_same { messages.clone() } else { Value::from(output) };
        let split = UiNormalized {
            messages: messages.clone().into(),
            output: given(output.clone()),
            again: Some(given(odd.clone())),
            shorter: vec![Some(given(odd.clone())), Some(Err("no".into())), None, Some(given(output.clone()))],
        };
        broken_by_split(&split);
        let order = UiReordered { messages: messages.into(), output: given(output), again: None, reordered: Some(given(odd)) };
        broken_by_order(&order);
    }
}

#[test]
fn numbers_may_be_written_as_another_language_writes_them() {
    let rule = find("ui/permutation").unwrap();
    let case = br#"{"messages":[{"type":"user","n":[2.50,-0.0,12345678901234567890,1.0]}],
        "output":{"Ok":[{"type":"user","n":[2.5,0,12345678901234567000,1]}]}}"#;
    assert_eq!(judge_json(rule, case).unwrap(), Verdict::Holds);
}
