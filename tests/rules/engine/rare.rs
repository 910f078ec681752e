//! What is *rare* in a log: each case distinguishes a branch of a rule from its absence.

use serde_json::{Value, json};
use turnproof_rules::operation::{Moment, Played};
use turnproof_rules::rules::{Verdict, find};

use super::log::*;
use crate::families::{self, judge};

/// The log of these inputs.
fn of(inputs: Value, log: &Log) -> Played {
    Played { inputs: Some(inputs.into()), ..log.done() }
}

#[test]
fn a_reply_that_streams_before_its_request_is_noticed_though_the_request_follows() {
    let u1 = user("u1", "go");
    let start = json!({"type": "stream_event", "event": {"type": "message_start"}});
    let joined = Log::default().types(0, json!("go"), false).joins(0, &u1);
    let log = |log: Log| judge("engine/request-when-due", &of(json!([{"type": "go"}]), &log));
    assert_eq!(log(joined.clone().requests(&[&u1]).yields(&[&start])), Verdict::Holds);
    assert!(log(joined.yields(&[&start]).requests(&[&u1])).is_broken());
}

#[test]
fn a_fork_has_no_id_that_a_resume_brought_back() {
    let u1 = user("u1", "go");
    let copy = |uuid: &str| {
        let mut copy = user(uuid, "go");
        copy["sessionId"] = json!("s2");
        copy["forkedFrom"] = json!({"sessionId": "s1", "messageUuid": "u1"});
        copy
    };
    let log = |copy: Value| Log::default().resumes(&[&u1]).then(Moment::Forked(json!([copy]).into()));
    let forked = |copy: Value| judge("engine/fork-renamed", &of(json!(["resume", "fork"]), &log(copy)));
    assert_eq!(forked(copy("u2")), Verdict::Holds);
    assert!(forked(copy("u1")).is_broken());
    let mut from_itself = copy("u2");
    from_itself["forkedFrom"]["messageUuid"] = json!("u2");
    assert!(forked(from_itself).is_broken());
}

#[test]
fn the_file_of_a_fork_need_not_record_the_queue_before() {
    let (u0, u1) = (user("u0", "zero"), user("u1", "one"));
    let log = Log::default().yields(&[&u0]).types(1, json!("one"), true).joins(1, &u1).requests(&[&u0, &u1]);
    let forked = log.then(Moment::Forked(json!([u0, u1]).into())).with_queue(&[]).requests(&[&u0, &u1]);
    assert_eq!(judge("engine/queue-recorded", &forked.done()), Verdict::Holds);
}

#[test]
fn a_result_in_blocks_is_cleared_as_one_that_is_a_text() {
    let rule = "engine/cleared-stays-cleared";
    let says = |content: Value| {
        let mut result = result("r1", "toolu_1");
        result["message"]["content"][0]["content"] = content;
        result
    };
    let boundary = json!({"type": "system", "uuid": "m1", "subtype": "microcompact_boundary",
        "microcompactMetadata": {"compactedToolIds": ["toolu_1"]}});
    let back = |result: &Value| Log::default().yields(&[result, &boundary]).resumes(&[result, &boundary]);
    back(&says(json!([{"type": "text", "text": "a.rs"}]))).breaks(rule);
    back(&says(json!([{"type": "image", "source": {"type": "url", "url": "a"}}]))).breaks(rule);
    // There is nothing to clear.
    for nothing in [json!([{"type": "text", "text": " "}]), json!([]), json!(" "), json!(7)] {
        let verdict = judge(rule, &back(&says(nothing)).done());
        assert!(matches!(verdict, Verdict::NotApplicable(_)), "{verdict:?}");
    }
}

#[test]
fn each_denial_has_words_of_its_own() {
    let rule = find("engine/denial-words").expect("there");
    let example: Value = serde_json::from_slice(rule.example).expect("JSON");
    let denials = [
        json!("user"),
        json!("cancel"),
        json!({"user_with_reason": "use make"}),
        json!("subagent"),
        json!({"subagent_with_reason": "use make"}),
        json!({"plan": "first a test"}),
        json!("rule"),
        json!("dont_ask"),
        json!({"classifier": "it is risky"}),
    ];
    for denial in denials {
        let mut case = example.clone();
        let inputs = case["inputs"].as_array_mut().expect("inputs");
        let denied = inputs.iter_mut().find_map(|input| input.get_mut("deny")).expect("a denial");
        denied["denial"] = denial.clone();
        let case: Played = serde_json::from_str(&case.to_string()).expect("a case");
        assert!(judge(rule.id, &case).is_broken(), "{denial}");
    }
}

#[test]
fn a_prompt_is_no_message_for_the_model_alone() {
    let (rule, u1) = ("engine/meta-stays-meta", user("u1", "go"));
    let log = |u1: &Value| {
        let log = Log::default().types(0, json!("go"), false).joins(0, u1).requests(&[u1]);
        judge(rule, &of(json!([{"type": "go"}]), &log))
    };
    assert_eq!(log(&u1), Verdict::Holds);
    let mut meta = u1;
    meta["isMeta"] = json!(true);
    assert!(log(&meta).is_broken());
}

#[test]
fn a_log_in_which_nothing_happens_puts_no_rule_to_the_test() {
    let nothing = of(json!([]), &Log::default());
    for (rule, verdict) in families::verdicts("engine", &nothing) {
        assert!(matches!(verdict, Verdict::NotApplicable(_)), "{}: {verdict:?}", rule.id);
    }
}

#[test]
fn an_error_may_refuse_media_however_many_errors_there_are() {
    let image =
        json!({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}});
    let (go, mut u1) = (json!({"type": "text", "text": "go"}), user("u1", ""));
    let content = json!([go, image]);
    u1["message"]["content"] = content.clone();
    let mut error = says("e1", "x", "API Error: 400");
    error["isApiErrorMessage"] = json!(true);
    let log = |errors: usize| {
        let log = Log::default().types(0, content.clone(), false).joins(0, &u1).yields(&vec![&error; errors]);
        let log = log.requests_with(&[&u1], json!([{"role": "user", "content": [go]}]), lines(&[&u1]));
        judge("engine/request-of-inputs", &of(json!([{"type": content}]), &log))
    };
    assert!(log(0).is_broken());
    assert_eq!([log(1), log(2), log(3)], [Verdict::Holds, Verdict::Holds, Verdict::Holds]);
}

#[test]
fn a_virtual_message_has_the_words_that_were_tried() {
    let hidden = |mut message: Value| {
        message["isVirtual"] = json!(true);
        message
    };
    let log = |prompt: &str, answer: &str| {
        let tried = [hidden(user("v1", prompt)), hidden(says("v2", "msg_1", answer))];
        let inputs = json!([{"speculate": {"prompt": "and then?", "answer": "that"}}]);
        judge("engine/tells-all", &of(inputs, &Log::default().yields(&[&tried[0], &tried[1]])))
    };
    assert_eq!(log("and then?", "that"), Verdict::Holds);
    assert!(log("and now?", "that").is_broken());
    assert!(log("and then?", "this").is_broken());
}

#[test]
fn a_tombstone_holds_its_message_whole() {
    let whole = says("a1", "msg_1", "half");
    let of_its_id = json!({"type": "assistant", "uuid": "a1"});
    let found = |held: &Value| {
        let log = Log::default().yields(&[&whole, &tombstone(held)]);
        let verdict = judge("engine/tells-all", &of(json!([{"type": "go"}]), &log));
        format!("{verdict:?}").matches("the message that it withdraws, whole").count()
    };
    assert_eq!([found(&whole), found(&of_its_id)], [0, 1]);
}
