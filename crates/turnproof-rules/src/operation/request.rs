//! A *request* is what is sent to a model: turns of alternating roles, and what belongs to them.

use std::io::{self, Write};

use crate::json::Value;
use crate::rules::Place;
use serde::{Deserialize, Serialize};

use super::converse;
use super::plain::{Parts, Plain};

/// Which host a request must please (`api/*`, `pairing/*`, `thinking/*`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Host {
    /// Every host of every year: what one of them has refused is refused.
    #[default]
    Portable,
    /// The Messages API itself.
    Anthropic,
    /// Amazon Bedrock, by the Converse API.
    BedrockConverse,
    /// Amazon Bedrock, by InvokeModel, which takes bodies of the Messages API.
    BedrockInvoke,
    /// Google Vertex AI.
    Vertex,
}

impl Host {
    /// Every profile.
    pub const ALL: [Self; 5] =
        [Self::Portable, Self::Anthropic, Self::BedrockConverse, Self::BedrockInvoke, Self::Vertex];

    /// The profile's name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Portable => "portable",
            Self::Anthropic => "anthropic",
            Self::BedrockConverse => "bedrock-converse",
            Self::BedrockInvoke => "bedrock-invoke",
            Self::Vertex => "vertex",
        }
    }

    /// Whether it is Amazon Bedrock, by either API.
    pub const fn is_bedrock(self) -> bool {
        matches!(self, Self::BedrockConverse | Self::BedrockInvoke)
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
    /// The form in which it was given.
    pub form: Form,
}

/// The form of a body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// That of the Messages API.
    #[default]
    Messages,
    /// That of Bedrock's Converse API. It is put into the other form to be judged; places stay the same.
    Converse,
}

/// Text that is no request.
#[derive(Debug, thiserror::Error)]
pub enum RequestError {
    /// It is not JSON.
    #[error("not JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// It is JSON, but neither a body nor an array of turns.
    #[error("a request is an object with `messages`, or an array of {{role, content}}; this is {0}")]
    Shape(NoRequest),
}

/// What a JSON value is that is no request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoRequest {
    /// Its turns are not in a list.
    #[error("an object whose `messages` is no array")]
    NoList,
    /// It has no turns.
    #[error("an object without `messages`")]
    NoMessages,
    /// It is neither an object nor an array.
    #[error("{0}")]
    Other(&'static str),
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
            Value::Object(body) if converse::is_body(&body) => {
                let (messages, body) = converse::to_messages(body);
                return Ok(Self { messages, body, lone_surrogates, bytes, form: Form::Converse });
            }
            Value::Object(mut body) => match body.remove("messages") {
                Some(Value::Array(messages)) => (messages, Value::Object(body)),
                Some(_) => return Err(RequestError::Shape(NoRequest::NoList)),
                None => return Err(RequestError::Shape(NoRequest::NoMessages)),
            },
            Value::String(_) => return Err(RequestError::Shape(NoRequest::Other("a string"))),
            Value::Null => return Err(RequestError::Shape(NoRequest::Other("null"))),
            Value::Bool(_) | Value::Number(_) => {
                return Err(RequestError::Shape(NoRequest::Other("a number or a flag")));
            }
        };
        Ok(Self { messages, body, lone_surrogates, bytes, form: Form::Messages })
    }

    /// The beginning of what is at a place, as JSON; empty for the request as a whole.
    pub fn excerpt(&self, place: Place) -> Vec<u8> {
        let Place::Message { index, block } = place else { return Vec::new() };
        let Some(turn) = self.messages.get(index as usize) else { return Vec::new() };
        let block = block.and_then(|block| turn.get("content")?.get(block as usize));
        let mut head = Head(Vec::new());
        // The only error is that the head is full.
        let _ = serde_json::to_writer(&mut head, block.unwrap_or(turn));
        head.0
    }
}

/// Takes the first 512 bytes that are written to it and refuses the rest, so that a large block costs no more.
struct Head(Vec<u8>);

impl Write for Head {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = bytes.len().min(512 - self.0.len());
        self.0.extend_from_slice(&bytes[..taken]);
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
