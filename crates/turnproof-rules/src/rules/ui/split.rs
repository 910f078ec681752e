//! A *split* gives each block a message of its own; these rules say that it loses nothing.

use serde_json::Value;

use super::parts::{Content, Part, contents};
use super::plain::{NO_OUTPUT, is_spoken, kind, shown};
use crate::rules::alike::{alike, canonical};
use crate::rules::{Judge, Place, RuleEntry, UiEvidence, Verdict, Violation};

pub(super) const ONE_BLOCK: RuleEntry = rule!("ui/one-block", Error, Judge::NormalizeUi(one_block));

fn one_block(case: &UiEvidence<'_>) -> Verdict {
    let Ok(output) = case.shown() else { return NO_OUTPUT };
    let mut violations = Vec::new();
    let mut spoken = 0;
    for (index, message) in (0..).zip(output).filter(|(_, message)| is_spoken(message)) {
        spoken += 1;
        let found = match message.get("message").and_then(|body| body.get("content")) {
            Some(Value::Array(blocks)) if blocks.len() == 1 => continue,
            Some(Value::Array(blocks)) => format!("{} blocks", blocks.len()),
            other => format!("the content is {}", shown(other)),
        };
        let place = Place::Message { index, block: None };
        violations.push(Violation::new(ONE_BLOCK.id, place, found, "a list with one block"));
    }
    match spoken {
        0 => Verdict::NotApplicable("the output has no user or assistant message"),
        _ => Verdict::from_violations(violations),
    }
}

pub(super) const CONSERVES: RuleEntry = rule!("ui/conserves", Error, Judge::NormalizeUi(conserves));

fn conserves(case: &UiEvidence<'_>) -> Verdict {
    let violation = match case.shown() {
        Err(why) => Some(Violation::new(CONSERVES.id, Place::Whole, why, "a list of messages")),
        Ok(output) => case.lost().map(|at| lost(at, case.parts(), output)),
    };
    match violation {
        Some(violation) => Verdict::Broken(vec![violation]),
        None if case.parts().is_empty() => Verdict::NotApplicable("the messages have no blocks"),
        None => Verdict::Holds,
    }
}

/// What is wrong in the first place where the output is not what the messages hold.
fn lost(at: usize, parts: &[Part<'_>], output: &[Value]) -> Violation {
    let in_words = |content: Option<&Content<'_>>| match content.map(Content::in_full) {
        Some((Some(block), rest)) => format!("{} in {}", shown(Some(&block)), shown(Some(&rest))),
        Some((None, message)) => shown(Some(&message)),
        None => "nothing more".to_owned(),
    };
    let found = in_words(contents(output).get(at));
    let expected = in_words(parts.get(at).map(|part| &part.content));
    let place = Place::Message { index: at as u32, block: None };
    Violation::new(CONSERVES.id, place, found, expected)
}

/// The parts that an output must hold, each with the message that holds it; none where the output
/// holds something else, which other rules tell of.
pub(super) fn paired<'e, 'a>(
    case: &'e UiEvidence<'a>,
) -> Option<impl Iterator<Item = (&'e Part<'a>, &'a Value)> + Clone> {
    let (parts, output) = (case.parts(), case.shown().ok()?);
    let is_same = parts.len() == output.len() && case.lost().is_none();
    is_same.then(|| parts.iter().zip(output))
}

/// The verdict of a rule on parts where the output does not hold them.
pub(super) const NOT_PAIRED: Verdict =
    Verdict::NotApplicable("the output is not one message for each block of the input");

pub(super) const PASTE_IDS: RuleEntry = rule!("ui/paste-ids", Error, Judge::NormalizeUi(paste_ids));

fn paste_ids(case: &UiEvidence<'_>) -> Verdict {
    let Some(pairs) = paired(case) else { return NOT_PAIRED };
    let has_ids = |message: &Value| kind(message) == "user" && message.get("imagePasteIds").is_some();
    let is_in_input = case.input().iter().any(|message| has_ids(message));
    if !is_in_input && !pairs.clone().any(|(_, message)| has_ids(message)) {
        return Verdict::NotApplicable("no message has ids of pasted images");
    }
    let is_alone = |id: &Value, list: &[Value]| matches!(list, [one] if alike(one, id));
    let mut violations = Vec::new();
    for (index, (part, message)) in (0..).zip(pairs) {
        let found = message.get("imagePasteIds");
        let is_empty = |list: &Value| list.is_null() || list.as_array().is_some_and(Vec::is_empty);
        let is_right = match &part.paste_id {
            Some(id) => found.and_then(Value::as_array).is_some_and(|list| is_alone(id, list)),
            None => found.is_none_or(is_empty),
        };
        if kind(message) == "user" && !is_right {
            let expected = match &part.paste_id {
                Some(id) => format!("a list with {} alone", canonical(id)),
                None => "no ids of pasted images".to_owned(),
            };
            let place = Place::Message { index, block: None };
            violations.push(Violation::new(PASTE_IDS.id, place, shown(found), expected));
        }
    }
    Verdict::from_violations(violations)
}
