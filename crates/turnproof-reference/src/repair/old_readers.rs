//! *Old readers* only follow parents, from the last record up: for them each message names the one before it.

use std::collections::HashSet;

use super::file::File;
use super::quoted;
use super::stored::{Speaker, conversation};
use crate::transcript::{Link, Record, Transcript};

pub(super) fn fix(file: &mut File) {
    link(file, false);
    file.terminate();
}

/// Lets each message of the conversation name the one before it; if asked so, the first one none.
pub(super) fn link(file: &mut File, also_first: bool) {
    let transcript = file.rows.transcript();
    let rows = conversation(&transcript, &file.rows.speaker());
    if let Some(&first) = rows.first().filter(|_| also_first) {
        name_parent(file, first, &transcript.record(first), None);
    }
    for (&before, &row) in rows.iter().zip(rows.iter().skip(1)) {
        if let Some(uuid) = transcript.record(before).uuid() {
            name_parent(file, row, &transcript.record(row), Some(&uuid));
        }
    }
}

fn name_parent(file: &mut File, row: usize, record: &Record<'_>, parent: Option<&str>) {
    let link = record.parent();
    let is_right = match (&link, parent) {
        (Link::To(own), Some(parent)) => *own == parent,
        (Link::Null, None) => true,
        _ => false,
    };
    if is_right || record.is_compact_boundary() {
        return;
    }
    let (json, what) = match parent {
        Some(uuid) => (quoted(uuid), "its parent is the message before it now"),
        None => ("null".to_owned(), "it has no parent now: it is the first"),
    };
    file.set(row, "parentUuid", json.as_bytes(), "resume/complete", what.to_owned());
}

/// Removes the records with a uuid that are of the speaker, and not in the rows of the conversation in the damaged file.
pub(super) fn remove_others(file: &mut File, damaged: &Transcript, conversation: &[usize]) {
    let kept: HashSet<usize> = conversation.iter().copied().collect();
    let speaker = Speaker::of(damaged);
    let is_other = |row: &usize| {
        let record = damaged.record(*row);
        record.head.uuid.is_some() && speaker.has(&record) && !kept.contains(row)
    };
    let gone: Vec<usize> = (0..damaged.len()).filter(is_other).collect();
    file.remove(&gone, "resume/complete", "it is not of the conversation, and would hide what is");
}
