//! A *boundary* is where a conversation was compacted: what stands before it was replaced by a summary.

use super::chain::says_nothing;
use super::difference::judge;
use super::model::Fate;
use crate::rules::{Judge, Place, RuleEntry, Violation};

pub(super) const BOUNDARY: RuleEntry = rule!(
    "resume/boundary",
    Error,
    Judge::Resume(|case| {
        judge(
            case,
            BOUNDARY.id,
            |right| right.has(&[Fate::Boundary, Fate::Preserved, Fate::BeforeBoundary]),
            "no boundary is on the path",
            |case, right| {
                let found = "what the boundary claims to preserve is not there, and nothing is said about it";
                let is_silent = right.is_preserved_missing && says_nothing(case);
                is_silent.then(|| Violation::new(BOUNDARY.id, Place::Whole, found, "a note about what is missing"))
            },
        )
    })
);
