//! Rules on *recording*: which lines are written of which messages, and when.

use super::Rule;

/// The rules of the family `record`.
pub(super) const RULES: &[&Rule] = &[];
