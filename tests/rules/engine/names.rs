//! *Names* stand for the ids of messages when two logs with random ids are compared.

use serde_json::{Value, json};
use turnproof_rules::operation::{Moment, Played};
use turnproof_rules::rules::{Verdict, Violation};

use super::log::Log;
use crate::families;

fn messages(first: &str, second: &str, words: &str, time: u64) -> Value {
    json!([
        {"uuid": first, "text": words, "timestamp": time},
        {"uuid": second, "parentUuid": first, "supersedesUuids": [first], "n": 1.0},
    ])
}

fn log(messages: Value) -> Played {
    Log::default().then(Moment::Compacted(messages.into())).done()
}

/// The difference that is found when the same inputs give these messages the first and the second time.
fn difference(one: Value, other: Value) -> Option<Violation> {
    let case = Played { again: Some(Ok(Box::new(log(other)))), ..log(one) };
    match families::judge("engine/deterministic", &case) {
        Verdict::Broken(mut violations) => violations.pop(),
        verdict => {
            assert_eq!(verdict, Verdict::Holds);
            None
        }
    }
}

#[test]
fn ids_are_known_by_their_order_wherever_they_stand_and_other_texts_by_their_words() {
    let one = || messages("a", "b", "c", 1);
    let is_same = |other: Value| difference(one(), other).is_none();
    assert!(is_same(one()) && is_same(messages("b", "a", "c", 1)) && is_same(messages("x", "y", "c", 2)));
    assert!(!is_same(messages("x", "y", "d", 1)) && !is_same(messages("x", "x", "c", 1)));
    assert!(!is_same(messages("x", "c", "c", 1)));
}

#[test]
fn a_difference_is_shown_with_names_for_ids_and_without_times() {
    let shown = |words: &str| {
        json!({"compacted": [
            {"uuid": "id 0", "text": words},
            {"uuid": "id 1", "parentUuid": "id 0", "supersedesUuids": ["id 0"], "n": 1.0},
        ]})
        .to_string()
    };
    let found = difference(messages("a", "b", "c", 1), messages("x", "y", "d", 2)).unwrap();
    assert_eq!(
        (found.found.to_string(), found.expected.to_string()),
        (format!("played again: {}", shown("d")), shown("c"))
    );
}
