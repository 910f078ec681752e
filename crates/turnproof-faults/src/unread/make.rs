//! Unread faults in *factories* and predicates.

use turnproof::operation::Value;

use super::super::walk::{blocks, is, is_server_call, kind, words};
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
    )
    .withdrawn("no factory makes a message with a toolUseResult and without a result, so no answer changes"),
    unread(
        "make/unread-errors-are-synthetic",
        "2.1.3: is_synthetic_api_error: its model is <synthetic>",
        "takes each message with isApiErrorMessage for a synthetic error",
        Wrong::Predicate("is_synthetic_api_error", |message, right| {
            right || (kind(message) == "assistant" && is(message, "isApiErrorMessage"))
        }),
    )
    .withdrawn("each error that a factory makes has the model <synthetic>, so no answer changes"),
    unread(
        "make/unread-calls-of-servers-are-calls",
        "2.1.3: has_tool_use: an assistant message with a tool_use block",
        "takes a reply with a call of a server tool for one with a call",
        Wrong::Predicate("has_tool_use", |message, right| right || blocks(message).iter().any(is_server_call)),
    ),
    unread(
        "make/unread-placeholders-are-strings",
        "2.2: a placeholder's content is the placeholder text, as a string or as a text block",
        "knows a placeholder only if its content is a string",
        Wrong::Predicate("contains_placeholder", |message, right| {
            right && blocks(message).iter().any(|block| block["content"].is_string())
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
