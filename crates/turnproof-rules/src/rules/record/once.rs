//! Each message is written *once*; what lives in memory alone is never written; a boundary comes after what it
//! preserves.

use std::collections::{HashMap, HashSet};

use crate::rules::value::{is_true, kind, text};
use crate::rules::{Applies, RecordEvidence, Report, applies};
use crate::vocabulary::Kind;

pub(super) fn incremental(case: &RecordEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let model = case.model()?;
    let mut first_of: HashMap<&str, bool> = HashMap::new();
    for (line, entry) in &model.lines {
        let is_message = Kind::of(kind(&line.value)).is_some_and(Kind::is_persisted);
        let is_hidden = line.uuid().is_some_and(|uuid| model.ephemeral.contains(uuid));
        if is_message && entry.is_none() && !is_hidden && !is_true(&line.value, "isVirtual") {
            let (kind, found) = match line.uuid() {
                Some(uuid) if model.held.contains(uuid) => {
                    ("again", sentence!("{uuid:?}, which was in the file, again", uuid))
                }
                Some(uuid) => ("extra", sentence!("{uuid:?}, which was in no list that was accepted", uuid)),
                None => ("no-uuid", "a message without a uuid".into()),
            };
            report.add(line.place(), kind, found, "lines of new messages alone");
        }
        let Some(uuid) = line.uuid().filter(|_| entry.is_some()) else { continue };
        if first_of.get(uuid).is_some_and(|is_torn| !is_torn) {
            let found = sentence!("{uuid:?} is written again in step {step}", uuid, step = line.step);
            report.add(line.place(), "twice", found, "one line of each message");
        }
        first_of.insert(uuid, line.is_torn);
    }
    applies(model.given_again > 0 || model.demands.len() > 1, "nothing is given or flushed twice")
}

pub(super) fn no_ephemeral(case: &RecordEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let model = case.model()?;
    for (line, entry) in &model.lines {
        let name = text(&line.value, "type").unwrap_or("record");
        let is_virtual = is_true(&line.value, "isVirtual");
        let is_hidden = entry.is_none() && line.uuid().is_some_and(|uuid| model.ephemeral.contains(uuid));
        if Kind::of(name).is_some_and(|kind| !kind.is_persisted() || is_virtual) || is_hidden {
            let (kind, found) = match is_virtual {
                true => ("virtual", sentence!("a line of type {name:?}, virtual", name)),
                false => ("ephemeral", sentence!("a line of type {name:?}", name)),
            };
            report.add(line.place(), kind, found, "no line of what lives in memory alone");
        }
    }
    applies(model.has_ephemeral, "everything in the lists is to be written")
}

pub(super) fn boundary_tail_first(case: &RecordEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let model = case.model()?;
    let mut judged = 0;
    let mut earlier: HashSet<&str> = HashSet::new();
    for (line, entry) in &model.lines {
        let entry = entry.and_then(|index| model.entries.get(index));
        for uuid in entry.iter().flat_map(|entry| &entry.preserved) {
            judged += 1;
            if !earlier.contains(uuid.as_str()) {
                let found = sentence!("the boundary stands before {uuid:?}, which it preserves", uuid);
                report.add(line.place(), "wrong-order", found, "what a boundary preserves first");
            }
        }
        earlier.extend(line.uuid());
    }
    applies(judged > 0, "no boundary that was written preserves new messages")
}
