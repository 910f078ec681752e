//! Rules on *streams*: from a model's events to messages.
//!
//! They compare with a second accumulator over plain values ([`model`]). Ids and times are the subject's own: they are
//! followed, never compared.

mod again;
mod blocks;
mod message;
mod model;
mod shown;
mod withdrawal;

use std::cell::OnceCell;
use std::collections::HashMap;

use crate::json::Value;

use super::value::uuid;
use super::{RuleEntry, StreamEvidence};

/// What the rules of the family work out of a case.
#[derive(Debug, Default)]
pub struct WorkedOut<'a> {
    model: OnceCell<Result<model::Model, &'static str>>,
    shown: OnceCell<Vec<shown::Shown<'a>>>,
    withdrawn: OnceCell<shown::Withdrawn<'a>>,
    live: OnceCell<HashMap<&'a str, &'a Value>>,
}

impl<'a> StreamEvidence<'a> {
    /// What a right accumulator makes of the items; or why that is unspecified.
    fn model(&self) -> Result<&model::Model, &'static str> {
        self.worked_out.model.get_or_init(|| model::Model::play(&self.items)).as_ref().map_err(|why| *why)
    }

    /// What the subject yielded, in order; empty when it has no output.
    fn shown(&self) -> &[shown::Shown<'a>] {
        let case = self.given();
        let read = || case.output.as_ref().map_or_else(|_| Vec::new(), shown::shown);
        self.worked_out.shown.get_or_init(read)
    }

    /// What tombstones withdrew of what the subject yielded.
    fn withdrawn(&self) -> &shown::Withdrawn<'a> {
        self.worked_out.withdrawn.get_or_init(|| shown::Withdrawn::read(self.shown()))
    }

    /// The messages that remain, by their uuids; empty when the subject has no output.
    fn live(&self) -> &HashMap<&'a str, &'a Value> {
        let live = self.given().output.as_ref().map_or(&[][..], |output| output.live.elements());
        let read = || live.iter().filter_map(|message| Some((uuid(message)?, message))).collect();
        self.worked_out.live.get_or_init(read)
    }
}

pub(super) const RULES: &[RuleEntry] = &[
    rule!("stream/accumulates", Accumulate(message::accumulates)),
    rule!("stream/chunking-invariant", Accumulate(again::chunking_invariant)),
    rule!("stream/one-message-per-block", Accumulate(blocks::one_message_per_block)),
    rule!("stream/late-fields", Accumulate(blocks::late_fields)),
    rule!("stream/total", Accumulate(again::total)),
    rule!("stream/tombstones-exact", Accumulate(withdrawal::tombstones_exact)),
    rule!("stream/no-withdrawn-survivor", Accumulate(withdrawal::no_withdrawn_survivor)),
    rule!("stream/slots-stable", Accumulate(withdrawal::slots_stable)),
];
