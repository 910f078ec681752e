//! What is *beside the conversation* stays: side records, records of subagents, and the end of the last line.

use std::collections::{HashMap, HashSet};

use super::records::{Records, is_message};
use super::untouched::words;
use crate::json::{self, Value};
use crate::rules::Sentence;
use crate::rules::value::{is_true, kind, uuid};
use crate::rules::wire::fields::misfits;
use crate::rules::wire::model::pieces;
use crate::vocabulary::Kind;

/// The side records of which the repaired file holds fewer: the kind, what is found, and what is expected.
pub(super) fn lost_side_records(damaged: &[u8], repaired: &[u8]) -> Vec<(&'static str, Sentence, &'static str)> {
    let (mut left, mut lost) = (HashMap::<&[u8], usize>::new(), Vec::new());
    written_records(repaired).for_each(|record| *left.entry(record).or_default() += 1);
    for record in written_records(damaged) {
        match left.get_mut(record) {
            Some(count) if *count > 0 => *count -= 1,
            _ if is_side_record(record) => lost.push(record),
            _ => {}
        }
    }
    let what = |record: &[u8]| {
        let kind = json::read_all(record).ok().and_then(|tree| Some(tree.member("type")?.text()?.into_owned()));
        let kind = kind.unwrap_or_default();
        ("lost-side-record", sentence!("a record of the type `{kind}` is gone or changed", kind), "the same line")
    };
    lost.into_iter().map(what).collect()
}

/// The bytes of the records of a file.
fn written_records(file: &[u8]) -> impl Iterator<Item = &[u8]> {
    let records = pieces(file).into_iter().filter(|piece| piece.is_record());
    records.map(|piece| &file[piece.start as usize..piece.end as usize])
}

/// Whether a record has no uuid and no parent, is no message and no old progress, and nothing in it is wrong.
fn is_side_record(record: &[u8]) -> bool {
    let Ok(tree) = json::read_all(record) else { return false };
    let Some(name) = tree.member("type").and_then(|kind| kind.text()) else { return false };
    let is_message = Kind::of(&name).is_some_and(|kind| kind.is_chain_participant() || kind == Kind::Progress);
    let is_text = std::str::from_utf8(record).is_ok();
    let is_sound = is_text && misfits(&tree).is_empty() && !tree.has_lone_surrogate() && !tree.has_repeated_key();
    // What has a parent may get another one.
    let is_apart = ["uuid", "parentUuid"].iter().all(|name| tree.member(name).is_none());
    is_apart && !is_message && is_sound
}

/// The records of subagents that are gone: the kind, what is found, and what is expected. Looked at are those whose uuid no
/// other one has, in a file that has a main conversation. A message that holds results alone may lose them all, and be
/// removed whole.
pub(super) fn lost_sidechains(
    damaged: &Records<'_>,
    repaired: &Records<'_>,
) -> Vec<(&'static str, Sentence, &'static str)> {
    let is_main = |record: &Value| is_message(record) && !is_true(record, "isSidechain");
    let has_main = damaged.iter().any(is_main);
    let there = &damaged.once;
    let left: HashSet<&str> = repaired.iter().filter_map(uuid).collect();
    let says_something = |record: &Value| {
        !matches!(Kind::of(kind(record)), Some(Kind::User | Kind::Assistant)) || !words(record).is_empty()
    };
    let of_agents = damaged.iter().filter(|record| is_true(record, "isSidechain") && says_something(record));
    let once = of_agents.filter_map(uuid).filter(|uuid| there.contains_key(uuid));
    let lost = once.filter(|uuid| has_main && !left.contains(uuid));
    lost.map(|uuid| ("lost-sidechain", sentence!("the record `{uuid}` of a subagent is gone", uuid), "the record"))
        .collect()
}

/// A file whose last line ended, and does not end any more.
pub(super) fn lost_end(damaged: &[u8], repaired: &[u8]) -> Option<(&'static str, Sentence, &'static str)> {
    let is_lost = damaged.ends_with(b"\n") && !repaired.is_empty() && !repaired.ends_with(b"\n");
    is_lost.then(|| ("lost-line-end", sentence!("the last line has no LF any more"), "an LF at the end, as before"))
}
