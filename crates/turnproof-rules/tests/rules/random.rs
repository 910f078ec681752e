//! *Random* words and JSON, with the words that rules look for.

use proptest::prelude::*;
use proptest::sample::Select;
use serde_json::Value;

/// One of these words, which `|` separates.
pub(crate) fn word(words: &'static str) -> Select<&'static str> {
    prop::sample::select(words.split('|').collect::<Vec<_>>())
}

/// Any JSON, with these words among its texts and these names among its members; `|` separates them.
pub(crate) fn any_json(words: &'static str, names: &'static str) -> impl Strategy<Value = Value> + Clone {
    let text = |words| prop_oneof![9 => word(words).prop_map(str::to_owned), 1 => ".{0,4}"];
    let leaf = prop_oneof![
        1 => Just(Value::Null),
        1 => any::<bool>().prop_map(Value::from),
        1 => (-2..4_i32).prop_map(Value::from),
        1 => any::<u64>().prop_map(Value::from),
        1 => any::<f64>().prop_map(Value::from),
        5 => text(words).prop_map(Value::from),
    ];
    leaf.prop_recursive(6, 60, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::hash_map(text(names), inner, 0..7)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}
