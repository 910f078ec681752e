//! *Total*: every list of messages has a request.

use serde_json::Value;

use super::block::{Role, string};
use super::place;
use crate::operation::Given;
use crate::rules::{ApiEvidence, Judge, Place, RuleEntry, Verdict, Violation};

pub(super) const TOTAL: RuleEntry = rule!("normalize/total", Error, Judge::NormalizeApi(total));

fn total(case: &ApiEvidence<'_>) -> Verdict {
    if !case.messages.value.is_array() {
        return Verdict::NotApplicable("the messages cannot be read");
    }
    let mut violations = shape(&case.request);
    for (count, given) in case.shorter.iter().enumerate() {
        if let Some(Err(why)) = given {
            let found = format!("no request for the first {count} messages: {why}");
            violations.push(Violation::new(TOTAL.id, Place::Whole, found, "a request"));
        }
    }
    Verdict::from_violations(violations)
}

fn shape(request: &Given) -> Vec<Violation> {
    let whole = |found| vec![Violation::new(TOTAL.id, Place::Whole, found, "an array of turns")];
    let turns = match request.as_ref().map(|request| &request.value) {
        Ok(Value::Array(turns)) => turns,
        Ok(_) => return whole("the request is not an array".to_owned()),
        Err(why) => return whole(format!("no request: {why}")),
    };
    let mut violations = Vec::new();
    for (index, turn) in turns.iter().enumerate() {
        if string(turn, "role").and_then(Role::named).is_none() {
            let found = format!("turn {index} has no role that there is");
            violations.push(Violation::new(TOTAL.id, place(index, None), found, "`user` or `assistant`"));
        }
        match turn.get("content").and_then(Value::as_array) {
            Some(blocks) => {
                for block in (0..).zip(blocks).filter_map(|(block, value)| (!value.is_object()).then_some(block)) {
                    let found = format!("block {block} of turn {index} is not an object");
                    violations.push(Violation::new(TOTAL.id, place(index, Some(block)), found, "a block"));
                }
            }
            None => {
                let found = format!("the content of turn {index} is not a list");
                violations.push(Violation::new(TOTAL.id, place(index, None), found, "a list of blocks"));
            }
        }
    }
    violations
}
