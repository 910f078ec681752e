//! A *reply* in the making, and the events that make it.

use serde_json::{Value, json};

use super::{Line, text};
use crate::operation::Plain;

/// An event as it is read; `None` stands for what it needs and lacks.
pub(super) enum Event {
    /// `message_start`.
    Start(Option<Value>),
    /// `content_block_start`.
    BlockStart { index: Index, block: Option<Value> },
    /// `content_block_delta`; torn where a text begins or ends with half of a surrogate pair.
    Delta { index: Index, delta: Option<Value>, is_torn: bool },
    /// `content_block_stop`.
    BlockStop { index: Index },
    /// `message_delta`, and the whole event.
    MessageDelta { delta: Option<Value>, event: Value },
    /// `message_stop`.
    Stop,
    /// `error`.
    Error { is_whole: bool },
    /// `ping`, and what is not known.
    Other,
}

/// The index of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Index {
    /// A number from 0.
    At(usize),
    /// A number that no block can have.
    Never,
    /// None, or no number.
    Missing,
}

impl Index {
    fn read(event: &Value) -> Self {
        match event.get("index") {
            Some(Value::Number(number)) => {
                // A whole number may be written `0.0`; beyond this no reply has blocks.
                let whole = number.as_f64().filter(|at| at.fract() == 0.0 && (0.0..1e9).contains(at));
                whole.map_or(Self::Never, |at| Self::At(at as usize))
            }
            _ => Self::Missing,
        }
    }
}

impl Event {
    /// Reads an event of a type.
    pub(super) fn read(kind: &str, plain: &Plain) -> Self {
        let event = &plain.value;
        let object = |name: &str| event.get(name).filter(|value| value.is_object()).cloned();
        let index = Index::read(event);
        match kind {
            "message_start" => Self::Start(object("message")),
            "content_block_start" => Self::BlockStart { index, block: object("content_block") },
            "content_block_delta" => {
                let delta = object("delta");
                let ends_torn = |value: &Value| {
                    value
                        .as_str()
                        .is_some_and(|text| text.starts_with('\u{FFFD}') || text.ends_with('\u{FFFD}'))
                };
                let members = delta.iter().filter_map(Value::as_object).flat_map(|delta| delta.values());
                let is_torn = !plain.lone_surrogates.is_empty() && members.into_iter().any(ends_torn);
                Self::Delta { index, delta, is_torn }
            }
            "content_block_stop" => Self::BlockStop { index },
            "message_delta" => Self::MessageDelta { delta: object("delta"), event: event.clone() },
            "message_stop" => Self::Stop,
            "error" => Self::Error { is_whole: object("error").is_some() },
            _ => Self::Other,
        }
    }

    /// Whether it lacks what it needs.
    pub(super) fn is_bad(&self) -> bool {
        match self {
            Self::Start(message) => message.is_none(),
            Self::BlockStart { index, block } => *index == Index::Missing || block.is_none(),
            Self::Delta { index, delta, .. } => *index == Index::Missing || delta.is_none(),
            Self::BlockStop { index } => *index == Index::Missing,
            Self::MessageDelta { delta, .. } => delta.is_none(),
            Self::Stop | Self::Error { .. } | Self::Other => false,
        }
    }
}

/// A block of a reply.
#[derive(Clone, Debug)]
pub(super) struct Block {
    /// The block so far.
    pub(super) value: Value,
    /// The JSON of its input so far.
    pub(super) json: String,
    /// Whether nothing more is added to it.
    pub(super) is_stopped: bool,
    /// The model's name before this block named it anew.
    pub(super) model_before: Option<Value>,
}

/// A reply that began.
#[derive(Clone, Debug)]
pub(in crate::rules::stream) struct Reply {
    /// The message, without its content.
    pub(super) message: Value,
    /// Its blocks.
    pub(super) blocks: Vec<Block>,
    /// The usage that it began with.
    pub(super) usage: Value,
    /// Whether it has ended.
    pub(in crate::rules::stream) is_finished: bool,
}

impl Reply {
    /// A reply begins with a message.
    ///
    /// # Errors
    /// Why it is not laid down what becomes of it.
    pub(super) fn begin(mut message: Value) -> Result<Self, &'static str> {
        let is_named = text(&message, "id").is_some() && text(&message, "model").is_some();
        if !is_named || text(&message, "role") != Some("assistant") {
            return Err("a reply has no id, no model or another role");
        }
        let usage = message.get("usage").cloned().unwrap_or_default();
        if !(usage.is_object() || usage.is_null()) {
            return Err("the usage of a reply is no object");
        }
        let Some(Value::Array(content)) = message.as_object_mut().and_then(|object| object.remove("content"))
        else {
            return Err("a reply has no list of content");
        };
        let is_odd = |block: &Value| text(block, "type").is_none_or(|kind| kind == "fallback");
        if content.iter().any(is_odd) {
            return Err("a reply begins with a block that has no type or names the model");
        }
        let given = |value| Block { value, json: String::new(), is_stopped: true, model_before: None };
        let blocks = content.into_iter().map(given).collect();
        Ok(Self { message, blocks, usage, is_finished: false })
    }

    /// A member of the message.
    pub(super) fn member(&self, name: &str) -> Value {
        self.message.get(name).cloned().unwrap_or_default()
    }

    /// Sets a member of the message.
    pub(super) fn set(&mut self, name: &str, value: Value) {
        if let Some(message) = self.message.as_object_mut() {
            message.insert(name.to_owned(), value);
        }
    }

    /// The message of one block.
    pub(super) fn line(&self, reply: usize, block: usize) -> Option<Line> {
        let block = self.blocks.get(block)?;
        let models = [Some(self.member("model")), block.model_before.clone()];
        Some(Line {
            reply,
            block: block.value.clone(),
            body: [self.member("id"), self.member("role")],
            models: models.into_iter().flatten().collect(),
            usage: self.usage.clone(),
            late: None,
        })
    }

    /// The whole message: what is laid down of its content, and whether that is all.
    pub(in crate::rules::stream) fn whole(&self) -> (Value, bool) {
        let stopped = self.blocks.iter().take_while(|block| block.is_stopped);
        let content: Vec<Value> = stopped.map(|block| block.value.clone()).collect();
        let is_all = content.len() == self.blocks.len();
        let mut whole = self.message.clone();
        if let Some(members) = whole.as_object_mut() {
            members.insert("content".to_owned(), json!(content));
        }
        (whole, is_all)
    }
}
