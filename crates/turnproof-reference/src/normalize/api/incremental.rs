//! An *incremental* normalizer keeps a request up to date while messages are appended, at a cost
//! that does not grow with what was appended before.
//!
//! The list is cut at a seam, where a reply begins. What comes before is settled, its turns are kept; what follows is
//! normalized again. Some messages change turns before the seam: a tombstone, a line of an earlier reply, a late
//! result. Each of them, and each that removes the reply at the seam, costs one run over the whole list.

use std::collections::HashSet;

use twox_hash::XxHash3_64;

use crate::message::{Event, Message};

use super::draft::{Role, Turn};
use super::ids::Paired;
use super::trace::Notes;
use super::{Options, Surroundings, run};

/// How many messages are settled at once, at least: fewer are normalized again faster than settled.
const LEAST: usize = 16;

/// A normalizer that is given messages one by one.
///
/// Its turns are those of [`normalize_for_api`](super::normalize_for_api) over all messages so far.
///
/// ```
/// use turnproof_reference::message::{Event, Factory, FixedContext, Message};
/// use turnproof_reference::normalize::api::{Incremental, Options, normalize_for_api};
///
/// let mut context = FixedContext::new(1);
/// let mut factory = Factory::new(&mut context);
/// let messages: Vec<Event> =
///     (0..100).map(|n| Message::from(factory.user(format!("{n}"))).into()).collect();
/// let mut incremental = Incremental::new(Options::default());
/// incremental.extend(messages.iter().cloned());
/// assert_eq!(incremental.turns(), normalize_for_api(&messages, &Options::default()));
/// ```
#[derive(Debug)]
pub struct Incremental {
    options: Options,
    least: usize,
    messages: Vec<Event>,
    /// Whether the turns are those of the messages.
    is_fresh: bool,
    turns: Vec<Turn<'static>>,
    settled: Settled,
    rebuilds: u64,
}

/// What is settled: the messages before the seam.
#[derive(Debug, Default)]
struct Settled {
    /// How many messages.
    messages: usize,
    /// How many turns they are.
    turns: usize,
    /// The calls of those turns.
    paired: Paired,
    /// The ids of their replies, and the uuids of their assistant messages.
    ids: SettledIds,
}

/// Hashes of the ids that a message could reach back by. Two ids with one hash cost at most a run from
/// the start; the ids themselves would cost memory for ever.
#[derive(Debug, Default)]
struct SettledIds {
    replies: HashSet<u64>,
    uuids: HashSet<u64>,
}

impl SettledIds {
    fn add(&mut self, message: &Event) {
        if let Event::Message(Message::Assistant(line)) = message {
            let reply = line.reply_id().filter(|reply| !reply.is_empty());
            self.replies.extend(reply.map(hash));
            self.uuids.extend(line.envelope.uuid.as_str().map(hash));
        }
    }

    /// Whether a message is a line of one of the replies, or withdraws one of the messages.
    fn are_reached_by(&self, message: &Event) -> bool {
        match message {
            Event::Message(Message::Assistant(line)) => {
                line.reply_id().is_some_and(|reply| self.replies.contains(&hash(reply)))
            }
            Event::Tombstone(tombstone) => tombstone.withdrawn().is_some_and(|uuid| self.uuids.contains(&hash(&uuid))),
            _ => false,
        }
    }
}

impl Incremental {
    /// A normalizer without messages.
    pub fn new(options: Options) -> Self {
        Self {
            options,
            least: LEAST,
            messages: Vec::new(),
            is_fresh: true,
            turns: Vec::new(),
            settled: Settled::default(),
            rebuilds: 0,
        }
    }

    /// The same normalizer, settling so many messages at once, at least; the turns do not depend on it.
    #[must_use]
    pub fn settling(mut self, messages: usize) -> Self {
        self.least = messages;
        self
    }

    /// Appends a message.
    pub fn push(&mut self, message: Event) {
        if self.settled.ids.are_reached_by(&message) {
            self.unsettle();
        }
        self.messages.push(message);
        self.is_fresh = false;
    }

    /// The messages so far.
    pub fn messages(&self) -> &[Event] {
        &self.messages
    }

    /// How many messages are settled: they are not normalized again for a message that is appended,
    /// unless it reaches back to them. In an ordinary session all but the last few are.
    pub fn settled(&self) -> usize {
        self.settled.messages
    }

    /// How often a message reached back so far that everything was normalized again.
    pub fn rebuilds(&self) -> u64 {
        self.rebuilds
    }

    /// The request for the messages so far. `source`s of turns count from the first message.
    pub fn turns(&mut self) -> &[Turn<'static>] {
        if !self.is_fresh {
            self.refresh();
            self.is_fresh = true;
        }
        &self.turns
    }

    fn unsettle(&mut self) {
        self.rebuilds += 1;
        self.settled = Settled::default();
    }

    /// Normalizes what is not settled, and settles what has become old.
    fn refresh(&mut self) {
        let mut live = self.live();
        let has_lost_its_reply = live.first().is_none_or(|first| first.role == Role::User);
        let Settled { turns, paired, .. } = &self.settled;
        if paired.reached_back || (*turns > 0 && has_lost_its_reply) {
            self.unsettle();
            live = self.live();
        }
        let (settled, live_messages) = self.messages.split_at(self.settled());
        if let Some(seam) =
            last_seam(&live, settled.len()).filter(|seam| *seam >= self.least && is_free(live_messages, *seam))
        {
            self.settle(settled.len() + seam);
            live = self.live();
        }
        self.turns.truncate(self.settled.turns);
        self.turns.extend(live);
    }

    /// The turns of the messages after the seam.
    fn live(&mut self) -> Vec<Turn<'static>> {
        self.turns_up_to(self.messages.len(), false)
    }

    /// Settles the messages before a new seam.
    fn settle(&mut self, seam: usize) {
        let settled = self.turns_up_to(seam, true);
        self.turns.truncate(self.settled.turns);
        self.turns.extend(settled);
        for message in &self.messages[self.settled()..seam] {
            self.settled.ids.add(message);
        }
        self.settled.messages = seam;
        self.settled.turns = self.turns.len();
    }

    /// The turns of the messages from the seam to `end`; `stays` says that they are being settled, with
    /// a reply after them.
    fn turns_up_to(&mut self, end: usize, stays: bool) -> Vec<Turn<'static>> {
        let Settled { messages: before, turns, paired, .. } = &mut self.settled;
        let surroundings = Surroundings { before: *before, continues: *turns > 0, is_followed: stays };
        paired.begin(stays);
        let (turns, _) = run(&self.messages[*before..end], &self.options, paired, surroundings, Notes::new(false));
        turns.into_iter().map(Turn::into_owned).collect()
    }
}

impl Extend<Event> for Incremental {
    fn extend<I: IntoIterator<Item = Event>>(&mut self, messages: I) {
        messages.into_iter().for_each(|message| self.push(message));
    }
}

/// Whether no message from the seam on belongs to what is before it.
fn is_free(messages: &[Event], seam: usize) -> bool {
    let (old, live) = messages.split_at(seam);
    let mut ids = SettledIds::default();
    old.iter().for_each(|message| ids.add(message));
    !live.iter().any(|message| ids.are_reached_by(message))
}

/// The last place where a new seam can be: nothing that is known reaches back over it. Places count from the last seam,
/// which `before` messages precede; the turns are those since. Left out is the last reply, any that may yet be dropped,
/// and any that shares a message with a turn on the other side.
fn last_seam(turns: &[Turn<'_>], before: usize) -> Option<usize> {
    // For each turn, the place behind all messages of those before it.
    let mut end = 0;
    let end_before = |turn| {
        let longer = places(turn).fold(end, |end, place| end.max(place + 1));
        std::mem::replace(&mut end, longer)
    };
    let ends: Vec<usize> = turns.iter().map(end_before).collect();
    let (mut first, mut is_last) = (usize::MAX, true);
    turns.iter().enumerate().rev().find_map(|(index, turn)| {
        let seam = places(turn).min()?;
        first = first.min(seam);
        if turn.role == Role::User || std::mem::take(&mut is_last) {
            return None;
        }
        // A reply that keeps a block whatever follows it: text or a call.
        let lasts = turn.content.iter().any(|part| matches!(part.type_name(), "text" | "tool_use"));
        let is_apart = ends[index] <= seam && seam <= first;
        (lasts && is_apart && seam > before).then(|| seam - before)
    })
}

/// The places in the input of the messages that a turn is made of, as far as they show.
fn places(turn: &Turn<'_>) -> impl Iterator<Item = usize> {
    let sources = turn.content.iter().map(|part| part.source);
    sources.chain([turn.source]).flatten().map(|place| place as usize)
}

/// What an id is remembered by.
fn hash(id: &str) -> u64 {
    XxHash3_64::oneshot(id.as_bytes())
}
