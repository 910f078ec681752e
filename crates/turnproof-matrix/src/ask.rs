//! To *ask* is to play one case to a subject, and to know in which way it answered.

use serde::Deserialize;
use turnproof_rules::operation::Operation;
use turnproof_suite::scenario::{Case, Scenario};
use turnproof_suite::subject::Crash;
use turnproof_suite::subject::program::{Heard, Program};
use turnproof_suite::suite::{Depth, Observed};

/// What came of a case.
pub(crate) struct Asked {
    /// In which way the subject answered.
    pub way: Way,
    /// What the rules look at.
    pub observed: Observed,
    /// Its answer to the first question, a line of JSON.
    pub said: Option<String>,
}

/// The way in which a subject answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// It gave an output.
    Output,
    /// It refused the input, by this error.
    Refused(String),
    /// Its types cannot express the input, and why.
    Unsupported(String),
    /// It was not asked: its reader of JSON does not take the input.
    Withheld,
    /// It ended, hung, or said something else.
    Crashed(Crash),
}

/// An answer, as far as the ways differ.
#[derive(Default, Deserialize)]
struct Line {
    rejected: Option<Refusal>,
    unsupported: Option<serde_json::Value>,
}

#[derive(Deserialize)]
struct Refusal {
    message: serde_json::Value,
}

/// Plays a case to a subject that one thread asks.
pub(crate) fn ask(program: &Program, operation: Operation, scenario: &Scenario, depth: Depth) -> Asked {
    let case = Case::of(scenario);
    let (observed, heard) = program.listen(|| Observed::of(program, &case, &[operation], depth));
    let said = heard.first().and_then(|heard| heard.answer.clone().ok());
    Asked { way: way(&observed, operation, &heard), observed, said }
}

fn way(observed: &Observed, operation: Operation, heard: &[Heard]) -> Way {
    if let Some(crash) = observed.crash(operation) {
        return Way::Crashed(crash.clone());
    }
    let lines: Vec<Line> = heard
        .iter()
        .filter_map(|heard| heard.answer.as_ref().ok())
        .map(|line| serde_json::from_str(line).unwrap_or_default())
        .collect();
    let words = |value: &serde_json::Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    // The question about the whole case comes first.
    if let Some(refusal) = lines.first().and_then(|line| line.rejected.as_ref()) {
        return Way::Refused(words(&refusal.message));
    }
    if observed.has(operation) {
        return Way::Output;
    }
    match lines.iter().find_map(|line| line.unsupported.as_ref()) {
        Some(why) => Way::Unsupported(words(why)),
        None => Way::Withheld,
    }
}

/// A file as people read it: a line each.
fn lines(file: &[u8]) -> serde_json::Value {
    let text = String::from_utf8_lossy(file);
    let read = |line: &str| serde_json::from_str::<serde_json::Value>(line).unwrap_or_else(|_| line.into());
    text.lines().map(read).collect()
}

/// What a subject answered: its output, or why there is none.
pub(crate) fn answer(operation: Operation, asked: &Asked) -> serde_json::Value {
    if let Way::Crashed(crash) = &asked.way {
        return serde_json::json!({"crashed": crash.how});
    }
    if let (Operation::Accumulate, Some(Ok(answers))) = (operation, &asked.observed.accumulate) {
        // A case may have several streams, of which the last one is its own.
        let last = answers.iter().rev().find(|answer| !answer.items.is_empty());
        return last.and_then(|last| serde_json::to_value(&last.output).ok()).unwrap_or_default();
    }
    if let (Operation::Repair, Some(Ok(answers))) = (operation, &asked.observed.repair) {
        let file = answers.first().and_then(|repaired| repaired.answer.as_ref().ok());
        return file.map(|file| file.bytes.as_slice()).map(lines).unwrap_or_default();
    }
    let said = asked.said.as_deref().and_then(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    match said {
        Some(mut said) => said.get_mut("output").map(serde_json::Value::take).unwrap_or(said),
        None => serde_json::Value::Null,
    }
}
