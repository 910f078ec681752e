//! The family `ui`: each rule is broken by its example, holds for right outputs, and convicts each
//! mistake that is made in them.

mod generated;
mod normalized;
mod reordered;

use crate::families;
use proptest::prelude::*;
use serde_json::{Value, json};
use turnproof::operation::{Given, Plain, UiNormalized, UiReordered};
use turnproof::rules::{Judge, OrderEvidence, Rule, UiEvidence, Verdict, find};

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

fn family() -> impl Iterator<Item = &'static Rule> {
    families::rules_of("ui")
}

fn given(value: Value) -> Given {
    Ok(value.into())
}

/// What a rule says of a case of either operation, as JSON.
fn judge_json(rule: &Rule, case: &str) -> Verdict {
    match rule.judge {
        Judge::NormalizeUi(judge) => judge(&UiEvidence::new(&serde_json::from_str(case).unwrap())),
        Judge::ReorderUi(judge) => judge(&OrderEvidence::new(&serde_json::from_str(case).unwrap())),
        _ => panic!("{} judges something else", rule.id),
    }
}

/// The ids of the rules that a split breaks.
fn broken_by_split(case: &UiNormalized) -> Vec<&'static str> {
    let broken = family().filter(|rule| match rule.judge {
        Judge::NormalizeUi(judge) => judge(&UiEvidence::new(case)).is_broken(),
        _ => false,
    });
    broken.map(|rule| rule.id).collect()
}

/// The ids of the rules that an order breaks.
fn broken_by_order(case: &UiReordered) -> Vec<&'static str> {
    let broken = family().filter(|rule| match rule.judge {
        Judge::ReorderUi(judge) => judge(&OrderEvidence::new(case)).is_broken(),
        _ => false,
    });
    broken.map(|rule| rule.id).collect()
}

#[test]
fn the_family_has_twelve_rules_in_order() {
    families::assert_complete("ui", &RULES);
}

#[test]
fn every_example_breaks_its_rule_and_no_other_on_its_operation_but_where_one_follows() {
    for rule in family() {
        let example = std::str::from_utf8(rule.example).unwrap();
        let others = family().filter(|other| other.operation() == rule.operation());
        let broken: Vec<&str> =
            others.filter(|other| judge_json(other, example).is_broken()).map(|rule| rule.id).collect();
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
    for rule in family() {
        let verdict = match rule.judge {
            Judge::NormalizeUi(judge) => judge(&UiEvidence::new(&empty)),
            Judge::ReorderUi(judge) => judge(&OrderEvidence::new(&order)),
            _ => panic!("{}", rule.id),
        };
        assert!(matches!(verdict, Verdict::NotApplicable(_)), "{}: {verdict:?}", rule.id);
    }
}

#[test]
fn an_output_that_is_no_list_is_told_by_one_rule() {
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

/// Any JSON, with the words that rules look for among its strings.
fn any_json() -> impl Strategy<Value = Value> {
    let words = prop::sample::select(
        &[
            "user",
            "assistant",
            "attachment",
            "progress",
            "hook_result",
            "hook_progress",
            "tool_use",
            "tool_result",
            "image",
            "text",
            "u1",
            "u1000000000000",
            "",
            "ü",
            "PreToolUse",
            "hook_success",
            "tombstone",
        ][..],
    );
    let names = prop::sample::select(
        &[
            "type",
            "uuid",
            "message",
            "content",
            "imagePasteIds",
            "id",
            "tool_use_id",
            "toolUseID",
            "hookEvent",
            "data",
            "attachment",
            "text",
        ][..],
    );
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        words.prop_map(Value::from),
    ];
    leaf.prop_recursive(6, 60, 5, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::hash_map(names.clone().prop_map(str::to_owned), inner, 0..6)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
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
    let case = r#"{"messages":[{"type":"user","n":[2.50,-0.0,12345678901234567890,1.0]}],
        "output":{"Ok":[{"type":"user","n":[2.5,0,12345678901234567000,1]}]}}"#;
    assert_eq!(judge_json(rule, case), Verdict::Holds);
}
