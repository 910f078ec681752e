//! An answer for *every* step.

use super::lines::limits;
use crate::rules::{Judge, Place, RecordEvidence, Rule, Severity, Verdict, Violation};

pub(super) const TOTAL: Rule = Rule {
    id: "record/total",
    title: "every step is answered, and only a disk that fails or a message without a uuid is an error",
    severity: Severity::Error,
    doc: "\
A recorder stands between a conversation and its file for as long as a session lasts. Whatever it is given, it \
answers and goes on: lists with messages of every kind, the same list a hundred times, files that others have torn, \
a disk that is full and one that has room again. A list with a message without a uuid is refused, since no line \
could ever be found by it again; nothing of such a list is queued. All else is accepted, unless the disk fails.

An error where nothing is wrong teaches callers to ignore errors, and then the one that matters, the full disk, is \
ignored too. An error that is swallowed is judged by `record/nothing-lost` and `record/user-before-request`.",
    example: include_bytes!("examples/total.json"),
    remedy: "Refuse a list before anything of it is queued; hand on what the disk says; keep going after either.",
    sources: &["spec 3.2"],
    judge: Judge::Record(total),
};

fn total(case: &RecordEvidence<'_>) -> Verdict {
    let broken = |found: String, expected: &str| {
        Verdict::Broken(vec![Violation::new(TOTAL.id, Place::Whole, found, expected)])
    };
    let answers = match &case.answers {
        Ok(answers) => answers,
        Err(why) => return broken(format!("no answers: {why}"), "an answer to each step"),
    };
    if answers.len() != case.steps.len() {
        let found = format!("{} answers to {} steps", answers.len(), case.steps.len());
        return broken(found, "an answer to each step");
    }
    let mut violations = Vec::new();
    for (step, ((list, answer), is_limited)) in
        case.lists().iter().zip(answers).zip(limits(&case.steps)).enumerate()
    {
        // What becomes of a list that cannot be read is not laid down.
        let Ok(list) = list else { continue };
        let violation = match (&answer.tip, list.without_uuid) {
            (Ok(_), Some(index)) => {
                let found = format!("step {step} is accepted, and message {index} of its list has no uuid");
                Violation::new(TOTAL.id, Place::Whole, found, "an error that names the message's place")
            }
            (Err(why), None) if !is_limited => {
                Violation::new(TOTAL.id, Place::Whole, format!("step {step} is refused: {why}"), "no error")
            }
            _ => continue,
        };
        violations.push(violation);
    }
    match case.steps.is_empty() {
        true => Verdict::NotApplicable("there are no steps"),
        false => Verdict::from_violations(violations),
    }
}
