//! Unread faults in *factories* and predicates.

use serde_json::Value;

use super::super::walk::{is, kind, words};
use super::super::wrong::Wrong;
use super::{Unread, unread};

pub(super) const UNREAD: &[Unread] = &[
    unread(
        "make/unread-ids-in-lower-case",
        "2.1: uuid is fresh, unless the caller gives one; what is given is carried unchanged",
        "writes a uuid that the caller gives in lower case",
        Wrong::FactoryCall(|call| {
            if let Some(uuid) = &mut call.uuid {
                *uuid = uuid.to_lowercase();
            }
        }),
    ),
    unread(
        "make/unread-talk-of-interruptions",
        "2.1.3: a text that a user typed is a human turn whatever it says, also when it mentions an interruption",
        "takes each message that mentions an interruption for no human turn",
        Wrong::Predicate("is_human_turn", |message, right| {
            right && !words(message).any(|said| said.contains("[Request interrupted by user"))
        }),
    ),
    unread(
        "make/unread-output-is-a-result",
        "2.1.3: is_tool_result: a user message with a tool_result block",
        "takes a message with a toolUseResult for a result, though it has no block of one",
        Wrong::Predicate("is_tool_result", |message, right| {
            right || (kind(message) == "user" && message.get("toolUseResult").is_some_and(|output| !output.is_null()))
        }),
    ),
    unread(
        "make/unread-errors-are-synthetic",
        "2.1.3: is_synthetic_api_error: its model is <synthetic>",
        "takes each message with isApiErrorMessage for a synthetic error",
        Wrong::Predicate("is_synthetic_api_error", |message, right| {
            right || (kind(message) == "assistant" && is(message, "isApiErrorMessage"))
        }),
    ),
    unread(
        "make/unread-nobody-asked-for-words",
        "2.1.1: missing_tool_results: the text, or else the placeholder",
        "always makes the placeholder for a missing result, whatever text is given",
        Wrong::FactoryCall(|call| {
            if call.factory == "missing_tool_results"
                && let Ok(Value::Object(mut arguments)) = serde_json::from_str(&call.arguments)
            {
                arguments.remove("text");
                call.arguments = Value::Object(arguments).to_string();
            }
        }),
    ),
];
