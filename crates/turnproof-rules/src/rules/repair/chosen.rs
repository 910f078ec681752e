//! *Which of several* a repair keeps: of records with one uuid the last, of results of one call the true one, and of
//! calls with one id the one whose record the result names.

use std::collections::{HashMap, HashSet};

use super::condition::Condition;
use super::kept::without_id;
use super::records::{PARENT, Records, SOURCE, calls, is_of_one, owner, withdrawn};
use super::untouched;
use crate::json::Value;
use crate::rules::Sentence;
use crate::rules::value::{blocks, call_of, content, is_true, kind, list, reply_id, result_of, text, text_of, uuid};
use crate::vocabulary::{INTERRUPTED, NO_CONTENT, PROVISIONAL};

/// What is wrong about the records of a repaired file: the kind, what is found, and what is expected.
pub(super) fn wrongly_chosen(
    damaged: &Records<'_>,
    repaired: &Records<'_>,
    [before, after]: [&Condition; 2],
) -> Vec<(&'static str, Sentence, &'static str)> {
    let copies = other_copies(damaged, repaired);
    let copies = copies.map(|found| ("other-copy", found, "the last record with this uuid"));
    let placeholders = kept_placeholders(damaged, repaired, before);
    let placeholders = placeholders.map(|found| ("kept-placeholder", found, "the true result in its place"));
    let results = lost_results(damaged, repaired, [before, after]);
    let results = results.into_iter().map(|found| ("lost-result", found, "the true result, and no placeholder"));
    let calls = other_calls(damaged, repaired, before);
    let calls = calls.into_iter().map(|found| ("other-call", found, "the call whose record it names"));
    copies.chain(placeholders).chain(results).chain(calls).collect()
}

/// The records that say what an earlier record with their uuid said, and the last one did not. Looked at are uuids that
/// records of one owner have, where each message has one: what is removed with a message without one may want the other.
fn other_copies(damaged: &Records<'_>, repaired: &Records<'_>) -> impl Iterator<Item = Sentence> {
    let left = &repaired.once;
    let mut copies: HashMap<&str, Vec<&Value>> = HashMap::new();
    for record in damaged.iter() {
        uuid(record).into_iter().for_each(|uuid| copies.entry(uuid).or_default().push(record));
    }
    let repeated: HashSet<&str> = copies.iter().filter(|(_, copies)| copies.len() > 1).map(|(uuid, _)| *uuid).collect();
    let mut seen = HashSet::new();
    let in_order = damaged.iter().filter_map(uuid).filter(move |uuid| repeated.contains(uuid) && seen.insert(*uuid));
    let in_order = in_order.filter(|_| !damaged.has_nameless);
    in_order.collect::<Vec<_>>().into_iter().filter_map(move |uuid| {
        let (last, earlier) = copies[uuid].split_last()?;
        if earlier.iter().any(|other| owner(other) != owner(last)) {
            return None;
        }
        let (of_last, of_earlier) = (words(last), earlier.iter().flat_map(|copy| words(copy)).collect::<HashSet<_>>());
        let now = left.get(uuid)?;
        let found = words(now).into_iter().filter(|word| !of_last.contains(word));
        if let Some(word) = found.filter(|word| of_earlier.contains(word)).min() {
            return Some(sentence!("the record `{uuid}` says `{word}`, which an earlier one said", uuid, word));
        }
        let said = untouched::words(now);
        let word = untouched::words(last).into_iter().find(|word| !said.contains(word))?;
        Some(sentence!("the record `{uuid}` does not say `{word}`, as the last one did", uuid, word))
    })
}

/// What a record says that no repair changes: its type, its time, its reply and its texts.
fn words(record: &Value) -> HashSet<&str> {
    let of_content =
        content(record).and_then(Value::as_str).into_iter().chain(blocks(record).iter().filter_map(text_of));
    let own = ["type", "subtype", "timestamp"].into_iter().filter_map(|name| text(record, name));
    let said = own.chain(reply_id(record)).chain(of_content);
    said.filter(|word| !word.is_empty() && *word != NO_CONTENT).collect()
}

/// The results of a message that holds nothing else, as the ids of their calls; none for any other record.
pub(super) fn lone_results(record: &Value) -> Vec<&str> {
    let is_alone = kind(record) == "user" && blocks(record).iter().all(|block| kind(block) == "tool_result");
    blocks(record).iter().filter(|_| is_alone).filter_map(result_of).collect()
}

/// Whether a message holds placeholders and nothing else (SPEC 3.3.2).
pub(super) fn is_provisional(record: &Value) -> bool {
    let says = |text: &str| PROVISIONAL.iter().any(|beginning| text.starts_with(beginning));
    let is_placeholder = |block: &Value| match list(block, "content") {
        [only] => text_of(only).is_some_and(says),
        _ => text(block, "content").is_some_and(says),
    };
    let results = lone_results(record);
    let is_interrupted = text(record, "toolDenialKind") == Some(INTERRUPTED);
    !results.is_empty()
        && results.len() == blocks(record).len()
        && (is_interrupted || blocks(record).iter().all(is_placeholder))
}

/// Whether only the transcript shows a record: it is not sent.
fn is_hidden(record: &Value) -> bool {
    is_true(record, "isVisibleInTranscriptOnly") && !is_true(record, "isCompactSummary")
}

/// The placeholders that are left, though a resume found the true results of all their calls in the damaged file.
fn kept_placeholders(
    damaged: &Records<'_>,
    repaired: &Records<'_>,
    before: &Condition,
) -> impl Iterator<Item = Sentence> {
    let (there, left) = (&damaged.once, &repaired.once);
    let conversation: HashSet<&str> = before.conversation.iter().map(String::as_str).collect();
    let comes_back = |uuid: &str| conversation.contains(uuid);
    let of_conversation: Vec<&Value> =
        before.conversation.iter().filter_map(|uuid| Some(*there.get(&**uuid)?)).collect();
    let calls = calls(damaged);
    let has_true_one = |placeholder: &Value, call: &str| {
        let holders = calls.get(call).map_or(&[][..], Vec::as_slice);
        // Of records with one uuid the last one stays, and it may have no call.
        let stays = |of: &&str| there.contains_key(of);
        let names_a_holder =
            |record: &Value| holders.iter().filter_map(|holder| uuid(holder)).filter(stays).any(|of| names(record, of));
        let both_name_it = |other: &Value| name_one(placeholder, other) && names_a_holder(other);
        // A link that a repair puts right may name another record.
        let still_names =
            |other: &Value| uuid(other).and_then(|uuid| left.get(uuid)).is_some_and(|now| both_name_it(now));
        let is_true_one =
            |other: &&&Value| !is_hidden(other) && !is_provisional(other) && both_name_it(other) && still_names(other);
        let mut others = of_conversation.iter().filter(is_true_one);
        others.any(|other| lone_results(other).contains(&call))
    };
    // What a record withdraws stays where it is.
    let withdrawn = withdrawn(damaged);
    let is_replaced = |record: &Value| {
        let is_left_alone = |uuid: &str| comes_back(uuid) || withdrawn.contains(uuid);
        let is_own = uuid(record).is_some_and(|uuid| there.contains_key(uuid) && !is_left_alone(uuid));
        is_own && is_provisional(record) && lone_results(record).iter().all(|call| has_true_one(record, call))
    };
    let replaced: Vec<&str> = damaged.iter().filter(|record| is_replaced(record)).filter_map(uuid).collect();
    // An emptied message says nothing, and is one more turn.
    let is_emptied = |now: &Value| content(now).is_some_and(|said| said == NO_CONTENT);
    let is_one = |call: &&str| calls.get(call).is_some_and(|holders| holders.len() == 1);
    // Of a placeholder in other words its member alone says what it is.
    let says_so = |was: &Value| text(was, "toolDenialKind") != Some(INTERRUPTED);
    let is_plain = damaged.have_own_uuids && damaged.has_one_root && !damaged.has_boundary;
    // Where parents lead from the result to the placeholder, what is between them is between the call and its result.
    let results = results_by_call(damaged);
    let has_its_parent =
        |was: &Value, call: &str| results[call].iter().all(|other| text(other, PARENT) == text(was, PARENT));
    let is_sure = |was: &Value| {
        is_plain && says_so(was) && lone_results(was).iter().all(|call| is_one(call) && has_its_parent(was, call))
    };
    let is_left = |was: &Value, now: &Value| is_provisional(now) || is_emptied(now) && is_sure(was);
    let kept = replaced.into_iter().filter(|uuid| left.get(uuid).is_some_and(|now| is_left(there[uuid], now)));
    let kept = kept.collect::<Vec<_>>().into_iter();
    kept.map(|uuid| sentence!("the placeholder `{uuid}` is left beside the true result", uuid))
}

/// Whether two results name one record as their parent or their source.
pub(super) fn name_one(one: &Value, other: &Value) -> bool {
    [PARENT, SOURCE].into_iter().filter_map(|name| text(one, name)).any(|uuid| names(other, uuid))
}

/// Whether a result names this record as its parent or its source.
pub(super) fn names(result: &Value, uuid: &str) -> bool {
    [PARENT, SOURCE].into_iter().any(|name| text(result, name) == Some(uuid))
}

/// The calls beside the conversation that have a placeholder and had a true result. In both files one call has the id.
fn lost_results(damaged: &Records<'_>, repaired: &Records<'_>, conditions: [&Condition; 2]) -> Vec<Sentence> {
    let (there, left) = (calls(damaged), calls(repaired));
    let once = &damaged.once;
    let comes_back: HashSet<&str> =
        conditions.iter().flat_map(|condition| &condition.conversation).map(String::as_str).collect();
    let (old, new) = (results_by_call(damaged), results_by_call(repaired));
    let lost = |call: &&str| {
        let is_one = [&there, &left].iter().all(|calls| calls.get(call).is_some_and(|records| records.len() == 1));
        let of_call = [&old[call][..], new.get(call).map_or(&[], Vec::as_slice)].concat();
        let is_beside = |uuid: &str| !comes_back.contains(uuid) && once.contains_key(uuid);
        let is_beside = of_call.iter().all(|record| uuid(record).is_some_and(is_beside));
        let is_of_owner = there.get(call).is_some_and(|holders| of_call.iter().all(|one| is_of_one(one, holders[0])));
        let had_both = [true, false].iter().all(|is| old[call].iter().any(|record| is_provisional(record) == *is));
        let is_lost = |new: &Vec<&Value>| !new.is_empty() && new.iter().all(|record| is_provisional(record));
        is_one && is_beside && is_of_owner && had_both && new.get(call).is_some_and(is_lost)
    };
    let mut lost: Vec<&str> = old.keys().copied().filter(lost).collect();
    lost.sort_unstable();
    lost.into_iter().map(|call| sentence!("of the results of {call} a placeholder is left", call)).collect()
}

/// The results that another call has than the one of the record that they name. Looked at are results that are alone in
/// their message, of a call that shares its id with another one of its reply, where both come back and the reply has no
/// other record. A boundary may move what it preserves, so files with one are left out.
fn other_calls(damaged: &Records<'_>, repaired: &Records<'_>, before: &Condition) -> Vec<Sentence> {
    if damaged.has_boundary {
        return Vec::new();
    }
    let (there, left) = (&damaged.once, &repaired.once);
    let conversation: HashSet<&str> = before.conversation.iter().map(String::as_str).collect();
    let (calls, results) = (calls(damaged), results_by_call(damaged));
    let mut counts: HashMap<&str, usize> = HashMap::new();
    damaged.iter().filter_map(reply_id).for_each(|reply| *counts.entry(reply).or_default() += 1);
    let is_sure = |record: &Value| {
        let is_sent = !is_true(record, "isVirtual") && !is_true(record, "isVisibleInTranscriptOnly");
        let stays = |own: &str| there.contains_key(own) && left.contains_key(own) && conversation.contains(own);
        is_sent && uuid(record).is_some_and(stays)
    };
    let other_call = |call: &str, result: &Value| {
        let holders = calls.get(call).filter(|holders| holders.len() > 1)?;
        let holder = only(holders.iter().filter(|holder| uuid(holder).is_some_and(|uuid| names(result, uuid))))?;
        let is_whole_reply = holders.iter().all(|other| is_sure(other) && is_of_one_reply(other, holder));
        let is_asked = is_sure(result) && is_whole_reply && counts.get(reply_id(holder)?) == Some(&holders.len());
        only(results[call].iter().filter(|other| is_asked && name_one(result, other)))?;
        // A link that a repair puts right may name another record.
        let now = left.get(uuid(result)?).filter(|now| uuid(holder).is_some_and(|holder| names(now, holder)))?;
        let now = result_of(blocks(now).first()?)?;
        let asked = without_id(blocks(holder).iter().find(|block| call_of(block) == Some(call))?);
        let kept = blocks(left.get(uuid(holder)?)?).iter().find(|block| without_id(block) == asked);
        let same = kept.and_then(call_of)?;
        (same != now).then(|| sentence!("the result of {same} is of {now} now", same, now))
    };
    let alone = damaged.iter().filter_map(|result| Some((only(lone_results(result).into_iter())?, result)));
    alone.filter_map(|(call, result)| other_call(call, result)).collect()
}

/// The one thing that there is; `None` of several.
fn only<T>(mut things: impl Iterator<Item = T>) -> Option<T> {
    let first = things.next()?;
    things.next().is_none().then_some(first)
}

/// The messages that hold nothing but results, by the ids of their calls.
fn results_by_call(records: &[Value]) -> HashMap<&str, Vec<&Value>> {
    let mut results: HashMap<&str, Vec<&Value>> = HashMap::new();
    for record in records {
        lone_results(record).into_iter().for_each(|call| results.entry(call).or_default().push(record));
    }
    results
}

fn is_of_one_reply(one: &Value, other: &Value) -> bool {
    is_of_one(one, other) && reply_id(one).is_some() && reply_id(one) == reply_id(other)
}
