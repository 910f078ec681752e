//! Faults in *shapes*: blocks and turns with more or less than their type has.

use turnproof_rules::json;
use turnproof_rules::operation::{Plain, Value};

use super::walk::{blocks, blocks_mut, is_of, is_thinking, kind, retain, text};
use super::wrong::Asked;
use super::{Fault, Wrong, fault};

pub(super) const FAULTS: &[Fault] = &[
    fault("normalize_api/resends-response-objects", "api/known-members")
        .that("sends the API's response object as a turn, with its id, its model and its usage")
        .by(Wrong::List(|asked, turns| {
            for turn in turns.iter_mut().filter(|turn| is_of(turn, "assistant")) {
                let reply = asked.messages.iter().rfind(|message| kind(message) == "assistant");
                for name in ["id", "model", "stop_reason", "usage"] {
                    if let Some(member) = reply.and_then(|reply| reply.get("message")?.get(name)) {
                        turn[name] = member.clone();
                    }
                }
            }
        })),
    fault("normalize_api/sends-foreign-members", "api/known-members")
        .that("sends members that a block's type does not have")
        .seen_in("anthropics/claude-code#4378")
        .by(Wrong::List(|asked, turns| {
            bring_back(asked, turns, |block, source| copy(block, source, |name| !name.contains(is_odd)));
        })),
    fault("normalize_api/writes-text-on-calls", "api/known-members")
        .that("gives each call an empty text, as its own blocks have one")
        .seen_in("anthropics/claude-code#4378")
        .by(Wrong::EachBlock("assistant", |block| {
            if kind(block) == "tool_use" {
                block["text"] = "".into();
            }
        })),
    fault("normalize_api/names-the-tool-on-results", "api/known-members")
        .that("gives results the name of their tool, as another vendor wants it")
        .by(Wrong::EachBlock("user", |block| {
            if kind(block) == "tool_result" {
                block["name"] = "Bash".into();
            }
        })),
    fault("normalize_api/measures-images", "api/known-members").that("notes the size of an image in its source").by(
        Wrong::EachBlock("user", |block| {
            if kind(block) == "image" {
                block["source"]["width"] = json!(1);
            }
        }),
    ),
    fault("normalize_api/sends-half-written-media", "api/required-fields")
        .that("sends an image or a document whose source lacks what it needs")
        .by(Wrong::HiddenWhere("user", |block| {
            let source = block.get("source").and_then(Value::as_object);
            let has = |name: &str| source.is_some_and(|source| source.get(name).is_some_and(Value::is_string));
            let is_whole = ["data", "url", "file_id", "content", "uri"].into_iter().any(has);
            matches!(kind(block), "image" | "document") && source.is_some() && !is_whole
        })),
    fault("normalize_api/sends-errors-as-text", "api/required-fields").that("writes `is_error` as a text").by(
        Wrong::EachBlock("user", |block| {
            if let Some(flag) = block.get_mut("is_error") {
                *flag = flag.to_string().into();
            }
        }),
    ),
    fault("normalize_api/sends-errors-as-null", "api/required-fields")
        .that("writes `is_error` as null when nobody said whether a tool failed")
        .by(Wrong::EachBlock("user", |block| {
            if kind(block) == "tool_result" && block.get("is_error").is_none() {
                block["is_error"] = Value::Null;
            }
        })),
    fault("normalize_api/sends-content-as-an-object", "api/required-fields")
        .that("sends what a tool gave as it is, an object or a number")
        .by(Wrong::EachBlock("user", |block| {
            let value = Plain::read(text(block, "content")).map(|plain| plain.into_value());
            if let Some(value) = value.ok().filter(|value| !value.is_string() && kind(block) == "tool_result") {
                block["content"] = value;
            }
        })),
    fault("normalize_api/empties-odd-content", "normalize/conserves")
        .that("drops the content of a result that is neither text nor a list")
        .by(Wrong::Messages(|messages| odd_contents(messages, Value::Null))),
    fault("normalize_api/writes-object-object", "normalize/conserves")
        .that("writes `[object Object]` in place of what a tool gave")
        .by(Wrong::Messages(|messages| odd_contents(messages, "[object Object]".into()))),
    fault("normalize_api/keeps-illegal-names", "api/required-fields")
        .that("sends the name of a tool that the API does not take")
        .by(Wrong::List(|asked, turns| {
            bring_back(asked, turns, |block, source| {
                if kind(block) == "tool_use" && !text(source, "name").is_empty() {
                    block["name"] = source["name"].clone();
                }
            });
        })),
    fault("normalize_api/drops-calls-with-illegal-names", "normalize/conserves")
        .that("drops a call whose name the API does not take, although it was made and answered")
        .by(Wrong::Messages(|messages| {
            let is_legal = |name: &str| {
                name.len() <= 128
                    && name.bytes().all(|letter| letter.is_ascii_alphanumeric() || b"_-".contains(&letter))
            };
            retain(messages, "assistant", |block| kind(block) != "tool_use" || is_legal(text(block, "name")));
        })),
    fault("normalize_api/drops-blocks-with-foreign-members", "normalize/conserves")
        .that("drops a block that has a member more than its type, instead of the member")
        .by(Wrong::Messages(|messages| {
            for role in ["user", "assistant"] {
                retain(messages, role, |block| {
                    let foreign = match kind(block) {
                        "text" => "is_error",
                        "tool_use" | "tool_result" => "text",
                        _ => "detail",
                    };
                    block.get(foreign).is_none()
                });
            }
        })),
    fault("normalize_api/sends-half-of-a-search", "api/required-fields")
        .that("takes the encrypted content from what a search found, to save room")
        .by(Wrong::EachBlock("assistant", |block| {
            if kind(block) == "web_search_tool_result" {
                for found in blocks_mut(block).into_iter().flatten().filter_map(Value::as_object_mut) {
                    found.remove("encrypted_content");
                }
            }
        })),
];

/// Changes each block of the turns by the block of the messages that it was made of.
pub(super) fn bring_back(asked: &Asked<'_>, turns: &mut [Value], change: impl Fn(&mut Value, &Value)) {
    let sources: Vec<&Value> = asked.messages.iter().flat_map(blocks).collect();
    for block in turns.iter_mut().filter_map(blocks_mut).flatten().filter(|block| block.is_object()) {
        let is_source = |source: &&&Value| kind(source) == kind(block) && says(source) == says(block);
        if let Some(source) = sources.iter().find(is_source).filter(|_| !is_thinking(block)) {
            change(block, source);
        }
    }
}

/// What distinguishes a block from others of its type.
pub(super) fn says(block: &Value) -> &str {
    ["id", "tool_use_id", "text"].iter().map(|name| text(block, name)).find(|said| !said.is_empty()).unwrap_or_default()
}

/// Copies the members of a name that is meant, where they are missing.
pub(super) fn copy(block: &mut Value, source: &Value, is_meant: fn(&str) -> bool) {
    for (name, value) in source.as_object().into_iter().flatten().filter(|(name, _)| is_meant(name)) {
        if block.get(name).is_none() {
            block[name.as_str()] = value.clone();
        }
    }
}

/// Whether a letter is in no name of the API.
fn is_odd(letter: char) -> bool {
    letter.is_ascii_uppercase()
}

/// Sets the content of each result that has neither a text nor a list.
fn odd_contents(messages: &mut [Value], content: Value) {
    for block in messages.iter_mut().filter(|message| is_of(message, "user")).filter_map(blocks_mut).flatten() {
        let is_odd = block.get("content").is_some_and(|content| content.is_object() || content.is_number());
        if is_odd && kind(block) == "tool_result" {
            block["content"] = content.clone();
        }
    }
}
