//! The operations `derive_uuid` and `short_id`: ids made from ids.

use serde::{Deserialize, Serialize};

/// What a subject answers when it makes an id: the id, or why it refuses.
pub type Answer = Result<String, String>;

/// The ids that a subject derived from one parent; each index was asked twice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Derived {
    /// The parent's id.
    pub parent: String,
    /// The block indexes.
    pub indexes: Vec<u64>,
    /// The answer to each index.
    pub answers: Vec<Answer>,
    /// The answer to each index, asked again after all of them.
    pub again: Vec<Answer>,
}

/// The short id that a subject made of a uuid, asked twice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shortened {
    /// The id to shorten.
    pub uuid: String,
    /// The answer.
    pub answer: Answer,
    /// The answer, asked again.
    pub again: Answer,
}
