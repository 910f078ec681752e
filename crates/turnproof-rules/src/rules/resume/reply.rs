//! A *reply* comes back as the user saw it: in one piece, with the results of its calls.

use super::difference::judge;
use super::model::Fate;
use crate::rules::{Judge, RuleEntry};

pub(super) const PARALLEL_RESULTS: RuleEntry = rule!(
    "resume/parallel-results",
    Error,
    Judge::Resume(|case| {
        judge(
            case,
            PARALLEL_RESULTS.id,
            |right| right.has(&[Fate::Recovered]),
            "no line or result of a reply is beside the path",
            |_, _| None,
        )
    })
);

pub(super) const NO_DELIVERED_REPLY_LOST: RuleEntry = rule!(
    "resume/no-delivered-reply-lost",
    Error,
    Judge::Resume(|case| {
        judge(
            case,
            NO_DELIVERED_REPLY_LOST.id,
            |right| right.has(&[Fate::PutBack]),
            "no reply hangs beside a stretch of notices",
            |_, _| None,
        )
    })
);
