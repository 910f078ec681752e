//! The same steps *again*: a recorder writes what it wrote the first time.

use serde_json::Value;

use crate::operation::RecordAnswer;
use crate::rules::names::Names;
use crate::rules::{Judge, Place, RecordEvidence, RuleEntry, Verdict, Violation};

pub(super) const DETERMINISTIC: RuleEntry = rule!("record/deterministic", Error, Judge::Record(deterministic));

fn deterministic(case: &RecordEvidence<'_>) -> Verdict {
    let violation = |place, found: String, expected: &str| {
        Verdict::Broken(vec![Violation::new(DETERMINISTIC.id, place, found, expected)])
    };
    let (first, second) = match (&case.answers, &case.again) {
        (_, None) => return Verdict::NotApplicable("the subject was asked once"),
        (Err(_), Some(Err(_))) => return Verdict::NotApplicable("there are no answers"),
        (Ok(first), Some(Ok(second))) => (first, second),
        _ => {
            let found = "there are answers one time and none the other".to_owned();
            return violation(Place::Whole, found, "the same answers");
        }
    };
    if case.steps.is_empty() {
        return Verdict::NotApplicable("there are no steps");
    }
    let is_same = |(one, other): &(&RecordAnswer, &RecordAnswer)| {
        tip(one) == tip(other) && different_line(&one.file, &other.file).is_none()
    };
    let step = first.iter().zip(second).take_while(is_same).count();
    match (first.get(step), second.get(step)) {
        (None, None) => Verdict::Holds,
        (Some(one), Some(other)) => match different_line(&one.file, &other.file) {
            Some((start, end)) => {
                let place = Place::Bytes { start, end };
                violation(place, format!("asked again, the file is another one after step {step}"), "the same lines")
            }
            None => violation(
                Place::Whole,
                format!("asked again, the answer to step {step} is {:?}", other.tip),
                &format!("{:?}", one.tip),
            ),
        },
        _ => violation(Place::Whole, format!("asked again, there are {} answers", second.len()), "as many as before"),
    }
}

/// What the next message chains to, as far as there is one: errors may say what they like.
fn tip(answer: &RecordAnswer) -> Option<Option<&str>> {
    answer.tip.as_ref().ok().map(Option::as_deref)
}

/// The first line in which two files differ, its bytes in the first one; times are not compared.
fn different_line(one: &[u8], other: &[u8]) -> Option<(u64, u64)> {
    if one == other {
        return None;
    }
    let [ones, others] = [one, other].map(|file| file.split_inclusive(|&byte| byte == b'\n').collect::<Vec<_>>());
    let same = ones.iter().zip(&others).take_while(|(one, other)| is_same_line(one, other)).count();
    let start: usize = ones.iter().take(same).map(|line| line.len()).sum();
    let end = start + ones.get(same).map_or(0, |line| line.len());
    (same < ones.len().max(others.len())).then_some((start as u64, end as u64))
}

fn is_same_line(one: &[u8], other: &[u8]) -> bool {
    let value = |line: &[u8]| serde_json::from_slice::<Value>(line).ok();
    one == other
        || match (value(one), value(other)) {
            (Some(one), Some(other)) => Names::default().is_same(&one, &other, &Names::default()),
            _ => false,
        }
}
