//! Where the package (version 2.12.0) and this crate differ, and how: a case and a test for each.

use serde_json::{Value, json};

use super::{Both, both, compared};
use crate::make::{block, call_block, delta, end, input, late, reply, start, stop, text, text_block};

/// A case: its name and the events as JSON text. The package's beta accumulator is asked if the name says so.
pub(super) type Case = (&'static str, Vec<String>);

/// Every case.
pub(super) fn cases() -> Vec<Case> {
    let text_of = |(name, events): (&'static str, Vec<Value>)| (name, events.iter().map(Value::to_string).collect());
    plain_cases().into_iter().map(text_of).chain([halves()]).collect()
}

/// Half of a surrogate pair in one delta of an input, the other half in the next.
fn halves() -> Case {
    let delta = |token: &str| {
        let delta = format!(r#"{{"type":"input_json_delta","partial_json":"{token}"}}"#);
        format!(r#"{{"type":"content_block_delta","index":0,"delta":{delta}}}"#)
    };
    let before = [start(), call_block(0, "t1")].map(|event| event.to_string());
    let after = [stop(0), end()].map(|event| event.to_string());
    let deltas = [delta(r#"{\"a\":\"\ud83d"#), delta(r#"\ude00\"}"#)];
    ("halves", [before, deltas, after].concat())
}

fn plain_cases() -> Vec<(&'static str, Vec<Value>)> {
    let compaction =
        |text: &str| delta(0, json!({"type": "compaction_delta", "content": text, "encrypted_content": null}));
    let compacting =
        [start(), block(0, json!({"type": "compaction", "content": null})), compaction("a"), compaction("b"), stop(0)];
    let fallback = json!({"type": "fallback", "from": {"model": "m1"}, "to": {"model": "m2"}});
    let late_with = |delta: Value, usage: Value| json!({"type": "message_delta", "delta": delta, "usage": usage});
    let ended = |lates: &[Value]| [&[start()], lates, &[end()]].concat();
    let totals = |usage: Value| ended(&[late_with(json!({"stop_reason": null}), usage)]);
    let refusal = json!({"type": "refusal", "category": null, "explanation": null});
    let signed = |signature: &str| delta(0, json!({"type": "signature_delta", "signature": signature}));
    let mcp = block(0, json!({"type": "mcp_tool_use", "id": "t", "name": "n", "server_name": "s", "input": {}}));
    let mcp = reply(&[mcp, input(0, "{\"a\":1}"), stop(0)]);
    let thinking = block(0, json!({"type": "thinking", "thinking": "", "signature": ""}));
    vec![
        ("early", vec![text(0, "a")]),
        ("second start", [&reply(&[text_block(0), text(0, "a")])[..3], &[start(), text(0, "b"), stop(0)]].concat()),
        ("start index", reply(&[block(7, json!({"type": "text", "text": "a"}))])),
        ("unknown index", reply(&[text_block(0), text(1, "a"), stop(0)])),
        ("negative index", reply(&[text_block(0), delta(-1, json!({"type": "text_delta", "text": "a"})), stop(0)])),
        (
            "mismatch",
            reply(&[
                text_block(0),
                input(0, "{"),
                delta(0, json!({"type": "thinking_delta", "thinking": "x"})),
                stop(0),
            ]),
        ),
        ("signature", reply(&[thinking, signed("a"), signed("b"), stop(0)])),
        (
            "null details",
            ended(&[
                late_with(json!({"stop_reason": "refusal", "stop_details": refusal}), json!({"output_tokens": 1})),
                late_with(json!({"stop_reason": "refusal", "stop_details": null}), json!({"output_tokens": 2})),
            ]),
        ),
        (
            "null container",
            ended(&[
                late_with(json!({"stop_reason": null, "container": {"id": "c"}}), json!({"output_tokens": 1})),
                late_with(json!({"stop_reason": "end_turn", "container": null}), json!({"output_tokens": 2})),
            ]),
        ),
        ("token details", totals(json!({"output_tokens": 1, "output_tokens_details": {"thinking_tokens": 7}}))),
        ("other totals", totals(json!({"output_tokens": 1, "service_tier": "batch"}))),
        ("no output total", totals(json!({"input_tokens": 4}))),
        ("no reason", ended(&[late("refusal", 1), late_with(json!({}), json!({"output_tokens": 2}))])),
        ("compaction", compacting.to_vec()),
        ("beta compaction", compacting.to_vec()),
        ("fallback", reply(&[block(0, fallback.clone()), stop(0)])),
        ("beta fallback", reply(&[block(0, fallback), stop(0)])),
        (
            "beta management",
            ended(&[json!({"type": "message_delta", "delta": {"stop_reason": null}, "usage": {"output_tokens": 1},
                "context_management": {"applied_edits": []}})]),
        ),
        ("bad input", reply(&[call_block(0, "t1"), input(0, "{\"a\": tru"), input(0, "x}"), stop(0)])),
        (
            "cut input",
            vec![start(), call_block(0, "t1"), input(0, "{\"a\": 1, \"b\": \"hal"), late("max_tokens", 9), end()],
        ),
        ("cut text", vec![start(), text_block(0), text(0, "hal"), late("max_tokens", 9), end()]),
        ("after stop", reply(&[text_block(0), stop(0), text(0, "a")])),
        ("after end", [&reply(&[text_block(0), stop(0)])[..], &[text(0, "a")]].concat()),
        ("two open", reply(&[text_block(0), text_block(1), text(0, "a"), text(1, "b"), stop(0), stop(1)])),
        ("blank input", reply(&[call_block(0, "t1"), input(0, " "), stop(0)])),
        ("unfinished", vec![start(), text_block(0), text(0, "a")]),
        ("mcp call", mcp.clone()),
        ("beta mcp call", mcp),
    ]
}

/// Asserts that both have the same message; gives the names of our errors.
fn agree(name: &str) -> Option<Vec<&'static str>> {
    let both = both(name)?;
    assert_eq!(compared(&both.theirs), compared(&both.ours), "{name}");
    Some(both.our_errors.clone())
}

/// Asserts that the messages differ at this place, and nowhere else; gives their value and ours.
fn differ(name: &str, place: &str) -> Option<(Value, Value, Vec<&'static str>)> {
    let Both { theirs, ours, our_errors, their_error } = both(name)?;
    assert_eq!(their_error, "", "{name}");
    let (mut theirs, mut ours) = (compared(theirs), compared(ours));
    let (their_place, our_place) = (theirs.pointer_mut(place), ours.pointer_mut(place));
    let their_value = their_place.map(Value::take).unwrap_or_default();
    let our_value = our_place.map(Value::take).unwrap_or_default();
    assert_ne!(their_value, our_value, "{name}: this difference is gone");
    // A member that only one of them has is null now.
    assert_eq!(without_nulls(theirs), without_nulls(ours), "{name}");
    Some((their_value, our_value, our_errors.clone()))
}

fn without_nulls(mut message: Value) -> Value {
    if let Some(usage) = message["usage"].as_object_mut() {
        usage.retain(|_, count| !count.is_null());
    }
    message
}

/// Asserts that Python raised an error of this type; gives our message and the names of our errors.
fn raised(name: &str, error: &str) -> Option<(Value, Vec<&'static str>)> {
    let both = both(name)?;
    assert_eq!(both.their_error, error, "{name}");
    Some((both.ours.clone(), both.our_errors.clone()))
}

#[test]
fn before_the_start_python_raises_and_we_name_the_error() {
    let Some((ours, errors)) = raised("early", "RuntimeError") else { return };
    assert_eq!((ours, errors), (Value::Null, vec!["before-message-start"]));
}

#[test]
fn a_second_start_changes_nothing_in_both_and_we_say_so() {
    let Some(errors) = agree("second start") else { return };
    assert_eq!(errors, ["second-message-start"]);
}

#[test]
fn python_does_not_look_at_the_index_of_a_start_and_we_do() {
    let Some(found) = differ("start index", "/content") else { return };
    assert_eq!(found, (json!([{"type": "text", "text": "a"}]), json!([]), vec!["wrong-block-index"]));
}

#[test]
fn an_unknown_index_stops_python_and_not_us() {
    let Some((ours, errors)) = raised("unknown index", "IndexError") else { return };
    assert_eq!((&ours["content"][0]["text"], errors), (&json!(""), vec!["no-such-block"]));
    assert_eq!(ours["stop_reason"], "end_turn");
}

#[test]
fn a_negative_index_is_the_last_block_in_python_and_no_block_for_us() {
    let Some(found) = differ("negative index", "/content/0/text") else { return };
    assert_eq!(found, (json!("a"), json!(""), vec!["no-such-block"]));
}

#[test]
fn both_ignore_deltas_that_do_not_fit_and_replace_signatures() {
    for name in ["mismatch", "signature"] {
        let Some(errors) = agree(name) else { return };
        assert_eq!(errors, [""; 0], "{name}");
    }
}

#[test]
fn null_details_delete_in_python_and_change_nothing_here() {
    let Some(both) = both("null details") else { return };
    assert_eq!((&both.theirs["stop_details"], &both.ours["stop_details"]["type"]), (&Value::Null, &json!("refusal")));
    assert!(both.theirs.as_object().is_some_and(|members| members.contains_key("stop_details")));
    agree("null details");
}

#[test]
fn containers_and_token_details_are_set_by_both_when_they_are_not_null() {
    for (name, place, value) in [
        ("null container", "/container/id", json!("c")),
        ("token details", "/usage/output_tokens_details/thinking_tokens", json!(7)),
    ] {
        let Some(both) = both(name) else { return };
        assert_eq!((both.theirs.pointer(place), both.ours.pointer(place)), (Some(&value), Some(&value)));
        agree(name);
    }
}

#[test]
fn totals_that_python_does_not_know_are_set_here() {
    let Some(both) = both("other totals") else { return };
    assert_eq!(
        (both.theirs["usage"].get("service_tier"), &both.ours["usage"]["service_tier"]),
        (None, &json!("batch"))
    );
}

#[test]
fn a_missing_total_of_the_output_is_null_in_python_and_the_last_one_here() {
    let Some((theirs, ours, _)) = differ("no output total", "/usage/output_tokens") else { return };
    assert_eq!((theirs, ours), (Value::Null, json!(1)));
}

#[test]
fn a_missing_reason_is_null_in_python_and_the_last_one_here() {
    let Some((theirs, ours, _)) = differ("no reason", "/stop_reason") else { return };
    assert_eq!((theirs, ours), (Value::Null, json!("refusal")));
}

#[test]
fn compactions_fallbacks_and_mcp_calls_are_those_of_pythons_beta() {
    for name in ["beta compaction", "beta fallback", "beta management", "beta mcp call"] {
        let Some(errors) = agree(name) else { return };
        assert_eq!(errors, [""; 0], "{name}");
    }
    let Some(both) = both("compaction") else { return };
    assert_eq!(both.theirs["content"][0], json!({"type": "compaction", "content": null}));
    assert_eq!(both.ours["content"][0], json!({"type": "compaction", "content": "b", "encrypted_content": null}));
}

#[test]
fn python_without_its_beta_leaves_fallbacks_and_mcp_calls_as_they_began() {
    let Some((theirs, ours, _)) = differ("fallback", "/model") else { return };
    assert_eq!((theirs, ours), (json!("m1"), json!("m2")));
    let Some((theirs, ours, _)) = differ("mcp call", "/content/0/input") else { return };
    assert_eq!((theirs, ours), (json!({}), json!({"a": 1})));
}

#[test]
fn an_input_that_is_no_json_stops_python_and_is_a_string_here() {
    let Some((ours, errors)) = raised("bad input", "ValueError") else { return };
    assert_eq!((&ours["content"][0]["input"], errors), (&json!("{\"a\": trux}"), vec!["bad-input-json"]));
    let Some((ours, errors)) = raised("blank input", "ValueError") else { return };
    assert_eq!((&ours["content"][0]["input"], errors), (&json!({}), vec![]));
}

#[test]
fn an_input_cut_short_is_completed_by_python_and_a_string_here() {
    let Some((theirs, ours, errors)) = differ("cut input", "/content/0/input") else { return };
    assert_eq!((theirs, ours, errors), (json!({"a": 1}), json!("{\"a\": 1, \"b\": \"hal"), vec!["bad-input-json"]));
}

#[test]
fn a_text_cut_short_is_what_it_is_for_both() {
    let Some(errors) = agree("cut text") else { return };
    assert_eq!(errors, [""; 0]);
}

#[test]
fn python_adds_to_what_has_stopped_and_we_do_not() {
    for (name, error) in [("after stop", "block-stopped"), ("after end", "after-message-stop")] {
        let Some(found) = differ(name, "/content/0/text") else { return };
        assert_eq!(found, (json!("a"), json!(""), vec![error]));
    }
}

#[test]
fn two_blocks_may_be_open_in_python_and_one_here() {
    let Some((theirs, ours, errors)) = differ("two open", "/content/0/text") else { return };
    assert_eq!((theirs, ours), (json!("a"), json!("")));
    assert_eq!(errors, ["block-still-open", "block-stopped", "block-stopped"]);
}

#[test]
fn half_of_a_pair_in_an_input_stops_python_and_is_joined_here() {
    let Some((ours, errors)) = raised("halves", "UnicodeEncodeError") else { return };
    assert_eq!((&ours["content"][0]["input"], errors), (&json!({"a": "\u{1F600}"}), vec![]));
}

#[test]
fn what_there_is_of_an_unfinished_stream_is_the_same() {
    let Some(errors) = agree("unfinished") else { return };
    assert_eq!(errors, [""; 0]);
}
