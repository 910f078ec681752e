//! A *session* lives longer than the process: waiting, other writers, subagents, crash, resume and fork.

use serde_json::json;

use crate::json::{Fields, Raw, Text};
use crate::message::constants::MISSING_TOOL_RESULT;
use crate::message::{Context, Entry, Event, Message, SideRecord};
use crate::operation::{Moment, RecordStep};
use crate::transcript::fork::fork;
use crate::transcript::resume::{ResumeOptions, resume};
use crate::transcript::write::{Held, MemoryDisk, Recorder, RecorderOptions};
use crate::transcript::{Record, Transcript};

use super::compact::clear_again;
use super::state::{Engine, Options, Phase, Refused, Turn, recorder_options};

impl<C: Context> Engine<C> {
    /// Time passes. The recorder's queue is written when it is due.
    pub(super) fn wait(&mut self, milliseconds: u64) {
        self.record();
        self.now = self.now.saturating_add(milliseconds);
        if self.recorder.due_at().is_some_and(|due| due <= self.now) {
            self.flush();
        }
    }

    /// Writes the recorder's queue. What the disk refuses stays in it, and a notice reports that at the next request.
    pub(super) fn flush(&mut self) {
        self.note_recording(|| RecordStep::Flush);
        let _ = self.recorder.flush();
    }

    pub(super) fn side(&mut self, fields: &Fields) {
        let kind: Text = fields.get("type").and_then(|kind| kind.read().ok()).unwrap_or_default();
        self.record();
        self.recorder.record_side(SideRecord { kind, fields: fields.clone() });
    }

    /// Another writer appends to the file: another process, or the recorder of a subagent.
    pub(super) fn write_beside(&mut self, bytes: &[u8]) {
        self.note_recording(|| RecordStep::OtherWriter(bytes.to_vec()));
        self.recorder.disk_mut().other_writer(bytes);
    }

    /// The process dies. The queue is lost, and the last bytes that the disk has not confirmed.
    pub(super) fn crash(&mut self, lost: u64) {
        let bytes = self.transcript();
        let lost = usize::try_from(lost).unwrap_or(usize::MAX);
        let left = bytes.len().saturating_sub(lost).max(self.confirmed.min(bytes.len()));
        let bytes = bytes[..left].to_vec();
        self.note(|| Moment::Crashed { transcript: bytes.clone() });
        self.note_recording(|| RecordStep::Restart);
        self.recorder = Recorder::new(MemoryDisk::new(bytes), recorder_options(&self.options));
        self.phase = Phase::Dead;
        self.list.clear();
        self.forget_turn();
    }

    fn forget_turn(&mut self) {
        self.forget_summary();
        self.turn = Turn::default();
    }

    /// Continues the session from its file, in a new process.
    pub(super) fn resume(&mut self) -> Result<(), Refused> {
        if !matches!(self.phase, Phase::Dead | Phase::Idle) {
            return Err(Refused::Busy);
        }
        if self.is_idle() {
            // A process that ends normally writes its queue.
            self.record();
            self.flush();
            self.confirmed = self.transcript().len();
            self.note_recording(|| RecordStep::Restart);
        }
        self.forget_turn();
        let transcript = Transcript::from_bytes(self.transcript().to_vec());
        self.list = conversation(&transcript);
        self.note_list(Moment::Resumed);
        self.recorder = recorder(transcript, &self.options);
        self.phase = Phase::Idle;
        self.answer_missing();
        Ok(())
    }

    /// Gives the placeholder to each call without a result.
    fn answer_missing(&mut self) {
        let messages: Vec<Message> = self.list.iter().cloned().filter_map(Event::into_message).collect();
        for placeholder in self.factory().missing_tool_results(&messages, MISSING_TOOL_RESULT) {
            self.say(placeholder);
        }
    }

    /// Continues as a fork: a copy of the conversation up to a message, with new ids, in another file.
    pub(super) fn fork(&mut self, before_last: u64) -> Result<(), Refused> {
        if !self.is_idle() {
            return Err(Refused::Busy);
        }
        self.record();
        self.note_recording(|| RecordStep::Flush);
        if self.recorder.flush().is_err() {
            return Err(Refused::Nothing);
        }
        let transcript = Transcript::from_bytes(self.transcript().to_vec());
        let records = records(&transcript);
        let before_last = usize::try_from(before_last).unwrap_or(usize::MAX);
        let last = records.len().saturating_sub(1).saturating_sub(before_last);
        let until = records.get(last).and_then(|record| record.uuid()).ok_or(Refused::Nothing)?;
        let session = self.context.uuid();
        let lines = fork(&records, Some(&until), &mut self.context, &session).map_err(|_| Refused::Nothing)?;
        self.is_forked = true;
        self.options.session = session;
        let transcript = Transcript::from_bytes(lines);
        self.list = conversation(&transcript);
        self.recorder = recorder(transcript, &self.options);
        self.confirmed = self.transcript().len();
        self.forget_turn();
        self.note_list(Moment::Forked);
        self.answer_missing();
        Ok(())
    }

    /// A subagent gets a prompt and answers it. Its conversation is a sidechain of the same file; the main
    /// conversation shows it as progress alone.
    pub(super) fn subagent(&mut self, call: &str, agent: &str, prompt: &str, answer: &str) -> Result<(), Refused> {
        if !self.open_calls().any(|open| open == call) {
            return Err(Refused::NoSuchCall);
        }
        let prompt = Message::from(self.factory().user(prompt));
        let mut reply = self.factory().assistant(answer);
        if let Some(body) = reply.message.get_mut() {
            body.model = Text::from(self.options.model.as_str()).into();
        }
        let conversation = [Event::Message(prompt), Event::Message(reply.into())];
        for message in &conversation {
            let data = json!({"type": "agent_progress", "agentId": agent, "prompt": "",
                "message": serde_json::to_value(message).unwrap_or_default()});
            let progress = self.factory().progress(format!("{call}-{agent}"), call, Raw::from(&data));
            self.say(progress);
        }
        // It is written as another writer of the same file does.
        let options = RecorderOptions {
            is_sidechain: Some(true),
            agent_id: Some(agent.into()),
            ..recorder_options(&self.options)
        };
        let mut recorder = Recorder::new(MemoryDisk::default(), options);
        if recorder.record(&conversation).is_ok() && recorder.flush().is_ok() {
            self.record();
            self.flush();
            self.write_beside(recorder.disk().bytes());
        }
        Ok(())
    }

    pub(super) fn disk(&mut self, bytes: Option<u64>) {
        self.is_whole &= bytes.is_none();
        self.note_recording(|| RecordStep::DiskTakes(bytes));
        self.recorder.disk_mut().takes(bytes);
    }
}

/// A recorder that continues a file.
fn recorder(transcript: Transcript, options: &Options) -> Recorder<MemoryDisk> {
    let held = Held::of(transcript.records());
    let disk = MemoryDisk::new(transcript.into_bytes());
    Recorder::resumed(disk, recorder_options(options), held.uuids, held.last)
}

/// The records of the conversation that a transcript holds.
fn records(transcript: &Transcript) -> Vec<Record<'_>> {
    let Ok(resume) = resume(transcript, &ResumeOptions::default()) else { return Vec::new() };
    let all: Vec<Record<'_>> = transcript.records().collect();
    let at = |start: u64| all.binary_search_by_key(&start, |record| record.start).ok();
    resume.places.iter().filter_map(|place| at(place.start).map(|at| all[at])).collect()
}

/// The messages of the conversation that a transcript holds.
fn conversation(transcript: &Transcript) -> Vec<Event> {
    let events = records(transcript).into_iter().filter_map(|record| match record.entry() {
        Ok(Entry::Event(event)) => Some(event),
        _ => None,
    });
    let mut list: Vec<Event> = events.collect();
    clear_again(transcript, &mut list);
    list
}
