//! A small *library* for the tests of the matrix: the one that its first argument names. There is one of each class.

use std::io;

use serde_json::{Value, json};
use turnproof_rules::operation::{Host, RepairedFile, RequestOptions, RequestText, StreamItem, StreamText, violations};
use turnproof_rules::rules::{Judge, Rule};
use turnproof_suite::subject::program::serve;
use turnproof_suite::subject::program::wire::Announcement;
use turnproof_suite::subject::{Outcome, Reference, Subject};

/// A library, by what it does.
struct Stub(String);

fn main() {
    let manner = std::env::args().nth(1).unwrap_or_default();
    let announcement = Announcement {
        name: manner.clone(),
        version: Some("1.0.0".to_owned()),
        operations: vec![operation(&manner).to_owned()],
        // What it reads again it reads by a strict reader.
        lone_surrogates: manner != "misreads",
        ..Announcement::default()
    };
    serve(&Stub(manner), &announcement, &mut io::stdin().lock(), &mut io::stdout().lock()).expect("lines");
}

/// What a library does, by its name.
fn operation(manner: &str) -> &'static str {
    match manner {
        "misreads" => "accumulate",
        "mends" | "leaves" | "declines" | "shortens" => "repair",
        _ => "normalize_api",
    }
}

impl Subject for Stub {
    fn name(&self) -> &str {
        &self.0
    }

    fn normalize_api(&self, messages: &str, options: &RequestOptions) -> Outcome<RequestText> {
        let list: Vec<Value> = serde_json::from_str(messages).expect("a list");
        let turns: Vec<Value> = list.into_iter().map(|mut message| message["message"].take()).collect();
        match self.0.as_str() {
            "repairs" => Reference.normalize_api(messages, options),
            "refuses" => refusing(turns),
            "forgets-failures" => forgetful(turns),
            "dies-of-pictures" => dying(turns),
            _ => sent(turns),
        }
    }

    fn repair(&self, file: &[u8]) -> Outcome<RepairedFile> {
        let unnamed = |bytes: Vec<u8>| Outcome::Output(RepairedFile { bytes, changes: None, removed: None });
        match (self.0.as_str(), Reference.repair(file)) {
            ("mends", Outcome::Output(repaired)) => unnamed(repaired.bytes),
            ("declines", Outcome::Output(repaired)) if repaired.bytes != file => {
                Outcome::Rejected("this is damaged".to_owned())
            }
            // The first line is gone, whatever it is.
            ("shortens", Outcome::Output(_)) => {
                let first = file.iter().position(|&byte| byte == b'\n').map_or(file.len(), |end| end + 1);
                unnamed(file[first..].to_vec())
            }
            (_, Outcome::Output(_)) => unnamed(file.to_vec()),
            (_, refused) => refused,
        }
    }

    fn accumulate(&self, items: &[StreamItem]) -> Outcome<StreamText> {
        match Reference.accumulate(items) {
            Outcome::Output(read) => match read.messages.as_deref().map(misread).transpose() {
                Ok(messages) => Outcome::Output(StreamText { messages, ..read }),
                // A number beyond doubles that came in bytes.
                Err(_) => Outcome::Unsupported,
            },
            refused => refused,
        }
    }
}

/// Loses one member of messages that call a tool, and another one of all others.
fn misread(messages: &str) -> serde_json::Result<String> {
    let mut messages: Vec<Value> = serde_json::from_str(messages)?;
    for message in &mut messages {
        let is_call = blocks(message).iter().any(|block| block["type"] == "tool_use");
        message.as_object_mut().map(|message| message.remove(if is_call { "usage" } else { "stop_reason" }));
    }
    Ok(Value::from(messages).to_string())
}

fn sent(turns: Vec<Value>) -> Outcome<RequestText> {
    Outcome::Output(RequestText { turns: Value::from(turns).to_string(), messages_after: None })
}

/// Sends what is legal once neighbours of one role are joined, if each turn says something, and refuses all else.
fn refusing(turns: Vec<Value>) -> Outcome<RequestText> {
    if turns.iter().any(|turn| blocks(turn).is_empty()) {
        return Outcome::Rejected("a turn is empty".to_owned());
    }
    let mut joined: Vec<Value> = Vec::new();
    for turn in &turns {
        match joined.last_mut().filter(|last| last["role"] == turn["role"]) {
            Some(last) => {
                let both = [blocks(last), blocks(turn)].concat();
                last["content"] = both.into();
            }
            None => joined.push(turn.clone()),
        }
    }
    let Ok(violations) = violations(&Value::from(joined).to_string(), Host::Portable) else {
        return Outcome::Rejected("this is no request".to_owned());
    };
    let is_structural = |rule: &Rule| matches!(rule.judge, Judge::Request { structural: true, .. });
    match violations.iter().find(|(rule, _)| is_structural(rule)) {
        Some((_, violation)) => Outcome::Rejected(violation.found.to_string()),
        None => sent(turns),
    }
}

/// Knows no errors of tools and loses `is_error`. It has no type for documents.
fn forgetful(mut turns: Vec<Value>) -> Outcome<RequestText> {
    if turns.iter().any(|turn| blocks(turn).iter().any(|block| block["type"] == "document")) {
        return Outcome::Unsupported;
    }
    for block in turns.iter_mut().filter_map(|turn| turn["content"].as_array_mut()).flatten() {
        block.as_object_mut().map(|block| block.remove("is_error"));
    }
    sent(turns)
}

/// Ends at the first image that a user shows.
fn dying(turns: Vec<Value>) -> Outcome<RequestText> {
    if turns.iter().any(|turn| blocks(turn).iter().any(|block| block["type"] == "image")) {
        std::process::exit(70);
    }
    sent(turns)
}

/// The blocks of a turn; a text as content is one.
fn blocks(turn: &Value) -> Vec<Value> {
    match &turn["content"] {
        Value::String(text) => vec![json!({"type": "text", "text": text})],
        content => content.as_array().cloned().unwrap_or_default(),
    }
}
