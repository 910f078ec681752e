//! A *kind* is a message's `type`, and what the system does with messages of it.

use crate::json::named;

use super::shape::Member;
use super::{
    Assistant, Attachment, GroupedToolUse, HookResult, Progress, StreamEvent, StreamRequestStart, System, Tombstone,
    ToolUseSummary, User,
};

/// Declares the kinds, in the order of the table in SPEC.md section 2, each with its `type`. A kind's document
/// has the kind's name.
macro_rules! kinds {
    ($($Kind:ident = $name:literal,)*) => {
        named! {
            /// The kinds of message (SPEC.md section 2).
            #[repr(u8)]
            pub enum Kind { $( $Kind = $name, )* }
            /// The kind's `type`.
            name
        }

        impl Kind {
            /// Every kind, in the order of the table in SPEC.md section 2.
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$Kind),*];

            /// The kind of a `type`; `None` for side records and unknown types.
            pub fn of(name: &str) -> Option<Self> {
                match name {
                    $( $name => Some(Self::$Kind), )*
                    _ => None,
                }
            }

            /// The known members of the kind, beside the envelope's and `type`.
            pub fn members(self) -> &'static [Member] {
                match self {
                    $( Self::$Kind => $Kind::MEMBERS, )*
                }
            }
        }
    };
}

kinds! {
    User = "user",
    Assistant = "assistant",
    System = "system",
    Attachment = "attachment",
    HookResult = "hook_result",
    Progress = "progress",
    ToolUseSummary = "tool_use_summary",
    Tombstone = "tombstone",
    GroupedToolUse = "grouped_tool_use",
    StreamEvent = "stream_event",
    StreamRequestStart = "stream_request_start",
}

impl Kind {
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
