//! Summaries come late, and nothing waits for them.

use serde_json::{Value, json};
use turnproof_rules::operation::Moment;

use super::log::*;

const RULE: &str = "engine/summary-late";

fn summary(ids: &[&str]) -> Value {
    json!({"type": "tool_use_summary", "uuid": "s1", "summary": "did it", "precedingToolUseIds": ids})
}

fn ids(ids: &[&str]) -> Vec<String> {
    ids.iter().map(|&id| id.to_owned()).collect()
}

/// A call with its result, and a summary ordered for it.
fn ordered() -> (Log, [Value; 3]) {
    let all = [user("u1", "go"), calls("a1", "msg_1", "toolu_1"), result("r1", "toolu_1")];
    let log = Log::default().yields(&[&all[0], &all[1], &all[2]]);
    (log.then(Moment::SummaryOrdered(ids(&["toolu_1"]))), all)
}

#[test]
fn a_summary_comes_before_the_next_reply() {
    let (log, [u1, a1, r1]) = ordered();
    let next = says("a2", "msg_2", "well");
    let requested = log.requests(&[&u1, &a1, &r1]);
    let one = summary(&["toolu_1"]);
    requested.clone().yields(&[&one, &next]).holds(&[RULE]);
    requested.clone().yields(&[&next, &one]).breaks(RULE);
    requested.clone().yields(&[&next]).breaks(RULE);
    requested.clone().yields(&[&one, &one, &next]).breaks(RULE);
    requested.clone().yields(&[&summary(&["toolu_2"]), &one, &next]).breaks(RULE);
    // The process dies before the summary is there; the log ends.
    requested.clone().crashes(&[&u1]).resumes(&[&u1]).holds(&[RULE]);
    requested.holds(&[RULE]);
}

#[test]
fn no_request_waits_for_a_summary() {
    let (log, [u1, a1, r1]) = ordered();
    let (one, next) = (summary(&["toolu_1"]), says("a2", "msg_2", "well"));
    // A quick one may be there before the request.
    log.clone().yields(&[&one]).requests(&[&u1, &a1, &r1]).yields(&[&next]).holds(&[RULE]);
    log.yields(&[&one, &next]).breaks(RULE);
}

#[test]
fn a_summary_that_fails_is_silent() {
    let (log, [u1, a1, r1]) = ordered();
    let (one, next) = (summary(&["toolu_1"]), says("a2", "msg_2", "well"));
    let failed = Moment::SummaryFailed(ids(&["toolu_1"]));
    let log = log.requests(&[&u1, &a1, &r1]);
    log.clone().then(failed.clone()).yields(&[&next]).holds(&[RULE]);
    log.clone().yields(&[&next]).then(failed.clone()).holds(&[RULE]);
    log.then(failed).yields(&[&one, &next]).breaks(RULE);
}

#[test]
fn nobody_is_informed_of_a_summary_that_fails() {
    let (log, [u1, a1, r1]) = ordered();
    let (notice, next) = (notice("n1"), says("a2", "msg_2", "well"));
    let mut other = notice.clone();
    other["subtype"] = json!("turn_duration");
    let log = log.requests(&[&u1, &a1, &r1]).then(Moment::SummaryFailed(ids(&["toolu_1"])));
    log.clone().yields(&[&notice, &next]).breaks(RULE);
    // A notice of another kind has another reason, and so has one that comes later.
    log.clone().yields(&[&other, &next]).holds(&[RULE]);
    log.yields(&[&next, &notice]).holds(&[RULE]);
}

#[test]
fn a_summary_comes_after_the_results_of_its_calls() {
    let (u1, a1) = (user("u1", "go"), calls("a1", "msg_1", "toolu_1"));
    let log = Log::default().yields(&[&u1, &a1]).then(Moment::SummaryOrdered(ids(&["toolu_1"])));
    let (one, r1) = (summary(&["toolu_1"]), result("r1", "toolu_1"));
    log.clone().yields(&[&r1, &one]).holds(&[RULE]);
    log.clone().yields(&[&one, &r1]).breaks(RULE);
    // Another line of the same reply is not the next one.
    log.yields(&[&says("a3", "msg_1", "more"), &r1, &one]).holds(&[RULE]);
}

#[test]
fn what_no_model_said_is_no_reply() {
    let (log, [u1, a1, r1]) = ordered();
    let mut error = says("e1", "any", "overloaded");
    error["isApiErrorMessage"] = json!(true);
    (error["apiError"], error["error"]) = (json!("server_error"), json!("server_error"));
    error["errorDetails"] = json!("overloaded");
    let (one, next) = (summary(&["toolu_1"]), says("a2", "msg_2", "well"));
    log.requests(&[&u1, &a1, &r1]).yields(&[&error, &one, &next]).holds(&[RULE]);
}
