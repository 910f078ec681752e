//! Input and output of each method, where it is not the data of an operation itself.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::operation::form::{Base64, Json};
use crate::operation::{
    Conversation, Folding, Host, List, MadeMessage, RecordAnswer, RecordStep, Refusal, RequestOptions, ResponseRefusal,
    StreamItem, UsageRow,
};

/// Messages: input and output of `normalize_ui`, `reorder_ui`, `unfold` and `bridge`, output of `fold`.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Messages {
    /// The messages.
    pub messages: List,
}

/// The input of `normalize_api` and `normalize_api_incremental`.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct RequestOfMessages {
    /// The messages.
    pub messages: List,
    /// What the request is made for, beside them.
    #[serde(default)]
    pub options: RequestOptions,
}

/// The output of `normalize_api_incremental`.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct AfterEach {
    /// The turns after each of the messages.
    pub requests: Vec<List>,
}

/// The input of `fold`.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct FoldMessages {
    /// The messages.
    pub messages: List,
    /// Which runs of calls are folded.
    pub folding: Folding,
}

/// The input of `derive_uuid`.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Parent {
    /// The message's uuid.
    pub parent: String,
    /// The block's index, up to 2^64 - 1.
    pub index: u64,
}

/// The output of `derive_uuid`.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Derived {
    /// The derived uuid.
    pub uuid: String,
}

/// The input of `short_id`.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Uuid {
    /// The uuid.
    pub uuid: String,
}

/// The output of `short_id`.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct ShortId {
    /// The short id.
    pub short_id: String,
}

/// The input of `check_request`.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Body {
    /// The request: a body, or an array of turns.
    pub request: Json,
    /// The host that it is for.
    pub host: Host,
}

/// The output of `check_request`.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Errors {
    /// What is wrong; empty when the request is legal.
    pub errors: Vec<Refusal>,
}

/// The input of `check_response`.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Response {
    /// The reply as it was sent: a stream of server-sent events, or JSON.
    pub response: String,
}

/// The output of `check_response`.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct ResponseErrors {
    /// What is wrong; empty when the reply is legal.
    pub errors: Vec<ResponseRefusal>,
}

/// The input of `accumulate`.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Events {
    /// What happens to the stream, in order.
    pub items: Vec<StreamItem>,
}

/// The input of `play`.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Inputs {
    /// What people, model, tools and disk do, in order.
    pub inputs: List,
}

/// The output of `make`.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Made {
    /// The messages, which are one but for `missing_tool_results`.
    pub messages: Vec<MadeMessage>,
}

/// The input of `parse`, `resume` and `repair`, and a file of `usage`.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct File {
    /// The transcript's bytes.
    #[serde(rename = "jsonl_b64", with = "Base64")]
    pub bytes: Vec<u8>,
}

/// The input of `record`.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Session {
    /// The file that the session goes on with.
    #[serde(rename = "jsonl_b64", with = "Base64")]
    pub file: Vec<u8>,
    /// The session's id.
    pub session: String,
    /// What happens, in order.
    pub steps: Vec<RecordStep>,
}

/// The output of `record`.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Recorded {
    /// The answer to each step.
    pub answers: Vec<RecordAnswer>,
}

/// The output of `resume`.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Found {
    /// The conversation; null when the file holds none.
    #[serde(deserialize_with = "Option::deserialize")]
    #[schemars(required)]
    pub conversation: Option<Conversation>,
}

/// The input of `usage`.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Transcripts {
    /// The files, in the order in which they are read.
    pub files: Vec<File>,
}

/// The output of `usage`.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Rows {
    /// A row for each session, model and sort of conversation, in any order.
    pub rows: Vec<UsageRow>,
}

impl Messages {
    pub(in crate::subject::program) fn of(messages: &str) -> Self {
        Self { messages: messages.to_owned().into() }
    }

    pub(in crate::subject::program) fn into_text(self) -> String {
        self.messages.text().to_owned()
    }
}

impl File {
    pub(in crate::subject::program) fn of(bytes: &[u8]) -> Self {
        Self { bytes: bytes.to_vec() }
    }
}
