//! *Who a record is*: each message has a uuid, and no two records have the same.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::file::File;
use super::{Way, quoted};
use crate::message::Context;
use crate::transcript::{Flag, Link, Record, Transcript};

/// Whose record it is: whether it is of a sidechain, and of which agent.
pub(super) type Owner = (bool, String);

pub(super) fn owner(record: &Record<'_>) -> Owner {
    let is_sidechain = record.head.has(Flag::Sidechain);
    let agent = record.head.agent.filter(|_| is_sidechain).map(|agent| record.text(agent).into_owned());
    (is_sidechain, agent.unwrap_or_default())
}

/// The last of several records with one uuid is moved to the place of the first, so that its children stay behind it,
/// or stays where it is.
pub(super) fn fix(file: &mut File, context: &mut dyn Context, way: Way) {
    match way.drops {
        true => remove_nameless(file),
        false => name(file, context),
    }
    keep_last(file, context, way.in_first_place);
}

/// Gives a uuid to each message without one: the one by which the next message calls its parent, if nobody has that.
fn name(file: &mut File, context: &mut dyn Context) {
    let transcript = file.rows.transcript();
    let mut known: HashSet<String> =
        transcript.records().filter_map(|record| Some(record.uuid()?.into_owned())).collect();
    let participants: Vec<usize> =
        (0..transcript.len()).filter(|&row| transcript.record(row).head.is_chain_participant()).collect();
    for (at, &row) in participants.iter().enumerate() {
        let record = transcript.record(row);
        if record.head.uuid.is_some() {
            continue;
        }
        let next = participants.get(at + 1).map(|&next| transcript.record(next));
        let wanted = next.filter(|next| owner(next) == owner(&record)).and_then(|next| match next.parent() {
            Link::To(parent) if !known.contains(&*parent) => Some(parent.into_owned()),
            _ => None,
        });
        let uuid = wanted.unwrap_or_else(|| context.uuid());
        file.set(row, "uuid", quoted(&uuid).as_bytes(), "message/has-uuid", "it has a uuid now".to_owned());
        known.insert(uuid);
    }
}

/// Removes messages without a uuid.
fn remove_nameless(file: &mut File) {
    let transcript = file.rows.transcript();
    let is_nameless = |record: &Record<'_>| record.head.is_chain_participant() && record.head.uuid.is_none();
    let records = transcript.records().enumerate().filter(|(_, record)| is_nameless(record));
    let gone: Vec<usize> = records.map(|(row, _)| row).collect();
    file.remove(&gone, "message/has-uuid", "it has no uuid, and with one it would hide what comes back");
}

/// When several records share a uuid, the last one keeps it. A record of another speaker gets a new uuid.
fn keep_last(file: &mut File, context: &mut dyn Context, in_first_place: bool) {
    let transcript = file.rows.transcript();
    // The first and the last record of each owner.
    let mut last: BTreeMap<String, Vec<(Owner, usize, usize)>> = BTreeMap::new();
    let mut gone = Vec::new();
    for (row, record) in transcript.records().enumerate() {
        let Some(uuid) = record.uuid() else { continue };
        let rows = last.entry(uuid.into_owned()).or_default();
        let owner = owner(&record);
        match rows.iter_mut().find(|(other, ..)| *other == owner) {
            Some((_, first, before)) => {
                let before = std::mem::replace(before, row);
                if !in_first_place || before != *first {
                    gone.push(before);
                }
            }
            None => rows.push((owner, row, row)),
        }
    }
    let mut moved: Vec<(usize, usize)> = last
        .values()
        .flatten()
        .filter(|(_, first, last)| in_first_place && first < last)
        .map(|&(_, first, last)| (first, last))
        .collect();
    moved.sort_unstable();
    let shared: Vec<_> = last.into_iter().filter(|(_, rows)| rows.len() > 1).collect();
    let mut children = if shared.is_empty() { HashMap::new() } else { children(&transcript) };
    let speaker = if shared.is_empty() { None } else { Some(file.rows.speaker()) };
    for (uuid, mut rows) in shared {
        // The one that comes back keeps it.
        let comes_back = |row| speaker.as_ref().is_some_and(|speaker| speaker.has(&transcript.record(row)));
        rows.sort_by_key(|(owner, _, row)| (!comes_back(*row), owner.clone()));
        for (other, _, row) in rows.split_off(1) {
            let new = quoted(&context.uuid());
            file.set(row, "uuid", new.as_bytes(), "id/unique", "another record has its uuid".to_owned());
            for row in children.remove(&(uuid.clone(), other)).unwrap_or_default() {
                let what = "its parent has another uuid now".to_owned();
                file.set(row, "parentUuid", new.as_bytes(), "id/unique", what);
            }
        }
    }
    gone.sort_unstable();
    const WHY: &str = "another record with its uuid is kept";
    for (first, last) in moved {
        file.move_up(last, first, "id/unique", WHY);
    }
    file.remove(&gone, "id/unique", WHY);
}

/// The rows of the records that name each uuid as their parent, by the uuid and whose records they are.
fn children(transcript: &Transcript) -> HashMap<(String, Owner), Vec<usize>> {
    let mut children: HashMap<(String, Owner), Vec<usize>> = HashMap::new();
    for (row, record) in transcript.records().enumerate() {
        if let Link::To(parent) = record.parent() {
            children.entry((parent.into_owned(), owner(&record))).or_default().push(row);
        }
    }
    children
}
