//! Rules on *streams*: from a model's events to messages.
//!
//! They are held against a second accumulator over plain values (`model`). Ids and times are
//! the subject's own: they are followed, never compared.

mod again;
mod blocks;
mod message;
mod model;
mod shown;
mod views;
mod withdrawal;

use super::Rule;

/// The rules of the family `stream`.
pub(super) const RULES: &[&Rule] = &[
    &message::ACCUMULATES,
    &again::CHUNKING_INVARIANT,
    &blocks::ONE_MESSAGE_PER_BLOCK,
    &blocks::LATE_FIELDS,
    &again::TOTAL,
    &withdrawal::TOMBSTONES_EXACT,
    &withdrawal::NO_WITHDRAWN_SURVIVOR,
    &views::SLOTS_STABLE,
];
