//! Unread faults really do something else than the reference, and none of them panics.

use std::fmt::Debug;

use serde_json::Value;
use turnproof::operation::{FactoryCall, Folding, Host, RecordStep, RequestOptions, StreamItem};
use turnproof::subject::{Reference, Subject};
use turnproof_faults::unread::{Unread, faults, harmless};

const MESSAGES: &str = include_str!("inputs/messages.json");
const FILES: &str = include_str!("inputs/files.json");
const STREAMS: &str = include_str!("inputs/streams.json");
const SESSIONS: &str = include_str!("inputs/record.json");
const CALLS: &str = include_str!("inputs/make.json");
const IDS: &str = include_str!("inputs/ids.json");
const CONVERSATIONS: &str = include_str!("inputs/play.json");

fn read<T: serde::de::DeserializeOwned>(json: &str) -> T {
    serde_json::from_str(json).expect("hand-made inputs are JSON")
}

fn shown(answer: impl Debug) -> String {
    format!("{answer:?}")
}

/// The lists of messages, as text (some hold halves of surrogate pairs), with the context.
fn lists() -> Vec<(String, RequestOptions)> {
    let raw: Vec<std::collections::BTreeMap<String, Box<serde_json::value::RawValue>>> = read(MESSAGES);
    let one = |list: std::collections::BTreeMap<String, Box<serde_json::value::RawValue>>| {
        (list["messages"].get().to_owned(), RequestOptions { context: read(list["context"].get()) })
    };
    raw.into_iter().map(one).collect()
}

/// What a subject answers to all hand-made inputs of an operation.
fn answers(subject: &dyn Subject, operation: &str) -> Vec<String> {
    let files: Vec<String> = read(FILES);
    match operation {
        "parse" => files.iter().map(|file| shown(subject.parse(file.as_bytes()))).collect(),
        "resume" => files.iter().map(|file| shown(subject.resume(file.as_bytes()))).collect(),
        "usage" => files.iter().map(|file| shown(subject.usage(&[file.clone().into_bytes()]))).collect(),
        "normalize_api" => lists()
            .iter()
            .flat_map(|(list, options)| {
                let whole = subject.normalize_api(list, options);
                [shown(whole), shown(subject.normalize_api_incremental(list, options))]
            })
            .collect(),
        "normalize_ui" => lists().iter().map(|(list, _)| shown(subject.normalize_ui(list))).collect(),
        "reorder_ui" => lists().iter().map(|(list, _)| shown(subject.reorder_ui(list))).collect(),
        "fold" => lists().iter().flat_map(|(list, _)| folded(subject, list)).collect(),
        "derive_uuid" => read::<Vec<String>>(IDS).iter().map(|id| shown(subject.derive_uuid(id, 255))).collect(),
        "short_id" => read::<Vec<String>>(IDS).iter().map(|id| shown(subject.short_id(id))).collect(),
        "record" => read::<Vec<Value>>(SESSIONS).iter().map(|session| recorded(subject, session)).collect(),
        "accumulate" => {
            read::<Vec<Vec<StreamItem>>>(STREAMS).iter().map(|items| shown(subject.accumulate(items))).collect()
        }
        "make" => read::<Vec<FactoryCall>>(CALLS).iter().map(|call| shown(subject.make(call))).collect(),
        "play" => read::<Vec<Value>>(CONVERSATIONS).iter().map(|inputs| shown(subject.play(&inputs.to_string()))).collect(),
        "check_request" => {
            let requests = [r#"[{"role":"user","content":"a"},{"role":"assistant","content":[]},{"role":"user","content":"b"}]"#, "[]"];
            requests.iter().map(|request| shown(subject.check_request(request, Host::Strict))).collect()
        }
        other => panic!("no inputs for {other}"),
    }
}

fn folded(subject: &dyn Subject, list: &str) -> Vec<String> {
    let mut answers = vec![shown(subject.unfold(list)), shown(subject.bridge(list))];
    for folding in [Folding::Group, Folding::Collapse] {
        let answer = subject.fold(list, folding);
        if let Some(Ok(output)) = answer.clone().into_answer() {
            answers.extend([shown(subject.unfold(&output)), shown(subject.bridge(&output))]);
        }
        answers.push(shown(answer));
    }
    answers
}

fn recorded(subject: &dyn Subject, session: &Value) -> String {
    let steps: Vec<RecordStep> = read(&session["steps"].to_string().replace("1.2345678901234568e29", "1"));
    let before = session["before"].as_str().unwrap_or_default();
    let answer = subject.record(before.as_bytes(), session["session"].as_str().unwrap_or_default(), &steps);
    let files = answer.into_answer().expect("it records").expect("it answers each step");
    files.iter().map(|answer| format!("{:?} {}\n", answer.tip, String::from_utf8_lossy(&answer.file))).collect()
}

/// Those that answer as the reference does, whatever they are asked.
fn idle(all: impl Iterator<Item = &'static Unread>) -> Vec<&'static str> {
    let is_idle = |one: &&Unread| answers(&one.subject(), one.operation()) == answers(&Reference, one.operation());
    all.filter(is_idle).map(|one| one.id).collect()
}

#[test]
fn each_unread_fault_changes_an_answer() {
    assert_eq!(idle(faults().filter(|fault| fault.withdrawn.is_none())), Vec::<&str>::new());
}

#[test]
fn each_harmless_variant_changes_an_answer() {
    assert_eq!(idle(harmless()), Vec::<&str>::new());
}

#[test]
fn ids_are_told_apart() {
    let mut ids: Vec<&str> = faults().chain(harmless()).map(|one| one.id).collect();
    let count = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), count);
    assert!(count >= 230, "{count}");
}
