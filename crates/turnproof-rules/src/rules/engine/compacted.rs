//! What a compaction *took away* does not come back.

use std::collections::HashSet;

use serde_json::Value;

use super::disk::Disk;
use super::live::{Live, is_boundary, kind, uuid};
use crate::operation::Moment;
use crate::rules::{Judge, Place, PlayEvidence, RuleEntry, Verdict, Violation};
use crate::vocabulary::Kind;

pub(super) const NO_COMPACTED_SURVIVOR: RuleEntry =
    rule!("engine/no-compacted-survivor", Error, Judge::Play(no_compacted_survivor));

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
