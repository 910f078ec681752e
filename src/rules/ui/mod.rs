//! Rules on the *UI's messages*: one block each, ids that stay, an order that tells each call's story.

use super::Rule;

/// The rules of the family `ui`.
pub(super) const RULES: &[&Rule] = &[];
