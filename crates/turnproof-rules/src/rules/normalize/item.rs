//! An *item* is one block of the input, with what becomes of it.

use std::borrow::Cow;

use serde_json::Value;

use super::block::{Role, kind};

/// What becomes of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// It is in the request, once.
    Kept,
    /// It is not, and why.
    Gone(&'static str),
}

/// A block of the input.
#[derive(Clone, Debug)]
pub(super) struct Item<'a> {
    /// Which message it is from, from 0.
    pub message: usize,
    /// Which block of that message's content; nothing when the content is not a list.
    pub block: Option<usize>,
    /// Who speaks.
    pub role: Role,
    /// Which run of messages of one role it is in, from 0.
    pub turn: usize,
    /// The block in the form in which it is sent.
    pub value: Cow<'a, Value>,
    /// The number of the block; equal blocks have the same one, in messages and requests.
    pub number: usize,
    /// What becomes of it.
    pub fate: Fate,
}

impl Item<'_> {
    /// Whether this is a block of this type that is kept.
    pub(super) fn is_kept(&self, type_name: &str) -> bool {
        self.fate == Fate::Kept && kind(&self.value) == type_name
    }
}
