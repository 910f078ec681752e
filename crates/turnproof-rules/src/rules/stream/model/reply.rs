//! A *reply* while it is streamed, and the events of which it is made.

use std::collections::BTreeSet;

use crate::json::{Object, Str, Value};

use super::delta::is_sound;
use super::halves::{settled, settled_members};
use super::{BlockMessage, Late};
use crate::rules::alike::{alike_members, exactly_alike};
use crate::rules::value::text;

/// An event as it is read; `None` means that a needed member is missing.
pub(super) enum Event {
    Start(Option<Value>),
    BlockStart {
        index: Index,
        block: Option<Value>,
    },
    /// `content_block_delta`.
    Delta {
        index: Index,
        delta: Option<Value>,
    },
    BlockStop {
        index: Index,
    },
    /// `message_delta`, and its other members.
    MessageDelta {
        delta: Option<Value>,
        others: Object,
    },
    Stop,
    Error {
        is_whole: bool,
    },
    /// `ping`, and unknown events.
    Other,
}

/// The index of a block in an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Index {
    /// A number from 0.
    At(usize),
    /// A number that no block can have.
    Never,
    /// It is missing, or no number.
    Missing,
}

impl Index {
    fn read(event: &Object) -> Self {
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
    /// Reads the members of an event of a type, beside the type.
    pub(super) fn read(kind: &str, mut event: Object) -> Self {
        let index = Index::read(&event);
        let mut object = |name: &str| event.remove(name).filter(Value::is_object);
        match kind {
            "message_start" => Self::Start(object("message").map(settled)),
            "content_block_start" => Self::BlockStart { index, block: object("content_block") },
            "content_block_delta" => Self::Delta { index, delta: object("delta") },
            "content_block_stop" => Self::BlockStop { index },
            "message_delta" => {
                let delta = object("delta").map(settled);
                Self::MessageDelta { delta, others: settled_members(event) }
            }
            "message_stop" => Self::Stop,
            "error" => Self::Error { is_whole: object("error").is_some() },
            _ => Self::Other,
        }
    }

    /// Whether it lacks what it needs, or has something of another type in its place.
    pub(super) fn is_bad(&self) -> bool {
        let is_no_index = |index: &Index| !matches!(index, Index::At(_));
        match self {
            Self::Start(message) => message.is_none(),
            Self::BlockStart { index, block } => is_no_index(index) || !block.as_ref().is_some_and(is_typed),
            Self::Delta { index, delta, .. } => is_no_index(index) || !delta.as_ref().is_some_and(is_sound),
            Self::BlockStop { index } => is_no_index(index),
            Self::MessageDelta { delta, .. } => delta.is_none(),
            Self::Stop | Self::Error { .. } | Self::Other => false,
        }
    }
}

/// Whether a block has a type. Other members of a wrong type are missing, and stay as they are.
pub(super) fn is_typed(block: &Value) -> bool {
    text(block, "type").is_some()
}

/// Whether this is missing, or a usage whose known members have the right types.
pub(super) fn is_usage(usage: &Value) -> bool {
    let is_count = |value: &Value| value.is_number() || value.is_null();
    let is_sound = |(name, value): (&Str, &Value)| match name.as_str() {
        "server_tool_use" | "cache_creation" => {
            value.is_null() || value.as_object().is_some_and(|counts| counts.values().all(is_count))
        }
        "service_tier" | "inference_geo" => is_text_or_none(value),
        name => !name.ends_with("_tokens") || is_count(value),
    };
    usage.is_null() || usage.as_object().is_some_and(|members| members.iter().all(is_sound))
}

fn is_text_or_none(value: &Value) -> bool {
    value.is_string() || value.is_null()
}

#[derive(Clone, Debug)]
pub(super) struct Block {
    pub(super) value: Value,
    /// The JSON of its input so far.
    pub(super) json: String,
    /// Whether nothing more is added to it.
    pub(super) is_stopped: bool,
    /// The model's name before this block named a new one.
    pub(super) model_before: Option<Value>,
}

#[derive(Clone, Debug)]
pub(in crate::rules::stream) struct Reply {
    /// The message, without its content.
    pub(super) message: Value,
    pub(super) blocks: Vec<Block>,
    pub(super) usage: Value,
    pub(in crate::rules::stream) is_finished: bool,
    /// The message as it began, without its content.
    pub(in crate::rules::stream) start: Value,
    /// The members that came late.
    pub(in crate::rules::stream) late_names: BTreeSet<Str>,
}

impl Reply {
    /// A reply begins with a message; or it is unspecified, for this reason, what becomes of it.
    pub(super) fn begin(mut message: Value) -> Result<Self, &'static str> {
        let is_named = text(&message, "id").is_some() && text(&message, "model").is_some();
        if !is_named || text(&message, "role") != Some("assistant") {
            return Err("a reply has no id, no model or another role");
        }
        let usage = message.get("usage").cloned().unwrap_or_default();
        let Some(Value::Array(content)) = message.as_object_mut().and_then(|object| object.remove("content")) else {
            return Err("a reply has no list of content");
        };
        let is_odd = |block: &Value| text(block, "type").is_none_or(|kind| kind == "fallback");
        if content.iter().any(is_odd) {
            return Err("a reply begins with a block that has no type or names the model");
        }
        let given = |value| Block { value, json: String::new(), is_stopped: true, model_before: None };
        let blocks = content.into_iter().map(given).collect();
        let start = message.clone();
        Ok(Self { message, blocks, usage, is_finished: false, start, late_names: BTreeSet::new() })
    }

    /// A member of the message; null when it is missing.
    pub(super) fn member(&self, name: &str) -> &Value {
        self.message.get(name).unwrap_or(&Value::Null)
    }

    pub(super) fn set(&mut self, name: &str, value: Value) {
        if let Some(message) = self.message.as_object_mut() {
            message.insert(name.to_owned(), value);
        }
    }

    /// The message of one block.
    pub(super) fn line(&self, reply: usize, block: usize) -> Option<BlockMessage> {
        let block = self.blocks.get(block)?;
        let models = [Some(self.member("model")), block.model_before.as_ref()];
        let mut line = BlockMessage {
            reply,
            block: block.value.clone(),
            body: ["id", "role"].map(|name| self.member(name).clone()),
            models: models.into_iter().flatten().cloned().collect(),
            usage: self.usage.clone(),
            is_amended: false,
            late: Late::new(),
        };
        line.late = line.early();
        Some(line)
    }

    /// Whether this is the whole message, as far as it is specified: what an unfinished block looks like is the
    /// subject's own.
    pub(in crate::rules::stream) fn is_whole(&self, message: &Value) -> bool {
        let Some(members) = message.as_object() else { return false };
        let Some(content) = members.get("content").and_then(Value::as_array) else { return false };
        let stopped = self.stopped();
        let content = match stopped.len() == self.blocks.len() {
            true => content,
            false => content.get(..stopped.len()).unwrap_or(content),
        };
        let is_compared = |name: &str, value: &Value| name != "content" && !value.is_null();
        let is_same_block = |(found, block): (&Value, &Block)| exactly_alike(found, &block.value);
        content.len() == stopped.len()
            && content.iter().zip(stopped).all(is_same_block)
            && self.message.as_object().is_some_and(|expected| {
                alike_members(members, expected, is_compared, |_, one, other| exactly_alike(one, other))
            })
    }

    /// The whole message with the blocks before the first unfinished one, and whether these are all.
    pub(in crate::rules::stream) fn whole(&self) -> (Value, bool) {
        let stopped = self.stopped();
        let mut whole = self.message.clone();
        if let Some(members) = whole.as_object_mut() {
            members.insert("content".to_owned(), stopped.iter().map(|block| block.value.clone()).collect());
        }
        (whole, stopped.len() == self.blocks.len())
    }

    /// The blocks before the first one that has not stopped.
    fn stopped(&self) -> &[Block] {
        let count = self.blocks.iter().take_while(|block| block.is_stopped).count();
        self.blocks.get(..count).unwrap_or_default()
    }
}
