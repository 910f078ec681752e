//! Unread faults in *making* messages.

use turnproof::message::constants::INTERRUPTION;
use turnproof::operation::{FactoryCall, Plain, Value};

use super::super::super::walk::{blocks, is_of, kind, remove, text, words};
use super::super::super::wrong::Wrong;
use super::{Unread, unread};

pub(super) const UNREAD: &[Unread] = &[
    unread(
        "make/unread-third-empty-texts-in-a-list",
        "2.1: content is empty when it is a list of nothing but empty texts, and becomes (no content)",
        "takes a list of empty texts for content",
        Wrong::Made(|call, message| {
            let given = arguments(call)["content"].clone();
            let texts = given.as_array().map_or(&[][..], Vec::as_slice);
            let is_empty = |block: &Value| kind(block) == "text" && text(block, "text").is_empty();
            let makes_content =
                matches!(&*call.factory, "user" | "assistant" | "compact_summary" | "assistant_api_error");
            if makes_content && !texts.is_empty() && texts.iter().all(is_empty) {
                message["message"]["content"] = given;
            }
        }),
    ),
    unread(
        "make/unread-third-falsy-outputs-lost",
        "2.1.1: what is given is carried unchanged, and toolUseResult is needed",
        "leaves out the output of a tool when it is 0, false or the empty text",
        Wrong::Made(|call, message| {
            let output = &message["toolUseResult"];
            let is_falsy = *output == "" || *output == false || output.as_f64() == Some(0.0);
            if call.factory == "tool_result" && is_falsy {
                remove(message, "toolUseResult");
            }
        }),
    ),
    unread(
        "make/unread-third-no-messages-counted",
        "2.1.1: if an argument is missing, so is its member, or it is null, false or the empty text",
        "says that a turn had 0 messages when nobody gave their number",
        Wrong::Made(|call, message| {
            if call.factory == "turn_duration" && arguments(call)["messageCount"].is_null() {
                message["messageCount"] = 0.into();
            }
        }),
    ),
    unread(
        "make/unread-third-failed-hooks-counted",
        "2.1.1: hookCount of stop_hook_summary is the length of hookInfos",
        "adds the errors of hooks to their count",
        Wrong::Made(|call, message| {
            let count = |name: &str| message[name].as_array().map_or(0, Vec::len);
            if call.factory == "stop_hook_summary" {
                message["hookCount"] = (count("hookInfos") + count("hookErrors")).into();
            }
        }),
    ),
    unread(
        "make/unread-third-last-reply-as-source",
        "2.1.1: the message names the message that holds the call in sourceToolAssistantUUID",
        "names the last message with a call as the source of every result that it makes",
        Wrong::Made(|call, message| {
            let arguments = arguments(call);
            let messages = arguments["messages"].as_array().map_or(&[][..], Vec::as_slice);
            let has_call = |message: &&Value| {
                is_of(message, "assistant") && blocks(message).iter().any(|block| kind(block) == "tool_use")
            };
            let last = messages.iter().rfind(has_call).and_then(|message| message.get("uuid"));
            if let ("missing_tool_results", Some(last)) = (&*call.factory, last) {
                message["sourceToolAssistantUUID"] = last.clone();
            }
        }),
    ),
    unread(
        "make/unread-third-mentions-of-interruptions",
        "2.1.3: a text that a user typed is a human turn, also when it mentions an interruption",
        "takes a prompt that holds the words of an interruption for one",
        Wrong::Predicate("is_human_turn", |message, is_human| {
            is_human && !words(message).any(|said| said.contains(INTERRUPTION.trim_end_matches(']')))
        }),
    ),
    unread(
        "make/unread-third-placeholders-in-blocks",
        "2.2: a placeholder is a tool_result whose content is the placeholder text, as a string or as a text block",
        "does not see a placeholder that is a text block",
        Wrong::Predicate("contains_placeholder", |message, contains| {
            let is_string = |block: &Value| kind(block) == "tool_result" && block["content"].is_string();
            contains && blocks(message).iter().any(is_string)
        }),
    ),
    unread(
        "make/unread-third-whole-seconds",
        "2.1: a timestamp has the form of RFC 3339 with milliseconds and Z",
        "gives the present time without milliseconds",
        Wrong::Made(|call, message| {
            if let (None, Some((seconds, _))) = (&call.timestamp, text(message, "timestamp").split_once('.')) {
                message["timestamp"] = format!("{seconds}Z").into();
            }
        }),
    ),
];

/// The arguments of a call by their names.
fn arguments(call: &FactoryCall) -> Value {
    Plain::read(&call.arguments).map(Plain::into_value).unwrap_or_default()
}
