//! A *resume* finds the conversation that a user gets back from a transcript, whatever happened to the file.
//! SPEC.md section 3.3 says which conversation that is.
//!
//! ```text
//! records ── survey ──> facts ── steps ──> found ── report ──> places, notes, or why there is nothing
//! ```
//!
//! * `survey` reads the file once, and keeps under 100 bytes of each record.
//! * `steps` has one file for each numbered part of the section. Its `mod.rs` takes the steps in order.
//! * `report` says what was found, in the types of `answer`.

mod answer;
mod report;
mod steps;
mod survey;

pub use answer::{Explained, ExplainedRecord, Fate, Missing, NotFound, Note, NoteKind, Place, Resume};
pub use survey::PlaceReader;
pub use survey::{RecordIds, Survey, copy_places, survey};

use std::collections::{BTreeMap, BTreeSet, HashSet};

use std::io::{self, Read};

use super::whole::Transcript;
use steps::{CIRCLE, GAP, ResumeSteps};
use survey::{NONE, SIDECHAIN};

/// What is asked of a resume.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ResumeOptions {
    /// The subagent whose conversation is wanted; `None` for the main conversation.
    pub agent: Option<String>,
}

/// Finds the conversation in a file that is in memory, or says why there is none and what to do. Its records lie at the
/// places in [`Transcript::bytes`].
///
/// ```
/// use turnproof_reference::transcript::Transcript;
/// use turnproof_reference::transcript::resume::{ResumeOptions, resume};
///
/// let file = br#"{"type":"user","uuid":"u1","parentUuid":null}
/// {"type":"assistant","uuid":"u2","parentUuid":"never written"}
/// "#;
/// let transcript = Transcript::from_bytes(file.to_vec());
/// let resume = resume(&transcript, &ResumeOptions::default())?;
/// assert_eq!(resume.places.iter().map(|place| place.line).collect::<Vec<_>>(), [1, 2]);
/// assert!(resume.notes[0].to_string().starts_with("line 2 names a parent that is not in the file"));
/// # Ok::<(), turnproof_reference::transcript::resume::NotFound>(())
/// ```
pub fn resume(transcript: &Transcript, options: &ResumeOptions) -> Result<Resume, NotFound> {
    let mut survey = Survey::default();
    transcript.records().for_each(|record| survey.note(&record));
    survey.resume(options)
}

/// Finds the conversation in a file; [`copy_places`] then reads it. The outer error is the source's.
pub fn resume_file(source: impl Read, options: &ResumeOptions) -> io::Result<Result<Resume, NotFound>> {
    Ok(survey(source)?.resume(options))
}

/// The conversation that a file is of.
pub struct Conversation {
    /// Whose it is.
    pub speaker: ResumeOptions,
    /// What comes back, or why nothing does.
    pub found: Result<Resume, NotFound>,
    /// The records whose parent is a gap, in file order.
    pub gaps: Vec<Gap>,
}

/// A record whose parent is not there, and the one that takes its place; both by their first bytes in the file.
pub struct Gap {
    /// The first byte of the record whose parent is not there.
    pub start: u64,
    /// Whether its parents lead back to it.
    pub is_circle: bool,
    /// Whether it names a parent.
    pub is_named: bool,
    /// Whether the parent is in the file, in another conversation.
    pub is_elsewhere: bool,
    /// Whether one of these conversations is a subagent's.
    pub is_apart: bool,
    /// Whether it is `progress` that nothing goes on from, so that nothing is missing.
    pub is_idle: bool,
    /// The first byte of the record that takes the parent's place.
    pub to: Option<u64>,
}

impl Survey {
    /// Finds the conversation, or says why there is none and what to do.
    pub fn resume(&self, options: &ResumeOptions) -> Result<Resume, NotFound> {
        report::resume(&ResumeSteps::new(self, options.agent.as_deref()))
    }

    /// Whose conversation the file is of: `None` for the main one. A file of subagents alone, without a message of a
    /// team, is of the first of them that has a conversation.
    pub fn speaker(&self) -> ResumeOptions {
        self.conversation().speaker
    }

    /// The conversation that the file is of, and its gaps.
    pub fn conversation(&self) -> Conversation {
        let main = ResumeSteps::new(self, None);
        let found = report::resume(&main);
        let is_of_subagents = || self.facts.iter().all(|fact| !fact.is_participant() || fact.has(SIDECHAIN));
        if let Err(NotFound::SidechainOnly { agents }) = &found
            && is_of_subagents()
        {
            for agent in agents {
                let of_agent = ResumeSteps::new(self, Some(agent));
                if let Ok(resume) = report::resume(&of_agent) {
                    let speaker = ResumeOptions { agent: Some(agent.clone()) };
                    return Conversation { speaker, found: Ok(resume), gaps: gaps(&of_agent) };
                }
            }
        }
        Conversation { speaker: ResumeOptions::default(), found, gaps: gaps(&main) }
    }

    /// The records of a conversation whose parent is a gap, in file order.
    pub fn gaps(&self, options: &ResumeOptions) -> Vec<Gap> {
        gaps(&ResumeSteps::new(self, options.agent.as_deref()))
    }

    /// The placeholders whose true results the file holds: the first byte of each in the file, and of these results.
    pub fn replaced(&self, options: &ResumeOptions) -> Vec<(u64, Vec<u64>)> {
        let steps = ResumeSteps::new(self, options.agent.as_deref());
        let start = |at: u32| self.fact(at).start;
        let mut replaced: BTreeMap<u64, BTreeSet<u64>> = BTreeMap::new();
        for one in &steps.nodes.replaced {
            for &placeholder in &one.placeholders {
                let results = replaced.entry(start(placeholder)).or_default();
                results.extend(one.results.iter().map(|&at| start(at)));
            }
        }
        let list = |(placeholder, results): (u64, BTreeSet<u64>)| (placeholder, results.into_iter().collect());
        replaced.into_iter().map(list).collect()
    }

    /// What became of each record.
    pub fn explain(&self, options: &ResumeOptions) -> Explained {
        report::explain(&ResumeSteps::new(self, options.agent.as_deref()))
    }
}

/// The records of a conversation whose parent is a gap, in file order.
fn gaps(ResumeSteps { nodes, parents, .. }: &ResumeSteps<'_>) -> Vec<Gap> {
    let survey = nodes.survey;
    let gaps: Vec<u32> = nodes.all().filter(|&at| nodes.has(at, GAP)).collect();
    let is_asked = gaps.iter().any(|&at| !nodes.fact(at).is_participant());
    let followed: HashSet<u32> = nodes.all().filter(|_| is_asked).filter_map(|at| parents.of(at)).collect();
    let holders = if gaps.is_empty() { Vec::new() } else { survey.holders() };
    let holder = |at: u32| Some(holders[survey.named_parent(at)? as usize]).filter(|&holder| holder != NONE);
    let gap = |at: u32| Gap {
        start: nodes.fact(at).start,
        is_circle: nodes.has(at, CIRCLE),
        is_named: survey.named_parent(at).is_some(),
        is_elsewhere: holder(at).is_some(),
        is_apart: holder(at).is_some_and(|of| nodes.fact(at).has(SIDECHAIN) || nodes.fact(of).has(SIDECHAIN)),
        is_idle: !nodes.fact(at).is_participant() && !followed.contains(&at),
        to: parents.of(at).map(|parent| nodes.fact(parent).start),
    };
    gaps.into_iter().map(gap).collect()
}
