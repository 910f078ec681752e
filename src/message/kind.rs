//! A *kind* is a message's `type`, and what the system does with messages of it.

use super::document::Member;
use super::{
    Assistant, Attachment, GroupedToolUse, HookResult, Progress, StreamEvent, StreamRequestStart, System,
    Tombstone, ToolUseSummary, User,
};

/// The kinds of message (SPEC.md section 2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Kind {
    /// `user`
    User,
    /// `assistant`
    Assistant,
    /// `system`
    System,
    /// `attachment`
    Attachment,
    /// `hook_result`
    HookResult,
    /// `progress`
    Progress,
    /// `tool_use_summary`
    ToolUseSummary,
    /// `tombstone`
    Tombstone,
    /// `grouped_tool_use`
    GroupedToolUse,
    /// `stream_event`
    StreamEvent,
    /// `stream_request_start`
    StreamRequestStart,
}

impl Kind {
    /// Every kind, in the order of the table in SPEC.md section 2.
    pub const ALL: [Self; 11] = [
        Self::User,
        Self::Assistant,
        Self::System,
        Self::Attachment,
        Self::HookResult,
        Self::Progress,
        Self::ToolUseSummary,
        Self::Tombstone,
        Self::GroupedToolUse,
        Self::StreamEvent,
        Self::StreamRequestStart,
    ];

    /// The kind's `type`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::System => "system",
            Self::Attachment => "attachment",
            Self::HookResult => "hook_result",
            Self::Progress => "progress",
            Self::ToolUseSummary => "tool_use_summary",
            Self::Tombstone => "tombstone",
            Self::GroupedToolUse => "grouped_tool_use",
            Self::StreamEvent => "stream_event",
            Self::StreamRequestStart => "stream_request_start",
        }
    }

    /// The kind of a `type`; none for side records and what is not known.
    pub fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Whether messages of this kind are written to the transcript.
    pub const fn is_persisted(self) -> bool {
        matches!(self, Self::User | Self::Assistant | Self::System | Self::Attachment | Self::HookResult)
    }

    /// Whether messages of this kind are links of the parent chain.
    pub const fn is_chain_participant(self) -> bool {
        self.is_persisted()
    }

    /// Whether a line of this kind must not be in a transcript. `progress` may: old clients wrote it.
    pub const fn is_live_only(self) -> bool {
        !self.is_persisted() && !matches!(self, Self::Progress)
    }

    /// The known members of the kind, beside the envelope's and `type`.
    pub fn members(self) -> &'static [Member] {
        match self {
            Self::User => User::MEMBERS,
            Self::Assistant => Assistant::MEMBERS,
            Self::System => System::MEMBERS,
            Self::Attachment => Attachment::MEMBERS,
            Self::HookResult => HookResult::MEMBERS,
            Self::Progress => Progress::MEMBERS,
            Self::ToolUseSummary => ToolUseSummary::MEMBERS,
            Self::Tombstone => Tombstone::MEMBERS,
            Self::GroupedToolUse => GroupedToolUse::MEMBERS,
            Self::StreamEvent => StreamEvent::MEMBERS,
            Self::StreamRequestStart => StreamRequestStart::MEMBERS,
        }
    }
}

/// The `type`s of side records seen in the field: kept, never in the chain. The list is open.
pub const SIDE_KINDS: &[&str] = &[
    "summary",
    "custom-title",
    "ai-title",
    "last-prompt",
    "file-history-snapshot",
    "queue-operation",
    "permission-mode",
    "mode",
    "pr-link",
    "tag",
    "agent-name",
    "content-replacement",
    "atis-latch",
    "bridge-session",
    "worktree-state",
    "relocated",
    "frame-link",
    "started",
    "result",
];
