//! An *own line* is a line that the judged recorder appended. What the file held before, and what another process
//! wrote, are not.

use std::collections::HashSet;
use std::ops::Range;

use crate::json::Value;

use crate::json::Tree;
use crate::operation::{Parts, Plain, RecordStep, Recorded};
use crate::rules::value::uuid;
use crate::rules::wire::model::{self, Piece};
use crate::rules::{Place, RecordEvidence};
use crate::vocabulary::Kind;

/// Bytes that the recorder appended in one step.
#[derive(Clone, Debug)]
pub(super) struct Region<'a> {
    pub(super) step: usize,
    /// Where in the file they begin.
    pub(super) start: usize,
    /// The file up to there.
    pub(super) before: &'a [u8],
    pub(super) bytes: &'a [u8],
    /// The pieces of the bytes; their offsets and lines count from the region's beginning.
    pub(super) pieces: Vec<Piece>,
    /// Whether the disk could fail during the step.
    pub(super) is_limited: bool,
    /// Whether the file ends here after the step.
    pub(super) is_last: bool,
}

#[derive(Clone, Debug)]
pub(super) struct WrittenLine {
    pub(super) step: usize,
    /// The first byte in the file, and the one after the last.
    pub(super) range: (usize, usize),
    pub(super) value: Value,
    /// The paths in it that hold lone surrogates.
    pub(super) lone_surrogates: Vec<String>,
    /// Whether the disk failed before the line's end was written.
    pub(super) is_torn: bool,
}

impl WrittenLine {
    pub(super) fn uuid(&self) -> Option<&str> {
        uuid(&self.value)
    }

    pub(super) fn place(&self) -> Place {
        Place::bytes(self.range.0, self.range.1)
    }
}

/// Whether the disk may fail during each step.
pub(super) fn limits(steps: &[RecordStep]) -> Vec<bool> {
    let mut is_limited = false;
    let limit = |step: &RecordStep| {
        let was_limited = is_limited;
        if let RecordStep::DiskTakes(bytes) = step {
            is_limited = bytes.is_some();
        }
        was_limited || is_limited
    };
    steps.iter().map(limit).collect()
}

/// What the recorder appended, step by step; or why that is unknown.
pub(super) fn regions<'a>(case: &'a Recorded) -> Result<Vec<Region<'a>>, &'static str> {
    let Ok(answers) = &case.answers else { return Err("there are no answers") };
    if answers.len() != case.steps.len() {
        return Err("there is not one answer for each step");
    }
    let mut regions = Vec::new();
    let mut before: &[u8] = &case.before;
    for (step, ((does, answer), is_limited)) in case.steps.iter().zip(answers).zip(limits(&case.steps)).enumerate() {
        let file: &[u8] = &answer.file;
        let appended = file.strip_prefix(before).ok_or("what the file held has changed")?;
        let own = match does {
            RecordStep::OtherWriter(bytes) if !bytes.is_empty() => around(appended, bytes, is_limited)?,
            _ => [0..appended.len(), 0..0],
        };
        for Range { start: from, end: to } in own {
            if from >= to {
                continue;
            }
            let (start, end) = (before.len() + from, before.len() + to);
            let bytes = &file[start..end];
            regions.push(Region {
                step,
                start,
                before: &file[..start],
                bytes,
                pieces: model::pieces(bytes),
                is_limited,
                is_last: end == file.len(),
            });
        }
        before = file;
    }
    Ok(regions)
}

/// What comes before and after another writer's bytes.
fn around(appended: &[u8], bytes: &[u8], is_limited: bool) -> Result<[Range<usize>; 2], &'static str> {
    match appended.windows(bytes.len()).position(|window| window == bytes) {
        Some(at) => Ok([0..at, at + bytes.len()..appended.len()]),
        // The other writer's disk may fail as well.
        None if is_limited && bytes.starts_with(appended) => Ok([0..0, 0..0]),
        None => Err("the other writer's bytes are not in the file"),
    }
}

/// The records that the recorder appended, in file order; or why they are unknown.
pub(super) fn lines(case: &RecordEvidence<'_>) -> Result<Vec<WrittenLine>, &'static str> {
    let mut lines = Vec::new();
    for region in case.regions()? {
        for piece in region.pieces.iter().filter(|piece| piece.is_record()) {
            let (start, end) = (piece.start as usize, piece.end as usize);
            let line = Plain::read_bytes(region.bytes.get(start..end).unwrap_or_default());
            let Parts { value, lone_surrogates } = line.map_err(|_| "a line cannot be read as a value")?.into_parts();
            let is_terminated = region.bytes.get(end..).is_some_and(|rest| rest.contains(&b'\n'));
            lines.push(WrittenLine {
                step: region.step,
                range: (region.start + start, region.start + end),
                value,
                lone_surrogates,
                is_torn: region.is_limited && region.is_last && !is_terminated,
            });
        }
    }
    Ok(lines)
}

/// The records that a resumed recorder finds in a file.
#[derive(Default)]
pub(super) struct ExistingRecords {
    /// The uuids that count as recorded.
    pub(super) recorded: HashSet<String>,
    /// The uuids for which that is unspecified.
    pub(super) odd: HashSet<String>,
    /// The last record with a uuid, subagents aside, if it is a whole message.
    pub(super) last: Option<String>,
}

pub(super) fn found(file: &[u8]) -> ExistingRecords {
    let mut found = ExistingRecords::default();
    for (_, _, end, record) in model::records(file) {
        let Some(uuid) = record.member("uuid").and_then(Tree::text) else { continue };
        let kind = record.member("type").and_then(Tree::text).and_then(|kind| Kind::of(&kind));
        let is_message = kind.is_some_and(Kind::is_persisted);
        let is_terminated = file.get(end..).is_some_and(|rest| rest.contains(&b'\n'));
        let is = |flag| record.member(flag) == Some(&Tree::Boolean(true));
        let is_recorded = is_message && is_terminated && !is("isVirtual");
        if !is("isSidechain") {
            found.last = is_recorded.then(|| uuid.clone().into_owned());
        }
        if is_recorded { &mut found.recorded } else { &mut found.odd }.insert(uuid.into_owned());
    }
    let ExistingRecords { recorded, odd, .. } = &mut found;
    odd.retain(|uuid| !recorded.contains(uuid));
    found
}
