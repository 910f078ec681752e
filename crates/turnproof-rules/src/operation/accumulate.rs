//! The operation `accumulate`: stream events to messages.
//!
//! A subject gets what a model sends, piece by piece, and gives what it yields. Everything is passed as JSON text
//! or bytes, because strings may hold what a parsed value cannot.

use serde::{Deserialize, Serialize};

use super::form::{Base64, JsonText, ListText, OptionalListText};
use super::messages::Readings;
use super::named_source::with_sources;
use super::plain::Plain;
use super::recut::cut_otherwise;
use crate::rules::StreamWorkedOut;
use crate::subject::Subject;
use crate::{Answers, Depth, Material, Observation};

/// One thing that happens to a stream.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum StreamItem {
    /// An event of the API. One that is no JSON comes as a string that holds its text.
    Event(#[serde(with = "JsonText")] String),
    /// Bytes of the response, cut anywhere: server-sent events.
    #[serde(rename = "bytes_b64")]
    Bytes(#[serde(with = "Base64")] Vec<u8>),
    /// The stream is abandoned, and what it has shown is withdrawn.
    Abandon,
    /// A user message joins the conversation.
    Message(#[serde(with = "JsonText")] String),
}

/// Something that was wrong with a stream, by name and in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StreamFault {
    /// The error's name in kebab case, such as `before-message-start`; see the `stream` module.
    pub name: String,
    /// The error in words.
    pub message: String,
    /// Which item of the input it came at, from 0.
    pub item: u64,
}

/// The output of `accumulate`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Streamed"))]
pub struct StreamText {
    /// What was yielded, in order, as it was when it was yielded.
    #[serde(with = "ListText")]
    pub events: String,
    /// The messages that remain, with all that came late.
    #[serde(with = "ListText")]
    pub live: String,
    /// The same list with tombstones in the places of what was withdrawn, where the program has one.
    #[serde(default, with = "OptionalListText", skip_serializing_if = "Option::is_none")]
    pub slots: Option<String>,
    /// Whole messages as accumulated, one for each stream that began, where the program has them.
    #[serde(default, with = "OptionalListText", skip_serializing_if = "Option::is_none")]
    pub messages: Option<String>,
    /// The first thing that was wrong with a stream, if anything was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<StreamFault>,
}

/// What a subject did with a stream.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Accumulated {
    /// The input.
    pub items: Vec<StreamItem>,
    /// The output, or why there is none.
    pub output: Result<Streamed, String>,
    /// The same input, with deltas, bytes and lines cut otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cut_otherwise: Option<Result<Streamed, String>>,
    /// The same input again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub again: Option<Result<Streamed, String>>,
}

/// [`StreamText`], read.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Streamed {
    /// What was yielded.
    pub events: Plain,
    /// What remains.
    pub live: Plain,
    /// What remains, places kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slots: Option<Plain>,
    /// Whole messages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub messages: Option<Plain>,
    /// The first thing that was wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<StreamFault>,
}

impl Streamed {
    /// Reads what a subject gave, or says which part is not JSON.
    pub fn read(text: &StreamText) -> Result<Self, String> {
        Self::read_with(text.clone(), &Readings::default())
    }

    /// The same, where each text is read once.
    fn read_with(text: StreamText, readings: &Readings) -> Result<Self, String> {
        let read =
            |part: &str, text: String| readings.read(text).map_err(|error| format!("`{part}` is not JSON: {error}"));
        Ok(Self {
            events: read("events", text.events)?,
            live: read("live", text.live)?,
            slots: text.slots.map(|slots| read("slots", slots)).transpose()?,
            messages: text.messages.map(|messages| read("messages", messages)).transpose()?,
            fault: text.fault,
        })
    }
}

impl Observation for Accumulated {
    type WorkedOut<'a> = StreamWorkedOut<'a>;

    /// Gives the subject each stream of the case; then again, and the same in other pieces. Where a result that joins
    /// is to name the message with its call, the stream is given once before, so that the uuid of that is known.
    fn observe(subject: &dyn Subject, material: &dyn Material, depth: Depth) -> Option<Answers<Self>> {
        let accumulate = |items: &Vec<StreamItem>| {
            let readings = Readings::default();
            let ask = |items: &[StreamItem]| {
                let answer = subject.accumulate(items).into_answer()?;
                Some(answer.and_then(|text| Streamed::read_with(text, &readings)))
            };
            let mut items = items.clone();
            let mut output = ask(&items)?;
            if let Some(named) = output.as_ref().ok().and_then(|output| with_sources(&items, output)) {
                items = named;
                output = ask(&items)?;
            }
            let again = depth.asks_again(2).then(|| ask(&items)).flatten();
            let cuts_it = depth.asks_once_in(2) && depth.asks(1, 2);
            let cut_otherwise = cuts_it.then(|| ask(&cut_otherwise(&items))).flatten();
            Some(Self { items, output, cut_otherwise, again })
        };
        material.streams().iter().map(accumulate).collect::<Option<Vec<_>>>().map(Ok)
    }
}
