//! The *vocabulary* of the oracle: kinds of message, subtypes and texts that rules look for, white space, result blocks
//! of server tools. It is a table of its own, beside that of the code it judges.

/// A kind of message: what its `type` says, and where such messages may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

/// Each kind, its `type`, and where its messages may be.
pub const KINDS: [(Kind, &str, Home); 11] = [
    (Kind::User, "user", Home::Transcript),
    (Kind::Assistant, "assistant", Home::Transcript),
    (Kind::System, "system", Home::Transcript),
    (Kind::Attachment, "attachment", Home::Transcript),
    (Kind::HookResult, "hook_result", Home::Transcript),
    (Kind::Progress, "progress", Home::OldTranscripts),
    (Kind::ToolUseSummary, "tool_use_summary", Home::Memory),
    (Kind::Tombstone, "tombstone", Home::Memory),
    (Kind::GroupedToolUse, "grouped_tool_use", Home::Memory),
    (Kind::StreamEvent, "stream_event", Home::Memory),
    (Kind::StreamRequestStart, "stream_request_start", Home::Memory),
];

impl Kind {
    /// The kind of a `type`; `None` for side records and for types that are unknown.
    pub fn of(name: &str) -> Option<Self> {
        KINDS.iter().find(|(_, known, _)| *known == name).map(|&(kind, ..)| kind)
    }

    /// Where messages of the kind may be.
    pub fn home(self) -> Home {
        KINDS[self as usize].2
    }

    /// Whether messages of the kind are written to the transcript.
    pub fn is_persisted(self) -> bool {
        self.home() == Home::Transcript
    }
}

/// The subtype of the notice that begins a compacted conversation.
pub const COMPACT_BOUNDARY: &str = "compact_boundary";

/// The subtype of a command's output, the only notice that is sent to the model.
pub const LOCAL_COMMAND: &str = "local_command";

/// The subtype of a notice about an error of the API.
pub const API_ERROR: &str = "api_error";

/// The model of an assistant message that no model made.
pub const SYNTHETIC_MODEL: &str = "<synthetic>";

/// Stands in place of content that would be empty.
pub const NO_CONTENT: &str = "(no content)";

/// The placeholder result of a call without a result.
pub const MISSING_TOOL_RESULT: &str = "[Tool result missing due to internal error]";

/// The user interrupted while a tool ran, or was about to.
pub const INTERRUPTION_FOR_TOOL_USE: &str = "[Request interrupted by user for tool use]";

/// The result blocks of tools that run on the server.
pub const SERVER_RESULTS: [&str; 8] = [
    "web_search_tool_result",
    "web_fetch_tool_result",
    "code_execution_tool_result",
    "bash_code_execution_tool_result",
    "text_editor_code_execution_tool_result",
    "tool_search_tool_result",
    "advisor_tool_result",
    "mcp_tool_result",
];

/// Whether a character is white space to any of the languages that hosts are written in: Rust's notion, what JavaScript
/// adds (U+FEFF) and what Python adds (U+001C to U+001F).
pub(crate) fn is_space(character: char) -> bool {
    character.is_whitespace() || matches!(character, '\u{FEFF}' | '\u{1C}'..='\u{1F}')
}
