//! *Lists* of messages before and after they were ordered, in which messages that are equal have one
//! number, so that each is compared once and not by each rule.

use std::borrow::Cow;
use std::collections::HashMap;

use serde_json::Value;

use super::plain::{input, output, uuid};
use crate::operation::{Given, Plain};
use crate::rules::alike::{alike, canonical};

/// A message of a list.
#[derive(Clone, Copy, Debug)]
pub(super) struct Listed<'a> {
    /// The message.
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
    /// Before, without events that pass by.
    pub(super) input: Vec<Listed<'a>>,
    /// After; or what there is instead of a list.
    pub(super) output: Result<Vec<Listed<'a>>, String>,
    /// How many messages there are that are not alike.
    pub(super) numbers: usize,
}

impl<'a> Lists<'a> {
    /// Reads both.
    pub(super) fn read(messages: &'a Plain, given: &'a Given) -> Self {
        let mut numbers = Numbers::default();
        let input = input(messages).into_iter().map(|message| numbers.listed(message)).collect();
        let output = output(given).map(|output| output.iter().map(|message| numbers.listed(message)).collect());
        Self { input, output, numbers: numbers.count }
    }
}

/// The messages that have been met, by something in which those that are alike are equal.
#[derive(Debug, Default)]
struct Numbers<'a> {
    met: HashMap<Cow<'a, str>, Vec<Listed<'a>>>,
    count: usize,
}

impl<'a> Numbers<'a> {
    fn listed(&mut self, message: &'a Value) -> Listed<'a> {
        let key = uuid(message).map_or_else(|| Cow::from(canonical(message).to_string()), Cow::from);
        let met = self.met.entry(key).or_default();
        if let Some(same) = met.iter().find(|same| alike(same.message, message)) {
            return Listed { message, number: same.number };
        }
        let listed = Listed { message, number: self.count };
        met.push(listed);
        self.count += 1;
        listed
    }
}
