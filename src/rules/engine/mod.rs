//! Rules on the *loop*: what is sent, in which order, and what it answers.
//!
//! They look at a log of moments alone. What is live at a moment is computed from what was yielded
//! before it (`live`).

mod answered;
mod live;
mod queue;
mod request;
mod resume;
mod summary;
mod survivor;

use super::Rule;

/// What the rules of the family work out of a case: nothing yet that two of them need.
#[derive(Debug, Default)]
pub struct WorkedOut;

/// The rules of the family `engine`.
pub(super) const RULES: &[&Rule] = &[
    &answered::EVERY_USE_ANSWERED,
    &queue::QUEUE_ORDER,
    &summary::SUMMARY_LATE,
    &request::DURABLE_BEFORE_REQUEST,
    &request::REQUEST_OF_LIVE,
    &survivor::NO_WITHDRAWN_SURVIVOR,
    &resume::RESUME_COMPLETE,
];
