//! What was withdrawn does not come *back*.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::disk::Disk;
use super::live::{text, uuid};
use crate::operation::Moment;
use crate::rules::{Judge, Place, PlayEvidence, RuleEntry, Verdict, Violation};

pub(super) const NO_WITHDRAWN_SURVIVOR: RuleEntry =
    rule!("engine/no-withdrawn-survivor", Error, Judge::Play(no_withdrawn_survivor));

/// What is known of a log up to a moment.
#[derive(Default)]
struct Known<'a> {
    /// The withdrawn uuids, each with how many messages had been yielded then.
    withdrawn: HashMap<&'a str, usize>,
    /// The uuids of what was yielded, in order.
    yielded: Vec<&'a str>,
    /// The transcript that was found after the last crash.
    crashed: Option<Disk<'a>>,
}

fn no_withdrawn_survivor(case: &PlayEvidence<'_>) -> Verdict {
    let mut known = Known::default();
    let mut judged = 0;
    let mut violations = Vec::new();
    for (index, moment) in case.moments.iter().enumerate() {
        let (list, name) = match moment {
            Moment::Yielded(event) => {
                known.yielded(&event.value);
                continue;
            }
            Moment::Crashed(_) => {
                known.crashed = case.disk(index);
                continue;
            }
            Moment::Requested { messages, .. } => (messages, "a request is made of"),
            Moment::Compacted(messages) => (messages, "a compaction leaves"),
            Moment::Resumed(messages) | Moment::Forked(messages) => {
                known.pardon();
                if !case.whole {
                    // The record of the withdrawal may have been refused by the disk.
                    let back: HashSet<&str> = messages.elements().iter().filter_map(uuid).collect();
                    known.withdrawn.retain(|uuid, _| !back.contains(uuid));
                    continue;
                }
                (messages, "a resume brings back")
            }
            _ => continue,
        };
        judged += known.withdrawn.len();
        for uuid in list.elements().iter().filter_map(uuid).filter(|uuid| known.withdrawn.contains_key(uuid)) {
            let place = Place::Message { index: index as u32, block: None };
            let found = format!("{name} {uuid:?}, which was withdrawn");
            violations.push(Violation::new(NO_WITHDRAWN_SURVIVOR.id, place, found, "nothing that was withdrawn"));
        }
    }
    match judged {
        0 => Verdict::NotApplicable("nothing is withdrawn before a request or a resume"),
        _ => Verdict::from_violations(violations),
    }
}

impl<'a> Known<'a> {
    fn yielded(&mut self, event: &'a Value) {
        match text(event, "type") {
            Some("tombstone") => {
                let gone = event.get("message").and_then(uuid);
                self.withdrawn.extend(gone.map(|gone| (gone, self.yielded.len())));
            }
            _ => self.yielded.extend(uuid(event)),
        }
    }

    /// Lets what was withdrawn come back after a crash, where the transcript could not know of it.
    fn pardon(&mut self) {
        let Some(disk) = self.crashed.take() else { return };
        let yielded = &self.yielded;
        self.withdrawn.retain(|uuid, &mut count| {
            let is_later_written = yielded.iter().skip(count).any(|uuid| disk.holds(uuid));
            !disk.holds(uuid) || disk.withdraws(uuid) || is_later_written
        });
    }
}
