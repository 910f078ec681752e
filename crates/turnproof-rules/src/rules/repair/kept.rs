//! What a repair must *keep*: pairs of server tools and calls whose ids it changes, raw outputs of results that it
//! moves, sources that it can put right, pictures, and the uuid by which a message calls its parent. Nobody typed an
//! added message.

use std::collections::{HashMap, HashSet, VecDeque};

use super::records::{PARENT, Records, SOURCE, calls, is_message, owner};
use super::untouched::Kept;
use crate::json::Value;
use crate::operation::Host;
use crate::rules::Sentence;
use crate::rules::alike::in_short;
use crate::rules::shape::{Path, block, look_at_members};
use crate::rules::value::{blocks, call_of, content, is_true, kind, reply_id, result_of, text, uuid};
use crate::vocabulary::{MISSING_TOOL_RESULT, NO_CONTENT};

/// What is wrong about the records of a repaired file: the kind, what is found, and what is expected.
pub(super) fn lost(
    damaged: &Records<'_>,
    repaired: &Records<'_>,
    of_both: &[Kept<'_>],
) -> Vec<(&'static str, Sentence, &'static str)> {
    let pairs = dropped_pairs(damaged, repaired).map(|found| ("dropped-pair", found, "the pair, with another id"));
    let outputs = other_outputs(damaged, repaired).map(|found| ("other-output", found, "the raw output of the result"));
    let uuids = other_uuids(damaged, repaired);
    let uuids = uuids.map(|found| ("other-uuid", found, "the uuid by which the next message calls it"));
    let calls = lost_calls(damaged, repaired, of_both).map(|found| ("lost-call", found, "the call, with another id"));
    let sources = lost_sources(damaged, repaired).map(|found| ("lost-source", found, "the record with its call"));
    let pictures = lost_pictures(damaged, repaired).map(|found| ("lost-picture", found, "the picture as it was"));
    let first = first_messages(damaged, repaired).map(|found| ("no-meta", found, "`isMeta: true`"));
    pairs.chain(outputs).chain(uuids).chain(calls).chain(sources).chain(pictures).chain(first).collect()
}

/// The records that have fewer whole pairs of server tools than they had. Where another record of the reply has the call
/// too, the pair may be of both; and of equal calls in one turn a repair keeps one.
fn dropped_pairs(damaged: &Records<'_>, repaired: &Records<'_>) -> impl Iterator<Item = Sentence> {
    let (there, left) = (&damaged.once, &repaired.once);
    let mut said: HashMap<(Option<&str>, &str), usize> = HashMap::new();
    let named = |record| server_calls(record).filter_map(|call| Some((reply_id(record), text(call, "id")?)));
    let replies: Vec<&Value> = damaged.iter().filter(|record| kind(record) == "assistant").collect();
    for call in replies.iter().copied().flat_map(named) {
        *said.entry(call).or_default() += 1;
    }
    // Before a pair in one turn an open call of its id may be half of it.
    let open = replies.iter().copied().filter(|record| pairs(record) < server_calls(record).count()).flat_map(named);
    let open: HashSet<&str> = open.map(|(_, id)| id).collect();
    let is_alone = |call: &(Option<&str>, &str)| said.get(call) == Some(&1) && !open.contains(call.1);
    let equal = counted(replies.iter().copied().flat_map(server_calls).map(Value::to_string));
    let is_unlike = |record: &&Value| server_calls(record).all(|call| equal.get(&call.to_string()) == Some(&1));
    let alone = replies.iter().copied().filter(|record| named(record).all(|call| is_alone(&call))).filter(is_unlike);
    let alone: Vec<&str> = alone.filter_map(uuid).collect();
    alone.into_iter().filter_map(move |uuid| {
        let (count, now) = (pairs(there.get(uuid)?), pairs(left.get(uuid)?));
        (now < count)
            .then(|| sentence!("of {count} pairs of a server tool the reply `{uuid}` has {now}", count, uuid, now))
    })
}

fn server_calls(record: &Value) -> impl Iterator<Item = &Value> {
    blocks(record).iter().filter(|block| kind(block) == "server_tool_use")
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

/// Whether a block has the API's shape, but for its id.
pub(super) fn is_whole(value: &Value) -> bool {
    let Some(shape) = block(kind(value)) else { return false };
    let mut is_whole = true;
    look_at_members(value, shape, &Path::turn(0), Host::Portable, &mut |flaw| {
        is_whole &= matches!(flaw.member.as_str(), "id" | "tool_use_id");
    });
    is_whole
}

/// The added records whose result had another raw output. Looked at are results that were alone in their message, and whose
/// id no other result had, where each message has a uuid of its own: another record of one may be the one that stays.
fn other_outputs(damaged: &Records<'_>, repaired: &Records<'_>) -> impl Iterator<Item = Sentence> {
    let old: HashSet<&str> = damaged.iter().filter_map(uuid).collect();
    let mut outputs: HashMap<&str, Vec<Option<&Value>>> = HashMap::new();
    for record in damaged.iter().filter(|record| kind(record) == "user") {
        let results: Vec<&str> = blocks(record).iter().filter_map(result_of).collect();
        let output = record.get("toolUseResult").filter(|_| results.len() == 1);
        results.into_iter().for_each(|id| outputs.entry(id).or_default().push(output));
    }
    let is_added = move |record: &&Value| uuid(record).is_some_and(|uuid| !old.contains(uuid));
    let added = repaired.iter().filter(|_| damaged.have_own_uuids).filter(is_added);
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
fn other_uuids(damaged: &Records<'_>, repaired: &Records<'_>) -> impl Iterator<Item = Sentence> {
    let there: HashSet<&str> = damaged.iter().filter_map(uuid).collect();
    let left = &repaired.once;
    let messages: Vec<&Value> = damaged.iter().filter(|record| is_message(record)).collect();
    // Where a conversation is written in its order, links that were right are others before names are given.
    let is_moved = |record: &&Value| {
        let parent = text(record, PARENT).filter(|parent| there.contains(parent));
        let now = uuid(record).and_then(|uuid| text(left.get(uuid)?, PARENT));
        parent.is_some() && now.is_some() && parent != now
    };
    let is_arranged = messages.iter().any(is_moved);
    let pairs: Vec<[&Value; 2]> = messages.windows(2).map(|pair| [pair[0], pair[1]]).collect();
    let pairs = if is_arranged { Vec::new() } else { pairs };
    pairs.into_iter().filter(|[record, _]| record.get("uuid").is_none()).filter_map(move |[record, next]| {
        let name = text(next, PARENT).filter(|name| !there.contains(name) && owner(record) == owner(next))?;
        let given = text(left.get(uuid(next)?)?, PARENT).filter(|given| !there.contains(given))?;
        let is_it = left.get(given)?.get("message") == record.get("message");
        (is_it && given != name)
            .then(|| sentence!("a message without a uuid gets `{given}`, not `{name}`", given, name))
    })
}

/// The messages that are put in front of a conversation that begins with a reply, and that a person seems to have written.
fn first_messages(damaged: &Records<'_>, repaired: &Records<'_>) -> impl Iterator<Item = Sentence> {
    // Where a message has no uuid of its own, it gets one.
    let messages = damaged.iter().filter(|record| is_message(record));
    let is_sure = messages.count() == damaged.once.values().filter(|record| is_message(record)).count();
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

/// The calls of which the file holds fewer, whatever their ids. Looked at are calls of records that stay which no other
/// one of the file equals, and that the API takes but for their id. They may move to another line of their turn.
fn lost_calls(damaged: &Records<'_>, repaired: &Records<'_>, of_both: &[Kept<'_>]) -> impl Iterator<Item = Sentence> {
    let left = &repaired.once;
    let stay: HashSet<&str> = of_both.iter().map(|kept| kept.uuid).collect();
    let stays = |record: &Value| uuid(record).is_some_and(|uuid| stay.contains(uuid));
    let then = calls_of(damaged);
    let equal = counted(then.iter().map(|(_, block)| block.to_string()));
    let mut now = counted(calls_of(repaired).into_iter().map(|(_, block)| without_id(block)));
    let is_asked = |(record, block): &(&Value, &Value)| {
        stays(record) && is_whole(block) && equal.get(&block.to_string()).is_none_or(|count| *count == 1)
    };
    let asked: Vec<(&Value, &Value)> = then.into_iter().filter(is_asked).collect();
    let lost = asked.into_iter().filter(move |(_, block)| match now.get_mut(&without_id(block)) {
        Some(count) if *count > 0 => {
            *count -= 1;
            false
        }
        _ => true,
    });
    lost.map(move |(record, block)| {
        let (reply, call) = (uuid(record).unwrap_or_default(), call_of(block).unwrap_or_default());
        let mut of_reply = left.get(reply).into_iter().flat_map(|now| blocks(now));
        match of_reply.find(|now| call_of(now) == Some(call)) {
            Some(now) => {
                let (was, is) = (in_short(block), in_short(now));
                sentence!("the call {was} of the reply `{reply}` is {is} now", was, reply, is)
            }
            None => sentence!("a call as {call} of the reply `{reply}` is gone", call, reply),
        }
    })
}

/// How often there is each text.
fn counted(texts: impl Iterator<Item = String>) -> HashMap<String, usize> {
    let mut counts = HashMap::new();
    texts.for_each(|text| *counts.entry(text).or_default() += 1);
    counts
}

/// The calls of the replies of a file, each with its record.
fn calls_of(records: &[Value]) -> Vec<(&Value, &Value)> {
    let replies = records.iter().filter(|record| kind(record) == "assistant");
    let blocks = replies.flat_map(|record| blocks(record).iter().map(move |block| (record, block)));
    blocks.filter(|(_, block)| call_of(block).is_some()).collect()
}

/// A call but for its id, as JSON.
pub(super) fn without_id(block: &Value) -> String {
    let mut call = block.clone();
    call.as_object_mut().into_iter().for_each(|call| drop(call.remove("id")));
    call.to_string()
}

/// The results that name no source any more, though one record holds their calls in both files.
fn lost_sources(damaged: &Records<'_>, repaired: &Records<'_>) -> impl Iterator<Item = Sentence> {
    let (there, left) = (&damaged.once, &repaired.once);
    let (old, new) = (calls(damaged), calls(repaired));
    let holders = |calls: &HashMap<&str, Vec<&Value>>, record: &Value| -> HashSet<String> {
        let mut of_results = blocks(record).iter().filter_map(result_of).map(|call| {
            let records = calls.get(call).into_iter().flatten();
            records.filter_map(|record| uuid(record)).map(str::to_owned).collect::<HashSet<String>>()
        });
        let first = of_results.next().unwrap_or_default();
        of_results.fold(first, |all, own| all.intersection(&own).cloned().collect())
    };
    let of_user = damaged.iter().filter(|record| kind(record) == "user" && text(record, SOURCE).is_some());
    of_user.collect::<Vec<_>>().into_iter().filter_map(move |record| {
        let uuid = uuid(record).filter(|uuid| there.contains_key(uuid))?;
        let now = left.get(uuid).filter(|now| now.get(SOURCE).is_none())?;
        let both = &holders(&old, record) & &holders(&new, now);
        let holder = both.into_iter().filter(|holder| there.contains_key(&**holder)).min()?;
        Some(sentence!("the result `{uuid}` names no source, and `{holder}` holds its call", uuid, holder))
    })
}

/// The pictures of attachments and prompts that are gone or others, of records that stay, and of types that each
/// request may carry.
fn lost_pictures(damaged: &Records<'_>, repaired: &Records<'_>) -> impl Iterator<Item = Sentence> {
    let (there, left) = (&damaged.once, &repaired.once);
    damaged.iter().collect::<Vec<_>>().into_iter().filter_map(move |record| {
        let uuid = uuid(record).filter(|uuid| there.contains_key(uuid))?;
        // A message without a uuid may get that of a record that was removed.
        let kept = pictures(left.get(uuid).filter(|now| text(now, "timestamp") == text(record, "timestamp"))?);
        let lost = pictures(record).into_iter().find(|picture| !kept.contains(picture))?;
        Some(sentence!("a picture of type {type_name} of the record `{uuid}` is gone", type_name = lost.0, uuid))
    })
}

/// The pictures of an attachment, and those that a prompt holds beside its other blocks: type and data.
fn pictures(record: &Value) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    if kind(record) == "user" {
        let images = blocks(record).iter().filter(|block| kind(block) == "image" && is_whole(block));
        found.extend(images.filter_map(|image| image.get("source")).filter_map(picture));
    }
    let mut left: Vec<&Value> = record.get("attachment").filter(|_| kind(record) == "attachment").into_iter().collect();
    while let Some(value) = left.pop() {
        found.extend(picture(value));
        match (value.as_array(), value.as_object()) {
            (Some(list), _) => left.extend(list),
            (_, Some(members)) => left.extend(members.values()),
            _ => {}
        }
    }
    found
}

/// The type and the data of an object that holds a picture or a document.
fn picture(value: &Value) -> Option<(&str, &str)> {
    let mut types = ["type", "mimeType", "media_type"].into_iter().filter_map(|name| text(value, name));
    let is_medium = |name: &&str| name.starts_with("image/") || *name == PDF;
    let type_name = types.find(is_medium).filter(|name| PICTURES.contains(name))?;
    let data = ["base64", "blob", "image_data", "data"].into_iter().find_map(|name| text(value, name))?;
    Some((type_name, data)).filter(|_| !types.any(|name| is_medium(&name)))
}

const PDF: &str = "application/pdf";

/// The types of pictures and documents that each request may carry.
const PICTURES: [&str; 5] = ["image/jpeg", "image/png", "image/gif", "image/webp", PDF];
