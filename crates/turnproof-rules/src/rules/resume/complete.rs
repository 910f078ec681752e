//! What was recorded comes back *complete*, and in order.

use super::difference;
use super::model::Fate;
use crate::operation::Resumed;
use crate::rules::{Judge, Place, ResumeEvidence, Rule, Severity, Verdict, Violation};

pub(super) const COMPLETE: Rule = Rule {
    id: difference::COMPLETE,
    title: "what was recorded of a conversation comes back whole and in order, and nothing else does",
    severity: Severity::Error,
    doc: "\
A conversation goes on from where it ended: the user or assistant record on a branch's end that comes last \
in the file. From there the parents lead back to the first prompt. What is on that path comes back, in \
order; what is on a branch that the user has left (a rewind, a retry) does not. Where a uuid repeats, the \
last record with it stands. A hook's attachment or a notice that hangs on a record of the path comes back \
beside it.

Times do not count: records are flushed late and clocks go backwards, so a leaf chosen by time is often a \
progress record of a subagent that was long done. Nor may a reader stop at the first line that it cannot \
read: a run of NUL or half a record hides one record, not all that was written after it. Users see both as a \
session that has lost its last hours.",
    example: concat!(
        r#"{"file":"{\"type\":\"user\",\"uuid\":\"u1\",\"parentUuid\":null}\n\u0000\u0000\n"#,
        r#"{\"type\":\"assistant\",\"uuid\":\"a1\",\"parentUuid\":\"u1\"}\n","answer":{"Ok":{"records":["#,
        r#"{"uuid":"u1","bytes":"{\"type\":\"user\",\"uuid\":\"u1\",\"parentUuid\":null}"}]}}}"#,
    )
    .as_bytes(),
    remedy: "Read all lines, choose the leaf by its place in the file, and walk parents over attachments and \
notices before leaving any record out.",
    sources: &[
        "spec 3.3",
        "anthropics/claude-code#33651",
        "anthropics/claude-code#49876",
        "anthropics/claude-code#76059",
        "anthropics/claude-code#50347",
        "anthropics/claude-code#81843",
        "anthropics/claude-code#66947",
        "anthropics/claude-code#27472",
        "anthropics/claude-code CHANGELOG 2.1.101, 2.1.121",
        "BytePioneer-AI/codex-host#171",
    ],
    judge: Judge::Resume(complete),
};

fn complete(case: &ResumeEvidence<'_>) -> Verdict {
    match &case.recorded {
        Some(recorded) => {
            case.differences().map_or(difference::NO_CONVERSATION, |_| all_recorded(case, recorded))
        }
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
