//! What a loop yields and writes is judged from its inputs.

use serde_json::{Value, json};
use turnproof_reference::engine::{Input, Options, play};
use turnproof_reference::message::FixedContext;
use turnproof_rules::operation::{Moment, Plain, Played};
use turnproof_rules::rules::{Verdict, find};

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
        Verdict::Broken(violations) => violations.into_iter().map(|violation| violation.found.to_string()).collect(),
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
    let silent = without(right.clone(), "[Request interrupted by user for tool use]\",\"type\":\"text");
    let notice = "the notice \"[Request interrupted by user for tool use]\" that the user interrupted is never yielded";
    assert_eq!(found("engine/tells-all", &silent), [notice]);
    let plain = r#"[Request interrupted by user]","type":"text"#;
    let other = right.moments.iter().map(|moment| match moment {
        Moment::Yielded(event) => {
            let other =
                event.value.to_string().replace("[Request interrupted by user for tool use]\",\"type\":\"text", plain);
            Moment::Yielded(serde_json::from_str::<Value>(&other).unwrap().into())
        }
        other => other.clone(),
    });
    let other = Played { moments: other.collect(), ..right };
    assert!(found("engine/tells-all", &other).contains(&notice.to_owned()), "it is the other notice of both");
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
    let lines = found("engine/late-fields", &late);
    assert!(lines.len() == 1 && lines[0].starts_with("the line of"), "{lines:?} of {text}");
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

/// The log with the first thing that says this yielded before all else.
fn with_first(mut played: Played, words: &str) -> Played {
    let says = |moment: &Moment| matches!(moment, Moment::Yielded(event) if event.value.to_string().contains(words));
    let at = played.moments.iter().position(says).expect("it is yielded");
    let first = played.moments.remove(at);
    played.moments.insert(0, first);
    played
}

#[test]
fn what_is_yielded_before_what_it_needs_is_named() {
    let rule = "engine/yields-in-order";
    let right = played(&interrupted());
    assert_eq!(judge(rule, &right), Verdict::Holds);
    let result = found(rule, &with_first(right.clone(), "sourceToolAssistantUUID"));
    let line = "the line of the reply \"msg_1\" with the call \"t1\"";
    assert_eq!(result, [format!("the result of the call \"t1\" is yielded before {line}")]);
    let early = found(rule, &with_first(right.clone(), "\"type\":\"assistant\""));
    assert!(early[0].starts_with(&format!("{line} is yielded before the event of the stream")), "{early:?}");
    let notice = found(rule, &with_first(right, "tool use]\",\"type\":\"text"));
    assert_eq!(notice.len(), 2, "after the result, and after what was interrupted: {notice:?}");
}

#[test]
fn a_message_may_be_on_either_side_of_the_event_that_ends_its_block() {
    let rule = "engine/yields-in-order";
    let mut case = played(&interrupted());
    let is_line = |moment: &Moment| matches!(moment, Moment::Yielded(event) if event.value["type"] == "assistant");
    let at = case.moments.iter().position(is_line).expect("a line");
    case.moments.swap(at, at - 1);
    assert_eq!(judge(rule, &case), Verdict::Holds);
    case.moments.swap(at - 1, at - 2);
    assert!(!found(rule, &case).is_empty());
}

#[test]
fn an_attachment_keeps_its_members_but_for_free_ones() {
    let rule = "engine/attachment-as-given";
    let file = json!({"type": "file", "filename": "/a.rs", "displayPath": "a.rs",
        "content": {"type": "text", "file": {"content": "a", "numLines": 1}}});
    let case = |attachment: Value| {
        let message = json!({"type": "attachment", "uuid": "u1", "attachment": attachment});
        let inputs = json!([{"attach": file}]);
        Played { moments: vec![Moment::Yielded(message.into())], inputs: Some(inputs.into()), ..Played::default() }
    };
    assert_eq!(judge(rule, &case(file.clone())), Verdict::Holds);
    let mut free = file.clone();
    (free["displayPath"], free["content"]["file"]["numLines"], free["more"]) = (json!("other"), json!(2), json!(1));
    assert_eq!(judge(rule, &case(free)), Verdict::Holds);
    for path in ["/filename", "/content/file/content", "/content/type"] {
        let mut other = file.clone();
        *other.pointer_mut(path).expect("it is there") = json!("other");
        assert_eq!(found(rule, &case(other)).len(), 1, "{path}");
    }
}

#[test]
fn what_comes_of_a_hook_names_its_event() {
    let rule = "engine/attachment-as-given";
    let right = played(&json!([{"hook": {"event": "SessionStart", "outcome": "context"}}]));
    assert_eq!(judge(rule, &right), Verdict::Holds);
    let mut other = right;
    for moment in &mut other.moments {
        if let Moment::Yielded(event) = moment {
            event.value["attachment"]["hookEvent"] = "Stop".into();
        }
    }
    assert_eq!(found(rule, &other), ["`hookEvent` of what came of a hook is \"Stop\""]);
}

#[test]
fn tries_are_counted_up_to_the_limit_that_a_notice_names() {
    let rule = "engine/retries-end";
    let right = played(&json!([{"type": "go"}, {"fail": "server"}, {"fail": "overloaded"}]));
    assert_eq!(judge(rule, &right), Verdict::Holds);
    let with = |name: &str, numbers: [u64; 2]| {
        let (mut other, mut numbers) = (right.clone(), numbers.into_iter());
        for moment in &mut other.moments {
            if let Moment::Yielded(event) = moment
                && event.value["subtype"] == "api_error"
            {
                event.value[name] = numbers.next().into();
            }
        }
        found(rule, &other)
    };
    assert_eq!(with("retryAttempt", [1, 4])[0], "the request is sent again for time 4, of 3");
    assert_eq!(with("retryAttempt", [1, 1]), ["`retryAttempt` of the notice of an error is 1"]);
    assert_eq!(with("maxRetries", [3, 4]), ["`maxRetries` is 4"]);
    assert_eq!(with("maxRetries", [1, 1])[0], "the request is sent again for time 2, of 1");
    // Another limit is as good.
    assert_eq!(with("maxRetries", [10, 10]), [""; 0]);
}

#[test]
fn a_guess_says_that_it_is_one() {
    let rule = "engine/virtual-stays-out";
    let right = played(&json!([{"speculate": {"prompt": "What if?", "answer": "Then so."}}]));
    assert_eq!(judge(rule, &right), Verdict::Holds);
    let mut other = right;
    for moment in &mut other.moments {
        if let Moment::Yielded(event) = moment {
            event.value.as_object_mut().expect("a message").remove("isVirtual");
        }
    }
    let which = ["user", "assistant"].map(|who| format!("a virtual message of the {who} is not marked as such"));
    assert_eq!(found(rule, &other), which);
}
