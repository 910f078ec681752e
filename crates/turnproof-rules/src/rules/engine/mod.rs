//! Rules on the *loop*: what is sent, in which order, and what it answers.
//!
//! They look at a log of moments alone. What is live at a moment is computed from what was yielded
//! before it (`live`).

mod again;
mod answered;
mod compacted;
mod disk;
mod live;
mod queue;
mod request;
mod resume;
mod summary;
mod survivor;

use std::cell::OnceCell;

use super::{PlayEvidence, RuleEntry};

/// What the rules of the family work out of a case.
#[derive(Debug, Default)]
pub struct WorkedOut<'a> {
    disks: OnceCell<disk::Disks<'a>>,
}

impl<'a> PlayEvidence<'a> {
    /// What is on disk at a moment, if that tells.
    fn disk(&self, moment: usize) -> Option<disk::Disk<'_>> {
        let played = self.given();
        self.worked_out.disks.get_or_init(|| disk::Disks::read(&played.moments)).at(moment)
    }
}

/// The rules of the family `engine`.
pub(super) const RULES: &[&RuleEntry] = &[
    &answered::EVERY_USE_ANSWERED,
    &queue::QUEUE_ORDER,
    &summary::SUMMARY_LATE,
    &request::DURABLE_BEFORE_REQUEST,
    &request::REQUEST_OF_LIVE,
    &survivor::NO_WITHDRAWN_SURVIVOR,
    &compacted::NO_COMPACTED_SURVIVOR,
    &resume::RESUME_COMPLETE,
    &again::DETERMINISTIC,
];
