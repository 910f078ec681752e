//! *Reply lines* are the assistant messages that a stream shows: one a block, at once when it stops.

use std::sync::Arc;

use crate::json::Text;
use crate::message::{Assistant, AssistantBody, Content, Context, Envelope, Factory, Maybe, Message, Tombstone};

use super::accumulator::{Accumulator, Change};
use super::error::StreamError;
use super::event::ModelEvent;
use super::late::LateFields;

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
    /// What is wrong with the event; what it yields stands all the same.
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

    /// Takes the next event. A `message_start` after the end of a reply begins another one: the lines
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
            let envelope = Envelope::fresh(context);
            let request_id = self.request_id.clone().into();
            let line = Assistant { envelope, message: message.into(), request_id, ..Assistant::default() };
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
