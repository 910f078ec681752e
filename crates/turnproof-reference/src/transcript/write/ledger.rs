//! The *ledger* knows what is recorded, and what of a list is new; it does not write.

use std::collections::{HashMap, HashSet};

use crate::json::Text;
use crate::message::{Event, Maybe, Message, SideRecord};

use super::disk::{AppendError, Appended, DiskFault};
use super::hints::RecordHints;
use super::preserved::Preserved;
use super::queue::{Batch, Linked, Queue, Waiting};
use super::recorder::{FlushReport, RecordError, RecorderOptions};

/// What is recorded, and what waits. Uuids are compared as they are shown.
#[derive(Debug, Default)]
pub(super) struct Ledger {
    pub(super) options: RecorderOptions,
    queue: Queue,
    /// The number of the queue's place that each recorded message has or had.
    recorded: HashMap<Box<str>, u64>,
    /// What was withdrawn before it was written.
    withdrawn: HashSet<Box<str>>,
    /// The last message written.
    last_written: Option<Text>,
    /// The last message written or queued.
    last: Option<Text>,
    pub(super) tip: Option<Text>,
    /// What the caller says about the next list, then about the one that is gone through.
    pub(super) hints: RecordHints,
    /// Whether the last append failed, so that the file may end inside a line.
    may_be_torn: bool,
    /// Whether the disk has confirmed all that is written.
    pub(super) is_confirmed: bool,
    pub(super) now_ms: u64,
    /// Since when something waits, or since the last try to write it.
    waits_since_ms: Option<u64>,
    /// Why a thread could not write, until somebody asks.
    pub(super) failure: Option<RecordError>,
}

impl Ledger {
    /// Goes on with a file that holds these uuids.
    pub(super) fn new(
        options: RecorderOptions,
        recorded: impl IntoIterator<Item = impl Into<Box<str>>>,
        last: Option<Text>,
    ) -> Self {
        // Place 0 is that of all that is in the file.
        let queue = Queue::starting_at(1);
        let recorded = recorded.into_iter().map(|uuid| (uuid.into(), 0)).collect();
        Self { options, queue, recorded, last_written: last.clone(), last, is_confirmed: true, ..Self::default() }
    }

    pub(super) fn is_recorded(&self, uuid: &str) -> bool {
        self.recorded.contains_key(uuid)
    }

    pub(super) fn queued(&self) -> usize {
        self.queue.len()
    }

    /// Queues what is new in a list; gives the tip at its end.
    pub(super) fn record(&mut self, list: &[Event]) -> Result<Option<Text>, RecordError> {
        let outcome = self.go_through(list);
        self.hints = RecordHints::default();
        outcome
    }

    fn go_through(&mut self, list: &[Event]) -> Result<Option<Text>, RecordError> {
        refuse_without_uuid(list)?;
        let mut preserved = Preserved::of(list);
        let hint = self.hints.starting_parent.take().filter(|uuid| self.is_recorded(uuid));
        let mut tip = hint.as_ref();
        let mut met_new = false;
        for message in list.iter().filter_map(to_write) {
            let Some(uuid) = message.envelope().uuid.get() else { continue };
            if self.withdrawn.contains(uuid.as_str()) {
                continue;
            }
            if let Some(&number) = self.recorded.get(uuid.as_str()) {
                // The message given last is written, if the one under its uuid still waits.
                if let Some(waiting) = self.queue.message_mut(number) {
                    waiting.replace(message.clone());
                }
                tip = if met_new { tip } else { Some(uuid) };
                continue;
            }
            met_new = true;
            if message.is_compact_boundary() {
                self.queue_preserved(message, &mut preserved);
            }
            self.queue_message(message, tip);
            tip = Some(uuid);
        }
        self.tip = tip.cloned();
        Ok(self.tip.clone())
    }

    /// Queues what is new of the messages that a boundary preserves, one after the other.
    fn queue_preserved(&mut self, boundary: &Message, preserved: &mut Preserved<'_>) {
        for message in preserved.by(boundary, &|uuid| self.recorded.contains_key(uuid)) {
            let is_new = |uuid: &str| !self.recorded.contains_key(uuid) && !self.withdrawn.contains(uuid);
            if message.uuid().is_some_and(is_new) {
                let last = self.last.take();
                self.queue_message(message, last.as_ref());
            }
        }
    }

    /// Queues a new message after `before`, or where else it belongs; a boundary has no parent.
    fn queue_message(&mut self, message: &Message, before: Option<&Text>) {
        let Some(uuid) = message.envelope().uuid.get() else { return };
        let is_boundary = message.is_compact_boundary();
        let parent = if is_boundary { None } else { self.source(message).or(before) };
        let parent = parent.cloned().map_or(Maybe::Null, Maybe::Is);
        let logical = if is_boundary { self.last.clone().map_or(Maybe::Absent, Maybe::Is) } else { Maybe::Absent };
        let number =
            self.queue.push(Waiting::Message(Linked::new(message.clone(), parent, logical, self.hints.team.clone())));
        self.recorded.insert(uuid.as_str().into(), number);
        self.last = Some(uuid.clone());
        self.waits_since_ms.get_or_insert(self.now_ms);
    }

    /// The recorded message whose call this one answers.
    fn source<'m>(&self, message: &'m Message) -> Option<&'m Text> {
        let Message::User(user) = message else { return None };
        let source = user.source_tool_assistant_uuid.get()?;
        (message.is_tool_result() && self.is_recorded(source)).then_some(source)
    }

    /// Queues a side record.
    pub(super) fn record_side(&mut self, record: SideRecord) {
        self.queue.push(Waiting::Side(record.fields));
        self.waits_since_ms.get_or_insert(self.now_ms);
    }

    /// Drops messages that still wait; gives the uuids of those that are on disk already.
    pub(super) fn withdraw<'u>(&mut self, uuids: impl IntoIterator<Item = &'u str>) -> Vec<String> {
        let mut written = Vec::new();
        let mut numbers = Vec::new();
        for uuid in uuids {
            match self.recorded.get(uuid) {
                Some(&number) if self.queue.can_change(number) => numbers.push(number),
                Some(_) => written.push(uuid.to_owned()),
                None => {}
            }
        }
        numbers.sort_unstable();
        let mut parent_of_gone: HashMap<Box<str>, Option<Text>> = HashMap::new();
        for message in numbers.into_iter().filter_map(|number| self.queue.take(number)) {
            let Some(uuid) = message.uuid() else { continue };
            // In the order of the queue, so a parent that is gone too is known already.
            let above = |uuid: &Text| parent_of_gone.get(uuid.as_str()).cloned().unwrap_or_else(|| Some(uuid.clone()));
            let parent = message.parent.get().and_then(above);
            self.recorded.remove(uuid.as_str());
            self.withdrawn.insert(uuid.as_str().into());
            parent_of_gone.insert(uuid.as_str().into(), parent);
        }
        self.queue.relink(&parent_of_gone);
        self.last = self.queue.last().or(self.last_written.as_ref()).cloned();
        if let Some(above) = self.tip.as_ref().and_then(|tip| parent_of_gone.get(tip.as_str())) {
            self.tip = above.clone();
        }
        written
    }

    /// Forgets what is recorded and what messages wait; side records go on waiting.
    pub(super) fn start_over(&mut self) {
        self.queue.drop_messages();
        self.recorded.clear();
        self.last_written = None;
        self.last = None;
        self.tip = None;
    }
}

/// Writing what waits.
impl Ledger {
    /// The lines of everything that waits; `None` when there is nothing to do.
    pub(super) fn batch(&mut self) -> Option<Batch> {
        (self.queue.len() > 0 || self.may_be_torn).then(|| self.queue.batch(&self.options))
    }

    /// Takes note of what came of appending the lines of a batch.
    pub(super) fn settle(
        &mut self,
        batch: &Batch,
        outcome: Result<Appended, AppendError>,
    ) -> Result<FlushReport, RecordError> {
        let taken = outcome.as_ref().map_or_else(|error| error.taken, |_| batch.lines.len());
        let (lines, last) = self.queue.settle(batch, taken);
        self.last_written = last.or(self.last_written.take());
        self.is_confirmed = false;
        self.may_be_torn = outcome.is_err();
        let queued = self.queue.len();
        self.waits_since_ms = (queued > 0).then_some(self.now_ms);
        match outcome.map_err(|error| error.fault) {
            Ok(Appended { healed }) => Ok(FlushReport { lines, bytes: taken as u64, healed }),
            Err(DiskFault::Io(source)) => Err(RecordError::Disk { written: lines, queued, source }),
            Err(DiskFault::Lost(path)) => Err(RecordError::Lost { path, queued }),
        }
    }

    /// Takes note of whether the disk confirmed all that is written.
    pub(super) fn confirmed(&mut self, outcome: std::io::Result<()>) -> Result<(), RecordError> {
        self.is_confirmed = outcome.is_ok();
        outcome.map_err(|source| RecordError::NotConfirmed { source })
    }

    pub(super) fn due_at(&self) -> Option<u64> {
        self.waits_since_ms.map(|since| since.saturating_add(self.options.period_ms))
    }
}

/// The message, if it is one that is written.
pub(super) fn to_write(event: &Event) -> Option<&Message> {
    event.message().filter(|message| message.kind().is_persisted() && !message.is_virtual())
}

fn refuse_without_uuid(list: &[Event]) -> Result<(), RecordError> {
    let is_without = |event| to_write(event).is_some_and(|message| message.uuid().is_none());
    match list.iter().position(is_without) {
        Some(index) => Err(RecordError::NoUuid { index, kind: list[index].kind().name() }),
        None => Ok(()),
    }
}
