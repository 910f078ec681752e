//! *Stretches* are the parts of a long list that are normalized one after the other, so that few messages are in
//! memory at once. Between two of them is a seam.
//!
//! What reaches back to a message can stand far behind it: a line of its reply, a tombstone, a result. So a list is
//! read twice: once for an [`Outlook`], which knows where the last of these stands, and once for the turns.

use std::collections::HashMap;

use crate::message::{Block, Event, Message};

use super::draft::{Part, Turn};
use super::listed::Media;
use super::seam::{Before, hash, places, seams};
use super::{Options, attachment};

/// How many messages are normalized at once, at least.
const LEAST: usize = 1024;

/// Where the messages of a list stand that reach back to others; some 16 bytes each.
#[derive(Clone, Debug, Default)]
pub struct Outlook {
    messages: usize,
    /// The last line of each reply.
    replies: HashMap<u64, usize>,
    /// The last tombstone for each uuid.
    withdrawals: HashMap<u64, usize>,
    /// The last result for each id of a call.
    results: HashMap<u64, usize>,
}

impl Outlook {
    /// Takes note of the next message of the list.
    pub fn note(&mut self, message: &Event) {
        let at = self.messages;
        self.messages += 1;
        match message {
            Event::Tombstone(tombstone) => {
                self.withdrawals.extend(tombstone.withdrawn().map(|uuid| (hash(&uuid), at)));
            }
            Event::Message(message) => {
                self.replies.extend(reply_of(message).map(|reply| (hash(reply), at)));
                let results = &mut self.results;
                answered(message, |id| {
                    results.insert(hash(id), at);
                });
            }
            _ => {}
        }
    }

    /// The place behind the last line of a message's reply, and the last tombstone for it; 0 where there is none.
    fn end_of(&self, message: &Message) -> usize {
        let reply = reply_of(message).and_then(|reply| self.replies.get(&hash(reply)));
        reply.max(self.withdrawal_of(message)).map_or(0, |last| last + 1)
    }

    /// Whether a tombstone for the message stands at this place or later.
    fn withdraws(&self, message: &Message, place: usize) -> bool {
        self.withdrawal_of(message).is_some_and(|last| *last >= place)
    }

    fn withdrawal_of(&self, message: &Message) -> Option<&usize> {
        let uuid = message.uuid().filter(|_| matches!(message, Message::Assistant(_)));
        self.withdrawals.get(&hash(uuid?))
    }

    /// Whether a result for this id stands at this place or later.
    fn answers(&self, id: &str, place: usize) -> bool {
        self.results.get(&hash(id)).is_some_and(|last| *last >= place)
    }
}

/// The id of the reply that a message is a line of.
fn reply_of(message: &Message) -> Option<&str> {
    match message {
        Message::Assistant(line) => line.reply_id().filter(|reply| !reply.is_empty()),
        _ => None,
    }
}

/// Hands over the ids of calls that a message has results for. A result without an id answers none.
fn answered(message: &Message, mut take: impl FnMut(&str)) {
    let mut take = |block: &Block| {
        if let Block::ToolResult(result) = block {
            result.tool_use_id.as_str().map(&mut take);
        }
    };
    match message {
        Message::Attachment(attachment) => {
            let parts = attachment::parts(0, attachment, Media::NONE).unwrap_or_default();
            parts.iter().filter_map(Part::block).for_each(take);
        }
        _ => message.blocks().iter().for_each(&mut take),
    }
}

/// Makes the request of [`normalize_for_api`](super::normalize_for_api) stretch by stretch.
///
/// ```
/// use turnproof::message::{Event, Factory, FixedContext, Message};
/// use turnproof::normalize::api::{Options, Outlook, Stretches};
///
/// let list = || {
///     let mut context = FixedContext::new(1);
///     let said = |n| format!("number {n}");
///     let pairs = (0..2_000).flat_map(move |n| {
///         let mut factory = Factory::new(&mut context);
///         [Message::from(factory.user(said(n))), factory.assistant(said(n)).into()]
///     });
///     pairs.map(Event::from)
/// };
/// let mut outlook = Outlook::default();
/// list().for_each(|message| outlook.note(&message));
/// let mut turns = 0;
/// Stretches::new(Options::default(), outlook).each_turn(list().map(Ok), |_| {
///     turns += 1;
///     Ok::<(), std::io::Error>(())
/// })?;
/// assert_eq!(turns, 4_000);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Stretches {
    options: Options,
    outlook: Outlook,
    least: usize,
    before: Before,
}

impl Stretches {
    /// A normalizer of the list that the outlook has been told of.
    pub fn new(options: Options, outlook: Outlook) -> Self {
        Self { options, outlook, least: LEAST, before: Before::default() }
    }

    /// The same normalizer, with stretches of at least so many messages; the turns do not depend on it.
    #[must_use]
    pub fn settling(mut self, messages: usize) -> Self {
        self.least = messages;
        self
    }

    /// Hands over each turn of the list's request, as soon as no message to come can change it; `source`s count from
    /// the first message. With a list that is not the outlook's the turns are unspecified. Fails where a message cannot
    /// be given or `take` fails, and then stops.
    ///
    /// In an ordinary session some thousand messages are in memory at once, however long it is. Where a message reaches
    /// far back, all that is between is.
    pub fn each_turn<E>(
        mut self,
        messages: impl IntoIterator<Item = Result<Event, E>>,
        mut take: impl FnMut(Turn<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut live: Vec<Event> = Vec::new();
        let mut enough = self.least;
        for message in messages {
            live.push(message?);
            if live.len() < enough {
                continue;
            }
            if let Some(seam) = self.seam(&live)
                && let Some(turns) = self.settle(&live[..seam])
            {
                turns.into_iter().try_for_each(&mut take)?;
                live.drain(..seam);
            }
            // What is live for long is not normalized often.
            enough = live.len() + live.len().max(self.least);
        }
        self.before.turns_after(&live, &self.options, false).into_iter().try_for_each(take)
    }

    /// The last place where the live messages can be cut.
    fn seam(&mut self, live: &[Event]) -> Option<usize> {
        let before = self.before.messages;
        let turns = self.before.turns_after(live, &self.options, false);
        // For each live message, the place behind all that reaches back to those before it.
        let mut end = 0;
        let end_before = |message: &Event| {
            let longer = message.message().map_or(0, |message| self.outlook.end_of(message)).max(end);
            std::mem::replace(&mut end, longer)
        };
        let ends: Vec<usize> = live.iter().map(end_before).collect();
        let is_withdrawn = |place: usize| {
            let message = live[place - before].message();
            message.is_some_and(|message| self.outlook.withdraws(message, before + live.len()))
        };
        let is_free = |seam: usize, reply| ends[seam] <= before + seam && !places(reply).any(is_withdrawn);
        seams(&turns, before).find(|(seam, reply)| is_free(*seam, reply)).map(|(seam, _)| seam)
    }

    /// The turns of messages that end at a seam; `None` when a result behind it answers one of their calls.
    fn settle<'m>(&mut self, messages: &'m [Event]) -> Option<Vec<Turn<'m>>> {
        let turns = self.before.turns_after(messages, &self.options, true);
        let seam = self.before.messages + messages.len();
        if self.before.paired.has_waiting(|id| self.outlook.answers(id, seam)) {
            self.before.paired.forget();
            return None;
        }
        self.before.messages = seam;
        self.before.turns += turns.len();
        Some(turns)
    }
}
