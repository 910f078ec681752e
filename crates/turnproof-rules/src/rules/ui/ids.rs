//! The *ids* of the UI's messages: made from those of the messages, and the same at each drawing.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::parts::{has_blocks, head};
use super::plain::{NO_OUTPUT, is_spoken, output, shown, uuid};
use super::split::{NOT_PAIRED, paired};
use crate::rules::alike::{alike, difference};
use crate::rules::{Judge, Place, RuleEntry, UiEvidence, Verdict, Violation};

pub(super) const DERIVED_AFTER_SPLIT: RuleEntry =
    rule!("ui/derived-after-split", Error, Judge::NormalizeUi(derived_after_split));

fn derived_after_split(case: &UiEvidence<'_>) -> Verdict {
    let Some(pairs) = paired(case) else { return NOT_PAIRED };
    let mut violations = Vec::new();
    let mut judged = 0;
    for (index, (part, message)) in (0..).zip(pairs).filter(|(_, (part, _))| part.is_spoken) {
        judged += 1;
        let found = uuid(message);
        if found == part.uuid.as_deref() {
            continue;
        }
        let expected = match &part.uuid {
            Some(id) if part.is_kept => format!("{id:?}, which is the message's own"),
            Some(id) => format!("{id:?}, which is derived from the message's own"),
            None => "no id, as the message has none".to_owned(),
        };
        let place = Place::Message { index, block: None };
        violations.push(Violation::new(
            DERIVED_AFTER_SPLIT.id,
            place,
            format!("the id is {}", shown(message.get("uuid"))),
            expected,
        ));
    }
    match judged {
        0 => Verdict::NotApplicable("no message is split"),
        _ => Verdict::from_violations(violations),
    }
}

pub(super) const STABLE: RuleEntry = rule!("ui/stable", Error, Judge::NormalizeUi(stable));

fn stable(case: &UiEvidence<'_>) -> Verdict {
    let Some(again) = &case.again else { return Verdict::NotApplicable("the subject was asked once") };
    match (case.shown(), output(again)) {
        (Ok(first), Ok(second)) => match difference(first, second, alike) {
            None => Verdict::Holds,
            Some(at) => Verdict::Broken(vec![Violation::new(
                STABLE.id,
                Place::Message { index: at as u32, block: None },
                format!("asked again: {}", shown(second.get(at))),
                format!("as the first time: {}", shown(first.get(at))),
            )]),
        },
        (Err(first), Err(second)) if first == second => NO_OUTPUT,
        (first, second) => {
            let in_words = |given: Result<&[Value], String>| match given {
                Ok(messages) => format!("{} messages", messages.len()),
                Err(why) => why,
            };
            let (found, expected) = (in_words(second), in_words(first));
            Verdict::Broken(vec![Violation::new(STABLE.id, Place::Whole, found, expected)])
        }
    }
}

pub(super) const PREFIX_STABLE: RuleEntry = rule!("ui/prefix-stable", Error, Judge::NormalizeUi(prefix_stable));

fn prefix_stable(case: &UiEvidence<'_>) -> Verdict {
    let Ok(whole) = case.shown() else { return NO_OUTPUT };
    if case.shorter.is_empty() {
        return Verdict::NotApplicable("no shorter list was asked for");
    }
    let mut violations = Vec::new();
    let asked = case.shorter.iter().enumerate().filter_map(|(count, given)| Some((count, given.as_ref()?)));
    for (count, shorter) in asked {
        match output(shorter) {
            Err(why) => {
                let found = format!("for the first {count} messages: {why}");
                violations.push(Violation::new(PREFIX_STABLE.id, Place::Whole, found, "a list of messages"));
            }
            Ok(shorter) => {
                let same = shorter.iter().zip(whole).take_while(|(a, b)| alike(a, b)).count();
                if same < shorter.len() {
                    violations.push(Violation::new(
                        PREFIX_STABLE.id,
                        Place::Message { index: same as u32, block: None },
                        format!("for the first {count} messages: {}", shown(shorter.get(same))),
                        format!("as for the whole list: {}", shown(whole.get(same))),
                    ));
                }
            }
        }
    }
    Verdict::from_violations(violations)
}

pub(super) const UNIQUE_IDS: RuleEntry = rule!("ui/unique-ids", Error, Judge::NormalizeUi(unique_ids));

fn unique_ids(case: &UiEvidence<'_>) -> Verdict {
    let Ok(output) = case.shown() else { return NO_OUTPUT };
    if case.parts().is_empty() {
        return Verdict::NotApplicable("the messages have no blocks");
    }
    let shown = case.input().iter().filter(|message| !is_spoken(message) || has_blocks(message));
    let Some(ids) = shown.map(|message| uuid(message)).collect::<Option<Vec<_>>>() else {
        return Verdict::NotApplicable("a message has no id");
    };
    if may_collide(&ids) {
        return Verdict::NotApplicable("two messages have ids from which the same id may be derived");
    }
    let mut first_with: HashMap<&str, usize> = HashMap::new();
    let mut violations = Vec::new();
    for (index, message) in output.iter().enumerate() {
        let Some(id) = uuid(message) else { continue };
        let first = *first_with.entry(id).or_insert(index);
        if first != index {
            let found = format!("the id {id:?} is that of messages.{first} too");
            let place = Place::Message { index: index as u32, block: None };
            violations.push(Violation::new(UNIQUE_IDS.id, place, found, "an id that no other message has"));
        }
    }
    Verdict::from_violations(violations)
}

/// Whether two messages with these ids can have parts with the same id, even if all is right.
fn may_collide(ids: &[&str]) -> bool {
    let heads: HashSet<&str> = ids.iter().map(|id| head(id)).collect();
    heads.len() < ids.len() || ids.iter().any(|id| parent(id).is_some_and(|parent| heads.contains(parent)))
}

/// What stands before the index, if the id has the form of a derived one and that is not its own head.
fn parent(id: &str) -> Option<&str> {
    let (parent, index) = id.split_at_checked(id.len().checked_sub(12)?)?;
    let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    (index.bytes().all(is_digit) && parent.chars().count() < 24).then_some(parent)
}
