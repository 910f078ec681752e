//! What a repair must *keep*: pairs of server tools whose ids it changes, raw outputs of results that it moves, and the
//! uuid by which a message calls its parent. A boundary does not follow itself, and nobody typed an added message.

use std::collections::{HashMap, HashSet, VecDeque};

use crate::json::Value;
use crate::operation::Host;
use crate::rules::Sentence;
use crate::rules::shape::{Path, block, look_at_members};
use crate::rules::value::{blocks, content, is_true, kind, reply_id, result_of, text, uuid};
use crate::vocabulary::{Kind, MISSING_TOOL_RESULT, NO_CONTENT};

/// What is wrong about the records of a repaired file: the kind, what is found, and what is expected.
pub(super) fn lost(damaged: &[Value], repaired: &[Value]) -> Vec<(&'static str, Sentence, &'static str)> {
    let pairs = dropped_pairs(damaged, repaired).map(|found| ("dropped-pair", found, "the pair, with another id"));
    let outputs = other_outputs(damaged, repaired).map(|found| ("other-output", found, "the raw output of the result"));
    let uuids = other_uuids(damaged, repaired);
    let uuids = uuids.map(|found| ("other-uuid", found, "the uuid by which the next message calls it"));
    let logical = other_logical_parents(damaged, repaired);
    let logical = logical.map(|found| ("other-logical-parent", found, "a message before the boundary"));
    let first = first_messages(damaged, repaired).map(|found| ("no-meta", found, "`isMeta: true`"));
    pairs.chain(outputs).chain(uuids).chain(logical).chain(first).collect()
}

/// The records by uuid, without those whose uuid another one has.
fn by_uuid(records: &[Value]) -> HashMap<&str, &Value> {
    let mut found: HashMap<&str, Option<&Value>> = HashMap::new();
    for record in records {
        let Some(uuid) = uuid(record) else { continue };
        found.entry(uuid).and_modify(|other| *other = None).or_insert(Some(record));
    }
    found.into_iter().filter_map(|(uuid, record)| Some((uuid, record?))).collect()
}

/// The records that have fewer whole pairs of server tools than they had. Where another record of the reply has the call
/// too, the pair may be of both.
fn dropped_pairs(damaged: &[Value], repaired: &[Value]) -> impl Iterator<Item = Sentence> {
    let (there, left) = (by_uuid(damaged), by_uuid(repaired));
    let mut said: HashMap<(Option<&str>, &str), usize> = HashMap::new();
    let calls = |record| blocks(record).iter().filter(|block| kind(block) == "server_tool_use");
    let named = |record| calls(record).filter_map(|call| Some((reply_id(record), text(call, "id")?)));
    let replies: Vec<&Value> = damaged.iter().filter(|record| kind(record) == "assistant").collect();
    for call in replies.iter().copied().flat_map(named) {
        *said.entry(call).or_default() += 1;
    }
    let alone = replies.into_iter().filter(|record| named(record).all(|call| said.get(&call) == Some(&1)));
    let alone: Vec<&str> = alone.filter_map(uuid).collect();
    alone.into_iter().filter_map(move |uuid| {
        let (count, now) = (pairs(there.get(uuid)?), pairs(left.get(uuid)?));
        (now < count)
            .then(|| sentence!("of {count} pairs of a server tool the reply `{uuid}` has {now}", count, uuid, now))
    })
}

/// How many calls of server tools have their result behind them in one record, each in the API's shape but for its id.
fn pairs(record: &Value) -> usize {
    let mut waiting: HashMap<&str, VecDeque<&str>> = HashMap::new();
    let mut count = 0;
    for block in blocks(record).iter().filter(|block| is_whole(block)) {
        if let ("server_tool_use", Some(id), Some(name)) = (kind(block), text(block, "id"), text(block, "name")) {
            waiting.entry(id).or_default().push_back(name);
        } else if let (Some(name), Some(id)) = (kind(block).strip_suffix("_tool_result"), text(block, "tool_use_id")) {
            count += usize::from(waiting.get_mut(id).and_then(VecDeque::pop_front).is_some_and(|call| call == name));
        }
    }
    count
}

fn is_whole(value: &Value) -> bool {
    let Some(shape) = block(kind(value)) else { return false };
    let mut is_whole = true;
    look_at_members(value, shape, &Path::turn(0), Host::Portable, &mut |flaw| {
        is_whole &= matches!(flaw.member.as_str(), "id" | "tool_use_id");
    });
    is_whole
}

/// The added records whose result had another raw output. Looked at are results that were alone in their message, and whose
/// id no other result had.
fn other_outputs(damaged: &[Value], repaired: &[Value]) -> impl Iterator<Item = Sentence> {
    let old: HashSet<&str> = damaged.iter().filter_map(uuid).collect();
    let mut outputs: HashMap<&str, Vec<Option<&Value>>> = HashMap::new();
    for record in damaged.iter().filter(|record| kind(record) == "user") {
        let results: Vec<&str> = blocks(record).iter().filter_map(result_of).collect();
        let output = record.get("toolUseResult").filter(|_| results.len() == 1);
        results.into_iter().for_each(|id| outputs.entry(id).or_default().push(output));
    }
    let added = repaired.iter().filter(move |record| uuid(record).is_some_and(|uuid| !old.contains(uuid)));
    added.filter_map(move |record| {
        let [block] = blocks(record) else { return None };
        let id = result_of(block).filter(|_| text(block, "content") != Some(MISSING_TOOL_RESULT))?;
        let [Some(output)] = outputs.get(id)?.as_slice() else { return None };
        let is_kept = record.get("toolUseResult") == Some(*output);
        (!is_kept).then(|| sentence!("the raw output of the moved result of {id} is another", id))
    })
}

/// The messages without a uuid that got another one than that by which the next message calls its parent, where that
/// message is still theirs.
fn other_uuids(damaged: &[Value], repaired: &[Value]) -> impl Iterator<Item = Sentence> {
    let there: HashSet<&str> = damaged.iter().filter_map(uuid).collect();
    let left = by_uuid(repaired);
    let messages: Vec<&Value> = damaged.iter().filter(|record| is_message(record)).collect();
    let pairs: Vec<[&Value; 2]> = messages.windows(2).map(|pair| [pair[0], pair[1]]).collect();
    pairs.into_iter().filter(|[record, _]| record.get("uuid").is_none()).filter_map(move |[record, next]| {
        let name = text(next, PARENT).filter(|name| !there.contains(name) && owner(record) == owner(next))?;
        let given = text(left.get(uuid(next)?)?, PARENT).filter(|given| !there.contains(given))?;
        let is_it = left.get(given)?.get("message") == record.get("message");
        (is_it && given != name)
            .then(|| sentence!("a message without a uuid gets `{given}`, not `{name}`", given, name))
    })
}

/// The boundaries that did not say what they followed, and do not name a message before them now. In both files a message
/// is before them that is there once.
fn other_logical_parents(damaged: &[Value], repaired: &[Value]) -> impl Iterator<Item = Sentence> {
    let there = by_uuid(damaged);
    let is_boundary = |record: &Value| kind(record) == "system" && text(record, "subtype") == Some("compact_boundary");
    let is_mute = |record: &Value| is_boundary(record) && record.get(LOGICAL).is_none();
    let mute = damaged.iter().enumerate().filter(|(_, record)| is_mute(record));
    let mute: Vec<(usize, &str)> = mute.filter_map(|(at, record)| Some((at, uuid(record)?))).collect();
    mute.into_iter().filter_map(move |(place, boundary)| {
        let at = repaired.iter().position(|record| uuid(record) == Some(boundary) && there.contains_key(boundary))?;
        let before: HashSet<&str> = repaired[..at].iter().filter_map(uuid).collect();
        let is_one = |other: &Value| is_message(other) && is_of_one(other, &damaged[place]);
        let stays = |uuid: &str| there.contains_key(uuid) && before.contains(uuid);
        damaged[..place].iter().find(|other| is_one(other) && uuid(other).is_some_and(stays))?;
        let named = text(&repaired[at], LOGICAL);
        let was_before = |named: &str| damaged[..place].iter().any(|other| uuid(other) == Some(named));
        let is_right = named.is_some_and(|named| before.contains(named) || was_before(named));
        let named = named.unwrap_or("nothing").to_owned();
        (!is_right).then(|| sentence!("the boundary `{boundary}` names {named} as what it followed", boundary, named))
    })
}

const PARENT: &str = "parentUuid";
const LOGICAL: &str = "logicalParentUuid";

/// The messages that are put in front of a conversation that begins with a reply, and that a person seems to have written.
fn first_messages(damaged: &[Value], repaired: &[Value]) -> impl Iterator<Item = Sentence> {
    // Where a message has no uuid of its own, it gets one.
    let messages = damaged.iter().filter(|record| is_message(record));
    let is_sure = messages.count() == by_uuid(damaged).into_values().filter(|record| is_message(record)).count();
    let old: HashSet<&str> = damaged.iter().filter_map(uuid).collect();
    let is_added = move |record: &&Value| is_sure && uuid(record).is_some_and(|uuid| !old.contains(uuid));
    // A record that was added for a result has its raw output.
    let says_nothing = |record: &&Value| {
        let is_of_user = kind(record) == "user" && record.get("toolUseResult").is_none();
        is_of_user && content(record).is_some_and(|said| said == NO_CONTENT)
    };
    let typed = repaired.iter().filter(is_added).filter(says_nothing).filter(|record| !is_true(record, "isMeta"));
    typed.filter_map(uuid).map(|uuid| sentence!("the added message `{uuid}` is no meta message", uuid))
}

/// Whether two records are of one session and owner.
fn is_of_one(one: &Value, other: &Value) -> bool {
    owner(one) == owner(other) && one.get("sessionId") == other.get("sessionId")
}

fn is_message(record: &Value) -> bool {
    Kind::of(kind(record)).is_some_and(Kind::is_chain_participant)
}

/// Whose record it is: that of the conversation, or of a subagent.
fn owner(record: &Value) -> (bool, Option<&str>) {
    let is_sidechain = is_true(record, "isSidechain");
    (is_sidechain, text(record, "agentId").filter(|_| is_sidechain))
}
