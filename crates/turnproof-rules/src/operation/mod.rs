//! An *operation* is something that a subject can be asked to do; its input and output are plain
//! data, so that a rule can judge them without knowing who did it.

pub mod accumulate;
mod bytes;
pub mod derive;
pub mod normalize;
pub mod parse;
pub mod plain;
pub mod play;
pub mod record;
pub mod request;
pub mod resume;

pub use accumulate::{Accumulated, StreamFault, StreamItem, StreamText, Streamed};
pub use derive::{Answer, Derived, Shortened};
pub use normalize::{ApiNormalized, Given, RequestOptions, RequestText, UiNormalized, UiReordered};
pub use parse::{Parsed, ParsedRecord, Rejected, Report};
pub use plain::Plain;
pub use play::{Moment, Played};
pub use record::{RecordAnswer, RecordStep, Recorded};
pub use request::{Host, Request, RequestError};
pub use resume::{Continued, Conversation, ConversationRecord, ResumeAnswer, Resumed};

use serde::{Deserialize, Serialize};

/// What a subject can be asked to do (spec section 10).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Operation {
    /// Bytes to records and rejected ranges.
    Parse,
    /// Messages to a request.
    NormalizeApi,
    /// Messages to what a UI shows.
    NormalizeUi,
    /// Messages in the order in which a UI shows them.
    ReorderUi,
    /// Parent id and index to the derived id.
    DeriveUuid,
    /// Id to its short form.
    ShortId,
    /// Lists of messages to lines of a transcript.
    Record,
    /// A transcript to the conversation that a user gets back.
    Resume,
    /// Stream events to messages.
    Accumulate,
    /// What people, model, tools and disk do, to the log of a loop.
    Play,
    /// Not a subject's doing: the rule judges transcripts themselves.
    Transcript,
}

impl Operation {
    /// Every operation.
    pub const ALL: [Self; 11] = [
        Self::Parse,
        Self::NormalizeApi,
        Self::NormalizeUi,
        Self::ReorderUi,
        Self::DeriveUuid,
        Self::ShortId,
        Self::Record,
        Self::Resume,
        Self::Accumulate,
        Self::Play,
        Self::Transcript,
    ];

    /// The operation's name in the protocol and in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Parse => "parse",
            Self::NormalizeApi => "normalize_api",
            Self::NormalizeUi => "normalize_ui",
            Self::ReorderUi => "reorder_ui",
            Self::DeriveUuid => "derive_uuid",
            Self::ShortId => "short_id",
            Self::Record => "record",
            Self::Resume => "resume",
            Self::Accumulate => "accumulate",
            Self::Play => "play",
            Self::Transcript => "transcript",
        }
    }

    /// The operation in words: what is judged.
    pub const fn describe(self) -> &'static str {
        match self {
            Self::Parse => "how a subject reads a file (parse), and in `turnproof check` the file itself",
            Self::NormalizeApi => "the requests that a subject makes of messages (normalize_api)",
            Self::NormalizeUi => "the messages that a subject makes for a UI (normalize_ui)",
            Self::ReorderUi => "the order in which a subject shows messages (reorder_ui)",
            Self::DeriveUuid => "the ids that a subject derives (derive_uuid)",
            Self::ShortId => "the short ids that a subject makes (short_id)",
            Self::Record => "the lines that a subject writes of messages (record)",
            Self::Resume => "the conversation that a subject finds in a transcript (resume)",
            Self::Accumulate => "the messages that a subject makes of a model's stream (accumulate)",
            Self::Play => "the log of a subject's loop (play)",
            Self::Transcript => "transcripts, as they lie on disk",
        }
    }
}
