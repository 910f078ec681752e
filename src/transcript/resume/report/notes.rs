//! The *notes* on a resume, in file order.

use std::collections::HashMap;

use crate::transcript::resume::answer::{Note, NoteKind};
use crate::transcript::resume::steps::{CIRCLE, COMES_BACK, Found, GAP, Nodes};
use crate::transcript::resume::survey::{SIDECHAIN, TEAM};

/// The notes on a conversation that was found.
pub(crate) fn notes(found: &Found<'_>) -> Vec<Note> {
    let mut notes = Vec::new();
    on_the_path(found, &mut notes);
    on_boundaries(found, &mut notes);
    on_what_came_back(found, &mut notes);
    on_what_is_withdrawn(&found.nodes, &mut notes);
    on_what_was_left(found, &mut notes);
    notes.sort_by_key(|note| note.start);
    notes
}

fn note(nodes: &Nodes<'_>, at: u32, kind: NoteKind) -> Note {
    let fact = nodes.fact(at);
    Note { kind, line: fact.line(), start: fact.start }
}

fn line(nodes: &Nodes<'_>, at: u32) -> u64 {
    nodes.fact(at).line()
}

/// Bridges, circles, and what was stepped over.
fn on_the_path(found: &Found<'_>, notes: &mut Vec<Note>) {
    let Found { nodes, parents, path, .. } = found;
    for &at in path.iter().filter(|&&at| nodes.has(at, GAP)) {
        let to = parents.of(at).map(|parent| line(nodes, parent));
        let is_named = nodes.survey.named_parent(at).is_some();
        match nodes.has(at, CIRCLE) {
            true => notes.push(note(nodes, at, NoteKind::CircleCut { to })),
            // A first record that names no parent needs no note.
            false if !is_named && to.is_none() => {}
            false => notes.push(note(nodes, at, NoteKind::Bridged { is_named, to })),
        }
    }
    let passed = path.iter().copied().filter(|&at| !nodes.fact(at).is_participant());
    notes.extend(counted(nodes, passed, |count| NoteKind::PassedOver { count }));
}

/// What boundaries preserve, or should.
fn on_boundaries(found: &Found<'_>, notes: &mut Vec<Note>) {
    let Found { nodes, parents, boundary, preserved, .. } = found;
    for &(boundary, what) in &parents.failed {
        notes.push(note(nodes, boundary, NoteKind::PreservedMissing { what }));
    }
    if let (Some(boundary), Some(preserved)) = (*boundary, preserved) {
        let anchor = line(nodes, preserved.anchor);
        let count = preserved.list.len() as u64;
        notes.push(note(nodes, boundary, NoteKind::Relinked { count, anchor }));
    }
}

fn on_what_came_back(found: &Found<'_>, notes: &mut Vec<Note>) {
    let Found { nodes, put, recovered, notices, .. } = found;
    for put in put {
        let kind = NoteKind::PutBack { count: put.count, after: line(nodes, put.after) };
        notes.push(note(nodes, put.first, kind));
    }
    for recovered in recovered {
        let kind = NoteKind::Recovered { after: recovered.after.map(|after| line(nodes, after)) };
        notes.push(note(nodes, recovered.at, kind));
    }
    for notice in notices {
        notes.push(note(nodes, notice.at, NoteKind::NoticeBack { on: line(nodes, notice.on) }));
    }
}

/// Records that are withdrawn, and who withdrew them last.
fn on_what_is_withdrawn(nodes: &Nodes<'_>, notes: &mut Vec<Note>) {
    let withdrawals = nodes.survey.withdrawals.iter();
    // Of a uuid that is withdrawn twice the later record is kept: they come in file order.
    let by: HashMap<u32, u32> =
        withdrawals.filter(|(by, _)| nodes.is_selected(*by)).map(|&(by, uuid)| (uuid, by)).collect();
    for at in nodes.participants().filter(|&at| nodes.is_withdrawn(at)) {
        let by = by.get(&nodes.fact(at).uuid).filter(|&&by| by > at);
        let kind = by.map_or(NoteKind::WithdrawnResult, |&by| NoteKind::Withdrawn { by: line(nodes, by) });
        notes.push(note(nodes, at, kind));
    }
}

/// Records that do not come back for other reasons.
fn on_what_was_left(found: &Found<'_>, notes: &mut Vec<Note>) {
    let Found { nodes, boundary, .. } = found;
    let left = |&at: &u32| nodes.may_come_back(at) && !nodes.has(at, COMES_BACK);
    let is_before = |at: u32| boundary.is_some_and(|boundary| at < boundary);
    let before = nodes.all().filter(left).filter(|&at| is_before(at)).count() as u64;
    if let Some(boundary) = boundary.filter(|_| before > 0) {
        notes.push(note(nodes, boundary, NoteKind::BeforeBoundary { count: before }));
    }
    let branches = nodes.all().filter(left).filter(|&at| !is_before(at));
    notes.extend(counted(nodes, branches, |count| NoteKind::OtherBranch { count }));
    let is_of_others = |&at: &u32| {
        let fact = nodes.fact(at);
        !nodes.is_selected(at) && (fact.has(SIDECHAIN) || fact.has(TEAM))
    };
    let others = nodes.indexes().filter(is_of_others);
    notes.extend(counted(nodes, others, |count| NoteKind::Sidechain { count }));
    for at in nodes.indexes().filter(|&at| nodes.is_repeated(at)) {
        if let Some(standing) = nodes.standing(nodes.fact(at).uuid) {
            notes.push(note(nodes, at, NoteKind::RepeatedUuid { standing: line(nodes, standing) }));
        }
    }
}

/// One note for several records, at the first of them.
fn counted(nodes: &Nodes<'_>, records: impl Iterator<Item = u32>, kind: impl FnOnce(u64) -> NoteKind) -> Option<Note> {
    let mut first: Option<u32> = None;
    let mut count = 0;
    for at in records {
        first = Some(first.map_or(at, |first| first.min(at)));
        count += 1;
    }
    first.map(|first| note(nodes, first, kind(count)))
}
