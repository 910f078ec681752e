//! *What boundaries preserve*: what they name is in the file, and what is lost is named no more.

use std::collections::{HashMap, HashSet};

use super::edit;
use super::file::File;
use super::stored::Speaker;
use crate::json::{Fields, Raw};
use crate::message::Kind;
use crate::transcript::{Flag, Link, Record, Transcript};

const RULE: &str = "chain/preserved-segment";

pub(super) fn fix(file: &mut File, drop_claims: bool) {
    let transcript = file.rows.transcript();
    let boundaries: Vec<usize> = transcript
        .records()
        .enumerate()
        .filter(|(_, record)| record.is_compact_boundary())
        .map(|(row, _)| row)
        .collect();
    if boundaries.is_empty() {
        return;
    }
    let messages = Messages::of(&transcript, &file.rows.speaker());
    for row in boundaries {
        let record = transcript.record(row);
        let Some(span) = record.head.compact_metadata else { continue };
        let metadata = Raw::from_bytes(span.of(record.bytes)).ok();
        let Some(mut metadata) = metadata.and_then(|raw| Fields::from_raw(&raw).ok()) else {
            continue;
        };
        let list = messages.list(row, &mut metadata);
        let segment = messages.segment(row, &mut metadata);
        let mut what: Vec<&str> = list.into_iter().chain(segment).collect();
        if !what.is_empty() {
            if drop_claims {
                metadata.take("preservedMessages");
                metadata.take("preservedSegment");
                what = vec!["it preserves nothing: what it names would hide what comes back"];
            }
            file.set(row, "compactMetadata", metadata.to_json().as_bytes(), RULE, what.join("; "));
        }
    }
}

/// Lets boundaries preserve nothing.
pub(super) fn drop_claims(file: &mut File) {
    let transcript = file.rows.transcript();
    let boundaries = transcript.records().enumerate().filter(|(_, record)| record.is_compact_boundary());
    for (row, _) in boundaries {
        for name in ["preservedMessages", "preservedSegment"] {
            let bytes = &file.rows[row].bytes;
            let metadata = edit::member(bytes, "compactMetadata");
            let place = metadata.and_then(|metadata| {
                let claim = edit::member(&bytes[metadata.clone()], name)?;
                Some(metadata.start + claim.start..metadata.start + claim.end)
            });
            if let Some(place) = place {
                let what = "it preserves nothing: each message names the one before it now".to_owned();
                file.take(row, place, "resume/complete", what);
            }
        }
    }
}

/// The messages of the conversation.
struct Messages<'a> {
    transcript: &'a Transcript,
    by_uuid: HashMap<String, usize>,
    /// The records through which readers walk: messages, and progress of old files.
    records: HashMap<String, usize>,
    /// The uuids of all records, whosever they are.
    in_file: HashSet<String>,
}

impl<'a> Messages<'a> {
    fn of(transcript: &'a Transcript, speaker: &Speaker) -> Self {
        let is_message = |record: &Record<'_>| record.head.is_chain_participant() && !record.head.has(Flag::Virtual);
        let (mut by_uuid, mut all) = (HashMap::new(), HashMap::new());
        for (row, record) in transcript.records().enumerate().filter(|(_, record)| speaker.has(record)) {
            let Some(uuid) = record.uuid() else { continue };
            if is_message(&record) {
                by_uuid.insert(uuid.clone().into_owned(), row);
            }
            if record.head.is_chain_participant() || record.head.kind == Some(Kind::Progress) {
                all.insert(uuid.into_owned(), row);
            }
        }
        let in_file = transcript.records().filter_map(|record| Some(record.uuid()?.into_owned())).collect();
        Self { transcript, by_uuid, records: all, in_file }
    }

    fn row(&self, uuid: &str) -> Option<usize> {
        self.by_uuid.get(uuid).copied()
    }

    /// Whether a message is one of a list, or comes after one: as its anchor it would close a circle.
    fn has_parent(&self, uuid: &str, list: &HashSet<String>) -> bool {
        let mut at = Some(uuid.to_owned());
        let mut passed = HashSet::new();
        while let Some(uuid) = at.filter(|uuid| passed.insert(uuid.clone())) {
            if list.contains(&uuid) {
                return true;
            }
            at = self.records.get(&uuid).and_then(|&row| match self.transcript.record(row).parent() {
                Link::To(parent) => Some(parent.into_owned()),
                _ => None,
            });
        }
        false
    }

    /// The anchor if it may be one; else the summary of the compaction, else the boundary.
    fn anchor(&self, boundary: usize, anchor: Option<&str>, list: &HashSet<String>) -> Option<String> {
        let is_one = |uuid: &str| self.row(uuid).is_some_and(|row| row >= boundary) && !self.has_parent(uuid, list);
        if let Some(anchor) = anchor.filter(|anchor| is_one(anchor)) {
            return Some(anchor.to_owned());
        }
        let own = self.transcript.record(boundary).uuid()?.into_owned();
        let records = (boundary + 1..self.transcript.len()).map(|row| self.transcript.record(row));
        let mut summaries = records
            .filter(|record| record.head.has(Flag::CompactSummary) && record.parent() == Link::To(own.as_str().into()));
        let summary = summaries.next().and_then(|summary| Some(summary.uuid()?.into_owned()));
        [summary, Some(own.clone())].into_iter().flatten().find(|uuid| is_one(uuid))
    }

    /// Repairs `preservedMessages`; says what was done.
    fn list(&self, boundary: usize, metadata: &mut Fields) -> Option<&'static str> {
        let mut messages = metadata.object("preservedMessages")?;
        let anchor = messages.text("anchorUuid").map(|anchor| anchor.as_str().to_owned());
        let named = texts(&messages, "uuids");
        let all = texts(&messages, "allUuids");
        let own = self.transcript.record(boundary).uuid().unwrap_or_default().into_owned();
        let mut seen = HashSet::new();
        let mut kept: Vec<String> = named.clone().unwrap_or_default();
        kept.retain(|uuid| self.row(uuid).is_some() && *uuid != own && seen.insert(uuid.clone()));
        let all_kept = all.as_ref().map(|all| {
            let is_there = |uuid: &&String| self.in_file.contains(uuid.as_str());
            all.iter().filter(is_there).cloned().collect::<Vec<_>>()
        });
        let right_anchor = self.anchor(boundary, anchor.as_deref(), &seen);
        let is_anchored = anchor.is_some() && anchor == right_anchor;
        if named.as_ref() == Some(&kept) && !kept.is_empty() && all == all_kept && is_anchored {
            return None;
        }
        let Some(right_anchor) = right_anchor.filter(|_| !kept.is_empty()) else {
            metadata.take("preservedMessages");
            return Some("it preserves no messages: none that it names are in the file");
        };
        messages.set("anchorUuid", Raw::from(right_anchor.as_str()));
        messages.set("uuids", array(&kept));
        if let Some(all) = all_kept {
            messages.set("allUuids", array(&all));
        }
        metadata.set("preservedMessages", messages.to_raw());
        Some("it preserves the messages that are in the file")
    }

    /// Repairs `preservedSegment`; says what was done.
    fn segment(&self, boundary: usize, metadata: &mut Fields) -> Option<&'static str> {
        let mut segment = metadata.object("preservedSegment")?;
        let text = |name: &str| segment.text(name).map(|text| text.as_str().to_owned());
        let [head, tail, anchor] = ["headUuid", "tailUuid", "anchorUuid"].map(text);
        let before =
            |uuid: &Option<String>| uuid.as_deref().and_then(|uuid| self.row(uuid)).filter(|row| *row < boundary);
        // Where nothing is missing, a claim on messages behind the boundary, as a fork writes them, preserves nothing.
        let is_whole = |uuid: &Option<String>| uuid.as_deref().is_some_and(|uuid| self.row(uuid).is_some());
        if before(&head).is_none() && [&head, &tail, &anchor].into_iter().all(is_whole) && self.leads(&tail, &head) {
            return None;
        }
        let Some(first) = before(&head) else {
            metadata.take("preservedSegment");
            return Some("it preserves no segment: its first message is not in the file");
        };
        let hanging = self.hanging(first, boundary);
        let last = before(&tail)
            .filter(|row| hanging.contains(row))
            .or_else(|| self.by_uuid.values().filter(|row| hanging.contains(row)).max().copied());
        let on_segment = last.map(|last| self.walk(last, first)).unwrap_or_default();
        let right_tail = last.and_then(|last| Some(self.transcript.record(last).uuid()?.into_owned()));
        let right_anchor = self.anchor(boundary, anchor.as_deref(), &on_segment);
        if tail.is_some() && anchor.is_some() && (&right_tail, &right_anchor) == (&tail, &anchor) {
            return None;
        }
        let (Some(right_tail), Some(right_anchor)) = (right_tail, right_anchor) else {
            metadata.take("preservedSegment");
            return Some("it preserves no segment: no message can be its anchor");
        };
        segment.set("tailUuid", Raw::from(right_tail.as_str()));
        segment.set("anchorUuid", Raw::from(right_anchor.as_str()));
        metadata.set("preservedSegment", segment.to_raw());
        Some("its segment ends with a message that is in the file")
    }

    /// Whether the parents of one message lead to another.
    fn leads(&self, from: &Option<String>, to: &Option<String>) -> bool {
        let row = |uuid: &Option<String>| uuid.as_deref().and_then(|uuid| self.row(uuid));
        let (Some(from), Some(to)) = (row(from), row(to)) else { return false };
        let uuid = self.transcript.record(to).uuid();
        uuid.is_some_and(|uuid| self.walk(from, to).contains(&*uuid))
    }

    fn parent(&self, row: usize) -> Option<usize> {
        match self.transcript.record(row).parent() {
            Link::To(parent) => self.records.get(&*parent).copied(),
            _ => None,
        }
    }

    /// The records before a boundary whose parents lead to `head`, itself included.
    fn hanging(&self, head: usize, boundary: usize) -> HashSet<usize> {
        let mut hanging = HashSet::from([head]);
        let mut rows: Vec<usize> = self.records.values().copied().filter(|row| *row < boundary).collect();
        rows.sort_unstable();
        for row in rows {
            let is_walk = self.parent(row).is_some_and(|parent| hanging.contains(&parent));
            if is_walk {
                hanging.insert(row);
            }
        }
        // What comes before its parent is found by its own walk.
        hanging
    }

    /// The uuids from a message up to `head`.
    fn walk(&self, from: usize, head: usize) -> HashSet<String> {
        let mut walked = HashSet::new();
        let mut next = Some(from);
        while let Some(at) = next {
            let Some(uuid) = self.transcript.record(at).uuid() else { break };
            if !walked.insert(uuid.into_owned()) || at == head {
                break;
            }
            next = self.parent(at);
        }
        walked
    }
}

fn texts(fields: &Fields, name: &str) -> Option<Vec<String>> {
    let list = fields.get(name)?;
    let places = edit::elements(list.get().as_bytes())?;
    let text = |place: std::ops::Range<usize>| Raw::from_json(list.get()[place].to_owned()).ok()?.text();
    places.into_iter().map(|place| text(place).map(|text| text.as_str().to_owned())).collect()
}

fn array(uuids: &[String]) -> Raw {
    let quoted: Vec<String> = uuids.iter().map(|uuid| super::quoted(uuid)).collect();
    Raw::written(format!("[{}]", quoted.join(",")))
}
