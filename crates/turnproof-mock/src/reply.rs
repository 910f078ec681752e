//! A *reply* is what the mock says: blocks, why it stops, and what it counts. It is written as one message, or as the
//! events of a stream.

use serde::de::IgnoredAny;
use serde_json::{Value, json};

use crate::token::Token;

/// What the mock says.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Reply {
    /// The blocks, in order.
    pub(crate) blocks: Vec<Block>,
    /// Why it stops.
    pub(crate) stop: Stop,
    /// What it counts.
    pub(crate) usage: Usage,
}

/// Why a reply stops.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Stop {
    /// The reason.
    pub(crate) reason: String,
    /// The sequence that was met.
    pub(crate) sequence: Option<String>,
    /// What else is said of it.
    pub(crate) details: Option<Value>,
}

impl Stop {
    /// A reason alone. A refusal says which one it is.
    pub(crate) fn because(reason: &str) -> Self {
        let details = (reason == "refusal").then(|| json!({"type": "refusal", "category": null, "explanation": null}));
        Self { reason: reason.to_owned(), sequence: None, details }
    }

    /// Its members of a message.
    pub(crate) fn members(&self) -> String {
        let reason = Token::of(&self.reason);
        let sequence = self.sequence.as_deref().map(Token::of);
        let sequence = sequence.as_ref().map_or("null", Token::as_json);
        let details = self.details.as_ref().map(|details| format!(r#","stop_details":{details}"#));
        let details = details.unwrap_or_default();
        format!(r#""stop_reason":{},"stop_sequence":{sequence}{details}"#, reason.as_json())
    }
}

/// The tokens that a reply counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Usage {
    /// Those that came in, and were not cached.
    pub(crate) input: u64,
    /// Those that were written to the cache.
    pub(crate) cache_write: u64,
    /// Those that were read from it.
    pub(crate) cache_read: u64,
    /// Those that go out.
    pub(crate) output: u64,
}

/// A block of a reply.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Block {
    /// A text.
    Text {
        /// The text.
        text: Token,
        /// What it cites.
        citations: Vec<Value>,
    },
    /// What the model thinks.
    Thinking {
        /// The thought.
        thinking: Token,
        /// Its signature.
        signature: String,
    },
    /// What it thinks, for its own eyes.
    Redacted {
        /// The thought, encrypted.
        data: String,
    },
    /// A call.
    Call(Call),
    /// A block that comes whole: a result of the host's tools, or a type of tomorrow.
    Whole(Value),
}

/// A call of a tool.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Call {
    /// Whose tool it is.
    pub(crate) whose: Whose,
    /// The call's id.
    pub(crate) id: String,
    /// The tool.
    pub(crate) name: String,
    /// The input as the model writes it; where it was cut off that is no JSON.
    pub(crate) input: String,
    /// The MCP server of the tool.
    pub(crate) server: Option<String>,
}

/// Who runs a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Whose {
    /// The client.
    Client,
    /// The host.
    Host,
    /// An MCP server that the host asks.
    McpServer,
}

impl Whose {
    /// The type of the call's block.
    pub(crate) const fn block(self) -> &'static str {
        match self {
            Self::Client => "tool_use",
            Self::Host => "server_tool_use",
            Self::McpServer => "mcp_tool_use",
        }
    }
}

impl Call {
    /// The input, where it is JSON.
    fn read(&self) -> Option<&str> {
        let input = if self.input.trim().is_empty() { "{}" } else { self.input.as_str() };
        serde_json::from_str::<IgnoredAny>(input).is_ok().then_some(input)
    }

    /// The block with this input.
    pub(crate) fn json(&self, input: &str) -> String {
        let (kind, id, name) = (self.whose.block(), Token::of(&self.id), Token::of(&self.name));
        let server = self.server.as_ref().map(|server| format!(r#","server_name":{}"#, Token::of(server).as_json()));
        let caller = if self.whose == Whose::McpServer { "" } else { r#","caller":{"type":"direct"}"# };
        let (id, name, server) = (id.as_json(), name.as_json(), server.unwrap_or_default());
        format!(r#"{{"type":"{kind}","id":{id},"name":{name},"input":{input}{server}{caller}}}"#)
    }
}

impl Block {
    /// A plain text.
    pub(crate) fn text(text: &str) -> Self {
        Self::Text { text: Token::of(text), citations: Vec::new() }
    }

    /// The block as JSON. An input that is none is left out.
    pub(crate) fn json(&self) -> String {
        match self {
            Self::Text { text, citations } => text_json(text, citations),
            Self::Thinking { thinking, signature } => thinking_json(thinking, signature),
            Self::Redacted { data } => json!({"type": "redacted_thinking", "data": data}).to_string(),
            Self::Call(call) => call.json(call.read().unwrap_or("{}")),
            Self::Whole(value) => value.to_string(),
        }
    }

    /// The block as who reads its stream has it: an input that is no JSON is a text.
    fn as_streamed(&self) -> String {
        match self {
            Self::Call(call) if call.read().is_none() => call.json(Token::of(&call.input).as_json()),
            other => other.json(),
        }
    }

    /// Whether it is a call of the client's tools.
    pub(crate) fn is_client_call(&self) -> bool {
        matches!(self, Self::Call(Call { whose: Whose::Client, .. }))
    }
}

pub(crate) fn text_json(text: &Token, citations: &[Value]) -> String {
    let citations = match citations {
        [] => String::new(),
        some => format!(r#","citations":{}"#, Value::from(some.to_vec())),
    };
    format!(r#"{{"type":"text","text":{}{citations}}}"#, text.as_json())
}

pub(crate) fn thinking_json(thinking: &Token, signature: &str) -> String {
    let (thinking, signature) = (thinking.as_json(), Token::of(signature));
    format!(r#"{{"type":"thinking","thinking":{thinking},"signature":{}}}"#, signature.as_json())
}

impl Usage {
    /// The counts of a whole message.
    pub(crate) fn json(&self) -> String {
        let Self { cache_write, .. } = self;
        let counts = self.counts();
        format!(
            r#"{{{counts},"cache_creation":{{"ephemeral_5m_input_tokens":{cache_write},"ephemeral_1h_input_tokens":0}},"service_tier":"standard"}}"#
        )
    }

    /// The counts at the end of a stream.
    pub(crate) fn late(&self) -> String {
        format!("{{{}}}", self.counts())
    }

    /// The counts at the beginning of a stream, where little has been said.
    pub(crate) fn early(&self) -> Self {
        Self { output: self.output.min(1), ..*self }
    }

    fn counts(&self) -> String {
        let Self { input, cache_write, cache_read, output } = self;
        format!(
            r#""input_tokens":{input},"cache_creation_input_tokens":{cache_write},"cache_read_input_tokens":{cache_read},"output_tokens":{output}"#
        )
    }
}

impl Reply {
    /// The text of the whole message.
    pub(crate) fn message(&self, id: &str, model: &str) -> String {
        self.message_of(self.blocks.iter().map(Block::json), id, model)
    }

    /// The message as who reads its stream has it.
    pub(crate) fn streamed(&self) -> String {
        self.message_of(self.blocks.iter().map(Block::as_streamed), "", "")
    }

    fn message_of(&self, blocks: impl Iterator<Item = String>, id: &str, model: &str) -> String {
        let blocks: Vec<String> = blocks.collect();
        let (id, model) = (Token::of(id), Token::of(model));
        format!(
            r#"{{"model":{},"id":{},"type":"message","role":"assistant","content":[{}],{},"usage":{}}}"#,
            model.as_json(),
            id.as_json(),
            blocks.join(","),
            self.stop.members(),
            self.usage.json(),
        )
    }
}
