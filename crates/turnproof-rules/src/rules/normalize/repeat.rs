//! To *repeat* normalization must change nothing: neither asked again, nor on its own output; nor may
//! it change the messages themselves.

use serde_json::Value;

use super::place;
use crate::operation::Plain;
use crate::rules::{ApiEvidence, Judge, Place, RuleEntry, Verdict, Violation};

pub(super) const IDEMPOTENT: RuleEntry = rule!("normalize/idempotent", Error, Judge::NormalizeApi(idempotent));

fn idempotent(case: &ApiEvidence<'_>) -> Verdict {
    match (&case.request, &case.renormalized) {
        (Ok(request), Some(Ok(renormalized))) => {
            let differs = difference(&request.value, &renormalized.value);
            Verdict::from_violations(differs.map(|at| changed(&IDEMPOTENT, at, "again")).into_iter().collect())
        }
        (Ok(_), Some(Err(why))) => {
            let found = format!("the request, taken as messages, gives none: {why}");
            Verdict::Broken(vec![Violation::new(IDEMPOTENT.id, Place::Whole, found, "the same request")])
        }
        _ => Verdict::NotApplicable("the request was not normalized again"),
    }
}

pub(super) const DETERMINISTIC: RuleEntry = rule!("normalize/deterministic", Error, Judge::NormalizeApi(deterministic));

fn deterministic(case: &ApiEvidence<'_>) -> Verdict {
    let violation = match (&case.request, &case.again) {
        (_, None) => return Verdict::NotApplicable("the request was asked for once"),
        (Err(_), Some(Err(_))) => return Verdict::NotApplicable("there is no request"),
        (Ok(request), Some(Ok(again))) if request == again => None,
        (Ok(request), Some(Ok(again))) => Some(match difference(&request.value, &again.value) {
            Some(at) => changed(&DETERMINISTIC, at, "asked for again"),
            None => whole(&DETERMINISTIC, "other strings hold halves of characters", "the same strings"),
        }),
        _ => Some(whole(&DETERMINISTIC, "there is a request one time and none the other", "the same")),
    };
    Verdict::from_violations(violation.into_iter().collect())
}

pub(super) const PURE: RuleEntry = rule!("normalize/pure", Error, Judge::NormalizeApi(pure));

fn pure(case: &ApiEvidence<'_>) -> Verdict {
    let Some(after) = &case.messages_after else {
        return Verdict::NotApplicable("the subject does not tell the messages after the call");
    };
    let violation = (*after != case.messages).then(|| {
        let first = |(index, (one, other)): (usize, (&Value, &Value))| (one != other).then_some(index);
        let pairs = case.messages.elements().iter().zip(Plain::elements(after)).enumerate();
        match { pairs }.find_map(first) {
            Some(index) => {
                let found = format!("message {index} is another one after the call");
                Violation::new(PURE.id, place(index, None), found, "the message as it was")
            }
            None => whole(&PURE, "the list of messages is another one after the call", "the list as it was"),
        }
    });
    Verdict::from_violations(violation.into_iter().collect())
}

fn whole(rule: &RuleEntry, found: &str, expected: &str) -> Violation {
    Violation::new(rule.id, Place::Whole, found, expected)
}

fn changed(rule: &RuleEntry, at: usize, when: &str) -> Violation {
    let found = format!("turn {at} is another one {when}");
    Violation::new(rule.id, place(at, None), found, "the same turn")
}

/// The first turn in which two requests differ.
pub(super) fn difference(one: &Value, other: &Value) -> Option<usize> {
    if one == other {
        return None;
    }
    let turns = |value: &Value| value.as_array().map_or(0, Vec::len);
    let differs = |&index: &usize| one.get(index) != other.get(index);
    Some((0..turns(one).max(turns(other))).find(differs).unwrap_or(0))
}
