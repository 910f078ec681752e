//! The *event log* is what the loop has yielded, in order; the messages that remain are computed from it.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::json::{Raw, Text};
use crate::message::{Block, Content, Event, Maybe, Message, Tombstone, Typed, User};

use super::error::StreamError;
use super::lines::{LateFields, Yielded};

/// A place in the list of messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Slot<'l> {
    /// A message that remains.
    Message(Cow<'l, Message>),
    /// A message that was withdrawn. A user message with nothing but results of withdrawn calls has
    /// a tombstone without id and time, since none was yielded for it.
    Tombstone(Arc<Tombstone>),
}

impl Slot<'_> {
    /// The message or the tombstone as JSON.
    pub fn write(&self) -> Raw {
        match self {
            Self::Message(message) => message.write(),
            Self::Tombstone(tombstone) => Event::Tombstone(Arc::clone(tombstone)).write(),
        }
    }
}

impl From<Slot<'_>> for Event {
    fn from(slot: Slot<'_>) -> Self {
        match slot {
            Slot::Message(message) => Self::Message(message.into_owned()),
            Slot::Tombstone(tombstone) => Self::Tombstone(tombstone),
        }
    }
}

/// What the loop has yielded. It is only ever appended to; its views cost one pass.
///
/// ```
/// use turnproof_reference::message::{Factory, FixedContext, Message};
/// use turnproof_reference::stream::{EventLog, Slot};
///
/// let mut context = FixedContext::new(1);
/// let mut factory = Factory::new(&mut context);
/// let (prompt, reply) = (factory.user("hello"), Message::from(factory.assistant("Good mor")));
/// let tombstone = factory.tombstone(&reply);
/// let mut log = EventLog::new();
/// log.append(Message::from(prompt));
/// log.append(reply);
/// log.append(tombstone);
/// assert_eq!((log.events().count(), log.live().len(), log.slots().len()), (3, 1, 2));
/// assert!(matches!(log.slots()[1], Slot::Tombstone(_)));
/// ```
#[derive(Clone, Debug, Default)]
pub struct EventLog {
    events: Vec<Event>,
    /// The late fields of events, by their places.
    late: HashMap<usize, LateFields>,
    /// Of each uuid, the places of the assistant messages that have it and are not withdrawn.
    shown: HashMap<Text, Vec<usize>>,
    /// Of each assistant message that is withdrawn, the place of its tombstone.
    tombstones: HashMap<usize, usize>,
}

impl EventLog {
    /// An empty log.
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends an event. A tombstone withdraws every assistant message before it that has the uuid of
    /// the message it holds; for what is unknown or withdrawn already, it changes nothing.
    pub fn append(&mut self, event: impl Into<Event>) {
        let (place, event) = (self.events.len(), event.into());
        match &event {
            Event::Message(Message::Assistant(line)) => {
                if let Some(uuid) = line.envelope.uuid.get() {
                    self.shown.entry(uuid.clone()).or_default().push(place);
                }
            }
            Event::Tombstone(tombstone) => {
                let shown = tombstone.withdrawn().and_then(|uuid| self.shown.remove(&uuid));
                self.tombstones.extend(shown.unwrap_or_default().into_iter().map(|at| (at, place)));
            }
            _ => {}
        }
        self.events.push(event);
    }

    /// Appends what came late for the last assistant message of this uuid; gives whether one is shown.
    pub fn amend(&mut self, uuid: &Text, late: LateFields) -> bool {
        let Some(&place) = self.shown.get(uuid).and_then(|places| places.last()) else { return false };
        self.late.entry(place).or_default().add(&late);
        true
    }

    /// Appends what an event of a stream has yielded; gives what was wrong with that event.
    pub fn append_yielded(&mut self, yielded: Yielded) -> Option<StreamError> {
        yielded.messages.into_iter().for_each(|line| self.append(Message::from(line)));
        if let Some(amended) = yielded.amended {
            self.amend(&amended.uuid, amended.late);
        }
        yielded.error
    }

    /// The events, as they were when they were yielded.
    pub fn events(&self) -> impl Iterator<Item = &Event> {
        self.events.iter()
    }

    /// The messages that remain, late fields set: without what was withdrawn, and without the results
    /// of calls that only withdrawn messages hold.
    pub fn live(&self) -> Vec<Cow<'_, Message>> {
        let remains = |slot| match slot {
            Slot::Message(message) => Some(message),
            Slot::Tombstone(_) => None,
        };
        self.slots().into_iter().filter_map(remains).collect()
    }

    /// The same list, with a tombstone in the place of each message that does not remain: the indexes
    /// of earlier messages never change.
    pub fn slots(&self) -> Vec<Slot<'_>> {
        let withdrawn_calls = self.withdrawn_calls();
        let events = self.events.iter().enumerate();
        let slots = events.filter_map(|(place, event)| match event {
            Event::Message(message) => Some(self.slot(place, message, &withdrawn_calls)),
            _ => None,
        });
        slots.collect()
    }

    fn slot<'l>(&'l self, place: usize, message: &'l Message, withdrawn_calls: &Withdrawn<'_>) -> Slot<'l> {
        if let Some(Event::Tombstone(tombstone)) = self.tombstones.get(&place).and_then(|&at| self.events.get(at)) {
            return Slot::Tombstone(Arc::clone(tombstone));
        }
        match message {
            Message::Assistant(line) => Slot::Message(match self.late.get(&place) {
                Some(late) => {
                    let mut line = Arc::clone(line);
                    late.set_on(Arc::make_mut(&mut line));
                    Cow::Owned(Message::Assistant(line))
                }
                None => Cow::Borrowed(message),
            }),
            Message::User(user)
                if message.blocks().iter().any(|block| is_result_of(block, withdrawn_calls.of(user))) =>
            {
                match without_results(user, withdrawn_calls.of(user)) {
                    Some(user) => Slot::Message(Cow::Owned(user.into())),
                    None => Slot::Tombstone(Arc::new(Tombstone::of(message))),
                }
            }
            _ => Slot::Message(Cow::Borrowed(message)),
        }
    }

    fn withdrawn_calls(&self) -> Withdrawn<'_> {
        let mut withdrawn = Withdrawn::default();
        if self.tombstones.is_empty() {
            return withdrawn;
        }
        let mut live = HashSet::new();
        for (place, event) in self.events.iter().enumerate() {
            let Some(message) = event.message() else { continue };
            let is_withdrawn = self.tombstones.contains_key(&place);
            let calls = if is_withdrawn { &mut withdrawn.all } else { &mut live };
            calls.extend(message.tool_uses().filter_map(|call| call.id.get()));
            withdrawn.lines.extend(message.envelope().uuid.get().filter(|_| is_withdrawn));
        }
        withdrawn.alone = withdrawn.all.difference(&live).copied().collect();
        withdrawn
    }
}

/// What withdrawn messages held.
#[derive(Default)]
struct Withdrawn<'l> {
    /// Their uuids.
    lines: HashSet<&'l Text>,
    /// Their calls.
    all: HashSet<&'l Text>,
    /// Those of them that no other message holds.
    alone: HashSet<&'l Text>,
}

impl<'l> Withdrawn<'l> {
    /// The calls whose results in this message are withdrawn. Where another message has a call with the id, the source
    /// says which call a result answers.
    fn of(&self, user: &User) -> &HashSet<&'l Text> {
        let source = user.source_tool_assistant_uuid.get();
        if source.is_some_and(|line| self.lines.contains(line)) { &self.all } else { &self.alone }
    }
}

/// Whether a block is the result of one of these calls.
fn is_result_of(block: &Block, calls: &HashSet<&Text>) -> bool {
    match block {
        Block::ToolResult(result) => result.tool_use_id.get().is_some_and(|id| calls.contains(id)),
        _ => false,
    }
}

/// The message without results of these calls; `None` if nothing is left of it.
fn without_results(user: &User, calls: &HashSet<&Text>) -> Option<User> {
    let blocks = user.content().map_or(&[][..], Content::blocks).iter();
    let kept: Vec<Block> = blocks.filter(|block| !is_result_of(block, calls)).cloned().collect();
    if kept.is_empty() {
        return None;
    }
    let mut user = user.clone();
    if !kept.iter().any(|block| matches!(block, Block::ToolResult(_))) {
        // They describe the result that is gone.
        user.tool_use_result = Maybe::Absent;
        user.source_tool_assistant_uuid = Maybe::Absent;
        user.mcp_meta = Maybe::Absent;
    }
    if let Some(body) = user.message.get_mut() {
        body.content = Content::Blocks(kept).into();
    }
    Some(user)
}
