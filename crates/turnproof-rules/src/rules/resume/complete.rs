//! What was recorded comes back *complete*, and in order.

use super::difference;
use super::model::Fate;
use crate::operation::Resumed;
use crate::rules::{Judge, Place, ResumeEvidence, RuleEntry, Verdict, Violation};

pub(super) const COMPLETE: RuleEntry = rule!("resume/complete", Error, Judge::Resume(complete));

fn complete(case: &ResumeEvidence<'_>) -> Verdict {
    match &case.recorded {
        Some(recorded) => case.differences().map_or(difference::NO_CONVERSATION, |_| all_recorded(case, recorded)),
        None => difference::judge(
            case,
            COMPLETE.id,
            |right| right.has(&[Fate::OnPath, Fate::Beside, Fate::OtherBranch, Fate::RepeatedUuid]),
            "the file holds nothing of a conversation",
            |_, _| None,
        ),
    }
}

/// Whether exactly the recorded uuids come back.
fn all_recorded(case: &Resumed, recorded: &[String]) -> Verdict {
    let returned = difference::uuids(&case.answer);
    let expected: Vec<&str> = recorded.iter().map(String::as_str).collect();
    if returned == expected {
        return Verdict::Holds;
    }
    let at = returned.iter().zip(&expected).take_while(|(ours, theirs)| ours == theirs).count();
    let shown = |uuids: &[&str]| match uuids.get(at) {
        Some(uuid) => format!("record {at} of {} is `{uuid}`", uuids.len()),
        None => format!("only {} records", uuids.len()),
    };
    let violation = Violation::new(COMPLETE.id, Place::Whole, shown(&returned), shown(&expected));
    Verdict::Broken(vec![violation])
}
