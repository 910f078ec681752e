//! What a file *holds* already, for a recorder that goes on with it.

use std::io::{self, Read};

use crate::json::Text;

use super::super::{Chunks, Flag, Found, Record, Scanner};

/// What a file holds: the uuids that must not be written again, and the last line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Held {
    /// The uuids of all its records, in order, as they are shown (halves of surrogate pairs as U+FFFD).
    pub uuids: Vec<String>,
    /// The uuid of the last link of the chain; a subagent's only if there is no other.
    pub last: Option<Text>,
}

impl Held {
    /// Reads a file to its end, in little memory. Only the source can fail, never what the file holds.
    pub fn read(source: impl Read) -> io::Result<Self> {
        const CHUNK: usize = 1 << 16;
        let (mut held, mut last_of_subagent) = (Self::default(), None);
        let mut scanner = Scanner::default();
        let mut chunks = Chunks::new(source, CHUNK);
        while let Some(chunk) = chunks.next_chunk()? {
            scanner.chunk(&chunk, |found| {
                if let Found::Record(record) = found {
                    held.note(&record, &mut last_of_subagent);
                }
            });
        }
        held.last = held.last.or(last_of_subagent);
        Ok(held)
    }

    /// What the records of a file hold.
    pub fn of<'r>(records: impl IntoIterator<Item = Record<'r>>) -> Self {
        let mut held = Self::default();
        let mut last_of_subagent = None;
        records.into_iter().for_each(|record| held.note(&record, &mut last_of_subagent));
        held.last = held.last.or(last_of_subagent);
        held
    }

    fn note(&mut self, record: &Record<'_>, last_of_subagent: &mut Option<Text>) {
        let Some(uuid) = record.uuid() else { return };
        if record.head.is_chain_participant() {
            let last = if record.head.has(Flag::Sidechain) { last_of_subagent } else { &mut self.last };
            *last = Some(Text::from(&*uuid));
        }
        self.uuids.push(uuid.into_owned());
    }
}
