//! A *recorder* is given a conversation's list of messages again and again, and writes what is new.

use std::io::{self, Read};
use std::path::PathBuf;

use crate::json::Text;
use crate::message::{Envelope, Event, Maybe, SideRecord};

use super::super::{Flag, Found, Record, Scanner};
use super::disk::Disk;
use super::hints::RecordHints;
use super::ledger::Ledger;

/// Writes what is new in a list of messages to a transcript; see [the module](super) for how.
///
/// ```
/// use turnproof_reference::message::Event;
/// use turnproof_reference::transcript::write::{MemoryDisk, Recorder, RecorderOptions};
///
/// let list: Vec<Event> = serde_json::from_str(
///     r#"[{"type":"user","uuid":"u1","message":{"role":"user","content":"Hello"}},
///         {"type":"assistant","uuid":"u2","message":{"role":"assistant","content":[]}}]"#,
/// )?;
/// let mut recorder = Recorder::new(MemoryDisk::default(), RecorderOptions::new("s1"));
/// let tip = recorder.record(&list)?;
/// assert_eq!(tip.as_deref(), Some("u2"));
/// assert_eq!(recorder.flush()?.lines, 2);
/// recorder.record(&list)?;
/// assert_eq!(recorder.queued(), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Recorder<D> {
    pub(super) ledger: Ledger,
    pub(super) disk: D,
}

/// What a flush wrote.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FlushReport {
    /// How many lines.
    pub lines: usize,
    /// How many bytes, LFs included, but for the LF that heals.
    pub bytes: u64,
    /// Whether the file ended inside a line, and got a LF first.
    pub healed: bool,
}

impl<D: Disk> Recorder<D> {
    /// A recorder for a new file.
    pub fn new(disk: D, options: RecorderOptions) -> Self {
        Self::resumed(disk, options, None::<&str>, None)
    }

    /// A recorder that goes on with a file: these uuids are recorded, and `last` is the uuid of the file's last
    /// message. [`Held`](super::Held) reads both from a file.
    pub fn resumed(
        disk: D,
        options: RecorderOptions,
        recorded: impl IntoIterator<Item = impl Into<Box<str>>>,
        last: Option<Text>,
    ) -> Self {
        Self { ledger: Ledger::new(options, recorded, last), disk }
    }

    /// Queues what is new in the list of messages as it stands now, and takes later versions of what still waits.
    /// Gives the uuid that the next message will chain to.
    /// Fails with [`RecordError::NoUuid`] when a message that is to be written has none; then nothing is queued.
    pub fn record(&mut self, list: &[Event]) -> Result<Option<Text>, RecordError> {
        self.ledger.record(list)
    }

    /// Says something about the next list, which [`record`](Self::record) or [`before_request`](Self::before_request)
    /// gets. It is forgotten after that list.
    ///
    /// ```
    /// use turnproof_reference::message::Event;
    /// use turnproof_reference::transcript::write::{MemoryDisk, RecordHints, Recorder, RecorderOptions};
    ///
    /// let list: Vec<Event> = serde_json::from_str(
    ///     r#"[{"type":"user","uuid":"u1","message":{"role":"user","content":"Hello"}},
    ///         {"type":"user","uuid":"u2","message":{"role":"user","content":"Again"}}]"#,
    /// )?;
    /// let mut recorder = Recorder::new(MemoryDisk::default(), RecorderOptions::new("s1"));
    /// recorder.record(&list[..1])?;
    /// recorder.hint(RecordHints { starting_parent: Some("u1".into()), team: None });
    /// recorder.record(&list[1..])?;
    /// recorder.flush()?;
    /// assert!(String::from_utf8_lossy(recorder.disk().bytes()).contains(r#""parentUuid":"u1""#));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn hint(&mut self, hints: RecordHints) {
        self.ledger.hints = hints;
    }

    /// Queues a side record, after what is queued already. It is no part of the chain.
    pub fn record_side(&mut self, record: SideRecord) {
        self.ledger.record_side(record);
    }

    /// Records the list, so that a request may be sent: returns only when all of it is in the file and the disk has
    /// confirmed it. Does not wait when the options say so.
    pub fn before_request(&mut self, list: &[Event]) -> Result<Option<Text>, RecordError> {
        let tip = self.record(list)?;
        if self.ledger.options.waits {
            self.flush()?;
            self.confirm()?;
        }
        Ok(tip)
    }

    /// Writes everything that waits, in one append.
    /// Fails with [`RecordError::Disk`] or [`RecordError::Lost`]; what was not written goes on waiting.
    pub fn flush(&mut self) -> Result<FlushReport, RecordError> {
        let Some(batch) = self.ledger.batch() else { return Ok(FlushReport::default()) };
        let outcome = self.disk.append(&batch.lines);
        self.ledger.settle(&batch, outcome)
    }

    /// Has the disk confirm what is written and not yet confirmed. Fails with [`RecordError::NotConfirmed`].
    pub fn confirm(&mut self) -> Result<(), RecordError> {
        if self.ledger.is_confirmed {
            return Ok(());
        }
        let outcome = self.disk.sync();
        self.ledger.confirmed(outcome)
    }

    /// Sets the time, in milliseconds of any clock that does not run backwards. What is queued waits from the
    /// time that was set last.
    pub fn tell_time(&mut self, now_ms: u64) {
        self.ledger.now_ms = now_ms;
    }

    /// Sets the time, and flushes if something has waited for the period of the queue.
    /// After an error the next try is due after another period.
    pub fn flush_if_due(&mut self, now_ms: u64) -> Result<FlushReport, RecordError> {
        self.tell_time(now_ms);
        let is_due = self.due_at().is_some_and(|due| due <= now_ms);
        if is_due { self.flush() } else { Ok(FlushReport::default()) }
    }

    /// When the queue is to be flushed; `None` while nothing waits.
    pub fn due_at(&self) -> Option<u64> {
        self.ledger.due_at()
    }

    /// Withdraws messages, as when a stream is abandoned. Those that still wait are dropped, also from later
    /// lists; what hangs on them then hangs on their parents. Gives the uuids of those that are on disk: their
    /// successor has to name them in `supersedesUuids`.
    pub fn withdraw<'u>(&mut self, uuids: impl IntoIterator<Item = &'u str>) -> Vec<String> {
        self.ledger.withdraw(uuids)
    }

    /// Forgets what is recorded and what messages wait, so that the next list is written whole: for a file that was
    /// [recreated](super::FileDisk::recreate). Side records go on waiting.
    pub fn start_over(&mut self) {
        self.ledger.start_over();
    }

    /// How many lines wait.
    pub fn queued(&self) -> usize {
        self.ledger.queued()
    }

    /// Whether a message is written or waits.
    pub fn is_recorded(&self, uuid: &str) -> bool {
        self.ledger.is_recorded(uuid)
    }

    /// The tip of the last list.
    pub fn tip(&self) -> Option<&Text> {
        self.ledger.tip.as_ref()
    }

    /// The disk.
    pub fn disk(&self) -> &D {
        &self.disk
    }

    /// The disk, to change.
    pub fn disk_mut(&mut self) -> &mut D {
        &mut self.disk
    }

    /// The disk; what waits is lost.
    pub fn into_disk(self) -> D {
        self.disk
    }
}

/// What a recorder adds to each message that does not have it, and when it writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecorderOptions {
    /// The session's id, which each line carries.
    pub session_id: Text,
    /// The working directory.
    pub cwd: Option<Text>,
    /// The client's version.
    pub version: Option<Text>,
    /// The git branch.
    pub git_branch: Option<Text>,
    /// Who uses the client: `external` outside its makers.
    pub user_type: Option<Text>,
    /// Whether what is recorded is a subagent's conversation.
    pub is_sidechain: Option<bool>,
    /// The subagent.
    pub agent_id: Option<Text>,
    /// How long a message may wait in the queue, in milliseconds; 100 by default, which is long enough for the `usage`
    /// and `stop_reason` that end a stream (`record/late-fields`).
    pub period_ms: u64,
    /// Whether a request waits until the disk has confirmed what comes before it; a scripted mode does not.
    pub waits: bool,
}

impl RecorderOptions {
    /// The options of a session: nothing but its id is added, and requests wait.
    pub fn new(session_id: impl Into<Text>) -> Self {
        Self { session_id: session_id.into(), ..Self::default() }
    }

    /// Adds to a message what it does not have; null counts as not having it.
    pub(super) fn stamp(&self, envelope: &mut Envelope) {
        add(&mut envelope.session_id, Some(&self.session_id));
        add(&mut envelope.is_sidechain, self.is_sidechain.as_ref());
        add(&mut envelope.agent_id, self.agent_id.as_ref());
        add(&mut envelope.cwd, self.cwd.as_ref());
        add(&mut envelope.git_branch, self.git_branch.as_ref());
        add(&mut envelope.version, self.version.as_ref());
        add(&mut envelope.user_type, self.user_type.as_ref());
    }
}

impl Default for RecorderOptions {
    fn default() -> Self {
        Self {
            session_id: Text::default(),
            cwd: None,
            version: None,
            git_branch: None,
            user_type: None,
            is_sidechain: None,
            agent_id: None,
            period_ms: 100,
            waits: true,
        }
    }
}

fn add<T: Clone>(field: &mut Maybe<T>, value: Option<&T>) {
    if let (None, Some(value)) = (field.get(), value) {
        *field = Maybe::Is(value.clone());
    }
}

/// Why something could not be recorded. Nothing that was queued is lost by any of them.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// A message that is to be written has no uuid.
    #[error(
        "message {index} of the list, a `{kind}`, has no uuid, so nothing of the list was queued; give it one \
         (factories do) and record the list again"
    )]
    NoUuid {
        /// Its place in the list, from 0.
        index: usize,
        /// Its `type`.
        kind: &'static str,
    },
    /// The disk took a part, or nothing.
    #[error(
        "the disk took {written} lines, and {queued} still wait in the queue: {source}; make room or mend what is \
         wrong, then flush again"
    )]
    Disk {
        /// How many lines are in the file now that were not before.
        written: usize,
        /// How many lines still wait.
        queued: usize,
        /// What the disk says.
        source: io::Error,
    },
    /// The file has been removed, or another one is in its place.
    #[error(
        "{} no longer names the file that was recorded to, and {queued} lines wait in the queue; put the file \
         back, or take the one that is there (`FileDisk::reopen`), or have a new one made (`FileDisk::recreate`), \
         then flush again",
        .path.display()
    )]
    Lost {
        /// The file's path.
        path: PathBuf,
        /// How many lines wait.
        queued: usize,
    },
    /// The lines are in the file, but the disk has not confirmed them.
    #[error(
        "all lines are in the file, but the disk did not confirm that they last: {source}; send no request \
         before a later try has been confirmed"
    )]
    NotConfirmed {
        /// What the disk says.
        source: io::Error,
    },
    /// The thread that writes has ended.
    #[error("the thread that writes has ended, so nothing more is written; start a new recorder on the file")]
    Stopped,
}

/// What a file holds: the uuids that must not be written again, and the last line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Held {
    /// The uuids of all its records, in order, as they are shown (halves of surrogate pairs as U+FFFD).
    pub uuids: Vec<String>,
    /// The uuid of the last link of the chain; a subagent's only if there is no other.
    pub last: Option<Text>,
}

impl Held {
    /// Reads a file to its end, in little memory. Only the source can fail, never what the file holds.
    pub fn read(source: impl Read) -> io::Result<Self> {
        let (mut held, mut last_of_subagent) = (Self::default(), None);
        Scanner::default().file(source, |found| {
            if let Found::Record(record) = found {
                held.note(&record, &mut last_of_subagent);
            }
        })?;
        held.last = held.last.or(last_of_subagent);
        Ok(held)
    }

    /// What the records of a file hold.
    pub fn of<'r>(records: impl IntoIterator<Item = Record<'r>>) -> Self {
        let mut held = Self::default();
        let mut last_of_subagent = None;
        records.into_iter().for_each(|record| held.note(&record, &mut last_of_subagent));
        held.last = held.last.or(last_of_subagent);
        held
    }

    fn note(&mut self, record: &Record<'_>, last_of_subagent: &mut Option<Text>) {
        let Some(uuid) = record.uuid() else { return };
        if record.head.is_chain_participant() {
            let last = if record.head.has(Flag::Sidechain) { last_of_subagent } else { &mut self.last };
            *last = Some(Text::from(&*uuid));
        }
        self.uuids.push(uuid.into_owned());
    }
}
