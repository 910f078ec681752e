//! The *queue* holds what waits to be written, in the order of the file.

use std::collections::{HashMap, VecDeque};

use crate::json::{Fields, Text};
use crate::message::{Maybe, Message, Typed};

/// What waits to be written. Each place has a number, counted over the life of the recorder.
#[derive(Debug, Default)]
pub(super) struct Queue {
    /// A place is empty when what waited there was withdrawn.
    places: VecDeque<Option<Waiting>>,
    /// The number of the first place; what has a smaller one is written.
    first: u64,
    /// How many places from the first are being written at this moment.
    in_flight: usize,
    waiting: usize,
}

/// Something that waits.
#[derive(Debug)]
enum Waiting {
    /// A message, its links set.
    Message(Box<Message>),
    /// All members of a side record.
    Side(Fields),
}

/// The lines of a queue.
#[derive(Debug, Default)]
pub(super) struct Batch {
    /// Each with its LF.
    pub(super) lines: Vec<u8>,
    /// Where the line of each place ends, its LF included.
    ends: Vec<usize>,
}

impl Queue {
    /// A queue that has written so many places already.
    pub(super) fn starting_at(first: u64) -> Self {
        Self { first, ..Self::default() }
    }

    /// How many lines wait.
    pub(super) fn len(&self) -> usize {
        self.waiting
    }

    /// Whether the place with this number is not yet written, nor being written.
    pub(super) fn can_change(&self, number: u64) -> bool {
        number >= self.first + self.in_flight as u64
    }

    /// Appends a message whose links are set; gives its number.
    pub(super) fn push(&mut self, message: Message) -> u64 {
        self.push_waiting(Waiting::Message(Box::new(message)))
    }

    /// Appends a side record.
    pub(super) fn push_side(&mut self, fields: Fields) {
        self.push_waiting(Waiting::Side(fields));
    }

    fn push_waiting(&mut self, waiting: Waiting) -> u64 {
        self.places.push_back(Some(waiting));
        self.waiting += 1;
        self.first + self.places.len() as u64 - 1
    }

    /// The message at a place, if it can still change.
    pub(super) fn message_mut(&mut self, number: u64) -> Option<&mut Message> {
        if !self.can_change(number) {
            return None;
        }
        let index = usize::try_from(number - self.first).ok()?;
        match self.places.get_mut(index)? {
            Some(Waiting::Message(message)) => Some(message),
            _ => None,
        }
    }

    /// Takes the message at a place out, if it can still change.
    pub(super) fn take(&mut self, number: u64) -> Option<Message> {
        self.message_mut(number)?;
        let index = usize::try_from(number - self.first).ok()?;
        match self.places.get_mut(index)?.take()? {
            Waiting::Message(message) => {
                self.waiting -= 1;
                Some(*message)
            }
            Waiting::Side(_) => None,
        }
    }

    /// Hangs what hung on messages that are gone on what those hung on.
    pub(super) fn relink(&mut self, parent_of_gone: &HashMap<Box<str>, Option<Text>>) {
        for waiting in self.places.iter_mut().skip(self.in_flight).flatten() {
            if let Waiting::Message(message) = waiting {
                let envelope = message.envelope_mut();
                for link in [&mut envelope.parent_uuid, &mut envelope.logical_parent_uuid] {
                    if let Some(parent) = link.as_str().and_then(|uuid| parent_of_gone.get(uuid)) {
                        *link = parent.clone().map_or(Maybe::Null, Maybe::Is);
                    }
                }
            }
        }
    }

    /// Empties the places of messages that can still change.
    pub(super) fn drop_messages(&mut self) {
        for place in self.places.iter_mut().skip(self.in_flight) {
            if matches!(place, Some(Waiting::Message(_))) {
                *place = None;
                self.waiting -= 1;
            }
        }
    }

    /// The uuid of the last message that waits.
    pub(super) fn last(&self) -> Option<&Text> {
        self.places.iter().rev().flatten().find_map(Waiting::uuid)
    }

    /// Makes lines of everything that waits. Until they are [settled](Self::settle), no place of theirs changes.
    pub(super) fn batch(&mut self) -> Batch {
        let mut batch = Batch::default();
        for place in &self.places {
            if let Some(waiting) = place {
                waiting.write_line(&mut batch.lines);
            }
            batch.ends.push(batch.lines.len());
        }
        self.in_flight = self.places.len();
        batch
    }

    /// Removes what is wholly in the file now that so many bytes of the lines are: how many lines, and the uuid of
    /// the last message among them. A line that lacks only its LF is whole, since that is what the next append begins with.
    pub(super) fn settle(&mut self, batch: &Batch, taken: usize) -> (usize, Option<Text>) {
        let whole = batch.ends.iter().take_while(|&&end| end.saturating_sub(1) <= taken).count();
        let mut lines = 0;
        let mut last = None;
        for waiting in self.places.drain(..whole).flatten() {
            lines += 1;
            last = waiting.uuid().cloned().or(last);
        }
        self.first += whole as u64;
        self.in_flight = 0;
        self.waiting -= lines;
        (lines, last)
    }
}

impl Waiting {
    fn uuid(&self) -> Option<&Text> {
        match self {
            Self::Message(message) => message.envelope().uuid.get(),
            Self::Side(_) => None,
        }
    }

    fn write_line(&self, lines: &mut Vec<u8>) {
        let start = lines.len();
        match self {
            Self::Message(message) => lines.extend_from_slice(message.write().get().as_bytes()),
            Self::Side(fields) => lines.extend_from_slice(fields.to_json().as_bytes()),
        }
        // Values keep their text, which may have line ends between its tokens; in strings they are escaped.
        for byte in &mut lines[start..] {
            if matches!(byte, b'\n' | b'\r') {
                *byte = b' ';
            }
        }
        lines.push(b'\n');
    }
}
