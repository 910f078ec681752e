//! A *case* is a scenario that is played once. It has everything that subjects are asked about.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use memchr::{memchr2_iter, memmem};

use turnproof_rules::{Material, Session};

use crate::engine::{Engine, Input, Options};
use crate::json::{compact, decoded};
use crate::message::{Entry, Event, Message};
use crate::operation::{FactoryCall, List, RecordStep, StreamItem};
use crate::transcript::{Record, Transcript};

use super::play::{PlayedActions, json, play};
use super::pool::{CONTEXT, HUGE, id};
use super::{ExtraStreamPlan, Plan, Profile, Scenario, Taken, plain, record, stream_damage};

/// A scenario that is played. Each part is made when it is first asked for, and then kept.
///
/// ```
/// use turnproof_suite::scenario::{Case, Profile, Scenario};
///
/// let scenario = Scenario::from_seed(7, 0, Profile::Causal);
/// let case = Case::of(&scenario);
/// assert_eq!(case.transcript(), Case::of(&scenario).transcript());
/// ```
pub struct Case<'s> {
    scenario: &'s Scenario,
    played: OnceCell<PlayedActions>,
    recording: OnceCell<Vec<RecordStep>>,
    transcript: OnceCell<Vec<u8>>,
    messages: OnceCell<Vec<String>>,
    list: OnceCell<List>,
    streams: OnceCell<Vec<Vec<StreamItem>>>,
}

impl<'s> Case<'s> {
    /// The case of a scenario.
    pub const fn of(scenario: &'s Scenario) -> Self {
        Self {
            scenario,
            played: OnceCell::new(),
            recording: OnceCell::new(),
            transcript: OnceCell::new(),
            messages: OnceCell::new(),
            list: OnceCell::new(),
            streams: OnceCell::new(),
        }
    }

    /// The plan.
    pub const fn scenario(&self) -> &'s Scenario {
        self.scenario
    }

    /// Makes the parts that every operation needs.
    pub fn play(&self) {
        self.messages();
        self.streams();
    }

    fn played(&self) -> &PlayedActions {
        self.played.get_or_init(|| play(self.scenario.actions(), self.scenario.engine_options()))
    }

    /// The engine after the last action. A fresh one when the scenario is no conversation.
    pub fn engine(&self) -> &Engine {
        &self.played().engine
    }

    /// The inputs of the engine. Empty when the scenario is no conversation.
    pub fn inputs(&self) -> &[Input] {
        &self.played().inputs
    }

    /// The actions as the engine took them. Empty when the scenario is no conversation.
    pub fn taken(&self) -> &[Taken] {
        &self.played().taken
    }

    /// The calls of the engine's recorder. Empty when the scenario is no conversation.
    pub fn recording(&self) -> &[RecordStep] {
        self.recording.get_or_init(|| self.engine().recording())
    }

    /// The transcript's bytes.
    pub fn transcript(&self) -> &[u8] {
        match self.scenario.profile() {
            Profile::Causal => self.engine().transcript(),
            Profile::Plain => self.transcript.get_or_init(|| plain::transcript(self.scenario.turns())),
            _ => self.transcript.get_or_init(|| record::transcript(self.scenario)),
        }
    }

    /// The messages and events of the case, each as JSON: those that a conversation yields, those of a plain dialogue, or
    /// those that a reader finds in the transcript, in file order.
    ///
    /// Left out is what common readers refuse: a known field of a wrong type, nesting that is too deep for a list of
    /// messages, and a number beyond all doubles.
    pub fn messages(&self) -> &[String] {
        self.messages.get_or_init(|| match self.scenario.profile() {
            Profile::Causal => self.played().events().map(json).collect(),
            Profile::Plain => self.scenario.turns().iter().map(plain::message).collect(),
            _ => {
                let transcript = Transcript::from_bytes(self.transcript().to_vec());
                let text = |record: Record<'_>| decoded(record.bytes).into_owned();
                readable(&transcript).map(|(record, _)| text(record)).collect()
            }
        })
    }

    /// The same messages and events, typed.
    pub fn events(&self) -> Vec<Event> {
        match self.scenario.profile() {
            Profile::Causal => self.played().events().cloned().collect(),
            _ => {
                let transcript = Transcript::from_bytes(self.transcript().to_vec());
                readable(&transcript).map(|(_, event)| event).collect()
            }
        }
    }

    /// The streams of the model, one list a request. A scenario of lines has one list, which is made of its assistant
    /// lines in damage; of bytes if lines may be damaged. A plain one has none. Streams of their own come after these.
    pub fn streams(&self) -> &[Vec<StreamItem>] {
        let Scenario { plan, flows, .. } = self.scenario;
        self.streams.get_or_init(|| {
            let mut streams = match plan {
                Plan::Causal { .. } => self.played().streams.clone(),
                Plan::Plain { .. } => Vec::new(),
                Plan::Shuffled { lines } => vec![stream_damage::stream(lines, None)],
                Plan::Hostile { lines, piece } => vec![stream_damage::stream(lines, Some(usize::from(*piece).max(1)))],
            };
            streams.extend(flows.iter().map(ExtraStreamPlan::items));
            streams
        })
    }

    /// Calls of factories.
    pub fn factory_calls(&self) -> Vec<FactoryCall> {
        self.scenario.makes.iter().map(|plan| plan.call(self.messages())).collect()
    }

    /// The ids of the lines, without repetition. A conversation has one id of the pool.
    pub fn ids(&self) -> Vec<&'static str> {
        if self.scenario.profile() == Profile::Causal {
            return vec![id(4)];
        }
        let ids = self.scenario.lines().iter().filter_map(|line| line.uuid).map(id);
        ids.collect::<BTreeSet<_>>().into_iter().collect()
    }
}

impl Scenario {
    /// The transcript's bytes.
    pub fn transcript(&self) -> Vec<u8> {
        Case::of(self).transcript().to_vec()
    }

    /// The options of the engine that plays the conversation.
    pub fn engine_options(&self) -> Options {
        Options { context: self.project_context(), ..Options::default() }
    }

    /// The project context of requests. `None` when they have none.
    pub fn project_context(&self) -> Option<String> {
        self.context.then(|| CONTEXT.to_owned())
    }
}

impl Material for Case<'_> {
    fn transcript(&self) -> &[u8] {
        self.transcript()
    }

    fn messages(&self) -> &[String] {
        self.messages()
    }

    fn list(&self) -> List {
        self.list.get_or_init(|| List::of(self.messages())).clone()
    }

    fn project_context(&self) -> Option<String> {
        self.scenario().project_context()
    }

    fn ids(&self) -> Vec<&str> {
        self.ids()
    }

    fn indexes(&self) -> &[u64] {
        &self.scenario().indexes
    }

    fn streams(&self) -> &[Vec<StreamItem>] {
        self.streams()
    }

    fn inputs(&self) -> String {
        // Inputs are made of what JSON has.
        serde_json::to_string(self.inputs()).unwrap_or_default()
    }

    fn is_conversation(&self) -> bool {
        self.scenario().profile() == Profile::Causal
    }

    fn session(&self) -> Option<Session> {
        self.is_conversation().then(|| Session {
            before: Vec::new(),
            session: self.scenario().engine_options().session,
            steps: self.recording().to_vec(),
        })
    }

    fn factory_calls(&self) -> Vec<FactoryCall> {
        self.factory_calls()
    }

    fn whole_conversation(&self) -> Option<(String, Vec<String>)> {
        let list = self.engine().messages();
        Some((serde_json::to_string(list).ok()?, whole_conversation(list)?))
    }
}

/// The uuids of a list that a resume gives back in its order: it has a speaker and no boundary, and no reply continues
/// after one of its results. `None` for any other list.
fn whole_conversation(list: &[Event]) -> Option<Vec<String>> {
    let messages: Vec<_> = list.iter().filter_map(Event::message).collect();
    if messages.iter().any(|message| message.is_compact_boundary()) {
        return None;
    }
    let mut last_reply = None;
    let mut had_result = false;
    for message in &messages {
        if let Message::Assistant(line) = message {
            if last_reply == line.reply_id() && had_result {
                return None;
            }
            had_result &= last_reply == line.reply_id();
            last_reply = line.reply_id();
        }
        had_result |= message.is_tool_result();
    }
    let written = messages.iter().filter(|message| message.is_chain_participant() && !message.is_virtual());
    let uuids: Vec<String> = written.filter_map(|message| message.uuid()).map(str::to_owned).collect();
    let is_said = |message: &&&Message| matches!(message, Message::User(_) | Message::Assistant(_));
    let speaks = messages.iter().filter(is_said).any(|message| !message.is_virtual());
    speaks.then_some(uuids)
}

/// The records of a transcript that common readers take as messages or events.
fn readable(transcript: &Transcript) -> impl Iterator<Item = (Record<'_>, Event)> {
    let is_value = |json: &[u8]| is_shallow(json) && memmem::find(json, HUGE.as_bytes()).is_none();
    transcript.records().filter(move |record| is_value(record.bytes)).filter_map(|record| match record.entry() {
        Ok(Entry::Event(event)) => Some((record, event)),
        _ => None,
    })
}

/// How deep a message may be nested. Common readers stop at 128 levels, and a message is in a list, perhaps as a part
/// of another message.
const DEEPEST: usize = 112;

/// Whether a message is nested no deeper than that. Most messages have fewer brackets, also counting those in strings.
fn is_shallow(json: &[u8]) -> bool {
    let brackets = memchr2_iter(b'[', b'{', json).count();
    brackets <= DEEPEST || compact(&decoded(json)).depth <= DEEPEST
}
