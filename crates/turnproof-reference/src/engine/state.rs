//! The *state* of a conversation between two inputs, and what one input does to it (SPEC 5).

use std::collections::VecDeque;

use crate::json::{Fields, Raw, Text};
use crate::message::{AttachmentBody, Content, Context, Event, Factory, FixedContext, Message, Typed};
use crate::operation::{Moment, Plain, Played, RecordStep};
use crate::stream::{EventLog, ReplyLines};
use crate::transcript::write::{MemoryDisk, Recorder, RecorderOptions};

use super::input::{Compaction, Failure, Input};
use super::recording::{self, Call};

/// What a conversation needs to begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The session's id, on each line of the transcript.
    pub session: String,
    /// The working directory, on each line too.
    pub cwd: String,
    /// The model that is asked.
    pub model: String,
    /// Project context, in front of each request.
    pub context: Option<String>,
    /// Whether a summary is ordered when tools are done.
    pub orders_summaries: bool,
    /// Whether a request waits until its prompt is durable; a scripted mode may not.
    pub waits_for_disk: bool,
    /// Whether [`Step::request`] has the turns. Else it is empty, and only says that a request was sent.
    pub makes_turns: bool,
    /// Whether the log of [`Moment`]s is kept, with the transcript and the turns of each request.
    pub keeps_moments: bool,
    /// Whether the calls of the recorder are kept.
    pub keeps_recording: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            session: "5e551011-0000-4000-8000-000000000001".into(),
            cwd: "/project".into(),
            model: "claude-opus-4-5".into(),
            context: None,
            orders_summaries: true,
            waits_for_disk: true,
            makes_turns: true,
            keeps_moments: false,
            keeps_recording: false,
        }
    }
}

/// Why an input changed nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// The process has died.
    #[error("the process has died; resume first")]
    Dead,
    /// No reply streams.
    #[error("no reply streams now")]
    NotStreaming,
    /// Neither a reply nor a tool is under way.
    #[error("nothing is under way")]
    Idle,
    /// The loop is busy.
    #[error("the loop is busy; wait for the end of the turn")]
    Busy,
    /// The call is unknown, or answered.
    #[error("no call of this id waits for a result")]
    NoSuchCall,
    /// There is nothing that this could be done to.
    #[error("there is nothing that this could be done to")]
    Nothing,
    /// The event cannot be read as one of a stream.
    #[error("the event is not one that a stream can hold")]
    BadEvent,
}

/// What one input led to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Step {
    /// What the loop yielded, in order.
    pub events: Vec<Event>,
    /// The request that the step sent: its turns as JSON, or no text without [`Options::makes_turns`]. `None` when
    /// the step sent none.
    pub request: Option<String>,
    /// Why the input changed nothing. `None` when it was taken.
    pub refused: Option<Refused>,
}

/// What the loop waits for.
pub(super) enum Phase {
    /// For somebody to type.
    Idle,
    /// For the model.
    Streaming(Box<ReplyLines>),
    /// For tools.
    Tools,
    /// For a resume.
    Dead,
}

pub(super) struct OpenCall {
    pub(super) id: Text,
    pub(super) tool: Text,
    /// The line that holds the call.
    pub(super) line: Text,
}

/// What somebody has typed.
pub(super) struct Prompt {
    /// Its number.
    input: u64,
    content: Content,
    /// Whether it has to wait, and the transcript says so.
    is_queued: bool,
}

/// What a crash or a resume forgets.
#[derive(Default)]
pub(super) struct Turn {
    /// What was typed and has not joined.
    pub(super) queue: VecDeque<Prompt>,
    /// Meta messages that join after the next prompt.
    pub(super) beside: Vec<Content>,
    /// The calls that have no result yet.
    pub(super) calls: Vec<OpenCall>,
    /// The calls that were answered since the last request, in order.
    pub(super) answered: Vec<Text>,
    /// Whether a rejection has stopped the turn.
    pub(super) is_stopped: bool,
    /// Lines on disk that the next reply replaces.
    pub(super) superseded: Vec<Text>,
    /// The calls of the summary that was ordered and has not come.
    pub(super) summary: Option<Vec<Text>>,
    /// A compaction that waits for the next request.
    pub(super) compaction: Option<Compaction>,
}

/// A conversation and its loop; see the [module](super).
pub struct Engine<C = FixedContext> {
    pub(super) context: C,
    pub(super) options: Options,
    pub(super) recorder: Recorder<MemoryDisk>,
    pub(super) log: EventLog,
    /// The messages of the next request.
    pub(super) list: Vec<Event>,
    pub(super) phase: Phase,
    pub(super) typed: u64,
    pub(super) requests: u64,
    pub(super) turn: Turn,
    /// How often the request under way has been sent again.
    pub(super) retries: u64,
    /// How often the turn was made to go on after the output limit.
    pub(super) continuations: u64,
    /// Milliseconds since the beginning.
    pub(super) now: u64,
    /// How many bytes of the file the disk has confirmed.
    pub(super) confirmed: usize,
    /// Whether the disk has taken everything, and from this writer alone.
    pub(super) is_whole: bool,
    pub(super) moments: Vec<Moment>,
    /// The calls of the recorder, until the session continues in another file.
    pub(super) recording: Vec<Call>,
    pub(super) is_forked: bool,
    pub(super) step: Step,
}

impl<C: Context> Engine<C> {
    /// A conversation that has not begun, with a file of its own in memory.
    pub fn new(context: C) -> Self {
        Self::with_options(context, Options::default())
    }

    /// A conversation that has not begun.
    pub fn with_options(context: C, options: Options) -> Self {
        let recorder = Recorder::new(MemoryDisk::default(), recorder_options(&options));
        Self {
            context,
            options,
            recorder,
            log: EventLog::default(),
            list: Vec::new(),
            phase: Phase::Idle,
            turn: Turn::default(),
            typed: 0,
            requests: 0,
            retries: 0,
            continuations: 0,
            now: 0,
            confirmed: 0,
            is_whole: true,
            moments: Vec::new(),
            recording: Vec::new(),
            is_forked: false,
            step: Step::default(),
        }
    }

    /// Lets one thing happen.
    pub fn step(&mut self, input: &Input) -> Step {
        self.step.refused = self.happen(input).err();
        std::mem::take(&mut self.step)
    }

    fn happen(&mut self, input: &Input) -> Result<(), Refused> {
        let is_outside = matches!(input, Input::Resume | Input::OtherWriter(_) | Input::Disk(_));
        if matches!(self.phase, Phase::Dead) && !is_outside {
            return Err(Refused::Dead);
        }
        match input {
            Input::Type(content) => self.typed(content.clone()),
            Input::Meta(content) => self.turn.beside.push(content.clone()),
            Input::Speculate { prompt, answer } => return self.speculate(prompt, answer),
            Input::Attach(fields) => {
                let mut extra = fields.clone();
                let kind: Text = extra.take("type").and_then(|kind| kind.read().ok()).unwrap_or_default();
                let attachment = self.factory().attachment(AttachmentBody::new(kind, extra));
                self.say(attachment);
            }
            Input::Command(output) => {
                let command = self.factory().local_command(output.as_str());
                self.say(command);
            }
            Input::Notice { subtype, text } => self.notice(subtype, text),
            Input::Stream(event) => return self.stream(event),
            Input::Break => return self.fail(Failure::Connection),
            Input::Fail(failure) => return self.fail(*failure),
            Input::Fallback(model) => return self.fall_back(model),
            Input::Progress { call, data } => return self.progress(call, data),
            Input::Hook(hook) => return self.hook(hook),
            Input::Result { call, content, output, is_error } => return self.result(call, content, output, *is_error),
            Input::Deny { call, denial } => return self.deny(call, denial),
            Input::Interrupt => return self.interrupt(),
            Input::Summary(summary) => return self.summarized(summary.as_deref()),
            Input::Compact(compaction) => return self.compact(compaction),
            Input::Microcompact(count) => return self.microcompact(*count),
            Input::Subagent { call, agent, prompt, answer } => return self.subagent(call, agent, prompt, answer),
            Input::Side(fields) => self.side(fields),
            Input::Wait(milliseconds) => self.wait(*milliseconds),
            Input::Disk(bytes) => self.disk(*bytes),
            Input::OtherWriter(text) => {
                self.is_whole = false;
                self.write_beside(text.as_bytes());
            }
            Input::Crash(lost) => self.crash(*lost),
            Input::Resume => return self.resume(),
            Input::Fork(before_last) => return self.fork(*before_last),
        }
        Ok(())
    }

    /// The messages of the next request, in order.
    pub fn messages(&self) -> &[Event] {
        &self.list
    }

    /// All events that were yielded.
    pub fn log(&self) -> &EventLog {
        &self.log
    }

    /// The transcript, as it is on disk.
    pub fn transcript(&self) -> &[u8] {
        self.recorder.disk().bytes()
    }

    /// Whether a reply streams, or is waited for.
    pub fn is_streaming(&self) -> bool {
        matches!(self.phase, Phase::Streaming(_))
    }

    /// Whether the loop waits for somebody to type.
    pub fn is_idle(&self) -> bool {
        matches!(self.phase, Phase::Idle)
    }

    /// The calls that wait for a result, in order.
    pub fn open_calls(&self) -> impl Iterator<Item = &str> {
        self.turn.calls.iter().map(|call| call.id.as_str())
    }

    /// The calls of the reply under way that have a result, in the order of the results.
    pub fn calls_with_results(&self) -> impl Iterator<Item = &str> {
        self.turn.answered.iter().map(|call| call.as_str())
    }

    /// How many calls of the reply under way have a result.
    pub fn answered_calls(&self) -> usize {
        self.turn.answered.len()
    }

    /// How many prompts wait for their turn.
    pub fn waiting_prompts(&self) -> usize {
        self.turn.queue.len()
    }

    /// How often the request under way was sent again.
    pub const fn retries(&self) -> u64 {
        self.retries
    }

    /// Whether the last line of a reply waits for the disk.
    pub fn is_reply_queued(&self) -> bool {
        let is_reply = |event: &&Event| matches!(event, Event::Message(Message::Assistant(_)));
        let last = self.list.iter().rev().find(is_reply).and_then(|event| event.envelope().uuid.get());
        self.recorder.queued() > 0 && last.is_some_and(|uuid| self.recorder.is_recorded(uuid))
    }

    /// The calls of the recorder up to a fork; empty unless the options keep them.
    pub fn recording(&self) -> Vec<RecordStep> {
        recording::steps(&self.recording)
    }

    /// The log of what happened, with the transcript as it is now.
    pub fn into_played(self) -> Played {
        let transcript = self.transcript().to_vec();
        Played { moments: self.moments, transcript, whole: self.is_whole, inputs: None, again: None }
    }

    /// The log of moments; empty unless the options say that it is kept.
    pub fn moments(&self) -> &[Moment] {
        &self.moments
    }

    pub(super) fn factory(&mut self) -> Factory<'_, C> {
        Factory::new(&mut self.context)
    }

    /// Yields a message that joins the conversation.
    pub(super) fn say(&mut self, message: impl Into<Message>) {
        let event = Event::Message(message.into());
        self.list.push(event.clone());
        self.pass(event);
    }

    /// Yields an event that does not join the conversation.
    pub(super) fn pass(&mut self, event: Event) {
        self.note(|| Moment::Yielded(plain(&event)));
        self.log.append(event.clone());
        self.step.events.push(event);
    }

    /// Keeps a moment, if moments are kept.
    pub(super) fn note(&mut self, moment: impl FnOnce() -> Moment) {
        if self.options.keeps_moments {
            self.moments.push(moment());
        }
    }

    /// Keeps a moment that shows the list of messages, if moments are kept.
    pub(super) fn note_list(&mut self, moment: fn(Plain) -> Moment) {
        if self.options.keeps_moments {
            self.moments.push(moment(plain(&self.list)));
        }
    }

    /// Keeps a call of the recorder, if those are kept.
    pub(super) fn note_recording(&mut self, step: impl FnOnce() -> RecordStep) {
        self.note_call(|_| Call::Other(step()));
    }

    /// Keeps that the recorder gets the list, if its calls are kept.
    pub(super) fn note_recorded_list(&mut self, is_before_request: bool) {
        self.note_call(|engine| Call::List { list: engine.list.clone(), is_before_request });
    }

    fn note_call(&mut self, call: impl FnOnce(&Self) -> Call) {
        if self.options.keeps_recording && !self.is_forked {
            let call = call(self);
            self.recording.push(call);
        }
    }

    fn typed(&mut self, content: Content) {
        let input = self.typed;
        self.typed += 1;
        let queued = !self.is_idle();
        self.note(|| Moment::Typed { input, content: plain(&content), queued });
        if queued {
            self.queue_operation("enqueue", Some(&content));
        }
        self.turn.queue.push_back(Prompt { input, content, is_queued: queued });
        if !queued {
            self.begin_turn();
        }
    }

    /// The prompts that wait join the conversation, and a request is sent. Nothing happens without a prompt.
    pub(super) fn begin_turn(&mut self) {
        if !self.turn.queue.is_empty() {
            self.join_queue();
            self.request();
        }
    }

    /// The prompts that wait join the conversation, first in, first out.
    pub(super) fn join_queue(&mut self) {
        while let Some(Prompt { input, content, is_queued }) = self.turn.queue.pop_front() {
            if is_queued {
                self.queue_operation("dequeue", None);
            }
            let user = self.factory().user(content);
            let uuid = user.envelope.uuid.as_str().unwrap_or_default().to_owned();
            self.say(user);
            self.note(|| Moment::Joined { input, uuid });
            for content in std::mem::take(&mut self.turn.beside) {
                let meta = self.factory().meta(content);
                self.say(meta);
            }
        }
    }

    /// Writes what happens to the queue, as a side record. Only `enqueue` has content: what was typed.
    fn queue_operation(&mut self, operation: &str, content: Option<&Content>) {
        let (timestamp, session) = (self.context.now(), self.options.session.clone());
        let content = content.map(|content| ("content".into(), content.write()));
        let members = [
            ("type".into(), Raw::from("queue-operation")),
            ("operation".into(), Raw::from(operation)),
            ("timestamp".into(), Raw::from(timestamp.as_str())),
        ];
        let session = ("sessionId".into(), Raw::from(session.as_str()));
        self.side(&members.into_iter().chain(content).chain([session]).collect());
    }

    /// Shows a guess of what comes next, which is neither sent nor written.
    fn speculate(&mut self, prompt: &str, answer: &str) -> Result<(), Refused> {
        if !self.is_idle() {
            return Err(Refused::Busy);
        }
        let mut user = self.factory().user(prompt);
        user.envelope.is_virtual = true.into();
        self.say(user);
        let mut reply = self.factory().assistant(answer);
        reply.envelope.is_virtual = true.into();
        self.say(reply);
        Ok(())
    }

    fn notice(&mut self, subtype: &str, text: &str) {
        let count = self.list.len() as u64;
        let mut factory = self.factory();
        let notice = match subtype {
            "turn_duration" => factory.turn_duration(1000, Some(count), None),
            "memory_saved" => factory.memory_saved(vec![text.into()]),
            "api_metrics" => factory.api_metrics(Fields::from_iter([("note".into(), Raw::from(text))])),
            "permission_retry" => factory.permission_retry(vec![text.into()]),
            "bridge_status" => factory.bridge_status(text),
            "agents_killed" => factory.agents_killed(),
            "file_snapshot" => factory.file_snapshot(Raw::from(text)),
            subtype => factory.system(subtype, "info", text),
        };
        self.say(notice);
    }
}

/// The options of a conversation's recorder.
pub(super) fn recorder_options(options: &Options) -> RecorderOptions {
    RecorderOptions {
        cwd: Some(options.cwd.as_str().into()),
        version: Some(env!("CARGO_PKG_VERSION").into()),
        user_type: Some("external".into()),
        is_sidechain: Some(false),
        waits: options.waits_for_disk,
        ..RecorderOptions::new(options.session.as_str())
    }
}

/// A value as rules read it.
pub(super) fn plain<T: Typed>(value: &T) -> Plain {
    Plain::read(&value.to_json()).unwrap_or_default()
}

/// Plays inputs from the beginning, and gives the log.
pub fn play<C: Context>(inputs: &[Input], context: C, options: Options) -> Played {
    let mut engine = Engine::with_options(context, Options { keeps_moments: true, ..options });
    for input in inputs {
        engine.step(input);
    }
    engine.into_played()
}
