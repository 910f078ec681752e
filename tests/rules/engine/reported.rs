//! What a loop reports: interruptions, its queue, errors, and what was cleared.

use serde_json::{Value, json};

use super::log::*;

const LOST: &str = "[Tool result missing due to internal error]";
const INTERRUPTED: &str = "[Request interrupted by user for tool use]";

/// A result that says this.
fn answer(uuid: &str, call: &str, said: &str) -> Value {
    let mut result = result(uuid, call);
    result["message"]["content"][0]["content"] = json!(said);
    result
}

#[test]
fn an_interrupted_call_is_not_a_lost_one() {
    let rule = "engine/interrupted-not-lost";
    let (right, lost) = (answer("r1", "toolu_1", INTERRUPTED), answer("r1", "toolu_1", LOST));
    let (own, esc) = (result("r2", "toolu_2"), user("u2", INTERRUPTED));
    Log::default().yields(&[&right, &own, &esc]).holds(&[rule]);
    Log::default().yields(&[&lost, &own, &esc]).breaks(rule);
    // The notice may be a text block.
    let mut block = esc.clone();
    block["message"]["content"] = json!([{"type": "text", "text": INTERRUPTED}]);
    Log::default().yields(&[&own, &lost, &block]).breaks(rule);
    // What is lost for another reason is lost: something else is between the two.
    Log::default().yields(&[&lost, &notice("n1"), &own, &esc]).holds(&[rule]);
    Log::default().yields(&[&lost, &user("u3", "[Request interrupted by user]")]).holds(&[]);
    // Somebody may type the words.
    Log::default().yields(&[&lost]).types(0, json!(INTERRUPTED), false).joins(0, &esc).holds(&[]);
}

#[test]
fn the_transcript_records_the_queue() {
    let rule = "engine/queue-recorded";
    let (u0, u1) = (user("u0", "zero"), user("u1", "one"));
    let log = Log::default().yields(&[&u0]).requests(&[&u0]).types(1, json!("one"), true).joins(1, &u1);
    let all = [&u0, &u1];
    log.clone().requests(&all).holds(&[rule]);
    let put_in = queue_operation("enqueue", Some(&json!("one")));
    let blocks = queue_operation("enqueue", Some(&json!([{"type": "text", "text": "one"}])));
    let taken_out = queue_operation("dequeue", None);
    let with = |queue: &[&Value]| {
        let queue: Vec<Value> = queue.iter().copied().cloned().collect();
        log.clone().with_queue(&queue).requests(&all)
    };
    with(&[&blocks, &taken_out]).holds(&[rule]);
    for wrong in [&[][..], &[&put_in], &[&taken_out], &[&taken_out, &put_in]] {
        with(wrong).breaks(rule);
    }
    for (member, value) in [("content", json!("two")), ("timestamp", json!(7)), ("sessionId", Value::Null)] {
        let mut wrong = put_in.clone();
        wrong[member] = value;
        with(&[&wrong, &taken_out]).breaks(rule);
    }
    with(&[&put_in, &queue_operation("dequeue", Some(&json!("one")))]).breaks(rule);
    // What does not wait is not taken out. Something may be taken out without being sent.
    with(&[&taken_out, &put_in, &taken_out]).breaks(rule);
    with(&[&put_in, &put_in, &queue_operation("remove", None), &taken_out]).holds(&[rule]);
    with(&[&put_in, &put_in, &queue_operation("popAll", None), &taken_out]).breaks(rule);
    // What did not wait is not in the queue, and a crash may lose what no request has waited for.
    Log::default().types(1, json!("one"), false).joins(1, &u1).requests(&[&u1]).holds(&[]);
    let crashed = Log::default().types(1, json!("one"), true).crashes(&[]).resumes(&[]).with_queue(&[]);
    crashed.requests(&[&u0]).holds(&[]);
}

/// An error of this kind, with these details.
fn error(kind: Value, details: Value) -> Value {
    let mut error = says("e1", "x", "API Error: 429");
    error["isApiErrorMessage"] = json!(true);
    (error["apiError"], error["error"]) = (kind.clone(), kind);
    error["errorDetails"] = details;
    error
}

#[test]
fn an_error_says_of_which_kind_it_is() {
    let rule = "engine/error-kind";
    let body = json!(r#"{"type":"error","error":{"type":"rate_limit_error","message":"slow"}}"#);
    let log = |error: &Value| Log::default().yields(&[error]);
    log(&error(json!("rate_limit"), body.clone())).holds(&[rule]);
    log(&error(json!("unknown"), json!("Connection error."))).holds(&[rule]);
    for kind in [json!("server_error"), json!("rate_limit_error"), json!(429), Value::Null] {
        log(&error(kind, body.clone())).breaks(rule);
    }
    for details in [json!(""), json!({"type": "error"}), Value::Null] {
        log(&error(json!("rate_limit"), details)).breaks(rule);
    }
    // `error` repeats the kind.
    for other in [json!("server_error"), json!({"status": 429}), Value::Null] {
        let mut error = error(json!("rate_limit"), body.clone());
        error["error"] = other;
        log(&error).breaks(rule);
    }
    // The limit of the output is an error only where a reply has reached it.
    let limit = error(json!("max_output_tokens"), json!("stop_reason: max_tokens"));
    let reply = |reason: &str| {
        let mut reply = says("a1", "msg_1", "and so");
        reply["message"]["stop_reason"] = json!(reason);
        reply
    };
    Log::default().yields(&[&reply("max_tokens"), &limit]).holds(&[rule]);
    Log::default().yields(&[&reply("end_turn"), &limit]).breaks(rule);
}

#[test]
fn what_was_cleared_stays_cleared() {
    let rule = "engine/cleared-stays-cleared";
    let (r1, r2) = (answer("r1", "toolu_1", "a.rs"), answer("r2", "toolu_2", "b.rs"));
    let empty = answer("r1", "toolu_1", "(cleared)");
    let boundary = json!({"type": "system", "uuid": "m1", "subtype": "microcompact_boundary",
        "microcompactMetadata": {"compactedToolIds": ["toolu_1"]}});
    let log = Log::default().yields(&[&r1, &r2, &boundary]);
    log.clone().resumes(&[&empty, &r2, &boundary]).holds(&[rule]);
    log.clone().resumes(&[&r1, &r2, &boundary]).breaks(rule);
    let is_quiet = |log: Log| assert!(!broken(&log.done()).contains(&rule));
    // The boundary was not on disk, so nothing says that the result was cleared.
    is_quiet(log.clone().resumes(&[&r1, &r2]));
    // A result behind the boundary is another one.
    is_quiet(log.clone().resumes(&[&boundary, &r1]));
    // Of several with one id the oldest is meant, which is not sure where one of them is missing.
    let again = answer("r3", "toolu_1", "c.rs");
    let both = log.clone().yields(&[&again]);
    both.clone().resumes(&[&empty, &r2, &boundary, &again]).holds(&[rule]);
    both.clone().resumes(&[&r1, &r2, &boundary, &again]).breaks(rule);
    is_quiet(both.resumes(&[&r2, &boundary, &again]));
    let (u1, a1) = (user("u1", "go"), calls("a1", "msg_1", "toolu_1"));
    let sent =
        |result: &Value| Log::default().yields(&[&u1, &a1, &r1, &boundary]).requests(&[&u1, &a1, result, &boundary]);
    sent(&empty).holds(&[rule]);
    sent(&r1).breaks(rule);
}
