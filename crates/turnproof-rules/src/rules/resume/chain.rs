//! A *chain* with holes in it, or with links that are no messages, still leads back to the first prompt.

use super::difference::judge;
use super::model::{Fate, Resumption};
use crate::operation::Resumed;
use crate::rules::{Judge, Place, RuleEntry, Violation};

pub(super) const BRIDGES_GAP: RuleEntry = rule!(
    "resume/bridges-gap",
    Error,
    Judge::Resume(|case| {
        judge(case, BRIDGES_GAP.id, is_bridged, "no gap is on the path", |case, right| {
            let found = "a gap was bridged, and nothing is said about it";
            let is_silent = is_bridged(right) && says_nothing(case);
            is_silent.then(|| Violation::new(BRIDGES_GAP.id, Place::Whole, found, "a note about the gap"))
        })
    })
);

fn is_bridged(right: &Resumption) -> bool {
    right.path.iter().any(|step| step.is_bridge)
}

/// Whether an answer has no notes.
pub(super) fn says_nothing(case: &Resumed) -> bool {
    matches!(&case.answer, Ok(Some(conversation)) if conversation.notes.is_empty())
}

pub(super) const OLD_PROGRESS: RuleEntry = rule!(
    "resume/old-progress",
    Error,
    Judge::Resume(|case| {
        judge(
            case,
            OLD_PROGRESS.id,
            |right| right.has(&[Fate::Passing]),
            "the file holds no progress and the like",
            |_, _| None,
        )
    })
);
