//! *Routes*: what a request asks for, by its method and its path.

use hyper::Method;
use turnproof_rules::operation::Host;

use crate::error::{ApiError, Dialect, ErrorKind};

/// What is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Route {
    /// Whether anybody is there: `HEAD /`.
    Root,
    /// A message.
    Message(Door),
    /// How many tokens a request has.
    CountTokens(Door),
    /// The models.
    Models,
    /// One model.
    Model(String),
    /// Messages, later.
    Batch(Batch),
}

/// By which API a message is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Door {
    /// The Messages API. The body says whether the reply is streamed.
    Messages,
    /// Amazon Bedrock's InvokeModel. The path names the model.
    Bedrock {
        /// The model.
        model: String,
        /// Whether the reply is streamed.
        streams: bool,
    },
    /// Google Vertex AI.
    Vertex {
        /// The model.
        model: String,
        /// Whether the reply is streamed.
        streams: bool,
    },
}

/// What is asked of batches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Batch {
    /// A new one.
    Create,
    /// All of them.
    List,
    /// How one is.
    State(String),
    /// What one has come to.
    Results(String),
    /// The end of one.
    Cancel(String),
    /// No more of one.
    Delete(String),
}

impl Door {
    /// The host whose rules judge what comes in; the Messages API is judged by those of `usual`.
    pub const fn host(&self, usual: Host) -> Host {
        match self {
            Self::Messages => usual,
            Self::Bedrock { .. } => Host::BedrockInvoke,
            Self::Vertex { .. } => Host::Vertex,
        }
    }
}

impl Route {
    /// How errors are written there.
    pub const fn dialect(&self) -> Dialect {
        match self {
            Self::Message(Door::Bedrock { .. }) | Self::CountTokens(Door::Bedrock { .. }) => Dialect::Bedrock,
            _ => Dialect::Messages,
        }
    }

    /// Whether the headers of the Messages API are wanted: a key, and the version of the API. What is in front of
    /// Bedrock and Vertex may add the key itself.
    pub const fn wants_headers(&self) -> bool {
        match self {
            Self::Root => false,
            Self::Message(door) | Self::CountTokens(door) => matches!(door, Door::Messages),
            Self::Models | Self::Model(_) | Self::Batch(_) => true,
        }
    }
}

/// The route of a request; the error where there is none.
pub fn route(method: &Method, path: &str) -> Result<Route, ApiError> {
    let path = path.trim_end_matches('/');
    let parts: Vec<&str> = path.split('/').skip(1).collect();
    match (method.as_str(), parts.as_slice()) {
        ("GET" | "HEAD", []) => Ok(Route::Root),
        ("POST", ["v1", "messages"]) => Ok(Route::Message(Door::Messages)),
        ("POST", ["v1", "messages", "count_tokens"]) => Ok(Route::CountTokens(Door::Messages)),
        ("GET" | "HEAD", ["v1", "models"]) => Ok(Route::Models),
        ("GET" | "HEAD", ["v1", "models", id]) => Ok(Route::Model(decoded(id))),
        (_, ["v1", "messages", "batches", rest @ ..]) => batch(method, rest).map(Route::Batch),
        ("POST", ["model", model, action]) => bedrock(model, action),
        ("POST", [.., "publishers", "anthropic", "models", action]) => vertex(action),
        (_, ["v1", "messages"] | ["v1", "messages", "count_tokens"] | ["v1", "models"]) => Err(not_allowed()),
        _ => Err(ApiError::not_found()),
    }
}

fn batch(method: &Method, rest: &[&str]) -> Result<Batch, ApiError> {
    let id = || decoded(rest[0]);
    match (method.as_str(), rest) {
        ("POST", []) => Ok(Batch::Create),
        ("GET", []) => Ok(Batch::List),
        ("GET", [_]) => Ok(Batch::State(id())),
        ("DELETE", [_]) => Ok(Batch::Delete(id())),
        ("GET", [_, "results"]) => Ok(Batch::Results(id())),
        ("POST", [_, "cancel"]) => Ok(Batch::Cancel(id())),
        _ => Err(ApiError::not_found()),
    }
}

fn bedrock(model: &str, action: &str) -> Result<Route, ApiError> {
    let model = decoded(model);
    match action {
        "invoke" => Ok(Route::Message(Door::Bedrock { model, streams: false })),
        "invoke-with-response-stream" => Ok(Route::Message(Door::Bedrock { model, streams: true })),
        "count-tokens" => Ok(Route::CountTokens(Door::Bedrock { model, streams: false })),
        _ => Err(ApiError::not_found()),
    }
}

fn vertex(action: &str) -> Result<Route, ApiError> {
    let action = decoded(action);
    let (model, verb) = action.rsplit_once(':').ok_or_else(ApiError::not_found)?;
    let streams = match verb {
        "rawPredict" => false,
        "streamRawPredict" => true,
        _ => return Err(ApiError::not_found()),
    };
    let is_count = model.starts_with("count-tokens");
    let door = Door::Vertex { model: model.to_owned(), streams };
    Ok(if is_count { Route::CountTokens(door) } else { Route::Message(door) })
}

fn not_allowed() -> ApiError {
    ApiError { status: 405, ..ApiError::new(ErrorKind::InvalidRequest, "Method Not Allowed") }
}

/// A part of a path without its escapes.
fn decoded(part: &str) -> String {
    let mut bytes = Vec::with_capacity(part.len());
    let mut rest = part.as_bytes();
    while let Some((&first, behind)) = rest.split_first() {
        let escaped = (first == b'%').then(|| behind.get(..2)).flatten();
        let byte = escaped.and_then(|digits| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok());
        bytes.push(byte.unwrap_or(first));
        rest = if byte.is_some() { &behind[2..] } else { behind };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
