//! A *rule* is one sentence about the message system that can be shown to be broken. Its function never calls the code
//! that it judges.
//!
//! A rule is a page, an example that breaks it, and a function. Page and example lie in `rules/<family>/<name>.md` and
//! `.jsonl`, and the page says all about the rule. [`CATALOGUE`] holds them all, a family a file. Rules see
//! plain data: the output of an [`operation`](crate::operation), or the [`Facts`] of a transcript.
#![allow(unnameable_types, reason = "what a rule works out of the answers is its family's alone")]

#[macro_use]
mod document;
#[macro_use]
mod sentence;

#[cfg(feature = "pipelines")]
mod agent_file;
mod alike;
mod catalogue;
#[cfg(feature = "pipelines")]
mod chain;
#[cfg(feature = "pipelines")]
mod engine;
mod facts;
#[cfg(feature = "pipelines")]
mod fold;
#[cfg(feature = "pipelines")]
mod forks;
mod front;
mod history;
#[cfg(feature = "pipelines")]
mod id;
mod index;
mod known;
mod links;
#[cfg(feature = "pipelines")]
mod make;
mod message;
mod names;
#[cfg(feature = "pipelines")]
mod naming;
mod near;
#[cfg(feature = "pipelines")]
mod normalize;
#[cfg(feature = "pipelines")]
mod record;
#[cfg(feature = "pipelines")]
mod repair;
mod reply;
mod request;
#[cfg(feature = "pipelines")]
mod resume;
mod sent;
mod shape;
#[cfg(feature = "pipelines")]
mod stream;
mod talk;
#[cfg(feature = "pipelines")]
mod tool;
#[cfg(feature = "pipelines")]
mod ui;
#[cfg(feature = "pipelines")]
mod usage;
pub(crate) mod value;
mod verdict;
#[cfg(feature = "pipelines")]
mod wire;
mod worked_out;

pub use catalogue::{CATALOGUE, NoSuchRule, choose, distance, find, glob_matches, matching};
pub(crate) use document::{RuleEntry, judge, rule, unwrapped};
pub use facts::{Content, Facts, Link, MessageFacts, Preserved, RecordFacts, ResultFacts};
pub use front::{Audience, Basis, CountedIn, Harm, History, Legacy, PageError, Repair, Sayer, Severity};
pub(crate) use front::{Front, meaning};
pub use known::Known;
#[cfg(feature = "pipelines")]
pub use naming::is_of_naming;
pub use near::meant;
#[cfg(feature = "pipelines")]
pub use resume::{RightRecord, right_resume};
pub use sent::{SentFact, SentFlaw};
pub(crate) use sentence::sentence;
pub use sentence::{Sentence, SentenceValue};
pub(crate) use verdict::{Applies, Report, applies, name_of, refusal};
pub use verdict::{Mistake, Place, StreamList, Verdict, Violation};
#[cfg(feature = "pipelines")]
pub use wire::right_reading;

pub use crate::observed::Evidence;
pub use crate::trial::{Judge, JudgeReply, JudgeRequest, JudgeRequests, JudgeTalk, judge_json};
pub(crate) use worked_out::*;

use crate::errors::ErrorText;
use crate::operation::{
    Accumulated, ApiNormalized, Made, Operation, Played, Reading, Recorded, Resumed, UiNormalized, UiReordered,
};

/// The evidence on a reading.
pub type ParseEvidence<'a> = Evidence<'a, Reading>;
/// The evidence on a request that was made of messages.
pub type ApiEvidence<'a> = Evidence<'a, ApiNormalized>;
/// The evidence on messages for the UI.
pub type UiEvidence<'a> = Evidence<'a, UiNormalized>;
/// The evidence on an order for the UI.
pub type OrderEvidence<'a> = Evidence<'a, UiReordered>;
/// The evidence on a recorder.
pub type RecordEvidence<'a> = Evidence<'a, Recorded>;
/// The evidence on a resume.
pub type ResumeEvidence<'a> = Evidence<'a, Resumed>;
/// The evidence on what was made of a stream.
pub type StreamEvidence<'a> = Evidence<'a, Accumulated>;
/// The evidence on what a factory made.
pub type MakeEvidence<'a> = Evidence<'a, Made>;
/// The evidence on the log of a loop.
pub type PlayEvidence<'a> = Evidence<'a, Played>;

/// A rule: what must hold, why, and how it is judged.
pub struct Rule {
    /// `family/name`, stable: reports and configurations name it.
    pub id: &'static str,
    /// What must hold, one sentence without a full stop.
    pub title: &'static str,
    /// How bad a violation is.
    pub severity: Severity,
    /// Who must keep it; `None` where no subject is asked, since it judges files, or depends on sizes or on the caller.
    pub audience: Option<Audience>,
    /// The histories of which it is asked, as of every client.
    pub history: History,
    /// How far it is from the mistakes that break it. Where one mistake breaks several rules, the nearest comes first.
    ///
    /// At 0 there is no answer at all, and at 1 another one each time. Rules at 2 look at one thing alone. Most rules
    /// are at 3. Rules at 4 look at all that comes out. At 5 the subject is compared with itself.
    pub distance: u8,
    /// What a legal history suffered when a library breaks it; `None` where no library is asked.
    pub harm: Option<Harm>,
    /// The list in which a place such as `messages.3` counts.
    pub counted_in: CountedIn,
    /// Which violations are what older clients wrote, and every reader takes; `None` for none.
    pub legacy: Option<Legacy>,
    /// What a repair does about violations in a file; `None` for nothing, but where the API refuses the conversation.
    pub repair: Option<Repair>,
    /// The rules on requests that the same defect breaks once it is sent, so that the API refuses the conversation.
    pub refused_as: &'static [&'static str],
    /// The kinds of violations that the client of today removes before it sends a conversation, so that no host sees
    /// them: `all`, or some of them. SPEC 3.8 has the version.
    pub fixed_by_client: &'static [&'static str],
    /// How it is known of hosts that they refuse what breaks it, for rules on requests; [`Self::known`] asks.
    pub hosts: &'static [(crate::operation::Host, Known)],
    /// What a violation in a file means for who holds the session: a sentence without a full stop.
    pub consequence: Option<&'static str>,
    /// What hosts and clients say when it is broken.
    pub errors: &'static [ErrorText],
    /// The pages of errors that it shares with them.
    pub errors_of: &'static [&'static str],
    /// What the rule means and what happens in the field when it is broken: a few sentences in plain words for somebody
    /// new to it. Paragraphs are separated by blank lines.
    pub doc: &'static str,
    /// The smallest input that breaks it: for rules on transcripts and `parse`, the lines of a file; for rules on
    /// requests, the request; for other rules, the operation's output as JSON.
    pub example: &'static [u8],
    /// What to do about a violation.
    pub remedy: &'static str,
    /// Where it comes from: spec sections, API error texts, public issues (`anthropics/claude-code#3277`).
    pub sources: &'static [&'static str],
    /// The function.
    pub judge: Judge,
}

impl Rule {
    /// How bad a violation of the rule is: what its page says, unless it is otherwise at the host that was asked about.
    pub fn severity_of(&self, violation: &Violation) -> Severity {
        violation.severity.unwrap_or(self.severity)
    }

    /// Whether the client of today removes what breaks the rule here before it sends the conversation.
    pub fn is_fixed_by_client(&self, violation: &Violation) -> bool {
        self.fixed_by_client.iter().any(|kind| matches!(*kind, "all") || *kind == violation.kind)
    }

    /// How it is known that a host refuses a request that breaks the rule.
    pub fn known(&self, host: crate::operation::Host) -> Known {
        self.hosts.iter().find(|(known, _)| *known == host).map_or(Known::Inferred, |(_, how)| *how)
    }
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
        self.judge.operation()
    }
}
