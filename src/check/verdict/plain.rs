//! A conversation is *plain* when it is made of prompts, replies and one result for each call, in their usual order, and
//! nothing is odd about a message but what it says itself. In its plain exchanges no rule on requests can find anything:
//! they are neither read again nor put to the rules, but for a short turn each that stands for them.
//! `tests/transcript/abridged.rs` holds that against the rules.

use std::io;
use std::ops::Range;

use turnproof_reference::transcript::Outline;
use turnproof_reference::transcript::resume::{Place, RecordIds, Survey};

use super::conversation::{Messages, Records, message};
use crate::check::folder::Origin;
use crate::check::outlines::{Outlines, PlainMessage, Speaker, short_message};
use crate::check::sizes::{LargeResult, Sizes};

/// A plain conversation has at most so many bytes: what is sent of it is no larger than half of what the API takes.
const MOST: u64 = 16 << 20;

/// An outline of a block is sent in fewer bytes, its id and its name included.
const OF_BLOCK: u64 = 512;

/// A conversation that is plain.
pub(super) struct Plain {
    /// The exchanges with odd messages, as indexes of messages.
    odd: Vec<Range<usize>>,
}

impl Plain {
    /// The conversation at these places, if it is plain.
    pub(super) fn of(survey: &Survey, outlines: &Outlines, places: &[Place]) -> Option<Self> {
        let mut walk = Walk::new(survey.names());
        let (mut odd, mut start, mut is_odd): (Vec<Range<usize>>, _, _) = (Vec::new(), 0, false);
        for (index, place) in places.iter().enumerate() {
            let message = outlines.plain(place.start)?;
            if message.speaker == Speaker::Assistant && walk.last.is_none() {
                odd.extend(is_odd.then_some(start..index));
                (start, is_odd) = (index, false);
            }
            is_odd |= message.is_odd;
            walk.takes(&message, &survey.ids(place)?).then_some(())?;
        }
        odd.extend(is_odd.then_some(start..places.len()));
        walk.may_end().then_some(Self { odd })
    }

    /// Whether the rules have to be asked.
    pub(super) fn is_odd(&self) -> bool {
        !self.odd.is_empty()
    }

    /// What the rules have to see of it: the odd exchanges, abridged, and in place of each turn of the others a short
    /// one.
    pub(super) fn messages(
        &self,
        file: &mut impl Records,
        places: &[Place],
        outlines: &Outlines,
    ) -> io::Result<Messages> {
        let (sizes, origin) = (Sizes::default(), Origin::default());
        let mut read = Messages { events: Vec::new(), left_out: 0, api_error: None, sizes, origin };
        let (mut results, mut last_reply) = (Vec::new(), None);
        let (mut odd, mut last) = (self.odd.iter().peekable(), Speaker::Notice);
        for (index, place) in places.iter().enumerate() {
            let Some(plain) = outlines.plain(place.start) else { continue };
            if !plain.is_odd {
                read.sizes.take_plain(place, &plain, &mut results);
            }
            if odd.peek().is_some_and(|odd| odd.contains(&index)) {
                read.take_odd(place, &file.record(place)?, &plain, outlines, &mut results);
            } else if self.is_odd() && plain.speaker != last && plain.speaker != Speaker::Notice {
                read.events.push(short_message(plain.speaker));
            }
            last = if plain.speaker == Speaker::Notice { last } else { plain.speaker };
            last_reply = if plain.speaker == Speaker::Assistant { Some(place) } else { last_reply };
            odd.next_if(|odd| odd.end == index + 1);
        }
        for (mut large, call) in results {
            if let Some((place, outline)) = call {
                large.call = Some(outline.id_in(&file.record(&place)?));
            }
            read.sizes.results.push(large);
        }
        if let Some(place) = last_reply {
            read.sizes.take_usage(place.line, &file.record(place)?);
        }
        for place in places.iter().take(1).chain(places.iter().skip(1).last()) {
            read.origin.take(&file.record(place)?);
        }
        Ok(read)
    }
}

impl Messages {
    /// Takes a message of an odd exchange, and its sizes where it is odd itself.
    fn take_odd(
        &mut self,
        place: &Place,
        record: &[u8],
        plain: &PlainMessage<'_>,
        outlines: &Outlines,
        results: &mut Vec<LargeResult>,
    ) {
        let Some(read) = message(place, record, Some(outlines)) else { return };
        if plain.is_odd {
            let mut own = Sizes::default();
            own.take(place, &read, record);
            self.sizes.take_read(own, results);
        }
        self.left_out += read.left_out;
        self.events.push(read.event);
    }
}

/// What is known of an id.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Id {
    New,
    /// A reply has it, or a call with a result.
    Done,
    /// A call has it whose result is to come.
    Open,
}

/// A walk through a conversation, in its order.
struct Walk {
    ids: Vec<Id>,
    /// How many calls wait for their results.
    open: usize,
    bytes: u64,
    /// What was last in the reply that the walk is in; `None` behind it, and before the first message.
    last: Option<Outline>,
    /// The id of that reply.
    reply: Option<u32>,
}

impl Walk {
    fn new(ids: usize) -> Self {
        Self { ids: vec![Id::New; ids], open: 0, bytes: 0, last: None, reply: None }
    }

    /// Takes the next message; gives whether the conversation may still be plain.
    fn takes(&mut self, message: &PlainMessage<'_>, ids: &RecordIds<'_>) -> bool {
        self.bytes += message.bytes + message.blocks().count() as u64 * OF_BLOCK;
        self.bytes <= MOST
            && match message.speaker {
                Speaker::User => self.takes_prompt(message, ids),
                Speaker::Assistant => self.takes_reply(message, ids),
                Speaker::Notice => true,
            }
    }

    /// A line of a reply: it comes behind all results, or behind a line of the same turn.
    fn takes_reply(&mut self, message: &PlainMessage<'_>, ids: &RecordIds<'_>) -> bool {
        if self.last.is_none() {
            self.reply = None;
        }
        let is_early = self.last.is_none() && self.open > 0;
        // Lines of one reply are sent as one, wherever they are.
        let is_apart = ids.reply.is_some_and(|id| self.reply != Some(id) && !self.turns(id, Id::New, Id::Done));
        self.reply = ids.reply;
        let mut calls = ids.calls();
        !is_early
            && !is_apart
            && message.blocks().all(|block| {
                let is_behind_call = self.last.replace(block) == Some(Outline::Call);
                match block {
                    Outline::Text | Outline::Thinking => !is_behind_call,
                    Outline::Call => {
                        self.open += 1;
                        calls.next().is_some_and(|id| self.turns(id, Id::New, Id::Open))
                    }
                    Outline::Result => false,
                }
            })
    }

    /// A prompt or results: all results come first.
    fn takes_prompt(&mut self, message: &PlainMessage<'_>, ids: &RecordIds<'_>) -> bool {
        if self.last.take() == Some(Outline::Thinking) {
            return false;
        }
        let mut results = ids.results();
        message.blocks().all(|block| match block {
            Outline::Text => self.open == 0,
            Outline::Result => {
                let is_answer = results.next().is_some_and(|id| self.turns(id, Id::Open, Id::Done));
                self.open -= usize::from(is_answer);
                is_answer
            }
            Outline::Call | Outline::Thinking => false,
        })
    }

    /// Whether a prompt may follow.
    fn may_end(&self) -> bool {
        self.open == 0 && self.last != Some(Outline::Thinking)
    }

    /// Turns an id from one into another; gives whether it was the first.
    fn turns(&mut self, id: u32, from: Id, to: Id) -> bool {
        self.ids.get_mut(id as usize).is_some_and(|known| std::mem::replace(known, to) == from)
    }
}
