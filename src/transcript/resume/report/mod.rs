//! The *report* on what a resume found: places and notes, what became of each record, or why there is nothing.

mod explain;
mod notes;

pub(super) use explain::explain;

use super::answer::{NotFound, Resume};
use super::steps::Found;

/// The conversation, or why there is none.
pub(super) fn resume(found: &Found<'_>) -> Result<Resume, NotFound> {
    match why_not(found) {
        Some(reason) => Err(reason),
        None => {
            let places = found.conversation.iter().map(|&at| found.nodes.fact(at).place()).collect();
            Ok(Resume { places, notes: notes::notes(found) })
        }
    }
}

/// Why there is no conversation; `None` when there is one.
fn why_not(found: &Found<'_>) -> Option<NotFound> {
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
        _ if participants > 0 => NotFound::NoSpeaker { participants },
        None if of_others() => NotFound::SidechainOnly { agents },
        _ => NotFound::SideRecordsOnly { records: survey.records },
    };
    Some(reason)
}
