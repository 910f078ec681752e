//! The *wire* is what goes over a pipe to a program and back (SPEC 10.4): each message as a type, of which its schema
//! is made.
//!
//! Messages and events are embedded as raw JSON, because their strings may hold what a parsed value cannot. Bytes, which
//! may be no UTF-8, are base64.

mod history;
mod questions;
mod shapes;

pub use history::{HistoryBlock, HistoryContent, HistoryMessage, HistoryRole, HistorySource, HistoryTurn};
pub use questions::{Drawn, DrawnKind, JudgeRequest, JudgeResponse, JudgeSession, Judged, JudgedSession, ToDraw};
pub use shapes::{
    AfterEach, Body, Derived, Errors, Events, File, FoldMessages, Found, Inputs, Made, Messages, Parent, Recorded,
    RequestOfMessages, Response, ResponseErrors, Rows, Session, ShortId, Transcripts, Uuid,
};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::operation::form::Json;

/// What turnproof writes: one a line.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(tag = "cmd", rename_all = "snake_case")]
pub enum Command {
    /// The first line: who is there?
    Start {
        /// The version of the protocol: 1.
        protocol: u32,
    },
    /// A question.
    Run {
        /// Its number, which the answer repeats.
        seq: u64,
        /// The method that is asked.
        operation: String,
        /// Its input.
        input: Json,
    },
    /// The last line. There is no answer: the program ends with exit code 0.
    Stop,
}

/// A line of turnproof's, read.
#[derive(Debug, Deserialize)]
pub(super) struct CommandLine {
    pub(super) cmd: String,
    pub(super) seq: Option<u64>,
    pub(super) operation: Option<String>,
    pub(super) input: Option<Json>,
}

/// The version of the protocol.
pub const PROTOCOL: u32 = 1;

/// The answer to `start`: who is judged.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Announcement {
    /// The name in reports.
    pub name: String,
    /// The version in reports.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The language that it is written in; never judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// The methods that it answers.
    pub operations: Vec<String>,
    /// The host that its requests are for; never judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profile: Option<String>,
    /// Whether its reader of JSON takes halves of surrogate pairs (`"\ud83d"`) and numbers beyond doubles. If not, it is
    /// not asked about inputs that hold some.
    #[serde(default = "yes")]
    pub lone_surrogates: bool,
}

const fn yes() -> bool {
    true
}

/// The answer to a question: one of `output`, `rejected` and `unsupported`.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Answer {
    /// The number of the question.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(required)]
    pub seq: Option<u64>,
    /// The output.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<Json>,
    /// The program refuses this input.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rejected: Option<Refusal>,
    /// The program does not do this, and why. It is counted, and not judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub unsupported: Option<Json>,
}

/// Why a program refuses an input.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Refusal {
    /// In words.
    #[schemars(with = "String")]
    pub message: Json,
    /// The error's name; never judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub kind: Option<Json>,
}
