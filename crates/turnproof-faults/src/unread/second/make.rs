//! Unread faults in *factories* and predicates.

use turnproof::operation::Value;
use turnproof::operation::{FactoryCall, MadeMessage};
use turnproof_rules::json;

use super::{Unread, unread};
use crate::walk::{blocks, content, is, is_of, kind, remove, text, text_block};
use crate::wrong::Wrong;

pub(super) const UNREAD: &[Unread] = &[
    unread(
        "make/unread-placeholders-name-the-last-reply",
        "2.1.1: the message names the message that holds the call in sourceToolAssistantUUID",
        "names the last reply of the list as the source of each placeholder",
        Wrong::Made(|call, made| {
            let given = arguments(call);
            let mut messages = given["messages"].as_array().into_iter().flatten();
            let last = messages.rfind(|message| is_of(message, "assistant"));
            if let (true, Some(id)) = (call.factory == "missing_tool_results", last.and_then(|last| last.get("uuid"))) {
                made["sourceToolAssistantUUID"] = id.clone();
            }
        }),
    ),
    unread(
        "make/unread-newest-call-first",
        "2.1.1: each gets one result, in the order of the calls",
        "makes the missing results from the last call to the first",
        Wrong::AllMade(|call, made| {
            if call.factory == "missing_tool_results" {
                made.reverse();
            }
        }),
    ),
    unread(
        "make/unread-one-id-for-all",
        "2.1: what is given is given to the next message alone; the others get their own",
        "gives the id of the caller to each message that a call makes",
        Wrong::AllMade(|call, made| {
            for one in made.iter_mut() {
                if let Some(id) = &call.uuid {
                    change(one, |message| message["uuid"] = json!(id));
                }
            }
        }),
    ),
    unread(
        "make/unread-one-time-for-all",
        "2.1: what is given is given to the next message alone; the others get their own",
        "gives the time of the caller to each message that a call makes",
        Wrong::AllMade(|call, made| {
            for one in made.iter_mut() {
                if let Some(time) = &call.timestamp {
                    change(one, |message| message["timestamp"] = json!(time));
                }
            }
        }),
    ),
    unread(
        "make/unread-any-result-answers",
        "2.1.1: a result answers the call of its source, or else the last one before it with the id",
        "takes a call for answered when any result of the list has its id",
        Wrong::AllMade(|call, made| {
            let given = arguments(call);
            let messages: Vec<&Value> = given["messages"].as_array().into_iter().flatten().collect();
            let results = messages.iter().filter(|message| is_of(message, "user")).flat_map(|message| blocks(message));
            let ids: Vec<&str> =
                results.map(|result| text(result, "tool_use_id")).filter(|id| !id.is_empty()).collect();
            made.retain(|one| {
                let message: Value = serde_json::from_str(&one.message).unwrap_or_default();
                !blocks(&message).iter().any(|result| ids.contains(&text(result, "tool_use_id")))
            });
        }),
    ),
    unread(
        "make/unread-empty-texts-are-content",
        "2.1: content is empty when it is a list of nothing but empty texts",
        "takes a list for content as soon as something stands in it",
        Wrong::Made(|call, made| {
            let given = arguments(call).get("content").cloned().unwrap_or_default();
            let is_empty = |block: &Value| kind(block) == "text" && text(block, "text").is_empty();
            if given.as_array().is_some_and(|list| !list.is_empty() && list.iter().all(is_empty))
                && made.pointer("/message/content").is_some()
            {
                made["message"]["content"] = given;
            }
        }),
    ),
    unread(
        "make/unread-blank-is-empty",
        "2.1: content is empty when it is the empty text; 2.1.1: what is given is carried unchanged",
        "takes a content of white space for empty",
        Wrong::FactoryCall(|call| {
            change_arguments(call, |given| {
                if given.get("content").and_then(Value::as_str).is_some_and(|words| words.trim().is_empty()) {
                    given["content"] = json!("");
                }
            });
        }),
    ),
    unread(
        "make/unread-replies-lose-their-ends",
        "2.1: text that is given to the assistant factory becomes one text block; 2.1.1: it is carried unchanged",
        "trims the text that is given to the assistant factory",
        Wrong::FactoryCall(|call| {
            if call.factory == "assistant" {
                change_arguments(call, |given| {
                    if let Some(words) = given.get("content").and_then(Value::as_str).map(str::trim) {
                        given["content"] = json!(words);
                    }
                });
            }
        }),
    ),
    unread(
        "make/unread-a-block-a-paragraph",
        "2.1: text that is given to the assistant factory becomes one text block",
        "makes a block of each paragraph of a text",
        Wrong::Made(|call, made| {
            if call.factory == "assistant"
                && let Some(words) = arguments(call)["content"].as_str().filter(|words| words.contains("\n\n"))
            {
                made["message"]["content"] = words.split("\n\n").map(text_block).collect();
            }
        }),
    ),
    unread(
        "make/unread-no-level",
        "2.1.1: the level of `system` and `informational` is `info` when none is given",
        "gives a notice no level when the caller does not",
        Wrong::Made(|call, made| {
            if matches!(&*call.factory, "system" | "informational") && arguments(call)["level"].is_null() {
                remove(made, "level");
            }
        }),
    ),
    unread(
        "make/unread-errors-prevent",
        "2.1.1: preventedContinuation says whether stopReason is given",
        "says that a stop hook prevented continuation when one had an error",
        Wrong::Made(|call, made| {
            if call.factory == "stop_hook_summary" {
                let given = arguments(call);
                let has_errors = given["hookErrors"].as_array().is_some_and(|errors| !errors.is_empty());
                made["preventedContinuation"] = json!(has_errors);
            }
        }),
    ),
    unread(
        "make/unread-boundary-hangs-on-what-was",
        "2.1.1: compact_boundary: system without a parent",
        "gives a boundary its logical parent as parent",
        Wrong::Made(|call, made| {
            if call.factory == "compact_boundary" && made["logicalParentUuid"].is_string() {
                made["parentUuid"] = made["logicalParentUuid"].clone();
            }
        }),
    ),
    unread(
        "make/unread-metrics-in-one-member",
        "2.1.1: api_metrics: system with each member of metrics",
        "puts the metrics into one member",
        Wrong::Made(|call, made| {
            if let (true, Value::Object(metrics)) = (call.factory == "api_metrics", &arguments(call)["metrics"]) {
                metrics.keys().for_each(|name| remove(made, name));
                made["metrics"] = json!(metrics);
            }
        }),
    ),
    unread(
        "make/unread-no-stop-sequence",
        "2.1.2: the message has an empty stop_sequence",
        "writes null as the stop sequence of a message that no model made",
        Wrong::Made(|call, made| {
            if matches!(&*call.factory, "assistant" | "assistant_api_error") {
                made["message"]["stop_sequence"] = Value::Null;
            }
        }),
    ),
    unread(
        "make/unread-false-is-there",
        "2.1.1: user_interruption: the second text of an interruption if toolUse is true, else the first",
        "takes the text about tools when the argument is there, whatever it says",
        Wrong::FactoryCall(|call| {
            if call.factory == "user_interruption" {
                change_arguments(call, |given| {
                    if given.get("toolUse").is_some_and(Value::is_boolean) {
                        given["toolUse"] = json!(true);
                    }
                });
            }
        }),
    ),
    unread(
        "make/unread-whole-seconds",
        "2.1: the form of a timestamp is RFC 3339 with milliseconds and Z",
        "leaves the milliseconds out of a time when there are none",
        Wrong::Made(|call, made| {
            if call.timestamp.is_none()
                && let Some(time) = made["timestamp"].as_str().and_then(|time| time.strip_suffix(".000Z"))
            {
                made["timestamp"] = json!(format!("{time}Z"));
            }
        }),
    ),
    unread(
        "make/unread-summaries-are-people",
        "2.1.3: is_human_turn: a user message that is not meta, no compact summary, …",
        "takes the summary of a compaction for a human turn",
        Wrong::Predicate("is_human_turn", |message, right| {
            right || (is(message, "isCompactSummary") && is_of(message, "user") && !is(message, "isMeta"))
        }),
    ),
    unread(
        "make/unread-first-block-is-the-placeholder",
        "2.1.3: contains_placeholder: a user message with a placeholder",
        "looks for a placeholder in the first block alone",
        Wrong::Predicate("contains_placeholder", |message, right| {
            right && blocks(message).first().is_some_and(|block| block.to_string().contains("[Tool result missing"))
        }),
    ),
    unread(
        "make/unread-strings-are-synthetic",
        "2.2: a synthetic message is one whose content is a list, and whose first block is such a text",
        "takes a string for a synthetic text too",
        Wrong::Predicate("is_synthetic_message", |message, right| {
            let said = content(message).as_str().unwrap_or_default();
            right
                || said == "No response requested."
                || said.starts_with("[Request interrupted by user") && said.ends_with(']')
        }),
    ),
    unread(
        "make/unread-any-block-is-synthetic",
        "2.2: a synthetic message is one whose first block is a text of the set",
        "looks for a synthetic text in all blocks",
        Wrong::Predicate("is_synthetic_message", |message, right| {
            let is_known = |block: &Value| text(block, "text") == "[Request interrupted by user]";
            right || (matches!(kind(message), "user" | "assistant") && blocks(message).iter().any(is_known))
        }),
    ),
    unread(
        "make/unread-progress-is-in-the-chain",
        "2: the first five kinds are chain participants; progress is never in the chain",
        "takes progress for a link of the chain, as old clients wrote it",
        Wrong::Predicate("is_chain_participant", |message, right| right || kind(message) == "progress"),
    ),
    unread(
        "make/unread-small-boundaries-are-boundaries",
        "2.1.3: is_compact_boundary: a system message of that subtype",
        "takes the boundary of a microcompaction for one of a compaction",
        Wrong::Predicate("is_compact_boundary", |message, right| {
            right || (kind(message) == "system" && text(message, "subtype").ends_with("compact_boundary"))
        }),
    ),
];

fn arguments(call: &FactoryCall) -> Value {
    serde_json::from_str(&call.arguments).unwrap_or_default()
}

fn change_arguments(call: &mut FactoryCall, change: impl FnOnce(&mut Value)) {
    if let Ok(mut given) = serde_json::from_str::<Value>(&call.arguments) {
        change(&mut given);
        call.arguments = given.to_string();
    }
}

fn change(made: &mut MadeMessage, change: impl FnOnce(&mut Value)) {
    if let Ok(mut message) = serde_json::from_str(&made.message) {
        change(&mut message);
        made.message = message.to_string();
    }
}
