//! The family `make`: each rule is broken by its example, holds for right answers, and detects each mistake in them.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use serde_json::{Value, json};
use turnproof_rules::Observation;
use turnproof_rules::operation::{FactoryCall, FixedSource, Made, MadeMessage};
use turnproof_suite::scenario::{Case, Profile, Scenario};
use turnproof_suite::subject::{Outcome, Reference, Subject};
use turnproof_suite::suite::Depth;

use crate::families;

const RULES: [&str; 9] = [
    "make/total",
    "make/content-not-empty",
    "make/texts",
    "make/shape",
    "make/identity",
    "make/usage",
    "make/placeholders",
    "make/predicates",
    "make/deterministic",
];

#[test]
fn the_family_has_nine_rules_in_order() {
    families::assert_complete("make", &RULES);
}

#[test]
fn every_example_breaks_its_rule_and_no_other() {
    families::assert_examples::<Made>("make");
}

/// The call of a factory without an id, a time or a source.
fn call(factory: &str, arguments: Value) -> FactoryCall {
    FactoryCall { factory: factory.into(), arguments: arguments.to_string(), ..FactoryCall::default() }
}

/// What the reference makes of a call, twice.
fn made(call: FactoryCall) -> Made {
    let ask = || Reference.make(&call).into_answer().expect("it is supported");
    let (answer, again) = (ask(), Some(ask()));
    Made { call, answer, again }
}

/// What the reference makes of a call, with each message changed in the first answer.
fn changed(factory: &str, arguments: Value, change: impl Fn(&mut Value)) -> Made {
    let mut made = made(call(factory, arguments));
    for answer in made.answer.as_mut().expect("an answer") {
        let mut message: Value = serde_json::from_str(&answer.message).expect("a message");
        change(&mut message);
        answer.message = message.to_string();
        // They were asked of another message.
        answer.predicates.clear();
    }
    // Only what is asked once is looked at.
    made.again = None;
    made
}

#[track_caller]
fn breaks(case: &Made, id: &str) {
    assert_eq!(families::broken("make", case), [id], "{case:?}");
}

#[track_caller]
fn holds(case: &Made, tested: &[&str]) {
    families::assert_holds("make", case, tested);
}

#[test]
fn what_the_reference_makes_holds_every_rule() {
    let calls = json!([{"type": "assistant", "uuid": "a1",
        "message": {"content": [{"type": "tool_use", "id": "t1", "name": "A", "input": {}}]}}]);
    let source =
        FixedSource { now: "2026-02-03T04:05:06.789Z".into(), ids: (0..4).map(|at| format!("id-{at}")).collect() };
    for (factory, arguments, tested) in [
        ("user", json!({"content": "a"}), "make/shape"),
        ("user", json!({}), "make/content-not-empty"),
        ("user", json!({"content": null}), "make/texts"),
        ("user_interruption", json!({"toolUse": true}), "make/texts"),
        ("assistant", json!({"content": [{"type": "text", "text": ""}]}), "make/usage"),
        ("assistant_api_error", json!({"content": "a", "apiError": "invalid_request"}), "make/predicates"),
        ("missing_tool_results", json!({ "messages": calls }), "make/placeholders"),
        ("tombstone", json!({"message": calls[0]}), "make/shape"),
        (
            "turn_duration",
            json!({"durationMs": 1, "budgetTokens": 2, "budgetLimit": 3, "budgetNudges": 0}),
            "make/shape",
        ),
    ] {
        let plain = call(factory, arguments);
        holds(&made(plain.clone()), &[tested, "make/total", "make/identity", "make/deterministic"]);
        holds(&made(FactoryCall { source: Some(source.clone()), ..plain.clone() }), &[tested, "make/deterministic"]);
        let given = FactoryCall { uuid: Some("u1".into()), timestamp: Some("then".into()), ..plain };
        holds(&made(given), &[tested, "make/identity"]);
    }
}

#[test]
fn a_call_without_what_it_needs_is_refused_and_no_other() {
    let whole = json!({"toolUseId": "t1", "toolUseResult": "a", "sourceToolAssistantUUID": "a1"});
    holds(&made(call("tool_result", whole.clone())), &["make/total"]);
    for name in ["toolUseId", "toolUseResult", "sourceToolAssistantUUID"] {
        let mut lacking = whole.clone();
        lacking[name] = Value::Null;
        let refused = made(call("tool_result", lacking));
        holds(&refused, &["make/total"]);
        assert!(refused.answer.as_ref().is_err_and(|why| why.contains(name)), "{:?}", refused.answer);
        breaks(&Made { answer: Ok(vec![MadeMessage::default()]), again: None, ..refused }, "make/total");
    }
    let user = made(call("user", json!({})));
    breaks(&Made { answer: Err("no content".into()), again: None, ..user.clone() }, "make/total");
    let twice = user.answer.iter().flatten().chain(user.answer.iter().flatten()).cloned().collect();
    let broken = families::broken("make", &Made { answer: Ok(twice), again: None, ..user });
    assert_eq!(broken, ["make/total", "make/identity"]);
}

#[test]
fn calls_that_nobody_specifies_are_not_judged() {
    for (factory, arguments) in [("make_tea", "{}"), ("user", "[]"), ("user", "{")] {
        let call = FactoryCall { factory: factory.into(), arguments: arguments.into(), ..FactoryCall::default() };
        families::assert_untouched("make", &made(call));
    }
}

#[test]
fn content_is_never_empty() {
    for nothing in [json!(""), json!([]), json!(null), json!([{"type": "text", "text": ""}])] {
        let case = changed("user", json!({}), |message| message["message"]["content"] = nothing.clone());
        breaks(&case, "make/content-not-empty");
    }
    let case = changed("informational", json!({"content": ""}), |message| message["content"] = json!(""));
    breaks(&case, "make/content-not-empty");
    let case = changed("agents_killed", json!({}), |message| message["content"] = json!(""));
    breaks(&case, "make/content-not-empty");
}

#[test]
fn texts_are_exact() {
    let case = changed("user", json!({}), |message| message["message"]["content"] = json!("[no content]"));
    breaks(&case, "make/texts");
    let text = |text: &str| json!([{"type": "text", "text": text}]);
    for wrong in [json!("[Request interrupted by user]"), text("[Request interrupted by user] "), text("Interrupted")] {
        let case = changed("user_interruption", json!({}), |message| message["message"]["content"] = wrong.clone());
        breaks(&case, "make/texts");
    }
}

#[test]
fn each_argument_is_where_it_belongs() {
    let set = |name: &'static str, value: Value| move |message: &mut Value| message[name] = value.clone();
    let text = json!({"content": "a"});
    breaks(&changed("user", text.clone(), set("type", json!("assistant"))), "make/shape");
    breaks(&changed("user", text.clone(), set("isMeta", json!(true))), "make/shape");
    breaks(&changed("user", text.clone(), |message| message["message"]["content"] = json!("A")), "make/shape");
    breaks(&changed("assistant", text.clone(), |message| message["message"]["content"] = json!("a")), "make/shape");
    for factory in ["user", "user_interruption"] {
        let other = changed(factory, json!({}), |message| message["message"]["role"] = json!("assistant"));
        breaks(&other, "make/shape");
    }
    breaks(&changed("local_command", text, set("subtype", json!("thinking"))), "make/shape");
    let stops = json!({"content": "a", "preventContinuation": true, "toolUseID": "t1"});
    breaks(&changed("informational", stops.clone(), set("preventContinuation", json!(false))), "make/shape");
    breaks(&changed("informational", stops, set("toolUseID", json!("t2"))), "make/shape");
    let error = json!({"content": "a", "apiError": "max_output_tokens", "errorDetails": "b"});
    breaks(&changed("assistant_api_error", error.clone(), set("apiError", json!(null))), "make/shape");
    breaks(&changed("assistant_api_error", error, set("errorDetails", json!("a"))), "make/shape");
    let hooks = json!({"hookInfos": [1, 2], "stopReason": "b"});
    breaks(&changed("stop_hook_summary", hooks.clone(), set("hookCount", json!(1))), "make/shape");
    breaks(&changed("stop_hook_summary", hooks, set("preventedContinuation", json!(false))), "make/shape");
    let last = json!({"logicalParentUuid": "u9"});
    breaks(&changed("compact_boundary", last, set("parentUuid", json!("u9"))), "make/shape");
    breaks(&changed("api_metrics", json!({"metrics": {"a/b": 1}}), set("a/b", json!(2))), "make/shape");
    breaks(&changed("synthetic_caveat", json!({}), |message| message["message"]["content"] = json!(" ")), "make/shape");
    // What nobody gave is free, and a text may be one block.
    holds(&changed("away_summary", json!({"content": "a"}), set("sessionId", json!("s1"))), &["make/shape"]);
    let as_block = |message: &mut Value| message["message"]["content"] = json!([{"type": "text", "text": "a"}]);
    holds(&changed("user", json!({"content": "a"}), as_block), &["make/shape"]);
}

#[test]
fn ids_and_times_are_given_or_fresh() {
    let set = |name: &'static str, value: &'static str| move |message: &mut Value| message[name] = json!(value);
    let text = || json!({"content": "a"});
    for (name, wrong) in [
        ("uuid", "u1"),
        ("uuid", "11111111-2222-1333-9444-555555555555"),
        ("uuid", "11111111-2222-4333-9444-55555555555F"),
        ("timestamp", "2026-01-01T00:00:00Z"),
        ("timestamp", "2026-01-01T00:00:00.000+01:00"),
    ] {
        breaks(&changed("user", text(), set(name, wrong)), "make/identity");
    }
    let plain = made(call("user", text()));
    breaks(&Made { again: Some(plain.answer.clone()), ..plain.clone() }, "make/identity");
    for given in [
        FactoryCall { uuid: Some("u1".into()), ..plain.call.clone() },
        FactoryCall { timestamp: Some("then".into()), ..plain.call.clone() },
        FactoryCall { source: Some(FixedSource::default()), ..plain.call.clone() },
    ] {
        assert!(families::broken("make", &Made { call: given, ..plain.clone() }).contains(&"make/identity"));
    }
}

#[test]
fn a_synthetic_assistant_message_has_the_whole_form() {
    for (pointer, wrong) in [
        ("/message/model", json!("claude")),
        ("/message/stop_reason", json!("end_turn")),
        ("/message/stop_sequence", json!(null)),
        ("/message/id", json!("")),
        ("/message/usage/output_tokens", json!(1)),
        ("/message/usage/server_tool_use", json!(null)),
    ] {
        let case = changed("assistant", json!({"content": "a"}), |message| {
            *message.pointer_mut(pointer).expect(pointer) = wrong.clone();
        });
        breaks(&case, "make/usage");
    }
}

#[test]
fn each_unanswered_call_gets_one_placeholder() {
    let list = json!({"messages": [
        {"type": "assistant", "uuid": "a1", "message": {"content": [
            {"type": "tool_use", "id": "t2"}, {"type": "tool_use", "id": "t1"}, {"type": "tool_use", "id": "t2"}]}},
        {"type": "user", "uuid": "u1", "message": {"content": [{"type": "tool_result", "tool_use_id": "t1"}]}},
        {"type": "assistant", "uuid": "a2", "message": {"content": [{"type": "tool_use", "id": "t0"}]}},
    ]});
    let right = made(call("missing_tool_results", list.clone()));
    holds(&right, &["make/placeholders", "make/texts", "make/predicates"]);
    let mut turned = right.clone();
    turned.answer.as_mut().expect("placeholders").reverse();
    turned.again = None;
    breaks(&turned, "make/placeholders");
    let mut one = right;
    one.answer.as_mut().expect("placeholders").truncate(1);
    one.again = None;
    assert_eq!(families::broken("make", &one), ["make/total", "make/placeholders"]);
    for (pointer, wrong) in [
        ("/message/content/0/is_error", json!(false)),
        ("/message/content/0/tool_use_id", json!("t1")),
        ("/sourceToolAssistantUUID", json!("a9")),
    ] {
        let case = changed("missing_tool_results", list.clone(), |message| {
            *message.pointer_mut(pointer).expect(pointer) = wrong.clone();
        });
        breaks(&case, "make/placeholders");
    }
}

#[test]
fn predicates_are_judged_by_the_message_and_only_if_the_subject_has_them() {
    let cases = [
        ("is_human_turn", call("user", json!({"content": "a"}))),
        ("is_synthetic_message", call("user_interruption", json!({}))),
        ("is_compact_summary", call("compact_summary", json!({"content": "a"}))),
        ("is_local_command", call("local_command", json!({"content": "a"}))),
        ("is_chain_participant", call("hook_result", json!({"hookEvent": "Stop"}))),
    ];
    for (name, call) in cases {
        let mut case = made(call);
        case.again = None;
        let predicates = &mut case.answer.as_mut().expect("a message")[0].predicates;
        assert_eq!(predicates.insert(name.into(), false), Some(true), "{name}");
        breaks(&case, "make/predicates");
        case.answer.as_mut().expect("a message")[0].predicates = BTreeMap::from([("is_tea".into(), true)]);
        assert!(families::broken("make", &case).is_empty());
    }
}

#[test]
fn a_message_is_the_same_again_but_for_what_is_fresh() {
    let source = FixedSource { now: "2026-02-03T04:05:06.789Z".into(), ids: vec!["a".into(), "b".into()] };
    let mut case = made(FactoryCall { source: Some(source), ..call("assistant", json!({"content": "a"})) });
    holds(&case, &["make/deterministic"]);
    let again = case.again.as_mut().expect("an answer").as_mut().expect("a message");
    again[0].message = again[0].message.replace("\"id\":\"b\"", "\"id\":\"a\"");
    breaks(&case, "make/deterministic");
    let mut case = made(call("user", json!({"content": "a"})));
    holds(&case, &["make/deterministic"]);
    case.again = Some(Err("no".into()));
    breaks(&case, "make/deterministic");
}

/// A subject whose factory makes an id, an id of the reply and a time at random, each time others.
struct AtRandom {
    calls: AtomicUsize,
    /// What it makes of the random id.
    id: fn(String) -> String,
}

impl Subject for AtRandom {
    fn name(&self) -> &str {
        "at random"
    }

    fn make(&self, call: &FactoryCall) -> Outcome<Vec<MadeMessage>> {
        let number = self.calls.fetch_add(7, Relaxed);
        let id = |nibble: usize| format!("{:08x}-1111-4222-{nibble:x}333-444444444444", 0xABCD_0000 + number);
        let message = json!({
            "type": "user", "uuid": call.uuid.clone().unwrap_or_else(|| (self.id)(id(8 + number % 4))),
            "timestamp": call.timestamp.clone().unwrap_or_else(|| format!("2026-01-02T03:04:05.{:03}Z", number % 1000)),
            "message": {"id": id(9), "role": "user", "content": "2026-01-02T03:04:05"},
        });
        Outcome::Output(vec![MadeMessage { message: message.to_string(), ..MadeMessage::default() }])
    }
}

/// What is observed of a factory of chance, from a number on, in the first case where it finds an id itself.
fn observed(number: usize, id: fn(String) -> String) -> Vec<Made> {
    let of_case = |case| {
        let scenario = Scenario::from_seed(1, case, Profile::Causal);
        let subject = AtRandom { calls: AtomicUsize::new(number), id };
        Made::observe(&subject, &Case::of(&scenario), Depth::Whole)?.ok()
    };
    let is_fresh = |made: &Made| made.call.factory == "user" && made.call.uuid.is_none() && made.call.source.is_none();
    (0..1_000).filter_map(of_case).find(|made: &Vec<Made>| made.iter().any(is_fresh)).expect("a case with such a call")
}

#[test]
fn what_is_made_at_random_is_observed_as_the_same_each_time() {
    let first = observed(0, |id| id);
    assert!(!first.is_empty());
    assert_eq!(first, observed(1000, |id| id));
    for made in first.iter().filter(|made| made.call.uuid.is_none() && made.call.source.is_none()) {
        let id = |answer: &[MadeMessage]| {
            let message: Value = serde_json::from_str(&answer[0].message).unwrap();
            assert_eq!(message["message"]["content"], "2026-01-02T03:04:05");
            message["uuid"].as_str().unwrap().to_owned()
        };
        let (answer, again) = (made.answer.as_deref().unwrap(), made.again.as_ref().unwrap().as_deref().unwrap());
        assert_eq!(id(answer), "facade00-0000-4000-8000-000000000001");
        assert_eq!(id(again), "facade00-0000-4000-8000-000000000003", "other ids stay other ones");
    }
}

#[test]
fn made_names_keep_what_the_rule_judges() {
    let is_broken = |id: fn(String) -> String| {
        let cases = observed(0, id);
        let mut fresh = cases.iter().filter(|made| made.call.uuid.is_none() && made.call.source.is_none());
        fresh.any(|made| families::broken("make", made).contains(&"make/identity"))
    };
    assert!(!is_broken(|id| id));
    for wrong in [
        |id: String| id.to_uppercase(),
        |id: String| id.replacen('a', "A", 1),
        |id: String| id.replace("-4222-", "-1222-"),
        |id: String| format!("{}7{}", &id[..19], &id[20..]),
        |id: String| id.replace('-', ""),
        |_: String| "11111111-2222-4333-9444-555555555555".to_owned(),
    ] {
        assert!(is_broken(wrong), "{}", wrong("abcd0000-1111-4222-8333-444444444444".to_owned()));
    }
}

#[test]
fn only_the_first_message_has_the_time_that_is_given() {
    let calls = json!([{"type": "assistant", "uuid": "a1", "message": {"content": [
        {"type": "tool_use", "id": "t1", "name": "A", "input": {}},
        {"type": "tool_use", "id": "t2", "name": "A", "input": {}}]}}]);
    let time = "2020-02-02T02:02:02.222Z";
    let mut case =
        made(FactoryCall { timestamp: Some(time.into()), ..call("missing_tool_results", json!({"messages": calls})) });
    holds(&case, &["make/identity", "make/placeholders"]);
    for answer in case.answer.as_mut().expect("an answer") {
        let mut message: Value = serde_json::from_str(&answer.message).expect("a message");
        message["timestamp"] = json!(time);
        answer.message = message.to_string();
    }
    case.again = None;
    breaks(&case, "make/identity");
}

#[test]
fn a_part_of_a_budget_is_carried_too() {
    let part = made(call("turn_duration", json!({"durationMs": 1, "budgetLimit": 5})));
    holds(&part, &["make/shape"]);
    let message: Value = serde_json::from_str(&part.answer.expect("an answer")[0].message).expect("a message");
    assert_eq!((&message["budgetLimit"], message.get("budgetTokens")), (&json!(5), None));
}
