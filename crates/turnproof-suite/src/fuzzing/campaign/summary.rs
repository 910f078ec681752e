//! The *summary* says what was tried and what came of it. A campaign also continues from it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::find::{Find, State};

/// What was tried, and what came of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// The subject.
    pub subject: String,
    /// The seed and the corpus; the numbers of inputs count within them.
    pub series: String,
    /// How long it took, in seconds, all runs on this folder together.
    pub seconds: f64,
    /// What each operation has had in all runs of this series together, by its name.
    pub operations: BTreeMap<String, Account>,
    /// How many finds fail.
    pub failing: usize,
    /// How many finds do not fail any more.
    pub gone: usize,
}

/// What an operation has had.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Account {
    /// The number of the next input.
    pub next: u64,
    /// How many inputs were tried.
    pub inputs: u64,
    /// How many of them the subject answered.
    pub answered: u64,
    /// How many it refused.
    pub refused: u64,
    /// How many it did not do: they were not judged.
    pub not_done: u64,
    /// How many it crashed at.
    pub crashed: u64,
    /// How many sightings were of a kind that is not reported, because there were too many kinds of the rule.
    pub untold: u64,
}

impl Summary {
    pub(super) fn count(&mut self, finds: &[Find]) {
        self.failing = finds.iter().filter(|find| find.state == State::Failing).count();
        self.gone = finds.len() - self.failing;
    }

    /// All inputs.
    pub fn inputs(&self) -> u64 {
        self.operations.values().map(|account| account.inputs).sum()
    }

    /// All inputs that were answered, or refused.
    pub fn judged(&self) -> u64 {
        self.operations.values().map(|account| account.answered + account.refused).sum()
    }
}
