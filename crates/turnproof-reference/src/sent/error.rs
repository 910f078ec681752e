//! Why a request cannot be rebuilt from its notes.

use super::hash::Hash;

/// What a file does not hold of a request.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SentError {
    /// It keeps turns of a request of which there is no note before it.
    #[error("it begins with {keep} turns of request {base}, which is not in the file")]
    MissingBase {
        /// The id of that request.
        base: String,
        /// How many turns it keeps.
        keep: u64,
    },
    /// It keeps more turns than the other request has.
    #[error("it begins with {keep} turns of request {base}, which has {turns}")]
    ShortBase {
        /// The id of that request.
        base: String,
        /// How many turns it keeps.
        keep: u64,
        /// How many there are.
        turns: u64,
    },
    /// Its system prompt and tools are not there.
    #[error("its system prompt and tools, {0}, are not in the file")]
    MissingShape(Hash),
    /// A turn is not there.
    #[error("turn {turn}, {hash}, is not in the file")]
    MissingTurn {
        /// The turn, from 0.
        turn: usize,
        /// Its hash.
        hash: Hash,
    },
    /// Only hashes were kept.
    #[error("only the hashes of the file were kept")]
    OnlyHashes,
}
