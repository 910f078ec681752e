//! Rules on *streams*: from a model's events to messages.

use super::Rule;

/// The rules of the family `stream`.
pub(super) const RULES: &[&Rule] = &[];
