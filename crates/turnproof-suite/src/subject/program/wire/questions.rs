//! Input and output of the questions to `turnproof serve` itself (SPEC 10.4.4).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::operation::Host;
use crate::operation::form::{Base64, Json};

/// The input of `judge_request`.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct JudgeRequest {
    /// The request: a body, or an array of turns.
    pub request: Json,
    /// The host that it is for.
    pub host: Host,
}

/// The input of `judge_response`.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct JudgeResponse {
    /// The reply as it was sent: a stream of server-sent events, or JSON.
    pub response: String,
}

/// The input of `judge_session`.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct JudgeSession {
    /// The path of a transcript; it may be compressed by gzip.
    pub path: String,
}

/// The output of `judge_request` and `judge_response`.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Judged {
    /// Whether the host takes the request, or clients read the reply.
    pub legal: bool,
    /// What breaks a rule, each as `turnproof check --format json` prints it.
    pub violations: Vec<Json>,
    /// What `turnproof check` prints for people.
    pub report: String,
}

/// The output of `judge_session`.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct JudgedSession {
    /// The verdict, as `turnproof check --verdict --format json` prints it.
    pub verdict: Json,
    /// What `turnproof check` prints for people.
    pub report: String,
}

/// The input of `draw`.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct ToDraw {
    /// What is drawn.
    pub what: DrawnKind,
    /// The bytes that choose it. Any bytes choose something; missing ones count as zeros.
    #[serde(rename = "bytes_b64", with = "Base64")]
    pub bytes: Vec<u8>,
    /// The request that a reply answers: a body.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request: Option<Json>,
}

/// What may be drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DrawnKind {
    /// A dialogue that any client can hold: a neutral history.
    History,
    /// A reply to a request, as the mock gives it: a message, or a stream where the request asks for one.
    Reply,
    /// A session of a client: a transcript as it can really happen, with crashes and compactions.
    Session,
    /// A transcript whose lines are in any order and number, and damaged.
    DamagedSession,
}

/// The output of `draw`: the member that belongs to what was asked.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Drawn {
    /// The messages of a history.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub messages: Option<Vec<Json>>,
    /// Whether a history is a legal request as it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub legal: Option<bool>,
    /// A reply as it is sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reply: Option<String>,
    /// A transcript.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub jsonl_b64: Option<String>,
}
