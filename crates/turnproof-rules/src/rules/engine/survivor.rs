//! A *survivor* is a message that comes back although it was withdrawn, or although a compaction took it away.

use std::collections::{HashMap, HashSet};

use crate::json::Value;

use super::NOT_WHOLE;
use super::disk::Disk;
use super::live::{Live, is_boundary, is_persisted};
use crate::operation::Moment;
use crate::rules::value::{kind, uuid, withdrawn_by};
use crate::rules::{Applies, PlayEvidence, Report, applies};

/// What is known of withdrawals up to a moment.
#[derive(Default)]
struct Known<'a> {
    /// The withdrawn uuids, each with how many messages had been yielded then.
    withdrawn: HashMap<&'a str, usize>,
    yielded: Vec<&'a str>,
    /// The transcript after the last crash.
    crashed: Option<Disk<'a>>,
}

pub(super) fn no_withdrawn_survivor(case: &PlayEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let mut known = Known::default();
    let mut judged = 0;
    for (index, moment) in case.with_what_is_left() {
        let (kind, list, name) = match moment {
            Moment::Yielded(event) => {
                known.yielded(&event.value);
                continue;
            }
            Moment::Crashed { .. } => {
                known.crashed = case.disk(index);
                continue;
            }
            Moment::Requested { messages, .. } => ("sent", messages, "a request is made of"),
            Moment::Compacted(messages) => ("compacted", messages, "a compaction leaves"),
            Moment::Resumed(messages) | Moment::Forked(messages) => {
                known.pardon();
                if !case.whole {
                    // The disk may have refused the record of the withdrawal.
                    let back: HashSet<&str> = messages.elements().iter().filter_map(uuid).collect();
                    known.withdrawn.retain(|uuid, _| !back.contains(uuid));
                    continue;
                }
                if let Some(disk) = case.disk(case.moments.len()).filter(|_| index > case.moments.len()) {
                    judged += known.withdrawn.len();
                    not_named(&mut known, disk, report);
                }
                ("resumed", messages, "a resume brings back")
            }
            _ => continue,
        };
        judged += known.withdrawn.len();
        for uuid in list.elements().iter().filter_map(uuid).filter(|uuid| known.withdrawn.contains_key(uuid)) {
            let found = sentence!("{name} {uuid:?}, which was withdrawn", name, uuid);
            report.add(case.place_of_list(index), kind, found, "nothing that was withdrawn");
        }
    }
    applies(judged > 0, "nothing is withdrawn before a request or a resume")
}

impl<'a> Known<'a> {
    fn yielded(&mut self, event: &'a Value) {
        match kind(event) {
            "tombstone" => self.withdrawn.extend(withdrawn_by(event).map(|gone| (gone, self.yielded.len()))),
            _ => self.yielded.extend(uuid(event)),
        }
    }

    /// After a crash, lets come back what was withdrawn when the transcript could not know of it.
    fn pardon(&mut self) {
        let Some(disk) = self.crashed.take() else { return };
        let yielded = &self.yielded;
        self.withdrawn.retain(|uuid, &mut count| {
            let is_later_written = yielded.iter().skip(count).any(|uuid| disk.holds(uuid));
            !disk.holds(uuid) || disk.withdraws(uuid) || is_later_written
        });
    }
}

/// Reports the withdrawn lines that no record of the file at the end names, and takes them out.
fn not_named(known: &mut Known<'_>, disk: Disk<'_>, report: &mut Report<'_>) {
    let is_unnamed = |uuid: &&str, _: &mut usize| disk.holds(uuid) && !disk.withdraws(uuid);
    let mut unnamed: Vec<(&str, usize)> = known.withdrawn.extract_if(is_unnamed).collect();
    unnamed.sort_unstable_by_key(|&(uuid, count)| (count, uuid));
    for (uuid, _) in unnamed {
        let found = sentence!("{uuid:?} was withdrawn, and no record of the file says so", uuid);
        report.whole("not-named", found, "its uuid in `supersedesUuids` or `retractedMessageUuids` of a later record");
    }
}

/// A compaction, and what it took away.
struct Taken<'a> {
    list: &'a [Value],
    /// The uuids of what was live before and is not in the list.
    uuids: HashSet<&'a str>,
}

impl Taken<'_> {
    /// Whether all that the compaction left is on disk.
    fn is_written(&self, disk: Disk) -> bool {
        let mut written = self.list.iter().filter(is_persisted).filter_map(uuid);
        self.list.iter().any(is_boundary) && written.all(|uuid| disk.holds(uuid))
    }
}

pub(super) fn no_compacted_survivor(case: &PlayEvidence<'_>, report: &mut Report<'_>) -> Applies {
    applies(case.whole, NOT_WHOLE)?;
    let mut live = Live::default();
    let mut taken: Vec<Taken> = Vec::new();
    let mut crashed: Option<Disk> = None;
    let mut judged = 0;
    for (index, moment) in case.with_what_is_left() {
        match moment {
            Moment::Compacted(list) => {
                let list = list.elements();
                let left: HashSet<&str> = list.iter().filter_map(uuid).collect();
                let uuids = live.messages().into_iter().filter_map(uuid);
                let uuids = uuids.filter(|uuid| !left.contains(uuid)).collect();
                taken.push(Taken { list, uuids });
            }
            Moment::Crashed { .. } => crashed = case.disk(index),
            Moment::Resumed(list) => {
                if let Some(disk) = crashed.take() {
                    taken.retain(|taken| taken.is_written(disk));
                }
                for taken in &taken {
                    judged += taken.uuids.len();
                    for uuid in list.elements().iter().filter_map(uuid).filter(|uuid| taken.uuids.contains(uuid)) {
                        let found = sentence!("a resume brings back {uuid:?}, which a compaction took away", uuid);
                        let expected = "the boundary, the summary and what was kept";
                        report.add(case.place_of_list(index), "resumed", found, expected);
                    }
                }
            }
            _ => {}
        }
        live.take(moment);
    }
    applies(judged > 0, "nothing is resumed after a compaction that took anything away")
}
