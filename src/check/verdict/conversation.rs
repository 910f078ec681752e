//! Reads the messages of the conversation that comes back, for the rules on requests.

use std::borrow::Cow;
use std::io::{self, Read, Seek};

use turnproof_reference::message::{Entry, Event, Message};
use turnproof_reference::transcript::read_entry;
use turnproof_reference::transcript::resume::{Place, PlaceReader};

use super::ApiError;
use crate::check::folder::Origin;
use crate::check::outlines::{Abridged, Outlines};
use crate::check::sizes::Sizes;

/// A conversation of more bytes is not put to the API's rules: its request would take a multiple in memory.
pub(super) const LARGEST: u64 = 128 << 20;

/// A file whose records are read again.
pub(in crate::check) trait Records {
    /// The bytes of a record.
    fn record(&mut self, place: &Place) -> io::Result<Cow<'_, [u8]>>;

    /// The first bytes of the file, so many at most.
    fn head(&mut self, most: u64) -> io::Result<Vec<u8>>;
}

impl Records for &[u8] {
    fn record(&mut self, place: &Place) -> io::Result<Cow<'_, [u8]>> {
        Ok(Cow::Borrowed(&self[place.start as usize..place.end as usize]))
    }

    fn head(&mut self, most: u64) -> io::Result<Vec<u8>> {
        Ok(self[..self.len().min(most as usize)].to_vec())
    }
}

impl<F: Read + Seek> Records for PlaceReader<F> {
    fn record(&mut self, place: &Place) -> io::Result<Cow<'_, [u8]>> {
        let mut record = Vec::with_capacity((place.end - place.start) as usize);
        self.copy(place, &mut record)?;
        Ok(Cow::Owned(record))
    }

    fn head(&mut self, most: u64) -> io::Result<Vec<u8>> {
        PlaceReader::head(self, most)
    }
}

/// A conversation as the rules on requests see it.
pub(super) struct Messages {
    pub(super) events: Vec<Event>,
    /// So many bytes of contents are left out at most.
    pub(super) left_out: u64,
    /// The refusal that it ends with: no reply of a model follows it.
    pub(super) api_error: Option<ApiError>,
    pub(super) sizes: Sizes,
    pub(super) origin: Origin,
}

/// The messages at these places of a file, those with an outline abridged.
pub(super) fn conversation(
    file: &mut impl Records,
    places: &[Place],
    outlines: Option<&Outlines>,
) -> io::Result<Messages> {
    let events = Vec::with_capacity(places.len() + 1);
    let (sizes, origin) = (Sizes::default(), Origin::default());
    let mut read = Messages { events, left_out: 0, api_error: None, sizes, origin };
    let mut last_reply = None;
    for (index, place) in places.iter().enumerate() {
        let record = file.record(place)?;
        if index == 0 || index + 1 == places.len() {
            read.origin.take(&record);
        }
        let Some(message) = message(place, &record, outlines) else { continue };
        if let Some(Message::Assistant(reply)) = message.event.message() {
            let is_error = reply.is_api_error_message.is_true();
            read.api_error = if is_error { ApiError::of(place.line, &record) } else { None };
            last_reply = if is_error { last_reply } else { Some(place) };
        }
        read.sizes.take(place, &message, &record);
        read.left_out += message.left_out;
        read.events.push(message.event);
    }
    if let Some(place) = last_reply {
        read.sizes.take_usage(place.line, &file.record(place)?);
    }
    Ok(read)
}

/// A record as a message, abridged where it has an outline.
pub(super) fn message<'o>(place: &Place, record: &[u8], outlines: Option<&'o Outlines>) -> Option<Abridged<'o>> {
    let abridged = outlines.and_then(|outlines| outlines.event(place.start, record));
    abridged.or_else(|| match read_entry(record) {
        Ok(Entry::Event(event)) => Some(Abridged { event, left_out: 0, blocks: &[] }),
        _ => None,
    })
}
