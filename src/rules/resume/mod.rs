//! Rules on *resuming*: what comes back from a transcript, whatever happened to it.

use super::Rule;

/// The rules of the family `resume`.
pub(super) const RULES: &[&Rule] = &[];
