//! *Stretches* are the parts of a long list that are normalized one after the other, so that few messages are in
//! memory at once. Between two of them is a seam.
//!
//! What reaches back to a message can stand far behind it: a line of its reply, a tombstone, a result. So a list is
//! read twice: once for an [`Outlook`], which knows where the last of these stands, and once for the turns.

use std::collections::HashMap;

use crate::message::{Block, Event, Message};

use super::draft::{Part, Turn};
use super::listed::Media;
use super::seam::{Before, hash, places, seam};
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

    /// Whether a line of the message's reply stands at this place or later.
    fn joins(&self, message: &Message, place: usize) -> bool {
        reply_of(message).is_some_and(|reply| self.replies.get(&hash(reply)).is_some_and(|last| *last >= place))
    }

    /// Whether a tombstone for the message stands at this place or later.
    fn withdraws(&self, message: &Message, place: usize) -> bool {
        let uuid = message.uuid().filter(|_| matches!(message, Message::Assistant(_)));
        uuid.is_some_and(|uuid| self.withdrawals.get(&hash(uuid)).is_some_and(|last| *last >= place))
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

/// Hands over the ids of calls that a message has results for.
fn answered(message: &Message, mut take: impl FnMut(&str)) {
    let mut take = |block: &Block| {
        if let Block::ToolResult(result) = block {
            take(result.tool_use_id.as_str().unwrap_or_default());
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

    /// Where the live messages can be cut.
    fn seam(&mut self, live: &[Event]) -> Option<usize> {
        let before = self.before.messages;
        let turns = self.before.turns_after(live, &self.options, false);
        let (seam, reply) = seam(&turns, before)?;
        let message = |place: usize| live[place - before].message();
        let is_withdrawn = |message| self.outlook.withdraws(message, before + live.len());
        let may_go = places(reply).filter_map(message).any(is_withdrawn);
        let reaches_back = |old| self.outlook.joins(old, before + seam) || self.outlook.withdraws(old, before + seam);
        let is_reached = live[..seam].iter().filter_map(Event::message).any(reaches_back);
        (!may_go && !is_reached).then_some(seam)
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
