//! To *repeat* normalization must change nothing: neither asked again, nor on its own output; nor may
//! it change the messages themselves.

use serde_json::Value;

use super::place;
use crate::operation::Plain;
use crate::rules::{ApiEvidence, Judge, Place, Rule, Severity, Verdict, Violation};

pub(super) const IDEMPOTENT: Rule = Rule {
    id: "normalize/idempotent",
    title: "a request, taken as messages, gives the same request",
    severity: Severity::Error,
    doc: "\
The turns of a request are made into plain messages (`type`, `message.role`, `message.content`) and \
normalized again, without a context: the same turns come out. What is right has nothing left to repair.

A second run that changes something shows a stage that undoes what an earlier one did, or that needed to run \
once more: thinking that ends a turn only when the call after it has gone, two users' turns that meet only \
when the reply between them has. It happens in the field too, where a proxy normalizes what a client has \
normalized already.",
    example: concat!(
        r#"{"messages":[{"type":"user","message":{"role":"user","content":"a"}}],"#,
        r#""request":{"Ok":[{"role":"user","content":[{"type":"text","text":"a"}]}]},"#,
        r#""renormalized":{"Ok":[{"role":"user","content":[{"type":"text","text":"> a"}]}]}}"#,
    )
    .as_bytes(),
    remedy: "Look at the turn that changes, and run the stages on it one by one.",
    sources: &["spec 6"],
    judge: Judge::NormalizeApi(idempotent),
};

fn idempotent(case: &ApiEvidence<'_>) -> Verdict {
    match (&case.request, &case.renormalized) {
        (Ok(request), Some(Ok(renormalized))) => {
            let differs = difference(&request.value, &renormalized.value);
            Verdict::from_violations(
                differs.map(|at| changed(&IDEMPOTENT, at, "again")).into_iter().collect(),
            )
        }
        (Ok(_), Some(Err(why))) => {
            let found = format!("the request, taken as messages, gives none: {why}");
            Verdict::Broken(vec![Violation::new(IDEMPOTENT.id, Place::Whole, found, "the same request")])
        }
        _ => Verdict::NotApplicable("the request was not normalized again"),
    }
}

pub(super) const DETERMINISTIC: Rule = Rule {
    id: "normalize/deterministic",
    title: "the same messages give the same request",
    severity: Severity::Error,
    doc: "\
Asked a second time with the same messages and options, a normalizer gives the same request. Clocks, \
random ids, maps whose order changes from run to run and what is left of an earlier call must have no part \
in it.

A prompt cache knows a request by its beginning, byte for byte: an id made at random for a call whose own \
was not accepted makes each request pay for the whole conversation again. And a failure that comes and goes \
cannot be found.",
    example: concat!(
        r#"{"messages":[{"type":"user","message":{"role":"user","content":"a"}}],"#,
        r#""request":{"Ok":[{"role":"user","content":[{"type":"text","text":"a"}]}]},"#,
        r#""again":{"Ok":[]}}"#,
    )
    .as_bytes(),
    remedy: "Derive what must be made from what is there, and go through lists, not through maps.",
    sources: &["spec 6"],
    judge: Judge::NormalizeApi(deterministic),
};

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

pub(super) const PURE: Rule = Rule {
    id: "normalize/pure",
    title: "normalization does not change the messages",
    severity: Severity::Error,
    doc: "\
The messages are the same after the call as before: members, order, blocks and numbers.

They are what the user interface shows, what the transcript is written from and what the next request is \
made of. A block moved inside a list that both share, a flag set on the way, a context put into the first \
prompt itself: the first request is right, the next has the context twice, and the transcript holds words \
that the user never said.",
    example: concat!(
        r#"{"messages":[{"type":"user","message":{"role":"user","content":"a"}}],"#,
        r#""request":{"Ok":[{"role":"user","content":[{"type":"text","text":"a"}]}]},"#,
        r#""messages_after":[{"type":"user","message":{"role":"user","content":[{"type":"text","text":"a"}]}}]}"#,
    )
    .as_bytes(),
    remedy: "Copy what is changed; do not write into blocks or lists that the messages hold.",
    sources: &["spec 6"],
    judge: Judge::NormalizeApi(pure),
};

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

fn whole(rule: &Rule, found: &str, expected: &str) -> Violation {
    Violation::new(rule.id, Place::Whole, found, expected)
}

fn changed(rule: &Rule, at: usize, when: &str) -> Violation {
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
