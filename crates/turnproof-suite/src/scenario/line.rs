//! A *line plan* says what one line of a transcript holds.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::pool::{
    AttachmentForm, CallForm, Extra, Flag, MediaForm, PoolText, Refusal, ResultForm, ServerCallForm, ServerResultForm,
    SideKind, StrangeForm, Subtype, TextForm, ThinkingForm,
};
use super::{
    AssistantForm, Choice, Damage, Form, GroupForm, HookResultForm, Large, LineEnd, ProgressForm, StreamDamage,
    SystemForm, TombstoneForm, TypeForm, UsageForm, UserForm,
};

/// The kind of a line, and what the members of that kind hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[allow(missing_docs, reason = "the fields are named as their types")]
pub enum LineKind {
    /// A user message.
    User {
        #[serde(default, skip_serializing_if = "is_default")]
        form: UserForm,
    },
    /// An assistant message. The words are those of an error.
    Assistant {
        #[serde(default, skip_serializing_if = "is_default")]
        form: AssistantForm,
        #[serde(default, skip_serializing_if = "is_default")]
        words: Refusal,
    },
    /// A system message.
    System {
        subtype: Subtype,
        #[serde(default, skip_serializing_if = "is_default")]
        form: SystemForm,
        #[serde(default, skip_serializing_if = "is_default")]
        text: PoolText,
    },
    /// An attachment, with the text and the call that its form needs.
    Attachment {
        form: AttachmentForm,
        #[serde(default, skip_serializing_if = "is_default")]
        text: PoolText,
        #[serde(default, skip_serializing_if = "is_default")]
        call: u8,
    },
    /// A hook's outcome.
    HookResult {
        #[serde(default, skip_serializing_if = "is_default")]
        form: HookResultForm,
        #[serde(default, skip_serializing_if = "is_default")]
        text: PoolText,
        #[serde(default, skip_serializing_if = "is_default")]
        call: u8,
    },
    /// Progress, as old clients wrote it.
    Progress {
        #[serde(default, skip_serializing_if = "is_default")]
        form: ProgressForm,
        #[serde(default, skip_serializing_if = "is_default")]
        call: u8,
    },
    /// A tombstone, which should not be on disk, and the id that it withdraws.
    Tombstone {
        #[serde(default, skip_serializing_if = "is_default")]
        form: TombstoneForm,
        #[serde(default, skip_serializing_if = "is_default")]
        id: u8,
    },
    /// A tool-use summary, which should not be on disk.
    ToolUseSummary,
    /// A group, which should not be on disk, with the call that its form needs.
    GroupedToolUse {
        #[serde(default, skip_serializing_if = "is_default")]
        form: GroupForm,
        #[serde(default, skip_serializing_if = "is_default")]
        call: u8,
    },
    /// A stream event, which should not be on disk.
    StreamEvent,
    /// The start of a request, which should not be on disk.
    StreamRequestStart,
    /// A side record.
    Side { side: SideKind },
    /// An unknown `type`.
    Unknown,
    /// No `type`, or one that is no text.
    Untyped {
        #[serde(default, skip_serializing_if = "is_default")]
        form: TypeForm,
    },
}

impl LineKind {
    /// A usual user message.
    pub const USER: Self = Self::User { form: UserForm::Usual };

    /// A usual assistant message.
    pub const REPLY: Self = Self::Assistant { form: AssistantForm::Usual, words: Refusal::ServerError };

    pub(super) const PROGRESS: Self = Self::Progress { form: ProgressForm::OfATool, call: 0 };

    /// A hook's outcome that names no event.
    pub(super) const HOOK_RESULT: Self =
        Self::HookResult { form: HookResultForm::WithoutEvent, text: PoolText::Plain, call: 0 };

    pub(super) const ATTACHMENT: Self =
        Self::Attachment { form: AttachmentForm::EMPTY_LIST, text: PoolText::Plain, call: 0 };

    /// A tombstone of `u1`.
    pub const TOMBSTONE: Self = Self::Tombstone { form: TombstoneForm::OfU1, id: 0 };

    /// A record without a `type`.
    pub const UNTYPED: Self = Self::Untyped { form: TypeForm::Absent };

    /// A group of nothing.
    pub(super) const GROUP: Self = Self::GroupedToolUse { form: GroupForm::OfNothing, call: 0 };

    pub(super) const fn system(subtype: Subtype) -> Self {
        Self::System { subtype, form: SystemForm::Usual, text: PoolText::Plain }
    }

    /// An attachment with the text and the call of a number, if its form needs them.
    pub(super) fn attachment(form: AttachmentForm, number: u8) -> Self {
        let text = if form.has_text() { PoolText::at(number) } else { PoolText::Plain };
        Self::Attachment { form, text, call: if form.has_call() { number } else { 0 } }
    }

    /// A hook's outcome with the text and the call of a number, if its form needs them.
    pub(super) fn hook_result(form: HookResultForm, number: u8) -> Self {
        let number = if form.is_filled() { number } else { 0 };
        Self::HookResult { form, text: PoolText::at(number), call: number }
    }

    /// A group about the call of a number, if its form has one.
    pub(super) fn group(form: GroupForm, number: u8) -> Self {
        Self::GroupedToolUse { form, call: if form.is_filled() { number } else { 0 } }
    }

    /// Progress with the call of a number, if its form names one.
    pub(super) fn progress(form: ProgressForm, number: u8) -> Self {
        Self::Progress { form, call: if form.is_filled() { number } else { 0 } }
    }

    /// Its `type` in a transcript. Empty when it has none that is a text.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::User { .. } => "user",
            Self::Assistant { .. } => "assistant",
            Self::System { .. } => "system",
            Self::Attachment { .. } => "attachment",
            Self::HookResult { .. } => "hook_result",
            Self::Progress { .. } => "progress",
            Self::ToolUseSummary => "tool_use_summary",
            Self::Tombstone { .. } => "tombstone",
            Self::GroupedToolUse { .. } => "grouped_tool_use",
            Self::StreamEvent => "stream_event",
            Self::StreamRequestStart => "stream_request_start",
            Self::Side { side } => side.what(),
            Self::Unknown => "a-kind-of-tomorrow",
            Self::Untyped { .. } => "",
        }
    }

    /// Whether it is a user message.
    pub const fn is_user(self) -> bool {
        matches!(self, Self::User { .. })
    }

    /// Whether it is an assistant message.
    pub const fn is_reply(self) -> bool {
        matches!(self, Self::Assistant { .. })
    }
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
    /// The id of the line before, or `null` on the first line.
    Previous,
    /// An id of the pool.
    To(u8),
}

/// A content block, with its form and its text or the number of its call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[allow(missing_docs, reason = "the fields are named as their types")]
pub enum BlockPlan {
    /// Text.
    Text {
        #[serde(default, skip_serializing_if = "is_default")]
        form: TextForm,
        #[serde(default, skip_serializing_if = "is_default")]
        text: PoolText,
    },
    /// A call.
    ToolUse {
        #[serde(default, skip_serializing_if = "is_default")]
        form: CallForm,
        #[serde(default, skip_serializing_if = "is_default")]
        call: u8,
    },
    /// The result of a call.
    ToolResult {
        #[serde(default, skip_serializing_if = "is_default")]
        form: ResultForm,
        #[serde(default, skip_serializing_if = "is_default")]
        call: u8,
    },
    /// Thinking.
    Thinking {
        #[serde(default, skip_serializing_if = "is_default")]
        form: ThinkingForm,
        #[serde(default, skip_serializing_if = "is_default")]
        text: PoolText,
    },
    /// Redacted thinking.
    RedactedThinking,
    /// A call of a server tool.
    ServerToolUse {
        #[serde(default, skip_serializing_if = "is_default")]
        form: ServerCallForm,
        #[serde(default, skip_serializing_if = "is_default")]
        call: u8,
    },
    /// The result of a server tool.
    ServerToolResult {
        #[serde(default, skip_serializing_if = "is_default")]
        form: ServerResultForm,
        #[serde(default, skip_serializing_if = "is_default")]
        call: u8,
    },
    /// An image.
    Image,
    /// A document.
    Document,
    /// An unknown type.
    Unknown {
        #[serde(default, skip_serializing_if = "is_default")]
        text: PoolText,
    },
    /// What the server made of a long conversation.
    Compaction,
    /// An image or a document of an unusual form.
    Media { form: MediaForm },
    /// A block of an unknown form.
    Strange { form: StrangeForm },
}

impl BlockPlan {
    /// A usual text block.
    pub const fn text(text: PoolText) -> Self {
        Self::Text { form: TextForm::Plain, text }
    }

    /// A usual call of this number.
    pub const fn call(call: u8) -> Self {
        Self::ToolUse { form: CallForm::Bash, call }
    }

    /// The usual result of the call of this number.
    pub const fn result(call: u8) -> Self {
        Self::ToolResult { form: ResultForm::Plain, call }
    }

    /// Usual thinking.
    pub const fn thinking(text: PoolText) -> Self {
        Self::Thinking { form: ThinkingForm::Signed, text }
    }

    /// Whether messages of this kind may not hold it.
    pub(super) fn is_foreign(self, kind: LineKind) -> bool {
        use BlockPlan::{Document, Image, Media, RedactedThinking, ServerToolUse, Thinking, ToolResult, ToolUse};
        match kind {
            LineKind::User { .. } => {
                matches!(self, ToolUse { .. } | ServerToolUse { .. } | Thinking { .. } | RedactedThinking)
            }
            LineKind::Assistant { .. } => matches!(self, ToolResult { .. } | Image | Document | Media { .. }),
            _ => false,
        }
    }
}

/// What one line holds. The default is the plainest line: a user message of no blocks.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct LinePlan {
    /// What it is.
    #[serde(flatten)]
    pub kind: LineKind,
    /// Its id, from the pool. `None` when it has none.
    pub uuid: Option<u8>,
    /// Its link.
    #[serde(default, skip_serializing_if = "is_default")]
    pub parent: Link,
    /// Its session: 0, 1 or 2. A larger number counts on from 0.
    #[serde(default, skip_serializing_if = "is_default")]
    pub session: u8,
    /// Its flags, and whether each is true.
    #[serde(default, skip_serializing_if = "is_default")]
    pub flags: BTreeMap<Flag, bool>,
    /// Its content, for users and assistants.
    #[serde(default, skip_serializing_if = "is_default")]
    pub blocks: Vec<BlockPlan>,
    /// Whether the content is a string, the text of the first text block.
    #[serde(default, skip_serializing_if = "is_default")]
    pub plain: bool,
    /// The reply that an assistant line belongs to.
    #[serde(default, skip_serializing_if = "is_default")]
    pub reply: u8,
    /// What an assistant line says of the reply's model and tokens.
    #[serde(default, skip_serializing_if = "is_default")]
    pub usage: UsageForm,
    /// Additional members.
    #[serde(default, skip_serializing_if = "is_default")]
    pub extras: BTreeSet<Extra>,
    /// What is large about it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub large: Option<Large>,
    /// What happened to the bytes of the line: on disk, and on their way where a stream is sent as bytes.
    #[serde(default, skip_serializing_if = "is_default")]
    pub damage: Vec<Damage>,
    /// What happens to the stream of an assistant line.
    #[serde(default, skip_serializing_if = "is_default")]
    pub stream_damage: Option<StreamDamage>,
    /// How the lines of its stream end, where it is sent as bytes.
    #[serde(default, skip_serializing_if = "is_default")]
    pub line_end: LineEnd,
}

impl LinePlan {
    /// The text of the content if it is a string: that of the first text block.
    pub(super) fn first_text(&self) -> PoolText {
        let first = self.blocks.iter().find_map(|block| match block {
            BlockPlan::Text { form: TextForm::Plain, text } => Some(*text),
            _ => None,
        });
        first.unwrap_or_default()
    }
}

impl Default for LinePlan {
    fn default() -> Self {
        Self {
            kind: LineKind::USER,
            uuid: Some(0),
            parent: Link::Absent,
            session: 0,
            flags: BTreeMap::new(),
            blocks: Vec::new(),
            plain: false,
            reply: 0,
            usage: UsageForm::Usual,
            extras: BTreeSet::new(),
            large: None,
            damage: Vec::new(),
            stream_damage: None,
            line_end: LineEnd::Lf,
        }
    }
}

pub(super) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
