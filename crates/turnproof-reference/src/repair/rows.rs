//! The *rows* of a file under repair: its records as they are now, and what was read of them.

use std::cell::OnceCell;
use std::ops::Deref;
use std::rc::Rc;

use super::links::Places;
use super::stored::{Speaker, Stored};
use crate::transcript::Transcript;

/// A record, and the blank bytes in front of it.
pub(super) struct Row {
    /// Its line in the damaged file; of a record that was added the line after which it is placed.
    pub(super) line: u64,
    pub(super) lead: Vec<u8>,
    pub(super) bytes: Vec<u8>,
}

/// The records, in order. The row of a record has the index of the record in [`Rows::transcript`].
#[derive(Default)]
pub(super) struct Rows {
    all: Vec<Row>,
    /// The blank bytes behind the last one.
    end: Vec<u8>,
    read: Read,
}

/// What was read of the rows. They are read once, until they change.
#[derive(Default)]
struct Read {
    transcript: OnceCell<Rc<Transcript>>,
    places: OnceCell<Rc<Places>>,
    speaker: OnceCell<Rc<Speaker>>,
    stored: OnceCell<Rc<Stored>>,
}

impl Rows {
    /// The rows, to be changed.
    pub(super) fn change(&mut self) -> &mut Vec<Row> {
        self.read = Read::default();
        &mut self.all
    }

    /// The bytes behind the last row.
    pub(super) fn end(&self) -> &[u8] {
        &self.end
    }

    /// The bytes behind the last row, to be changed.
    pub(super) fn change_end(&mut self) -> &mut Vec<u8> {
        self.read = Read::default();
        &mut self.end
    }

    /// The file.
    pub(super) fn bytes(&self) -> Vec<u8> {
        let size = self.iter().map(|row| row.lead.len() + row.bytes.len()).sum::<usize>() + self.end.len();
        let mut bytes = Vec::with_capacity(size);
        for row in &self.all {
            bytes.extend_from_slice(&row.lead);
            bytes.extend_from_slice(&row.bytes);
        }
        bytes.extend_from_slice(&self.end);
        bytes
    }

    /// Notes the transcript that these rows are all of, so that it is not read again.
    pub(super) fn note(&mut self, transcript: &Transcript) {
        self.read.transcript = OnceCell::from(Rc::new(transcript.clone()));
    }

    /// The records.
    pub(super) fn transcript(&self) -> Rc<Transcript> {
        self.read.transcript.get_or_init(|| Rc::new(Transcript::from_bytes(self.bytes()))).clone()
    }

    /// Where the records are that links name.
    pub(super) fn places(&self) -> Rc<Places> {
        self.read.places.get_or_init(|| Rc::new(Places::of(&self.transcript()))).clone()
    }

    /// Whose conversation it is.
    pub(super) fn speaker(&self) -> Rc<Speaker> {
        self.read.speaker.get_or_init(|| Rc::new(Speaker::of(&self.transcript()))).clone()
    }

    /// The conversation.
    pub(super) fn stored(&self) -> Rc<Stored> {
        self.read.stored.get_or_init(|| Rc::new(Stored::of(&self.transcript(), &self.speaker()))).clone()
    }

    /// The conversation, for the caller to keep.
    pub(super) fn take_stored(&mut self) -> Stored {
        let stored = self.stored();
        self.read.stored.take();
        Rc::unwrap_or_clone(stored)
    }
}

impl Deref for Rows {
    type Target = [Row];

    fn deref(&self) -> &[Row] {
        &self.all
    }
}
