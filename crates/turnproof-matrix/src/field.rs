//! A *field* is what is judged of one operation: which inputs are legal as they are, and which rules are asked.
//!
//! The rules are those whose page says what harm it is to break them. Of requests they are the rules that every client
//! must keep (SPEC 10.4.2). Of a repair, a sound file counts as legal, and a damaged one as illegal.

use std::collections::BTreeSet;

use turnproof_rules::operation::{Host, Operation, Repaired, RepairedFile, Request, StreamItem, Value};
use turnproof_rules::rules::{CATALOGUE, Judge, Rule, Verdict, Violation, find};
use turnproof_suite::scenario::plain::is_legal;
use turnproof_suite::scenario::{Case, Profile, Scenario};
use turnproof_suite::subject::{Outcome, Reference, Subject};
use turnproof_suite::suite::{Depth, Observed, every_client, judge};

/// What is judged of one operation.
pub(crate) struct Field {
    /// The operation.
    pub operation: Operation,
    /// The rules that are asked, in the order of the catalogue.
    pub rules: Vec<&'static Rule>,
}

impl Field {
    /// The field of an operation; `None` for operations that no adapter has.
    pub(crate) fn of(operation: Operation) -> Option<Self> {
        let is_asked = |rule: &&'static Rule| rule.operation() == operation && rule.harm.is_some();
        let rules: Vec<_> = CATALOGUE.iter().copied().filter(is_asked).collect();
        (!rules.is_empty()).then_some(Self { operation, rules })
    }

    /// The profiles whose cases are played.
    pub(crate) fn profiles(&self) -> Vec<Profile> {
        match self.operation {
            Operation::NormalizeApi => vec![Profile::Plain],
            // What a client writes, with what crashes leave of it.
            Operation::Resume | Operation::Repair => vec![Profile::Causal],
            _ => Profile::ALL.to_vec(),
        }
    }

    /// How much is asked about a case of this number. Most libraries are slow, so the same question comes twice only in
    /// one case of four.
    pub(crate) fn depth(&self, case: u64) -> Depth {
        match (self.operation, case % 4) {
            (Operation::NormalizeApi, 0) => Depth::One(0),
            (Operation::NormalizeApi, _) => Depth::One(3),
            (_, rest) => Depth::One(rest),
        }
    }

    /// The least that must be asked for a verdict of a rule.
    pub(crate) fn least_depth(&self, rule: &str) -> Depth {
        match (self.operation, rule) {
            (_, rule) if rule.ends_with("/deterministic") || rule.ends_with("/pure") => Depth::One(0),
            (Operation::NormalizeApi, _) => Depth::One(3),
            (Operation::Accumulate, "stream/chunking-invariant") => Depth::One(1),
            _ => Depth::One(0),
        }
    }

    /// Whether the input is legal as it is.
    pub(crate) fn is_legal(&self, scenario: &Scenario) -> bool {
        match self.operation {
            Operation::NormalizeApi => is_legal(scenario.turns()),
            Operation::Accumulate => Case::of(scenario).streams().iter().all(|stream| is_orderly(stream)),
            Operation::Repair => is_healthy(scenario),
            _ => is_sound(Case::of(scenario).transcript()),
        }
    }

    /// Whether rules are asked of illegal inputs: of streams and files that are damaged they are not.
    pub(crate) fn judges_illegal(&self) -> bool {
        matches!(self.operation, Operation::NormalizeApi | Operation::Repair)
    }

    /// What a rule says of what a subject did.
    pub(crate) fn judge(&self, rule: &'static Rule, scenario: &Scenario, observed: &Observed) -> Option<Verdict> {
        match self.operation {
            Operation::NormalizeApi => every_client::judge(rule, scenario, observed),
            _ => judge(rule, observed),
        }
    }

    /// The rules that the input itself breaks.
    pub(crate) fn broken_before(&self, scenario: &Scenario) -> BTreeSet<&'static str> {
        match self.operation {
            Operation::NormalizeApi => broken_by_history(&self.rules, scenario),
            Operation::Repair => broken_by_file(&self.rules, scenario),
            _ => BTreeSet::new(),
        }
    }
}

/// The input as people read it: a message, an event or a line each.
pub(crate) fn input(operation: Operation, scenario: &Scenario) -> Vec<serde_json::Value> {
    let case = Case::of(scenario);
    let read = |text: &str| serde_json::from_str(text).unwrap_or_else(|_| text.into());
    match operation {
        Operation::NormalizeApi => case.messages().iter().map(|message| read(message)).collect(),
        Operation::Accumulate => {
            let item = |item: &StreamItem| match item {
                StreamItem::Event(event) => read(event),
                StreamItem::Bytes(bytes) => String::from_utf8_lossy(bytes).into_owned().into(),
                StreamItem::Message(message) => serde_json::json!({"message": read(message)}),
                StreamItem::Abandon => "abandon".into(),
            };
            case.streams().iter().flatten().map(item).collect()
        }
        _ => {
            let text = String::from_utf8_lossy(case.transcript()).into_owned();
            text.lines().map(read).collect()
        }
    }
}

/// Whether a stream is one that the API sends: whole, in order, and not given up.
fn is_orderly(stream: &[StreamItem]) -> bool {
    let is_given_up = stream.iter().any(|item| matches!(item, StreamItem::Abandon | StreamItem::Message(_)));
    let fault = || match Reference.accumulate(stream) {
        Outcome::Output(streamed) => streamed.fault.is_some(),
        _ => true,
    };
    !is_given_up && !fault()
}

/// Whether a file holds nothing but records.
fn is_sound(file: &[u8]) -> bool {
    match Reference.parse(file) {
        Outcome::Output(parsed) => {
            parsed.rejected.is_empty() && parsed.reports.is_none_or(|reports| reports.is_empty())
        }
        _ => false,
    }
}

/// What is observed of somebody who repairs nothing.
fn unrepaired(scenario: &Scenario) -> Observed {
    let file = Case::of(scenario).transcript().to_vec();
    let same = RepairedFile { bytes: file.clone(), changes: Some(Vec::new()), removed: Some(Vec::new()) };
    Observed {
        repair: Some(Ok(vec![Repaired { file, answer: Ok(same), again: None, repeated: None }])),
        ..Observed::default()
    }
}

/// Whether nothing is wrong with a file, so that a repair has to leave it as it is.
fn is_healthy(scenario: &Scenario) -> bool {
    let minimal = find("repair/minimal").and_then(|rule| judge(rule, &unrepaired(scenario)));
    minimal == Some(Verdict::Holds)
}

/// The rules on repairs that a file breaks as it is.
fn broken_by_file(rules: &[&'static Rule], scenario: &Scenario) -> BTreeSet<&'static str> {
    let observed = unrepaired(scenario);
    let is_broken = |rule: &&&'static Rule| judge(rule, &observed).is_some_and(|verdict| verdict.is_broken());
    rules.iter().filter(is_broken).map(|rule| rule.id).collect()
}

/// The rules on requests that a history breaks when it is sent as it is, or with neighbours of one role joined.
fn broken_by_history(rules: &[&'static Rule], scenario: &Scenario) -> BTreeSet<&'static str> {
    let as_it_is: Vec<Value> = Case::of(scenario)
        .messages()
        .iter()
        .filter_map(|message| serde_json::from_str::<Value>(message).ok()?.get("message").cloned())
        .collect();
    let mut joined: Vec<Value> = Vec::new();
    for turn in &as_it_is {
        match joined.last_mut().filter(|last| last.get("role") == turn.get("role")) {
            Some(last) => {
                let both: Vec<Value> = blocks(last).into_iter().chain(blocks(turn)).collect();
                last["content"] = Value::Array(both);
            }
            None => joined.push(turn.clone()),
        }
    }
    let broken = |turns: Vec<Value>| {
        let request = Request { messages: turns, ..Request::default() };
        let is_broken = move |rule: &&'static Rule| !on_request(rule, &request, Host::Portable).is_empty();
        rules.iter().copied().filter(is_broken).map(|rule| rule.id).collect::<BTreeSet<_>>()
    };
    broken(as_it_is).into_iter().chain(broken(joined)).collect()
}

/// The blocks of a turn; a text as content is one.
fn blocks(turn: &Value) -> Vec<Value> {
    let content = turn.get("content");
    match content.and_then(Value::as_str) {
        Some(text) => vec![serde_json::json!({"type": "text", "text": text}).into()],
        None => content.and_then(Value::as_array).cloned().unwrap_or_default(),
    }
}

/// What a rule on requests finds in one, for a host.
pub(crate) fn on_request(rule: &Rule, request: &Request, host: Host) -> Vec<Violation> {
    let mut found = Vec::new();
    if let Judge::Request { structural: true, judge } = rule.judge {
        judge(request, host, &mut |violation| found.push(violation));
    }
    found
}
