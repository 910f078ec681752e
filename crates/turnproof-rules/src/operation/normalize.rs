//! The operations `normalize_api`, `normalize_ui` and `reorder_ui`: messages to a request, and to
//! what a UI shows.
//!
//! Messages go in as JSON text, because a session's strings may hold what no parsed value can (lone
//! surrogates). What a subject made of them is gathered here with all that the rules compare it to.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::plain::Plain;

/// What a request is made for, beside the messages.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RequestOptions {
    /// Project context, which goes in front of the first user message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<String>,
}

/// A request as a subject gives it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RequestText {
    /// The turns: a JSON array of `{role, content}`.
    pub turns: String,
    /// The input messages as they are after the call, when the subject can tell (`normalize/pure`).
    pub messages_after: Option<String>,
}

/// JSON that a subject gave, or why there is none.
pub type Given = Result<Plain, String>;

/// What a subject did with a list of messages for the API.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ApiNormalized {
    /// The messages, an array.
    pub messages: Plain,
    /// The options.
    #[serde(default)]
    pub options: RequestOptions,
    /// The request: an array of turns.
    pub request: Given,
    /// The request, asked for again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub again: Option<Given>,
    /// The input messages as they are after the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub messages_after: Option<Plain>,
    /// What the subject makes of its own output: each turn as a user or assistant message, no
    /// context.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub renormalized: Option<Given>,
    /// The requests for the first 0, 1, 2, … messages, without the whole list; each with the options, and none
    /// where that was not asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shorter: Vec<Option<Given>>,
    /// The requests of a normalizer that is given message by message, after each message; none where nobody
    /// looked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub incremental: Option<Vec<Option<Given>>>,
}

/// What a subject did with a list of messages for the UI.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct UiNormalized {
    /// The messages, an array.
    pub messages: Plain,
    /// The messages of the UI: an array.
    pub output: Given,
    /// The same, asked for again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub again: Option<Given>,
    /// The outputs for the first 0, 1, 2, … messages, without the whole list; none where that was not asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shorter: Vec<Option<Given>>,
}

/// How a subject ordered a list of messages for the UI.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct UiReordered {
    /// The messages, an array.
    pub messages: Plain,
    /// The same messages in another order: an array.
    pub output: Given,
    /// The same, asked for again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub again: Option<Given>,
    /// What the subject makes of its own output.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reordered: Option<Given>,
}

impl ApiNormalized {
    /// The messages one by one.
    pub fn events(&self) -> &[Value] {
        self.messages.elements()
    }
}
