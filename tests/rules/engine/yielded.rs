//! What a loop yields and writes is judged from its inputs.

use serde_json::{Value, json};
use turnproof::engine::{Input, Options, play};
use turnproof::message::FixedContext;
use turnproof::operation::{Moment, Plain, Played};
use turnproof::rules::{Verdict, find};

use crate::families::judge;

/// What the reference makes of these inputs.
fn played(inputs: &Value) -> Played {
    let list: Vec<Input> = serde_json::from_value(inputs.clone()).expect("inputs");
    let played = play(&list, FixedContext::new(7), Options::default());
    Played { inputs: Some(Plain::from(inputs.clone())), ..played }
}

fn interrupted() -> Value {
    let start = json!({"type": "message_start", "message": {"id": "msg_1", "role": "assistant", "model": "m",
        "content": [], "usage": {"input_tokens": 3, "output_tokens": 1}}});
    let block = json!({"type": "tool_use", "id": "t1", "name": "Bash", "input": {}});
    json!([
        {"type": "go"},
        {"stream": start},
        {"stream": {"type": "content_block_start", "index": 0, "content_block": block}},
        {"stream": {"type": "content_block_stop", "index": 0}},
        {"stream": {"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 9}}},
        {"stream": {"type": "message_stop"}},
        "interrupt",
        {"wait": 200}
    ])
}

fn found(rule: &str, played: &Played) -> Vec<String> {
    match judge(rule, played) {
        Verdict::Broken(violations) => violations.into_iter().map(|violation| violation.found).collect(),
        _ => Vec::new(),
    }
}

/// The log without what is yielded and says this.
fn without(mut played: Played, words: &str) -> Played {
    played.moments.retain(|moment| match moment {
        Moment::Yielded(event) => !event.value.to_string().contains(words),
        _ => true,
    });
    played
}

#[test]
fn what_is_not_yielded_is_named() {
    let right = played(&interrupted());
    assert_eq!(judge("engine/tells-all", &right), Verdict::Holds);
    let events = without(right.clone(), "message_delta");
    assert!(found("engine/tells-all", &events)[0].starts_with("the event of the stream {\"delta\""));
    let silent = without(right, "[Request interrupted by user for tool use]\",\"type\":\"text");
    assert_eq!(found("engine/tells-all", &silent), ["the notice that the user interrupted is never yielded"]);
}

#[test]
fn nothing_is_asked_after_the_disk_has_failed() {
    let inputs = json!([{"disk": 0}, {"type": "go"}, {"notice": {"subtype": "informational", "text": "a"}}]);
    let silent = Played { inputs: Some(Plain::from(inputs)), ..Played::default() };
    assert!(matches!(judge("engine/tells-all", &silent), Verdict::NotApplicable(_)));
}

#[test]
fn late_fields_are_asked_of_the_last_message_and_of_its_line() {
    let mut late = played(&interrupted());
    assert_eq!(judge("engine/late-fields", &late), Verdict::Holds);
    let text = String::from_utf8(late.transcript.clone()).expect("UTF-8");
    late.transcript = text.replace("\"tool_use\",\"stop_sequence\"", "null,\"stop_sequence\"").into_bytes();
    let told = found("engine/late-fields", &late);
    assert!(told.len() == 1 && told[0].starts_with("the line of"), "{told:?} of {text}");
    late.moments.retain(|moment| !matches!(moment, Moment::Amended(_)));
    assert!(found("engine/late-fields", &late)[0].starts_with("the last message of the reply \"msg_1\""));
}

#[test]
fn a_log_without_inputs_may_be_a_piece() {
    let piece = Played { inputs: None, ..played(&interrupted()) };
    for rule in ["tells-all", "result-source", "late-fields", "file-as-yielded", "fork-renamed"] {
        let rule = format!("engine/{rule}");
        assert!(find(&rule).is_some() && matches!(judge(&rule, &piece), Verdict::NotApplicable(_)), "{rule}");
    }
}

#[test]
fn what_a_microcompaction_clears_is_on_disk_as_the_tool_gave_it() {
    let mut inputs = interrupted();
    let list = inputs.as_array_mut().expect("a list");
    list.truncate(6);
    let result = json!({"call": "t1", "content": "2,000 lines", "output": "", "is_error": false});
    list.extend([json!({"result": result}), json!("interrupt"), json!({"microcompact": 1}), json!({"wait": 200})]);
    let cleared = played(&inputs);
    assert!(String::from_utf8_lossy(&cleared.transcript).contains("2,000 lines"));
    assert_eq!(judge("engine/file-as-yielded", &cleared), Verdict::Holds);
}
