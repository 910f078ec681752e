//! `parse`: any bytes, read as a transcript.

use crate::operation::Parsed;
use crate::subject::{Outcome, Subject};
use crate::suite::Depth;
use crate::transcript::{Chunk, Chunks, Found, Scanner};

use super::judged::place;
use super::mutate::Shape;
use super::{Law, Target};

/// Any bytes to records.
pub const PARSE: Target = Target {
    name: "parse",
    title: "every byte is in one piece, an untouched record is the bytes of its range and alone is that record again, \
            and chunks of any size say the same",
    law: Law::Bytes(parse),
    shape: Some(Shape::Transcript),
};

/// The chunk size that files are usually read with.
const WHOLE: usize = 256 << 10;

/// Reads `bytes` as a transcript. Reading never panics, and:
///
/// * **every byte** is in exactly one piece (record, blank or rejected range), the pieces in order;
/// * an **untouched record** is the bytes of its range, and those bytes alone are that record again;
/// * the **size of chunks** changes nothing;
/// * what is **reported** lies inside the file, after the piece that it is about;
/// * a record **read as a message** is one, or says which field is not (spec section 3).
fn parse(subject: &dyn Subject, bytes: &[u8], depth: Depth) {
    match subject.parse(bytes) {
        Outcome::Output(parsed) => every_byte_is_accounted(bytes, &parsed),
        Outcome::Rejected(why) => panic!("a file is not refused: {why}"),
        Outcome::Unsupported => {}
    }
    let said = read(bytes, WHOLE, true);
    defects_in_place(bytes, &said);
    // One size a file: a fuzzer has many files.
    let size = 1 + place(depth, 61) as usize;
    let again = read(bytes, size, false);
    let differs = said.iter().zip(&again).position(|(a, b)| a != b);
    let at = differs.unwrap_or(said.len().min(again.len()));
    assert!(
        said == again,
        "the size of chunks changes nothing: in chunks of {size} bytes {:?} became {:?}",
        said.get(at),
        again.get(at)
    );
}

/// Each byte is in one record, blank or rejected range, and a record is written as it was read.
fn every_byte_is_accounted(bytes: &[u8], parsed: &Parsed) {
    let records = parsed.records.iter().map(|record| (record.start, record.end));
    let rejected = parsed.rejected.iter().map(|rejected| (rejected.start, rejected.end));
    let mut pieces: Vec<(u64, u64)> = records.chain(rejected).chain(parsed.blank.iter().copied()).collect();
    pieces.sort_unstable();
    let mut at = 0;
    for (start, end) in pieces {
        assert!(
            start == at && end > start,
            "every byte is in one piece: after byte {at} comes {start}..{end}"
        );
        at = end;
    }
    assert!(at == bytes.len() as u64, "every byte is in one piece: {at} of {} bytes are", bytes.len());
    for record in &parsed.records {
        let range = &bytes[record.start as usize..record.end as usize];
        assert!(
            record.written == range,
            "an untouched record is written as it was read: at {} not",
            record.start
        );
    }
}

/// What the reader says of some bytes, its places counted from the file's start.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Said {
    Record { start: u64, end: u64, line: u64, kind: String, uuid: Option<String>, blocks: usize },
    Blank { start: u64, end: u64 },
    Rejected { start: u64, end: u64, reason: &'static str },
    Defect { rule: &'static str, line: u64, piece: u64, start: u64, end: u64 },
}

/// Everything that the reader says, in its order.
fn read(bytes: &[u8], chunk_size: usize, look_inside: bool) -> Vec<Said> {
    let mut said = Vec::new();
    let mut chunks = Chunks::new(bytes, chunk_size);
    let mut scanner = Scanner::default();
    let mut lines = 0;
    while let Ok(Some(chunk)) = chunks.next_chunk() {
        lines += scanner.chunk(&chunk, |found| {
            if look_inside {
                record_is_its_bytes(bytes, &found);
            }
            said.push(Said::new(&found, lines));
        });
        chunks.reuse(chunk);
    }
    said
}

impl Said {
    fn new(found: &Found<'_>, lines_before: u64) -> Self {
        match *found {
            Found::Record(record) => Self::Record {
                start: record.start,
                end: record.end(),
                line: lines_before + record.line,
                kind: record.type_name().into_owned(),
                uuid: record.uuid().map(|uuid| uuid.into_owned()),
                blocks: record.blocks.len(),
            },
            Found::Blank { start, end } => Self::Blank { start, end },
            Found::Rejected { start, end, reason } => Self::Rejected { start, end, reason: reason.name() },
            Found::Defect(defect) => Self::Defect {
                rule: defect.kind.rule(),
                line: lines_before + defect.line,
                piece: defect.piece,
                start: defect.start,
                end: defect.end,
            },
        }
    }

    fn range(&self) -> Option<(u64, u64)> {
        match *self {
            Self::Record { start, end, .. }
            | Self::Blank { start, end }
            | Self::Rejected { start, end, .. } => Some((start, end)),
            Self::Defect { .. } => None,
        }
    }
}

fn defects_in_place(bytes: &[u8], said: &[Said]) {
    for defect in said {
        let Said::Defect { piece, start, end, .. } = *defect else { continue };
        assert!(
            piece <= start && start < end && end <= bytes.len() as u64,
            "what is reported lies in the file: {defect:?} of {} bytes",
            bytes.len()
        );
    }
}

fn record_is_its_bytes(bytes: &[u8], found: &Found<'_>) {
    let Found::Record(record) = found else { return };
    let range = &bytes[record.start as usize..record.end() as usize];
    assert!(record.bytes == range, "an untouched record is the bytes of its range, at {}", record.start);
    let mut alone = Vec::new();
    let chunk = Chunk { bytes: range.to_vec(), offset: record.start, skipped: 0 };
    Scanner::default().chunk(&chunk, |found| alone.push(Said::new(&found, record.line - 1)));
    alone.retain(|said| said.range().is_some());
    let same = [Said::new(found, 0)];
    assert!(alone == same, "a record alone is that record again: {same:?} became {alone:?}");
    // Both answers are fine; a panic is not.
    let _ = record.entry();
}
