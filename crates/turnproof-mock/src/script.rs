//! A *script* says what the model says, step by step: TOML or JSON, with steps in order and steps that match requests.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::error::ErrorKind;
use crate::fault::Fault;
use crate::tool::Use;

/// What the model says, step by step.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Script {
    /// Which requests are whole ones, that take the next step; the others are side requests.
    #[serde(default)]
    pub main: Main,
    /// Whether the steps in order begin again after the last.
    #[serde(default)]
    pub repeat: bool,
    /// What the answer to a side request says, such as a title.
    #[serde(default)]
    pub side: Option<String>,
    /// The steps.
    #[serde(default, rename = "step")]
    pub steps: Vec<Step>,
}

/// Which requests are whole ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Main {
    /// All but those without tools whose system prompt asks for a title, a topic or a summary, or that come after some
    /// with tools while steps are still to come.
    #[default]
    Auto,
    /// Those that declare tools.
    Tools,
    /// All.
    All,
}

/// What is answered to one request.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// The requests that it answers; without it, it has its place in the order of steps.
    #[serde(default)]
    pub when: Option<When>,
    /// How often it answers what it matches.
    #[serde(default)]
    pub times: Option<u64>,
    /// A text; short for one block.
    #[serde(default)]
    pub text: Option<String>,
    /// The blocks.
    #[serde(default)]
    pub blocks: Vec<BlockPlan>,
    /// Why the reply stops; without it, what fits the blocks.
    #[serde(default)]
    pub stop: Option<String>,
    /// The sequence that stopped it.
    #[serde(default)]
    pub stop_sequence: Option<String>,
    /// What it counts.
    #[serde(default)]
    pub usage: Option<UsagePlan>,
    /// For how many milliseconds the answer waits.
    #[serde(default)]
    pub delay: u64,
    /// An error instead of a reply.
    #[serde(default)]
    pub error: Option<ErrorPlan>,
    /// What fails on the way, as `--faults` names it.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub faults: Vec<Fault>,
}

/// What a request must have. All that is named must hold.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct When {
    /// Its prompt has this in it.
    #[serde(default)]
    pub prompt: Option<String>,
    /// Its system prompt has this in it.
    #[serde(default)]
    pub system: Option<String>,
    /// The name of its model has this in it.
    #[serde(default)]
    pub model: Option<String>,
    /// It declares a tool of this name.
    #[serde(default)]
    pub tool: Option<String>,
    /// It is the request of this number, from 1.
    #[serde(default)]
    pub nth: Option<u64>,
    /// Whether it is a side request.
    #[serde(default)]
    pub side: Option<bool>,
}

/// A block of a reply.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum BlockPlan {
    /// A text.
    Text {
        /// The text.
        text: String,
        /// What it cites.
        #[serde(default)]
        citations: Vec<Value>,
        /// Whether it ends with half of a surrogate pair.
        #[serde(default)]
        half_a_pair: bool,
    },
    /// What the model thinks. It is played where the request asks for thinking.
    Thinking {
        /// The thought.
        thinking: String,
        /// Its signature; without it, one is made.
        #[serde(default)]
        signature: Option<String>,
    },
    /// What it thinks, encrypted.
    RedactedThinking {
        /// The data; without it, some are made.
        #[serde(default)]
        data: Option<String>,
    },
    /// A call of a tool.
    ToolUse {
        /// What the tool is for; it is looked for among those that the request declares.
        #[serde(default, rename = "use")]
        wanted: Option<Use>,
        /// The command or the path for it.
        #[serde(default)]
        text: Option<String>,
        /// The tool by its name.
        #[serde(default)]
        name: Option<String>,
        /// The input; without it, one is made that fits the schema.
        #[serde(default)]
        input: Option<Value>,
        /// The input as the model writes it, which may be no JSON.
        #[serde(default)]
        written: Option<String>,
        /// The id; without it, one is made.
        #[serde(default)]
        id: Option<String>,
    },
    /// A call of a tool of the host. It is played where the request declares the tool.
    ServerToolUse {
        /// The tool.
        name: String,
        /// The input.
        #[serde(default)]
        input: Value,
    },
    /// The result of the call of the host's tool before it.
    ServerToolResult {
        /// The content; without it, an error that the tool is not there.
        #[serde(default)]
        content: Value,
    },
    /// Any block, as it is.
    Block {
        /// The block.
        json: Value,
    },
}

/// What a reply counts. What is not said is estimated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "the members are named as the API names them")]
pub struct UsagePlan {
    pub input_tokens: Option<u64>,
    pub output_tokens: Option<u64>,
    #[serde(default)]
    pub cache_creation_input_tokens: u64,
    #[serde(default)]
    pub cache_read_input_tokens: u64,
}

/// An error instead of a reply.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ErrorPlan {
    /// The status.
    pub status: u16,
    /// The type; without it, the one that belongs to the status.
    #[serde(default, rename = "type")]
    pub kind: Option<String>,
    /// The words; without them, the usual ones.
    #[serde(default)]
    pub message: Option<String>,
    /// After how many seconds the client may ask again.
    #[serde(default)]
    pub retry_after: Option<u64>,
}

/// What is wrong with a script.
#[derive(Debug, thiserror::Error)]
pub enum ScriptError {
    /// It is no TOML, or not in the form of a script.
    #[error("{0}")]
    Toml(#[from] toml::de::Error),
    /// It is no JSON, or not in the form of a script.
    #[error("{0}")]
    Json(#[from] serde_json::Error),
    /// A step names what there is not.
    #[error("step {step}: {what}")]
    Step {
        /// Which one, from 1.
        step: usize,
        /// What is wrong in it.
        what: String,
    },
}

impl Script {
    /// The JSON Schema of scripts.
    pub fn schema() -> Value {
        schemars::schema_for!(Self).into()
    }

    /// Reads a script: JSON where the text begins with `{`, otherwise TOML. Fails where it is none.
    pub fn read(text: &str) -> Result<Self, ScriptError> {
        let script: Self = match text.trim_start().starts_with('{') {
            true => serde_json::from_str(text)?,
            false => toml::from_str(text)?,
        };
        for (index, step) in script.steps.iter().enumerate() {
            step.check().map_err(|what| ScriptError::Step { step: index + 1, what })?;
        }
        Ok(script)
    }
}

impl Step {
    fn check(&self) -> Result<(), String> {
        if self.error.is_some() && (self.text.is_some() || !self.blocks.is_empty()) {
            return Err("it has an error and a reply".to_owned());
        }
        if let Some(ErrorPlan { status, kind, .. }) = &self.error {
            if !(400..600).contains(status) {
                return Err(format!("{status} is no status of an error"));
            }
            let unknown = kind.as_deref().filter(|kind| ErrorKind::named(kind).is_none());
            if let Some(kind) = unknown {
                return Err(format!("the API has no error of the type {kind:?}"));
            }
        }
        let stop = self.stop.as_deref().filter(|stop| !turnproof_format::STOP_REASONS.contains(stop));
        stop.map_or(Ok(()), |stop| Err(format!("no reply stops because of {stop:?}")))
    }
}
