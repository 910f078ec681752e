//! *Messages*, *events* and *entries*: the three unions of kinds. The *envelope* holds the fields that every kind may
//! carry.

use std::sync::Arc;

use crate::json::{FieldError, Fields, Json, Members, ObjectWriter, Raw, Text, push_quoted, walked};

use super::block::misfit_type;
use super::document::{document, serde_through_raw};
use super::shape::Shape;
use super::typed::Typed;
use super::{
    Assistant, Attachment, GroupedToolUse, HookResult, Kind, Progress, SIDE_KINDS, StreamEvent, StreamRequestStart,
    System, Tombstone, ToolUseSummary, User,
};

document! {
    /// The fields that every kind may carry; all optional when read (SPEC.md section 2).
    pub part struct Envelope {
        /// The message's id, a UUID in files that clients write; any text is tolerated.
        uuid: Text = "uuid",
        /// The message before this one; null starts a segment.
        parent_uuid: Text = "parentUuid",
        /// Across a compact boundary: the message that came before it in the conversation.
        logical_parent_uuid: Text = "logicalParentUuid",
        /// When it was made: RFC 3339, milliseconds, `Z`.
        timestamp: Text = "timestamp",
        /// The older name of `timestamp`.
        created_at: Text = "createdAt",
        /// The session that wrote it.
        session_id: Text = "sessionId",
        /// Whether it belongs to a subagent's conversation.
        is_sidechain: bool = "isSidechain",
        /// The subagent.
        agent_id: Text = "agentId",
        /// The working directory.
        cwd: Text = "cwd",
        /// The git branch.
        git_branch: Text = "gitBranch",
        /// The client's version.
        version: Text = "version",
        /// Who uses the client: `external` outside its makers.
        user_type: Text = "userType",
        /// A readable name of the session.
        slug: Text = "slug",
        /// Whether it is for the model alone, not shown to people.
        is_meta: bool = "isMeta",
        /// Whether it exists in memory alone and is never written or sent.
        is_virtual: bool = "isVirtual",
        /// Whether it is shown in the transcript view alone.
        is_visible_in_transcript_only: bool = "isVisibleInTranscriptOnly",
        /// Whether it is the summary after a compact boundary.
        is_compact_summary: bool = "isCompactSummary",
        /// Where it came from, when not from the keyboard.
        origin: Raw = "origin",
    }
}

/// Declares a union of kinds, and what is the same for each of them. One variant may be another union.
macro_rules! union_of {
    (
        $(#[$meta:meta])*
        pub enum $Union:ident {
            $( $(#[$inner_meta:meta])* $Inner:ident, )?
            $( [$Kind:ident], )*
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum $Union {
            $( $(#[$inner_meta])* $Inner($Inner), )?
            $( #[doc = concat!("[`Kind::", stringify!($Kind), "`]")] $Kind(Arc<$Kind>), )*
        }

        impl $Union {
            /// The kind.
            pub fn kind(&self) -> Kind {
                match self {
                    $( Self::$Inner(inner) => inner.kind(), )?
                    $( Self::$Kind(_) => Kind::$Kind, )*
                }
            }

            fn misfit_of_kind(&self) -> Option<FieldError> {
                match self {
                    $( Self::$Inner(inner) => inner.misfit_of_kind(), )?
                    $( Self::$Kind(document) => document.misfit(), )*
                }
            }

            /// The fields that every kind may have.
            pub fn envelope(&self) -> &Envelope {
                match self {
                    $( Self::$Inner(inner) => inner.envelope(), )?
                    $( Self::$Kind(document) => &document.envelope, )*
                }
            }

            /// The fields that every kind may have, to change.
            pub fn envelope_mut(&mut self) -> &mut Envelope {
                match self {
                    $( Self::$Inner(inner) => inner.envelope_mut(), )?
                    $( Self::$Kind(document) => &mut Arc::make_mut(document).envelope, )*
                }
            }

            /// The members that are not known ones, to change.
            pub fn extra_mut(&mut self) -> &mut Fields {
                match self {
                    $( Self::$Inner(inner) => inner.extra_mut(), )?
                    $( Self::$Kind(document) => &mut Arc::make_mut(document).extra, )*
                }
            }

            /// Appends it as JSON, with another envelope in place of its own.
            pub(crate) fn write_under(&self, envelope: &Envelope, json: &mut String) {
                let mut object = ObjectWriter::begin(json);
                push_quoted(object.member("type"), self.kind().name());
                self.write_into(envelope, &mut object);
                object.end();
            }

            fn write_into(&self, envelope: &Envelope, object: &mut ObjectWriter<'_>) {
                match self {
                    $( Self::$Inner(inner) => inner.write_into(envelope, object), )?
                    $( Self::$Kind(document) => document.write_into(envelope, object), )*
                }
            }
        }

        $( impl From<$Inner> for $Union {
            fn from(inner: $Inner) -> Self {
                Self::$Inner(inner)
            }
        } )?

        $( impl From<$Kind> for $Union {
            fn from(document: $Kind) -> Self {
                Self::$Kind(Arc::new(document))
            }
        }

        impl From<Arc<$Kind>> for $Union {
            fn from(document: Arc<$Kind>) -> Self {
                Self::$Kind(document)
            }
        } )*
    };
}

union_of! {
    /// A message that may stand in a list of messages. Copies share what they hold until one of them is changed.
    pub enum Message {
        [User],
        [Assistant],
        [System],
        [Attachment],
        [HookResult],
        [Progress],
        [GroupedToolUse],
    }
}

union_of! {
    /// What the loop yields: a message, or something that passes by and is never in a list.
    pub enum Event {
        /// A message.
        Message,
        [Tombstone],
        [ToolUseSummary],
        [StreamEvent],
        [StreamRequestStart],
    }
}

impl Message {
    /// The message's id.
    pub fn uuid(&self) -> Option<&str> {
        self.envelope().uuid.as_str()
    }
}

impl Event {
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

    /// Reads an event: one JSON object, as a line of a transcript or a request of a client has it.
    ///
    /// This is the fast way: the text is gone over once, and nothing is copied that is not kept. `serde_json` reads the
    /// same, more slowly, and refuses the same: text that is no JSON, what is no object, and a `type` that is none of
    /// [`Kind`]. The error says what it is and where. A known field of another JSON type is no error: it counts as
    /// missing, and [`misfit`](Typed::misfit) names it.
    ///
    /// The texts of an event of up to 4 KiB share its memory: one that is kept alone keeps as much.
    ///
    /// ```
    /// use turnproof_reference::message::Event;
    ///
    /// let event = Event::read(r#"{"type":"user","uuid":"u1","message":{"role":"user","content":"Hello"}}"#)?;
    /// assert_eq!(event.envelope().uuid.as_str(), Some("u1"));
    ///
    /// let error = Event::read(r#"{"type":"user","uuid":"u1""#).unwrap_err();
    /// assert_eq!(error.to_string(), "EOF while parsing an object at line 1 column 26");
    /// let error = Event::read(r#"{"type":"novelty"}"#).unwrap_err();
    /// assert!(error.to_string().contains("should be an object with the `type` of an event"));
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub fn read(json: &str) -> serde_json::Result<Self> {
        match walked(json, Self::read_json) {
            Some(Ok(event)) => Ok(event),
            // What is wrong, and where, is left to that.
            _ => serde_json::from_str(json),
        }
    }

    /// Reads an event from bytes, as [`read`](Self::read) does; they must be UTF-8.
    pub fn read_slice(json: &[u8]) -> serde_json::Result<Self> {
        std::str::from_utf8(json).map_or_else(|_| serde_json::from_slice(json), Self::read)
    }

    /// Reads a JSON array of events, as [`read`](Self::read) does with one. No event keeps the memory of another.
    ///
    /// ```
    /// use turnproof_reference::message::Event;
    ///
    /// let list = Event::read_list(r#"[{"type":"user","uuid":"u1"},{"type":"system","uuid":"u2"}]"#)?;
    /// assert_eq!(list.len(), 2);
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub fn read_list(json: &str) -> serde_json::Result<Vec<Self>> {
        match walked(json, Vec::read_json) {
            Some(Ok(events)) => Ok(events),
            _ => serde_json::from_str(json),
        }
    }

    fn from_members(kind: Kind, members: Members<'_>) -> Self {
        match kind {
            Kind::User => Message::from(User::from_members(members)).into(),
            Kind::Assistant => Message::from(Assistant::from_members(members)).into(),
            Kind::System => Message::from(System::from_members(members)).into(),
            Kind::Attachment => Message::from(Attachment::from_members(members)).into(),
            Kind::HookResult => Message::from(HookResult::from_members(members)).into(),
            Kind::Progress => Message::from(Progress::from_members(members)).into(),
            Kind::GroupedToolUse => Message::from(GroupedToolUse::from_members(members)).into(),
            Kind::ToolUseSummary => ToolUseSummary::from_members(members).into(),
            Kind::Tombstone => Tombstone::from_members(members).into(),
            Kind::StreamEvent => StreamEvent::from_members(members).into(),
            Kind::StreamRequestStart => StreamRequestStart::from_members(members).into(),
        }
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
/// use turnproof_reference::message::Entry;
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
    /// Reads the elements of a JSON array, each for itself. Fails when the bytes are no JSON array.
    pub fn read_each(json: &[u8]) -> serde_json::Result<Vec<Result<Self, FieldError>>> {
        let each = |json: Json<'_>| Some(json.elements()?.map(Self::read_json).collect());
        let read = std::str::from_utf8(json).ok().and_then(|text| walked(text, each)?);
        let read_again = || serde_json::from_slice::<Vec<Raw>>(json).map(|list| list.iter().map(Self::read).collect());
        read.map_or_else(read_again, Ok)
    }

    fn from_members(members: Members<'_>) -> Self {
        let name = members.type_name();
        match Kind::of(&name) {
            Some(kind) => Self::Event(Event::from_members(kind, members.without_type())),
            None => {
                let fields = Fields::of(members);
                let is_side = SIDE_KINDS.contains(&&*name);
                if is_side { Self::Side(SideRecord { kind: (&*name).into(), fields }) } else { Self::Unknown(fields) }
            }
        }
    }

    /// The message, if the line holds one.
    pub fn into_message(self) -> Option<Message> {
        match self {
            Self::Event(event) => event.into_message(),
            _ => None,
        }
    }
}

impl From<Message> for Entry {
    fn from(message: Message) -> Self {
        Self::Event(Event::Message(message))
    }
}

impl Typed for Entry {
    const SHAPE: Shape = Shape::Object(&[]);

    fn read_json(json: Json<'_>) -> Result<Self, FieldError> {
        json.on_one_line(|json| json.members().map(Self::from_members))
            .ok_or_else(|| FieldError::new("an object", json.get()))
    }

    fn misfit(&self) -> Option<FieldError> {
        match self {
            Self::Event(event) => event.misfit(),
            Self::Side(_) => None,
            Self::Unknown(fields) => misfit_type(fields),
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

    fn read_json(json: Json<'_>) -> Result<Self, FieldError> {
        match Entry::read_json(json)? {
            Entry::Event(event) => Ok(event),
            _ => Err(FieldError::new("an object with the `type` of an event", json.get())),
        }
    }

    fn misfit(&self) -> Option<FieldError> {
        self.misfit_of_kind()
    }

    fn write_to(&self, json: &mut String) {
        self.write_under(self.envelope(), json);
    }
}

impl Typed for Message {
    const SHAPE: Shape = Shape::Object(&[]);

    fn read_json(json: Json<'_>) -> Result<Self, FieldError> {
        match Event::read_json(json)? {
            Event::Message(message) => Ok(message),
            _ => Err(FieldError::new("an object with the `type` of a message", json.get())),
        }
    }

    fn misfit(&self) -> Option<FieldError> {
        self.misfit_of_kind()
    }

    fn write_to(&self, json: &mut String) {
        self.write_under(self.envelope(), json);
    }
}

serde_through_raw!(Message);
serde_through_raw!(Event);
serde_through_raw!(Entry);
