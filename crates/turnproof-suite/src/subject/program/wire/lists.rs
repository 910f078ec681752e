//! Messages *on the wire*, and what is made of them: requests, lists for a UI, streams, ids.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::operation::{
    self, FixedSource, Folding, Host, Refusal, RequestOptions, RequestText, StreamFault, StreamText,
};

use super::{Bytes, IntoPlain, Json, List};

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

/// The output of `normalize_api`.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Turns {
    /// The turns of the request, each with `role` and `content`.
    pub messages: List,
    /// The input messages as they are after the call, where the program can tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub messages_after: Option<List>,
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

/// The input of `accumulate`.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Events {
    /// What happens to the stream, in order.
    pub items: Vec<StreamItem>,
}

/// One thing that happens to a stream.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StreamItem {
    /// An event of the API. One that is no JSON comes as a string that holds its text.
    Event(Json),
    /// Bytes of the response, cut anywhere: server-sent events.
    BytesB64(Bytes),
    /// The stream is abandoned, and what it has shown is withdrawn.
    Abandon,
    /// A user message joins the conversation.
    Message(Json),
}

/// The output of `accumulate`.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Streamed {
    /// What was yielded, in order, as it was when it was yielded.
    pub events: List,
    /// The messages that remain, with all that came late.
    pub live: List,
    /// The same list with tombstones in the places of what was withdrawn, where the program has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slots: Option<List>,
    /// Whole messages as accumulated, one for each stream that began, where the program has them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub messages: Option<List>,
    /// The first thing that was wrong with a stream, if anything was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<StreamFault>,
}

/// The input of `make`.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct FactoryCall {
    /// The factory's name (SPEC 2.1.1).
    pub factory: String,
    /// Its arguments by name. A null counts as missing.
    pub arguments: Json,
    /// The id that the caller gives to the message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uuid: Option<String>,
    /// The time that the caller gives to the message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timestamp: Option<String>,
    /// Where ids and times come from. Without it, from the program's own chance and clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<FixedSource>,
}

/// The output of `make`.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Made {
    /// The messages, which are one but for `missing_tool_results`.
    pub messages: Vec<MadeMessage>,
}

/// A message that a factory made.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct MadeMessage {
    /// The message.
    pub message: Json,
    /// What predicates say of it, by the names of SPEC 2.1.3, where the program has them.
    #[serde(default)]
    pub predicates: BTreeMap<String, bool>,
}

impl Messages {
    pub(in crate::subject::program) fn of(messages: &str) -> Self {
        Self { messages: List::of(messages) }
    }
}

impl IntoPlain for Messages {
    type Plain = String;

    fn into_plain(self) -> Result<String, String> {
        Ok(self.messages.text().to_owned())
    }
}

impl IntoPlain for Turns {
    type Plain = RequestText;

    fn into_plain(self) -> Result<RequestText, String> {
        let after = self.messages_after.map(|list| list.text().to_owned());
        Ok(RequestText { turns: self.messages.text().to_owned(), messages_after: after })
    }
}

impl From<RequestText> for Turns {
    fn from(request: RequestText) -> Self {
        Self { messages: List::of(&request.turns), messages_after: request.messages_after.as_deref().map(List::of) }
    }
}

impl IntoPlain for AfterEach {
    type Plain = Vec<String>;

    fn into_plain(self) -> Result<Vec<String>, String> {
        Ok(self.requests.iter().map(|turns| turns.text().to_owned()).collect())
    }
}

impl IntoPlain for Derived {
    type Plain = String;

    fn into_plain(self) -> Result<String, String> {
        Ok(self.uuid)
    }
}

impl IntoPlain for ShortId {
    type Plain = String;

    fn into_plain(self) -> Result<String, String> {
        Ok(self.short_id)
    }
}

impl IntoPlain for Errors {
    type Plain = Vec<Refusal>;

    fn into_plain(self) -> Result<Vec<Refusal>, String> {
        Ok(self.errors)
    }
}

impl From<&operation::StreamItem> for StreamItem {
    fn from(item: &operation::StreamItem) -> Self {
        match item {
            operation::StreamItem::Event(json) => Self::Event(Json::of(json)),
            operation::StreamItem::Bytes(bytes) => Self::BytesB64(Bytes(bytes.clone())),
            operation::StreamItem::Abandon => Self::Abandon,
            operation::StreamItem::Message(json) => Self::Message(Json::of(json)),
        }
    }
}

impl From<StreamItem> for operation::StreamItem {
    fn from(item: StreamItem) -> Self {
        match item {
            StreamItem::Event(json) => Self::Event(json.text().to_owned()),
            StreamItem::BytesB64(Bytes(bytes)) => Self::Bytes(bytes),
            StreamItem::Abandon => Self::Abandon,
            StreamItem::Message(json) => Self::Message(json.text().to_owned()),
        }
    }
}

impl IntoPlain for Streamed {
    type Plain = StreamText;

    fn into_plain(self) -> Result<StreamText, String> {
        let text = |list: List| list.text().to_owned();
        Ok(StreamText {
            events: text(self.events),
            live: text(self.live),
            slots: self.slots.map(text),
            messages: self.messages.map(text),
            fault: self.fault,
        })
    }
}

impl From<StreamText> for Streamed {
    fn from(streamed: StreamText) -> Self {
        Self {
            events: List::of(&streamed.events),
            live: List::of(&streamed.live),
            slots: streamed.slots.as_deref().map(List::of),
            messages: streamed.messages.as_deref().map(List::of),
            fault: streamed.fault,
        }
    }
}

impl From<&operation::FactoryCall> for FactoryCall {
    fn from(call: &operation::FactoryCall) -> Self {
        let operation::FactoryCall { factory, arguments, uuid, timestamp, source } = call.clone();
        Self { factory, arguments: Json::of(&arguments), uuid, timestamp, source }
    }
}

impl From<FactoryCall> for operation::FactoryCall {
    fn from(call: FactoryCall) -> Self {
        let FactoryCall { factory, arguments, uuid, timestamp, source } = call;
        Self { factory, arguments: arguments.text().to_owned(), uuid, timestamp, source }
    }
}

impl IntoPlain for Made {
    type Plain = Vec<operation::MadeMessage>;

    fn into_plain(self) -> Result<Self::Plain, String> {
        let plain = |made: MadeMessage| operation::MadeMessage {
            message: made.message.text().to_owned(),
            predicates: made.predicates,
        };
        Ok(self.messages.into_iter().map(plain).collect())
    }
}

impl From<Vec<operation::MadeMessage>> for Made {
    fn from(messages: Vec<operation::MadeMessage>) -> Self {
        let on_the_wire = |made: operation::MadeMessage| MadeMessage {
            message: Json::of(&made.message),
            predicates: made.predicates,
        };
        Self { messages: messages.into_iter().map(on_the_wire).collect() }
    }
}
