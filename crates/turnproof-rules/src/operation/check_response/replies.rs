//! The *replies* that a validator is asked about: those of a model's streams, what is legal of them, and known ones.

use crate::json;
use crate::json::Value;
use crate::operation::plain::Plain;
use crate::operation::reply::{Reply, ReplyEvent};
use crate::operation::{StreamItem, reply_violations};
use crate::rules::value::kind;

/// Known replies, one a line, each with the rule that it breaks: messages, errors, and what is no reply.
const KNOWN: &str = include_str!("replies.jsonl");

/// Known replies that are no streams, each with the rule that it breaks, if it breaks one.
///
/// # Panics
/// Never: the lines are JSON.
pub fn known_replies() -> Vec<(Option<String>, String)> {
    let read = |line: &str| {
        let value = json::value(line).expect("a line of JSON");
        let text = value["reply"].as_str().map_or_else(|| value["reply"].to_string(), str::to_owned);
        (value["breaks"].as_str().map(str::to_owned), text)
    };
    KNOWN.lines().map(read).collect()
}

/// The replies in the streams of a model, each as a host sends it: events with their names, bytes as they are. What
/// follows an abandoned stream, a message of another sender or an end is another reply.
pub fn replies(streams: &[Vec<StreamItem>]) -> Vec<String> {
    let mut replies = Vec::new();
    for stream in streams {
        let (mut reply, mut is_over) = (String::new(), false);
        for item in stream {
            match item {
                StreamItem::Event(json) => {
                    let value = Plain::read(json).map(Plain::into_value).unwrap_or_default();
                    if is_over && kind(&value) == "message_start" {
                        replies.push(std::mem::take(&mut reply));
                    }
                    is_over = kind(&value) == "message_stop";
                    reply += &sent(kind(&value), json);
                }
                StreamItem::Bytes(bytes) => reply += &String::from_utf8_lossy(bytes),
                StreamItem::Abandon | StreamItem::Message(_) => replies.push(std::mem::take(&mut reply)),
            }
        }
        replies.push(reply);
    }
    replies.retain(|reply| !reply.is_empty());
    replies
}

/// An event as a host sends it.
fn sent(name: &str, data: &str) -> String {
    format!("event: {name}\ndata: {data}\n\n")
}

/// The text of a stream.
pub(super) fn text(events: &[Value]) -> String {
    events.iter().map(|event| sent(kind(event), &event.to_string())).collect()
}

/// The legal reply that is made of blocks, with a beginning and an end that fit.
pub fn legal_reply(blocks: &[Vec<Value>]) -> String {
    text(&around(blocks.concat()))
}

/// The most blocks that are left of a reply.
const MOST: usize = 6;

/// The events of each whole block of a reply that is legal by itself, with indexes and ids of their own.
pub fn legal_blocks(reply: &str) -> Vec<Vec<Value>> {
    let Ok(reply) = Reply::read(reply.as_bytes()) else { return Vec::new() };
    let mut blocks = Vec::new();
    let mut rest = reply.events.as_slice();
    while let Some((first, behind)) = rest.split_first() {
        rest = behind;
        if first.kind() != "content_block_start" || blocks.len() == MOST {
            continue;
        }
        let deltas = behind.iter().take_while(|event| event.kind() == "content_block_delta").count();
        let events = [first].into_iter().chain(&behind[..behind.len().min(deltas + 1)]);
        let events: Vec<Value> = events.map(|event: &ReplyEvent| event.value.clone()).collect();
        if events.iter().all(Value::is_object) && is_legal(events.clone()) {
            blocks.push(numbered(events, blocks.len()));
        }
    }
    blocks
}

/// Whether the events of a block are a legal reply by themselves.
fn is_legal(events: Vec<Value>) -> bool {
    reply_violations(&text(&around(numbered(events, 0)))).is_ok_and(|violations| violations.is_empty())
}

/// The events of a block with this index, and an id of its own where it is a call.
pub(super) fn numbered(mut events: Vec<Value>, index: usize) -> Vec<Value> {
    for event in &mut events {
        event["index"] = index.into();
        let Some(block) = event.get_mut("content_block") else { continue };
        match kind(block) {
            "tool_use" => block["id"] = format!("toolu_{index}").into(),
            "server_tool_use" => block["id"] = format!("srvtoolu_{index}").into(),
            _ => {}
        }
    }
    events
}

/// Blocks in a message: a beginning before them, and an end behind them that fits.
pub(super) fn around(blocks: Vec<Value>) -> Vec<Value> {
    let has_call = blocks.iter().any(|event| event.get("content_block").is_some_and(|block| kind(block) == "tool_use"));
    let reason = if has_call { "tool_use" } else { "end_turn" };
    let start = json!({"type": "message_start", "message": {
        "id": "msg_1", "type": "message", "role": "assistant", "model": "claude-sonnet-4-5", "content": [],
        "stop_reason": null, "stop_sequence": null, "usage": {"input_tokens": 9, "output_tokens": 1},
    }});
    let delta = json!({"stop_reason": reason, "stop_sequence": null});
    let end = json!({"type": "message_delta", "delta": delta, "usage": {"output_tokens": 40}});
    [start, json!({"type": "ping"})].into_iter().chain(blocks).chain([end, json!({"type": "message_stop"})]).collect()
}

/// A legal stream as the message that a host gives which does not stream.
pub(super) fn whole_message(stream: &str) -> String {
    let Ok(reply) = Reply::read(stream.as_bytes()) else { return String::new() };
    let Some((_, message)) = &reply.assembled.message else { return String::new() };
    let mut message = message.clone();
    message["content"] = reply.assembled.blocks.iter().map(|block| block.value.clone()).collect();
    message["stop_reason"] = reply.assembled.stop_reason().map_or(Value::Null, |(_, reason)| reason.clone());
    message.to_string()
}
