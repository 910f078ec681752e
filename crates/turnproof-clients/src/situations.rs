//! *Situations* are conversations with one thing each that a model, a host or a network does, and that clients get wrong.
//! They are data, in `situations.toml`.

use serde::Deserialize;
use turnproof_mock::{Script, Step};

use crate::play::Case;

/// Something that happens to clients.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Situation {
    /// Its name, in kebab case.
    pub name: String,
    /// What happens, in words.
    pub what: String,
    /// Whether the API itself does not do it: a gateway does, or it is of tomorrow.
    #[serde(default)]
    pub unusual: bool,
    #[serde(rename = "step")]
    steps: Vec<Step>,
}

#[derive(Deserialize)]
struct Table {
    situation: Vec<Situation>,
}

impl Situation {
    /// All situations, in the order of the table.
    ///
    /// # Errors
    /// When the table is none, which a test rules out.
    pub fn all() -> Result<Vec<Self>, toml::de::Error> {
        toml::from_str::<Table>(include_str!("situations.toml")).map(|table| table.situation)
    }

    /// The conversation: two prompts, and what the model says.
    pub fn case(&self) -> Case {
        Case { prompts: 2, script: Script { steps: self.steps.clone(), ..Script::default() } }
    }
}
