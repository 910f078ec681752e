//! The operation `make`: the call of a factory to its message, and to what predicates say of it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::form::JsonText;
use super::make_names::MadeNames;
use crate::rules::MakeWorkedOut;
use crate::subject::Subject;
use crate::{Answers, Depth, Material, Observation};

/// The input of `make`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FactoryCall {
    /// The factory's name (SPEC 2.1.1).
    pub factory: String,
    /// Its arguments by name. A null counts as missing.
    #[serde(with = "JsonText")]
    pub arguments: String,
    /// The id that the caller gives to the message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uuid: Option<String>,
    /// The time that the caller gives to the message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timestamp: Option<String>,
    /// Where ids and times come from. Without it, from the program's own chance and clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<FixedSource>,
}

impl Default for FactoryCall {
    /// The plainest call: a user message without content.
    fn default() -> Self {
        Self { factory: "user".to_owned(), arguments: "{}".to_owned(), uuid: None, timestamp: None, source: None }
    }
}

/// A clock with one fixed time, and ids to take one after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FixedSource {
    /// What the clock says: RFC 3339, milliseconds, `Z`.
    pub now: String,
    /// The ids: enough for any call.
    pub ids: Vec<String>,
}

/// A message that a factory made.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MadeMessage {
    /// The message.
    #[serde(with = "JsonText")]
    pub message: String,
    /// What predicates say of it, by the names of SPEC 2.1.3, where the program has them.
    #[serde(default)]
    pub predicates: BTreeMap<String, bool>,
}

/// The call of a factory, and what a subject made of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Made {
    /// The call.
    pub call: FactoryCall,
    /// The messages, or why there are none.
    pub answer: Result<Vec<MadeMessage>, String>,
    /// The answer to the same call, asked for again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub again: Option<Result<Vec<MadeMessage>, String>>,
}

impl Observation for Made {
    type WorkedOut<'a> = MakeWorkedOut;

    /// Has each call of the case made; then again. A factory that the subject does not have is left out. Ids and times
    /// that the subject made have canonical names, which keep their form and which ids are equal.
    fn observe(subject: &dyn Subject, material: &dyn Material, depth: Depth) -> Option<Answers<Self>> {
        let calls = material.factory_calls();
        let has_calls = !calls.is_empty();
        let made = |call: FactoryCall| {
            let ask = || subject.make(&call).into_answer();
            let (mut answer, mut again) = (ask()?, depth.asks_again(2).then(ask).flatten());
            let mut names = MadeNames::of(&call);
            for messages in [Some(&mut answer), again.as_mut()].into_iter().flatten().flatten() {
                names.name(messages);
            }
            Some(Self { call, answer, again })
        };
        let made: Vec<Self> = calls.into_iter().filter_map(made).collect();
        (!has_calls || !made.is_empty()).then_some(Ok(made))
    }
}
