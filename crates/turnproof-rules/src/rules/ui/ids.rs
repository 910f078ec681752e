//! The *ids* of the UI's messages: made from those of the messages, and the same at each drawing.

use std::collections::{HashMap, HashSet};

use crate::json::Value;

use super::parts::{has_blocks, head};
use super::plain::{NO_OUTPUT, NoList, is_spoken, output, shown};
use super::split::paired;
use crate::rules::alike::{alike, difference};
use crate::rules::value::uuid;
use crate::rules::{Applies, Place, Report, UiEvidence, applies};

pub(super) fn derived_after_split(case: &UiEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let mut judged = 0;
    for (index, (part, message)) in paired(case)?.enumerate().filter(|(_, (part, _))| part.is_spoken) {
        judged += 1;
        if uuid(message) != part.uuid.as_deref() {
            let expected = match part.uuid.as_deref() {
                Some(id) if part.is_kept => sentence!("{id:?}, which is the message's own", id),
                Some(id) => sentence!("{id:?}, which is derived from the message's own", id),
                None => "no id, as the message has none".into(),
            };
            let kind = if message.get("uuid").is_none() { "missing" } else { "wrong-id" };
            let found = sentence!("the id is {found}", found = shown(message.get("uuid")));
            report.add(Place::message(index), kind, found, expected);
        }
    }
    applies(judged > 0, "no message is split")
}

pub(super) fn stable(case: &UiEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let again = case.again.as_ref().ok_or("the subject was asked once")?;
    match (case.shown(), output(again)) {
        (Ok(first), Ok(second)) => {
            if let Some(at) = difference(first, second, alike) {
                let found = sentence!("asked again: {second}", second = shown(second.get(at)));
                let expected = sentence!("as the first time: {first}", first = shown(first.get(at)));
                report.add(Place::message(at), "not-deterministic", found, expected);
            }
        }
        (Err(first), Err(second)) if first == second => return Err(NO_OUTPUT),
        (first, second) => {
            let in_words = |given: Result<&[Value], NoList>| match given {
                Ok(messages) => sentence!("{count} messages", count = messages.len()),
                Err((_, why)) => why,
            };
            report.whole("answered-once", in_words(second), in_words(first));
        }
    }
    Ok(())
}

pub(super) fn prefix_stable(case: &UiEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let whole = case.shown().map_err(|_| NO_OUTPUT)?;
    let asked = case.shorter.iter().enumerate().filter_map(|(count, given)| Some((count, given.as_ref()?)));
    for (count, shorter) in asked {
        match output(shorter) {
            Err((kind, why)) => {
                report.whole(
                    kind,
                    sentence!("for the first {count} messages: {why}", count, why),
                    "a list of messages",
                );
            }
            Ok(shorter) => {
                let same = shorter.iter().zip(whole).take_while(|(a, b)| alike(a, b)).count();
                if same < shorter.len() {
                    let shorter = shown(shorter.get(same));
                    let found = sentence!("for the first {count} messages: {shorter}", count, shorter);
                    let expected = sentence!("as for the whole list: {whole}", whole = shown(whole.get(same)));
                    report.add(Place::message(same), "changed", found, expected);
                }
            }
        }
    }
    applies(!case.shorter.is_empty(), "no shorter list was asked for")
}

pub(super) fn unique_ids(case: &UiEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let output = case.shown().map_err(|_| NO_OUTPUT)?;
    applies(!case.parts().is_empty(), "the messages have no blocks")?;
    let shown = case.input().iter().filter(|message| !is_spoken(message) || has_blocks(message));
    let ids = shown.map(|message| uuid(message)).collect::<Option<Vec<_>>>().ok_or("a message has no id")?;
    applies(!may_collide(&ids), "two messages have ids from which the same id may be derived")?;
    let mut first_with: HashMap<&str, usize> = HashMap::new();
    for (index, message) in output.iter().enumerate() {
        let Some(id) = uuid(message) else { continue };
        let first = *first_with.entry(id).or_insert(index);
        if first != index {
            let found = sentence!("the id {id:?} is that of messages.{first} too", id, first);
            report.add(Place::message(index), "same-id", found, "an id that no other message has");
        }
    }
    Ok(())
}

/// Whether parts of two messages with these ids can rightly have the same id.
fn may_collide(ids: &[&str]) -> bool {
    let heads: HashSet<&str> = ids.iter().map(|id| head(id)).collect();
    heads.len() < ids.len() || ids.iter().any(|id| parent(id).is_some_and(|parent| heads.contains(parent)))
}

/// The part before the index, if the id has the form of a derived one and this part is not its own head.
fn parent(id: &str) -> Option<&str> {
    let (parent, index) = id.split_at_checked(id.len().checked_sub(12)?)?;
    let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    (index.bytes().all(is_digit) && parent.chars().count() < 24).then_some(parent)
}
