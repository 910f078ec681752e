//! The *outcome* of a resume: all parts of the [definition](super) in order, then what came of them.

use super::fact::Sort;
use super::nodes::{COMES_BACK, Nodes};
use super::notice::{Hanging, add_notices};
use super::parents::Parents;
use super::path::path;
use super::put_back::{PutBack, put_back};
use super::relink::{Finder, Preserved};
use super::reply::{Allowed, Recovered, recover};
use super::survey::Survey;
use super::{NotFound, Resume, ResumeOptions, told};

/// A resume with all that was found on the way.
pub(super) struct Outcome<'a> {
    pub(super) nodes: Nodes<'a>,
    pub(super) parents: Parents,
    /// From the beginning to the end, with what was put back.
    pub(super) path: Vec<u32>,
    pub(super) put: Vec<PutBack>,
    pub(super) recovered: Vec<Recovered>,
    pub(super) notices: Vec<Hanging>,
    /// The boundary that the path begins with.
    pub(super) boundary: Option<u32>,
    /// What that boundary preserves.
    pub(super) preserved: Option<Preserved>,
    /// The records that come back, in order.
    pub(super) conversation: Vec<u32>,
}

pub(super) fn resume(survey: &Survey, options: &ResumeOptions) -> Result<Resume, NotFound> {
    let outcome = Outcome::new(survey, options);
    if outcome.conversation.is_empty() {
        return Err(why_not(&outcome.nodes, options));
    }
    let places = outcome.conversation.iter().map(|&at| survey.fact(at).place()).collect();
    Ok(Resume { places, notes: told::notes(&outcome) })
}

impl<'a> Outcome<'a> {
    /// Does what the definition says; the conversation is empty when there is none.
    pub(super) fn new(survey: &'a Survey, options: &ResumeOptions) -> Self {
        let mut nodes = Nodes::new(survey, options);
        let parents = Parents::new(&mut nodes);
        let mut path = path(&mut nodes, &parents);
        let boundary = path.first().copied().filter(|&at| survey.fact(at).sort == Sort::Boundary);
        let relinks = |boundary: &u32| !parents.failed.iter().any(|(failed, _)| failed == boundary);
        let preserved = boundary.filter(relinks).and_then(|boundary| Finder::new(&nodes).of(boundary));
        let allowed = Allowed::new(&nodes, boundary, preserved.clone());
        let put = put_back(&nodes, &parents, &allowed, &mut path);
        let mut conversation: Vec<u32> = path.iter().copied().filter(|&at| nodes.may_come_back(at)).collect();
        for &at in &conversation {
            nodes.mark(at, COMES_BACK);
        }
        let recovered = recover(&mut nodes, &allowed, &mut conversation);
        let notices = add_notices(&mut nodes, &parents, &allowed, &mut conversation);
        Self { nodes, parents, path, put, recovered, notices, boundary, preserved, conversation }
    }
}

/// Why there is no conversation.
pub(super) fn why_not(nodes: &Nodes<'_>, options: &ResumeOptions) -> NotFound {
    let survey = nodes.survey;
    let agents = survey.agent_names.clone();
    let speakers = nodes.all().filter(|&at| nodes.fact(at).is_speaker()).count() as u64;
    let participants = nodes.participants().count() as u64;
    let of_others = || nodes.indexes().any(|at| !nodes.is_selected(at) && nodes.fact(at).is_participant());
    match &options.agent {
        _ if survey.records == 0 => NotFound::Empty,
        _ if speakers > 0 => NotFound::AllWithdrawn { speakers },
        Some(wanted) if !nodes.indexes().any(|at| nodes.is_selected(at)) => {
            NotFound::NoSuchAgent { wanted: wanted.clone(), agents }
        }
        _ if participants > 0 => NotFound::NoSpeaker { participants },
        None if of_others() => NotFound::SidechainOnly { agents },
        _ => NotFound::SideRecordsOnly { records: survey.records },
    }
}
