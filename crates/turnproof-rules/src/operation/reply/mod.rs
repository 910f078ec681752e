//! A *reply* is what a host sends back for a request: a stream of events, a message, or an error.
//!
//! It is read once, whatever it is made of. Rules on replies (`reply/*`) look at its events, and at what they make
//! together.

mod assembled;
mod server_events;

use crate::json::Value;

use super::plain::Plain;
use crate::rules::Place;
use crate::rules::value::kind;
use crate::vocabulary::EVENT_TYPES;

pub(crate) use assembled::{Assembled, AssembledBlock, DELTA_TARGETS, delta_fits};

/// What a reply is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplyForm {
    /// A stream of server-sent events, as a host sends it.
    Stream,
    /// The events of a stream as JSON Lines or as an array, without their framing.
    Events,
    /// A message, as a host gives it that does not stream.
    Message,
    /// An error of the API.
    Error,
    /// A reply of another API, or JSON that is none.
    Foreign(Foreign),
}

/// What is no reply of the Messages API.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Foreign {
    /// The stream of a chat completion.
    OpenAiChunks,
    /// A whole chat completion.
    OpenAiCompletion,
    /// An error in the form of OpenAI's API.
    OpenAiError,
    /// A reply of Bedrock Converse.
    Converse,
    /// Other JSON.
    Other,
}

impl Foreign {
    /// What it is, in words.
    pub const fn describe(self) -> &'static str {
        match self {
            Self::OpenAiChunks => "chunks of OpenAI's chat completions",
            Self::OpenAiCompletion => "a chat completion of OpenAI's API",
            Self::OpenAiError => "an error in the form of OpenAI's API",
            Self::Converse => "a reply of Bedrock Converse",
            Self::Other => "JSON that is no message of the assistant",
        }
    }

    /// The API that a whole reply is of; `None` for a message or an error of the Messages API.
    fn of(value: &Value) -> Option<Self> {
        let has = |name: &str| value.get(name).is_some_and(|member| !member.is_null());
        let object = value.get("object").and_then(Value::as_str).unwrap_or_default();
        match kind(value) {
            "message" | "error" => None,
            _ if object == "chat.completion.chunk" => Some(Self::OpenAiChunks),
            _ if object.starts_with("chat.completion") || has("choices") => Some(Self::OpenAiCompletion),
            _ if has("output") && has("stopReason") => Some(Self::Converse),
            "" if value.get("error").is_some_and(Value::is_object) => Some(Self::OpenAiError),
            // A gateway may forget the type.
            "" if has("role") && has("content") => None,
            _ => Some(Self::Other),
        }
    }
}

/// A reply, read.
#[derive(Clone, Debug)]
pub struct Reply {
    /// What it is.
    pub form: ReplyForm,
    /// Its size in bytes.
    pub bytes: u64,
    /// The events of a stream; empty for JSON.
    pub events: Vec<ReplyEvent>,
    /// The message or the error that is no stream; null for a stream.
    pub message: Value,
    /// Lines of a stream that are no field of an event, with their numbers.
    pub(crate) strange_lines: Vec<(u32, String)>,
    /// The line on which an event begins that no empty line ends.
    pub(crate) cut: Option<u32>,
    pub(crate) assembled: Assembled,
}

/// An event of a stream.
#[derive(Clone, Debug, PartialEq)]
pub struct ReplyEvent {
    /// Which one, from 1.
    pub number: u32,
    /// The line on which it begins, from 1.
    pub line: u32,
    /// Its name (`event:`), if it has one.
    pub name: Option<String>,
    /// Its data, as it was sent.
    pub data: String,
    /// Its data as JSON; null when it is none.
    pub value: Value,
}

impl ReplyEvent {
    /// What the event is: the type in its data, or else its name.
    pub fn kind(&self) -> &str {
        match kind(&self.value) {
            "" => self.name.as_deref().unwrap_or_default(),
            kind => kind,
        }
    }

    /// Where it is.
    pub fn place(&self) -> Place {
        Place::Event { number: self.number, line: self.line }
    }

    /// The index of the block that it is about, as a whole number.
    pub(crate) fn index(&self) -> Option<u64> {
        let index = self.value.get("index")?;
        index
            .as_u64()
            .or_else(|| index.as_f64().filter(|index| *index >= 0.0 && index.fract() == 0.0).map(|index| index as u64))
    }
}

/// Bytes that are no reply.
#[derive(Debug, thiserror::Error)]
pub enum ReplyError {
    /// There is nothing.
    #[error("there is nothing in it")]
    Empty,
    /// It begins like JSON and is none.
    #[error("not JSON: {0}")]
    Json(serde_json::Error),
    /// It is neither JSON nor has an event.
    #[error("a reply is a message as JSON, or a stream of events; this is neither")]
    Shape,
}

impl Reply {
    /// Reads a reply: the text of a response (server-sent events or JSON), or events as JSON Lines or as an array. Fails
    /// when the bytes are neither.
    pub fn read(bytes: &[u8]) -> Result<Self, ReplyError> {
        let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes).trim_ascii();
        let mut reply = match text.first() {
            None => return Err(ReplyError::Empty),
            Some(b'{' | b'[') => Self::of_json(text)?,
            Some(_) => Self::of_stream(bytes)?,
        };
        reply.bytes = bytes.len() as u64;
        Ok(reply)
    }

    /// The events of a stream of the Messages API; `None` for everything else.
    pub(crate) fn stream(&self) -> Option<&[ReplyEvent]> {
        matches!(self.form, ReplyForm::Stream | ReplyForm::Events).then_some(&self.events)
    }

    /// The message that is said: itself, or what the events of a stream come to. `None` for an error, and for a stream
    /// that has not begun. Linear in its size.
    pub fn said(&self) -> Option<Value> {
        match self.form {
            ReplyForm::Stream | ReplyForm::Events | ReplyForm::Message => self.assembled.to_message(),
            ReplyForm::Error | ReplyForm::Foreign(_) => None,
        }
    }

    /// The replies of a stream that has several: each ends with its `message_stop` or its error.
    pub fn split(self) -> Vec<Self> {
        if self.stream().is_none() {
            return vec![self];
        }
        let is_over = |event: &ReplyEvent| matches!(event.kind(), "message_stop" | "error");
        let mut parts: Vec<Vec<ReplyEvent>> = vec![Vec::new()];
        for event in self.events {
            let is_next = event.kind() == "message_start" && parts.last().is_some_and(|part| part.iter().any(is_over));
            if is_next {
                parts.push(Vec::new());
            }
            parts.last_mut().expect("one at least").push(event);
        }
        let mut replies: Vec<Self> = parts.into_iter().map(|events| Self::of_events(self.form, events)).collect();
        if let Some(first) = replies.first_mut() {
            (first.strange_lines, first.cut) = (self.strange_lines, self.cut);
        }
        replies
    }

    fn of_json(text: &[u8]) -> Result<Self, ReplyError> {
        match Plain::read_bytes(text) {
            Ok(plain) => Ok(match plain.into_value() {
                Value::Array(elements) => {
                    Self::of_events(ReplyForm::Events, numbered(elements.into_iter().map(|value| (1, value))))
                }
                value if is_event(&value) => Self::of_events(ReplyForm::Events, numbered([(1, value)])),
                value => Self::whole(value),
            }),
            Err(error) => Self::of_lines(text).ok_or(ReplyError::Json(error)),
        }
    }

    /// The events of JSON Lines; `None` where the first line is no JSON.
    fn of_lines(text: &[u8]) -> Option<Self> {
        let lines = (1..).zip(text.split(|&byte| byte == b'\n')).filter(|(_, line)| !line.trim_ascii().is_empty());
        let mut read = lines.map(|(line, text)| (line, Plain::read_bytes(text).map(Plain::into_value))).peekable();
        read.peek().filter(|(_, value)| value.is_ok())?;
        Some(Self::of_events(ReplyForm::Events, numbered(read.map(|(line, value)| (line, value.unwrap_or_default())))))
    }

    fn of_stream(bytes: &[u8]) -> Result<Self, ReplyError> {
        let read = server_events::read(bytes);
        if read.events.is_empty() && read.cut.is_none() {
            return Err(ReplyError::Shape);
        }
        let reply = Self::of_events(ReplyForm::Stream, read.events);
        Ok(Self { strange_lines: read.strange_lines, cut: read.cut, ..reply })
    }

    fn of_events(form: ReplyForm, events: Vec<ReplyEvent>) -> Self {
        let is_chunk = |event: &ReplyEvent| {
            matches!(Foreign::of(&event.value), Some(Foreign::OpenAiChunks | Foreign::OpenAiCompletion))
        };
        let form = if events.iter().any(is_chunk) { ReplyForm::Foreign(Foreign::OpenAiChunks) } else { form };
        let mut reply = Self::new(form);
        reply.events = events;
        if let Some(events) = reply.stream() {
            reply.assembled = Assembled::of_events(events);
        }
        reply
    }

    fn whole(value: Value) -> Self {
        let form = match Foreign::of(&value) {
            Some(foreign) => ReplyForm::Foreign(foreign),
            None if kind(&value) == "error" => ReplyForm::Error,
            None => ReplyForm::Message,
        };
        let mut reply = Self::new(form);
        if form == ReplyForm::Message {
            reply.assembled = Assembled::of_message(&value);
        }
        reply.message = value;
        reply
    }

    fn new(form: ReplyForm) -> Self {
        Self {
            form,
            bytes: 0,
            events: Vec::new(),
            message: Value::Null,
            strange_lines: Vec::new(),
            cut: None,
            assembled: Assembled::default(),
        }
    }
}

/// Whether JSON is one event of a stream. An error alone is an error that is no stream.
fn is_event(value: &Value) -> bool {
    let kind = kind(value);
    kind == "stream_event" || EVENT_TYPES.contains(&kind) && kind != "error"
}

/// Events of values, each with its line; taken out of the messages that a client wraps them in.
fn numbered(values: impl IntoIterator<Item = (u32, Value)>) -> Vec<ReplyEvent> {
    let unwrapped = |value: Value| match kind(&value) {
        "stream_event" => value.get("event").cloned().unwrap_or_default(),
        _ => value,
    };
    let event = |(number, (line, value))| {
        let value = unwrapped(value);
        ReplyEvent { number, line, name: None, data: value.to_string(), value }
    };
    (1..).zip(values).map(event).collect()
}
