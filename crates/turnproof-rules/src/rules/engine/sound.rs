//! What the loop writes is *sound*: the rules on messages hold in its transcript.

use super::NOT_WHOLE;
use crate::rules::message::written::judged;
use crate::rules::{Applies, PlayEvidence, Report, applies};

pub(super) fn sound_messages(case: &PlayEvidence<'_>, report: &mut Report<'_>) -> Applies {
    applies(case.whole, NOT_WHOLE)?;
    let (records, violations) = judged(&case.transcript);
    for violation in violations {
        let found = format!("{}: {} ({})", violation.rule, violation.found, violation.place);
        report.whole(found, violation.expected);
    }
    applies(records > 0, "nothing was written")
}
