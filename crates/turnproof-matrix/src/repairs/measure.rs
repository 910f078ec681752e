//! What is *measured* of a tool at one case.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use turnproof_reference::repair::refused_as_stored;
use turnproof_reference::transcript::resume::{ResumeOptions, resume};
use turnproof_reference::transcript::{Record, Transcript};

use super::case::Case;
use super::reader::Reader;
use super::tool::{Made, Tool};

/// A part of a whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Share {
    pub part: u64,
    pub whole: u64,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Measured {
    /// Messages of the whole session that turnproof's resume finds in the file.
    pub messages: Share,
    /// Messages that the official reader gives of the whole session, and of the file.
    pub official: Share,
    /// Whether the API accepts the conversation as it is stored.
    pub is_accepted: bool,
    /// Bytes of lines of the damaged file that are neither in the file nor among what the tool keeps.
    pub lost: u64,
    /// Whether a second repair changes nothing.
    pub is_idempotent: bool,
    pub failed: Option<String>,
    pub time: Duration,
}

pub(super) fn measure(tool: &Tool, case: &Case, reader: Option<&mut Reader>) -> Measured {
    let begin = Instant::now();
    let Made { file, kept, failed } = tool.repair(&case.damaged);
    let time = begin.elapsed();
    let again = tool.repair(&file);
    let official = match reader {
        Some(reader) => share(&reader.uuids(&case.whole), &reader.uuids(&file)),
        None => Share::default(),
    };
    let left = conversation(&file);
    Measured {
        messages: share(&conversation(&case.whole), &left),
        official,
        is_accepted: !left.is_empty() && refused_as_stored(&Transcript::from_bytes(file.clone())).is_none(),
        lost: lost(&case.damaged, &file, &kept),
        is_idempotent: again.file == file,
        failed,
        time,
    }
}

/// What a message of the conversation is known by: what it says, and where nothing is known of that its uuid. A damage
/// may take its uuid, or some of what it says.
fn conversation(file: &[u8]) -> Vec<String> {
    let transcript = Transcript::from_bytes(file.to_vec());
    let found = resume(&transcript, &ResumeOptions::default()).map(|found| found.places).unwrap_or_default();
    let records: HashMap<u64, usize> =
        transcript.records().enumerate().map(|(at, record)| (record.start, at)).collect();
    let key = |at: usize| {
        let record = transcript.record(at);
        let value: Value = serde_json::from_slice(record.bytes).unwrap_or_default();
        let uuid = record.uuid().map(|uuid| uuid.into_owned()).unwrap_or_default();
        format!("{uuid}\n{}", value.get("message").map(Value::to_string).unwrap_or_default())
    };
    found.iter().filter_map(|place| records.get(&place.start)).map(|&at| key(at)).collect()
}

/// Whether two messages are one: by their uuids, or by what they say.
fn is_same(one: &str, other: &str) -> bool {
    let ((uuid, says), (other_uuid, other_says)) =
        (one.split_once('\n').unwrap_or((one, "")), other.split_once('\n').unwrap_or((other, "")));
    uuid == other_uuid || !says.is_empty() && says == other_says
}

/// How many things of a list come back in another one.
fn share(whole: &[String], back: &[String]) -> Share {
    let mut left: Vec<&String> = back.iter().collect();
    let mut comes_back = |one: &&String| {
        let at = left.iter().position(|other| is_same(one, other));
        at.map(|at| left.swap_remove(at)).is_some()
    };
    Share { part: whole.iter().filter(|one| comes_back(one)).count() as u64, whole: whole.len() as u64 }
}

/// Bytes without what is blank or NUL around them.
fn plain(bytes: &[u8]) -> &[u8] {
    let is_filling = |byte: &u8| *byte == 0 || byte.is_ascii_whitespace() || b"\xEF\xBB\xBF".contains(byte);
    let from = bytes.iter().position(|byte| !is_filling(byte)).unwrap_or(bytes.len());
    let to = bytes.iter().rposition(|byte| !is_filling(byte)).map_or(from, |last| last + 1);
    &bytes[from..to]
}

/// A piece of a file: a record, or a range that is none.
struct Piece {
    /// What it is known by, the best first: its uuid, its record without ids and links, its bytes.
    keys: Vec<Vec<u8>>,
    length: u64,
}

impl Piece {
    fn of_record(bytes: &[u8], uuid: Option<String>) -> Self {
        let mut value: Value = serde_json::from_str(&String::from_utf8_lossy(bytes)).unwrap_or_default();
        let says = value.as_object_mut().map(|record| {
            record.retain(|name, _| !["uuid", "parentUuid"].contains(&name.as_str()));
            json!(record).to_string().into_bytes()
        });
        let keys = uuid.map(String::into_bytes).into_iter().chain(says).chain([plain(bytes).to_vec()]).collect();
        Self { keys, length: bytes.len() as u64 }
    }
}

/// The pieces of a file that are more than NUL bytes and blanks.
fn pieces(file: &[u8]) -> Vec<Piece> {
    let transcript = Transcript::from_bytes(file.to_vec());
    let of_record = |record: Record<'_>| Piece::of_record(record.bytes, record.uuid().map(|uuid| uuid.into_owned()));
    let rejected = transcript.rejected().iter().map(|&(start, end, _)| {
        let bytes = plain(&file[start as usize..end as usize]).to_vec();
        Piece { length: bytes.len() as u64, keys: vec![bytes] }
    });
    transcript.records().map(of_record).chain(rejected).filter(|piece| piece.length > 0).collect()
}

/// Bytes of pieces of the damaged file that stand neither in the repaired one as often, nor among what is kept.
fn lost(damaged: &[u8], file: &[u8], kept: &[Vec<u8>]) -> u64 {
    let mut left: HashMap<Vec<u8>, u64> = HashMap::new();
    let there = pieces(file).into_iter().chain(kept.iter().flat_map(|bytes| pieces(bytes)));
    there.flat_map(|piece| piece.keys).for_each(|key| *left.entry(key).or_default() += 1);
    let mut lost = 0;
    for Piece { keys, length } in pieces(damaged) {
        let known = keys.into_iter().next().and_then(|key| left.get_mut(&key)).filter(|count| **count > 0);
        match known {
            Some(count) => *count -= 1,
            None => lost += length,
        }
    }
    lost
}
