//! *Messages*, *events* and *entries*: the three unions of kinds.

use std::sync::Arc;

use crate::json::{FieldError, Fields, ObjectWriter, Raw, Text, push_quoted};

use super::block::type_of;
use super::document::{Shape, Typed, serde_through_raw};
use super::{
    Assistant, Attachment, Envelope, GroupedToolUse, HookResult, Kind, Progress, SIDE_KINDS, StreamEvent,
    StreamRequestStart, System, Tombstone, ToolUseSummary, User,
};

/// Does the same with the message inside, of whatever kind it is.
macro_rules! of_message {
    ($union:expr, $message:ident => $result:expr) => {
        match $union {
            Message::User($message) => $result,
            Message::Assistant($message) => $result,
            Message::System($message) => $result,
            Message::Attachment($message) => $result,
            Message::HookResult($message) => $result,
            Message::Progress($message) => $result,
            Message::GroupedToolUse($message) => $result,
        }
    };
}

/// A message that may stand in a list of messages. Copies share what they hold until one of them is changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// `user`
    User(Arc<User>),
    /// `assistant`
    Assistant(Arc<Assistant>),
    /// `system`
    System(Arc<System>),
    /// `attachment`
    Attachment(Arc<Attachment>),
    /// `hook_result`
    HookResult(Arc<HookResult>),
    /// `progress`
    Progress(Arc<Progress>),
    /// `grouped_tool_use`
    GroupedToolUse(Arc<GroupedToolUse>),
}

impl Message {
    /// The message's kind.
    pub fn kind(&self) -> Kind {
        match self {
            Self::User(_) => Kind::User,
            Self::Assistant(_) => Kind::Assistant,
            Self::System(_) => Kind::System,
            Self::Attachment(_) => Kind::Attachment,
            Self::HookResult(_) => Kind::HookResult,
            Self::Progress(_) => Kind::Progress,
            Self::GroupedToolUse(_) => Kind::GroupedToolUse,
        }
    }

    /// The fields that every kind may have.
    pub fn envelope(&self) -> &Envelope {
        of_message!(self, message => &message.envelope)
    }

    /// The fields that every kind may have, to change.
    pub fn envelope_mut(&mut self) -> &mut Envelope {
        of_message!(self, message => &mut Arc::make_mut(message).envelope)
    }

    /// The message's id.
    pub fn uuid(&self) -> Option<&str> {
        self.envelope().uuid.as_str()
    }
}

/// What the loop yields: a message, or something that passes by and is never in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A message.
    Message(Message),
    /// `tombstone`
    Tombstone(Arc<Tombstone>),
    /// `tool_use_summary`
    ToolUseSummary(Arc<ToolUseSummary>),
    /// `stream_event`
    StreamEvent(Arc<StreamEvent>),
    /// `stream_request_start`
    StreamRequestStart(Arc<StreamRequestStart>),
}

impl Event {
    /// The event's kind.
    pub fn kind(&self) -> Kind {
        match self {
            Self::Message(message) => message.kind(),
            Self::Tombstone(_) => Kind::Tombstone,
            Self::ToolUseSummary(_) => Kind::ToolUseSummary,
            Self::StreamEvent(_) => Kind::StreamEvent,
            Self::StreamRequestStart(_) => Kind::StreamRequestStart,
        }
    }

    /// The fields that every kind may have.
    pub fn envelope(&self) -> &Envelope {
        match self {
            Self::Message(message) => message.envelope(),
            Self::Tombstone(event) => &event.envelope,
            Self::ToolUseSummary(event) => &event.envelope,
            Self::StreamEvent(event) => &event.envelope,
            Self::StreamRequestStart(event) => &event.envelope,
        }
    }

    /// The message; `None` for what passes by.
    pub fn message(&self) -> Option<&Message> {
        match self {
            Self::Message(message) => Some(message),
            _ => None,
        }
    }

    /// The same message, taken out.
    pub fn into_message(self) -> Option<Message> {
        match self {
            Self::Message(message) => Some(message),
            _ => None,
        }
    }

    fn from_fields(kind: Kind, fields: Fields) -> Result<Self, FieldError> {
        Ok(match kind {
            Kind::User => Message::from(User::from_fields(fields)?).into(),
            Kind::Assistant => Message::from(Assistant::from_fields(fields)?).into(),
            Kind::System => Message::from(System::from_fields(fields)?).into(),
            Kind::Attachment => Message::from(Attachment::from_fields(fields)?).into(),
            Kind::HookResult => Message::from(HookResult::from_fields(fields)?).into(),
            Kind::Progress => Message::from(Progress::from_fields(fields)?).into(),
            Kind::GroupedToolUse => Message::from(GroupedToolUse::from_fields(fields)?).into(),
            Kind::ToolUseSummary => ToolUseSummary::from_fields(fields)?.into(),
            Kind::Tombstone => Tombstone::from_fields(fields)?.into(),
            Kind::StreamEvent => StreamEvent::from_fields(fields)?.into(),
            Kind::StreamRequestStart => StreamRequestStart::from_fields(fields)?.into(),
        })
    }
}

impl Message {
    /// Appends the message as JSON, with another envelope in place of its own.
    pub(crate) fn write_under(&self, envelope: &Envelope, json: &mut String) {
        let mut object = ObjectWriter::begin(json);
        push_quoted(object.member("type"), self.kind().name());
        of_message!(self, message => message.write_into(envelope, &mut object));
        object.end();
    }
}

/// Makes each kind a member of its union.
macro_rules! member_of {
    ($Union:ident: $($Kind:ident),*) => {
        $( impl From<$Kind> for $Union {
            fn from(member: $Kind) -> Self {
                Self::$Kind(Arc::new(member))
            }
        }

        impl From<Arc<$Kind>> for $Union {
            fn from(member: Arc<$Kind>) -> Self {
                Self::$Kind(member)
            }
        } )*
    };
}

member_of!(Message: User, Assistant, System, Attachment, HookResult, Progress, GroupedToolUse);
member_of!(Event: Tombstone, ToolUseSummary, StreamEvent, StreamRequestStart);

impl From<Message> for Event {
    fn from(message: Message) -> Self {
        Self::Message(message)
    }
}

/// A record beside the conversation: a title, a snapshot, a queue operation. Never in the chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SideRecord {
    /// Its `type`, one of [`SIDE_KINDS`].
    pub kind: Text,
    /// All members, `type` included.
    pub fields: Fields,
}

/// What a line of a transcript can hold. Reading one and writing it gives an equal document.
///
/// ```
/// use turnproof::message::Entry;
///
/// let line = r#"{"type":"user","uuid":"u1","parentUuid":null,"novelty":1.10}"#;
/// let entry: Entry = serde_json::from_str(line)?;
/// assert_eq!(serde_json::to_string(&entry)?, line);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// A kind of message.
    Event(Event),
    /// A side record.
    Side(SideRecord),
    /// A `type` that is not known, or none: all members.
    Unknown(Fields),
}

impl Entry {
    /// The message, if the line holds one.
    pub fn into_message(self) -> Option<Message> {
        match self {
            Self::Event(event) => event.into_message(),
            _ => None,
        }
    }
}

impl From<Event> for Entry {
    fn from(event: Event) -> Self {
        Self::Event(event)
    }
}

impl From<Message> for Entry {
    fn from(message: Message) -> Self {
        Self::Event(Event::Message(message))
    }
}

impl Typed for Entry {
    const SHAPE: Shape = Shape::Object(&[]);

    fn read(raw: &Raw) -> Result<Self, FieldError> {
        let mut fields = Fields::from_raw(raw)?;
        let name = type_of(&fields)?.unwrap_or_default();
        match Kind::of(&name) {
            Some(kind) => {
                fields.take("type");
                Event::from_fields(kind, fields).map(Self::Event)
            }
            None if SIDE_KINDS.contains(&name.as_str()) => Ok(Self::Side(SideRecord { kind: name, fields })),
            None => Ok(Self::Unknown(fields)),
        }
    }

    fn write_to(&self, json: &mut String) {
        match self {
            Self::Event(event) => event.write_to(json),
            Self::Side(SideRecord { fields, .. }) | Self::Unknown(fields) => fields.write_to(json),
        }
    }
}

impl Typed for Event {
    const SHAPE: Shape = Shape::Object(&[]);

    fn read(raw: &Raw) -> Result<Self, FieldError> {
        match Entry::read(raw)? {
            Entry::Event(event) => Ok(event),
            _ => Err(FieldError::new("an object with the `type` of an event", raw)),
        }
    }

    fn write_to(&self, json: &mut String) {
        if let Self::Message(message) = self {
            return message.write_to(json);
        }
        let mut object = ObjectWriter::begin(json);
        push_quoted(object.member("type"), self.kind().name());
        match self {
            Self::Message(_) => {}
            Self::Tombstone(event) => event.write_into(&event.envelope, &mut object),
            Self::ToolUseSummary(event) => event.write_into(&event.envelope, &mut object),
            Self::StreamEvent(event) => event.write_into(&event.envelope, &mut object),
            Self::StreamRequestStart(event) => event.write_into(&event.envelope, &mut object),
        }
        object.end();
    }
}

impl Typed for Message {
    const SHAPE: Shape = Shape::Object(&[]);

    fn read(raw: &Raw) -> Result<Self, FieldError> {
        match Event::read(raw)? {
            Event::Message(message) => Ok(message),
            _ => Err(FieldError::new("an object with the `type` of a message", raw)),
        }
    }

    fn write_to(&self, json: &mut String) {
        self.write_under(self.envelope(), json);
    }
}

serde_through_raw!(Message);
serde_through_raw!(Event);
serde_through_raw!(Entry);
