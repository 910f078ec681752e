//! `turnproof serve` answers questions beside the operations of a subject: verdicts with their report, and cases that bytes
//! choose.

use serde_json::{Value, json};
use turnproof_suite::subject::program::QUESTIONS;

use crate::call::{run, turnproof};

/// The answer to a question.
fn asked(question: &str, input: &Value) -> Value {
    let line = json!({"cmd": "run", "seq": 1, "operation": question, "input": input});
    let (code, out, errors) = run(turnproof(&["serve"]).write_stdin(format!("{line}\n")));
    assert_eq!((code, errors.as_str()), (0, ""));
    serde_json::from_str(&out).expect("one line of JSON")
}

const REQUEST: &str = "docs/samples/request.json";

fn sample(name: &str) -> String {
    std::fs::read_to_string(format!("{}/{name}", env!("CARGO_MANIFEST_DIR"))).expect("a sample")
}

#[test]
fn a_request_is_judged_as_check_judges_it() {
    let request: Value = serde_json::from_str(&sample(REQUEST)).unwrap();
    let judged = asked("judge_request", &json!({"request": request, "host": "anthropic"}));
    let check = ["check", "--request", "--profile", "anthropic", REQUEST];
    let (_, printed, _) = run(turnproof(&check).env("COLUMNS", "100000"));
    let report = judged["output"]["report"].as_str().unwrap();
    // What is embedded has another name and other white space.
    let (shown, counts) = report.rsplit_once("\n\nrequest: ").expect("an excerpt, and counts");
    let (printed_shown, printed_counts) = printed.trim_end().rsplit_once("\n\n").expect("the same");
    assert_eq!(shown.replace("--> request:", &format!("--> {REQUEST}:")), printed_shown);
    let without_bytes = |counts: &str| counts.rsplit_once(", ").expect("counts").0.to_owned();
    assert_eq!(format!("{REQUEST}: {}", without_bytes(counts)), without_bytes(printed_counts));
    let (_, lines, _) = run(turnproof(&check).args(["--format", "json"]));
    let mut first: Value = serde_json::from_str(lines.lines().next().unwrap()).unwrap();
    first["file"] = "request".into();
    assert_eq!((&judged["output"]["violations"], &judged["output"]["legal"]), (&json!([first]), &json!(false)));
}

#[test]
fn a_reply_and_a_session_are_judged_with_their_report() {
    let reply = asked("judge_response", &json!({"response": r#"{"type":"message"}"#}));
    assert_eq!(reply["output"]["legal"], false);
    assert!(reply["output"]["report"].as_str().unwrap().starts_with("error[reply/"), "{reply}");
    let path = "docs/samples/session.jsonl";
    let session = asked("judge_session", &json!({"path": path}));
    assert_eq!(session["output"]["verdict"]["class"], "refused");
    let (_, printed, _) = run(&mut turnproof(&["check", path]));
    assert_eq!(session["output"]["report"].as_str(), Some(printed.trim_end()));
}

#[test]
fn the_same_bytes_draw_the_same_case_and_no_bytes_the_plainest() {
    for what in ["history", "session", "damaged_session"] {
        let drawn =
            || asked("draw", &json!({"what": what, "bytes_b64": "AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHw=="}));
        let plainest = asked("draw", &json!({"what": what, "bytes_b64": ""}));
        assert_eq!(drawn(), drawn(), "{what}");
        assert_ne!(drawn()["output"], plainest["output"], "{what}");
    }
    let request = json!({"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "a"}]});
    let drawn = asked("draw", &json!({"what": "reply", "bytes_b64": "AQID", "request": request}));
    let reply: Value = serde_json::from_str(drawn["output"]["reply"].as_str().unwrap()).unwrap();
    assert_eq!(reply["type"], "message");
}

#[test]
fn what_cannot_be_judged_is_rejected_and_says_why() {
    let wrong = [
        ("judge_request", json!({"request": {}, "host": "anthropic"}), "messages"),
        ("judge_request", json!({"request": [], "host": "nowhere"}), "nowhere"),
        ("judge_response", json!({"response": "good day"}), "repl"),
        ("judge_session", json!({"path": "nowhere.jsonl"}), "there is no such file"),
        ("judge_session", json!({"path": "docs"}), "one session"),
        ("draw", json!({"what": "reply", "bytes_b64": ""}), "request"),
    ];
    for (question, input, why) in wrong {
        let answer = asked(question, &input);
        let message = answer["rejected"]["message"].as_str().unwrap_or_default();
        assert!(message.contains(why), "{question} {input}: {answer}");
    }
}

#[test]
fn every_question_is_in_the_schema_and_answered() {
    let (_, schema, _) = run(&mut turnproof(&["schema"]));
    let schema: Value = serde_json::from_str(&schema).unwrap();
    assert_eq!(schema["questions"].as_object().unwrap().len(), QUESTIONS.len());
    for question in QUESTIONS {
        assert!(schema["questions"][question]["output"].is_object(), "{question}");
        assert!(asked(question, &json!({}))["unsupported"].is_null(), "{question}");
    }
}
