//! *Input*: what deltas bring for a call is one JSON object.

use crate::json::Value;
use crate::operation::Plain;
use crate::operation::reply::{AssembledBlock, Reply};
use crate::rules::{Report, Sentence};

pub(super) fn input(reply: &Reply, report: &mut Report<'_>) {
    // A call that was cut short has half its input.
    let cut_short = reply.assembled.blocks.last().filter(|_| reply.assembled.is_cut_short()).map(|block| block.index);
    let calls = reply.assembled.blocks.iter().filter(|block| block.is_call() && block.is_stopped);
    for block in calls.filter(|block| Some(block.index) != cut_short) {
        if let Some((kind, found)) = wrong(block) {
            report.add(block.place.member("input"), kind, found, "one JSON object");
        }
    }
}

fn wrong(block: &AssembledBlock) -> Option<(&'static str, Sentence)> {
    let index = block.index;
    match block.input.as_deref().filter(|input| !input.trim().is_empty()) {
        Some(input) => match Plain::read(input) {
            Ok(plain) if plain.value.is_object() => None,
            Ok(_) => Some(("no-object", sentence!("the input of the call in block {index} is no JSON object", index))),
            Err(error) if error.to_string().starts_with("EOF") => Some((
                "cut",
                sentence!("the input of the call in block {index} is cut: {error}", index, error = error.to_string()),
            )),
            Err(error) => {
                let error = error.to_string();
                Some(("no-json", sentence!("the input of the call in block {index} is no JSON: {error}", index, error)))
            }
        },
        None => match block.value.get("input") {
            Some(Value::Object(_)) => None,
            Some(Value::String(_)) => {
                Some(("text", sentence!("the input of the call in block {index} is a text, not an object", index)))
            }
            Some(_) => {
                Some(("no-object", sentence!("the input of the call in block {index} is no JSON object", index)))
            }
            None => Some(("missing", sentence!("the call in block {index} has no input", index))),
        },
    }
}
