//! *Named sources*: results that join a stream may name the message with their call, whose uuid only the subject knows.

use crate::json::Value;

use super::accumulate::{StreamItem, Streamed};
use super::plain::Plain;
use crate::rules::value::{blocks, call_of, kind, result_of, uuid};

/// What stands for the uuid of the message with the call, in a result that joins a stream.
pub const SOURCE_OF_CALL: &str = "the message with this call";

/// The items in which results name the message with their call by the uuid that the subject gave it, in this output for
/// them. `None` where there is no such result.
pub(super) fn with_sources(items: &[StreamItem], output: &Streamed) -> Option<Vec<StreamItem>> {
    let written = format!("{SOURCE_OF_CALL:?}");
    let mut is_any_named = false;
    let named = items.iter().map(|item| match item {
        StreamItem::Message(json) if json.contains(&written) => match source(json, output.events.elements()) {
            Some(source) => {
                is_any_named = true;
                StreamItem::Message(json.replace(&written, &Value::from(source).to_string()))
            }
            None => item.clone(),
        },
        item => item.clone(),
    });
    let named = named.collect();
    is_any_named.then_some(named)
}

/// The uuid of the last message with the call of a result before the result.
fn source<'a>(json: &str, events: &'a [Value]) -> Option<&'a str> {
    let user = Plain::read(json).ok()?.into_value();
    let call = blocks(&user).iter().find_map(result_of)?;
    let joined = events.iter().position(|event| kind(event) == "user" && uuid(event) == uuid(&user))?;
    let holds =
        |line: &&Value| kind(line) == "assistant" && blocks(line).iter().any(|block| call_of(block) == Some(call));
    events[..joined].iter().rev().find(holds).and_then(uuid)
}
