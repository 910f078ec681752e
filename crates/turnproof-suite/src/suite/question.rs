//! What a subject was *asked* in the smallest case, where neither the plan nor its transcript shows that: the request
//! or the reply that it checked, the steps of a recording, the items of a stream, the inputs of a loop, or a factory's call.

use turnproof_rules::Shown;

use crate::operation::{
    Accumulated, Checked, CheckedResponse, FactoryCall, Operation, Plain, Played, RecordStep, Recorded, StreamItem,
};
use crate::rules::{Rule, Verdict};
use crate::scenario::{Case, Scenario};
use crate::subject::Subject;

use super::{Depth, Observed, judge};

/// The first question whose answer breaks the rule, in lines; empty for operations that are asked about what a failure
/// shows anyway.
pub(super) fn question(subject: &dyn Subject, rule: &Rule, scenario: &Scenario) -> Vec<String> {
    let operation = rule.operation();
    if !is_shown(operation) {
        return Vec::new();
    }
    let observed = Observed::of(subject, &Case::of(scenario), &[operation], Depth::Whole);
    let answers = observed.shown(operation).and_then(Result::ok).unwrap_or_default();
    let is_wrong = |shown: &Shown| {
        let verdict = judge(rule, &Observed::from(shown.clone()));
        verdict.as_ref().is_some_and(Verdict::is_broken)
    };
    match answers.into_iter().find(is_wrong) {
        Some(Shown::CheckRequest(checked)) => request(&checked),
        Some(Shown::CheckResponse(checked)) => response(&checked),
        Some(Shown::Record(recorded)) => steps(&recorded),
        Some(Shown::Accumulate(accumulated)) => items(&accumulated),
        Some(Shown::Play(played)) => inputs(&played),
        Some(Shown::Make(made)) => vec![call(&made.call)],
        _ => Vec::new(),
    }
}

/// Whether what a subject of an operation is asked is not seen in the plan and its transcript.
fn is_shown(operation: Operation) -> bool {
    use Operation::{Accumulate, CheckRequest, CheckResponse, Make, Play, Record};
    matches!(operation, CheckRequest | CheckResponse | Record | Accumulate | Play | Make)
}

/// Whether a subject of an operation is asked about nothing of the transcript.
pub(super) const fn is_apart(operation: Operation) -> bool {
    matches!(operation, Operation::Accumulate | Operation::Make)
}

fn items(accumulated: &Accumulated) -> Vec<String> {
    let item = |(number, item): (usize, &StreamItem)| match item {
        StreamItem::Event(json) => format!("item {number}: the event {json}"),
        StreamItem::Bytes(bytes) => format!("item {number}: the bytes {:?}", String::from_utf8_lossy(bytes)),
        StreamItem::Abandon => format!("item {number}: the stream is abandoned"),
        StreamItem::Message(json) => format!("item {number}: the message {json}"),
    };
    accumulated.items.iter().enumerate().map(item).collect()
}

fn inputs(played: &Played) -> Vec<String> {
    let inputs = played.inputs.clone().map(Plain::into_value).unwrap_or_default();
    let inputs = inputs.as_array().map(Vec::as_slice).unwrap_or_default();
    inputs.iter().enumerate().map(|(number, input)| format!("input {number}: {input}")).collect()
}

fn call(FactoryCall { factory, arguments, uuid, timestamp, .. }: &FactoryCall) -> String {
    let given = [("the id", uuid), ("the time", timestamp)];
    let given = given.iter().filter_map(|(name, value)| value.as_ref().map(|value| format!(", {name} {value:?}")));
    format!("the call: {factory} with {arguments}{}", given.collect::<String>())
}

fn request(Checked { request, host, .. }: &Checked) -> Vec<String> {
    vec![format!("the request, for {}: {request}", host.name())]
}

fn response(CheckedResponse { response, .. }: &CheckedResponse) -> Vec<String> {
    let (first, rest) = response.split_once('\n').unwrap_or((response, ""));
    [format!("the reply: {first}")].into_iter().chain(rest.lines().map(str::to_owned)).collect()
}

fn steps(recorded: &Recorded) -> Vec<String> {
    let step = |(number, step): (usize, &RecordStep)| format!("step {number}: {}", in_words(step));
    recorded.steps.iter().enumerate().map(step).collect()
}

fn in_words(step: &RecordStep) -> String {
    match step {
        RecordStep::List(list) => format!("the list {}", &**list),
        RecordStep::ListBeforeRequest(list) => format!("before a request, the list {}", &**list),
        RecordStep::Flush => "a flush".to_owned(),
        RecordStep::DiskTakes(Some(bytes)) => format!("the disk takes {bytes} bytes more"),
        RecordStep::DiskTakes(None) => "the disk takes everything".to_owned(),
        RecordStep::Restart => "the process dies, and another one continues".to_owned(),
        RecordStep::OtherWriter(bytes) => format!("another process writes {}", String::from_utf8_lossy(bytes)),
        RecordStep::Hints(hints) => format!("the hints {}", serde_json::to_string(hints).unwrap_or_default()),
    }
}
