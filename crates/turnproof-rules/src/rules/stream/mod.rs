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

use std::cell::OnceCell;
use std::collections::HashMap;

use serde_json::Value;

use super::{RuleEntry, StreamEvidence};

/// What the rules of the family work out of a case.
#[derive(Debug, Default)]
pub struct WorkedOut<'a> {
    /// What a right accumulator makes of the items; or why that is not laid down.
    model: OnceCell<Result<model::Model, &'static str>>,
    /// What the subject yielded, nothing where it has no output.
    shown: OnceCell<Vec<shown::Shown<'a>>>,
    /// What tombstones withdrew of it.
    withdrawn: OnceCell<shown::Withdrawn<'a>>,
    /// What remains, by uuid; nothing where the subject has no output.
    live: OnceCell<HashMap<&'a str, &'a Value>>,
}

impl<'a> StreamEvidence<'a> {
    /// What a right accumulator makes of the items.
    ///
    /// # Errors
    /// Why that is not laid down.
    fn model(&self) -> Result<&model::Model, &'static str> {
        self.worked_out.model.get_or_init(|| model::Model::play(&self.items)).as_ref().map_err(|why| *why)
    }

    /// What the subject yielded, in order; nothing where it has no output.
    fn shown(&self) -> &[shown::Shown<'a>] {
        let case = self.given();
        let read = || case.output.as_ref().map_or_else(|_| Vec::new(), shown::shown);
        self.worked_out.shown.get_or_init(read)
    }

    /// What tombstones withdrew of what the subject yielded.
    fn withdrawn(&self) -> &shown::Withdrawn<'a> {
        self.worked_out.withdrawn.get_or_init(|| shown::Withdrawn::read(self.shown()))
    }

    /// The messages that remain, by their uuids; nothing where the subject has no output.
    fn live(&self) -> &HashMap<&'a str, &'a Value> {
        let case = self.given();
        let read = || case.output.as_ref().map_or_else(|_| HashMap::new(), |output| shown::by_uuid(output));
        self.worked_out.live.get_or_init(read)
    }
}

/// The rules of the family `stream`.
pub(super) const RULES: &[&RuleEntry] = &[
    &message::ACCUMULATES,
    &again::CHUNKING_INVARIANT,
    &blocks::ONE_MESSAGE_PER_BLOCK,
    &blocks::LATE_FIELDS,
    &again::TOTAL,
    &withdrawal::TOMBSTONES_EXACT,
    &withdrawal::NO_WITHDRAWN_SURVIVOR,
    &views::SLOTS_STABLE,
];
