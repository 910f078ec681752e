//! What a subject was *asked* in the smallest case, where neither the plan nor its transcript shows that: the request
//! or the reply that it checked, or the steps of a recording.

use turnproof_rules::Shown;

use crate::operation::{Checked, CheckedResponse, Operation, RecordStep, Recorded};
use crate::rules::{Rule, Verdict};
use crate::scenario::{Case, Scenario};
use crate::subject::Subject;

use super::{Depth, Observed, judge};

/// The first question whose answer breaks the rule, in lines; empty for operations that are asked about what a failure
/// shows anyway.
pub(super) fn question(subject: &dyn Subject, rule: &Rule, scenario: &Scenario) -> Vec<String> {
    let operation = rule.operation();
    if !matches!(operation, Operation::CheckRequest | Operation::CheckResponse | Operation::Record) {
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
        _ => Vec::new(),
    }
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
