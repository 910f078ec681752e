//! *Refused media* are images and documents that the API refused with an error. From then on, the message that brought
//! them is sent without them.

use std::collections::HashMap;

use crate::json::Value;

use super::sent_messages::Placed;
use crate::rules::value::{blocks, content, is_true, kind, text, text_of};
use crate::vocabulary::{API_ERROR, Kind, SYNTHETIC_MODEL};

/// Types of block that the API refused.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Refused {
    image: bool,
    document: bool,
}

impl Refused {
    /// Whether a block is of a refused type.
    pub(super) fn takes(self, block: &Value) -> bool {
        match kind(block) {
            "image" => self.image,
            "document" => self.document,
            _ => false,
        }
    }
}

/// Whether this is an assistant message that reports an error of the API.
pub(super) fn is_api_error(event: &Value) -> bool {
    kind(event) == "assistant"
        && is_true(event, "isApiErrorMessage")
        && event.get("message").and_then(|body| text(body, "model")) == Some(SYNTHETIC_MODEL)
}

/// What an error of the API refuses, by its words.
pub(super) fn refusal(error: &Value) -> Refused {
    let words = match content(error) {
        Some(Value::String(words)) => words.to_ascii_lowercase(),
        Some(Value::Array(blocks)) => {
            blocks.iter().filter_map(text_of).collect::<Vec<_>>().join("\n").to_ascii_lowercase()
        }
        _ => String::new(),
    };
    let says = |any: &[&str]| any.iter().any(|part| words.contains(part));
    let both = says(&["request too large", "request_too_large", "request was too large"]);
    let pdf = ["too large", "exceed", "maximum of", "password", "not valid", "invalid", "could not"];
    Refused {
        image: both || (says(&["image"]) && says(&["too large", "exceed", "could not process"])),
        document: both || (says(&["pdf"]) && says(&pdf)),
    }
}

/// Whether an event is an error of the API that refuses media.
pub(super) fn refuses(event: &Value) -> bool {
    is_api_error(event) && refusal(event) != Refused::default()
}

/// The refused types of each message, by its place in the input.
pub(super) fn refused(shown: &[Placed<'_>]) -> HashMap<usize, Refused> {
    let mut refused: HashMap<usize, Refused> = HashMap::new();
    let mut before = None;
    // The attachments since the last reply.
    let mut attached = Vec::new();
    for &(index, event) in shown {
        if is_api_error(event) {
            let types = refusal(event);
            let message = before.filter(|&(_, message)| brought(message, types)).map(|(index, _)| index);
            for marked in message.into_iter().chain(attached.iter().copied()) {
                let mark = refused.entry(marked).or_default();
                mark.image |= types.image;
                mark.document |= types.document;
            }
        } else if !is_looked_over(event) {
            before = Some((index, event));
            match kind(event) {
                "assistant" => attached.clear(),
                "attachment" if event.pointer("/attachment/type") != Some(&Value::from("queued_command")) => {
                    attached.push(index);
                }
                _ => {}
            }
        }
    }
    refused
}

/// Whether a message is one that the client made and that brought blocks of these types.
fn brought(message: &Value, types: Refused) -> bool {
    kind(message) == "user" && is_true(message, "isMeta") && blocks(message).iter().any(|block| types.takes(block))
}

/// Whether a search back from an error passes over this event.
fn is_looked_over(event: &Value) -> bool {
    match kind(event) {
        "system" => text(event, "subtype") == Some(API_ERROR),
        other => Kind::of(other).is_some_and(|kind| !kind.is_persisted()),
    }
}
