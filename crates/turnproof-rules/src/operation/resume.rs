//! The operation `resume`: a transcript to the conversation that a user gets back.

use serde::{Deserialize, Serialize};

use super::bytes;

/// The conversation that a subject found in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conversation {
    /// The records of the conversation, in order, each as it stands in the file.
    pub records: Vec<ConversationRecord>,
    /// What was bridged, dropped, put back or moved, in words of the subject's own; never judged, but
    /// where a rule wants a report there must be one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// A record of a conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConversationRecord {
    /// Its uuid (lone surrogates as U+FFFD).
    pub uuid: String,
    /// Its bytes; in JSON a string, or a list of numbers where they are not UTF-8.
    #[serde(with = "bytes")]
    pub bytes: Vec<u8>,
}

/// What a subject answers: a conversation; none when the file holds none; or why it failed.
pub type ResumeAnswer = Result<Option<Conversation>, String>;

/// What a subject did with a transcript.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resumed {
    /// The file; in JSON as the bytes of a record.
    #[serde(with = "bytes")]
    pub file: Vec<u8>,
    /// The answer.
    pub answer: ResumeAnswer,
    /// The same question again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub again: Option<ResumeAnswer>,
    /// Answers for the file cut after so many bytes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cuts: Vec<(u64, ResumeAnswer)>,
    /// What came of recording more after a resume of a cut file.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub continued: Vec<Continued>,
    /// When the file was made by recording one conversation: the uuids of all its records that must
    /// come back, in order (`resume/complete`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recorded: Option<Vec<String>>,
}

/// A resume of a cut file, more messages recorded after it, and a resume of the result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Continued {
    /// After how many bytes the file was cut.
    pub cut: u64,
    /// What the cut file gave.
    pub before: ResumeAnswer,
    /// The uuids of the messages recorded after it, in order.
    pub added: Vec<String>,
    /// The file after that, or why nothing could be recorded.
    #[serde(with = "bytes::answer")]
    pub file: Result<Vec<u8>, String>,
    /// What that file gives.
    pub after: ResumeAnswer,
}
