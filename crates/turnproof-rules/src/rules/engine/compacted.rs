//! What a compaction *took away* does not come back.

use std::collections::HashSet;

use serde_json::Value;

use super::disk::Disk;
use super::live::{Live, is_boundary, kind, uuid};
use crate::operation::Moment;
use crate::rules::{Judge, Place, PlayEvidence, Rule, Severity, Verdict, Violation};
use crate::vocabulary::Kind;

pub(super) const NO_COMPACTED_SURVIVOR: Rule = Rule {
    id: "engine/no-compacted-survivor",
    title: "a message that a compaction took away is in no session that is resumed after it",
    severity: Severity::Error,
    doc: "\
A compaction puts a summary in the place of most of a conversation. The transcript keeps what the summary replaced, \
before the boundary and with its parents as they were, and so a resume that walks past the boundary, or into a branch \
that hangs on a kept message, brings it back: the model reads everything twice, and the window that was just freed is \
full again.

After a crash it may come back only where the compaction is not whole on disk: without its boundary, its summary, or \
something that it kept.",
    example: concat!(
        r#"{"moments":[{"yielded":{"type":"user","uuid":"u1","message":{"content":"a"}}},"#,
        r#"{"compacted":[{"type":"system","subtype":"compact_boundary","uuid":"b"},"#,
        r#"{"type":"user","uuid":"s","isCompactSummary":true,"message":{"content":"a"}}]},"#,
        r#"{"resumed":[{"type":"user","uuid":"u1","message":{"content":"a"}}]}],"transcript":[],"whole":true}"#,
    )
    .as_bytes(),
    remedy: "Begin a resumed session at the last boundary, and take from before it only what the boundary names: \
`preservedMessages`, or `preservedSegment` from its head to its tail.",
    sources: &["spec 3.3", "anthropics/claude-code#14462", "tamaratran/fast-jev-compaction#89"],
    judge: Judge::Play(no_compacted_survivor),
};

/// A compaction, and what it took away.
struct Taken<'a> {
    /// The list that it left.
    list: &'a [Value],
    /// The uuids of what was live before and is not in the list.
    uuids: HashSet<&'a str>,
}

impl Taken<'_> {
    /// Whether all that the compaction left is on disk.
    fn is_written(&self, disk: Disk) -> bool {
        let is_persisted = |message: &&Value| kind(message).is_some_and(Kind::is_persisted);
        let mut written = self.list.iter().filter(is_persisted).filter_map(uuid);
        self.list.iter().any(is_boundary) && written.all(|uuid| disk.holds(uuid))
    }
}

fn no_compacted_survivor(case: &PlayEvidence<'_>) -> Verdict {
    if !case.whole {
        return Verdict::NotApplicable("the disk did not take everything");
    }
    let mut live = Live::default();
    let mut taken: Vec<Taken> = Vec::new();
    let mut crashed: Option<Disk> = None;
    let mut judged = 0;
    let mut violations = Vec::new();
    for (index, moment) in case.moments.iter().enumerate() {
        match moment {
            Moment::Compacted(list) => {
                let list = list.elements();
                let left: HashSet<&str> = list.iter().filter_map(uuid).collect();
                let uuids = live.messages().into_iter().filter_map(uuid);
                let uuids = uuids.filter(|uuid| !left.contains(uuid)).collect();
                taken.push(Taken { list, uuids });
            }
            Moment::Crashed(_) => crashed = case.disk(index),
            Moment::Resumed(list) => {
                let list = list.elements();
                if let Some(disk) = crashed.take() {
                    taken.retain(|taken| taken.is_written(disk));
                }
                for taken in &taken {
                    judged += taken.uuids.len();
                    let back = list.iter().filter_map(uuid).filter(|uuid| taken.uuids.contains(uuid));
                    violations.extend(back.map(|uuid| violation(index, uuid)));
                }
            }
            _ => {}
        }
        live.take(moment);
    }
    match judged {
        0 => Verdict::NotApplicable("nothing is resumed after a compaction that took anything away"),
        _ => Verdict::from_violations(violations),
    }
}

fn violation(index: usize, uuid: &str) -> Violation {
    Violation::new(
        NO_COMPACTED_SURVIVOR.id,
        Place::Message { index: index as u32, block: None },
        format!("a resume brings back {uuid:?}, which a compaction took away"),
        "the boundary, the summary and what was kept",
    )
}
