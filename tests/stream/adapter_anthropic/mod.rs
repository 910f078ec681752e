//! The accumulator of the Python package `anthropic` and this crate's, side by side: the same
//! message for whole streams, and each known difference as a test of its own.
//!
//! Needs a Python with the package (see `adapters/anthropic/README.md`): the one that `TURNPROOF_PYTHON` names, or
//! `python3`. Without it the tests say that they are skipped.

mod differences;
#[path = "../../../crates/turnproof-rules/tests/common/anthropic.rs"]
mod package;

use std::collections::HashMap;
use std::sync::OnceLock;

use crate::plans;
use package::{answers, python};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::Value;
use turnproof_reference::json::Raw;
use turnproof_reference::message::Typed;
use turnproof_reference::stream::{Accumulator, ModelEvent};

/// How many whole streams are compared.
const STREAMS: usize = 2500;

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../adapters/anthropic/accumulate.py");

/// A case as the script reads it.
fn case(events: &[String], beta: bool) -> String {
    format!(r#"{{"events":[{}],"beta":{beta}}}"#, events.join(","))
}

/// What both make of one case: the messages, the type of their error and the names of ours.
struct Both {
    theirs: Value,
    their_error: String,
    ours: Value,
    our_errors: Vec<&'static str>,
}

/// The answers to a difference, of all that are asked for in one process.
fn both(name: &str) -> Option<&'static Both> {
    static ANSWERS: OnceLock<Option<HashMap<&'static str, Both>>> = OnceLock::new();
    let ask = || {
        let cases = differences::cases();
        let asked = cases.iter().map(|(name, events)| case(events, name.starts_with("beta ")));
        let answers = answers(&python()?, SCRIPT, &asked.collect::<Vec<_>>());
        let read = |((name, events), answer): (&differences::Case, Value)| {
            let (ours, our_errors) = accumulate(events);
            let error = answer["error"].as_str().unwrap_or_default();
            let their_error = error.split(':').next().unwrap_or_default().to_owned();
            (*name, Both { theirs: answer["message"].clone(), their_error, ours, our_errors })
        };
        Some(cases.iter().zip(answers).map(read).collect())
    };
    ANSWERS.get_or_init(ask).as_ref().map(|answers| &answers[name])
}

/// Our message so far after these events, and the names of the errors on the way.
fn accumulate(events: &[String]) -> (Value, Vec<&'static str>) {
    let mut accumulator = Accumulator::new();
    let mut errors = Vec::new();
    for json in events {
        let event = ModelEvent::read(&Raw::from_json(json.clone()).expect("JSON"));
        let applied = event.and_then(|event| accumulator.apply(&event).map(drop));
        errors.extend(applied.err().map(|error| error.name()));
    }
    let message = accumulator.message().map(|message| message.write().get().to_owned());
    (message.map_or(Value::Null, |json| serde_json::from_str(&json).expect("JSON")), errors)
}

/// The members that both have to agree on.
fn compared(message: &Value) -> Value {
    let names = ["id", "type", "role", "model", "content", "stop_reason", "stop_sequence", "container"];
    let members = names.iter().map(|name| ((*name).to_owned(), message[*name].clone()));
    let mut compared: serde_json::Map<String, Value> = members.collect();
    compared.insert("usage".to_owned(), message["usage"].clone());
    Value::Object(compared)
}

/// Streams from a fixed seed, cut in many ways.
fn streams() -> Vec<(Vec<String>, Value)> {
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let strategy = (plans::replies(), proptest::collection::vec(0..6_usize, 0..40));
    let stream = |_| {
        let (reply, cuts) = strategy.new_tree(&mut runner).expect("a reply").current();
        let events = reply.events(&cuts);
        // Python cannot encode half of a surrogate pair in an input; a test below shows it.
        let has_half = events.iter().any(|event| serde_json::from_str::<Value>(event).is_err());
        (if has_half { reply.events(&[]) } else { events }, reply.message())
    };
    (0..STREAMS).map(stream).collect()
}

#[test]
fn whole_streams_give_the_same_message() {
    let Some(python) = python() else { return };
    let streams = streams();
    let cases = streams.iter().map(|(events, _)| case(events, false));
    let answers: Vec<Value> = answers(&python, SCRIPT, &cases.collect::<Vec<_>>());
    for ((events, described), theirs) in streams.iter().zip(&answers) {
        let (ours, errors) = accumulate(events);
        assert!(errors.is_empty(), "{errors:?}: {events:#?}");
        assert_eq!(&ours, described, "{events:#?}");
        assert_eq!(compared(&ours), compared(&theirs["message"]), "{theirs}\n{events:#?}");
        assert_eq!(ours["stop_details"], theirs_details(events, &theirs["message"]), "{events:#?}");
    }
    let blocks: usize = streams.iter().map(|(_, message)| message["content"].as_array().map_or(0, Vec::len)).sum();
    eprintln!("{STREAMS} streams with {blocks} blocks agree");
}

/// The details that Python should have. It forgets them when a later event has no details.
fn theirs_details(events: &[String], theirs: &Value) -> Value {
    let lates = events.iter().filter(|event| event.contains("\"type\":\"message_delta\""));
    let details =
        lates.map(|event| serde_json::from_str::<Value>(event).expect("JSON")["delta"]["stop_details"].clone());
    let details: Vec<Value> = details.collect();
    assert_eq!(details.last(), Some(&theirs["stop_details"]));
    details.iter().rev().find(|details| !details.is_null()).cloned().unwrap_or_default()
}
