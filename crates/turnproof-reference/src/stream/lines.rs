//! *Reply lines* are the assistant messages that a stream shows: one a block, at once when it stops. *Late fields* are
//! what a reply says only at its end. They are set in place on its last line.

use std::sync::Arc;

use crate::json::{Fields, JsonType, Raw, Text};
use crate::message::{Assistant, AssistantBody, Content, Context, Factory, Maybe, Message, Tombstone, Usage};

use super::accumulator::{Accumulator, Change};
use super::error::StreamError;
use super::event::ModelEvent;

/// Late fields, and the line that they were set on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Amended {
    /// The line's uuid.
    pub uuid: Text,
    /// What was set.
    pub late: LateFields,
}

/// What an event yields. New lines come before the amendment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[must_use]
pub struct Yielded {
    /// The new assistant messages, in order.
    pub messages: Vec<Arc<Assistant>>,
    /// The last line, when it was changed in place.
    pub amended: Option<Amended>,
    /// What is wrong with the event; what it yields is valid all the same.
    pub error: Option<StreamError>,
}

/// Makes assistant messages of a stream, one a block.
#[derive(Clone, Debug, Default)]
pub struct ReplyLines {
    request_id: Option<Text>,
    accumulator: Accumulator,
    /// The message as its start gave it, without blocks, under the model of the open block: what each line begins as.
    start: AssistantBody,
    /// What the open reply has shown.
    lines: Vec<Arc<Assistant>>,
}

impl ReplyLines {
    /// Lines for the answer to a request.
    pub fn new(request_id: Option<Text>) -> Self {
        Self { request_id, ..Self::default() }
    }

    /// Takes the next event. A `message_start` after a whole reply begins another one: the lines
    /// of the older reply are no longer this stream's to withdraw.
    pub fn apply<C: Context + ?Sized>(&mut self, event: &ModelEvent, context: &mut C) -> Yielded {
        let (change, error) = self.accumulator.step(event);
        if change == Change::Started {
            self.lines.clear();
            self.start = self.accumulator.head().cloned().unwrap_or_default();
            self.start.stop_reason = Maybe::Null;
            self.start.stop_sequence = Maybe::Null;
        }
        let messages = self.new_lines(context);
        // A block that another one has stopped is a line of the model before.
        if let (Change::BlockStarted, Some(head)) = (&change, self.accumulator.head()) {
            self.start.model.clone_from(&head.model);
        }
        let amended = match change {
            Change::Late(late) => self.amend(*late),
            _ => None,
        };
        Yielded { messages, amended, error }
    }

    /// Makes lines of the blocks that have stopped since.
    fn new_lines<C: Context + ?Sized>(&mut self, context: &mut C) -> Vec<Arc<Assistant>> {
        let shown = self.lines.len();
        for block in &self.accumulator.stopped_blocks()[shown..] {
            let message = AssistantBody { content: Content::Blocks(vec![block.clone()]).into(), ..self.start.clone() };
            let line = Factory::new(context).reply_line(message, self.request_id.clone().into());
            self.lines.push(Arc::new(line));
        }
        self.lines[shown..].to_vec()
    }

    /// Sets what came late on the last line, if there is one.
    fn amend(&mut self, late: LateFields) -> Option<Amended> {
        let line = self.lines.last_mut()?;
        late.set_on(Arc::make_mut(line));
        Some(Amended { uuid: line.envelope.uuid.get()?.clone(), late })
    }

    /// The lines of the open or last reply, as they stand.
    pub fn lines(&self) -> &[Arc<Assistant>] {
        &self.lines
    }

    /// The accumulated message behind the lines.
    pub fn accumulator(&self) -> &Accumulator {
        &self.accumulator
    }

    /// Gives up the stream: withdraws exactly what it has shown, in order. The next event belongs to another try.
    pub fn abandon<C: Context + ?Sized>(&mut self, context: &mut C) -> Vec<Tombstone> {
        self.accumulator = Accumulator::new();
        let mut factory = Factory::new(context);
        let shown = std::mem::take(&mut self.lines);
        shown.into_iter().map(|line| factory.tombstone(&Message::from(line))).collect()
    }
}

/// What `message_delta` sets on the last line of a reply. What is absent stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LateFields {
    /// Why the model stopped.
    pub stop_reason: Maybe<Text>,
    /// The sequence at which it stopped.
    pub stop_sequence: Maybe<Text>,
    /// The totals.
    pub usage: Maybe<Usage>,
    /// Other members, such as `container`, `stop_details` and `context_management`. None of them is null.
    pub others: Fields,
}

impl LateFields {
    /// Sets them on a line.
    pub fn set_on(&self, line: &mut Assistant) {
        let Some(message) = line.message.get_mut() else { return };
        self.set_stop(&mut message.stop_reason, &mut message.stop_sequence);
        message.usage.update(&self.usage);
        set_others(message, &self.others);
    }

    /// Sets why a reply stopped. Null takes no reason away, and a sequence only with a new reason.
    fn set_stop(&self, reason: &mut Maybe<Text>, sequence: &mut Maybe<Text>) {
        let has_reason = self.stop_reason.get().is_some();
        if has_reason || !reason.is_present() {
            reason.update(&self.stop_reason);
        }
        if has_reason || self.stop_sequence.get().is_some() || !sequence.is_present() {
            sequence.update(&self.stop_sequence);
        }
    }

    /// Adds what came later still.
    pub(super) fn add(&mut self, later: &Self) {
        later.set_stop(&mut self.stop_reason, &mut self.stop_sequence);
        self.usage.update(&later.usage);
        self.others = self.others.replaced_by(&later.others);
    }
}

/// The members of a message that its start and its blocks give; `message_delta` leaves them alone.
const GIVEN: [&str; 6] = ["id", "type", "role", "model", "content", "usage"];

/// The members that the API puts beside the `delta` of a `message_delta`, not into it.
const BESIDE: [&str; 2] = ["context_management", "input_transformations"];

/// What the `delta` of a `message_delta` says of the stop. A reason that is not a string counts as missing.
fn stop_members(delta: &Fields) -> LateFields {
    let known = |name| Maybe::of(delta, name);
    LateFields { stop_reason: known("stop_reason"), stop_sequence: known("stop_sequence"), ..LateFields::default() }
}

/// Sets on a message what a `message_delta` says; gives what is to be set on its last line.
pub(super) fn apply_late(
    message: &mut AssistantBody,
    delta: &Fields,
    usage: &Maybe<Usage>,
    extra: &Fields,
) -> LateFields {
    let mut late = stop_members(delta);
    late.set_stop(&mut message.stop_reason, &mut message.stop_sequence);
    late.others = others(delta, extra);
    set_others(message, &late.others);
    if let Some(totals) = usage.get() {
        add_totals(&mut message.usage, totals);
        late.usage = message.usage.clone();
    }
    late
}

/// The other members that are given.
fn others(delta: &Fields, extra: &Fields) -> Fields {
    let beside = extra.iter().filter(|(name, _)| BESIDE.contains(&name.as_str()) && delta.get(name).is_none());
    let mut others = Fields::new();
    for (name, value) in delta.iter().filter(|(name, _)| !GIVEN.contains(&name.as_str())).chain(beside) {
        if value.json_type() != JsonType::Null {
            others.push(name.clone(), value.clone());
        }
    }
    // These two may be null, and are set already.
    others.take("stop_reason");
    others.take("stop_sequence");
    others
}

fn set_others(message: &mut AssistantBody, others: &Fields) {
    let mut others = others.clone();
    message.container.update(&others.take("container").into());
    message.context_management.update(&others.take("context_management").into());
    if !others.is_empty() {
        message.extra = message.extra.replaced_by(&others);
    }
}

/// Replaces each total that is given.
fn add_totals(usage: &mut Maybe<Usage>, totals: &Usage) {
    let mut whole = usage.get().cloned().unwrap_or_default();
    whole.take_given(totals);
    if !totals.extra.is_empty() {
        let is_given = |(_, value): &(&Text, &Raw)| value.json_type() != JsonType::Null;
        let given = totals.extra.iter().filter(is_given).map(|(name, value)| (name.clone(), value.clone()));
        whole.extra = whole.extra.replaced_by(&given.collect());
    }
    *usage = whole.into();
}
