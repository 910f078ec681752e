//! The *stream* of a reply: its events, in order, each with its name and its data.

use std::borrow::Cow;

use serde_json::json;

use crate::reply::{Block, Reply, text_json, thinking_json};
use crate::token::Token;

/// An event of a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Event {
    /// Its name.
    pub(crate) name: Cow<'static, str>,
    /// Its data, as JSON.
    pub(crate) data: String,
}

impl Event {
    /// An event of this name.
    pub(crate) fn new(name: impl Into<Cow<'static, str>>, data: impl ToString) -> Self {
        Self { name: name.into(), data: data.to_string() }
    }

    /// The sign of life between others.
    pub(crate) fn ping() -> Self {
        Self::new("ping", r#"{"type":"ping"}"#)
    }
}

/// Into how many deltas a text is cut.
const PIECES: usize = 4;

/// The events of a reply.
pub(crate) fn events(reply: &Reply, id: &str, model: &str, counts_late: bool) -> Vec<Event> {
    let mut events = vec![start(reply, id, model, counts_late)];
    for (index, block) in reply.blocks.iter().enumerate() {
        block_events(index, block, &mut events);
        if index == 0 {
            events.insert(2, Event::ping());
        }
    }
    let usage = reply.usage.late();
    let end = format!(r#"{{"type":"message_delta","delta":{{{}}},"usage":{usage}}}"#, reply.stop.members());
    events.push(Event::new("message_delta", end));
    events.push(Event::new("message_stop", r#"{"type":"message_stop"}"#));
    events
}

fn start(reply: &Reply, id: &str, model: &str, counts_late: bool) -> Event {
    let (model, id) = (Token::of(model), Token::of(id));
    let usage = if counts_late { String::new() } else { format!(r#","usage":{}"#, reply.usage.early().json()) };
    let message = format!(
        r#"{{"model":{},"id":{},"type":"message","role":"assistant","content":[],"stop_reason":null,"stop_sequence":null{usage}}}"#,
        model.as_json(),
        id.as_json(),
    );
    Event::new("message_start", format!(r#"{{"type":"message_start","message":{message}}}"#))
}

fn block_events(index: usize, block: &Block, events: &mut Vec<Event>) {
    let (begins, deltas) = parts(block);
    let start = format!(r#"{{"type":"content_block_start","index":{index},"content_block":{begins}}}"#);
    events.push(Event::new("content_block_start", start));
    for delta in deltas {
        let delta = format!(r#"{{"type":"content_block_delta","index":{index},"delta":{delta}}}"#);
        events.push(Event::new("content_block_delta", delta));
    }
    events.push(Event::new("content_block_stop", format!(r#"{{"type":"content_block_stop","index":{index}}}"#)));
}

/// The block as it begins, and its deltas.
fn parts(block: &Block) -> (String, Vec<String>) {
    let empty = Token::of("");
    match block {
        Block::Text { text, citations } => {
            let texts = deltas("text_delta", "text", text);
            let cited = citations.iter().map(|one| json!({"type": "citations_delta", "citation": one}).to_string());
            let begins = match citations.is_empty() {
                true => text_json(&empty, &[]),
                false => r#"{"type":"text","text":"","citations":[]}"#.to_owned(),
            };
            (begins, texts.into_iter().chain(cited).collect())
        }
        Block::Thinking { thinking, signature } => {
            let signed = json!({"type": "signature_delta", "signature": signature}).to_string();
            let texts = deltas("thinking_delta", "thinking", thinking);
            (thinking_json(&empty, ""), texts.into_iter().chain([signed]).collect())
        }
        Block::Call(call) => {
            let first = r#"{"type":"input_json_delta","partial_json":""}"#.to_owned();
            let rest = deltas("input_json_delta", "partial_json", &Token::of(&call.input));
            (call.json("{}"), std::iter::once(first).chain(rest).collect())
        }
        Block::Redacted { .. } | Block::Whole(_) => (block.json(), Vec::new()),
    }
}

/// A text in deltas.
fn deltas(kind: &str, member: &str, text: &Token) -> Vec<String> {
    let delta = |piece: Token| format!(r#"{{"type":"{kind}","{member}":{}}}"#, piece.as_json());
    text.pieces(PIECES).into_iter().map(delta).collect()
}
