//! *Links*: each parent is in the file, in the same conversation, and no walk comes back to where it began.

use std::collections::{HashMap, HashSet};

use super::file::File;
use super::identity::owner;
use super::quoted;
use crate::message::Kind;
use crate::transcript::{Flag, Link, Record, Transcript};

pub(super) fn fix(file: &mut File) {
    boundaries(file);
    let transcript = file.rows.transcript();
    let rows = file.rows.places();
    let speaker = file.rows.speaker();
    let row_of: HashMap<u64, usize> =
        transcript.records().enumerate().map(|(row, record)| (record.start, row)).collect();
    let mut is_done = vec![false; transcript.len()];
    let begins = row_of_first_message(&transcript);
    for gap in speaker.survey.gaps(&speaker.options) {
        let row = row_of[&gap.start];
        let to = gap.to.map(|to| row_of[&to]);
        is_done[row] = true;
        let rule = match transcript.record(row).parent() {
            _ if gap.is_circle => "chain/acyclic",
            Link::To(parent) => match rows.find(&parent).map(|parent| transcript.record(parent)) {
                Some(parent) if is_apart(&parent, &transcript.record(row)) => "chain/sidechain-separate",
                // It is there, and readers differ on whose it is.
                Some(_) => continue,
                None if Some(row) <= begins => continue,
                None => "chain/parent-exists",
            },
            Link::Absent if to.is_some() => "chain/parent-exists",
            Link::Absent | Link::Null => continue,
        };
        link(file, &transcript, row, to, rule);
    }
    let named = |record: Record<'_>| match record.parent() {
        Link::To(parent) if is_link(&record) => Some(parent.into_owned()),
        _ => None,
    };
    // Nothing is lost where `progress` has no parent and nobody goes on from it.
    let followed: HashSet<String> = transcript.records().filter_map(named).collect();
    let is_idle = |record: &Record<'_>| {
        !record.head.is_chain_participant() && record.uuid().is_none_or(|uuid| !followed.contains(&*uuid))
    };
    for (row, record) in transcript.records().enumerate().filter(|(row, record)| !is_done[*row] && is_link(record)) {
        let Link::To(parent) = record.parent() else { continue };
        let rule = match rows.find(&parent) {
            None if Some(row) <= begins || is_idle(&record) => continue,
            None => "chain/parent-exists",
            Some(parent) if is_apart(&transcript.record(parent), &record) => "chain/sidechain-separate",
            Some(_) => continue,
        };
        link(file, &transcript, row, rows.before(row), rule);
    }
    circles(file);
}

/// The first message of a file of one subagent alone, which may go on from a record of the session's file.
fn row_of_first_message(transcript: &Transcript) -> Option<usize> {
    messages(transcript).next().map(|(row, _)| row).filter(|_| is_of_one_agent(transcript))
}

/// The row before which results may answer calls of the session's file: the first reply of a file of one subagent
/// alone, and the first row of any other file.
pub(super) fn first_reply(transcript: &Transcript) -> usize {
    if !is_of_one_agent(transcript) {
        return 0;
    }
    let is_reply = |record: &Record<'_>| record.head.kind == Some(Kind::Assistant) && record.head.reply_id.is_some();
    messages(transcript).find(|(_, record)| is_reply(record)).map_or(transcript.len(), |(row, _)| row)
}

fn messages(transcript: &Transcript) -> impl Iterator<Item = (usize, Record<'_>)> {
    transcript.records().enumerate().filter(|(_, record)| record.head.is_chain_participant())
}

fn is_of_one_agent(transcript: &Transcript) -> bool {
    let agent = |record: &Record<'_>| {
        let agent = record.head.agent.map(|agent| record.text(agent).into_owned());
        agent.filter(|agent| !agent.is_empty())
    };
    let Some(first) = messages(transcript).next().and_then(|(_, record)| agent(&record)) else { return false };
    let is_of_it = |record: &Record<'_>| record.head.has(Flag::Sidechain) && agent(record).as_deref() == Some(&*first);
    messages(transcript).all(|(_, record)| is_of_it(&record))
}

/// A boundary begins a segment, and names what it followed.
fn boundaries(file: &mut File) {
    const RULE: &str = "chain/boundary-starts-segment";
    let transcript = file.rows.transcript();
    let rows = file.rows.places();
    for (row, record) in transcript.records().enumerate().filter(|(_, record)| record.is_compact_boundary()) {
        if record.parent() != Link::Null {
            file.set(row, "parentUuid", b"null", RULE, "a boundary has no parent".to_owned());
        }
        if record.head.logical_parent.is_none() {
            let before = rows.before(row).unwrap_or(row);
            let uuid = quoted(&transcript.record(before).uuid().unwrap_or_default());
            file.set(row, "logicalParentUuid", uuid.as_bytes(), RULE, "it names the record before it".to_owned());
        }
    }
}

/// Cuts circles of messages that are left, at their first ones. Readers walk through records of any kind between them.
fn circles(file: &mut File) {
    let transcript = file.rows.transcript();
    let rows = file.rows.places();
    let parent = |row: usize| match transcript.record(row).parent() {
        Link::To(parent) => rows.find(&parent),
        Link::Absent | Link::Null => None,
    };
    let mut passed = vec![usize::MAX; transcript.len()];
    for start in 0..transcript.len() {
        let mut next = Some(start);
        while let Some(at) = next.filter(|&at| passed[at] == usize::MAX) {
            passed[at] = start;
            next = parent(at);
        }
        let Some(met) = next.filter(|&at| passed[at] == start) else { continue };
        let round = std::iter::successors(parent(met), |&at| parent(at).filter(|_| at != met));
        let links = round.take(transcript.len()).filter(|&at| is_link(&transcript.record(at)));
        if let Some(first) = links.min() {
            link(file, &transcript, first, None, "chain/acyclic");
        }
    }
}

fn link(file: &mut File, transcript: &Transcript, row: usize, to: Option<usize>, rule: &'static str) {
    let uuid = to.and_then(|to| Some(quoted(&transcript.record(to).uuid()?)));
    let what = match to.filter(|_| uuid.is_some()) {
        Some(to) => format!("its parent is the record of line {} now", file.rows[to].line),
        None => "it has no parent now".to_owned(),
    };
    file.set(row, "parentUuid", uuid.as_deref().unwrap_or("null").as_bytes(), rule, what);
}

/// Whether the chain leads through a record.
fn is_link(record: &Record<'_>) -> bool {
    record.head.is_chain_participant() || record.head.kind == Some(Kind::Progress)
}

/// Whether two records are of different conversations.
fn is_apart(one: &Record<'_>, other: &Record<'_>) -> bool {
    let ((one_side, one_agent), (other_side, other_agent)) = (owner(one), owner(other));
    let agents_differ = !one_agent.is_empty() && !other_agent.is_empty() && one_agent != other_agent;
    one_side != other_side || agents_differ
}

/// The places of rows: by uuid, and of the message before each.
pub(super) struct Places {
    by_uuid: HashMap<String, usize>,
    before: Vec<Option<usize>>,
}

impl Places {
    pub(super) fn of(transcript: &Transcript) -> Self {
        let mut last = HashMap::new();
        let mut before = Vec::with_capacity(transcript.len());
        let mut by_uuid = HashMap::with_capacity(transcript.len());
        for (row, record) in transcript.records().enumerate() {
            let session = record.head.session.map(|session| record.text(session).into_owned());
            let key = (owner(&record), session);
            before.push(last.get(&key).copied());
            let Some(uuid) = record.uuid() else { continue };
            by_uuid.insert(uuid.into_owned(), row);
            if record.head.is_chain_participant() {
                last.insert(key, row);
            }
        }
        Self { by_uuid, before }
    }

    fn find(&self, uuid: &str) -> Option<usize> {
        self.by_uuid.get(uuid).copied()
    }

    /// The last message of the same owner and session before a row.
    fn before(&self, row: usize) -> Option<usize> {
        self.before[row]
    }
}
