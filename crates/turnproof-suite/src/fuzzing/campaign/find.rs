//! A *find* is one kind of mistake or crash, with the smallest input that shows it.

use serde::{Deserialize, Serialize};

use crate::operation::Operation;

use super::ask::Sighting;

/// One kind of mistake or crash of a subject.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Find {
    /// The operation that was asked.
    #[serde(with = "by_name")]
    pub operation: Operation,
    /// The rule that is broken; `None` of a crash.
    pub rule: Option<String>,
    /// What it is, without the values of the input: operation, rule and kind distinguish finds.
    pub kind: String,
    /// Where in the input or the answer; empty for the whole.
    pub place: String,
    /// What was found there.
    pub found: String,
    /// What was expected.
    pub expected: String,
    /// What else is wrong with the smallest input.
    pub beside: Vec<String>,
    /// The seed of the input that showed it first.
    pub seed: u64,
    /// The number of this input.
    pub number: u64,
    /// How long it was, in bytes.
    pub before: usize,
    /// How long the smallest one is.
    pub bytes: usize,
    /// How many smaller inputs were tried.
    pub tries: usize,
    /// Whether there were more to try.
    pub is_cut_off: bool,
    /// Whether it was so when the subject was asked again.
    pub is_again: bool,
    /// What the subject said of the smallest input, in lines.
    pub said: Vec<String>,
    /// How many inputs showed it until now.
    pub times: u64,
    /// Since when it is known to fail.
    #[serde(default)]
    pub since: String,
    /// Whether it failed when it was asked last.
    pub state: State,
    /// The name of the file that holds the smallest input.
    pub input: String,
}

/// Whether a find failed when it was asked last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// It fails.
    Failing,
    /// It does not fail any more.
    Gone,
}

impl Find {
    pub(super) fn is_of(&self, operation: Operation, sighting: &Sighting) -> bool {
        self.operation == operation && self.rule.as_deref() == sighting.rule && self.kind == sighting.kind
    }

    /// The rule, or `crash`.
    pub fn name(&self) -> &str {
        self.rule.as_deref().unwrap_or("crash")
    }
}

mod by_name {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::super::FUZZED;
    use crate::operation::Operation;

    pub(super) fn serialize<S: Serializer>(operation: &Operation, serializer: S) -> Result<S::Ok, S::Error> {
        operation.name().serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Operation, D::Error> {
        let name = String::deserialize(deserializer)?;
        let found = FUZZED.into_iter().find(|operation| operation.name() == name);
        found.ok_or_else(|| D::Error::custom(format!("`{name}` is no operation that is fuzzed")))
    }
}
