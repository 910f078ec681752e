//! An *input* is one thing that happens to a conversation: what people, the model, tools, hooks and the
//! disk do.

use serde::{Deserialize, Serialize};

use crate::json::{Fields, Raw};
use crate::message::Content;

/// One thing that happens. A `call` is the id of a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the fields are explained with their variants")]
pub enum Input {
    /// Somebody types a prompt. It waits while the loop is busy.
    Type(Content),
    /// The client adds a meta user message, such as a file that it read for the user. It joins after the next prompt.
    Meta(Content),
    /// The client guesses what the user may ask next, and lets the guess be answered. Both are virtual: they live in
    /// memory alone.
    Speculate { prompt: String, answer: String },
    /// Context is attached: the members of an attachment, `type` among them.
    Attach(Fields),
    /// A command of the client gave this output, which is sent with the next request.
    Command(String),
    /// A notice of this subtype, with this text if the subtype has one.
    Notice { subtype: String, text: String },
    /// An event of the model's stream, as the API sends it.
    Stream(Fields),
    /// The connection breaks while the reply streams.
    Break,
    /// The API answers with an error instead of a reply, or in the middle of it.
    Fail(Failure),
    /// The reply is abandoned for another model, whose name this is.
    Fallback(String),
    /// A running tool shows live output.
    Progress { call: String, data: Raw },
    /// A hook runs.
    Hook(Hook),
    /// A tool has a result. The model gets the content, a string or blocks; the UI gets the output. It is an error
    /// if the tool failed.
    Result { call: String, content: Raw, output: Raw, is_error: bool },
    /// The use of a tool is not permitted.
    Deny { call: String, denial: Denial },
    /// The user interrupts.
    Interrupt,
    /// The tool-use summary that was ordered arrives; `None` when it failed.
    Summary(Option<String>),
    /// The conversation is compacted: now if no turn is under way, else before the next request.
    Compact(Compaction),
    /// The content of the oldest results, so many of them, is cleared.
    Microcompact(u64),
    /// A subagent of this id, which the call runs, gets a prompt and answers it.
    Subagent { call: String, agent: String, prompt: String, answer: String },
    /// A side record is written.
    Side(Fields),
    /// So many milliseconds pass. The recorder's queue may become due.
    Wait(u64),
    /// The disk takes so many bytes more, and then fails. `None` when it takes everything.
    Disk(Option<u64>),
    /// Another process writes this at the end of the file, whole lines or not.
    OtherWriter(String),
    /// The process dies. The last so many bytes that the disk has not confirmed are lost.
    Crash(u64),
    /// The session is continued from its file.
    Resume,
    /// The session continues as a fork of itself, without so many of the last messages.
    Fork(u64),
}

/// An error of the API.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Failure {
    /// 529: too much to do. May pass.
    Overloaded,
    /// 429: too many requests. May pass.
    RateLimited,
    /// 500. May pass.
    Server,
    /// No connection. May pass.
    Connection,
    /// 400: the prompt is too long.
    PromptTooLong,
    /// 400: an image is too large.
    ImageTooLarge,
    /// 400: a PDF is too large.
    PdfTooLarge,
    /// 400: a PDF needs a password.
    PdfLocked,
    /// 413: the request is too large.
    RequestTooLarge,
    /// 400: something else is wrong with the request.
    Invalid,
    /// 401: the key is not valid.
    Authentication,
    /// 403: the key may not do this.
    Permission,
    /// 402: there is no money left.
    Billing,
    /// 404: the model is not known.
    NotFound,
    /// 504: the answer took too long. May pass.
    Timeout,
}

impl Failure {
    /// Every failure.
    pub const ALL: [Self; 15] = [
        Self::Overloaded,
        Self::RateLimited,
        Self::Server,
        Self::Connection,
        Self::PromptTooLong,
        Self::ImageTooLarge,
        Self::PdfTooLarge,
        Self::PdfLocked,
        Self::RequestTooLarge,
        Self::Invalid,
        Self::Authentication,
        Self::Permission,
        Self::Billing,
        Self::NotFound,
        Self::Timeout,
    ];
}

/// Who does not permit the use of a tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Denial {
    /// The user, without a reason. The turn ends.
    User,
    /// The user, with what to do instead.
    UserWithReason(String),
    /// The user, for a subagent.
    Subagent,
    /// The user, for a subagent, with a reason.
    SubagentWithReason(String),
    /// The user, who rejects this plan.
    Plan(String),
    /// A rule.
    Rule,
    /// The mode that never asks.
    DontAsk,
    /// A classifier, for this reason.
    Classifier(String),
    /// The user, who cancels the action. The turn ends.
    Cancel,
}

/// A hook that runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hook {
    /// When it runs.
    pub event: HookEvent,
    /// The call that it runs for. `None` for hooks of the session.
    pub call: Option<String>,
    /// What comes of it.
    pub outcome: HookOutcome,
}

/// When a hook runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum HookEvent {
    /// Before a tool is used.
    PreToolUse,
    /// After it.
    PostToolUse,
    /// When the model stops.
    Stop,
    /// When a session begins.
    SessionStart,
    /// When a prompt is given.
    UserPromptSubmit,
}

impl HookEvent {
    /// The event's name in transcripts.
    pub const fn name(self) -> &'static str {
        match self {
            Self::PreToolUse => "PreToolUse",
            Self::PostToolUse => "PostToolUse",
            Self::Stop => "Stop",
            Self::SessionStart => "SessionStart",
            Self::UserPromptSubmit => "UserPromptSubmit",
        }
    }
}

/// What comes of a hook.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HookOutcome {
    /// Live output and nothing else.
    Progress,
    /// Success, as an attachment.
    Success,
    /// Context for the model, as an attachment.
    Context,
    /// An error that stops nothing, as an attachment.
    Error,
    /// A message of its own kind (`hook_result`).
    Result,
    /// The summary that is written when hooks ran at the end of a turn.
    StopSummary,
}

/// A compaction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Compaction {
    /// Whether the client began it, not the user.
    pub is_automatic: bool,
    /// The summary.
    pub summary: String,
    /// Which messages stay as they are.
    pub keep: Keep,
    /// How the boundary names them.
    pub preserve: Preserve,
}

/// Which messages a compaction keeps as they are. More are kept when a reply or a call would lose a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Keep {
    /// None.
    Nothing,
    /// The last so many. They come after the summary.
    Last(u64),
    /// The first so many. They come before the summary.
    First(u64),
}

/// How a boundary names the messages that it keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Preserve {
    /// By the first and the last (`preservedSegment`).
    Segment,
    /// One by one (`preservedMessages`).
    Messages,
    /// Both ways.
    Both,
}
