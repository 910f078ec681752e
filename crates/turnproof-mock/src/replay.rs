//! *Replay*: answers that were recorded are given again, to the same requests or in their order.

use std::sync::Arc;

use serde_json::{Value, json};
use turnproof_rules::operation::{self, Object, Request};

use crate::asked::Asked;
use crate::compose::of_blocks;
use crate::error::{ApiError, ErrorKind};
use crate::ids::Ids;
use crate::reply::{Block, Call, Reply, Stop, Usage, Whose};
use crate::stream::Event;
use crate::token::Token;
use crate::usual::usual;

/// An answer that was recorded.
#[derive(Clone, Debug)]
pub struct Recording {
    /// What it is called, such as its file.
    pub name: String,
    /// The body of the request that it answered, where that is known.
    pub request: Option<Vec<u8>>,
    /// The status.
    pub status: u16,
    /// The body: a message, an error, or the text of a stream.
    pub body: Vec<u8>,
}

/// Recorded answers that were not given yet.
#[derive(Debug)]
pub(crate) struct Replay {
    left: Vec<Kept>,
}

/// A recorded answer, and the request that it answered.
#[derive(Debug)]
struct Kept {
    request: Option<Body>,
    recording: Arc<Recording>,
}

/// What a request says, besides how its answer is to travel.
#[derive(Debug, PartialEq)]
struct Body {
    messages: Vec<operation::Value>,
    members: Vec<(String, operation::Value)>,
}

/// A recorded answer that is given.
pub(crate) struct Played {
    pub(crate) recording: Arc<Recording>,
    /// Whether it answered the same request.
    pub(crate) is_same: bool,
}

impl Replay {
    pub(crate) fn new(recordings: Vec<Recording>) -> Self {
        let kept = |recording: Recording| {
            let text = recording.request.as_deref().and_then(|bytes| std::str::from_utf8(bytes).ok());
            let request = text.and_then(|text| Request::read(text).ok());
            Kept { request: request.map(|request| Body::of(&request)), recording: Arc::new(recording) }
        };
        Self { left: recordings.into_iter().map(kept).collect() }
    }

    /// The next answer to this very request, or else the next one at all. A side request gets its own alone. An answer
    /// that is lost on its way is given again.
    pub(crate) fn take(&mut self, asked: &Asked<'_>, is_side: bool, is_lost: bool) -> Option<Played> {
        let body = Some(Body::of(asked.request));
        let same = self.left.iter().position(|kept| kept.request == body);
        let at = same.or((!is_side && !self.left.is_empty()).then_some(0))?;
        let recording = match is_lost {
            true => Arc::clone(&self.left.get(at)?.recording),
            false => self.left.remove(at).recording,
        };
        Some(Played { recording, is_same: same.is_some() })
    }
}

impl Body {
    fn of(request: &Request) -> Self {
        let members = request.body.as_object().into_iter().flat_map(Object::iter);
        let members = members.filter(|(name, _)| name.as_str() != "stream");
        let mut members: Vec<_> = members.map(|(name, value)| (name.to_string(), value.clone())).collect();
        members.sort_by(|(one, _), (other, _)| one.cmp(other));
        Self { messages: request.messages.clone(), members }
    }
}

impl Recording {
    /// What it says. What cannot be read is the usual answer.
    pub(crate) fn what(&self, asked: &Asked<'_>, ids: Ids) -> Result<Reply, ApiError> {
        if self.status >= 400 {
            return Err(self.error());
        }
        let said = operation::Reply::read(&self.body).ok().and_then(|reply| reply.said());
        let said = said.and_then(|message| serde_json::to_value(message).ok());
        Ok(said.map_or_else(|| usual(asked, ids), |message| reply(&message, asked)))
    }

    fn error(&self) -> ApiError {
        let body: Value = serde_json::from_slice(&self.body).unwrap_or_default();
        let text = |place: &str| body.pointer(place).and_then(Value::as_str);
        let kind = text("/error/type").and_then(ErrorKind::named).unwrap_or_else(|| ErrorKind::of_status(self.status));
        // Bedrock says the words alone.
        let message = text("/error/message").or_else(|| text("/message")).map(str::to_owned);
        let message = message.unwrap_or_else(|| String::from_utf8_lossy(&self.body).into_owned());
        ApiError { status: self.status, ..ApiError::new(kind, message) }
    }

    /// Its events as they were sent; `None` where it is no stream.
    pub(crate) fn events(&self) -> Option<Vec<Event>> {
        let reply = operation::Reply::read(&self.body).ok()?;
        let event = |event: &operation::ReplyEvent| Event::new(event.kind().to_owned(), &event.data);
        matches!(reply.form, operation::ReplyForm::Stream).then(|| reply.events.iter().map(event).collect())
    }

    /// Its body as it was sent, where that is a whole message.
    pub(crate) fn message(&self) -> Option<String> {
        let reply = operation::Reply::read(&self.body).ok()?;
        let is_message = matches!(reply.form, operation::ReplyForm::Message);
        is_message.then(|| String::from_utf8_lossy(&self.body).into_owned())
    }
}

/// The reply that a message is.
fn reply(message: &Value, asked: &Asked<'_>) -> Reply {
    let blocks = message["content"].as_array().map_or(&[][..], Vec::as_slice).iter().map(block).collect();
    let mut reply = of_blocks(blocks, asked);
    if let Some(reason) = message["stop_reason"].as_str() {
        let details = message.get("stop_details").filter(|details| !details.is_null()).cloned();
        let sequence = message["stop_sequence"].as_str().map(str::to_owned);
        reply.stop = Stop { reason: reason.to_owned(), sequence, details };
    }
    let count = |name: &str, estimated: u64| message["usage"][name].as_u64().unwrap_or(estimated);
    reply.usage = Usage {
        input: count("input_tokens", reply.usage.input),
        cache_write: count("cache_creation_input_tokens", 0),
        cache_read: count("cache_read_input_tokens", 0),
        output: count("output_tokens", reply.usage.output),
    };
    reply
}

/// A block of a message. Members that a block of its type does not stream leave it whole.
fn block(value: &Value) -> Block {
    let text = |name: &str| value[name].as_str().unwrap_or_default().to_owned();
    let has_only =
        |known: &[&str]| value.as_object().is_some_and(|all| all.keys().all(|name| known.contains(&&**name)));
    match value["type"].as_str().unwrap_or_default() {
        "text" if has_only(&["type", "text", "citations"]) => {
            let citations = value["citations"].as_array().cloned().unwrap_or_default();
            Block::Text { text: Token::of(&text("text")), citations }
        }
        "thinking" if has_only(&["type", "thinking", "signature"]) => {
            Block::Thinking { thinking: Token::of(&text("thinking")), signature: text("signature") }
        }
        "redacted_thinking" if has_only(&["type", "data"]) => Block::Redacted { data: text("data") },
        "tool_use" if has_only(&["type", "id", "name", "input", "caller"]) && is_direct(value) => {
            let input = value.get("input").map_or_else(|| json!({}).to_string(), Value::to_string);
            Block::Call(Call { whose: Whose::Client, id: text("id"), name: text("name"), input, server: None })
        }
        _ => Block::Whole(value.clone()),
    }
}

/// Whether the model calls a tool itself, and no code of it does.
fn is_direct(call: &Value) -> bool {
    call.get("caller").is_none_or(|caller| caller["type"] == "direct")
}
