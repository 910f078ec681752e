//! Rules on *resuming*: what comes back from a transcript, whatever happened to it.
//!
//! A [`model`] says what a right resume makes of the file, and why; each difference from it breaks the rule
//! about its reason, and no other.

mod apart;
mod boundary;
mod chain;
mod complete;
mod crash;
mod difference;
pub mod model;
mod reply;
mod total;

use super::Rule;

/// The rules of the family `resume`.
pub(super) const RULES: &[&Rule] = &[
    &total::TOTAL,
    &complete::COMPLETE,
    &reply::PARALLEL_RESULTS,
    &reply::NO_DELIVERED_REPLY_LOST,
    &chain::BRIDGES_GAP,
    &chain::OLD_PROGRESS,
    &boundary::BOUNDARY,
    &apart::WITHDRAWN,
    &apart::SIDECHAIN_APART,
    &crash::CRASH_PREFIX,
    &crash::THEN_CONTINUE,
];
