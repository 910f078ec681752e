//! *Tools* in the whole file: what is not part of the conversation, such as branches that were left and subagents.

use std::collections::{HashMap, HashSet};

use super::beside::names;
use super::free::free;
use super::{BlockEdit, apply, say_nothing};
use crate::normalize::api::sent;
use crate::repair::edit;
use crate::repair::file::File;
use crate::repair::identity::{Owner, owner};
use crate::repair::links::first_reply;
use crate::repair::quoted;
use crate::transcript::{Link, Record, Transcript, is_provisional};

pub(super) fn fix(file: &mut File, drop_emptied: bool) {
    let transcript = file.rows.transcript();
    let stored = file.rows.stored();
    let sent = sent(&stored.messages).into_iter().zip(&stored.rows);
    let in_conversation: HashSet<usize> = sent.filter(|(media, _)| media.is_some()).map(|(_, row)| *row).collect();
    let before = file.changes.len();
    name_apart(file, &transcript, &in_conversation);
    if file.changes.len() > before {
        return;
    }
    let calls = calls(&transcript);
    let before = file.removed.len();
    let emptied = results(file, &transcript, &in_conversation, &calls);
    let comes_back: HashSet<usize> = stored.rows.iter().copied().collect();
    let is_kept = |row: &usize| !drop_emptied || comes_back.contains(row);
    let (kept, dropped): (Vec<usize>, Vec<usize>) = emptied.into_iter().partition(is_kept);
    kept.iter().for_each(|&row| say_nothing(file, row));
    put_back(file, &transcript, &stored.rows, &kept);
    pass_over(file, &transcript, &dropped);
    file.remove(&dropped, "tool/result-has-call", "it held nothing but results without a call");
    // Removed records move rows.
    if file.removed.len() == before {
        sources(file, &transcript, &calls);
    }
}

/// Puts messages that have lost their results into the conversation, where they are children of its replies and have no
/// children: readers take results from beside the path, and nothing else of a user.
fn put_back(file: &mut File, transcript: &Transcript, conversation: &[usize], rows: &[usize]) {
    if rows.is_empty() {
        return;
    }
    let uuid = |row: usize| transcript.record(row).uuid().map(|uuid| uuid.into_owned());
    let parent = |row: usize| parent(&transcript.record(row));
    let named: HashSet<String> = (0..transcript.len()).filter_map(parent).collect();
    let replies =
        conversation.iter().enumerate().filter(|(_, row)| transcript.record(**row).type_name() == "assistant");
    let replies: HashMap<String, usize> = replies.filter_map(|(at, &row)| Some((uuid(row)?, at))).collect();
    let in_conversation: HashSet<usize> = conversation.iter().copied().collect();
    // Results come first in their turn, and the reply stays in one piece.
    let is_of_turn = |row: &usize| {
        let record = transcript.record(*row);
        record.type_name() != "user" || !ids(&record, "tool_result").is_empty()
    };
    // The last place of the turns that a place is in.
    let mut ends: Vec<usize> = (0..conversation.len()).collect();
    for at in (1..conversation.len()).rev().filter(|&at| is_of_turn(&conversation[at])) {
        ends[at - 1] = ends[at];
    }
    // What was put in last at a place.
    let mut last: HashMap<usize, String> = HashMap::new();
    for &row in rows.iter().filter(|row| !in_conversation.contains(row)) {
        let Some(own) = uuid(row).filter(|own| !named.contains(own)) else { continue };
        let Some(&reply) = parent(row).and_then(|parent| replies.get(&parent)) else { continue };
        let at = ends[reply];
        let Some(before) = last.insert(at, own.clone()).or_else(|| uuid(conversation[at])) else { continue };
        let next = conversation.get(at + 1).filter(|&&next| !transcript.record(next).is_compact_boundary());
        for (child, parent) in [Some((row, before)), next.map(|&next| (next, own))].into_iter().flatten() {
            let what = "its parent is the message before it now".to_owned();
            file.set(child, "parentUuid", quoted(&parent).as_bytes(), "tool/result-has-call", what);
        }
    }
}

/// What names a record that is dropped as its parent names the parent of that record.
fn pass_over(file: &mut File, transcript: &Transcript, dropped: &[usize]) {
    let mut above: HashMap<String, String> = HashMap::new();
    for record in dropped.iter().map(|&row| transcript.record(row)) {
        above.extend(record.uuid().map(|uuid| uuid.into_owned()).zip(parent(&record)));
    }
    for (row, record) in transcript.records().enumerate().filter(|(row, _)| dropped.binary_search(row).is_err()) {
        let Some(dropped) = parent(&record).filter(|parent| above.contains_key(parent)) else { continue };
        let kept = first_kept(&mut above, dropped);
        if !above.contains_key(&kept) {
            let what = "its parent is the message before it now".to_owned();
            file.set(row, "parentUuid", quoted(&kept).as_bytes(), "tool/result-has-call", what);
        }
    }
}

/// The first record above a dropped one that is kept. All that the walk passes is remembered to be under it, so that
/// walks are linear together. In a circle there is none.
fn first_kept(above: &mut HashMap<String, String>, dropped: String) -> String {
    let (mut at, mut passed) = (dropped, HashSet::new());
    while let Some(next) = above.get(&at).filter(|_| !passed.contains(&at)).cloned() {
        passed.insert(std::mem::replace(&mut at, next));
    }
    above.extend(passed.into_iter().map(|one| (one, at.clone())));
    at
}

fn parent(record: &Record<'_>) -> Option<String> {
    match record.parent() {
        Link::To(parent) => Some(parent.into_owned()),
        Link::Absent | Link::Null => None,
    }
}

/// No two calls of the file share an id: those outside the conversation get another one, with their results. A result
/// that names a call of the conversation is that one's.
fn name_apart(file: &mut File, transcript: &Transcript, in_conversation: &HashSet<usize>) {
    const RULE: &str = "tool/unique-call-id";
    let mut calls: HashMap<String, Vec<usize>> = HashMap::new();
    for (row, record) in transcript.records().enumerate().filter(|(row, _)| in_conversation.contains(row)) {
        ids(&record, "tool_use").into_iter().for_each(|(_, id)| calls.entry(id).or_default().push(row));
    }
    let mut used: HashSet<String> = calls.keys().cloned().collect();
    let mut sent: HashMap<(Owner, String), String> = HashMap::new();
    let mut edits = Vec::new();
    for (row, record) in transcript.records().enumerate().filter(|(row, _)| !in_conversation.contains(row)) {
        let (name, member) = match &*record.type_name() {
            "assistant" => ("tool_use", "id"),
            "user" => ("tool_result", "tool_use_id"),
            _ => continue,
        };
        for (element, id) in ids(&record, name) {
            let key = (owner(&record), id.clone());
            let new = if name == "tool_result" {
                let mut holders = calls.get(&id).into_iter().flatten().map(|&holder| transcript.record(holder));
                let is_of_conversation = holders.any(|holder| names(&record, holder.uuid().as_deref()));
                sent.get(&key).filter(|_| !is_of_conversation).cloned()
            } else if used.insert(id.clone()) {
                None
            } else {
                let new = free(&id, &used).unwrap_or_else(|| id.clone());
                used.insert(new.clone());
                sent.insert(key, new.clone());
                Some(new)
            };
            let (Some(new), Some(block)) = (new, record.blocks.iter().find(|block| block.index as usize == element))
            else {
                continue;
            };
            let block = edit::with_member(block.span.of(record.bytes), member, quoted(&new).as_bytes());
            let what = format!("{name}: the id {id} is {new} now");
            let new = Some(String::from_utf8_lossy(&block).into_owned());
            edits.push(BlockEdit { row, element, new, rule: RULE, what });
        }
    }
    apply(file, edits);
}

/// The rows that hold a call with each id.
fn calls(transcript: &Transcript) -> HashMap<String, Vec<usize>> {
    let mut calls: HashMap<String, Vec<usize>> = HashMap::new();
    let replies = transcript.records().enumerate().filter(|(_, record)| record.type_name() == "assistant");
    for (row, record) in replies {
        for (_, id) in ids(&record, "tool_use") {
            calls.entry(id).or_default().push(row);
        }
    }
    calls
}

/// The ids that blocks of a type have, with their places in the content.
pub(super) fn ids(record: &Record<'_>, type_name: &str) -> Vec<(usize, String)> {
    let blocks =
        record.blocks.iter().filter(|block| block.type_name.is_some_and(|name| record.text(name) == type_name));
    let id = |span| record.text(span).into_owned();
    let ids = blocks.filter_map(|block| {
        let span = if type_name == "tool_use" { block.id } else { block.tool_use_id };
        Some((block.index as usize, id(span?)))
    });
    ids.collect()
}

/// A result answers a call of the file, and no call has two. It gives the rows that are left without content.
fn results(
    file: &mut File,
    transcript: &Transcript,
    in_conversation: &HashSet<usize>,
    calls: &HashMap<String, Vec<usize>>,
) -> Vec<usize> {
    let answers = in_conversation.iter().flat_map(|&row| ids(&transcript.record(row), "tool_result"));
    let mut answered: HashSet<String> = answers.map(|(_, id)| id).collect();
    let mut edits = Vec::new();
    let first_reply = first_reply(transcript);
    let is_beside = |(row, record): &(usize, Record<'_>)| {
        *row >= first_reply && !in_conversation.contains(row) && record.type_name() == "user"
    };
    let mut beside: Vec<_> = transcript.records().enumerate().filter(is_beside).collect();
    // A true result comes before a placeholder.
    beside.sort_by_key(|(_, record)| is_provisional(record));
    for (row, record) in beside {
        for (element, id) in ids(&record, "tool_result") {
            let (rule, what) = match calls.contains_key(&id) {
                false => ("tool/result-has-call", format!("without the result of {id}, whose call is not in the file")),
                true if answered.contains(&id) => ("tool/single-result", format!("without a second result of {id}")),
                true => {
                    answered.insert(id);
                    continue;
                }
            };
            edits.push(BlockEdit { row, element, new: None, rule, what });
        }
    }
    let mut rows: Vec<usize> = edits.iter().map(|edit| edit.row).collect();
    rows.sort_unstable();
    rows.dedup();
    apply(file, edits);
    let is_emptied = |row: &usize| {
        let bytes = &file.rows[*row].bytes;
        let elements = edit::of_message(bytes, "content").and_then(|content| edit::elements(&bytes[content]));
        elements.is_some_and(|elements| elements.is_empty())
    };
    rows.into_iter().filter(is_emptied).collect()
}

/// The source that a result names holds its call.
fn sources(file: &mut File, transcript: &Transcript, calls: &HashMap<String, Vec<usize>>) {
    let records = transcript.records().enumerate().skip(first_reply(transcript));
    for (row, record) in records.filter(|(_, record)| record.type_name() == "user") {
        let Some(source) = record.head.source_assistant.map(|source| record.text(source).into_owned()) else {
            continue;
        };
        let results = ids(&record, "tool_result");
        let holds =
            |holder: usize| results.iter().all(|(_, id)| calls.get(id).is_some_and(|rows| rows.contains(&holder)));
        let is_source = |holder: &usize| transcript.record(*holder).uuid().as_deref() == Some(&*source);
        let holders = results.first().and_then(|(_, id)| calls.get(id)).cloned().unwrap_or_default();
        if results.is_empty() || holders.iter().any(|holder| is_source(holder) && holds(*holder)) {
            continue;
        }
        const RULE: &str = "tool/source";
        let right = holders.into_iter().find(|&holder| holds(holder));
        match right.and_then(|right| transcript.record(right).uuid()) {
            Some(uuid) => {
                let what = "its source is the record with its call now".to_owned();
                file.set(row, "sourceToolAssistantUUID", quoted(&uuid).as_bytes(), RULE, what);
            }
            None => {
                if let Some(value) = edit::member(&file.rows[row].bytes, "sourceToolAssistantUUID") {
                    file.take(row, value, RULE, "without a source that does not hold its call".to_owned());
                }
            }
        }
    }
}
