//! *Damages* to a legal reply, each with the rule that it breaks: what gateways and mock servers get wrong.

use crate::json;
use crate::json::Value;
use crate::rules::value::kind;

use super::replies::{around, numbered, text};

/// A damage to a reply.
pub struct Damage {
    /// The rule that it breaks.
    pub breaks: &'static str,
    /// What it does, in a few words.
    pub what: &'static str,
    done: Done,
}

/// How a damage is done.
enum Done {
    /// To the events, at one of this sort: the type of the event, and that of its delta or its block.
    Events(&'static str, fn(&mut Vec<Value>, usize)),
    /// To the text of the stream.
    Text(fn(&str) -> String),
}

const fn at(
    breaks: &'static str,
    what: &'static str,
    sort: &'static str,
    damage: fn(&mut Vec<Value>, usize),
) -> Damage {
    Damage { breaks, what, done: Done::Events(sort, damage) }
}

const fn of_text(what: &'static str, damage: fn(&str) -> String) -> Damage {
    Damage { breaks: "reply/framing", what, done: Done::Text(damage) }
}

const START: &str = "message_start";
const BLOCK: &str = "content_block_start text";
const CALL: &str = "content_block_start tool_use";
const TEXT: &str = "content_block_delta text_delta";
const BLOCK_END: &str = "content_block_stop";
const END: &str = "message_delta";
const STOP: &str = "message_stop";

const DAMAGES: &[Damage] = &[
    at("reply/order", "no message_start", START, lose),
    at("reply/order", "two message_start", START, repeat),
    at("reply/order", "a block that does not begin", BLOCK, lose),
    at("reply/order", "a block with another index", BLOCK, |events, at| events[at]["index"] = 77.into()),
    at("reply/order", "a block that does not end", BLOCK_END, lose),
    at("reply/order", "a block that ends twice", BLOCK_END, repeat),
    at("reply/order", "a delta behind the end of its block", TEXT, |events, at| {
        let delta = events.remove(at);
        let end = end_behind(events, at);
        events.insert(end + 1, delta);
    }),
    at("reply/order", "a block that ends behind message_delta", END, |events, at| events.swap(at - 1, at)),
    at("reply/order", "no message_delta", END, lose),
    at("reply/order", "no message_stop", STOP, lose),
    at("reply/order", "message_delta behind message_stop", STOP, |events, at| events.swap(at - 1, at)),
    at("reply/order", "two message_stop", STOP, repeat),
    of_text("no `event:` lines", |text| {
        text.split_inclusive('\n').filter(|line| !line.starts_with("event:")).collect()
    }),
    of_text("a block that is named otherwise", |text| text.replacen("event: content_block_", "event: content_", 1)),
    of_text("[DONE] at the end", |text| format!("{text}data: [DONE]\n\n")),
    of_text("data that is cut", |text| format!("event: ping\ndata: {{\"type\"\n\n{text}")),
    at("reply/deltas-fit", "thinking in a text", TEXT, |events, at| {
        events[at]["delta"] = json!({"type": "thinking_delta", "thinking": "lost"});
    }),
    at("reply/deltas-fit", "a text in a call", CALL, |events, at| {
        events.insert(
            at + 1,
            json!({"type": "content_block_delta", "index": events[at]["index"].clone(),
            "delta": {"type": "text_delta", "text": "lost"}}),
        );
    }),
    at("reply/deltas-fit", "a delta that adds nothing", TEXT, |events, at| remove(&mut events[at]["delta"], "text")),
    at("reply/input", "an input that is cut", CALL, |events, at| insert_input(events, at, at + 1, "[")),
    at("reply/input", "an input that is a list", CALL, |events, at| {
        insert_input(events, at, end_behind(events, at), "]");
        insert_input(events, at, at + 1, "[");
    }),
    at("reply/input", "an input that is a number", CALL, |events, at| {
        let end = end_behind(events, at);
        events.drain(at + 1..end);
        insert_input(events, at, at + 1, "1");
    }),
    at("reply/ids", "a message without an id", START, |events, at| remove(&mut events[at]["message"], "id")),
    at("reply/ids", "a call without an id", CALL, |events, at| remove(&mut events[at]["content_block"], "id")),
    at("reply/ids", "an id that the API does not take back", CALL, |events, at| {
        events[at]["content_block"]["id"] = "call.1".into();
    }),
    at("reply/ids", "calls that share an id", CALL, |events, _| {
        let is_call = |event: &&mut Value| is_of(event, CALL);
        events.iter_mut().filter(is_call).for_each(|event| event["content_block"]["id"] = "toolu_same".into());
    }),
    at("reply/usage", "no usage at the beginning", START, |events, at| remove(&mut events[at]["message"], "usage")),
    at("reply/usage", "a count that is a text", START, |events, at| {
        events[at]["message"]["usage"]["input_tokens"] = "9".into();
    }),
    at("reply/usage", "a count with a fraction", START, |events, at| {
        events[at]["message"]["usage"]["input_tokens"] = 1.5.into();
    }),
    at("reply/usage", "a count below zero", START, |events, at| {
        events[at]["message"]["usage"]["input_tokens"] = (-1).into();
    }),
    at("reply/usage", "a count that is null", START, |events, at| {
        events[at]["message"]["usage"]["input_tokens"] = Value::Null;
    }),
    at("reply/usage", "no usage at the end", END, |events, at| remove(&mut events[at], "usage")),
    at("reply/usage", "no count at the end", END, |events, at| remove(&mut events[at]["usage"], "output_tokens")),
    at("reply/stop-reason", "a reason of OpenAI's", END, |events, at| {
        events[at]["delta"]["stop_reason"] = "tool_calls".into();
    }),
    at("reply/stop-reason", "end_turn with a call", END, |events, at| {
        events[at]["delta"]["stop_reason"] = "end_turn".into();
    }),
    at("reply/stop-reason", "no reason", END, |events, at| remove(&mut events[at]["delta"], "stop_reason")),
    at("reply/shape", "a message without a role", START, |events, at| remove(&mut events[at]["message"], "role")),
    at("reply/shape", "a message without a model", START, |events, at| remove(&mut events[at]["message"], "model")),
    at("reply/shape", "a block without a type", BLOCK, |events, at| remove(&mut events[at]["content_block"], "type")),
    at("reply/shape", "a call without a name", CALL, |events, at| remove(&mut events[at]["content_block"], "name")),
    at("reply/shape", "a delta without an index", TEXT, |events, at| remove(&mut events[at], "index")),
];

/// The damages to a reply, one after the other.
pub fn damages() -> impl ExactSizeIterator<Item = &'static Damage> {
    DAMAGES.iter()
}

/// A legal reply of these blocks with damage `number / 2`: at the first event of its sort, or at the last where the
/// number is odd. Behind the blocks the reply has a text and two calls, so that there is something to damage.
pub fn damaged_reply(blocks: &[Vec<Value>], number: usize) -> String {
    let damage = &DAMAGES[number / 2 % DAMAGES.len()];
    let mut blocks = blocks.to_vec();
    for block in [text_block(), call(), call()] {
        blocks.push(numbered(block, blocks.len()));
    }
    let mut events = around(blocks.concat());
    match damage.done {
        Done::Text(damage) => damage(&text(&events)),
        Done::Events(sort, damage) => {
            let is_it = |event: &Value| is_of(event, sort);
            let found =
                if number.is_multiple_of(2) { events.iter().position(is_it) } else { events.iter().rposition(is_it) };
            if let Some(at) = found {
                damage(&mut events, at);
            }
            text(&events)
        }
    }
}

/// Whether an event is of a sort.
fn is_of(event: &Value, sort: &str) -> bool {
    let inner = ["delta", "content_block"].iter().find_map(|member| event.get(*member)).map_or("", kind);
    let (of_event, of_inner) = sort.split_once(' ').unwrap_or((sort, inner));
    kind(event) == of_event && inner == of_inner
}

fn text_block() -> Vec<Value> {
    vec![
        json!({"type": "content_block_start", "content_block": {"type": "text", "text": ""}}),
        json!({"type": "content_block_delta", "delta": {"type": "text_delta", "text": "I call."}}),
        json!({"type": BLOCK_END}),
    ]
}

fn call() -> Vec<Value> {
    let delta = json!({"type": "input_json_delta", "partial_json": "{\"command\":\"ls\"}"});
    let block = json!({"type": "tool_use", "id": "toolu_1", "name": "Bash", "input": {}});
    vec![
        json!({"type": "content_block_start", "content_block": block}),
        json!({"type": "content_block_delta", "delta": delta}),
        json!({"type": BLOCK_END}),
    ]
}

/// Where the next block ends behind an event.
fn end_behind(events: &[Value], at: usize) -> usize {
    at + events[at..].iter().position(|event| kind(event) == BLOCK_END).unwrap_or_default()
}

/// Inserts a piece of the input of the call that begins at an event.
fn insert_input(events: &mut Vec<Value>, call: usize, at: usize, piece: &str) {
    let delta = json!({"type": "input_json_delta", "partial_json": piece});
    events.insert(at, json!({"type": "content_block_delta", "index": events[call]["index"].clone(), "delta": delta}));
}

fn lose(events: &mut Vec<Value>, at: usize) {
    events.remove(at);
}

fn repeat(events: &mut Vec<Value>, at: usize) {
    events.insert(at, events[at].clone());
}

fn remove(object: &mut Value, member: &str) {
    if let Value::Object(members) = object {
        members.remove(member);
    }
}
