//! A *whole transcript* is one file in memory, with all its records and what is wrong with it.

use std::io::{self, Read};

use super::chain::Chain;
use super::chunk::Line;
use super::defect::{Defect, Reason};
use super::head::Head;
use super::record::{BlockHead, Record};
use super::scanner::{Found, Scanner};

/// One file in memory. For files that should not be, see [`Chunks`](super::Chunks).
///
/// ```
/// use turnproof::transcript::Transcript;
///
/// let file = br#"{"type":"user","uuid":"u1","parentUuid":null}
/// {"type":"assistant","uuid":"u2","parentUuid":"u1"}
/// "#;
/// let transcript = Transcript::from_bytes(file.to_vec());
/// let chain = transcript.chain();
/// let leaf = chain.leaves().next().unwrap_or_default();
/// let walk: Vec<usize> = chain.walk(leaf).collect();
/// assert_eq!(walk, [1, 0]);
/// assert_eq!(transcript.record(walk[0]).uuid().as_deref(), Some("u2"));
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
    /// Reads a file to its end.
    ///
    /// # Errors
    /// What the source says; never because of what the file holds.
    pub fn read(mut source: impl Read) -> io::Result<Self> {
        let mut bytes = Vec::new();
        source.read_to_end(&mut bytes)?;
        Ok(Self::from_bytes(bytes))
    }

    /// Reads a file that is in memory already.
    pub fn from_bytes(bytes: Vec<u8>) -> Self {
        let mut transcript = Self::default();
        let mut scanner = Scanner::default();
        let mut offset = 0;
        for (index, line) in bytes.split_inclusive(|&byte| byte == b'\n').enumerate() {
            let text = line.strip_suffix(b"\n").unwrap_or(line);
            let terminated = text.len() < line.len();
            let line_head = Line { number: index as u64 + 1, offset, bytes: text, terminated };
            scanner.line(&line_head, &mut |found| transcript.note(&found));
            offset += line.len() as u64;
        }
        transcript.bytes = bytes;
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

    /// The record with this index.
    ///
    /// # Panics
    /// When there are not so many records.
    pub fn record(&self, index: usize) -> Record<'_> {
        let place = &self.records[index];
        let blocks_end = self.records.get(index + 1).map_or(self.blocks.len(), |next| next.blocks);
        Record {
            bytes: &self.bytes[place.start..place.end],
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

    /// How the records hang together.
    pub fn chain(&self) -> Chain {
        Chain::of(self.records())
    }
}
