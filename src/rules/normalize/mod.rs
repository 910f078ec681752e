//! Rules on *normalization*: how a request must relate to the messages that it was made of.

use super::Rule;

/// The rules of the family `normalize`, and `thinking/unmodified`.
pub(super) const RULES: &[&Rule] = &[];
