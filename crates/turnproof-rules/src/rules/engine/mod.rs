//! Rules on the *loop*: what is sent, in which order, and what it answers.
//!
//! They look at a log of moments alone. What is live at a moment follows from what was yielded before it ([`live`]).

mod again;
mod answered;
mod cleared;
mod disk;
mod error;
mod live;
mod queue;
mod request;
mod requests;
mod resume;
mod sound;
mod summary;
mod survivor;
mod waiting;

use std::cell::OnceCell;

use super::{PlayEvidence, RuleEntry};

/// What the rules of the family work out of a case.
#[derive(Debug, Default)]
pub struct WorkedOut<'a> {
    disks: OnceCell<disk::Disks<'a>>,
}

impl<'a> PlayEvidence<'a> {
    /// What is on disk at a moment that holds a transcript.
    fn disk(&self, moment: usize) -> Option<disk::Disk<'_>> {
        let played = self.given();
        self.worked_out.disks.get_or_init(|| disk::Disks::read(&played.moments)).at(moment)
    }
}

pub(super) const RULES: &[RuleEntry] = &[
    rule!("engine/every-use-answered", Error, Play(answered::every_use_answered)),
    rule!("engine/queue-order", Error, Play(queue::queue_order)),
    rule!("engine/summary-late", Warning, Play(summary::summary_late)),
    rule!("engine/durable-before-request", Error, Play(request::durable_before_request)),
    rule!("engine/request-of-live", Error, Play(request::request_of_live)),
    rule!("engine/no-withdrawn-survivor", Error, Play(survivor::no_withdrawn_survivor)),
    rule!("engine/no-compacted-survivor", Error, Play(survivor::no_compacted_survivor)),
    rule!("engine/resume-complete", Error, Play(resume::resume_complete)),
    rule!("engine/sound-messages", Error, Play(sound::sound_messages)),
    rule!("engine/deterministic", Error, Play(again::deterministic)),
    rule!("engine/interrupted-not-lost", Error, Play(answered::interrupted_not_lost)),
    rule!("engine/queue-recorded", Warning, Play(waiting::queue_recorded)),
    rule!("engine/error-kind", Warning, Play(error::error_kind)),
    rule!("engine/cleared-stays-cleared", Error, Play(cleared::cleared_stays_cleared)),
    rule!("engine/log-of-inputs", Error, Play(requests::log_of_inputs)),
    rule!("engine/request-of-inputs", Error, Play(requests::request_of_inputs)),
    rule!("engine/request-when-due", Error, Play(requests::request_when_due)),
    rule!("engine/legal-request", Error, Play(requests::legal_request)),
    rule!("engine/request-holds-live", Error, Play(requests::request_holds_live)),
];

/// Why a rule that needs the whole transcript does not apply.
const NOT_WHOLE: &str = "the disk did not take everything";
