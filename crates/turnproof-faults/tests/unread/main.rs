//! Unread faults really do something else than the reference, and none of them panics.

use std::collections::BTreeMap;
use std::fmt::Debug;

use serde_json::value::RawValue;
use turnproof::operation::Value;
use turnproof::operation::{FactoryCall, Folding, Host, Moment, Plain, RecordStep, RequestOptions, StreamItem};
use turnproof::subject::{Outcome, Reference, Subject};
use turnproof_faults::unread::trial::Trial;
use turnproof_faults::unread::{Unread, faults, harmless};

const MESSAGES: &str = include_str!("inputs/messages.json");
const FILES: &str = include_str!("inputs/files.json");
const STREAMS: &str = include_str!("inputs/streams.json");
const SESSIONS: &str = include_str!("inputs/record.json");
const CALLS: &str = include_str!("inputs/make.json");
const IDS: &str = include_str!("inputs/ids.json");
const REQUESTS: &str = include_str!("inputs/requests.jsonl");
const CONVERSATIONS: &str = include_str!("inputs/play.json");

fn read<T: serde::de::DeserializeOwned>(json: &str) -> T {
    serde_json::from_str(json).expect("hand-made inputs are JSON")
}

fn shown(answer: impl Debug) -> String {
    format!("{answer:?}")
}

/// The lists of messages, as text (some hold halves of surrogate pairs), with the context.
fn lists() -> Vec<(String, RequestOptions)> {
    let raw: Vec<BTreeMap<String, Box<RawValue>>> = read(MESSAGES);
    let one = |list: BTreeMap<String, Box<RawValue>>| {
        (list["messages"].get().to_owned(), RequestOptions { context: read(list["context"].get()) })
    };
    raw.into_iter().map(one).collect()
}

/// How an answer is compared: to the byte, or by what its JSON says.
#[derive(Clone, Copy, PartialEq)]
enum By {
    Byte,
    Value,
}

impl By {
    fn json(self, json: &str) -> String {
        match Plain::read(json) {
            Ok(plain) if self == Self::Value => plain.value.to_string(),
            _ => json.to_owned(),
        }
    }

    fn list(self, answer: Outcome<String>) -> String {
        shown(answer.into_answer().map(|answer| answer.map(|json| self.json(&json))))
    }

    /// A transcript; the members of a line are compared by their names, so that numbers keep their digits.
    fn file(self, bytes: &[u8]) -> String {
        let line = |line: &str| match serde_json::from_str::<BTreeMap<String, Box<RawValue>>>(line) {
            Ok(members) if self == Self::Value => {
                members.iter().map(|(name, member)| format!("{name}={} ", self.shallow(member.get()))).collect()
            }
            _ => line.to_owned(),
        };
        String::from_utf8_lossy(bytes).split('\n').map(line).collect::<Vec<_>>().join("\n")
    }

    fn shallow(self, json: &str) -> String {
        if json.starts_with('{') || json.starts_with('[') { self.json(json) } else { json.to_owned() }
    }
}

/// What a subject answers to all hand-made inputs of an operation.
fn answers(subject: &dyn Subject, operation: &str, by: By) -> Vec<String> {
    let files: Vec<String> = read(FILES);
    match operation {
        "parse" => files.iter().map(|file| shown(subject.parse(file.as_bytes()))).collect(),
        "resume" => files.iter().map(|file| shown(subject.resume(file.as_bytes()))).collect(),
        "usage" => files.iter().map(|file| shown(subject.usage(&[file.clone().into_bytes()]))).collect(),
        "normalize_api" => lists().iter().flat_map(|(list, options)| requests(subject, list, options, by)).collect(),
        "normalize_ui" => lists().iter().map(|(list, _)| by.list(subject.normalize_ui(list))).collect(),
        "reorder_ui" => lists().iter().map(|(list, _)| by.list(subject.reorder_ui(list))).collect(),
        "fold" => lists().iter().flat_map(|(list, _)| folded(subject, list, by)).collect(),
        "derive_uuid" => {
            let of = |id: &String| [255, 1 << 40, 1 << 48].map(|index| shown(subject.derive_uuid(id, index)));
            read::<Vec<String>>(IDS).iter().flat_map(of).collect()
        }
        "short_id" => read::<Vec<String>>(IDS).iter().map(|id| shown(subject.short_id(id))).collect(),
        "record" => read::<Vec<Value>>(SESSIONS).iter().map(|session| recorded(subject, session, by)).collect(),
        "accumulate" => {
            read::<Vec<Vec<StreamItem>>>(STREAMS).iter().flat_map(|items| accumulated(subject, items, by)).collect()
        }
        "make" => read::<Vec<FactoryCall>>(CALLS).iter().flat_map(|call| made(subject, call, by)).collect(),
        "play" => read::<Vec<Value>>(CONVERSATIONS).iter().map(|inputs| played(subject, inputs, by)).collect(),
        "check_request" => {
            let check = |request| Host::ALL.map(|host| shown(subject.check_request(request, host)));
            REQUESTS.lines().flat_map(check).collect()
        }
        other => panic!("no inputs for {other}"),
    }
}

fn requests(subject: &dyn Subject, list: &str, options: &RequestOptions, by: By) -> Vec<String> {
    let request = subject.normalize_api(list, options).into_answer().expect("it makes requests");
    let mut answers = vec![shown(request.as_ref().map(|request| by.json(&request.turns)))];
    let after = request.ok().and_then(|request| request.messages_after).map(|after| by.json(&after));
    answers.extend(after.filter(|after| *after != by.json(list)));
    // A subject may not do this: only what differs counts.
    let states = |subject: &dyn Subject| subject.normalize_api_incremental(list, options).into_answer();
    if let (Some(Ok(own)), Some(Ok(right))) = (states(subject), states(&Reference)) {
        answers.extend(own.iter().zip(&right).filter(|(own, right)| by.json(own) != by.json(right)).map(shown));
    }
    answers
}

fn accumulated(subject: &dyn Subject, items: &[StreamItem], by: By) -> Vec<String> {
    let output = subject.accumulate(items).into_answer().expect("it takes streams").expect("it takes this one");
    let lists = [Some(output.events), Some(output.live), output.slots, output.messages];
    lists.into_iter().map(|list| shown(list.map(|list| by.json(&list)))).chain([shown(output.fault)]).collect()
}

fn made(subject: &dyn Subject, call: &FactoryCall, by: By) -> Vec<String> {
    let made = subject.make(call).into_answer().expect("it has factories").expect("it has this one");
    made.iter().map(|one| format!("{} {:?}", by.json(&one.message), one.predicates)).collect()
}

fn played(subject: &dyn Subject, inputs: &Value, by: By) -> String {
    let mut played = subject.play(&inputs.to_string()).into_answer().expect("it has a loop").expect("it plays this");
    let mut files = vec![by.file(&played.transcript)];
    for moment in &mut played.moments {
        if let Moment::Requested { transcript, .. } | Moment::Crashed(transcript) = moment {
            files.push(by.file(&std::mem::take(transcript)));
        }
    }
    format!("{:?} {}", played.moments, files.concat())
}

fn folded(subject: &dyn Subject, list: &str, by: By) -> Vec<String> {
    let mut answers = vec![by.list(subject.unfold(list)), by.list(subject.bridge(list))];
    for folding in [Folding::Group, Folding::Collapse] {
        let answer = subject.fold(list, folding);
        if let Some(Ok(output)) = answer.clone().into_answer() {
            answers.extend([by.list(subject.unfold(&output)), by.list(subject.bridge(&output))]);
        }
        answers.push(by.list(answer));
    }
    answers
}

fn recorded(subject: &dyn Subject, session: &Value, by: By) -> String {
    let steps: Vec<RecordStep> = read(&session["steps"].to_string());
    let before = session["before"].as_str().unwrap_or_default();
    let answer = subject.record(before.as_bytes(), session["session"].as_str().unwrap_or_default(), &steps);
    let files = answer.into_answer().expect("it records").expect("it answers each step");
    files.iter().map(|answer| format!("{:?} {}\n", answer.tip, by.file(&answer.file))).collect()
}

/// Those that answer as the reference does, whatever they are asked.
fn idle(all: impl Iterator<Item = &'static Unread>, by: By) -> Vec<&'static str> {
    let mut right: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let mut is_idle = |one: &&Unread| {
        let operation = one.operation();
        let right = right.entry(operation).or_insert_with(|| answers(&Reference, operation, by));
        answers(&one.subject(), operation, by) == *right
    };
    // One that panics fails the test.
    all.filter(|one| is_idle(one)).map(|one| one.id).collect()
}

#[test]
fn each_unread_fault_changes_an_answer_or_breaks_a_rule() {
    let idle = idle(faults().filter(|fault| fault.withdrawn.is_none()), By::Value);
    let idle: Vec<&Unread> = faults().filter(|fault| idle.contains(&fault.id)).collect();
    // What no input by hand shows is seen in generated cases.
    let trial = Trial { seed: 1, seeds: 2, cases: 1_000, stops: true };
    let unseen = idle.iter().zip(trial.of(&idle, &|_| {})).filter(|(_, broken)| broken.is_empty());
    assert_eq!(unseen.map(|(fault, _)| fault.id).collect::<Vec<_>>(), Vec::<&str>::new());
}

#[test]
fn each_harmless_variant_changes_an_answer() {
    assert_eq!(idle(harmless(), By::Byte), Vec::<&str>::new());
}

#[test]
fn another_order_of_members_is_no_change() {
    let orders = ["harmless/normalize_ui/other-order-of-members", "harmless/play/other-order-of-members"];
    assert_eq!(idle(harmless().filter(|one| orders.contains(&one.id)), By::Value), orders);
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
