//! Another *branch* becomes the end of the conversation: its records are moved behind all others.

use std::collections::{HashMap, HashSet};

use crate::repair::RepairError;
use crate::repair::file::File;
use crate::transcript::{BlockHead, Link, Record, Transcript};

pub(super) fn fix(file: &mut File, line: u64) -> Result<(), RepairError> {
    let transcript = file.rows.transcript();
    let speaker = file.rows.speaker();
    let wanted = file.rows.iter().position(|row| row.line == line);
    let is_message = |row: &usize| {
        let record = transcript.record(*row);
        record.head.uuid.is_some() && record.head.is_chain_participant() && speaker.has(&record)
    };
    let wanted = wanted.filter(is_message).ok_or(RepairError::NoSuchMessage { line })?;
    let kept: HashSet<usize> = file.rows.stored().rows.iter().copied().collect();
    let mut branch = branch(&transcript, wanted);
    branch.retain(|row| !kept.contains(row));
    if branch.is_empty() {
        return Ok(());
    }
    file.move_to_end(&branch, "--take", "it is at the end now, as the branch is that was asked for");
    let uuid = transcript.record(wanted).uuid().unwrap_or_default();
    let after = file.rows.transcript();
    let comes_back = file.rows.stored().rows.iter().any(|&row| after.record(row).uuid().as_deref() == Some(&*uuid));
    if comes_back { Ok(()) } else { Err(RepairError::NotTaken { line }) }
}

/// The rows of a branch, in file order: what leads to a row, the last child each time, and beside them the results and
/// what no one says.
fn branch(transcript: &Transcript, wanted: usize) -> Vec<usize> {
    let mut rows: HashMap<String, usize> = HashMap::new();
    let mut children: HashMap<String, Vec<usize>> = HashMap::new();
    for (row, record) in transcript.records().enumerate() {
        rows.extend(record.uuid().map(|uuid| (uuid.into_owned(), row)));
        if let Link::To(parent) = record.parent() {
            children.entry(parent.into_owned()).or_default().push(row);
        }
    }
    let mut passed = HashSet::new();
    let above = |&row: &usize| match transcript.record(row).parent() {
        Link::To(parent) => rows.get(&*parent).copied(),
        Link::Absent | Link::Null => None,
    };
    let mut branch: Vec<usize> =
        std::iter::successors(Some(wanted), above).take_while(|&row| passed.insert(row)).collect();
    let children = |row: usize| {
        let uuid = transcript.record(row).uuid();
        uuid.and_then(|uuid| children.get(&*uuid)).map_or(&[][..], Vec::as_slice)
    };
    let below = |&row: &usize| children(row).last().copied();
    branch.extend(std::iter::successors(below(&wanted), below).take_while(|&row| passed.insert(row)));
    let mut at = 0;
    while let Some(&row) = branch.get(at) {
        let beside = children(row).iter().copied().filter(|&child| is_beside(&transcript.record(child)));
        branch.extend(beside.filter(|&child| passed.insert(child)));
        at += 1;
    }
    branch.sort_unstable();
    branch
}

/// Whether a record comes back from beside the chain.
fn is_beside(record: &Record<'_>) -> bool {
    let is_result = |block: &BlockHead| block.type_name.is_some_and(|name| record.text(name) == "tool_result");
    match &*record.type_name() {
        "user" => record.blocks.iter().any(is_result),
        kind => kind != "assistant",
    }
}
