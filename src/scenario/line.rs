//! A *line plan* says what one line of a transcript holds.

use serde::{Deserialize, Serialize};

use super::damage::Damage;

/// What a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LineKind {
    /// A user message.
    User,
    /// An assistant message.
    Assistant,
    /// A system message of the subtype with this index in
    /// [`SUBTYPES`](crate::message::SUBTYPES); beyond them, one without a subtype.
    System(u8),
    /// An attachment.
    Attachment,
    /// A hook's outcome.
    HookResult,
    /// Progress, as old clients wrote it.
    Progress,
    /// A tool-use summary, which should not be on disk.
    ToolUseSummary,
    /// A tombstone, which should not be on disk.
    Tombstone,
    /// A group, which should not be on disk.
    GroupedToolUse,
    /// A stream event, which should not be on disk.
    StreamEvent,
    /// The start of a request, which should not be on disk.
    StreamRequestStart,
    /// A side record of the kind with this index in [`SIDE_KINDS`](crate::message::SIDE_KINDS).
    Side(u8),
    /// A `type` that nobody knows.
    Unknown,
    /// No `type` at all.
    Untyped,
}

/// A record's link to another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Link {
    /// No `parentUuid`.
    #[default]
    Absent,
    /// `null`.
    Null,
    /// The id of the line before; null for the first.
    Previous,
    /// An id of the pool.
    To(u8),
}

/// A content block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BlockPlan {
    /// Text of the pool.
    Text(u8),
    /// A call with this number.
    ToolUse(u8),
    /// The result of the call with this number.
    ToolResult(u8),
    /// Thinking.
    Thinking(u8),
    /// Redacted thinking.
    RedactedThinking,
    /// A call of a server tool.
    ServerToolUse(u8),
    /// The result of a server tool.
    ServerToolResult(u8),
    /// An image.
    Image,
    /// A document.
    Document,
    /// A type that nobody knows.
    Unknown(u8),
    /// Text of an unusual [form](super::pool::TEXTS), then its text.
    OddText(u8, u8),
    /// A call of another [form](super::pool::CLIENT_CALLS), then its number.
    OddCall(u8, u8),
    /// A result of another [form](super::pool::CLIENT_RESULTS), then the call's number.
    OddResult(u8, u8),
    /// Thinking of an unusual [form](super::pool::THINKING), then its text.
    OddThinking(u8, u8),
    /// A call of a server tool in any [form](super::pool::SERVER_CALLS), then its number.
    OddServerCall(u8, u8),
    /// The result of a server tool in any [form](super::pool::SERVER_RESULTS), then the call's
    /// number.
    OddServerResult(u8, u8),
    /// An image or a document of an unusual [form](super::pool::MEDIA).
    OddMedia(u8),
    /// A block of a [form](super::pool::STRANGE) that nobody knows.
    Strange(u8),
}

/// What one line holds. The default is the plainest line: a user message that says `a`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct LinePlan {
    /// What it is.
    pub kind: LineKind,
    /// Its id, from the pool; none leaves it out.
    pub uuid: Option<u8>,
    /// Its link.
    #[serde(default, skip_serializing_if = "is_default")]
    pub parent: Link,
    /// Its session, from the pool.
    #[serde(default, skip_serializing_if = "is_default")]
    pub session: u8,
    /// Its flags, a bit for each of [`FLAGS`](super::pool::FLAGS), and as many bits above them for
    /// their values.
    #[serde(default, skip_serializing_if = "is_default")]
    pub flags: u16,
    /// Its content, for users and assistants; a single text may become a string.
    #[serde(default, skip_serializing_if = "is_default")]
    pub blocks: Vec<BlockPlan>,
    /// Whether the content is a string: the first text block's.
    #[serde(default, skip_serializing_if = "is_default")]
    pub plain: bool,
    /// The reply that an assistant line belongs to.
    #[serde(default, skip_serializing_if = "is_default")]
    pub reply: u8,
    /// Members beyond the usual ones, a bit for each of [`EXTRAS`](super::pool::EXTRAS).
    #[serde(default, skip_serializing_if = "is_default")]
    pub extras: u16,
    /// Which form the kind's own members take; 0 is the usual one.
    #[serde(default, skip_serializing_if = "is_default")]
    pub form: u8,
    /// What a form is about: a text, a call or an id of the pools, as the form needs it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub about: u8,
    /// What happened to the line on disk.
    #[serde(default, skip_serializing_if = "is_default")]
    pub damage: Vec<Damage>,
}

impl Default for LinePlan {
    fn default() -> Self {
        Self {
            kind: LineKind::User,
            uuid: Some(0),
            parent: Link::Absent,
            session: 0,
            flags: 0,
            blocks: Vec::new(),
            plain: false,
            reply: 0,
            extras: 0,
            form: 0,
            about: 0,
            damage: Vec::new(),
        }
    }
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
