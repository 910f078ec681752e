//! A *chain* with holes in it, or with links that are no messages, still leads back to the first prompt.

use super::difference::{self, judge};
use super::model::{Fate, Resumption};
use crate::operation::Resumed;
use crate::rules::{Judge, Place, Rule, Severity, Violation};

pub(super) const BRIDGES_GAP: Rule = Rule {
    id: difference::BRIDGES_GAP,
    title: "a parent that was never written does not cut off what came before, and the gap is reported",
    severity: Severity::Error,
    doc: "\
Writes fail silently, and then the next record names a parent that is not in the file. A reader that takes \
this for the beginning shows the last few messages of a session: in one report 22 such parents made 95 % of \
5,783 records unreachable. A `parentUuid` that is a number, a list or not there at all is such a gap too, \
and so is the place at which a circle of parents has to be opened.

What comes before a gap is the nearest earlier user, assistant, system, attachment or hook record in the \
file with the same session id; lines of other sessions get into a file and are no bridge. That something is \
missing is worth knowing, so the answer has to say so in a note.",
    example: concat!(
        r#"{"file":"{\"type\":\"user\",\"uuid\":\"u1\",\"parentUuid\":null}\n"#,
        r#"{\"type\":\"assistant\",\"uuid\":\"a1\",\"parentUuid\":\"lost\"}\n","answer":{"Ok":{"records":["#,
        r#"{"uuid":"a1","bytes":"{\"type\":\"assistant\",\"uuid\":\"a1\",\"parentUuid\":\"lost\"}"}],"#,
        r#""notes":["line 2: the parent is missing"]}}}"#,
    )
    .as_bytes(),
    remedy: "Go on with the nearest earlier participant of the same session, and tell the user which line \
has no parent.",
    sources: &[
        "spec 3.3",
        "anthropics/claude-code#21617",
        "anthropics/claude-code#22526",
        "anthropics/claude-code#22107",
        "anthropics/claude-code#24304",
        "anthropics/claude-code#58554",
        "anthropics/claude-code#26964",
        "anthropics/claude-agent-sdk-typescript#287",
        "anthropics/claude-code CHANGELOG 2.1.91",
    ],
    judge: Judge::Resume(|case| {
        judge(case, BRIDGES_GAP.id, is_bridged, "no gap is on the path", |case, right| {
            let found = "a gap was bridged, and nothing is said about it";
            let is_silent = is_bridged(right) && says_nothing(case);
            is_silent.then(|| Violation::new(BRIDGES_GAP.id, Place::Whole, found, "a note about the gap"))
        })
    }),
};

fn is_bridged(right: &Resumption) -> bool {
    right.path.iter().any(|step| step.is_bridge)
}

/// Whether an answer has no notes.
pub(super) fn says_nothing(case: &Resumed) -> bool {
    matches!(&case.answer, Ok(Some(conversation)) if conversation.notes.is_empty())
}

pub(super) const OLD_PROGRESS: Rule = Rule {
    id: difference::OLD_PROGRESS,
    title: "progress in the chain is passed over, and nothing behind it is lost",
    severity: Severity::Error,
    doc: "\
Old clients wrote the live output of tools and hooks into the transcript and chained the next message to it: \
one third of the lines of such files is progress, and 1,793 messages in 273 real sessions have a progress \
record as parent. A reader that filters progress out before it walks finds no parent there, and loses all \
that came before; one that takes a late progress record for the end follows the wrong branch.

So records that are no messages (progress, kinds that nobody knows yet, virtual messages) are walked through \
like all others, and left out at the end.",
    example: concat!(
        r#"{"file":"{\"type\":\"user\",\"uuid\":\"u1\",\"parentUuid\":null}\n"#,
        r#"{\"type\":\"progress\",\"uuid\":\"p1\",\"parentUuid\":\"u1\"}\n"#,
        r#"{\"type\":\"assistant\",\"uuid\":\"a1\",\"parentUuid\":\"p1\"}\n","answer":{"Ok":{"records":["#,
        r#"{"uuid":"a1","bytes":"{\"type\":\"assistant\",\"uuid\":\"a1\",\"parentUuid\":\"p1\"}"}]}}}"#,
    )
    .as_bytes(),
    remedy: "Index every record with a uuid, whatever its type; filter after the walk.",
    sources: &[
        "spec 3.3",
        "anthropics/claude-code#35024",
        "anthropics/claude-code#33651",
        "anthropics/claude-code#38575",
        "BytePioneer-AI/codex-host#171",
        "datadog-labs/trajectory#78",
        "anthropics/claude-code CHANGELOG 2.1.83",
    ],
    judge: Judge::Resume(|case| {
        judge(
            case,
            OLD_PROGRESS.id,
            |right| right.has(&[Fate::Passing]),
            "the file holds no progress and the like",
            |_, _| None,
        )
    }),
};
