//! A *model event* is one step of a model's stream, read; the engine makes them too.

use std::borrow::Cow;

use memchr::memchr2;

use crate::json::{FieldError, Fields, Number, Raw, Text, compact};
use crate::message::{AssistantBody, Block, Maybe, Typed, Usage};

use super::DEEPEST;
use super::delta::{Delta, needed, optional, put, type_name};
use super::error::StreamError;
use super::sse::ServerEvent;

/// One step of a model's stream. Unknown members are kept in `extra`; reading an event and writing
/// it gives an equal document.
///
/// ```
/// use turnproof_reference::json::Raw;
/// use turnproof_reference::stream::ModelEvent;
///
/// let text = r#"{"type":"content_block_stop","index":2,"novelty":1.10}"#;
/// let event = ModelEvent::read(&Raw::from_json(text.into())?)?;
/// assert_eq!(event.type_name(), "content_block_stop");
/// assert_eq!(event.write().get(), text);
/// assert_eq!(ModelEvent::block_stop(2).write().get(), r#"{"type":"content_block_stop","index":2}"#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModelEvent {
    /// `message_start`: a reply begins.
    MessageStart {
        /// The message, which nearly always has no content yet.
        message: Box<AssistantBody>,
        /// Unknown members.
        extra: Fields,
    },
    /// `content_block_start`: a block begins.
    BlockStart {
        /// Its place among the blocks.
        index: Number,
        /// The block, nearly always empty.
        block: Block,
        /// Unknown members.
        extra: Fields,
    },
    /// `content_block_delta`: something is added to a block.
    BlockDelta {
        /// Which block.
        index: Number,
        /// What is added.
        delta: Delta,
        /// Unknown members of the delta.
        delta_extra: Fields,
        /// Unknown members.
        extra: Fields,
    },
    /// `content_block_stop`: a block is whole.
    BlockStop {
        /// Which block.
        index: Number,
        /// Unknown members.
        extra: Fields,
    },
    /// `message_delta`: what is known of the reply only at its end.
    MessageDelta {
        /// The members of the message that change: `stop_reason`, `stop_sequence` and others.
        delta: Fields,
        /// The totals so far.
        usage: Box<Maybe<Usage>>,
        /// Unknown members.
        extra: Fields,
    },
    /// `message_stop`: the reply is whole.
    MessageStop {
        /// Unknown members.
        extra: Fields,
    },
    /// `ping`: nothing, to keep the line open.
    Ping {
        /// Unknown members.
        extra: Fields,
    },
    /// `error`: the API gives up.
    Error {
        /// What went wrong: an object with `type` and `message`.
        error: Maybe<Raw>,
        /// Unknown members.
        extra: Fields,
    },
    /// Any other type, or none (then empty).
    Unknown {
        /// The event's type.
        name: Text,
        /// All members, `type` included.
        fields: Fields,
    },
}

impl ModelEvent {
    /// Reads the data of an event. It is a [`StreamError::BadEvent`] when the data is no object, or is nested so deep
    /// that no transcript could hold it, or when a known type lacks what it needs. Other known fields of a wrong JSON
    /// type count as missing, and are kept.
    pub fn read(data: &Raw) -> Result<Self, StreamError> {
        let fields = members(data)?;
        let name = type_name(&fields)?.unwrap_or_default();
        Self::from_fields(name, fields)
    }

    /// Reads an event of its members, as [`ModelEvent::read`] does.
    pub fn of_fields(fields: &Fields) -> Result<Self, StreamError> {
        let has_line_end = |(_, value): (&Text, &Raw)| memchr2(b'\n', b'\r', value.get().as_bytes()).is_some();
        if fields.iter().any(has_line_end) {
            return Self::read(&fields.to_raw());
        }
        fields.iter().try_for_each(|(_, value)| check_depth(1 + compact(value.get()).depth))?;
        let name = type_name(fields)?.unwrap_or_default();
        Self::from_fields(name, fields.clone())
    }

    /// Reads a server-sent event; its name replaces a `type` that its data lacks.
    pub fn of_server_event(event: &ServerEvent) -> Result<Self, StreamError> {
        let data = Raw::from_json(event.data.clone()).map_err(StreamError::bad_event)?;
        let mut fields = members(&data)?;
        let name = match (type_name(&fields)?, &event.name) {
            (Some(name), _) => name,
            (None, Some(name)) => {
                fields.set("type", Raw::from(name.as_str()));
                name.as_str().into()
            }
            (None, None) => Text::default(),
        };
        Self::from_fields(name, fields)
    }

    fn from_fields(name: Text, mut fields: Fields) -> Result<Self, StreamError> {
        let take = &mut fields;
        Ok(match name.as_str() {
            "message_start" => {
                let message = Box::new(needed(take, "message")?);
                Self::MessageStart { message, extra: without_type(fields) }
            }
            "content_block_start" => {
                let (index, block) = (needed(take, "index")?, needed(take, "content_block")?);
                if let Block::Stray(raw) = &block {
                    return Err(FieldError::new(Block::SHAPE.expected(), raw.get()).within("content_block").into());
                }
                Self::BlockStart { index, block, extra: without_type(fields) }
            }
            "content_block_delta" => {
                let (index, mut delta_extra) = (needed(take, "index")?, needed(take, "delta")?);
                let delta = Delta::take_from(&mut delta_extra).map_err(|error| error.within("delta"))?;
                Self::BlockDelta { index, delta, delta_extra, extra: without_type(fields) }
            }
            "content_block_stop" => Self::BlockStop { index: needed(take, "index")?, extra: without_type(fields) },
            "message_delta" => {
                let delta: Fields = needed(take, "delta")?;
                let usage = Box::new(optional(take, "usage"));
                Self::MessageDelta { delta, usage, extra: without_type(fields) }
            }
            "message_stop" => Self::MessageStop { extra: without_type(fields) },
            "ping" => Self::Ping { extra: without_type(fields) },
            "error" => Self::Error { error: optional(take, "error"), extra: without_type(fields) },
            _ => Self::Unknown { name, fields },
        })
    }

    /// Writes the data of the event.
    pub fn write(&self) -> Raw {
        let mut fields = Fields::new();
        if let Some(name) = self.known_name() {
            fields.set("type", name.into());
        }
        match self {
            Self::MessageStart { message, .. } => fields.set("message", message.write()),
            Self::BlockStart { index, block, .. } => {
                fields.set("index", index.write());
                fields.set("content_block", block.write());
            }
            Self::BlockDelta { index, delta, delta_extra, .. } => {
                let mut members = Fields::new();
                delta.write_into(&mut members);
                members.extend(delta_extra);
                fields.set("index", index.write());
                fields.set("delta", members.to_raw());
            }
            Self::BlockStop { index, .. } => fields.set("index", index.write()),
            Self::MessageDelta { delta, usage, .. } => {
                fields.set("delta", delta.to_raw());
                put(&mut fields, "usage", usage);
            }
            Self::Error { error, .. } => put(&mut fields, "error", error),
            Self::MessageStop { .. } | Self::Ping { .. } | Self::Unknown { .. } => {}
        }
        fields.extend(self.extra());
        fields.to_raw()
    }

    /// The event's `type`; the empty string when it has none.
    pub fn type_name(&self) -> &str {
        match self {
            Self::Unknown { name, .. } => name,
            known => known.known_name().unwrap_or_default(),
        }
    }

    /// The `type` of an event that is known.
    pub(super) const fn known_name(&self) -> Option<&'static str> {
        Some(match self {
            Self::MessageStart { .. } => "message_start",
            Self::BlockStart { .. } => "content_block_start",
            Self::BlockDelta { .. } => "content_block_delta",
            Self::BlockStop { .. } => "content_block_stop",
            Self::MessageDelta { .. } => "message_delta",
            Self::MessageStop { .. } => "message_stop",
            Self::Ping { .. } => "ping",
            Self::Error { .. } => "error",
            Self::Unknown { .. } => return None,
        })
    }

    /// The members that are not known; all of them for an unknown type.
    pub fn extra(&self) -> &Fields {
        match self {
            Self::MessageStart { extra, .. }
            | Self::BlockStart { extra, .. }
            | Self::BlockDelta { extra, .. }
            | Self::BlockStop { extra, .. }
            | Self::MessageDelta { extra, .. }
            | Self::MessageStop { extra }
            | Self::Ping { extra }
            | Self::Error { extra, .. } => extra,
            Self::Unknown { fields, .. } => fields,
        }
    }
}

/// Events as an engine makes them.
impl ModelEvent {
    /// `message_start`
    pub fn message_start(message: AssistantBody) -> Self {
        Self::MessageStart { message: Box::new(message), extra: Fields::new() }
    }

    /// `content_block_start`
    pub fn block_start(index: u64, block: Block) -> Self {
        Self::BlockStart { index: index.into(), block, extra: Fields::new() }
    }

    /// `content_block_delta`
    pub fn block_delta(index: u64, delta: Delta) -> Self {
        Self::BlockDelta { index: index.into(), delta, delta_extra: Fields::new(), extra: Fields::new() }
    }

    /// `content_block_stop`
    pub fn block_stop(index: u64) -> Self {
        Self::BlockStop { index: index.into(), extra: Fields::new() }
    }

    /// `message_delta` that gives a reason to stop and the totals.
    pub fn message_delta(stop_reason: &str, usage: Usage) -> Self {
        let delta = Fields::from([("stop_reason", stop_reason.into()), ("stop_sequence", Raw::null())]);
        Self::MessageDelta { delta, usage: Box::new(usage.into()), extra: Fields::new() }
    }

    /// `message_stop`
    pub const fn message_stop() -> Self {
        Self::MessageStop { extra: Fields::new() }
    }

    /// `ping`
    pub const fn ping() -> Self {
        Self::Ping { extra: Fields::new() }
    }

    /// `error`, of a kind such as `overloaded_error`.
    pub fn error(kind: &str, message: &str) -> Self {
        let error = Fields::from([("type", kind.into()), ("message", message.into())]);
        Self::Error { error: error.to_raw().into(), extra: Fields::new() }
    }
}

/// The members of an event, each on one line.
fn members(data: &Raw) -> Result<Fields, StreamError> {
    let compact = compact(data.get());
    check_depth(compact.depth)?;
    let fields = match compact.text {
        Cow::Borrowed(_) => Fields::from_raw(data),
        Cow::Owned(text) => Fields::from_raw(&Raw::from_json(text).map_err(StreamError::bad_event)?),
    };
    Ok(fields?)
}

fn check_depth(depth: usize) -> Result<(), StreamError> {
    if depth > DEEPEST {
        return Err(StreamError::bad_event(format!("it is nested deeper than {DEEPEST}")));
    }
    Ok(())
}

fn without_type(mut fields: Fields) -> Fields {
    fields.take("type");
    fields
}
