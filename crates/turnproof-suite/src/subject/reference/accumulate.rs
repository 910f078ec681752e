//! The reference's operation *accumulate*: items of a stream to what is yielded of it.

use crate::json::Raw;
use crate::message::{AssistantBody, Event, FixedContext, Message, Typed};
use crate::operation::{StreamFault, StreamItem, StreamText};
use crate::stream::{EventLog, ModelEvent, ReplyLines, SseDecoder, StreamError};

use super::{Outcome, written};

pub(super) fn accumulate(items: &[StreamItem]) -> Outcome<StreamText> {
    let mut play = Play::default();
    for (at, item) in items.iter().enumerate() {
        if let Err(why) = play.item(at, item) {
            return Outcome::Rejected(format!("item {at}: {why}"));
        }
    }
    Outcome::Output(play.end(items.len()))
}

/// A stream so far.
#[derive(Default)]
struct Play {
    context: FixedContext,
    decoder: SseDecoder,
    lines: ReplyLines,
    log: EventLog,
    messages: Vec<AssistantBody>,
    fault: Option<StreamFault>,
}

impl Play {
    fn item(&mut self, at: usize, item: &StreamItem) -> Result<(), String> {
        match item {
            StreamItem::Event(json) => match Raw::from_json(json.clone()) {
                Ok(data) => self.event(at, ModelEvent::read(&data)),
                Err(error) => self.fault(at, &StreamError::BadEvent { why: error.to_string() }),
            },
            StreamItem::Bytes(bytes) => {
                for event in self.decoder.push(bytes) {
                    self.event(at, ModelEvent::of_server_event(&event));
                }
            }
            StreamItem::Abandon => {
                self.keep_message();
                self.decoder = SseDecoder::new();
                for tombstone in self.lines.abandon(&mut self.context) {
                    self.log.append(tombstone);
                }
            }
            StreamItem::Message(json) => {
                let raw = Raw::from_json(json.clone()).map_err(|error| error.to_string())?;
                self.log.append(Message::read(&raw).map_err(|error| error.to_string())?);
            }
        }
        Ok(())
    }

    fn event(&mut self, at: usize, event: Result<ModelEvent, StreamError>) {
        let event = match event {
            Ok(event) => event,
            Err(error) => return self.fault(at, &error),
        };
        if matches!(event, ModelEvent::MessageStart { .. }) && self.lines.accumulator().is_whole() {
            self.keep_message();
        }
        let yielded = self.lines.apply(&event, &mut self.context);
        if let Some(error) = self.log.append_yielded(yielded) {
            self.fault(at, &error);
        }
    }

    /// Keeps the message of a reply that no event belongs to any more.
    fn keep_message(&mut self) {
        self.messages.extend(self.lines.accumulator().message());
    }

    /// Notes what is wrong, unless something was before.
    fn fault(&mut self, at: usize, error: &StreamError) {
        self.fault.get_or_insert_with(|| StreamFault {
            name: error.name().to_owned(),
            message: error.to_string(),
            item: at as u64,
        });
    }

    fn end(mut self, items: usize) -> StreamText {
        let accumulator = self.lines.accumulator();
        if accumulator.has_begun() && !accumulator.is_over() {
            self.fault(items, &StreamError::Unfinished);
        }
        self.keep_message();
        StreamText {
            events: written(self.log.events()),
            live: written(self.log.live().iter().map(AsRef::as_ref)),
            slots: Some(written(&self.log.slots().into_iter().map(Event::from).collect::<Vec<_>>())),
            messages: Some(written(&self.messages)),
            fault: self.fault,
        }
    }
}
