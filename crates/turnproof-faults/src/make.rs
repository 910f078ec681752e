//! Faults of *factories* and of predicates.

use turnproof_rules::json;
use turnproof_rules::operation::{FactoryCall, MadeMessage, Value};

use super::stable::is_second_time;
use super::walk::{blocks, content, is_of, kind, remove, text};
use super::{Fault, Wrong, fault};

pub(super) const FAULTS: &[Fault] = &[
    fault("make/invents-the-call-id", "make/total").that("makes a result without the id of its call").by(
        Wrong::FactoryCall(|call| {
            let Some(arguments) = arguments(call).filter(|_| call.factory == "tool_result") else { return };
            if arguments.get("toolUseId").is_none_or(Value::is_null) {
                set(call, "toolUseId", json!("toolu_unknown"));
            }
        }),
    ),
    fault("make/refuses-missing-content", "make/total").that("refuses to make a message without content").by(
        Wrong::Refused(|call| {
            let has_content = arguments(call).is_some_and(|arguments| !arguments["content"].is_null());
            call.factory == "user" && !has_content
        }),
    ),
    fault("make/empty-user", "make/content-not-empty")
        .that("makes a user message of the empty text")
        .by(Wrong::Made(|call, message| empty(call, "user", message, json!("")))),
    fault("make/empty-list", "make/content-not-empty")
        .that("makes an assistant message without blocks")
        .by(Wrong::Made(|call, message| empty(call, "assistant", message, json!([])))),
    fault("make/empty-error", "make/content-not-empty").that("makes an error of the API that says nothing").by(
        Wrong::Made(|call, message| empty(call, "assistant_api_error", message, json!([{"type": "text", "text": ""}]))),
    ),
    fault("make/empty-notice", "make/content-not-empty").that("makes a notice without words").by(Wrong::Made(
        |_, message| {
            if kind(message) == "system" && text(message, "content") == NO_CONTENT {
                message["content"] = json!("");
            }
        },
    )),
    fault("make/writes-brackets", "make/texts")
        .that("writes the other form of the text that replaces no content")
        .by(Wrong::Made(|_, message| replace_text(message, NO_CONTENT, "[no content]"))),
    fault("make/one-interruption", "make/texts").that("has one text for both interruptions").by(Wrong::Made(
        |_, message| {
            replace_text(message, "[Request interrupted by user for tool use]", "[Request interrupted by user]");
        },
    )),
    fault("make/interruption-as-string", "make/texts")
        .that("gives the text of an interruption as a string, so that nobody knows it for one")
        .by(Wrong::Made(|call, message| {
            if call.factory == "user_interruption" {
                let text = blocks(message).first().map(|block| block["text"].clone());
                message["message"]["content"] = text.unwrap_or_default();
            }
        })),
    fault("make/drops-the-budget", "make/shape").that("makes a turn's duration without its budget").by(
        Wrong::FactoryCall(|call| {
            ["budgetTokens", "budgetLimit", "budgetNudges"].iter().for_each(|name| set(call, name, Value::Null));
        }),
    ),
    fault("make/drops-the-hook-event", "make/shape").that("makes a hook's outcome without the event").by(Wrong::Made(
        |_, message| {
            if kind(message) == "hook_result" {
                remove(message, "hookEvent");
            }
        },
    )),
    fault("make/goes-on", "make/shape")
        .that("forgets that a notice keeps the loop from going on")
        .by(Wrong::FactoryCall(|call| set(call, "preventContinuation", Value::Null))),
    fault("make/forgets-the-error-kind", "make/shape")
        .that("makes an error of the API without its kind and details")
        .by(Wrong::FactoryCall(|call| {
            set(call, "apiError", Value::Null);
            set(call, "errorDetails", Value::Null);
        })),
    fault("make/boundary-with-a-parent", "make/shape").that("gives a boundary the message before it as parent").by(
        Wrong::Made(|_, message| {
            if text(message, "subtype") == "compact_boundary" {
                message["parentUuid"] = message["logicalParentUuid"].clone();
            }
        }),
    ),
    fault("make/summary-without-metadata", "make/shape")
        .that("drops how a summary came to be")
        .by(Wrong::FactoryCall(|call| set(call, "summarizeMetadata", Value::Null))),
    fault("make/assistant-text-as-string", "make/shape").that("leaves an assistant's text a string").by(Wrong::Made(
        |_, message| {
            let text = match blocks(message) {
                [block] if kind(message) == "assistant" && kind(block) == "text" => block["text"].clone(),
                _ => return,
            };
            message["message"]["content"] = text;
        },
    )),
    fault("make/trims-text", "make/shape").that("takes white space off the ends of what is said").by(Wrong::Made(
        |_, message| {
            let trimmed = |said: &mut Value| {
                if let Value::String(text) = said {
                    *text = text.trim().into();
                }
            };
            for pointer in ["/message/content", "/message/content/0/text", "/content"] {
                message.pointer_mut(pointer).into_iter().for_each(trimmed);
            }
        },
    )),
    fault("make/numbers-as-texts", "make/shape").that("writes milliseconds as a text").by(Wrong::Made(|_, message| {
        if let Some(number) = message.get("retryInMs").filter(|value| value.is_number()) {
            message["retryInMs"] = json!(number.to_string());
        }
    })),
    fault("make/ignores-the-id", "make/identity")
        .that("makes an id of its own although one is given")
        .by(Wrong::FactoryCall(|call| call.uuid = None)),
    fault("make/ignores-the-time", "make/identity")
        .that("takes the time of the clock although one is given")
        .by(Wrong::FactoryCall(|call| call.timestamp = None)),
    fault("make/one-id-for-all", "make/identity").that("makes the id once, when the program starts").by(Wrong::Made(
        |call, message| {
            if call.uuid.is_none() && call.source.is_none() {
                message["uuid"] = json!("11111111-2222-4333-9444-555555555555");
            }
        },
    )),
    fault("make/ids-in-upper-case", "make/identity").that("makes ids in upper case").by(Wrong::Made(
        |call, message| {
            if call.uuid.is_none() {
                message["uuid"] = json!(text(message, "uuid").to_uppercase());
            }
        },
    )),
    fault("make/times-without-milliseconds", "make/identity").that("writes times in whole seconds").by(Wrong::Made(
        |call, message| {
            if let (None, Some((seconds, _))) = (&call.timestamp, text(message, "timestamp").split_once('.')) {
                message["timestamp"] = json!(format!("{seconds}Z"));
            }
        },
    )),
    fault("make/usage-of-four", "make/usage")
        .that("gives a synthetic message the four oldest numbers of a usage alone")
        .by(Wrong::Made(|_, message| {
            let Some(usage) = message.pointer_mut("/message/usage").and_then(Value::as_object_mut) else { return };
            usage.retain(|name, _| name.ends_with("_tokens"));
        })),
    fault("make/synthetic-without-model", "make/usage").that("leaves the model of a synthetic message empty").by(
        Wrong::Made(|call, message| {
            if call.factory.starts_with("assistant") {
                message["message"]["model"] = json!("");
            }
        }),
    ),
    fault("make/ended-turn", "make/usage").that("says that a synthetic message ended a turn").by(Wrong::Made(
        |call, message| {
            if call.factory.starts_with("assistant") {
                message["message"]["stop_reason"] = json!("end_turn");
            }
        },
    )),
    fault("make/one-placeholder", "make/placeholders")
        .that("makes a placeholder for the first unanswered call alone")
        .by(Wrong::AllMade(|_, made| made.truncate(1))),
    fault("make/placeholders-backwards", "make/placeholders")
        .that("makes placeholders from the last call to the first")
        .by(Wrong::AllMade(|_, made| made.reverse())),
    fault("make/placeholder-succeeds", "make/placeholders")
        .that("marks a placeholder as a result without an error")
        .by(Wrong::Made(|call, message| {
            if call.factory == "missing_tool_results" {
                message["message"]["content"][0]["is_error"] = json!(false);
            }
        })),
    fault("make/interruption-is-human", "make/predicates").that("takes an interruption for a turn of the user").by(
        Wrong::Predicate("is_human_turn", |message, says| {
            says || kind(message) == "user" && is_text(message, "[Request interrupted by user]")
        }),
    ),
    fault("make/summary-is-human", "make/predicates")
        .that("takes the summary of a compaction for a turn of the user")
        .by(Wrong::Predicate("is_human_turn", |message, says| says || message["isCompactSummary"] == json!(true))),
    fault("make/result-is-human", "make/predicates")
        .that("takes a result of a tool for a turn of the user")
        .by(Wrong::Predicate("is_human_turn", |message, says| says || message.get("toolUseResult").is_some())),
    fault("make/any-mention-is-synthetic", "make/predicates")
        .that("takes each message that begins with a bracket for a synthetic one")
        .by(Wrong::Predicate("is_synthetic_message", |message, says| {
            says || content(message).as_str().is_some_and(|text| text.starts_with('['))
        })),
    fault("make/any-beginning-is-synthetic", "make/predicates")
        .that("takes a text that begins with that of an interruption for a synthetic one")
        .by(Wrong::Predicate("is_synthetic_message", |message, says| {
            let first = blocks(message).first().map_or("", |block| text(block, "text"));
            says || first.starts_with("[Request interrupted by user]") && matches!(kind(message), "user" | "assistant")
        })),
    fault("make/knows-two-synthetic-texts", "make/predicates")
        .that("knows the two interruptions alone as synthetic texts")
        .by(Wrong::Predicate("is_synthetic_message", |message, says| {
            says && blocks(message).first().is_some_and(|block| text(block, "text").starts_with("[Request interrupted"))
        })),
    fault("make/misses-placeholders-in-blocks", "make/predicates")
        .that("finds placeholders whose content is a string alone")
        .by(Wrong::Predicate("contains_placeholder", |message, says| {
            says && blocks(message).iter().all(|block| block["content"].is_string())
        })),
    fault("make/each-error-is-synthetic", "make/predicates")
        .that("takes each assistant message without a model for an error of the API")
        .by(Wrong::Predicate("is_synthetic_api_error", |message, says| {
            says || message["message"]["model"] == json!("<synthetic>")
        })),
    fault("make/counts-calls", "make/deterministic")
        .that("numbers its messages, so that each call gives another one")
        .by(Wrong::AllMade(|call, made| {
            if is_second_time() {
                each(call, made, |_, message| message["sequence"] = json!(2));
            }
        })),
    fault("make/reads-the-clock", "make/deterministic")
        .that("reads the system's clock for notices, although it is given another")
        .by(Wrong::AllMade(|call, made| {
            if is_second_time() && call.source.is_some() {
                each(call, made, |_, message| {
                    if kind(message) == "system" {
                        message["timestamp"] = json!("2026-02-03T04:05:07.000Z");
                    }
                });
            }
        })),
    fault("make/metrics-in-one-member", "make/shape").that("puts the metrics into one member").by(Wrong::Made(
        |call, made| {
            if let (true, Value::Object(metrics)) =
                (call.factory == "api_metrics", &arguments(call).unwrap_or_default()["metrics"])
            {
                metrics.keys().for_each(|name| remove(made, name));
                made["metrics"] = json!(metrics);
            }
        },
    )),
    fault("make/no-stop-sequence", "make/usage")
        .that("writes null as the stop sequence of a message that no model made")
        .by(Wrong::Made(|call, made| {
            if matches!(&*call.factory, "assistant" | "assistant_api_error") {
                made["message"]["stop_sequence"] = Value::Null;
            }
        })),
    fault("make/any-result-answers", "make/total")
        .that("takes a call for answered when any result of the list has its id")
        .by(Wrong::AllMade(|call, made| {
            let given = arguments(call).unwrap_or_default();
            let messages: Vec<&Value> = given["messages"].as_array().into_iter().flatten().collect();
            let results = messages.iter().filter(|message| is_of(message, "user")).flat_map(|message| blocks(message));
            let ids: Vec<&str> =
                results.map(|result| text(result, "tool_use_id")).filter(|id| !id.is_empty()).collect();
            made.retain(|one| {
                let message: Value = serde_json::from_str(&one.message).unwrap_or_default();
                !blocks(&message).iter().any(|result| ids.contains(&text(result, "tool_use_id")))
            });
        })),
    fault("make/falsy-outputs-lost", "make/shape")
        .that("leaves out the output of a tool when it is 0, false or the empty text")
        .by(Wrong::Made(|call, message| {
            let output = &message["toolUseResult"];
            let is_falsy = *output == "" || *output == false || output.as_f64() == Some(0.0);
            if call.factory == "tool_result" && is_falsy {
                remove(message, "toolUseResult");
            }
        })),
    fault("make/failed-hooks-counted", "make/shape").that("adds the errors of hooks to their count").by(Wrong::Made(
        |call, message| {
            let count = |name: &str| message[name].as_array().map_or(0, Vec::len);
            if call.factory == "stop_hook_summary" {
                message["hookCount"] = (count("hookInfos") + count("hookErrors")).into();
            }
        },
    )),
    fault("make/no-level", "make/shape").that("gives a notice no level when the caller does not").by(Wrong::Made(
        |call, made| {
            if matches!(&*call.factory, "system" | "informational")
                && arguments(call).is_some_and(|given| given["level"].is_null())
            {
                remove(made, "level");
            }
        },
    )),
    fault("make/no-messages-counted", "make/shape")
        .that("says that a turn had 0 messages when nobody gave their number")
        .by(Wrong::Made(|call, message| {
            if call.factory == "turn_duration" && arguments(call).is_some_and(|given| given["messageCount"].is_null()) {
                message["messageCount"] = 0.into();
            }
        })),
    fault("make/empty-texts-are-content", "make/shape")
        .that("takes a list for content as soon as there is a block in it")
        .by(Wrong::Made(|call, made| {
            let given = arguments(call).map(|mut given| given["content"].take()).unwrap_or_default();
            let is_empty = |block: &Value| kind(block) == "text" && text(block, "text").is_empty();
            if given.as_array().is_some_and(|list| !list.is_empty() && list.iter().all(is_empty))
                && made.pointer("/message/content").is_some()
            {
                made["message"]["content"] = given;
            }
        })),
    fault("make/newest-call-first", "make/identity")
        .that("makes the missing results from the last call to the first")
        .by(Wrong::AllMade(|call, made| {
            if call.factory == "missing_tool_results" {
                made.reverse();
            }
        })),
    fault("make/answers-the-last-call-of-an-id", "make/total")
        .that("takes a result for that of the last call with its id, also where it names another as its source")
        .by(Wrong::FactoryCall(|call| {
            let mut given = arguments(call).unwrap_or_default();
            for message in given["messages"].as_array_mut().into_iter().flatten() {
                remove(message, "sourceToolAssistantUUID");
            }
            let messages = given["messages"].take();
            set(call, "messages", messages);
        })),
    fault("make/takes-what-begins-as-a-placeholder", "make/predicates")
        .that("takes a result for a placeholder that only begins as one does")
        .by(Wrong::Predicate("contains_placeholder", |message, says| {
            const BEGINNING: &str = "[Tool result missing due to internal error]";
            let begins = |block: &Value| text(block, "content").starts_with(BEGINNING);
            says || is_of(message, "user") && blocks(message).iter().any(begins)
        })),
    fault("make/raw-output-is-human", "make/predicates")
        .that("takes the raw output of a tool for a turn of the user, where no result block is beside it")
        .by(Wrong::Predicate("is_human_turn", |message, says| {
            let has_result = blocks(message).iter().any(|block| kind(block) == "tool_result");
            says || is_of(message, "user")
                && !has_result
                && message["isMeta"] != json!(true)
                && message["toolUseResult"] != Value::Null
        })),
    fault("make/answers-no-later-call", "make/total")
        .that("takes a result that comes before all calls with its id for nothing")
        .by(Wrong::FactoryCall(|call| {
            let mut given = arguments(call).unwrap_or_default();
            let mut called: Vec<String> = Vec::new();
            for message in given["messages"].as_array_mut().into_iter().flatten() {
                called.extend(
                    blocks(message)
                        .iter()
                        .filter(|block| kind(block) == "tool_use")
                        .map(|block| text(block, "id").to_owned()),
                );
                if let Some(Value::Array(blocks)) = message.pointer_mut("/message/content") {
                    blocks.retain(|block| {
                        kind(block) != "tool_result" || called.iter().any(|id| id == text(block, "tool_use_id"))
                    });
                }
            }
            let messages = given["messages"].take();
            set(call, "messages", messages);
        })),
    fault("make/empty-reasons-prevent-nothing", "make/shape")
        .that("does not take an empty reason for one that is given")
        .by(Wrong::Made(|call, message| {
            if call.factory == "stop_hook_summary" && arguments(call).is_some_and(|given| given["stopReason"] == "") {
                message["preventedContinuation"] = json!(false);
            }
        })),
];

const NO_CONTENT: &str = "(no content)";

fn arguments(call: &FactoryCall) -> Option<Value> {
    serde_json::from_str(&call.arguments).ok()
}

/// Sets an argument that is there, or adds it unless it is null.
fn set(call: &mut FactoryCall, name: &str, value: Value) {
    let Some(Value::Object(mut arguments)) = arguments(call) else { return };
    if value.is_null() && !arguments.contains_key(name) {
        return;
    }
    arguments.insert(name.to_owned(), value);
    call.arguments = Value::Object(arguments).to_string();
}

/// Leaves a factory's message empty when it says that there is no content.
fn empty(call: &FactoryCall, factory: &str, message: &mut Value, nothing: Value) {
    if call.factory == factory && is_text(message, NO_CONTENT) {
        message["message"]["content"] = nothing;
    }
}

/// Whether a message says this and nothing else.
fn is_text(message: &Value, said: &str) -> bool {
    match blocks(message) {
        [block] => text(block, "text") == said,
        _ => content(message) == said,
    }
}

fn replace_text(message: &mut Value, from: &str, to: &str) {
    match message {
        Value::String(text) if text == from => *text = to.into(),
        Value::Array(values) => values.iter_mut().for_each(|value| replace_text(value, from, to)),
        Value::Object(members) => members.values_mut().for_each(|value| replace_text(value, from, to)),
        _ => {}
    }
}

/// Changes each message, and keeps what predicates say of it.
pub(super) fn each(call: &FactoryCall, made: &mut [MadeMessage], change: fn(&FactoryCall, &mut Value)) {
    for made in made {
        let Ok(mut message) = serde_json::from_str(&made.message) else { continue };
        change(call, &mut message);
        made.message = message.to_string();
    }
}

/// Changes what a predicate says of each message.
pub(super) fn say(made: &mut [MadeMessage], name: &str, change: fn(&Value, bool) -> bool) {
    for made in made {
        let message = serde_json::from_str(&made.message).unwrap_or_default();
        if let Some(says) = made.predicates.get_mut(name) {
            *says = change(&message, *says);
        }
    }
}
