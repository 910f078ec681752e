//! *Added* records: a placeholder says where, for whom and when its call was recorded, as the record of the call does.

use std::collections::{HashMap, HashSet};

use super::bytes::uuids;
use crate::json::{self, Value};
use crate::operation::Plain;
use crate::rules::Sentence;
use crate::rules::value::{kind, reply_id, text};
use crate::rules::wire::model::pieces;
use crate::vocabulary::MISSING_TOOL_RESULT;

/// The members that an added record has of the record with the call.
const ORIGIN: [&str; 7] = ["sessionId", "isSidechain", "agentId", "teamName", "cwd", "version", "timestamp"];

/// A member of an added record that is another than that of each record with its call.
pub(super) fn of_another_origin(before: &[u8], after: &[u8]) -> Vec<Sentence> {
    let marker = MISSING_TOOL_RESULT.as_bytes();
    if !after.windows(marker.len()).any(|bytes| bytes == marker) {
        return Vec::new();
    }
    let old: HashSet<String> = uuids(before).collect();
    // A call that was there twice may be gone from the record to which the placeholder belongs.
    let (damaged, records) = (records(before), records(after));
    let mut calls: HashMap<&str, Vec<&Value>> = HashMap::new();
    let lines = || records.iter().chain(&damaged).filter(|record| kind(record) == "assistant");
    let mut replies: HashMap<&str, Vec<&Value>> = HashMap::new();
    lines().for_each(|line| replies.entry(reply_id(line).unwrap_or_default()).or_default().push(line));
    for record in lines() {
        calls_of(record).for_each(|call| calls.entry(call).or_default().push(record));
    }
    // An id that was called twice, or that is no more, has new names, and which of them has which is not said.
    let (called_twice, left) = (called_twice(&damaged), records.iter().flat_map(calls_of).collect::<HashSet<_>>());
    let is_renamed = |call: &str| called_twice.contains(call) || !left.contains(call);
    let renamed: Vec<&Value> = damaged.iter().filter(|record| calls_of(record).any(is_renamed)).collect();
    let hiding = hiding(before);
    // A record that was there may get a uuid, and the placeholder as its content.
    let origin = |record: &Value| {
        (kind(record).to_owned(), ORIGIN.map(|name| member(record, name).map_or_else(String::new, Value::to_string)))
    };
    let there: HashSet<_> = damaged.iter().map(origin).collect();
    // So may one that held a placeholder, and that loses a member of a wrong type.
    let unnamed = damaged.iter().filter(|record| text(record, "uuid").is_none());
    let held: HashSet<&str> = unnamed.flat_map(placeholders).collect();
    let is_added = |record: &&Value| {
        let is_new = text(record, "uuid").is_some_and(|uuid| !old.contains(uuid));
        let is_held = || placeholders(record).all(|call| held.contains(call));
        is_new && placeholders(record).next().is_some() && !there.contains(&origin(record)) && !is_held()
    };
    let added = records.iter().filter(is_added);
    // Each line of the call's reply will do.
    let lines_of = |call| reply_id(call).and_then(|id| replies.get(id)).map_or(vec![call], Vec::clone);
    // One record may hold the placeholders of several calls.
    let other = |record| {
        let of_call = |id: &str| {
            let Some(calls) = calls.get(id) else { return Vec::new() };
            let is_new = !damaged.iter().flat_map(calls_of).any(|call| call == id);
            let renamed: &[&Value] = if is_new { &renamed } else { &[] };
            let hiding = hiding.iter().filter(|(bytes, _)| holds(bytes, id)).map(|(_, record)| record);
            calls.iter().chain(renamed).copied().chain(hiding).flat_map(lines_of).collect::<Vec<&Value>>()
        };
        another_origin(record, &placeholders(record).flat_map(of_call).collect::<Vec<&Value>>())
    };
    added.filter_map(other).collect()
}

/// The ids of a reply's calls.
fn calls_of(record: &Value) -> impl Iterator<Item = &str> {
    let calls = blocks(record).filter(|block| kind(block) == "tool_use").filter_map(|block| text(block, "id"));
    calls.filter(|_| kind(record) == "assistant")
}

/// The ids that are called more than once.
fn called_twice(records: &[Value]) -> HashSet<&str> {
    let mut seen = HashSet::new();
    records.iter().flat_map(calls_of).filter(|call| !seen.insert(*call)).collect()
}

fn records(file: &[u8]) -> Vec<Value> {
    bytes_of_records(file).filter_map(record).collect()
}

fn bytes_of_records(file: &[u8]) -> impl Iterator<Item = &[u8]> {
    pieces(file).into_iter().map(|piece| &file[piece.start as usize..piece.end as usize])
}

fn record(bytes: &[u8]) -> Option<Value> {
    Plain::read_bytes(bytes).ok().map(Plain::into_value)
}

/// The records that repeat a key, each with its bytes: a call may be in the value that the last one hides.
fn hiding(file: &[u8]) -> Vec<(&[u8], Value)> {
    let repeats = |bytes: &&[u8]| json::read_all(bytes).is_ok_and(|tree| tree.has_repeated_key());
    bytes_of_records(file).filter(repeats).filter_map(|bytes| Some((bytes, record(bytes)?))).collect()
}

fn holds(bytes: &[u8], id: &str) -> bool {
    !id.is_empty() && bytes.windows(id.len()).any(|part| part == id.as_bytes())
}

/// The calls for whose results a record of the user holds placeholders.
fn placeholders(record: &Value) -> impl Iterator<Item = &str> {
    let is_placeholder =
        |block: &&Value| kind(block) == "tool_result" && text(block, "content") == Some(MISSING_TOOL_RESULT);
    let of_user = blocks(record).filter(|_| kind(record) == "user");
    of_user.filter(is_placeholder).filter_map(|block| text(block, "tool_use_id"))
}

/// What is another in a record than in the records with its calls, in words. One of them must agree.
fn another_origin(added: &Value, calls: &[&Value]) -> Option<Sentence> {
    let other = |call: &&Value| ORIGIN.into_iter().find(|name| member(added, name) != member(call, name));
    let others: Option<Vec<&str>> = calls.iter().map(other).collect();
    let (name, call) = (*others?.first()?, calls.first()?);
    let shown = |record: &Value| member(record, name).map_or_else(|| "missing".to_owned(), Value::to_string);
    Some(sentence!(
        "`{name}` of the placeholder `{uuid}` is {found}, and that of its call {expected}",
        name,
        uuid = text(added, "uuid").unwrap_or_default(),
        found = shown(added),
        expected = shown(call)
    ))
}

/// A member that says something: null and a flag that is not set say nothing.
fn member<'a>(record: &'a Value, name: &str) -> Option<&'a Value> {
    record.get(name).filter(|value| !value.is_null() && value.as_bool() != Some(false))
}

fn blocks(record: &Value) -> impl Iterator<Item = &Value> {
    record["message"]["content"].as_array().into_iter().flatten()
}
