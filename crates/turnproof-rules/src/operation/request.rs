//! A *request* is what is sent to a model: turns of alternating roles, and what belongs to them.

use crate::json::Value;
use serde::{Deserialize, Serialize};

use super::plain::{Parts, Plain};

/// Which host a request must please (`api/*`, `pairing/*`, `thinking/*`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Host {
    /// All of them: what any host refuses is refused.
    #[default]
    Strict,
    /// The Messages API itself.
    Anthropic,
    /// Amazon Bedrock.
    Bedrock,
    /// Google Vertex AI.
    Vertex,
}

impl Host {
    /// Every profile.
    pub const ALL: [Self; 4] = [Self::Strict, Self::Anthropic, Self::Bedrock, Self::Vertex];

    /// The profile's name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Strict => "strict",
            Self::Anthropic => "anthropic",
            Self::Bedrock => "bedrock",
            Self::Vertex => "vertex",
        }
    }
}

/// A request, read: the turns, and the rest of the body, if any.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Request {
    /// The turns, as they were given.
    pub messages: Vec<Value>,
    /// The body without its messages: `tools`, `thinking`, `model`, …; null for a bare array.
    pub body: Value,
    /// The places of lone surrogates, such as `messages.2.content.0.text`.
    pub lone_surrogates: Vec<String>,
    /// The size of the body in bytes, as it was given.
    pub bytes: u64,
}

/// Text that is no request.
#[derive(Debug, thiserror::Error)]
pub enum RequestError {
    /// It is not JSON.
    #[error("not JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// It is JSON, but neither a body nor an array of turns.
    #[error("a request is an object with `messages`, or an array of {{role, content}}; this is {0}")]
    Shape(&'static str),
}

impl Request {
    /// Reads a request body, or a bare array of turns; fails when the text is neither.
    pub fn read(json: &str) -> Result<Self, RequestError> {
        Self::from_plain(Plain::read(json)?, json.len() as u64)
    }

    /// The request of a value that took so many bytes as text; fails when the value is neither a body nor an array.
    pub fn from_plain(plain: Plain, bytes: u64) -> Result<Self, RequestError> {
        let Parts { value, mut lone_surrogates } = plain.into_parts();
        let (messages, body) = match value {
            Value::Array(messages) => {
                lone_surrogates.iter_mut().for_each(|path| path.insert_str(0, "messages."));
                (messages, Value::Null)
            }
            Value::Object(mut body) => match body.remove("messages") {
                Some(Value::Array(messages)) => (messages, Value::Object(body)),
                Some(_) => return Err(RequestError::Shape("an object whose `messages` is no array")),
                None => return Err(RequestError::Shape("an object without `messages`")),
            },
            Value::String(_) => return Err(RequestError::Shape("a string")),
            Value::Null => return Err(RequestError::Shape("null")),
            Value::Bool(_) | Value::Number(_) => return Err(RequestError::Shape("a number or a flag")),
        };
        Ok(Self { messages, body, lone_surrogates, bytes })
    }
}
