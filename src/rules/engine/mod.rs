//! Rules on the *loop*: what is sent, in which order, and what it answers.

use super::Rule;

/// The rules of the family `engine`.
pub(super) const RULES: &[&Rule] = &[];
