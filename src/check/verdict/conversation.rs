//! Reads the messages of the conversation that comes back, for the rules on requests.

use std::io::{self, Read, Seek};

use crate::message::{Entry, Event};
use crate::transcript::resume::{Place, copy_places};
use crate::transcript::{Record, Transcript};

/// A conversation of more bytes is not put to the API's rules: its request would take a multiple in memory.
const LARGEST: u64 = 128 << 20;

/// The messages of a conversation; `None` when they are too many to be held in memory.
pub(super) fn read_conversation(file: &mut (impl Read + Seek), places: &[Place]) -> io::Result<Option<Vec<Event>>> {
    if places.iter().map(|place| place.end - place.start).sum::<u64>() > LARGEST {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    file.rewind()?;
    copy_places(file, places, &mut bytes)?;
    let conversation = Transcript::from_bytes(bytes);
    let event = |record: Record<'_>| match record.entry() {
        Ok(Entry::Event(event)) => Some(event),
        _ => None,
    };
    Ok(Some(conversation.records().filter_map(event).collect()))
}
