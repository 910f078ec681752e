//! What stays *apart* from the conversation: what was withdrawn, and what belongs to somebody else.

use super::difference::judge;
use super::model::Fate;
use crate::rules::{Judge, RuleEntry};

pub(super) const WITHDRAWN: RuleEntry = rule!(
    "resume/withdrawn",
    Error,
    Judge::Resume(|case| {
        judge(
            case,
            WITHDRAWN.id,
            |right| right.records.iter().any(|record| record.is_named),
            "nothing in the file is withdrawn",
            |_, _| None,
        )
    })
);

pub(super) const SIDECHAIN_APART: RuleEntry = rule!(
    "resume/sidechain-apart",
    Error,
    Judge::Resume(|case| {
        judge(
            case,
            SIDECHAIN_APART.id,
            |right| right.has(&[Fate::Sidechain]),
            "the file holds no record of a subagent or a team",
            |_, _| None,
        )
    })
);
