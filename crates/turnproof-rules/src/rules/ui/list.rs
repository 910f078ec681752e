//! *Lists* of messages before and after they were ordered. Messages that are alike have one number, so that each is
//! compared once and not by each rule.

use std::borrow::Cow;

use crate::json::Value;

use super::plain::{NoList, input, output};
use crate::operation::{Given, Plain};
use crate::rules::alike::{Numbers, alike, canonical};
use crate::rules::value::uuid;

#[derive(Clone, Copy, Debug)]
pub(super) struct Listed<'a> {
    pub(super) message: &'a Value,
    /// The same for all messages that are alike.
    pub(super) number: usize,
}

impl PartialEq for Listed<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number
    }
}

/// The messages before and after.
#[derive(Debug)]
pub(super) struct Lists<'a> {
    /// Before, without events that are in no list.
    pub(super) input: Vec<Listed<'a>>,
    /// After; or what there is instead of a list.
    pub(super) output: Result<Vec<Listed<'a>>, NoList>,
    /// How many messages there are that are not alike.
    pub(super) numbers: usize,
}

impl<'a> Lists<'a> {
    pub(super) fn read(messages: &'a Plain, given: &'a Given) -> Self {
        let mut numbers = Numbers::default();
        let mut listed = |message| {
            let key = uuid(message).map_or_else(|| Cow::from(canonical(message).to_string()), Cow::from);
            Listed { message, number: numbers.of(key, message, alike) }
        };
        let input = input(messages).into_iter().map(&mut listed).collect();
        let output = output(given).map(|output| output.iter().map(&mut listed).collect());
        Self { input, output, numbers: numbers.count }
    }
}
