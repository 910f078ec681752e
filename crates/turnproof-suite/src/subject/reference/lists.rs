//! *Lists* of messages that a subject is given one after another mostly begin alike, and most messages come out as they
//! went in. A message that was read or written is not read or written again: lists share it.

use std::sync::{Arc, OnceLock};

use crate::message::{Envelope, Event, Message, Typed};
use crate::operation::{Element, List};

/// What stands in a list.
pub(super) trait Listed: Typed {
    /// The part that each has, which lies where it lies.
    fn envelope(&self) -> &Envelope;
}

impl Listed for Event {
    fn envelope(&self) -> &Envelope {
        Self::envelope(self)
    }
}

impl Listed for Message {
    fn envelope(&self) -> &Envelope {
        Self::envelope(self)
    }
}

/// Events as they were given. While they are kept, each of them lies where it lies: who changes a copy of one changes
/// that alone.
pub(super) struct Events(Vec<Arc<Known>>);

/// An event, and the element that it is written as.
struct Known {
    event: Event,
    written: OnceLock<Element>,
}

impl From<Event> for Known {
    fn from(event: Event) -> Self {
        Self { event, written: OnceLock::new() }
    }
}

/// How many events are looked at for one that comes out: they mostly come in their order.
const NEAR: usize = 4;

impl Events {
    /// Reads a list.
    pub(super) fn read(list: &List) -> serde_json::Result<Self> {
        let known = |event: Event| Arc::new(Known::from(event));
        list.read(|json| Ok(Event::read_list(json)?.into_iter().map(known).collect())).map(Self)
    }

    /// The events themselves.
    pub(super) fn to_vec(&self) -> Vec<Event> {
        self.0.iter().map(|known| known.event.clone()).collect()
    }

    /// Writes a list. What is one of these events is written once, whatever list it stands in.
    pub(super) fn write<'a, T: Listed + 'a>(&self, list: impl IntoIterator<Item = &'a T>) -> List {
        let mut next = 0;
        let element = |one: &T| {
            let new = || Element::new(one.to_json());
            let Some(place) = self.place(next, one) else { return new() };
            next = place + 1;
            self.0[place].written.get_or_init(new).clone()
        };
        list.into_iter().map(element).collect()
    }

    /// Where something lies among the events: near a place, or near the first.
    fn place<T: Listed>(&self, from: usize, one: &T) -> Option<usize> {
        let is_it = |known: &Arc<Known>| std::ptr::eq(known.event.envelope(), one.envelope());
        let near = |from: usize| self.0[from..].iter().take(NEAR).position(is_it).map(|at| from + at);
        near(from).or_else(|| near(0))
    }
}

impl FromIterator<Event> for Events {
    fn from_iter<I: IntoIterator<Item = Event>>(events: I) -> Self {
        Self(events.into_iter().map(|event| Arc::new(Known::from(event))).collect())
    }
}
