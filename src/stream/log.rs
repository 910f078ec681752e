//! The *event log* is what the loop has yielded, in order; the messages that remain are computed
//! from it.

use std::borrow::Cow;

use crate::message::{Event, Message, Tombstone};

use super::late::LateFields;

/// A place in the list of messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Slot<'l> {
    /// A message that remains.
    Message(Cow<'l, Message>),
    /// A message that was withdrawn. A user message with nothing but results of withdrawn calls has
    /// a tombstone without id and time, since none was yielded for it.
    Tombstone(Cow<'l, Tombstone>),
}

/// What the loop has yielded. It is only ever appended to.
#[derive(Clone, Debug, Default)]
pub struct EventLog {
    events: Vec<Event>,
}

impl EventLog {
    /// An empty log.
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends an event.
    pub fn append(&mut self, event: impl Into<Event>) {
        self.events.push(event.into());
    }

    /// Appends what came late for the assistant message of this uuid; gives whether there is one.
    pub fn amend(&mut self, _uuid: &str, _late: LateFields) -> bool {
        false
    }

    /// The events, as they were when they were yielded.
    pub fn events(&self) -> impl Iterator<Item = &Event> {
        self.events.iter()
    }

    /// The messages that remain.
    pub fn live(&self) -> Vec<Cow<'_, Message>> {
        Vec::new()
    }

    /// The same list, with a tombstone in the place of each message that is withdrawn.
    pub fn slots(&self) -> Vec<Slot<'_>> {
        Vec::new()
    }
}
