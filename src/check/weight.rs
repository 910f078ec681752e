//! The *weight* of a session: what it takes of memory, for a command that holds it there.

use std::io;

use memchr::memmem::Finder;

use turnproof_reference::transcript::{Found, Scanner};

use super::input::TranscriptFile;

/// A record weighs as much as so many bytes of text at least, and as much as so many for each member in it.
const RECORD: u64 = 450;
const MEMBER: u64 = 45;

/// What some records weigh, in bytes of usual lines.
pub struct Weight {
    bytes: u64,
    records: u64,
    members: u64,
    name: Finder<'static>,
}

impl Default for Weight {
    fn default() -> Self {
        Self { bytes: 0, records: 0, members: 0, name: Finder::new(b"\":") }
    }
}

impl Weight {
    /// Adds a record.
    pub fn add(&mut self, record: &[u8]) {
        let is_escaped = |at: &usize| *at > 0 && record[at - 1] == b'\\';
        self.bytes += record.len() as u64;
        self.records += 1;
        self.members += self.name.find_iter(record).filter(|at| !is_escaped(at)).count() as u64;
    }

    /// The weight: the size, or more where there are very many short records and members.
    pub fn total(&self) -> u64 {
        self.bytes.max(self.records * RECORD).max(self.members * MEMBER)
    }
}

/// The weight of a whole session.
///
/// # Errors
/// When it cannot be read.
pub fn weight(input: &TranscriptFile) -> io::Result<u64> {
    let (mut weight, mut others) = (Weight::default(), 0);
    Scanner::default().file(input.open()?, |found| match found {
        Found::Record(record) => weight.add(record.bytes),
        Found::Rejected { start, end, .. } => others += (end - start).max(RECORD),
        Found::Blank { start, end } => others += end - start,
        Found::Defect(_) => {}
    })?;
    Ok(weight.total() + others)
}
