//! The *neutral history*: the messages of a plain case, typed (SPEC 10.4.1). They go out as they are; the types are for
//! the schema, and for adapters in Rust.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Who speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum HistoryRole {
    /// The user, and the results of tools.
    User,
    /// The model.
    Assistant,
}

/// A message of a neutral history.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HistoryMessage {
    /// Who speaks.
    #[serde(rename = "type")]
    pub kind: HistoryRole,
    /// What is said.
    pub message: HistoryTurn,
}

/// What a message says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HistoryTurn {
    /// Who speaks, again.
    pub role: HistoryRole,
    /// A text, or a list of blocks, which may be empty.
    pub content: HistoryContent,
}

/// A text, or a list of blocks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum HistoryContent {
    /// A text, which may be empty or blank.
    Text(String),
    /// Blocks.
    Blocks(Vec<HistoryBlock>),
}

/// A block. `text`, `image` and `document` may stand in the results of tools, too.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum HistoryBlock {
    /// A text, which may be empty or blank.
    Text {
        /// What it says.
        text: String,
    },
    /// An image.
    Image {
        /// Where it is.
        source: HistorySource,
    },
    /// A document.
    Document {
        /// Where it is.
        source: HistorySource,
        /// Its title.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        title: Option<String>,
        /// What it is about.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        context: Option<String>,
    },
    /// A call of a tool.
    ToolUse {
        /// Its id, which may be of a form that the API refuses.
        id: String,
        /// The tool.
        name: String,
        /// The arguments: an object, or the text that had come when the reply was cut off.
        input: serde_json::Value,
    },
    /// The result of a call.
    ToolResult {
        /// The id of the call.
        tool_use_id: String,
        /// What the tool gave.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        content: Option<HistoryContent>,
        /// Whether it failed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        is_error: Option<bool>,
    },
    /// Thinking.
    Thinking {
        /// What the model thought; empty where it is hidden.
        thinking: String,
        /// The signature. Thinking of other vendors has none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        signature: Option<String>,
    },
    /// Thinking that only the API can read.
    RedactedThinking {
        /// What the API reads.
        data: String,
    },
}

/// Where an image or a document is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum HistorySource {
    /// Here, in base64.
    Base64 {
        /// Its type, such as `image/png`.
        media_type: String,
        /// Its bytes.
        data: String,
    },
    /// Here, as text.
    Text {
        /// Its type: `text/plain`.
        media_type: String,
        /// Its text.
        data: String,
    },
    /// At an address.
    Url {
        /// The address.
        url: String,
    },
}
