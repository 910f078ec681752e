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
pub use survey::{Survey, copy_places, survey};

use std::io::{self, Read};

use super::whole::Transcript;
use steps::{CIRCLE, Found, GAP};

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
/// use turnproof::transcript::Transcript;
/// use turnproof::transcript::resume::{ResumeOptions, resume};
///
/// let file = br#"{"type":"user","uuid":"u1","parentUuid":null}
/// {"type":"assistant","uuid":"u2","parentUuid":"never written"}
/// "#;
/// let transcript = Transcript::from_bytes(file.to_vec());
/// let resume = resume(&transcript, &ResumeOptions::default())?;
/// assert_eq!(resume.places.iter().map(|place| place.line).collect::<Vec<_>>(), [1, 2]);
/// assert!(resume.notes[0].to_string().starts_with("line 2 names a parent that is not in the file"));
/// # Ok::<(), turnproof::transcript::resume::NotFound>(())
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

/// A record whose parent is not there, and the one that takes its place; both by their first bytes in the file.
pub(super) struct Gap {
    pub(super) start: u64,
    pub(super) is_circle: bool,
    pub(super) to: Option<u64>,
}

impl Survey {
    /// Finds the conversation, or says why there is none and what to do.
    pub fn resume(&self, options: &ResumeOptions) -> Result<Resume, NotFound> {
        report::resume(&Found::new(self, options.agent.as_deref()))
    }

    /// The records of the conversation whose parent is a gap, in file order.
    pub(super) fn gaps(&self) -> Vec<Gap> {
        let Found { nodes, parents, .. } = Found::new(self, None);
        let gaps = nodes.all().filter(|&at| nodes.has(at, GAP));
        let gap = |at: u32| Gap {
            start: nodes.fact(at).start,
            is_circle: nodes.has(at, CIRCLE),
            to: parents.of(at).map(|parent| nodes.fact(parent).start),
        };
        gaps.map(gap).collect()
    }

    /// What became of each record.
    pub fn explain(&self, options: &ResumeOptions) -> Explained {
        report::explain(&Found::new(self, options.agent.as_deref()))
    }
}
