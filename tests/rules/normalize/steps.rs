//! Steps: requests for longer and longer lists, and requests asked for again.

use serde_json::{Value, json};
use turnproof_rules::operation::{ApiNormalized, Plain};
use turnproof_rules::rules::Verdict;

use super::build::{
    api_error, at, attachment, call, case, image, line, meta, missing, reply, result, text, tombstone, user, ut,
    verdict, with,
};

/// A case from messages and the request after each of them; without messages the request is empty.
fn steps(steps: Vec<(Value, Value)>) -> ApiNormalized {
    let given = |request: &Value| Ok(Plain::from(request.clone()));
    let (messages, requests): (Vec<Value>, Vec<Value>) = steps.into_iter().unzip();
    let mut shorter = vec![given(&json!([]))];
    shorter.extend(requests[..requests.len() - 1].iter().map(given));
    let mut case = case(&Value::from(messages), None, requests.last().expect("a request"));
    case.shorter = shorter.into_iter().map(Some).collect();
    case.incremental = Some(requests.iter().map(|request| Some(given(request))).collect());
    case
}

fn stable() -> ApiNormalized {
    let asked = || ut(vec![text("a")]);
    steps(vec![
        (user("a"), json!([asked()])),
        (line("m1", vec![call("t1")]), json!([asked(), at(vec![call("t1")]), ut(vec![missing("t1")])])),
        (user(vec![result("t1", "r")]), json!([asked(), at(vec![call("t1")]), ut(vec![result("t1", "r")])])),
        (
            line("m2", vec![text("b ")]),
            json!([asked(), at(vec![call("t1")]), ut(vec![result("t1", "r")]), at(vec![text("b")])]),
        ),
    ])
}

#[test]
fn growing_requests_are_stable() {
    assert_eq!(verdict("normalize/prefix-stable", &stable()), Verdict::Holds);
    assert_eq!(verdict("normalize/incremental", &stable()), Verdict::Holds);
}

#[test]
fn a_turn_before_the_last_that_changes_is_reported() {
    let mut case = stable();
    let Ok(request) = &mut case.request else { panic!("a request") };
    request.value[0]["content"][0]["text"] = "other".into();
    assert!(verdict("normalize/prefix-stable", &case).is_broken());
    let mut case = stable();
    let Ok(request) = &mut case.request else { panic!("a request") };
    request.value.as_array_mut().expect("turns").truncate(1);
    assert!(verdict("normalize/prefix-stable", &case).is_broken());
}

/// Whether a changed first turn is detected when this message is added to a list with two replies.
fn is_judged(added: Value) -> bool {
    let request = |first: &str, more: Vec<Value>| {
        let turns = [ut(vec![text(first)]), at(vec![call("t1")]), ut(vec![result("t1", "r")]), at(vec![call("t2")])];
        Value::from_iter(turns.into_iter().chain(more))
    };
    let placeholder = || vec![ut(vec![missing("t2")])];
    let mut case = steps(vec![
        (user("a"), request("a", vec![])),
        (line("m1", vec![call("t1")]), request("a", vec![])),
        (user(vec![result("t1", "r")]), request("a", vec![])),
        (line("m2", vec![call("t2")]), request("a", placeholder())),
        (added, request("changed", placeholder())),
    ]);
    case.shorter = case
        .shorter
        .into_iter()
        .enumerate()
        .map(|(index, given)| match index {
            4 => given,
            _ => None,
        })
        .collect();
    verdict("normalize/prefix-stable", &case).is_broken()
}

#[test]
fn messages_that_look_back_are_not_judged_and_others_are() {
    assert!(!is_judged(tombstone("u1")));
    assert!(!is_judged(api_error("image too large")));
    assert!(!is_judged(line("m1", vec![text("b")])));
    assert!(!is_judged(user(vec![result("t1", "late")])));
    assert!(!is_judged(attachment(json!({"type": "queued_command", "prompt": [result("t1", "late")]}))));
    assert!(!is_judged(line("m3", vec![text("joins the reply before")])));
    assert!(is_judged(user("b")));
    assert!(is_judged(user(vec![result("t2", "r")])));
    assert!(is_judged(user(vec![result("t9", "no call's")])));
    assert!(is_judged(with(meta(vec![image()]), json!({"uuid": "u"}))));
    assert!(is_judged(json!({"type": "progress"})));
    assert!(is_judged(attachment(json!({"type": "date_change", "newDate": "d"}))));
}

#[test]
fn a_step_that_looks_back_alone_is_not_applicable() {
    let case = steps(vec![(tombstone("u1"), json!([]))]);
    assert!(matches!(verdict("normalize/prefix-stable", &case), Verdict::NotApplicable(_)));
}

#[test]
fn a_kept_state_that_is_wrong_is_reported_at_its_message() {
    let mut case = stable();
    let states = case.incremental.as_mut().expect("states");
    states[1] = Some(Ok(json!([ut(vec![text("a")])]).into()));
    let Verdict::Broken(violations) = verdict("normalize/incremental", &case) else { panic!("holds") };
    assert_eq!(violations[0].place.to_string(), "messages.1");
    case.incremental = Some(vec![Some(Err("no".to_owned()))]);
    assert!(verdict("normalize/incremental", &case).is_broken());
}

#[test]
fn a_request_that_differs_when_asked_again_is_reported() {
    let right = || case(&json!([user("a")]), None, &json!([ut(vec![text("a")])]));
    let other = || Some(Ok(Plain::from(json!([ut(vec![text("b")])]))));
    for (id, case) in [
        ("normalize/deterministic", ApiNormalized { again: other(), ..right() }),
        ("normalize/deterministic", ApiNormalized { again: Some(Err("no".to_owned())), ..right() }),
        ("normalize/idempotent", ApiNormalized { renormalized: other(), ..right() }),
        ("normalize/idempotent", ApiNormalized { renormalized: Some(Err("no".to_owned())), ..right() }),
        ("normalize/pure", ApiNormalized { messages_after: Some(json!([]).into()), ..right() }),
        ("normalize/pure", ApiNormalized { messages_after: Some(json!([user("b")]).into()), ..right() }),
        ("normalize/total", ApiNormalized { request: Err("no".to_owned()), ..right() }),
        ("normalize/total", ApiNormalized { shorter: vec![Some(Err("no".to_owned()))], ..right() }),
    ] {
        assert_eq!(verdict(id, &right()), Verdict::Holds);
        assert!(verdict(id, &case).is_broken(), "{id}");
    }
}

#[test]
fn a_request_of_another_shape_is_reported() {
    for request in [
        json!(null),
        json!({"messages": []}),
        json!(["a"]),
        json!([{"role": "user", "content": {"type": "text", "text": "a"}}]),
        json!([{"role": "system", "content": []}]),
        json!([{"role": "user", "content": ["a"]}]),
    ] {
        let case = case(&json!([reply(vec![])]), None, &request);
        assert!(verdict("normalize/total", &case).is_broken(), "{request}");
    }
}

#[test]
fn a_refusal_of_media_looks_back_where_no_call_waits() {
    let request = |first: &str, last: Value| json!([ut(vec![text(first)]), at(vec![text("b")]), last]);
    let is_judged = |added: Value| {
        let before = || ut(vec![text("c")]);
        let case = steps(vec![
            (user("a"), json!([ut(vec![text("a")])])),
            (line("m1", vec![text("b")]), json!([ut(vec![text("a")]), at(vec![text("b")])])),
            (user("c"), request("a", before())),
            (added, request("changed", before())),
        ]);
        verdict("normalize/prefix-stable", &case).is_broken()
    };
    assert!(is_judged(user("d")));
    assert!(is_judged(api_error("overloaded")));
    assert!(!is_judged(api_error("image exceeds the maximum")));
}
