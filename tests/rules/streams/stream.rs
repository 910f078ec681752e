//! A *stream* by hand: the items, and what a right subject makes of them.

use crate::families;
use serde_json::{Value, json};
use turnproof_rules::operation::{Accumulated, StreamFault, StreamItem, Streamed};

/// A list of events or messages.
pub(super) type List = Vec<Value>;

/// A case that is being written down.
#[derive(Clone, Default)]
pub(super) struct Stream {
    pub items: Vec<StreamItem>,
    pub events: List,
    pub live: List,
    pub slots: Option<List>,
    pub messages: Option<List>,
    pub fault: Option<StreamFault>,
    pub again: Option<Box<Stream>>,
    pub otherwise: Option<Box<Stream>>,
}

impl Stream {
    /// A stream of these items. If they end inside a reply, that is what is wrong.
    pub(super) fn of(items: Vec<StreamItem>) -> Self {
        let count = items.len() as u64;
        let is_open = is_open(&items);
        let stream = Self { items, ..Self::default() };
        if is_open { stream.fault("unfinished", count) } else { stream }
    }

    /// What is yielded, all of which stays as it is.
    pub(super) fn yields(self, events: &[Value]) -> Self {
        let events = events.to_vec();
        Self { live: events.clone(), slots: Some(events.clone()), events, ..self }
    }

    /// What remains in the end.
    pub(super) fn remains(self, live: &[Value]) -> Self {
        Self { live: live.to_vec(), slots: Some(live.to_vec()), ..self }
    }

    /// The view that keeps places.
    pub(super) fn places(self, slots: &[Value]) -> Self {
        Self { slots: Some(slots.to_vec()), ..self }
    }

    /// The whole messages.
    pub(super) fn wholes(self, messages: &[Value]) -> Self {
        Self { messages: Some(messages.to_vec()), ..self }
    }

    /// The first thing that was wrong.
    pub(super) fn fault(self, name: &str, item: u64) -> Self {
        let fault = StreamFault { name: name.into(), message: "in words".into(), item };
        Self { fault: Some(fault), ..self }
    }

    fn output(&self) -> Streamed {
        Streamed {
            events: Value::from(self.events.clone()).into(),
            live: Value::from(self.live.clone()).into(),
            slots: self.slots.clone().map(|slots| Value::from(slots).into()),
            messages: self.messages.clone().map(|messages| Value::from(messages).into()),
            fault: self.fault.clone(),
        }
    }

    /// The case as it is judged.
    pub(super) fn done(&self) -> Accumulated {
        let output = |other: &Option<Box<Self>>| other.as_ref().map(|other| Ok(other.output()));
        Accumulated {
            items: self.items.clone(),
            output: Ok(self.output()),
            cut_otherwise: output(&self.otherwise),
            again: output(&self.again),
        }
    }

    /// Demands that all rules hold, and that these have something to judge.
    #[track_caller]
    pub(super) fn holds(&self, tested: &[&str]) {
        families::assert_holds("stream", &self.done(), tested);
    }

    /// Demands that this rule is broken, and no other.
    #[track_caller]
    pub(super) fn breaks(&self, id: &str) {
        assert_eq!(broken(&self.done()), [id]);
    }
}

/// Whether the items end inside a reply.
fn is_open(items: &[StreamItem]) -> bool {
    let sent = |item: &StreamItem| match item {
        StreamItem::Event(json) => json.clone(),
        StreamItem::Bytes(bytes) => String::from_utf8_lossy(bytes).into_owned(),
        StreamItem::Abandon => "message_stop".to_owned(),
        StreamItem::Message(_) => String::new(),
    };
    let sent: Vec<String> = items.iter().map(sent).collect();
    let sent = sent.concat();
    let end = ["message_stop", r#""type":"error""#].iter().filter_map(|end| sent.rfind(end)).max();
    sent.rfind("message_start").is_some_and(|start| end.is_none_or(|end| end < start))
}

/// The ids of the rules that are broken.
pub(super) fn broken(case: &Accumulated) -> Vec<&'static str> {
    families::broken("stream", case)
}

/// A stream event.
pub(super) fn event(event: Value) -> StreamItem {
    StreamItem::Event(event.to_string())
}

/// The beginning of the reply `msg_1`.
pub(super) fn start() -> StreamItem {
    start_of("msg_1")
}

/// The beginning of a reply.
pub(super) fn start_of(id: &str) -> StreamItem {
    event(json!({"type": "message_start", "message": {"type": "message", "id": id, "role": "assistant",
        "model": "m", "content": [], "stop_reason": null, "stop_sequence": null,
        "usage": {"input_tokens": 5, "output_tokens": 1}}}))
}

/// A block begins.
pub(super) fn begin(index: u32, block: Value) -> StreamItem {
    event(json!({"type": "content_block_start", "index": index, "content_block": block}))
}

/// A piece of a block.
pub(super) fn delta(index: u32, delta: Value) -> StreamItem {
    event(json!({"type": "content_block_delta", "index": index, "delta": delta}))
}

/// A piece of text.
pub(super) fn text_delta(index: u32, text: &str) -> StreamItem {
    delta(index, json!({"type": "text_delta", "text": text}))
}

/// A piece of a call's input.
pub(super) fn json_delta(index: u32, json: &str) -> StreamItem {
    delta(index, json!({"type": "input_json_delta", "partial_json": json}))
}

/// A block ends.
pub(super) fn stop(index: u32) -> StreamItem {
    event(json!({"type": "content_block_stop", "index": index}))
}

/// What is known late.
pub(super) fn late(stop_reason: &str, tokens: u32) -> StreamItem {
    event(json!({"type": "message_delta", "delta": {"stop_reason": stop_reason, "stop_sequence": null},
        "usage": {"output_tokens": tokens}}))
}

/// A message ends.
pub(super) fn end() -> StreamItem {
    event(json!({"type": "message_stop"}))
}

/// A text block.
pub(super) fn text(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

/// A call.
pub(super) fn call(id: &str, input: Value) -> Value {
    json!({"type": "tool_use", "id": id, "name": "Bash", "input": input})
}

/// The message of a block of `msg_1`.
pub(super) fn line(uuid: &str, block: Value) -> Value {
    line_of("msg_1", uuid, block)
}

/// The message of a block of a reply.
pub(super) fn line_of(id: &str, uuid: &str, block: Value) -> Value {
    json!({"type": "assistant", "uuid": uuid, "timestamp": format!("time of {uuid}"), "requestId": "req_1",
        "message": {"id": id, "type": "message", "role": "assistant", "model": "m", "content": [block],
            "stop_reason": null, "stop_sequence": null, "usage": {"input_tokens": 5, "output_tokens": 1}}})
}

/// A message with its late fields.
pub(super) fn with_late(mut line: Value, stop_reason: &str, tokens: u32) -> Value {
    line["message"]["stop_reason"] = json!(stop_reason);
    line["message"]["usage"]["output_tokens"] = json!(tokens);
    line
}

/// The whole message `msg_1`.
pub(super) fn whole(content: &[Value], stop_reason: Option<&str>, tokens: u32) -> Value {
    json!({"type": "message", "id": "msg_1", "role": "assistant", "model": "m", "content": content,
        "stop_reason": stop_reason, "stop_sequence": null,
        "usage": {"input_tokens": 5, "output_tokens": tokens}})
}

/// A user message with the result of a call.
pub(super) fn result(uuid: &str, call: &str) -> Value {
    json!({"type": "user", "uuid": uuid, "message": {"role": "user",
        "content": [{"type": "tool_result", "tool_use_id": call, "content": "done"}]}})
}

/// A user message joins.
pub(super) fn join(message: &Value) -> StreamItem {
    StreamItem::Message(message.to_string())
}

/// The withdrawal of a message.
pub(super) fn tombstone(message: &Value) -> Value {
    json!({"type": "tombstone", "uuid": "any", "message": message})
}
