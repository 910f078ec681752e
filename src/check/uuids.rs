//! Where the *uuids* of the records of a file are. Most findings on long files are about them, and to find one again its
//! record would have to be walked.

use turnproof_reference::json::{Cursor, Scratch, Span};
use turnproof_reference::transcript::Record;

/// The uuids of a file, in its order: 12 bytes each.
#[derive(Clone, Debug, Default)]
pub(super) struct Uuids {
    /// The first byte of each record in the file.
    starts: Vec<u64>,
    /// The first byte of its uuid in the record.
    places: Vec<u32>,
}

impl Uuids {
    /// Notes the next record of the file.
    pub(super) fn note(&mut self, record: &Record<'_>) {
        if let Some(uuid) = record.head.uuid {
            self.starts.push(record.start);
            self.places.push(uuid.start);
        }
    }

    /// Joins those of the next part of the file.
    pub(super) fn append(&mut self, part: Self) {
        self.starts.extend(part.starts);
        self.places.extend(part.places);
    }

    /// Where the uuid is in the record that begins at byte `start` of the file.
    pub(super) fn find(&self, start: u64, record: &[u8]) -> Option<Span> {
        let place = self.places[self.starts.binary_search(&start).ok()?] as usize;
        let mut scratch = Scratch::default();
        let is_there = record.get(place) == Some(&b'"');
        is_there.then(|| Cursor::new(record, place, &mut scratch).value().ok())?.map(|(_, uuid)| uuid)
    }
}
