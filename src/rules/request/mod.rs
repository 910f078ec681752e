//! Rules on *requests*: what the Messages API and its hosts accept, each with the error that it
//! predicts.

use super::Rule;

/// The rules of the families `api`, `pairing` and `thinking`.
pub(super) const RULES: &[&Rule] = &[];
