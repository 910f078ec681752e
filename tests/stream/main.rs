//! From a model's *stream* to messages, through the public interface: decoding, accumulating, lines, the log, fallback,
//! and streams that are wrong.

mod adapter_anthropic;
mod blocks;
mod chunking;
mod compact;
mod errors;
mod event_logs;
mod examples;
mod fallback;
mod generated;
mod hostile;
mod lines;
mod log;
mod make;
mod naive;
mod partial;
mod plans;
mod reference;
mod server_events;
mod surrogates;
mod usage;

use make::{block, call_block, delta, end, input, late, reply, start, start_with, stop, text, text_block};
use serde_json::{Value, json};
use turnproof_reference::json::Raw;
use turnproof_reference::message::{Assistant, AssistantBody, FixedContext, Message, Typed};
use turnproof_reference::stream::{Accumulator, EventLog, ModelEvent, ReplyLines, Slot, StreamError};

/// An event, read from its JSON.
fn event(json: &Value) -> ModelEvent {
    read(&json.to_string()).expect("an event")
}

/// An event, read from JSON text.
fn read(json: &str) -> Result<ModelEvent, StreamError> {
    ModelEvent::read(&Raw::from_json(json.to_owned()).expect("JSON"))
}

/// A document as JSON.
fn value<T: Typed>(document: &T) -> Value {
    serde_json::from_str(document.write().get()).expect("JSON")
}

/// The message so far after these events, and the names of the errors on the way.
fn accumulate(events: &[Value]) -> (Option<Value>, Vec<&'static str>) {
    let mut accumulator = Accumulator::new();
    let apply = |json: &Value| match read(&json.to_string()) {
        Ok(event) => accumulator.apply(&event).err(),
        Err(error) => Some(error),
    };
    let errors = events.iter().filter_map(apply).map(|error| error.name()).collect();
    (accumulator.message().as_ref().map(value::<AssistantBody>), errors)
}

/// The message of a stream in which nothing is wrong.
fn whole(events: &[Value]) -> Value {
    let mut accumulator = Accumulator::new();
    for json in events {
        accumulator.apply(&event(json)).unwrap_or_else(|error| panic!("{json}: {error}"));
    }
    value(&accumulator.finish().expect("a whole message"))
}

/// The blocks of the message after these events, errors or not.
fn blocks(events: &[Value]) -> Vec<Value> {
    let message = accumulate(events).0.expect("a message");
    message["content"].as_array().expect("a list").clone()
}

/// A loop that yields the messages of streams.
struct Loop {
    context: FixedContext,
    lines: ReplyLines,
    log: EventLog,
    errors: Vec<&'static str>,
}

impl Loop {
    fn new() -> Self {
        Self {
            context: FixedContext::new(1),
            lines: ReplyLines::new(Some("req_1".into())),
            log: EventLog::new(),
            errors: Vec::new(),
        }
    }

    /// Plays events. Returns what was yielded at once, as it was then.
    fn play(&mut self, events: &[Value]) -> Vec<Assistant> {
        let mut shown = Vec::new();
        for json in events {
            let yielded = self.lines.apply(&event(json), &mut self.context);
            shown.extend(yielded.messages.iter().map(|line| Assistant::clone(line)));
            self.errors.extend(self.log.append_yielded(yielded).map(|error| error.name()));
        }
        shown
    }

    /// Gives up the stream. Returns the uuids that are withdrawn.
    fn abandon(&mut self) -> Vec<String> {
        let tombstones = self.lines.abandon(&mut self.context);
        let withdrawn = tombstones.iter().map(|tombstone| tombstone.withdrawn().expect("a uuid").to_string());
        let withdrawn = withdrawn.collect();
        tombstones.into_iter().for_each(|tombstone| self.log.append(tombstone));
        withdrawn
    }

    /// A user message joins the log.
    fn user(&mut self, uuid: &str, content: Value) {
        let json = json!({"type": "user", "uuid": uuid, "message": {"role": "user", "content": content}});
        self.log.append(message(&json));
    }

    fn live(&self) -> Vec<Value> {
        self.log.live().iter().map(|message| value(&**message)).collect()
    }

    fn slots(&self) -> Vec<Value> {
        let read = |slot: &Slot<'_>| serde_json::from_str(slot.write().get()).expect("JSON");
        self.log.slots().iter().map(read).collect()
    }
}

fn message(json: &Value) -> Message {
    serde_json::from_str(&json.to_string()).expect("a message")
}

/// Of each line its text, its call's id or its type.
fn says(lines: &[Value]) -> Vec<String> {
    let block = |block: &Value| {
        let shown = ["text", "id", "tool_use_id", "type"].map(|name| block[name].as_str());
        shown.into_iter().flatten().next().unwrap_or("-").to_owned()
    };
    let says = |line: &Value| match &line["message"]["content"] {
        Value::Array(blocks) => blocks.iter().map(block).collect::<Vec<_>>().join("+"),
        content => content.as_str().unwrap_or("-").to_owned(),
    };
    lines.iter().map(says).collect()
}
