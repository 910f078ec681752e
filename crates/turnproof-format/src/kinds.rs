//! Every *kind* of message, every subtype of a notice and every side record.

/// Where messages of a kind may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Home {
    /// In the transcript, as links of the parent chain.
    Transcript,
    /// In memory; old clients wrote it, so a transcript may hold it.
    OldTranscripts,
    /// In memory only.
    Memory,
}

/// Declares the kinds: the name here, the `type`, where such messages may be, and for SPEC.md whether they are sent to
/// the API and what they mean.
macro_rules! kinds {
    ($($Kind:ident $name:literal $Home:ident $sent:literal $meaning:literal;)*) => {
        /// A kind of message: what its `type` says.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Kind { $( #[doc = concat!("`", $name, "`: ", $meaning)] $Kind, )* }

        impl Kind {
            /// Every kind, in the order of the table.
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$Kind),*];

            const HOMES: [Home; Self::ALL.len()] = [$(Home::$Home),*];

            const WORDS: [[&str; 2]; Self::ALL.len()] = [$([$sent, $meaning]),*];

            /// The kind's `type`.
            pub const fn name(self) -> &'static str {
                match self { $( Self::$Kind => $name, )* }
            }

            /// The kind of a `type`; `None` for side records and unknown types.
            pub fn of(name: &str) -> Option<Self> {
                match name {
                    $( $name => Some(Self::$Kind), )*
                    _ => None,
                }
            }
        }
    };
}

kinds! {
    User "user" Transcript "yes"
        "human input, tool results, meta text, interruptions, summaries of compactions";
    Assistant "assistant" Transcript "yes"
        "a reply or one block of it; `<synthetic>` as `model` means no model made it";
    System "system" Transcript "only `local_command`, as a user message"
        "a notice, told apart by its `subtype`";
    Attachment "attachment" Transcript "as wrapped text and media, or not at all, by its kind (6.5.1)"
        "context added beside the conversation";
    HookResult "hook_result" Transcript "no"
        "the outcome of a hook";
    Progress "progress" OldTranscripts "no"
        "live output of a running tool";
    ToolUseSummary "tool_use_summary" Memory "no"
        "one line on what some calls did, for people who follow along";
    Tombstone "tombstone" Memory "no"
        "withdraws an assistant message that was already shown";
    GroupedToolUse "grouped_tool_use" Memory "no"
        "several calls that a UI shows as one line";
    StreamEvent "stream_event" Memory "no"
        "one raw event of the model's stream";
    StreamRequestStart "stream_request_start" Memory "no"
        "a request is about to be sent";
}

impl Kind {
    /// Where messages of this kind may be.
    pub const fn home(self) -> Home {
        Self::HOMES[self as usize]
    }

    /// Whether messages of this kind are sent to the API, as SPEC.md says it.
    pub const fn sent(self) -> &'static str {
        Self::WORDS[self as usize][0]
    }

    /// What messages of this kind are.
    pub const fn meaning(self) -> &'static str {
        Self::WORDS[self as usize][1]
    }

    /// Whether messages of this kind are written to the transcript.
    pub const fn is_persisted(self) -> bool {
        matches!(self.home(), Home::Transcript)
    }

    /// Whether messages of this kind are links of the parent chain.
    pub const fn is_chain_participant(self) -> bool {
        self.is_persisted()
    }

    /// Whether a line of this kind must not be in a transcript. `progress` may: old clients wrote it.
    pub const fn is_live_only(self) -> bool {
        matches!(self.home(), Home::Memory)
    }
}

/// Declares the notices: the name of the constant, and the `subtype`.
macro_rules! notices {
    ($($NAME:ident $subtype:literal;)*) => {
        $( #[doc = concat!("`", $subtype, "`")] pub const $NAME: &str = $subtype; )*

        /// The subtypes of system messages that factories make. Others are carried through.
        pub const SUBTYPES: &[&str] = &[$($NAME),*];
    };
}

notices! {
    INFORMATIONAL "informational";
    LOCAL_COMMAND "local_command";
    API_ERROR "api_error";
    COMPACT_BOUNDARY "compact_boundary";
    MICROCOMPACT_BOUNDARY "microcompact_boundary";
    MEMORY_SAVED "memory_saved";
    STOP_HOOK_SUMMARY "stop_hook_summary";
    TURN_DURATION "turn_duration";
    API_METRICS "api_metrics";
    PERMISSION_RETRY "permission_retry";
    BRIDGE_STATUS "bridge_status";
    AWAY_SUMMARY "away_summary";
    AGENTS_KILLED "agents_killed";
    SCHEDULED_TASK_FIRE "scheduled_task_fire";
    THINKING "thinking";
    FILE_SNAPSHOT "file_snapshot";
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
    "tools-used",
    "cost-state",
    "file-history-delta",
    "fork-context-ref",
    "continued-in",
    "api-request-shape",
    "api-request-blob",
    "api-request",
];
