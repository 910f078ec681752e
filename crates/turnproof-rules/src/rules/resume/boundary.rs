//! A *boundary* is where a conversation was compacted: what stands before it was replaced by a summary.

use super::chain::says_nothing;
use super::difference::{self, judge};
use super::model::Fate;
use crate::rules::{Judge, Place, Rule, Severity, Violation};

pub(super) const BOUNDARY: Rule = Rule {
    id: difference::BOUNDARY,
    title: "nothing before the last compact boundary comes back but what it preserves, after its anchor",
    severity: Severity::Error,
    doc: "\
Compaction writes a boundary with no parent and a summary after it. The conversation begins there. Some \
boundaries also preserve messages, word for word: `preservedMessages` lists them, or `preservedSegment` \
names the first and the last of them. They keep their old lines and parents before the boundary, and come \
back between the anchor (the summary, mostly) and what was said after it.

A reader that ignores the boundary undoes the compaction: 166,000 tokens instead of 28,000 in one report, \
and the next request is too long. One that ignores what is preserved loses the messages that the user said \
last. Where a preserved message, the head, the tail or the anchor is missing, the boundary preserves \
nothing, and the answer says so in a note. Metadata may be missing or null.",
    example: concat!(
        r#"{"file":"{\"type\":\"user\",\"uuid\":\"u1\",\"parentUuid\":null}\n"#,
        r#"{\"type\":\"system\",\"subtype\":\"compact_boundary\",\"uuid\":\"b1\",\"parentUuid\":null}\n"#,
        r#"{\"type\":\"user\",\"uuid\":\"u2\",\"parentUuid\":\"b1\"}\n","answer":{"Ok":{"records":["#,
        r#"{"uuid":"u1","bytes":"{\"type\":\"user\",\"uuid\":\"u1\",\"parentUuid\":null}"},"#,
        r#"{"uuid":"b1","bytes":"{\"type\":\"system\",\"subtype\":\"compact_boundary\",\"uuid\":\"b1\","#,
        r#"\"parentUuid\":null}"},"#,
        r#"{"uuid":"u2","bytes":"{\"type\":\"user\",\"uuid\":\"u2\",\"parentUuid\":\"b1\"}"}]}}}"#,
    )
    .as_bytes(),
    remedy: "End the walk at the boundary; before it, look up what it preserves and chain it after the \
anchor. Do not follow logicalParentUuid.",
    sources: &[
        "spec 3.3",
        "anthropics/claude-code#14462",
        "tamaratran/fast-jev-compaction#89",
        "omnigent-ai/omnigent#1957",
        "anthropics/claude-code CHANGELOG 2.0.31, 2.1.20",
    ],
    judge: Judge::Resume(|case| {
        judge(
            case,
            BOUNDARY.id,
            |right| right.has(&[Fate::Boundary, Fate::Preserved, Fate::BeforeBoundary]),
            "no boundary is on the path",
            |case, right| {
                let found = "what the boundary claims to preserve is not there, and nothing is said about it";
                let is_silent = right.is_preserved_missing && says_nothing(case);
                is_silent
                    .then(|| Violation::new(BOUNDARY.id, Place::Whole, found, "a note about what is missing"))
            },
        )
    }),
};
