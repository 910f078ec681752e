//! What a subject was *asked* in the smallest case, where neither the plan nor its transcript shows that: the request
//! or the reply that it checked, the steps of a recording, the items of a stream, the inputs of a loop, or a factory's call.

use turnproof_rules::Shown;

use crate::fuzzing::stream_text;
use crate::operation::{
    Checked, CheckedResponse, FactoryCall, Operation, Plain, Played, RecordStep, Recorded, StreamItem,
};
use crate::rules::{Rule, Verdict};
use crate::scenario::{Case, Scenario};
use crate::subject::Subject;
use crate::table::size;

use super::{Depth, Observed, judge};

/// The first question whose answer breaks the rule: in lines, and the stream in it, as server-sent events. Nothing for
/// operations that are asked about what a failure shows anyway.
pub(super) fn question(subject: &dyn Subject, rule: &Rule, scenario: &Scenario) -> (Vec<String>, Option<Vec<u8>>) {
    let operation = rule.operation();
    if !is_shown(operation) {
        return (Vec::new(), None);
    }
    let case = Case::of(scenario);
    let observed = Observed::of(subject, &case, &[operation], Depth::Whole);
    let answers = observed.shown(operation).and_then(Result::ok).unwrap_or_default();
    let is_wrong = |shown: &Shown| {
        let verdict = judge(rule, &Observed::from(shown.clone()));
        verdict.as_ref().is_some_and(Verdict::is_broken)
    };
    let lines = match answers.into_iter().find(is_wrong) {
        Some(Shown::Accumulate(accumulated)) => return stream(&accumulated.items),
        // A crash has no answer: it was one of these.
        None if operation == Operation::Accumulate => return stream(&case.streams().concat()),
        Some(Shown::CheckResponse(checked)) if !is_json(checked.response.as_bytes()) => {
            return (vec!["the reply is this stream".to_owned()], Some(checked.response.into_bytes()));
        }
        Some(Shown::CheckResponse(checked)) => response(&checked),
        Some(Shown::CheckRequest(checked)) => request(&checked),
        Some(Shown::Record(recorded)) => steps(&recorded),
        Some(Shown::Play(played)) => inputs(&played),
        Some(Shown::Make(made)) => vec![call(&made.call)],
        Some(Shown::Usage(counted)) if counted.files.len() > 1 => files(&counted.files),
        _ => Vec::new(),
    };
    (lines, None)
}

/// Whether a reply is JSON: a message, or events without the form of a stream.
pub(crate) fn is_json(reply: &[u8]) -> bool {
    matches!(reply.trim_ascii_start().first(), Some(b'{' | b'['))
}

/// Whether what a subject of an operation is asked is not seen in the plan and its transcript.
fn is_shown(operation: Operation) -> bool {
    use Operation::{Accumulate, CheckRequest, CheckResponse, Make, Play, Record, Usage};
    matches!(operation, CheckRequest | CheckResponse | Record | Accumulate | Play | Make | Usage)
}

/// How the stream came, and the stream.
fn stream(items: &[StreamItem]) -> (Vec<String>, Option<Vec<u8>>) {
    let pieces: Vec<usize> = items
        .iter()
        .filter_map(|item| if let StreamItem::Bytes(bytes) = item { Some(bytes.len()) } else { None })
        .collect();
    let came = match pieces.iter().max() {
        Some(most) => format!(
            "the stream came in {} of at most {}",
            size(pieces.len() as u64, "piece"),
            size(*most as u64, "byte")
        ),
        None => format!("the stream came as {}", size(items.len() as u64, "item")),
    };
    let is_order = |item: &StreamItem| matches!(item, StreamItem::Abandon | StreamItem::Message(_));
    let orders = "`: abandon` is where it was given up, `: message` where a message of another sender joined";
    let lines = [Some(came), items.iter().any(is_order).then(|| orders.to_owned())];
    (lines.into_iter().flatten().collect(), Some(stream_text(items)))
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

/// Several files, line by line.
fn files(files: &[Vec<u8>]) -> Vec<String> {
    let of_file = |(file, bytes): (usize, &Vec<u8>)| {
        let text = String::from_utf8_lossy(bytes).into_owned();
        let in_words = |(line, text): (usize, &str)| format!("file {}, line {}: {text}", file + 1, line + 1);
        text.lines().enumerate().map(in_words).collect::<Vec<_>>()
    };
    files.iter().enumerate().flat_map(of_file).collect()
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
