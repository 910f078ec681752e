//! The *report* on what a resume found: places and notes, what became of each record, or why there is nothing.

use std::collections::HashMap;

use super::answer::{Explained, ExplainedRecord, Fate, NotFound, Note, NoteKind, Resume};
use super::steps::{CIRCLE, COMES_BACK, GAP, Nodes, ON_PATH, ResumeSteps};
use super::survey::{NONE, SIDECHAIN};

/// The conversation, or why there is none.
pub(super) fn resume(found: &ResumeSteps<'_>) -> Result<Resume, NotFound> {
    match why_not(found) {
        Some(reason) => Err(reason),
        None => {
            let places = found.conversation.iter().map(|&at| found.nodes.fact(at).place()).collect();
            Ok(Resume { places, notes: notes(found), after_gap: after_gap(found) })
        }
    }
}

/// Where in the conversation that begins which follows the last gap on the path; 0 when there is no gap. A parent of
/// another conversation leads on whoever only follows parents.
fn after_gap(found: &ResumeSteps<'_>) -> usize {
    let ResumeSteps { nodes, parents, path, conversation, .. } = found;
    let is_gap = |&&at: &&u32| nodes.has(at, GAP) && parents.of(at).is_some();
    if !path.iter().any(|at| is_gap(&at)) {
        return 0;
    }
    let holders = nodes.survey.holders();
    let is_elsewhere = |at| nodes.survey.named_parent(at).is_some_and(|parent| holders[parent as usize] != NONE);
    let is_lost = |at: &u32| is_gap(&at) && (nodes.has(*at, CIRCLE) || !is_elsewhere(*at));
    let Some(gap) = path.iter().rposition(is_lost) else { return 0 };
    let mut after = path[gap..].iter().filter(|&&at| nodes.has(at, COMES_BACK));
    let first = after.find_map(|&at| conversation.iter().position(|&other| other == at));
    first.unwrap_or(conversation.len())
}

/// Why there is no conversation; `None` when there is one.
fn why_not(found: &ResumeSteps<'_>) -> Option<NotFound> {
    let nodes = &found.nodes;
    let survey = nodes.survey;
    let agents = survey.agent_names.clone();
    let speakers = nodes.all().filter(|&at| nodes.fact(at).is_speaker()).count() as u64;
    let participants = nodes.participants().count() as u64;
    let of_others = || nodes.indexes().any(|at| !nodes.is_selected(at) && nodes.fact(at).is_participant());
    let reason = match found.agent {
        _ if !found.conversation.is_empty() => return None,
        _ if survey.records == 0 => NotFound::Empty,
        _ if speakers > 0 => NotFound::AllWithdrawn { speakers },
        Some(wanted) if !nodes.indexes().any(|at| nodes.is_selected(at)) => {
            NotFound::NoSuchAgent { wanted: wanted.to_owned(), agents }
        }
        None if survey.nameless > 0 => NotFound::Nameless { messages: survey.nameless },
        _ if participants > 0 => NotFound::NoSpeaker { participants },
        None if of_others() => NotFound::SidechainOnly { agents },
        _ => NotFound::SideRecordsOnly { records: survey.records },
    };
    Some(reason)
}

/// What became of each record of the conversation asked for.
pub(super) fn explain(found: &ResumeSteps<'_>) -> Explained {
    let ResumeSteps { nodes, parents, .. } = found;
    let shown: Vec<u32> = nodes.indexes().filter(|&at| nodes.is_node(at) || nodes.is_repeated(at)).collect();
    let beside = beside(found);
    let index = |at: u32| shown.binary_search(&at).ok().map(|index| index as u32);
    let records = shown.iter().map(|&at| ExplainedRecord {
        place: nodes.fact(at).place(),
        parent: parents.of(at).and_then(index),
        fate: beside.get(&at).copied().unwrap_or_else(|| fate(found, at)),
        is_on_path: nodes.has(at, ON_PATH),
    });
    Explained { records: records.collect(), notes: notes(found), not_found: why_not(found) }
}

/// The fates of what came back from beside the chain.
fn beside(found: &ResumeSteps<'_>) -> HashMap<u32, Fate> {
    let nodes = &found.nodes;
    let put = found.path.iter().filter(|&&at| !nodes.has(at, ON_PATH) && nodes.has(at, COMES_BACK));
    let put = put.map(|&at| (at, Fate::PutBack));
    let recovered = found.recovered.iter().map(|recovered| recovered.at);
    let notices = found.notices.iter().map(|notice| notice.at);
    put.chain(recovered.chain(notices).map(|at| (at, Fate::Recovered))).collect()
}

fn fate(found: &ResumeSteps<'_>, at: u32) -> Fate {
    let nodes = &found.nodes;
    if nodes.is_repeated(at) {
        Fate::Repeated
    } else if nodes.is_withdrawn(at) {
        Fate::Withdrawn
    } else if nodes.has(at, COMES_BACK) {
        Fate::ComesBack
    } else if nodes.has(at, ON_PATH) {
        Fate::NoMessage
    } else if found.boundary.is_some_and(|boundary| at < boundary) {
        Fate::BeforeBoundary
    } else if !nodes.fact(at).is_participant() {
        Fate::NoMessage
    } else {
        Fate::Left
    }
}

/// The notes on a conversation that was found.
fn notes(found: &ResumeSteps<'_>) -> Vec<Note> {
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
    Note { kind, line: line(nodes, at), start: nodes.fact(at).start }
}

fn line(nodes: &Nodes<'_>, at: u32) -> u64 {
    nodes.fact(at).line()
}

/// Bridges, circles, and what was stepped over.
fn on_the_path(found: &ResumeSteps<'_>, notes: &mut Vec<Note>) {
    let ResumeSteps { nodes, parents, path, .. } = found;
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
fn on_boundaries(found: &ResumeSteps<'_>, notes: &mut Vec<Note>) {
    let ResumeSteps { nodes, parents, boundary, preserved, .. } = found;
    for &(boundary, what) in &parents.failed {
        notes.push(note(nodes, boundary, NoteKind::PreservedMissing { what }));
    }
    if let (Some(boundary), Some(preserved)) = (*boundary, preserved) {
        let anchor = line(nodes, preserved.anchor);
        let count = preserved.list.len() as u64;
        notes.push(note(nodes, boundary, NoteKind::Relinked { count, anchor }));
    }
}

fn on_what_came_back(found: &ResumeSteps<'_>, notes: &mut Vec<Note>) {
    let ResumeSteps { nodes, put, recovered, notices, .. } = found;
    for put in put {
        let (count, after) = (put.count, line(nodes, put.after));
        let kind = match put.is_of_another_client {
            true => NoteKind::TurnBack { count, after },
            false => NoteKind::PutBack { count, after },
        };
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
    let mut results: HashMap<u32, u32> = HashMap::new();
    for replaced in &nodes.replaced {
        for (&at, &first) in replaced.placeholders.iter().zip(std::iter::repeat(&replaced.results[0])) {
            results.entry(at).or_insert(first);
        }
    }
    for at in nodes.participants().filter(|&at| nodes.is_withdrawn(at)) {
        if let Some(&result) = results.get(&at) {
            notes.push(note(nodes, at, NoteKind::Replaced { by: line(nodes, result) }));
            continue;
        }
        let by = by.get(&nodes.fact(at).uuid).filter(|&&by| by > at);
        let kind = by.map_or(NoteKind::WithdrawnResult, |&by| NoteKind::Withdrawn { by: line(nodes, by) });
        notes.push(note(nodes, at, kind));
    }
}

/// Records that do not come back for other reasons.
fn on_what_was_left(found: &ResumeSteps<'_>, notes: &mut Vec<Note>) {
    let ResumeSteps { nodes, boundary, .. } = found;
    let left = nodes.all().filter(|&at| nodes.may_come_back(at) && !nodes.has(at, COMES_BACK));
    let (before, branches): (Vec<u32>, Vec<u32>) = left.partition(|&at| boundary.is_some_and(|boundary| at < boundary));
    if let Some(boundary) = boundary.filter(|_| !before.is_empty()) {
        notes.push(note(nodes, boundary, NoteKind::BeforeBoundary { count: before.len() as u64 }));
    }
    notes.extend(counted(nodes, branches, |count| NoteKind::OtherBranch { count }));
    let is_of_others = |&at: &u32| {
        let fact = nodes.fact(at);
        !nodes.is_selected(at) && fact.has(SIDECHAIN)
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
fn counted(
    nodes: &Nodes<'_>,
    records: impl IntoIterator<Item = u32>,
    kind: impl FnOnce(u64) -> NoteKind,
) -> Option<Note> {
    let (first, count) = records.into_iter().fold((u32::MAX, 0), |(first, count), at| (first.min(at), count + 1));
    (count > 0).then(|| note(nodes, first, kind(count)))
}
