//! Each call has one result when a request is sent.

use serde_json::{Value, json};

use super::log::*;

const RULE: &str = "engine/every-use-answered";

/// A call, its result, and a prompt before.
fn story() -> [Value; 3] {
    [user("u1", "go"), calls("a1", "msg_1", "toolu_1"), result("r1", "toolu_1")]
}

#[test]
fn a_call_with_its_result_holds() {
    let [u1, a1, r1] = story();
    let all = [&u1, &a1, &r1];
    Log::default().yields(&all).requests(&all).holds(&[RULE]);
}

#[test]
fn a_call_without_result_is_detected_in_turns_and_in_messages() {
    let [u1, a1, r1] = story();
    let next = user("u2", "next");
    let log = |messages: &[&Value], turns: Value| {
        Log::default().yields(messages).requests_with(messages, turns, lines(messages))
    };
    // In neither; only in the turns; only in the messages.
    let without = [&u1, &a1, &next];
    log(&without, turns(&without)).breaks(RULE);
    log(&without, turns(&[&u1, &a1, &r1, &next])).breaks(RULE);
    log(&[&u1, &a1, &r1, &next], turns(&without)).breaks(RULE);
    // The request ends with the call.
    log(&[&u1, &a1], turns(&[&u1, &a1])).breaks(RULE);
}

#[test]
fn a_second_result_and_a_late_one_are_detected() {
    let [u1, a1, r1] = story();
    let (again, next) = (result("r2", "toolu_1"), user("u2", "next"));
    let twice = [&u1, &a1, &r1, &again];
    Log::default().yields(&twice).requests(&twice).breaks(RULE);
    let late = [&u1, &a1, &next, &r1];
    Log::default().yields(&late).requests(&late).breaks(RULE);
}

#[test]
fn one_of_several_parallel_calls_is_not_forgotten() {
    let u1 = user("u1", "go");
    let (a1, a2) = (calls("a1", "msg_1", "toolu_1"), calls("a2", "msg_1", "toolu_2"));
    let (r1, r2) = (result("r1", "toolu_1"), result("r2", "toolu_2"));
    let both = |results: &[&Value]| {
        let said: Vec<&Value> = results.iter().map(|result| &result["message"]["content"][0]).collect();
        json!([{"role": "user", "content": "go"},
            {"role": "assistant", "content": [a1["message"]["content"][0], a2["message"]["content"][0]]},
            {"role": "user", "content": said}])
    };
    let all = [&u1, &a1, &a2, &r2, &r1];
    let log = Log::default().yields(&all);
    log.clone().requests_with(&all, both(&[&r1, &r2]), lines(&all)).holds(&[RULE]);
    log.clone().requests_with(&all, both(&[&r1]), lines(&all)).breaks(RULE);
    log.requests_with(&all, both(&[&r1, &r1, &r2]), lines(&all)).breaks(RULE);
}

#[test]
fn every_request_is_judged() {
    let [u1, a1, r1] = story();
    let good = [&u1, &a1, &r1];
    let next = user("u2", "next");
    let bad = [&u1, &a1, &next];
    let log = Log::default().yields(&good).requests(&good);
    let log = log.yields(&[&next]).requests_with(&good, turns(&bad), lines(&[&u1, &a1, &r1, &next]));
    log.breaks(RULE);
}
