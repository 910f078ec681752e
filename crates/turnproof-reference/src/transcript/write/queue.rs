//! The *queue* holds what waits to be written, in the order of the file.

use std::collections::{HashMap, VecDeque};

use crate::json::{Fields, Text};
use crate::message::{Maybe, Message};

use super::hints::TeamInfo;
use super::recorder::RecorderOptions;

/// What waits to be written. Each place has a number, counted over the life of the recorder.
#[derive(Debug, Default)]
pub(super) struct Queue {
    /// A place is empty when what waited there was withdrawn.
    places: VecDeque<Option<Waiting>>,
    /// The number of the first place; what has a smaller one is written.
    first: u64,
    /// How many places from the first are being written at this moment.
    in_flight: usize,
}

/// Something that waits.
#[derive(Debug)]
pub(super) enum Waiting {
    /// A message.
    Message(Linked),
    /// All members of a side record.
    Side(Fields),
}

/// A message, and the links that it will be written with in place of its own.
#[derive(Debug)]
pub(super) struct Linked {
    message: Message,
    pub(super) parent: Maybe<Text>,
    logical_parent: Maybe<Text>,
    team: Option<TeamInfo>,
}

impl Linked {
    /// A message with its parent, its logical parent if it has none of its own, and the team that it is marked with.
    pub(super) fn new(
        mut message: Message,
        parent: Maybe<Text>,
        logical_parent: Maybe<Text>,
        team: Option<TeamInfo>,
    ) -> Self {
        if let Some(team) = &team {
            team.mark(&mut message);
        }
        let own = &message.envelope().logical_parent_uuid;
        let logical_parent = match (own, logical_parent) {
            (Maybe::Absent | Maybe::Null | Maybe::Misfit(_), Maybe::Is(logical_parent)) => Maybe::Is(logical_parent),
            _ => own.clone(),
        };
        Self { message, parent, logical_parent, team }
    }

    /// Takes a later version of the message.
    pub(super) fn replace(&mut self, message: Message) {
        let (parent, logical_parent) = (&mut self.parent, &mut self.logical_parent);
        *self = Self::new(message, std::mem::take(parent), std::mem::take(logical_parent), self.team.take());
    }

    pub(super) fn uuid(&self) -> Option<&Text> {
        self.message.envelope().uuid.get()
    }

    /// Appends the message as it is written: its links set, and what it does not have added.
    fn write_to(&self, options: &RecorderOptions, json: &mut String) {
        let mut envelope = self.message.envelope().clone();
        options.stamp(&mut envelope);
        envelope.parent_uuid = self.parent.clone();
        envelope.logical_parent_uuid = self.logical_parent.clone();
        self.message.write_under(&envelope, json);
    }
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
        self.places.iter().flatten().count()
    }

    /// Whether the place with this number is not yet written, nor being written.
    pub(super) fn can_change(&self, number: u64) -> bool {
        number >= self.first + self.in_flight as u64
    }

    /// Appends what is to wait; gives the number of its place.
    pub(super) fn push(&mut self, waiting: Waiting) -> u64 {
        self.places.push_back(Some(waiting));
        self.first + self.places.len() as u64 - 1
    }

    /// The place with this number, if it can still change.
    fn place_mut(&mut self, number: u64) -> Option<&mut Option<Waiting>> {
        let index = self.can_change(number).then(|| usize::try_from(number - self.first))?;
        self.places.get_mut(index.ok()?)
    }

    /// The message at a place, if it can still change.
    pub(super) fn message_mut(&mut self, number: u64) -> Option<&mut Linked> {
        match self.place_mut(number)? {
            Some(Waiting::Message(message)) => Some(message),
            _ => None,
        }
    }

    /// Takes the message at a place out, if it can still change.
    pub(super) fn take(&mut self, number: u64) -> Option<Linked> {
        match self.place_mut(number)?.take_if(|waiting| matches!(waiting, Waiting::Message(_)))? {
            Waiting::Message(message) => Some(message),
            Waiting::Side(_) => None,
        }
    }

    /// Hangs what hung on messages that are gone on what those hung on.
    pub(super) fn relink(&mut self, parent_of_gone: &HashMap<Box<str>, Option<Text>>) {
        for waiting in self.places.iter_mut().skip(self.in_flight).flatten() {
            if let Waiting::Message(message) = waiting {
                for link in [&mut message.parent, &mut message.logical_parent] {
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
            place.take_if(|waiting| matches!(waiting, Waiting::Message(_)));
        }
    }

    /// The uuid of the last message that waits.
    pub(super) fn last(&self) -> Option<&Text> {
        self.places.iter().rev().flatten().find_map(Waiting::uuid)
    }

    /// Makes lines of everything that waits. Until they are [settled](Self::settle), no place of theirs changes.
    pub(super) fn batch(&mut self, options: &RecorderOptions) -> Batch {
        let mut batch = Batch::default();
        let mut json = String::new();
        for place in &self.places {
            if let Some(waiting) = place {
                json.clear();
                waiting.write_to(options, &mut json);
                push_line(&mut batch.lines, &json);
            }
            batch.ends.push(batch.lines.len());
        }
        self.in_flight = self.places.len();
        batch
    }

    /// Removes what is wholly in the file now that so many bytes of the lines are: how many lines, and the uuid of
    /// the last message among them. A line that lacks only its LF is whole: the next append begins with that LF.
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
        (lines, last)
    }
}

impl Waiting {
    fn uuid(&self) -> Option<&Text> {
        match self {
            Self::Message(message) => message.uuid(),
            Self::Side(_) => None,
        }
    }

    fn write_to(&self, options: &RecorderOptions, json: &mut String) {
        match self {
            Self::Message(message) => message.write_to(options, json),
            Self::Side(fields) => fields.push_json(json),
        }
    }
}

/// Appends a line and its LF. Values keep their text, which may have line ends between its tokens; in strings they
/// are escaped.
fn push_line(lines: &mut Vec<u8>, json: &str) {
    let start = lines.len();
    lines.extend_from_slice(json.as_bytes());
    for byte in &mut lines[start..] {
        if matches!(byte, b'\n' | b'\r') {
            *byte = b' ';
        }
    }
    lines.push(b'\n');
}
