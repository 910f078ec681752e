//! The *order* that a repair makes: what it links stands behind what it names, and what it empties beside the
//! conversation comes back with it.

use std::collections::{HashMap, HashSet};

use super::chosen::{is_provisional, lone_results, name_one, names};
use super::condition::Condition;
use super::records::{PARENT, Records, calls, is_message, is_of_one, withdrawn};
use crate::json::Value;
use crate::rules::Sentence;
use crate::rules::value::{blocks, call_of, is_true, kind, result_of, text, uuid};

/// What is wrong about the order of a repaired file: the kind, what is found, and what is expected.
pub(super) fn wrong_order(
    damaged: &Records<'_>,
    repaired: &Records<'_>,
    [before, after]: [&Condition; 2],
) -> Vec<(&'static str, Sentence, &'static str)> {
    // Elsewhere it is not sure which record stands for which, or what a boundary, a withdrawal or a new parent moves.
    let is_sure = damaged.have_own_uuids && damaged.has_one_root && !damaged.has_boundary;
    if !is_sure || !withdrawn(damaged).is_empty() {
        return Vec::new();
    }
    let late = late_parents(damaged, repaired);
    let late = late.map(|found| ("late-parent", found, "its parent in front of it"));
    // Old progress is led through where a resume finds no other way, and may come instead.
    let has_progress = damaged.iter().any(|record| kind(record) == "progress");
    let beside = (!has_progress).then(|| emptied_beside(damaged, repaired, [before, after])).into_iter().flatten();
    let beside = beside.map(|found| ("left-beside", found, "a message of the conversation"));
    let results = late_results(damaged, repaired, after);
    let results = results.map(|found| ("late-result", found, "the result in the place of the placeholder"));
    late.chain(results).chain(beside).collect()
}

/// The added records that name an added record behind them.
fn late_parents(damaged: &Records<'_>, repaired: &Records<'_>) -> impl Iterator<Item = Sentence> {
    let old: HashSet<&str> = damaged.iter().filter_map(uuid).collect();
    let places = places(repaired);
    let linked = repaired.iter().filter_map(move |record| {
        let [uuid, parent] = [uuid(record)?, text(record, PARENT)?];
        let is_late =
            [uuid, parent].iter().all(|uuid| !old.contains(uuid)) && places.get(parent)? > places.get(uuid)?;
        is_late.then_some((uuid, parent))
    });
    let linked = linked.collect::<Vec<_>>().into_iter();
    linked
        .map(|(uuid, parent)| sentence!("the added record `{uuid}` names `{parent}`, which is behind it", uuid, parent))
}

/// The placeholders that are gone, and in whose place no true result of their calls stands: what was behind them, and
/// comes back behind the result, is in front of it.
fn late_results(damaged: &Records<'_>, repaired: &Records<'_>, after: &Condition) -> impl Iterator<Item = Sentence> {
    let (there, left) = (&damaged.once, &repaired.once);
    let places = places(repaired);
    let holders = calls(damaged);
    let names_it = |result: &Value, holder: &Value| uuid(holder).is_some_and(|holder| names(result, holder));
    let mut true_ones: HashMap<&str, Vec<&Value>> = HashMap::new();
    for record in damaged.iter().filter(|record| !is_provisional(record)) {
        lone_results(record).into_iter().for_each(|call| true_ones.entry(call).or_default().push(record));
    }
    let comes: HashMap<&str, usize> = after.conversation.iter().map(String::as_str).zip(0..).collect();
    // A result that is shown in the transcript alone does not answer its call, so what follows it is linked elsewhere.
    let is_sure = !damaged.iter().any(|record| is_true(record, "isVisibleInTranscriptOnly"));
    let gone = damaged.iter().zip(1..).filter_map(move |(placeholder, behind)| {
        let name = uuid(placeholder).filter(|uuid| there.contains_key(uuid) && !left.contains_key(uuid))?;
        let calls = if is_provisional(placeholder) { lone_results(placeholder) } else { Vec::new() };
        let is_asked = |call: &&str| holders.get(call).into_iter().flatten().any(|of| names_it(placeholder, of));
        let calls = if calls.iter().all(is_asked) { calls } else { Vec::new() };
        let others = calls.into_iter().filter_map(|call| true_ones.get(call)).flatten();
        let results = others.filter(|other| name_one(placeholder, other)).filter_map(|other| uuid(other));
        let results: Vec<&str> = results.collect();
        let result =
            results.iter().filter(|result| places.contains_key(*result)).min_by_key(|result| places[*result])?;
        let is_next = |record: &&Value| is_message(record) && uuid(record).is_some_and(|uuid| !results.contains(&uuid));
        let next = damaged[behind..].iter().find(is_next).filter(|_| is_sure).and_then(uuid)?;
        let is_before = comes.get(result)? < comes.get(next)?;
        (is_before && places.get(next)? < &places[result]).then_some((name, next))
    });
    let gone = gone.collect::<Vec<_>>().into_iter();
    gone.map(|(name, next)| sentence!("the result that takes the place of `{name}` is behind `{next}`", name, next))
}

/// The place of each record.
fn places<'a>(records: &'a Records<'_>) -> HashMap<&'a str, usize> {
    records.iter().zip(0..).filter_map(|(record, at)| Some((uuid(record)?, at))).collect()
}

/// The messages of second results alone, beside the conversation and without children, that lost their results and did
/// not come into the conversation of the reply that they name.
fn emptied_beside(
    damaged: &Records<'_>,
    repaired: &Records<'_>,
    [before, after]: [&Condition; 2],
) -> impl Iterator<Item = Sentence> {
    let (there, left) = (&damaged.once, &repaired.once);
    let [came, comes] =
        [before, after].map(|condition| condition.conversation.iter().map(String::as_str).collect::<HashSet<&str>>());
    let named: HashSet<&str> = damaged.iter().chain(&**repaired).filter_map(|record| text(record, PARENT)).collect();
    let has_results = |record: &Value| blocks(record).iter().any(|block| result_of(block).is_some());
    let is_line_of = |uuid: &str, result: &Value| {
        let reply = there.get(uuid).filter(|reply| kind(reply) == "assistant" && is_of_one(reply, result));
        let mut of_reply = reply.into_iter().flat_map(|reply| blocks(reply)).filter_map(call_of);
        of_reply.any(|call| blocks(result).iter().all(|block| result_of(block) == Some(call)))
    };
    let beside = damaged.iter().filter_map(move |record| {
        let uuid = uuid(record).filter(|uuid| there.contains_key(uuid) && !named.contains(uuid))?;
        let parent = text(record, PARENT).filter(|parent| is_line_of(parent, record))?;
        let now = left.get(uuid).filter(|_| came.contains(parent) && comes.contains(parent))?;
        let is_there = came.contains(uuid) || comes.contains(uuid);
        let is_sent = !is_true(record, "isVirtual") && !is_true(record, "isVisibleInTranscriptOnly");
        let is_emptied =
            is_sent && kind(record) == "user" && is_message(record) && has_results(record) && !has_results(now);
        (is_emptied && !is_there).then_some(uuid)
    });
    let beside = beside.collect::<Vec<_>>().into_iter();
    beside.map(|uuid| sentence!("the message `{uuid}` lost its results, and is beside the conversation", uuid))
}
