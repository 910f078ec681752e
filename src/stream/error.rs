//! *Stream errors* are what can be wrong with a stream; each has a name, and each leaves the stream
//! in a state in which it can go on.
//!
//! | name | when | then |
//! |---|---|---|
//! | `before-message-start` | an event but `ping`, `error` or an unknown one comes before `message_start` | the event is ignored |
//! | `second-message-start` | `message_start` before `message_stop` | the message goes on as it was |
//! | `after-message-stop` | an event but `ping`, `error`, an unknown one or `message_start` after `message_stop` | ignored |
//! | `wrong-block-index` | a start whose index is not the number of blocks | ignored |
//! | `block-still-open` | a start while another block is open | that one is stopped, the new one is taken |
//! | `no-such-block` | a delta or stop of a block that was never started | ignored |
//! | `block-stopped` | a delta or stop of a block that is stopped | ignored |
//! | `bad-input-json` | the collected JSON of a call does not parse | the input is the collected text as a string |
//! | `bad-event` | an event that is no JSON object, or a known one without what it needs | ignored |
//! | `api-error` | an `error` event | the stream has ended; what was shown stays |
//! | `unfinished` | asked for the whole message before `message_stop` | – |

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
    #[error(
        "the API ended the stream with `{kind}`: {message}; what was shown stays, send the request again"
    )]
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
