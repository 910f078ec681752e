//! A *listed* message is one that is still what the client holds: before it becomes a turn.

use crate::message::{Event, Kind, Message};

use super::media::Media;

/// An event of the input, and what was decided about it.
#[derive(Clone, Copy)]
pub(super) struct Listed<'a> {
    /// Its place in the input.
    pub(super) at: u32,
    /// The event.
    pub(super) event: &'a Event,
    /// The media that are taken out of it.
    pub(super) without: Media,
}

/// The input as a list, when `before` messages stand before it. Lists are shorter than 2^32
/// messages: memory ends first.
pub(super) fn list(messages: &[Event], before: usize) -> Vec<Listed<'_>> {
    let listed = |(at, event)| Listed { at: (before + at) as u32, event, without: Media::NONE };
    messages.iter().enumerate().map(listed).collect()
}

impl<'a> Listed<'a> {
    /// The message, unless the event is none.
    pub(super) fn message(self) -> Option<&'a Message> {
        self.event.message()
    }

    /// The event's kind.
    pub(super) fn kind(self) -> Kind {
        self.event.kind()
    }

    /// Whether this is a reply that no model made: an error of the API, shown as one.
    pub(super) fn is_synthetic_api_error(self) -> bool {
        self.message().is_some_and(Message::is_synthetic_api_error)
    }
}
