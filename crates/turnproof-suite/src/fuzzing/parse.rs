//! `parse`: any bytes, read as a transcript.

use crate::operation::Parsed;
use crate::subject::{Outcome, Subject};
use crate::suite::Depth;
use crate::transcript::{BlockHead, Chunk, Chunks, Defect, Found, Record, Scanner};

use super::mutate::Shape;
use super::{Law, Target, place};

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

/// Reads `bytes` as a transcript. What is reported lies inside the file, after its piece; a record read as a message is
/// one, or says which field is not (SPEC 2.4).
///
/// The pieces of each input are judged. Each further question takes as long as the reading; one input in [`SORTS`] gets
/// it.
fn parse(subject: &dyn Subject, bytes: &[u8], depth: Depth) {
    let mut pieces = Pieces { bytes, at: 0 };
    each_found(bytes, WHOLE, |found, _| pieces.take(found));
    pieces.are_all();
    if depth.asks(0, SORTS) {
        match subject.parse(bytes) {
            Outcome::Output(parsed) => every_byte_is_accounted(bytes, &parsed),
            Outcome::Rejected(why) => panic!("a file is not refused: {why}"),
            Outcome::Unsupported => {}
        }
    }
    if depth.asks(1, SORTS) {
        // One size a file: a fuzzer has many files.
        chunks_change_nothing(bytes, 1 + place(depth, 61) as usize);
    }
    if depth.asks(2, SORTS) {
        each_found(bytes, WHOLE, |found, _| is_itself_alone(found));
    }
    if depth.asks(3, SORTS) {
        each_found(bytes, WHOLE, |found, _| {
            // Both answers are fine; a panic is not.
            let _ = if let Found::Record(record) = found { record.entry().err() } else { None };
        });
    }
}

/// One input in so many gets each further question.
const SORTS: u64 = 32;

/// Calls `each` with everything that the reader finds, in its order, and with the lines before its chunk.
fn each_found(bytes: &[u8], chunk_size: usize, mut each: impl FnMut(&Found<'_>, u64)) {
    let mut chunks = Chunks::new(bytes, chunk_size);
    let mut scanner = Scanner::default();
    let mut lines = 0;
    while let Ok(Some(chunk)) = chunks.next_chunk() {
        lines += scanner.chunk(&chunk, |found| each(&found, lines));
        chunks.reuse(chunk);
    }
}

/// The pieces of a file so far.
struct Pieces<'b> {
    bytes: &'b [u8],
    /// The byte after the last one.
    at: u64,
}

impl Pieces<'_> {
    fn take(&mut self, found: &Found<'_>) {
        let (start, end) = match found {
            Found::Record(record) => {
                let (start, end) = (record.start, record.end());
                let range = self.bytes.get(start as usize..end as usize);
                assert!(range == Some(record.bytes), "an untouched record is the bytes of its range: at {start} not");
                (start, end)
            }
            &Found::Blank { start, end } | &Found::Rejected { start, end, .. } => (start, end),
            Found::Defect(defect) => {
                let (start, end) = (defect.start, defect.end);
                let is_inside = defect.piece <= start && start < end && end <= self.bytes.len() as u64;
                assert!(is_inside, "what is reported lies in the file: {start}..{end} of {} does not", defect.piece);
                return;
            }
        };
        assert!(
            start == self.at && end > start,
            "every byte is in one piece: after byte {} comes {start}..{end}",
            self.at
        );
        self.at = end;
    }

    fn are_all(&self) {
        let size = self.bytes.len();
        assert!(self.at == size as u64, "every byte is in one piece: {} of {size} bytes are", self.at);
    }
}

/// Each byte is in one record, blank or rejected range, and a record is written as it was read.
fn every_byte_is_accounted(bytes: &[u8], parsed: &Parsed) {
    let records = parsed.records.iter().map(|record| (record.start, record.end));
    let rejected = parsed.rejected.iter().map(|rejected| (rejected.start, rejected.end));
    let mut pieces: Vec<(u64, u64)> = records.chain(rejected).chain(parsed.blank.iter().copied()).collect();
    pieces.sort_unstable();
    let mut at = 0;
    for (start, end) in pieces {
        assert!(start == at && end > start, "every byte is in one piece: after byte {at} comes {start}..{end}");
        at = end;
    }
    assert!(at == bytes.len() as u64, "every byte is in one piece: {at} of {} bytes are", bytes.len());
    for record in &parsed.records {
        let range = &bytes[record.start as usize..record.end as usize];
        assert!(record.written == range, "an untouched record is written as it was read: at {} not", record.start);
    }
}

/// What the reader found, kept after the reading. Lines are counted from the file's start.
#[derive(Debug, PartialEq)]
struct Kept {
    /// A record without its bytes and blocks, which stand beside it.
    found: Found<'static>,
    bytes: Vec<u8>,
    blocks: Vec<BlockHead>,
}

impl Kept {
    fn of(found: &Found<'_>, lines_before: u64) -> Self {
        let (mut bytes, mut blocks) = (Vec::new(), Vec::new());
        let found = match *found {
            Found::Record(record) => {
                bytes.extend_from_slice(record.bytes);
                blocks.extend_from_slice(record.blocks);
                let line = lines_before + record.line;
                Found::Record(Record {
                    bytes: &[],
                    utf8: None,
                    start: record.start,
                    line,
                    head: record.head,
                    blocks: &[],
                })
            }
            Found::Defect(defect) => Found::Defect(Defect { line: lines_before + defect.line, ..defect }),
            Found::Blank { start, end } => Found::Blank { start, end },
            Found::Rejected { start, end, reason } => Found::Rejected { start, end, reason },
        };
        Self { found, bytes, blocks }
    }
}

fn chunks_change_nothing(bytes: &[u8], size: usize) {
    let read = |chunk_size| {
        let mut kept = Vec::new();
        each_found(bytes, chunk_size, |found, lines| kept.push(Kept::of(found, lines)));
        kept
    };
    let (whole, again) = (read(WHOLE), read(size));
    let differs = whole.iter().zip(&again).position(|(a, b)| a != b);
    let at = differs.unwrap_or(whole.len().min(again.len()));
    assert!(
        whole == again,
        "the size of chunks changes nothing: in chunks of {size} bytes {:?} became {:?}",
        whole.get(at),
        again.get(at)
    );
}

fn is_itself_alone(found: &Found<'_>) {
    let Found::Record(record) = found else { return };
    let mut alone = Vec::new();
    let chunk = Chunk { bytes: record.bytes.to_vec(), offset: record.start, skipped: 0 };
    Scanner::default().chunk(&chunk, |found| {
        if !matches!(found, Found::Defect(_)) {
            alone.push(Kept::of(&found, record.line - 1));
        }
    });
    let same = [Kept::of(found, 0)];
    assert!(alone == same, "a record alone is that record again: {same:?} became {alone:?}");
}
