//! A *value* of the oracle says what `serde_json`'s says.

use std::collections::BTreeMap;

use proptest::prelude::*;
use turnproof_rules::json;
use turnproof_rules::operation::{Object, Plain, Value};

use crate::random;

fn read(json: &str) -> Value {
    serde_json::from_str(json).unwrap_or_else(|error| panic!("{error}: {json}"))
}

/// The text of any JSON, with names of the format and others.
fn any_json() -> impl Strategy<Value = String> {
    random::any_json("user|a\"\n|tool_use|0", "type|content|a|b|0|c~/d").prop_map(|value| value.to_string())
}

fn read_by_serde_json(json: &str) -> serde_json::Value {
    serde_json::from_str(json).unwrap_or_else(|error| panic!("{error}: {json}"))
}

/// Names of the format, others, and one that is longer than any of the format.
fn name() -> impl Strategy<Value = String> {
    prop_oneof!["[a-c]{0,2}", "(type|content|uuid|message|cache_creation_input_tokens)", "[a-z]{28,30}"]
}

#[test]
fn escapes_and_numbers_are_read_as_by_serde_json() {
    let texts = [
        r#""\"\\\/\b\f\n\r\t""#,
        r#""a\u00e9\u20AC\ud83d\ude00z""#,
        r#""twelve lettersé and then\u0041""#,
        r#"{"b":1,"a":2,"b":3}"#,
        r#"{"\u0061":1,"a":2}"#,
        "[0,-0,-1,9007199254740993,999999999999999999,1000000000000000000,18446744073709551615,18446744073709551616]",
        "[1.0,-0.0,1e5,1E-2,0.1,123456789012345678901234567890]",
        " [ null , true , false , [ ] , { } ] ",
    ];
    for json in texts {
        assert_eq!(Plain::read(json).unwrap_or_default().value, read_by_serde_json(json), "{json}");
    }
    let refused = [
        r#""\x""#,
        r#""\u12""#,
        r#""\ud83d\u12""#,
        "\"\u{1}\"",
        "\"eight and\u{1f}\"",
        "\"a",
        "\"a\\",
        "01",
        "-",
        "1.",
        "1e",
        "[1,]",
        "{\"a\":1,}",
        "{\"a\"}",
        "[1",
        "nul",
        "truefalse",
        "1 2",
        "",
    ];
    for json in refused {
        assert!(Plain::read(json).is_err(), "{json}");
    }
    let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
    assert!(Plain::read(&nested(127)).is_ok());
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn it_is_read_written_and_compared_as_by_serde_json(one in any_json(), other in any_json()) {
        let (own, own_other) = (read(&one), read(&other));
        let (one, other) = (read_by_serde_json(&one), read_by_serde_json(&other));
        prop_assert_eq!(&own, &one);
        prop_assert_eq!(own == own_other, one == other);
        prop_assert_eq!(own == other, one == other);
        prop_assert_eq!(own.to_string(), one.to_string());
        prop_assert_eq!(format!("{own:#}"), format!("{one:#}"));
        prop_assert_eq!(&Value::from(one.clone()), &own);
        prop_assert_eq!(serde_json::Value::from(own), one);
    }

    #[test]
    fn text_is_read_as_by_serde_json_however_it_is_laid_out(json in any_json()) {
        let laid_out = format!("\t\r\n {:#} ", read_by_serde_json(&json));
        for json in [json, laid_out] {
            prop_assert_eq!(&Plain::read(&json).unwrap_or_default().value, &read_by_serde_json(&json));
        }
    }

    #[test]
    fn what_serde_json_refuses_is_refused(json in r#"[\[\]{}:,"\\ntru0-9.ab \n-]{0,12}|\["[a\\"n/x-]{0,6}"\]|-?[0-9.]{1,20}"#) {
        let (own, value) = (Plain::read(&json), serde_json::from_str::<serde_json::Value>(&json));
        prop_assert_eq!(own.map(|own| own.value.to_string()).ok(), value.map(|value| value.to_string()).ok());
    }

    #[test]
    fn a_pointer_leads_where_that_of_serde_json_leads(
        json in any_json(),
        pointer in "(/([a-z]{0,2}|[0-9]{1,2}|~[01]|-)){0,4}|[a-z]",
    ) {
        let (mut own, mut value) = (read(&json), read_by_serde_json(&json));
        prop_assert_eq!(own.pointer(&pointer).map(Value::to_string), value.pointer(&pointer).map(|to| to.to_string()));
        if let (Some(own), Some(theirs)) = (own.pointer_mut(&pointer), value.pointer_mut(&pointer)) {
            *own = true.into();
            *theirs = true.into();
        }
        prop_assert_eq!(own, value);
    }

    #[test]
    fn an_object_is_a_map_in_the_order_of_its_names(
        members in proptest::collection::vec((name(), 0..9_u64), 0..40),
        changes in proptest::collection::vec((name(), proptest::option::of(0..9_u64)), 0..40),
    ) {
        let mut map: BTreeMap<String, u64> = members.iter().cloned().collect();
        let mut object: Object = members.into_iter().map(|(name, number)| (name, number.into())).collect();
        for (name, change) in changes {
            prop_assert_eq!(object.contains_key(&name), map.contains_key(&name));
            let (was, is) = match change {
                Some(number) => (map.insert(name.clone(), number), object.insert(name.as_str(), number.into())),
                None => (map.remove(&name), object.remove(&name)),
            };
            prop_assert_eq!(is, was.map(Value::from));
        }
        let own: Vec<(&str, u64)> =
            object.iter().map(|(name, value)| (name.as_str(), value.as_u64().unwrap())).collect();
        let theirs: Vec<(&str, u64)> = map.iter().map(|(name, number)| (name.as_str(), *number)).collect();
        prop_assert_eq!(own, theirs);
    }
}

#[test]
fn of_a_repeated_name_the_last_member_counts() {
    assert_eq!(read(r#"{"b":1,"a":2,"b":3,"a":4,"type":5,"type":6}"#), json!({"a": 4, "b": 3, "type": 6}));
}

#[test]
fn a_member_that_is_set_is_made() {
    let mut value = Value::Null;
    value["message"]["content"] = json!([{"type": "text"}]);
    value["message"]["content"][0]["text"] = "a".into();
    assert_eq!(value, json!({"message": {"content": [{"text": "a", "type": "text"}]}}));
    assert!(value["nothing"]["there"][3].is_null());
}

#[test]
fn a_value_takes_no_more_memory_than_four_words() {
    assert!(size_of::<Value>() <= 4 * size_of::<usize>());
}
