//! The *results* of a repaired file: a true one stays with its call, and what is added for one says what a record with a
//! result says.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::chosen::{is_provisional, names};
use super::condition::Condition;
use super::kept::{is_whole, without_id};
use super::records::{PARENT, Records, SOURCE, is_of_one};
use crate::json::Value;
use crate::rules::Sentence;
use crate::rules::value::{blocks, call_of, content, is_blank, is_true, kind, reply_id, result_of, text, uuid};
use crate::vocabulary::MISSING_TOOL_RESULT;

/// What is wrong about the results of a repaired file: the kind, what is found, and what is expected.
pub(super) fn wrong_results(
    damaged: &Records<'_>,
    repaired: &Records<'_>,
    conditions: [&Condition; 2],
    had_placeholder: bool,
) -> Vec<(&'static str, Sentence, &'static str)> {
    let thrown_away = thrown_away(damaged, repaired, conditions);
    let thrown_away = thrown_away.into_iter().map(|found| ("no-result", found, "the result that the call had"));
    let guests = if had_placeholder { Vec::new() } else { guests(damaged, repaired) };
    let guests = guests.into_iter().map(|found| ("no-own-record", found, "a record of its own"));
    let unfit = unfit(damaged, repaired).map(|(found, expected)| ("unfit", found, expected));
    thrown_away.chain(guests).chain(unfit).collect()
}

/// What a result says of its call: the records with both, and what they hold.
struct Pair<'a> {
    call: &'a Value,
    holder: &'a Value,
    result: &'a Value,
    says: &'a str,
    /// Other calls or other results have the id.
    is_shared: bool,
}

/// The calls that had one true result and do not have it any more.
///
/// Looked at are results that say a plain text, and that name the record with the call as their parent; or anywhere
/// behind it, where no other call and no other result has the id. Both come back from the damaged file, the call first.
fn thrown_away(damaged: &Records<'_>, repaired: &Records<'_>, [before, after]: [&Condition; 2]) -> Vec<Sentence> {
    let (there, left) = (&damaged.once, &repaired.once);
    // Where a circle was cut, or messages are in another order, the first call of an id is another one.
    let in_file: HashMap<&str, usize> = damaged.iter().filter_map(uuid).zip(0..).collect();
    let is_ordered = after.conversation.iter().filter_map(|uuid| in_file.get(&**uuid)).is_sorted();
    let places: HashMap<&str, usize> = before.conversation.iter().map(String::as_str).zip(0..).collect();
    let kept = Answers::of(repaired);
    let is_sure = |record: &Value| {
        let is_sent = !is_true(record, "isVirtual") && !is_true(record, "isVisibleInTranscriptOnly");
        is_sent && uuid(record).is_some_and(|uuid| there.contains_key(uuid) && left.contains_key(uuid))
    };
    let pairs = pairs(damaged, there).into_iter().filter(|pair| {
        let place = |record| uuid(record).and_then(|uuid| places.get(uuid));
        let is_in_order = place(pair.holder).zip(place(pair.result)).is_some_and(|(call, result)| call < result);
        is_in_order && is_sure(pair.holder) && is_sure(pair.result) && is_of_one(pair.holder, pair.result)
    });
    // A link that a repair puts right may name another record. What a repair adds between the two changes nothing.
    let still_names = |pair: &Pair<'_>| {
        let is_added = |uuid: &&str| !in_file.contains_key(uuid);
        let now = uuid(pair.result).and_then(|uuid| left.get(uuid).copied());
        let parent = |record: &Value| text(record, PARENT).filter(is_added).and_then(|uuid| left.get(uuid).copied());
        let mut way = std::iter::successors(now, |record| parent(record)).take(left.len());
        uuid(pair.holder).is_some_and(|holder| way.any(|record| names(record, holder)))
    };
    let lost = pairs.filter(|pair| is_ordered && !kept.has(pair) && (!pair.is_shared || still_names(pair)));
    lost.map(|pair| {
        let (reply, call) = (uuid(pair.holder).unwrap_or_default(), call_of(pair.call).unwrap_or_default());
        sentence!("the call {call} of the reply `{reply}` has not its result any more", call, reply)
    })
    .collect()
}

/// The calls of a file with the results of which it is sure that they are theirs.
fn pairs<'a>(damaged: &'a Records<'_>, there: &HashMap<&str, &'a Value>) -> Vec<Pair<'a>> {
    let (mut calls, mut results) = (HashMap::<_, Vec<_>>::new(), BTreeMap::<_, Vec<_>>::new());
    for record in damaged.iter() {
        for block in blocks(record) {
            match (kind(record), call_of(block), result_of(block)) {
                ("assistant", Some(id), _) => calls.entry(id).or_default().push((record, block)),
                ("user", _, Some(id)) => results.entry(id).or_default().push((record, block)),
                _ => {}
            }
        }
    }
    // Elsewhere a result that names another record may come to stand before its call.
    let is_plain = !damaged.has_boundary && damaged.have_own_uuids;
    let mut pairs = Vec::new();
    for (id, results) in &results {
        let Some(calls) = calls.get(id) else { continue };
        let mut by_holder: HashMap<&str, Vec<usize>> = HashMap::new();
        for (at, (result, _)) in results.iter().enumerate() {
            let named: HashSet<&str> = [PARENT, SOURCE].iter().filter_map(|name| text(result, name)).collect();
            named.into_iter().for_each(|holder| by_holder.entry(holder).or_default().push(at));
        }
        let mut of_holder: HashMap<&str, Vec<&Value>> = HashMap::new();
        let mut equal: HashMap<String, usize> = HashMap::new();
        for (holder, call) in calls {
            uuid(holder).into_iter().for_each(|uuid| of_holder.entry(uuid).or_default().push(call));
            *equal.entry(call.to_string()).or_default() += 1;
        }
        // Where a boundary moves what it preserves, a result may hang on another line of the reply when ids are given.
        let is_shared = calls.len() > 1 || results.len() > 1;
        let of_a_holder =
            |(result, _): &(&Value, &Value)| text(result, PARENT).is_some_and(|of| of_holder.contains_key(of));
        // The result of a call that is taken out, or that moves behind the others of its reply, may go to another call.
        let are_whole = calls.iter().all(|(_, call)| is_whole(call));
        let replies: HashSet<_> = calls.iter().map(|(holder, _)| reply_id(holder)).collect();
        let are_apart = replies.len() == calls.len();
        if is_shared && !(is_plain && are_whole && are_apart && results.iter().all(of_a_holder)) {
            continue;
        }
        let holds = |uuid: Option<&str>| uuid.is_some_and(|uuid| of_holder.contains_key(uuid));
        for (at, (result, block)) in results.iter().enumerate() {
            let (parent, source) = (text(result, PARENT), text(result, SOURCE));
            let of_parent = parent.and_then(|parent| Some((*there.get(parent)?, of_holder.get(parent)?.as_slice())));
            let is_of_parent = parent.is_some_and(|parent| by_holder[parent] == [at]);
            let (holder, call) = match (of_parent, calls.as_slice()) {
                (Some((holder, [call])), _) if is_of_parent => (holder, *call),
                (None, [(holder, call)]) if is_plain && results.len() == 1 => (*holder, *call),
                _ => continue,
            };
            // A source that holds such a call says the same as the parent.
            let is_sure = source == uuid(holder) || !holds(source);
            // Of equal calls in one turn the first has the result.
            let is_one = equal.get(&call.to_string()) == Some(&1) && is_whole(call);
            let says = text(block, "content").filter(|says| !is_blank(says) && !is_provisional(result));
            let Some(says) = says.filter(|_| is_sure && is_one && !id.is_empty()) else { continue };
            pairs.push(Pair { call, holder, result, says, is_shared });
        }
    }
    pairs
}

/// What the calls of a file got, for each call but for its id. It may have moved to another line of its turn.
struct Answers<'a> {
    results: HashSet<(&'a str, &'a str)>,
    calls: HashMap<String, Vec<&'a str>>,
}

impl<'a> Answers<'a> {
    fn of(records: &'a [Value]) -> Self {
        let (mut results, mut calls) = (HashSet::new(), HashMap::<_, Vec<_>>::new());
        for record in records {
            for block in blocks(record) {
                if let (Some(id), Some(says), "user") = (result_of(block), text(block, "content"), kind(record)) {
                    results.insert((id, says));
                } else if let (Some(id), "assistant") = (call_of(block), kind(record)) {
                    calls.entry(without_id(block)).or_default().push(id);
                }
            }
        }
        Self { results, calls }
    }

    /// Whether such a call has such a result.
    fn has(&self, pair: &Pair<'_>) -> bool {
        let mut ids = self.calls.get(&without_id(pair.call)).into_iter().flatten();
        ids.any(|id| self.results.contains(&(id, pair.says)))
    }
}

/// The placeholders that are put into records which were there, in a file that had none. Behind a boundary's back no record
/// can be added, so files with one are left out.
fn guests(damaged: &Records<'_>, repaired: &Records<'_>) -> Vec<Sentence> {
    if damaged.has_boundary {
        return Vec::new();
    }
    let there = &damaged.once;
    let is_placeholder = |block: &&Value| text(block, "content") == Some(MISSING_TOOL_RESULT);
    let of_user = repaired.iter().filter(|record| kind(record) == "user");
    let guests = of_user.filter_map(|record| {
        let uuid = uuid(record).filter(|uuid| there.contains_key(uuid))?;
        let call = blocks(record).iter().filter(is_placeholder).find_map(result_of)?;
        Some(sentence!("the placeholder for the result of {call} is in the record `{uuid}`", call, uuid))
    });
    guests.collect()
}

/// What was made and does not fit its record: what is found, and what is expected.
fn unfit(damaged: &Records<'_>, repaired: &Records<'_>) -> impl Iterator<Item = (Sentence, &'static str)> {
    let there = &damaged.once;
    let is_sure = damaged.have_own_uuids;
    let look = move |record: &Value| {
        let uuid = uuid(record)?;
        let (kind, role) = (kind(record), record.get("message").and_then(|body| text(body, "role")));
        let Some(was) = there.get(uuid) else {
            let has_result = kind == "user" && blocks(record).iter().any(|block| result_of(block).is_some());
            let missing = ["toolUseResult", SOURCE].into_iter().find(|name| record.get(*name).is_none());
            let name = missing.filter(|_| is_sure && has_result)?;
            return Some((sentence!("the added result `{uuid}` has no `{name}`", uuid, name), "what a result has"));
        };
        let is_text = |record| content(record).is_some_and(|content| content.as_str().is_some());
        if kind == "assistant" && is_text(record) && !is_text(was) {
            return Some((sentence!("the content of the reply `{uuid}` is a text now", uuid), "a list of blocks"));
        }
        let had_body = was.get("message").is_some_and(|body| body.as_object().is_some());
        let is_said = matches!(kind, "user" | "assistant") && record.get("message").is_some();
        let is_other = is_said && !had_body && role != Some(kind);
        is_other.then(|| (sentence!("the message that `{uuid}` got has another role", uuid), "the type of its record"))
    };
    repaired.iter().filter_map(look).collect::<Vec<_>>().into_iter()
}
