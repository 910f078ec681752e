//! *Stream errors* are what can be wrong with a stream. Each has a name, and after each the stream can go on.
//! The table in SPEC.md section 4.4 says when each comes, and what follows.

use crate::json::{FieldError, Number};

/// What is wrong with a stream.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StreamError {
    /// An event of a reply came before the reply began.
    #[error("`{event}` came before `message_start`; it is left out, begin a reply with `message_start`")]
    BeforeMessageStart {
        /// The event's type.
        event: &'static str,
    },
    /// A reply began while another one was not over.
    #[error(
        "`message_start` came before the `message_stop` of the reply that is open; that one goes on, end it \
         or give up the stream first"
    )]
    SecondMessageStart,
    /// An event of a reply came after its end.
    #[error("`{event}` came after the end of the reply; it is left out, begin another with `message_start`")]
    AfterMessageStop {
        /// The event's type.
        event: &'static str,
    },
    /// A block began at a wrong place.
    #[error("a block began at index {}, where {expected} comes next; it is left out", .index.get())]
    WrongBlockIndex {
        /// The index given.
        index: Number,
        /// How many blocks there are.
        expected: usize,
    },
    /// A block began while another one was open.
    #[error("a block began while block {open} was open; that one is taken to have stopped")]
    BlockStillOpen {
        /// The index of the block that was open.
        open: usize,
    },
    /// A delta or a stop names a block that never began.
    #[error("`{event}` is about block {}, of {blocks} that began; it is left out", .index.get())]
    NoSuchBlock {
        /// The event's type.
        event: &'static str,
        /// The index given.
        index: Number,
        /// How many blocks there are.
        blocks: usize,
    },
    /// A delta or a stop names a block that is stopped.
    #[error("`{event}` is about block {index}, which has stopped; it is left out")]
    BlockStopped {
        /// The event's type.
        event: &'static str,
        /// The index of the block.
        index: usize,
    },
    /// The input of a call is not JSON.
    #[error("the input of the call in block {index} is no JSON: {why}; its text is kept as a string")]
    BadInputJson {
        /// The index of the block.
        index: usize,
        /// What is wrong with it.
        why: String,
    },
    /// An event cannot be read.
    #[error("this is no event of a model's stream: {why}; it is left out")]
    BadEvent {
        /// What is wrong with it.
        why: String,
    },
    /// The API sent an error.
    #[error("the API ended the stream with `{kind}`: {message}; what was shown stays, send the request again")]
    ApiError {
        /// The kind of error, such as `overloaded_error`.
        kind: String,
        /// The error in words.
        message: String,
    },
    /// The stream is not over.
    #[error("the stream ended before `message_stop`; the reply is not whole, send the request again")]
    Unfinished,
}

impl StreamError {
    /// The names of all errors, in the order of the table.
    pub const NAMES: [&'static str; 11] = [
        "before-message-start",
        "second-message-start",
        "after-message-stop",
        "wrong-block-index",
        "block-still-open",
        "no-such-block",
        "block-stopped",
        "bad-input-json",
        "bad-event",
        "api-error",
        "unfinished",
    ];

    /// The error's name in kebab case.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::BeforeMessageStart { .. } => "before-message-start",
            Self::SecondMessageStart => "second-message-start",
            Self::AfterMessageStop { .. } => "after-message-stop",
            Self::WrongBlockIndex { .. } => "wrong-block-index",
            Self::BlockStillOpen { .. } => "block-still-open",
            Self::NoSuchBlock { .. } => "no-such-block",
            Self::BlockStopped { .. } => "block-stopped",
            Self::BadInputJson { .. } => "bad-input-json",
            Self::BadEvent { .. } => "bad-event",
            Self::ApiError { .. } => "api-error",
            Self::Unfinished => "unfinished",
        }
    }

    /// An event that cannot be read.
    pub(super) fn bad_event(why: impl ToString) -> Self {
        Self::BadEvent { why: why.to_string() }
    }
}

impl From<FieldError> for StreamError {
    fn from(error: FieldError) -> Self {
        Self::bad_event(error)
    }
}
