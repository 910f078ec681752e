//! A *misfit* is missing, and no more: for every known field of every kind, retyped to each other JSON type, each
//! operation gives what it gives without the field, and what is written holds the field as it was.

use serde_json::{Value, json};
use turnproof_reference::engine::{Engine, Input};
use turnproof_rules::operation::{RecordStep, RequestOptions};
use turnproof_suite::subject::{Outcome, Reference, Subject};

use super::wrong_types::{MISFITS, Misfit, member_misfits};
use super::*;

/// The members that a recorder sets itself (SPEC 3.2.2).
const SET_BY_RECORDERS: [&str; 3] = ["parentUuid", "logicalParentUuid", "sessionId"];

/// A message of a kind with a value of the right type for each known field, between two others.
fn list(kind: Kind) -> [Value; 4] {
    let call = json!({"type": "tool_use", "id": "toolu_1", "name": "Read", "input": {}});
    let server_call = json!({"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {}});
    let server_result = json!({"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": []});
    let source = json!({"type": "base64", "media_type": "application/pdf", "data": "JVBERi0="});
    let first = json!({"type": "user", "uuid": "u1", "parentUuid": null, "message": {"role": "user", "content": "A"}});
    let reply = json!({"role": "assistant", "id": "msg_0", "content": [call]});
    let reply = json!({"type": "assistant", "uuid": "a1", "parentUuid": "u1", "message": reply});
    let content = match kind {
        Kind::User => json!([
            {"type": "tool_result", "tool_use_id": "toolu_1", "content": "fine", "is_error": false},
            {"type": "text", "text": "B"},
            {"type": "document", "source": source, "title": "a", "context": "b"},
            {"type": "image", "source": {"type": "url", "url": "https://a/b.png"}}
        ]),
        _ => json!([
            {"type": "thinking", "thinking": "hm", "signature": "c2ln"},
            {"type": "redacted_thinking", "data": "ZGF0YQ=="},
            server_call,
            server_result,
            {"type": "text", "text": "B"},
            {"type": "tool_use", "id": "toolu_2", "name": "Read", "input": {}}
        ]),
    };
    let mut middle = json!({"type": kind.name(), "uuid": "x1", "parentUuid": "a1", "timestamp": "t", "cwd": "/",
        "isMeta": false, "isVirtual": false, "content": "said", "subtype": "local_command"});
    if matches!(kind, Kind::User | Kind::Assistant) {
        middle["message"] = json!({"role": kind.name(), "id": "msg_1", "model": "m", "stop_reason": null,
            "usage": {"input_tokens": 1, "cache_creation": {}, "server_tool_use": {}}, "content": content});
        middle["content"].take();
    }
    if kind == Kind::Attachment {
        middle["attachment"] = json!({"type": "queued_command", "prompt": "C"});
    }
    let last = json!({"type": "user", "uuid": "u9", "parentUuid": "x1", "message": {"role": "user", "content": "Z"}});
    [first, reply, middle, last]
}

/// Puts a value that holds one misfit into a message. A block is put into the block of its type, or is a new one.
fn put(into: &mut Value, misfit: Value) {
    match (into, misfit) {
        (Value::Object(members), Value::Object(others)) => {
            for (name, other) in others {
                put(members.entry(name).or_insert(Value::Null), other);
            }
        }
        (Value::Array(elements), Value::Array(others)) => {
            for other in others {
                let is_same = |element: &&mut Value| other.is_object() && element["type"] == other["type"];
                match elements.iter_mut().find(is_same) {
                    Some(element) => put(element, other),
                    None => elements.push(other),
                }
            }
        }
        (into, misfit) => *into = misfit,
    }
}

/// The value without its misfit.
fn without(value: &Value) -> Value {
    let is_misfit = |value: &Value| MISFITS.contains(&value.to_string().as_str());
    match value {
        Value::Array(elements) => elements.iter().filter(|element| !is_misfit(element)).map(without).collect(),
        Value::Object(members) => {
            let kept = members.iter().filter(|(_, member)| !is_misfit(member));
            Value::Object(kept.map(|(name, member)| (name.clone(), without(member))).collect())
        }
        other => other.clone(),
    }
}

/// Each list that holds a misfit, the same without it, the misfit's path and the misfit.
fn lists() -> Vec<([Value; 4], [Value; 4], String, String)> {
    let mut found = Vec::new();
    for kind in Kind::ALL {
        for misfit in members_of(kind).flat_map(member_misfits) {
            let Misfit { value, path, .. } = misfit.tagged(kind.name());
            let wrong = MISFITS
                .into_iter()
                .find(|wrong| value.trim_end_matches(['}', ']']).ends_with(wrong.trim_end_matches(['}', ']'])));
            let mut with = list(kind);
            put(&mut with[2], serde_json::from_str(&value).unwrap());
            let without = [without(&with[0]), without(&with[1]), without(&with[2]), without(&with[3])];
            assert_ne!(with, without, "{value}");
            found.push((with, without, path, wrong.expect("a misfit").to_owned()));
        }
    }
    assert!(found.len() > 1_000, "only {}", found.len());
    found
}

fn text(list: &[Value]) -> String {
    Value::from(list.to_vec()).to_string()
}

#[track_caller]
fn read(output: Outcome<String>) -> Vec<Value> {
    match output {
        Outcome::Output(text) => serde_json::from_str(&text).unwrap(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_request_is_the_one_without_the_misfit() {
    for (with, without, path, _) in lists() {
        let request = |list: &[Value]| match Reference.normalize_api(&text(list), &RequestOptions::default()) {
            Outcome::Output(request) => request,
            other => panic!("{other:?}"),
        };
        assert_eq!(request(&with).turns, request(&without).turns, "{path}");
        let after: Vec<Value> = serde_json::from_str(&request(&with).messages_after.unwrap()).unwrap();
        assert_eq!(after, with, "{path}");
        let incremental = |list: &[Value]| Reference.normalize_api_incremental(&text(list), &RequestOptions::default());
        assert_eq!(incremental(&with), incremental(&without), "{path}");
    }
}

#[test]
fn a_ui_shows_what_it_shows_without_the_misfit() {
    let show = |list: &[Value]| read(Reference.reorder_ui(&read_text(Reference.normalize_ui(&text(list)))));
    for (with, bare, path, _) in lists() {
        let is_element = path.ends_with(']') && path.starts_with("message.content");
        let shown = show(&with);
        assert_eq!(shown.len(), show(&bare).len() + usize::from(is_element), "{path}");
        if !is_element {
            let shown: Vec<Value> = shown.iter().map(without).collect();
            let expected: Vec<Value> = show(&bare).iter().map(without).collect();
            assert_eq!(shown, expected, "{path}");
        }
    }
}

fn read_text(output: Outcome<String>) -> String {
    Value::from(read(output)).to_string()
}

#[test]
fn a_recorder_writes_the_misfit_with_its_message() {
    for (with, bare, path, wrong) in lists() {
        let steps = |list: &[Value]| [RecordStep::List(text(list).into()), RecordStep::Flush];
        let file = |list: &[Value]| match Reference.record(b"", "s1", &steps(list)) {
            Outcome::Output(answers) => {
                let tip = answers[0].tip().map(|tip| tip.map(str::to_owned)).map_err(str::to_owned);
                (tip, String::from_utf8(answers[1].file.clone()).unwrap())
            }
            other => panic!("{other:?}"),
        };
        let ((tip, written), (expected_tip, expected)) = (file(&with), file(&bare));
        assert_eq!(tip, expected_tip, "{path}");
        let lines = |file: &str| -> Vec<Value> {
            file.lines().map(|line| without(&serde_json::from_str(line).unwrap())).collect()
        };
        assert_eq!(lines(&written), lines(&expected), "{path}");
        let is_written = written.contains("\"x1\"") && !SET_BY_RECORDERS.contains(&path.as_str());
        assert!(!is_written || written.contains(&wrong), "{path}: {written}");
    }
}

#[test]
fn a_resume_and_an_engine_bring_back_what_they_bring_back_without_the_misfit() {
    for (with, bare, path, _) in lists() {
        let file = |list: &[Value]| list.iter().map(|line| format!("{line}\n")).collect::<String>();
        let resumed = |file: &str| match Reference.resume(file.as_bytes()) {
            Outcome::Output(Some(conversation)) => conversation.records,
            other => panic!("{other:?}"),
        };
        let uuids = |file: &str| resumed(file).into_iter().map(|record| record.uuid).collect::<Vec<_>>();
        assert_eq!(uuids(&file(&with)), uuids(&file(&bare)), "{path}");
        for record in resumed(&file(&with)) {
            assert!(file(&with).contains(std::str::from_utf8(&record.bytes).unwrap()), "{path}");
        }
        let mut engine = Engine::new(FixedContext::new(1));
        for input in [Input::OtherWriter(file(&with)), Input::Crash(0), Input::Resume] {
            assert_eq!(engine.step(&input).refused, None);
        }
        let mut live: Vec<&str> = engine.messages().iter().filter_map(|event| event.message()?.uuid()).collect();
        live.retain(|uuid| ["u1", "a1", "x1", "u9"].contains(uuid));
        assert_eq!(live, uuids(&file(&bare)), "{path}");
        assert!(String::from_utf8_lossy(engine.transcript()).starts_with(&file(&with)), "{path}");
    }
}
