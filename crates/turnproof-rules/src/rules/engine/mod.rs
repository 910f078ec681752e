//! Rules on the *loop*: what is sent, in which order, and what it answers.
//!
//! They look at a log of moments alone. What is live at a moment follows from what was yielded before it ([`live`]).

mod again;
mod answered;
mod attached;
mod cleared;
mod details;
mod disk;
mod error;
mod file;
mod fork;
mod hidden;
mod late;
mod left;
mod live;
mod model;
mod order;
mod queue;
mod reported;
mod request;
mod requests;
mod resume;
mod retries;
mod sound;
mod summary;
mod survivor;
mod waiting;

use std::cell::OnceCell;

use super::facts::Facts;
use super::message::written::facts_of;
use super::{PlayEvidence, RuleEntry, Sentence, Violation, name_of};
use crate::operation::{Moment, Plain};

/// What the rules of the family work out of a case.
#[derive(Debug, Default)]
pub struct WorkedOut<'a> {
    disks: OnceCell<disk::Disks<'a>>,
    left: OnceCell<[Moment; 2]>,
    facts: OnceCell<Facts>,
    records: OnceCell<Vec<Plain>>,
    reported: OnceCell<reported::Reported<'a>>,
}

impl<'a> PlayEvidence<'a> {
    /// What is on disk at a moment that holds a transcript; after the last moment, at the end.
    fn disk(&self, moment: usize) -> Option<disk::Disk<'_>> {
        let played = self.given();
        self.worked_out.disks.get_or_init(|| disk::Disks::read(played)).at(moment)
    }

    /// The facts of the transcript at the end.
    fn file_facts(&self) -> &Facts {
        self.worked_out.facts.get_or_init(|| facts_of(&self.transcript))
    }

    /// The records of the transcript at the end. A line that is no record is passed over.
    fn file_records(&self) -> &[Plain] {
        let lines = || self.transcript.split(|&byte| byte == b'\n').filter_map(|line| std::str::from_utf8(line).ok());
        let read = || lines().filter_map(|line| Plain::read(line).ok()).collect();
        self.worked_out.records.get_or_init(read)
    }

    /// What the inputs ask for, and what was reported.
    fn reported(&self) -> &reported::Reported<'_> {
        let played = self.given();
        self.worked_out.reported.get_or_init(|| reported::Reported::compare(played))
    }
}

pub(super) const RULES: &[RuleEntry] = &[
    rule!("engine/every-use-answered", Play(answered::every_use_answered)),
    rule!("engine/queue-order", Play(queue::queue_order)),
    rule!("engine/summary-late", Play(summary::summary_late)),
    rule!("engine/durable-before-request", Play(request::durable_before_request)),
    rule!("engine/request-of-live", Play(request::request_of_live)),
    rule!("engine/no-withdrawn-survivor", Play(survivor::no_withdrawn_survivor)),
    rule!("engine/no-compacted-survivor", Play(survivor::no_compacted_survivor)),
    rule!("engine/resume-complete", Play(resume::resume_complete)),
    rule!("engine/sound-messages", Play(sound::sound_messages)),
    rule!("engine/deterministic", Play(again::deterministic)),
    rule!("engine/interrupted-not-lost", Play(answered::interrupted_not_lost)),
    rule!("engine/queue-recorded", Play(waiting::queue_recorded)),
    rule!("engine/error-kind", Play(error::error_kind)),
    rule!("engine/cleared-stays-cleared", Play(cleared::cleared_stays_cleared)),
    rule!("engine/log-of-inputs", Play(requests::log_of_inputs)),
    rule!("engine/request-of-inputs", Play(requests::request_of_inputs)),
    rule!("engine/request-when-due", Play(requests::request_when_due)),
    rule!("engine/legal-request", Play(requests::legal_request)),
    rule!("engine/request-holds-live", Play(requests::request_holds_live)),
    rule!("engine/sound-lines", Play(sound::sound_lines)),
    rule!("engine/sound-chain", Play(sound::sound_chain)),
    rule!("engine/sound-calls", Play(sound::sound_calls)),
    rule!("engine/tells-all", Play(reported::reports_all)),
    rule!("engine/result-as-given", Play(details::result_as_given)),
    rule!("engine/result-source", Play(details::result_source)),
    rule!("engine/denial-words", Play(details::denial_words)),
    rule!("engine/meta-stays-meta", Play(details::meta_stays_meta)),
    rule!("engine/notice-whole", Play(details::notice_whole)),
    rule!("engine/error-of-no-model", Play(details::error_of_no_model)),
    rule!("engine/late-fields", Play(late::late_fields)),
    rule!("engine/file-as-yielded", Play(file::file_as_yielded)),
    rule!("engine/fork-renamed", Play(fork::fork_renamed)),
    rule!("engine/virtual-stays-out", Play(hidden::virtual_stays_out)),
    rule!("engine/yields-in-order", Play(order::yields_in_order)),
    rule!("engine/attachment-as-given", Play(details::attachment_as_given)),
    rule!("engine/retries-end", Play(retries::retries_end)),
];

/// Why a rule that needs the whole transcript does not apply.
const NOT_WHOLE: &str = "the disk did not take everything";

/// What is wrong: the kind, what is found, and what is expected.
type Wrong = (&'static str, Sentence, Sentence);

/// A violation of a rule that another one asks: the rule comes first in what is found, and its name is the kind.
fn of_asked(violation: Violation) -> Wrong {
    let Violation { rule, place, found, expected, .. } = violation;
    let found = sentence!("{rule}: {found} ({place})", rule, found, place = place.to_string());
    (name_of(rule), found, expected)
}
