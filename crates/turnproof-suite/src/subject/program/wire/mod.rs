//! The *wire* is what goes over a pipe to a program and back (SPEC 10.4): each message as a type, of which its schema
//! is made.
//!
//! Messages and events are embedded as raw JSON, because their strings may hold what a parsed value cannot. Bytes, which
//! may be no UTF-8, are base64.

mod files;
mod history;
mod lists;
mod loops;

pub use files::{
    Conversation, ConversationRecord, File, Found, Parsed, ParsedRecord, RecordAnswer, RecordStep, Recorded,
    RemovedPiece, RepairChange, Repaired, Rows, Session, Transcripts,
};
pub use history::{HistoryBlock, HistoryContent, HistoryMessage, HistoryRole, HistorySource, HistoryTurn};
pub use lists::{
    AfterEach, Body, Derived, Errors, Events, FactoryCall, FoldMessages, Made, MadeMessage, Messages, Parent,
    RequestOfMessages, ShortId, StreamItem, Streamed, Turns, Uuid,
};
pub use loops::{Inputs, Moment, Played};

use std::borrow::Cow;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::{RawValue, to_raw_value};

use crate::operation::Plain;

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

/// JSON as its text.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Json(Box<RawValue>);

impl Json {
    /// The JSON of a text. A text that is no JSON becomes a string.
    pub fn of(text: &str) -> Self {
        let raw = RawValue::from_string(on_one_line(text).into_owned()).or_else(|_| to_raw_value(text));
        Self(raw.unwrap_or_else(|_| RawValue::NULL.to_owned()))
    }

    /// A value.
    pub fn value(value: &impl Serialize) -> Self {
        Self(to_raw_value(value).unwrap_or_else(|_| RawValue::NULL.to_owned()))
    }

    /// The text.
    pub fn text(&self) -> &str {
        self.0.get()
    }

    /// The text, or what a string says, halves of surrogate pairs as U+FFFD.
    pub fn words(&self) -> String {
        let plain = Plain::read(self.text()).unwrap_or_default();
        plain.value.as_str().map_or_else(|| self.text().to_owned(), str::to_owned)
    }
}

/// JSON without line ends, which stand between the parts of a value alone; a line of the protocol holds none.
pub(super) fn on_one_line(json: &str) -> Cow<'_, str> {
    match memchr::memchr2(b'\n', b'\r', json.as_bytes()) {
        Some(_) => json.replace(['\n', '\r'], " ").into(),
        None => json.into(),
    }
}

impl JsonSchema for Json {
    fn schema_name() -> Cow<'static, str> {
        "Json".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({})
    }
}

/// An array, as its text.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct List(Json);

impl List {
    /// The array of a text.
    pub fn of(text: &str) -> Self {
        Self(Json::of(text))
    }

    /// The text.
    pub fn text(&self) -> &str {
        self.0.text()
    }
}

impl<'de> Deserialize<'de> for List {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let json = Json::deserialize(deserializer)?;
        match json.text().starts_with('[') {
            true => Ok(Self(json)),
            false => Err(D::Error::custom(format!("expected a list, found {}", excerpt(json.text())))),
        }
    }
}

impl JsonSchema for List {
    fn schema_name() -> Cow<'static, str> {
        "List".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "array"})
    }
}

/// Bytes, in base64.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bytes(pub Vec<u8>);

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        BASE64_STANDARD.encode(&self.0).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Cow::<'de, str>::deserialize(deserializer)?;
        let bytes = BASE64_STANDARD.decode(text.as_bytes());
        bytes.map(Self).map_err(|error| D::Error::custom(format!("it is no base64: {error}")))
    }
}

impl JsonSchema for Bytes {
    fn schema_name() -> Cow<'static, str> {
        "Base64".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "string", "contentEncoding": "base64"})
    }
}

/// The longest excerpt of what a program printed.
const EXCERPT: usize = 120;

/// The beginning of a text.
pub(super) fn excerpt(text: &str) -> String {
    match text.char_indices().nth(EXCERPT) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// What a program printed, as plain data.
pub(super) trait IntoPlain {
    /// The plain data.
    type Plain;

    /// The plain data; fails where JSON inside cannot be read as it must be.
    fn into_plain(self) -> Result<Self::Plain, String>;
}
