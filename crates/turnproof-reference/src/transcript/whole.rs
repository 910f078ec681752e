//! A *whole transcript* is one file in memory, with all its records and what is wrong with it.

use super::chunk::Chunk;
use super::defect::{Defect, Reason};
use super::head::Head;
use super::record::{BlockHead, Record};
use super::scanner::{Found, Scanner};

/// One file in memory. For files that should not be, see [`Chunks`](super::Chunks).
///
/// ```
/// use turnproof_reference::transcript::Transcript;
///
/// let file = br#"{"type":"user","uuid":"u1","parentUuid":null}
/// {"type":"assistant","uuid":"u2","parentUuid":"u1"}
/// "#;
/// let transcript = Transcript::from_bytes(file.to_vec());
/// assert_eq!(transcript.len(), 2);
/// assert_eq!(transcript.record(1).uuid().as_deref(), Some("u2"));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Transcript {
    bytes: Vec<u8>,
    records: Vec<Place>,
    blocks: Vec<BlockHead>,
    rejected: Vec<(u64, u64, Reason)>,
    defects: Vec<Defect>,
}

/// Where a record lies in a transcript.
#[derive(Clone, Debug)]
struct Place {
    start: usize,
    end: usize,
    line: u64,
    head: Head,
    /// Its blocks begin here, and end where the next record's begin.
    blocks: usize,
}

impl Transcript {
    /// Reads a file that is in memory.
    pub fn from_bytes(bytes: Vec<u8>) -> Self {
        let mut transcript = Self::default();
        let chunk = Chunk { bytes, ..Chunk::default() };
        Scanner::default().chunk(&chunk, |found| transcript.note(&found));
        transcript.bytes = chunk.bytes;
        transcript
    }

    fn note(&mut self, found: &Found<'_>) {
        match found {
            Found::Record(record) => {
                self.records.push(Place {
                    start: record.start as usize,
                    end: record.end() as usize,
                    line: record.line,
                    head: record.head,
                    blocks: self.blocks.len(),
                });
                self.blocks.extend(record.blocks);
            }
            Found::Blank { .. } => {}
            &Found::Rejected { start, end, reason } => self.rejected.push((start, end, reason)),
            Found::Defect(defect) => self.defects.push(*defect),
        }
    }

    /// The file's bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The file, the records given up.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// How many records there are.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether there are no records.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// The record with this index; panics when there are not so many.
    pub fn record(&self, index: usize) -> Record<'_> {
        let place = &self.records[index];
        let blocks_end = self.records.get(index + 1).map_or(self.blocks.len(), |next| next.blocks);
        Record {
            bytes: &self.bytes[place.start..place.end],
            utf8: None,
            start: place.start as u64,
            line: place.line,
            head: place.head,
            blocks: &self.blocks[place.blocks..blocks_end],
        }
    }

    /// The records in file order.
    pub fn records(&self) -> impl ExactSizeIterator<Item = Record<'_>> {
        (0..self.len()).map(|index| self.record(index))
    }

    /// The ranges that hold no record: first byte, byte after the last, and why.
    pub fn rejected(&self) -> &[(u64, u64, Reason)] {
        &self.rejected
    }

    /// What is wrong, in the order of the bytes.
    pub fn defects(&self) -> &[Defect] {
        &self.defects
    }
}
