//! A *plain recorder* writes lists of messages as a recorder must, in the plainest way, but for one slip.

mod disk;
mod line;
mod preserved;

use std::collections::HashSet;

use crate::message::{Event, Maybe, Message};
use crate::operation::{RecordAnswer, RecordStep};
use crate::transcript::write::Held;

use super::stable::is_second_time;
use disk::Disk;
use line::written;
use preserved::preserved;

/// A mistake of a recorder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slip {
    /// Asks nobody whether a message is recorded when a process starts.
    ForgetsTheFile,
    /// Asks nobody at all whether a message is recorded.
    WritesListsAnew,
    /// Queues the beginning of a list before it refuses the list.
    QueuesBeforeItRefuses,
    /// Lets recorded messages move the parent along behind new ones too.
    FollowsKeptMessages,
    /// Chains to the last line in place of the last recorded message of the list.
    ChainsToTheLastLine,
    /// Answers with the last message that it has just queued, or none.
    ForgetsTheTip,
    /// Chains results to the message before them.
    ChainsResultsInOrder,
    /// Chains results to the message that they name, written or not.
    TrustsTheSource,
    /// Keeps the parents that messages have.
    TrustsParents,
    /// Chains to progress.
    ChainsToProgress,
    /// Chains to virtual messages.
    ChainsToVirtualMessages,
    /// Gives boundaries a parent.
    ChainsBoundaries,
    /// Gives boundaries no logical parent.
    ForgetsTheLogicalParent,
    /// Names a new session whenever a process starts.
    RenamesTheSession,
    /// Writes progress.
    WritesProgress,
    /// Writes virtual messages.
    WritesVirtualMessages,
    /// Writes tombstones, summaries and events of the stream.
    WritesWhatPassesBy,
    /// Does not wait for the disk before a request.
    AnswersBeforeTheDisk,
    /// Does not wait for the disk before a request that no prompt starts.
    WaitsForPromptsAlone,
    /// Makes the line when a message is queued.
    FreezesLines,
    /// Queues boundaries before what they preserve.
    QueuesBoundariesFirst,
    /// Knows preserved segments alone.
    KnowsSegmentsAlone,
    /// Cuts a torn end off.
    CutsTornEnds,
    /// Writes where its own last line ended.
    KeepsAnOffset,
    /// Takes the lines of withdrawn messages out of the file.
    TakesLinesOut,
    /// Does not look at the end of the file.
    GluesLines,
    /// Writes line ends before lines.
    BeginsWithLineEnds,
    /// Writes the members that it knows.
    WritesKnownMembers,
    /// Writes no members that are null.
    DropsNulls,
    /// Forgets what a full disk did not take.
    DropsWhatDoesNotFit,
    /// Tells nobody that the disk is full.
    SwallowsFaults,
    /// Takes the lines of a reply for one message.
    WritesRepliesOnce,
    /// Refuses notices without a subtype.
    RefusesOddNotices,
    /// Leaves messages without a uuid out.
    PassesOverMessagesWithoutUuid,
    /// Refuses everything once the disk has failed.
    GivesUp,
    /// Writes what is new in a list in another order each time.
    WritesInTheOrderOfKeys,
}

/// Goes on with a file, step by step, with a slip or without.
pub(super) fn record(
    slip: Option<Slip>,
    file: &[u8],
    session: &str,
    steps: &[RecordStep],
) -> Vec<RecordAnswer> {
    let mut recorder = Recorder::start(slip, Disk::new(file.to_vec()), session.to_owned());
    recorder.is_turned = slip == Some(Slip::WritesInTheOrderOfKeys) && is_second_time();
    let answer = |step| RecordAnswer { tip: recorder.step(step), file: recorder.disk.file.clone() };
    steps.iter().map(answer).collect()
}

struct Recorder {
    slip: Option<Slip>,
    session: String,
    disk: Disk,
    recorded: HashSet<String>,
    replies: HashSet<String>,
    queue: Vec<Waiting>,
    /// The last message written or queued.
    last: Option<String>,
    has_failed: bool,
    /// Whether what is new is written backwards.
    is_turned: bool,
}

/// What waits to be written.
struct Waiting {
    uuid: Option<String>,
    event: Event,
}

type Tip = Result<Option<String>, String>;

impl Recorder {
    /// A process starts on a file.
    fn start(slip: Option<Slip>, disk: Disk, session: String) -> Self {
        let held = Held::read(&disk.file[..]).unwrap_or_default();
        let knows_file = slip != Some(Slip::ForgetsTheFile);
        Self {
            slip,
            session,
            recorded: held.uuids.into_iter().filter(|_| knows_file).collect(),
            last: held.last.map(|uuid| uuid.as_str().to_owned()),
            disk,
            replies: HashSet::new(),
            queue: Vec::new(),
            has_failed: false,
            is_turned: false,
        }
    }

    fn has(&self, slip: Slip) -> bool {
        self.slip == Some(slip)
    }

    fn step(&mut self, step: &RecordStep) -> Tip {
        match step {
            RecordStep::List(json) => return self.list(json),
            RecordStep::ListBeforeRequest(json) => return self.before_request(json),
            RecordStep::Flush => self.flush()?,
            RecordStep::DiskTakes(room) => self.disk.room = *room,
            RecordStep::OtherWriter(bytes) => self.disk.file.extend_from_slice(bytes),
            RecordStep::Restart => {
                let session = match self.has(Slip::RenamesTheSession) {
                    true => self.session.replace('0', "1"),
                    false => self.session.clone(),
                };
                let is_turned = self.is_turned;
                *self = Self { is_turned, ..Self::start(self.slip, self.disk.restarted(), session) };
            }
        }
        Ok(None)
    }

    fn before_request(&mut self, json: &str) -> Tip {
        let tip = self.list(json)?;
        let is_prompt = |waiting: &Waiting| matches!(&waiting.event, Event::Message(Message::User(_)));
        let waits = match self.slip {
            Some(Slip::AnswersBeforeTheDisk) => false,
            Some(Slip::WaitsForPromptsAlone) => self.queue.iter().any(is_prompt),
            _ => true,
        };
        if waits {
            self.flush()?;
        }
        Ok(tip)
    }

    /// Queues what is new in a list; gives the uuid that the next message chains to.
    fn list(&mut self, json: &str) -> Tip {
        let list: Vec<Event> = serde_json::from_str(json).map_err(|error| error.to_string())?;
        let refusal = list.iter().position(|event| self.refuses(event));
        if let Some(index) = refusal.filter(|_| !self.has(Slip::QueuesBeforeItRefuses)) {
            return Err(format!("message {index} cannot be recorded"));
        }
        let queued = self.queue.len();
        let mut tip = None;
        let mut newest = None;
        for event in &list[..refusal.unwrap_or(list.len())] {
            let Some(message) = self.to_write(event) else {
                tip = self.passed(event).or(tip);
                continue;
            };
            let Some(uuid) = message.uuid() else { continue };
            if self.is_recorded(message, uuid) {
                self.replace(message, uuid);
                if newest.is_none() || self.has(Slip::FollowsKeptMessages) {
                    tip = Some(uuid.to_owned());
                }
                continue;
            }
            if message.is_compact_boundary() {
                self.queue_preserved(message, &list);
            }
            let is_first = newest.is_none() && tip.is_some();
            let before =
                if is_first && self.has(Slip::ChainsToTheLastLine) { self.last.clone() } else { tip };
            self.queue(message, uuid, before);
            tip = Some(uuid.to_owned());
            newest.clone_from(&tip);
        }
        if self.is_turned {
            self.queue.get_mut(queued..).unwrap_or_default().reverse();
        }
        match refusal {
            Some(index) => Err(format!("message {index} cannot be recorded")),
            None if self.has(Slip::ForgetsTheTip) => Ok(newest),
            None => Ok(tip),
        }
    }

    /// Whether a list with this in it is refused.
    fn refuses(&self, event: &Event) -> bool {
        let Some(message) = self.to_write(event) else { return false };
        let is_odd = |message: &Message| match message {
            Message::System(system) => system.subtype.get().is_none(),
            _ => false,
        };
        match self.slip {
            Some(Slip::GivesUp) if self.has_failed => true,
            Some(Slip::RefusesOddNotices) if is_odd(message) => true,
            Some(Slip::PassesOverMessagesWithoutUuid) => false,
            _ => message.uuid().is_none(),
        }
    }

    /// The message, if it is one that is written.
    fn to_write<'e>(&self, event: &'e Event) -> Option<&'e Message> {
        let Event::Message(message) = event else { return None };
        let is_kept = message.kind().is_persisted()
            || self.has(Slip::WritesProgress)
                && matches!(message, Message::Progress(progress) if progress.envelope.uuid.get().is_some());
        let is_shown =
            !message.is_virtual() || self.has(Slip::WritesVirtualMessages) && message.uuid().is_some();
        (is_kept && is_shown).then_some(message)
    }

    /// Takes note of what is not written; the parent that it becomes by mistake.
    fn passed(&mut self, event: &Event) -> Option<String> {
        let uuid = event.envelope().uuid.as_str().map(str::to_owned);
        match (self.slip?, event) {
            (Slip::ChainsToProgress, Event::Message(Message::Progress(_))) => uuid,
            (Slip::ChainsToVirtualMessages, Event::Message(message)) if message.is_virtual() => uuid,
            (Slip::WritesWhatPassesBy, event) if !matches!(event, Event::Message(_)) => {
                let is_new = uuid.as_ref().is_none_or(|uuid| self.recorded.insert(uuid.clone()));
                if is_new {
                    self.queue.push(Waiting { uuid, event: event.clone() });
                }
                None
            }
            (Slip::TakesLinesOut, Event::Tombstone(tombstone)) => {
                if let Some(uuid) = tombstone.withdrawn() {
                    self.disk.take_out(&uuid);
                }
                None
            }
            _ => None,
        }
    }

    /// Whether a message is recorded already.
    fn is_recorded(&mut self, message: &Message, uuid: &str) -> bool {
        if self.has(Slip::WritesListsAnew) {
            return false;
        }
        let reply = match message {
            Message::Assistant(line) if self.has(Slip::WritesRepliesOnce) => line.reply_id(),
            _ => None,
        };
        let is_of_known_reply = reply.is_some_and(|id| !self.replies.insert(id.to_owned()));
        self.recorded.contains(uuid) || is_of_known_reply
    }

    /// What waits under this uuid becomes the message as it is given now; its links stay.
    fn replace(&mut self, message: &Message, uuid: &str) {
        if self.has(Slip::FreezesLines) {
            return;
        }
        let waiting = self.queue.iter_mut().find(|waiting| waiting.uuid.as_deref() == Some(uuid));
        if let Some(Waiting { event: Event::Message(old), .. }) = waiting {
            let mut new = stamped(message, &self.session);
            let links = old.envelope();
            new.envelope_mut().parent_uuid.clone_from(&links.parent_uuid);
            if new.envelope().logical_parent_uuid.get().is_none() {
                new.envelope_mut().logical_parent_uuid.clone_from(&links.logical_parent_uuid);
            }
            *old = new;
        }
    }

    fn queue_preserved(&mut self, boundary: &Message, list: &[Event]) {
        let is_known = match self.slip {
            Some(Slip::QueuesBoundariesFirst) => false,
            Some(Slip::KnowsSegmentsAlone) => !preserved::names_messages(boundary),
            _ => true,
        };
        for message in preserved(boundary, list, &self.recorded).into_iter().filter(|_| is_known) {
            if let Some(uuid) = message.uuid().filter(|uuid| !self.recorded.contains(*uuid)) {
                let before = self.last.clone();
                self.queue(message, uuid, before);
            }
        }
    }

    /// Queues a new message after `before`, or where else it belongs.
    fn queue(&mut self, message: &Message, uuid: &str, before: Option<String>) {
        let mut linked = stamped(message, &self.session);
        let envelope = linked.envelope_mut();
        let is_boundary = message.is_compact_boundary();
        if !self.has(Slip::TrustsParents) || !envelope.parent_uuid.is_present() {
            let parent = match is_boundary && !self.has(Slip::ChainsBoundaries) {
                true => None,
                false => self.source(message).or(before),
            };
            envelope.parent_uuid = parent.map_or(Maybe::Null, |uuid| Maybe::from(uuid.as_str()));
        }
        let names_last = is_boundary && !self.has(Slip::ForgetsTheLogicalParent);
        if let (true, None, Some(last)) = (names_last, envelope.logical_parent_uuid.get(), &self.last) {
            envelope.logical_parent_uuid = Maybe::from(last.as_str());
        }
        self.recorded.insert(uuid.to_owned());
        self.last = Some(uuid.to_owned());
        self.queue.push(Waiting { uuid: Some(uuid.to_owned()), event: linked.into() });
    }

    /// The message that a tool result hangs on.
    fn source(&self, message: &Message) -> Option<String> {
        let Message::User(user) = message else { return None };
        let source = user.source_tool_assistant_uuid.as_str()?;
        let is_right = self.recorded.contains(source) || self.has(Slip::TrustsTheSource);
        let counts = is_right && message.is_tool_result() && !self.has(Slip::ChainsResultsInOrder);
        counts.then(|| source.to_owned())
    }

    /// Writes all that waits.
    fn flush(&mut self) -> Result<(), String> {
        if self.queue.is_empty() {
            return Ok(());
        }
        let lines = self.queue.iter().map(|waiting| written(&waiting.event, self.slip)).collect::<Vec<_>>();
        let (whole, is_full) = self.disk.append(&lines, self.slip);
        self.queue.drain(..whole);
        if !is_full {
            return Ok(());
        }
        self.has_failed = true;
        if self.has(Slip::DropsWhatDoesNotFit) {
            self.queue.clear();
        }
        match self.has(Slip::SwallowsFaults) {
            true => Ok(()),
            false => Err("the disk is full; what it did not take waits".to_owned()),
        }
    }
}

/// A message that names its session.
fn stamped(message: &Message, session: &str) -> Message {
    let mut message = message.clone();
    let envelope = message.envelope_mut();
    if envelope.session_id.get().is_none() {
        envelope.session_id = Maybe::from(session);
    }
    message
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subject::{Outcome, Reference, Subject};

    const CALLS: &str = r#"{"type":"user","uuid":"u1","message":{"role":"user","content":"\ud83d"}},{"type":"progress","uuid":"p1"},{"type":"assistant","uuid":"a1","message":{"id":"m1","content":[{"type":"tool_use","id":"t1","name":"Bash","input":{}}],"usage":null}},{"type":"assistant","uuid":"a2","isVirtual":true},{"type":"user","uuid":"r1","sourceToolAssistantUUID":"a1","novelty":2.50,"message":{"content":[{"type":"tool_result","tool_use_id":"t1"}]}}"#;
    const BOUNDARY: &str = r#"{"type":"system","subtype":"compact_boundary","uuid":"b1","compactMetadata":{"preservedSegment":{"headUuid":"a3","tailUuid":"a3","anchorUuid":"b1"}}},{"type":"user","uuid":"s1","isCompactSummary":true},{"type":"assistant","uuid":"a3"}"#;

    #[test]
    fn a_recorder_without_a_slip_writes_what_the_reference_writes() {
        let list = |messages: &[&str]| RecordStep::List(format!("[{}]", messages.join(",")));
        let late = CALLS.replace("\"usage\":null", "\"usage\":{\"output_tokens\":7}");
        let steps = [
            list(&[CALLS]),
            list(&[&late]),
            RecordStep::Flush,
            RecordStep::OtherWriter(br#"{"type":"tag","ta"#.to_vec()),
            list(&[BOUNDARY]),
            RecordStep::DiskTakes(Some(200)),
            RecordStep::Flush,
            RecordStep::Restart,
            RecordStep::DiskTakes(None),
            list(&[BOUNDARY, r#"{"type":"user"}"#]),
            RecordStep::ListBeforeRequest(format!("[{BOUNDARY}]")),
        ];
        let Outcome::Output(right) = Reference.record(b"", "s", &steps) else { panic!("no answers") };
        let ours = record(None, b"", "s", &steps);
        for (step, (own, right)) in ours.iter().zip(&right).enumerate() {
            let shown = String::from_utf8_lossy(&own.file);
            assert_eq!(shown, String::from_utf8_lossy(&right.file), "step {step}");
            assert_eq!(own.tip.as_ref().ok(), right.tip.as_ref().ok(), "step {step}");
        }
        assert!(ours[6].tip.is_err() && ours[9].tip.is_err());
    }
}
