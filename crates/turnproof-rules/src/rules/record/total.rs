//! An answer for *every* step.

use super::lines::limits;
use crate::rules::{Judge, Place, RecordEvidence, RuleEntry, Verdict, Violation};

pub(super) const TOTAL: RuleEntry = rule!("record/total", Error, Judge::Record(total));

fn total(case: &RecordEvidence<'_>) -> Verdict {
    let broken =
        |found: String, expected: &str| Verdict::Broken(vec![Violation::new(TOTAL.id, Place::Whole, found, expected)]);
    let answers = match &case.answers {
        Ok(answers) => answers,
        Err(why) => return broken(format!("no answers: {why}"), "an answer to each step"),
    };
    if answers.len() != case.steps.len() {
        let found = format!("{} answers to {} steps", answers.len(), case.steps.len());
        return broken(found, "an answer to each step");
    }
    let mut violations = Vec::new();
    for (step, ((list, answer), is_limited)) in case.lists().iter().zip(answers).zip(limits(&case.steps)).enumerate() {
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
