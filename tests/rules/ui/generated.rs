//! A plain *subject* that does both operations in the simplest way, judged on generated messages.

use std::collections::BTreeMap;

use crate::families;
use serde_json::{Value, json};
use turnproof_rules::operation::{List, UiNormalized, UiReordered};
use turnproof_rules::rules::Verdict;
use turnproof_suite::scenario::{Case, Profile, Scenario};

use super::{RULES, given};

fn is_message(event: &Value) -> bool {
    let passing = ["tombstone", "tool_use_summary", "stream_event", "stream_request_start"];
    !passing.iter().any(|kind| event["type"] == *kind)
}

/// Splits messages.
fn split(messages: &[Value]) -> Value {
    let mut output = Vec::new();
    let mut derives = false;
    for message in messages.iter().filter(|message| is_message(message)) {
        if message["type"] != "user" && message["type"] != "assistant" {
            output.push(message.clone());
            continue;
        }
        let blocks = match &message["message"]["content"] {
            Value::String(text) => vec![json!({"type": "text", "text": text})],
            Value::Array(blocks) => blocks.clone(),
            _ => Vec::new(),
        };
        derives |= blocks.len() > 1;
        let mut images = 0;
        for (index, block) in blocks.iter().enumerate() {
            let mut part = message.clone();
            if let (true, Some(id)) = (derives, message["uuid"].as_str()) {
                part["uuid"] = json!(format!("{}{index:012x}", id.chars().take(24).collect::<String>()));
            }
            let members = part.as_object_mut().unwrap();
            members.remove("imagePasteIds");
            if block["type"] == "image" {
                if let Some(id) = message["imagePasteIds"].get(images) {
                    members.insert("imagePasteIds".into(), json!([id]));
                }
                images += 1;
            }
            part["message"]["content"] = json!([block]);
            output.push(part);
        }
    }
    Value::from(output)
}

/// The output of progress, under its present or its older name.
fn output(message: &Value) -> &Value {
    if message["data"].is_null() { &message["progress"] } else { &message["data"] }
}

/// What a message is about: the id of a call, and its place in the order of such messages (0 is the call).
fn place(message: &Value) -> Option<(&str, u8)> {
    let hook = |notice: &Value| match notice["hookEvent"].as_str() {
        Some("PreToolUse") => Some(1),
        Some("PostToolUse" | "PostToolUseFailure") => Some(3),
        _ => None,
    };
    let content = message["message"]["content"].as_array();
    let only = content.filter(|blocks| blocks.len() == 1).map(|blocks| &blocks[0]);
    match message["type"].as_str()? {
        "assistant" => only.filter(|block| block["type"] == "tool_use")?["id"].as_str().map(|id| (id, 0)),
        "user" => only.filter(|block| block["type"] == "tool_result")?["tool_use_id"].as_str().map(|id| (id, 2)),
        "attachment" => {
            let attachment = &message["attachment"];
            let is_hook = attachment["type"].as_str()?.starts_with("hook_");
            Some((attachment["toolUseID"].as_str().filter(|_| is_hook)?, hook(attachment)?))
        }
        "hook_result" => Some((message["toolUseID"].as_str()?, hook(message)?)),
        "progress" if output(message)["type"] == "hook_progress" => {
            Some((message["toolUseID"].as_str()?, hook(output(message))?))
        }
        _ => None,
    }
}

/// Orders messages, quadratic and plain.
fn reorder(messages: &[Value]) -> Value {
    let messages: Vec<&Value> = messages.iter().filter(|message| is_message(message)).collect();
    let reply = |at: usize| messages[at]["message"]["id"].as_str().filter(|reply| !reply.is_empty());
    let is_call = |at: usize, id: &str| place(messages[at]) == Some((id, 0));
    let begins = |at: usize, id: &str| {
        is_call(at, id) && !(0..at).any(|it| is_call(it, id) && reply(it).is_some() && reply(it) == reply(at))
    };
    let caller = |at: usize, id: &str| (0..at).rev().chain(at..messages.len()).find(|&other| begins(other, id));
    let mut output = Vec::new();
    for (at, message) in messages.iter().enumerate() {
        match place(message) {
            Some((id, 0)) => {
                output.push((*message).clone());
                for role in 1..=3 {
                    let is_own =
                        |&other: &usize| place(messages[other]) == Some((id, role)) && caller(other, id) == Some(at);
                    output.extend((0..messages.len()).filter(is_own).map(|other| messages[other].clone()));
                }
            }
            Some((id, _)) if caller(at, id).is_some() => {}
            _ => output.push((*message).clone()),
        }
    }
    Value::from(output)
}

#[test]
fn a_right_subject_holds_every_rule_on_generated_messages() {
    let mut held: BTreeMap<&str, u32> = BTreeMap::new();
    for case in 0..2_000 {
        let plan = Scenario::from_seed(4, case, Profile::ALL[case as usize % 2]);
        let messages = List::of(Case::of(&plan).messages()).plain().expect("JSON");
        let events: Vec<Value> = messages.elements().iter().cloned().map(Value::from).collect();
        let output = split(&events);
        let normalized = UiNormalized {
            messages: messages.clone(),
            again: Some(given(output.clone())),
            shorter: (0..events.len()).map(|count| Some(given(split(&events[..count])))).collect(),
            output: given(output),
        };
        let order = reorder(&events);
        let again = reorder(order.as_array().unwrap());
        let reordered = UiReordered {
            messages,
            again: Some(given(order.clone())),
            reordered: Some(given(again)),
            output: given(order),
        };
        let verdicts = [families::verdicts("ui", &normalized), families::verdicts("ui", &reordered)];
        for (rule, verdict) in verdicts.into_iter().flatten() {
            assert!(!verdict.is_broken(), "{verdict:?}\n{plan:?}");
            *held.entry(rule.id).or_default() += u32::from(verdict == Verdict::Holds);
        }
    }
    for rule in RULES {
        assert!(held[rule] > 50, "{held:?}");
    }
}
