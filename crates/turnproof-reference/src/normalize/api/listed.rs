//! A *listed* message is one that is still what the client holds: before it becomes a turn. *Media* are its images and
//! documents, which the API may have refused.

use crate::message::{Block, Event, Kind, Message};

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

/// Types of media.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Media {
    pub(super) images: bool,
    pub(super) documents: bool,
}

impl Media {
    /// No media.
    pub(crate) const NONE: Self = Self { images: false, documents: false };

    /// The type of a block, if it is a medium.
    pub(crate) fn of(block: &Block) -> Self {
        Self { images: matches!(block, Block::Image(_)), documents: matches!(block, Block::Document(_)) }
    }

    /// Whether the block is of one of the types.
    pub(super) fn has(self, block: &Block) -> bool {
        match block {
            Block::Image(_) => self.images,
            Block::Document(_) => self.documents,
            _ => false,
        }
    }

    /// The types of both.
    pub(super) fn or(self, other: Self) -> Self {
        Self { images: self.images | other.images, documents: self.documents | other.documents }
    }

    /// The types that both have.
    pub(crate) fn and(self, other: Self) -> Self {
        Self { images: self.images & other.images, documents: self.documents & other.documents }
    }
}
