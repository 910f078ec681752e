//! What a message says of its folder, its version and its subagent stays on its line.

use std::slice::from_ref;

use serde_json::{Value, json};

use super::case::{Case, user, with};

const ENVELOPE: &str = "record/envelope";

/// The line of a message without a parent, with nothing of the recorder's but the links.
fn bare(message: &Value, more: Value) -> String {
    let linked = with(message.clone(), json!({"parentUuid": null, "sessionId": "s1"}));
    format!("{}\n", with(linked, more))
}

/// A message of a list, and its line with these other members.
fn written(message: &Value, more: Value) -> Case {
    Case::default().list(from_ref(message), "u1").flush(&[bare(message, more)])
}

#[test]
fn what_the_message_has_itself_is_not_replaced() {
    let own =
        json!({"cwd": "/b", "version": "2", "gitBranch": "x", "userType": "y", "isSidechain": true, "agentId": "a"});
    let message = with(user("u1"), own.clone());
    written(&message, json!({})).holds(&[ENVELOPE]);
    for name in own.as_object().unwrap().keys() {
        let other = if name == "isSidechain" { json!({ name: false }) } else { json!({ name: "other" }) };
        written(&message, other).breaks(ENVELOPE);
        written(&message, json!({ name: null })).breaks(ENVELOPE);
    }
}

#[test]
fn the_recorder_fills_in_what_is_missing_null_or_of_a_wrong_type() {
    for given in [json!({}), json!({"cwd": null, "isSidechain": null}), json!({"cwd": 7, "isSidechain": "no"})] {
        let message = with(user("u1"), given);
        written(&message, json!({})).holds(&[ENVELOPE]);
        written(&message, json!({"cwd": "/a", "isSidechain": false})).holds(&[ENVELOPE]);
    }
}

#[test]
fn a_line_of_the_conversation_is_not_made_one_of_a_subagent() {
    written(&user("u1"), json!({"isSidechain": true})).breaks(ENVELOPE);
}

#[test]
fn of_a_message_that_was_given_twice_either_envelope_may_stand() {
    let [one, other] = ["1", "2"].map(|version| with(user("u1"), json!({ "version": version })));
    let case = Case::default().list(from_ref(&one), "u1").list(from_ref(&other), "u1");
    case.clone().flush(&[bare(&one, json!({}))]).holds(&[ENVELOPE]);
    case.clone().flush(&[bare(&other, json!({}))]).holds(&[ENVELOPE]);
    case.flush(&[bare(&other, json!({"version": "3"}))]).breaks(ENVELOPE);
}
