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

use std::cell::OnceCell;

use super::{ResumeEvidence, RuleEntry};

/// What the rules of the family work out of a case.
#[derive(Debug, Default)]
pub struct WorkedOut<'a> {
    records: OnceCell<Vec<model::record::Record<'a>>>,
    right: OnceCell<model::Resumption>,
    differences: OnceCell<Option<Vec<difference::Difference>>>,
}

impl<'a> ResumeEvidence<'a> {
    /// The records of the file.
    fn records(&self) -> &[model::record::Record<'a>] {
        let resumed = self.given();
        self.worked_out.records.get_or_init(|| model::record::read(&resumed.file))
    }

    /// What a right resume makes of the file.
    fn right(&self) -> &model::Resumption {
        let find = || model::find_among(&self.records().iter().collect::<Vec<_>>());
        self.worked_out.right.get_or_init(find)
    }

    /// How the answer differs from what is right; nothing where one of the two has a conversation and the
    /// other has not.
    fn differences(&self) -> Option<&[difference::Difference]> {
        let compare = || difference::compare(self, self.right());
        self.worked_out.differences.get_or_init(compare).as_deref()
    }
}

/// The rules of the family `resume`.
pub(super) const RULES: &[&RuleEntry] = &[
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
