//! The operation `record`: lists of messages to lines of a transcript.

use serde::{Deserialize, Serialize};

/// One thing that happens while a session is recorded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RecordStep {
    /// The list of messages and events as it stands now, as a JSON array. What is new in it is to be
    /// recorded; what is recorded already, but not yet written, is written as it stands here.
    List(String),
    /// As [`List`](Self::List), and a request is about to be sent: when this has been answered without
    /// an error, all that is new has to be in the file (`record/user-before-request`).
    ListBeforeRequest(String),
    /// Everything that waits is to be written now, as when the time of the queue has run out.
    Flush,
    /// From now on the disk takes so many bytes more, and then fails; none: it takes everything.
    DiskTakes(Option<u64>),
    /// The process dies and another one goes on with the file: what waited is lost, what the file
    /// holds counts as recorded.
    Restart,
    /// Another process writes these bytes at the end of the file, whole lines or not.
    OtherWriter(Vec<u8>),
}

/// What a subject answered to one step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordAnswer {
    /// The uuid that the next message will chain to, after a list; or the error that the caller got.
    pub tip: Result<Option<String>, String>,
    /// The file's bytes after the step.
    pub file: Vec<u8>,
}

/// What a subject did while a session was recorded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recorded {
    /// The file before the first step.
    pub before: Vec<u8>,
    /// The session's id, which each line carries.
    pub session: String,
    /// The steps.
    pub steps: Vec<RecordStep>,
    /// The answer to each step, or why there are none.
    pub answers: Result<Vec<RecordAnswer>, String>,
    /// The answers to the same steps, asked for again from the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub again: Option<Result<Vec<RecordAnswer>, String>>,
}
