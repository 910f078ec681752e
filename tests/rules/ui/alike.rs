//! *Alike* are values that are equal whatever language wrote them.

use serde_json::{Value, json};
use turnproof_rules::operation::{Plain, UiNormalized};
use turnproof_rules::rules::Verdict;

use super::given;
use crate::families;

/// The value with each number as the nearest double, 0 without a sign.
fn canonical(value: &Value) -> Value {
    match value {
        Value::Number(number) => json!(number.as_f64().unwrap() + 0.0),
        Value::Array(elements) => elements.iter().map(canonical).collect(),
        Value::Object(members) => members.iter().map(|(name, value)| (name.clone(), canonical(value))).collect(),
        other => other.clone(),
    }
}

/// Values that differ in numbers, order and members.
pub(crate) fn values() -> Vec<Value> {
    let numbers = "null 0 -0.0 1 1.0 1.5 9007199254740993 9007199254740992 \"1\" [] [1] [1.0] [1,2]";
    let objects = r#"{} {"a":1} {"a":1.0} {"a":2} {"b":1} {"a":1,"b":[0]} {"b":[-0.0],"a":1.0} {"a":null}"#;
    let texts = numbers.split(' ').chain(objects.split(' '));
    texts.map(|text| serde_json::from_str(text).unwrap()).collect()
}

#[test]
fn values_are_alike_when_their_canonical_forms_are_equal() {
    for one in &values() {
        for other in &values() {
            let shown = |value: &Value| given(json!([{"type": "system", "value": value}]));
            let messages = Plain::from(json!([{"type": "system"}]));
            let case = UiNormalized { messages, output: shown(one), again: Some(shown(other)), shorter: Vec::new() };
            let is_alike = families::judge("ui/stable", &case) == Verdict::Holds;
            assert_eq!(is_alike, canonical(one) == canonical(other), "{one} and {other}");
        }
    }
}
