//! A *rule* is one sentence about the message system that can be shown to be broken; an oracle that
//! never calls the code it judges.
//!
//! A rule is data (id, title, severity, operation, prose, an example that breaks it, sources) and
//! a function. [`CATALOGUE`] holds them all, a family a file. Rules see plain data: the output of
//! an [`operation`](crate::operation), or the [`Facts`] of a transcript.

mod alike;
mod catalogue;
mod chain;
mod engine;
mod evidence;
mod facts;
mod forks;
mod id;
mod links;
mod names;
mod normalize;
mod record;
mod request;
mod resume;
mod stream;
mod tool;
mod ui;
mod verdict;
mod wire;

pub use catalogue::{CATALOGUE, find, glob_matches, matching};
pub use evidence::{
    ApiEvidence, Evidence, OrderEvidence, ParseEvidence, ParsedBytes, PlayEvidence, RecordEvidence,
    ResumeEvidence, StreamEvidence, UiEvidence,
};
pub use facts::{Facts, Link, Preserved, RecordFacts, ResultFacts};
pub use normalize::prefix_steps;
pub use resume::model as conversation;
pub use verdict::{Place, StreamList, Verdict, Violation};
pub use wire::model;

use crate::operation::{Derived, Host, Operation, Request, Shortened};

/// How bad it is that a rule is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing; nothing is wrong.
    Info,
    /// A deduction, or something that readers survive.
    Warning,
    /// Something that loses data or that a reader or the API refuses.
    Error,
}

impl Severity {
    /// The severity's name: `info`, `warning`, `error`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// The function of a rule, by what it judges.
#[derive(Clone, Copy)]
pub enum Judge {
    /// A transcript's records, gathered; hands each violation to the sink, in file order.
    Transcript(fn(&Facts, &mut dyn FnMut(Violation))),
    /// What a subject read from a file.
    Parse(fn(&ParseEvidence<'_>) -> Verdict),
    /// A request: one that a subject made, or one that somebody is about to send.
    Request {
        /// Whether the rule looks at the request's structure alone. Rules that depend on sizes, on
        /// the caller or on the model are not asked of subjects.
        structural: bool,
        /// Judges for one profile; hands each violation to the sink, in order.
        judge: fn(&Request, Host, &mut dyn FnMut(Violation)),
    },
    /// The relation of messages and the request that a subject made of them.
    NormalizeApi(fn(&ApiEvidence<'_>) -> Verdict),
    /// The relation of messages and what a subject made of them for the UI.
    NormalizeUi(fn(&UiEvidence<'_>) -> Verdict),
    /// The order that a subject gave messages.
    ReorderUi(fn(&OrderEvidence<'_>) -> Verdict),
    /// The ids that a subject derived.
    DeriveUuid(fn(&Derived) -> Verdict),
    /// The short ids that a subject made.
    ShortId(fn(&Shortened) -> Verdict),
    /// What a subject wrote of lists of messages.
    Record(fn(&RecordEvidence<'_>) -> Verdict),
    /// The conversation that a subject found in a transcript.
    Resume(fn(&ResumeEvidence<'_>) -> Verdict),
    /// The messages that a subject made of a stream.
    Accumulate(fn(&StreamEvidence<'_>) -> Verdict),
    /// The log of a subject's loop.
    Play(fn(&PlayEvidence<'_>) -> Verdict),
}

/// A rule: what must hold, why, and how to tell.
pub struct Rule {
    /// `family/name`, stable: reports and configurations name it.
    pub id: &'static str,
    /// What must hold, one sentence without a full stop.
    pub title: &'static str,
    /// How bad a violation is.
    pub severity: Severity,
    /// What the rule means and what happens in the field when it is broken: a few sentences in
    /// plain words that teach a stranger. Paragraphs are separated by blank lines.
    pub doc: &'static str,
    /// The smallest input that breaks it: for rules on transcripts and `parse`, the lines of a file;
    /// for rules on requests, the request; for other rules, the operation's output as JSON.
    pub example: &'static [u8],
    /// What to do about a violation.
    pub remedy: &'static str,
    /// Where it comes from: spec sections, API error texts, public issues
    /// (`anthropics/claude-code#3277`).
    pub sources: &'static [&'static str],
    /// The function.
    pub judge: Judge,
}

impl std::fmt::Debug for Rule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.id)
    }
}

impl Rule {
    /// The part of the id before the slash.
    pub fn family(&self) -> &'static str {
        self.id.split_once('/').map_or(self.id, |(family, _)| family)
    }

    /// The operation that the rule judges.
    pub fn operation(&self) -> Operation {
        match self.judge {
            Judge::Transcript(_) => Operation::Transcript,
            Judge::Parse(_) => Operation::Parse,
            Judge::Request { .. } | Judge::NormalizeApi(_) => Operation::NormalizeApi,
            Judge::NormalizeUi(_) => Operation::NormalizeUi,
            Judge::ReorderUi(_) => Operation::ReorderUi,
            Judge::DeriveUuid(_) => Operation::DeriveUuid,
            Judge::ShortId(_) => Operation::ShortId,
            Judge::Record(_) => Operation::Record,
            Judge::Resume(_) => Operation::Resume,
            Judge::Accumulate(_) => Operation::Accumulate,
            Judge::Play(_) => Operation::Play,
        }
    }
}
