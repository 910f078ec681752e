//! A *hash* names a turn or the shape of a request: SHA-256 of its canonical text.

use std::fmt;

use sha2::{Digest, Sha256};

/// SHA-256, as the client writes it: 64 digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Hash([u8; 32]);

impl Hash {
    /// The hash of a text.
    pub fn of(text: &str) -> Self {
        Self::end(Sha256::new_with_prefix(text))
    }

    /// The hash of what a hasher was given.
    pub(super) fn end(hasher: Sha256) -> Self {
        Self(hasher.finalize().into())
    }

    /// The hash that a file names. What is no hash is one that no text has.
    pub(super) fn named(name: &str) -> Self {
        let digit = |at: usize| name.get(at..at + 2).and_then(|pair| u8::from_str_radix(pair, 16).ok());
        let bytes = (0..32).map(|index| digit(2 * index)).collect::<Option<Vec<u8>>>();
        let bytes = bytes.filter(|_| name.len() == 64).and_then(|bytes| <[u8; 32]>::try_from(bytes).ok());
        bytes.map_or_else(|| Self::of(&format!("no hash: {name}")), Self)
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}
