//! Faults of readers that are not *loose*: a known field of a wrong type costs them a message, a block or the field.

use serde_json::value::to_raw_value;
use turnproof_reference::message::{Entry, Typed};
use turnproof_rules::json;
use turnproof_rules::operation::{StreamItem, Value};

use super::part::keep;
use super::record::filtered;
use super::recorder::Slip;
use super::walk::{blocks_mut, content, kind, retain, text, words};
use super::{Fault, Wrong, fault, wire};

pub(super) const FAULTS: &[Fault] = &[
    fault("parse/refuses-wrong-fields", "wire/typed-fields")
        .that("rejects a record of which one field has another type than its own types have")
        .seen_in("omnigent-ai/omnigent#1957")
        .by(Wrong::Unread(|line| {
            let record = serde_json::from_slice::<Entry>(line.bytes);
            record.is_ok_and(|record| record.misfit().is_some())
        })),
    fault("normalize_api/refuses-wrong-fields", "normalize/conserves")
        .that("leaves out a message of which one field has another type than its own types have")
        .seen_in("omnigent-ai/omnigent#1957")
        .by(Wrong::Messages(|messages| messages.retain(|message| misfit(message).is_none()))),
    fault("normalize_api/loses-replies-with-odd-usage", "normalize/conserves")
        .that("leaves out a reply whose tokens are given as texts")
        .by(Wrong::Messages(|messages| {
            messages.retain(|message| misfit(message).is_none_or(|path| !path.starts_with("message.usage")));
        })),
    fault("normalize_api/loses-results-with-odd-flags", "normalize/conserves")
        .that("leaves out a result whose `is_error` is not true or false, and writes a placeholder")
        .by(Wrong::Messages(|messages| {
            let fits = |flag: &Value| flag.is_boolean() || flag.is_null();
            retain(messages, "user", |block| kind(block) != "tool_result" || block.get("is_error").is_none_or(fits));
        })),
    fault("normalize_api/loses-documents-with-odd-titles", "normalize/conserves")
        .that("leaves out a document whose title is no text")
        .by(Wrong::Messages(|messages| {
            retain(messages, "user", |block| kind(block) != "document" || !block["title"].is_number());
        })),
    fault("normalize_api/loses-content-around-what-is-no-block", "normalize/conserves")
        .that("reads no block of a list in which one element is none")
        .by(Wrong::Messages(|messages| {
            for blocks in messages.iter_mut().filter_map(blocks_mut) {
                if !blocks.iter().all(Value::is_object) {
                    blocks.clear();
                }
            }
        })),
    fault("normalize_api/refuses-wrong-fields-later", "normalize/incremental")
        .that("leaves out a message with a field of a wrong type when it is appended, and not when the list is read whole")
        .by(Wrong::Incremental(|turns, messages, right| {
            let fitting = messages.iter().filter(|message| misfit(message).is_none());
            *turns = right(&fitting.cloned().collect::<Vec<_>>());
        })),
    fault("normalize_ui/refuses-wrong-fields", "ui/conserves")
        .that("does not show a message of which one field has another type than its own types have")
        .by(Wrong::List(|asked, shown| keep(asked, shown, |part| misfit(part.whole).is_none()))),
    fault("normalize_ui/passes-over-what-is-no-block", "ui/conserves")
        .that("shows no part for an element of a content that is no block")
        .by(Wrong::List(|asked, shown| {
            keep(asked, shown, |part| content(part.whole).is_string() || part.block().is_some_and(Value::is_object));
        })),
    fault("normalize_ui/takes-wrong-fields-away", "ui/conserves")
        .that("takes fields of a wrong type away from the messages that it shows")
        .by(Wrong::UiPart(|_, message| take_away(message))),
    fault("reorder_ui/refuses-wrong-fields", "ui/permutation")
        .that("loses a message with a field of a wrong type when it puts calls and results together")
        .by(Wrong::Messages(|messages| messages.retain(|message| misfit(message).is_none()))),
    fault("record/leaves-out-wrong-fields", "record/nothing-lost")
        .that("does not write a message of which one field has another type than its own types have")
        .by(Wrong::Record(Slip::Step(|process, step| {
            process.right(&filtered(step, |message| misfit(message).is_none()))
        }))),
    fault("record/takes-wrong-fields-away", "record/nothing-lost")
        .that("writes a message without the fields that have a wrong type")
        .by(Wrong::Record(Slip::Line(|members| {
            let Some(body) = members.get("message").and_then(|body| serde_json::from_str::<Value>(body.get()).ok()) else {
                return;
            };
            let mut line = json!({"type": "assistant", "message": body});
            take_away(&mut line);
            if line["message"] != body
                && let Ok(body) = to_raw_value(&line["message"])
            {
                members.insert("message".to_owned(), body);
            }
        }))),
    fault("record/refuses-wrong-fields", "record/total")
        .that("refuses a list in which one field of one message has a wrong type")
        .by(Wrong::Record(Slip::Step(|process, step| {
            let mut has_misfit = false;
            filtered(step, |message| {
                has_misfit |= misfit(message).is_some();
                true
            });
            if has_misfit { Err("a field has another type than is expected".to_owned()) } else { process.right(step) }
        }))),
    fault("resume/refuses-wrong-fields", "resume/complete")
        .that("does not index a record of which one field has another type than its own types have")
        .seen_in("omnigent-ai/omnigent#1957")
        .by(Wrong::Unindexed(|seen| misfit(&seen.value).is_some())),
    fault("accumulate/refuses-wrong-fields", "stream/accumulates")
        .that("passes over the start of a reply whose usage has a wrong type, and so over the whole reply")
        .by(Wrong::EachEvent(|event| {
            if kind(event) == "message_start" && event["message"]["usage"]["input_tokens"].is_string() {
                *event = json!({"type": "ping"});
            }
        })),
    fault("accumulate/takes-wrong-fields-away", "stream/accumulates")
        .that("forgets the usage of a start when one count in it is no number")
        .by(Wrong::Items(|items: Vec<StreamItem>| {
            wire::events(items, |event| {
                if event["message"]["usage"]["input_tokens"].is_string() {
                    event["message"]["usage"] = Value::Null;
                }
            })
        })),
    fault("play/resumes-without-wrong-fields", "engine/resume-complete")
        .that("does not bring back a message of which one field has another type than its own types have")
        .by(Wrong::Resumed(|list| list.retain(|message| misfit(message).is_none()))),
    fault("play/sends-no-wrong-fields", "engine/request-of-live")
        .that("does not send a prompt of which one block has a field of a wrong type")
        .by(Wrong::Requests(|messages, turns| {
            let odd = messages.iter().filter(|message| kind(message) == "user" && misfit(message).is_some());
            let lost: Vec<String> = odd.flat_map(words).map(str::to_owned).collect();
            retain(turns, "user", |block| !lost.iter().any(|words| words == text(block, "text")));
        })),
];

/// The path of the first known field of a message that has a wrong type.
fn misfit(message: &Value) -> Option<String> {
    let entry: Entry = serde_json::from_value(message.clone().into()).ok()?;
    Some(entry.misfit()?.path)
}

/// Takes some fields of a wrong type away from a message.
fn take_away(message: &mut Value) {
    let fits = |name: &str, value: &Value| match name {
        "permissionMode" | "title" | "stop_reason" => !value.is_number(),
        "is_error" => !value.is_string(),
        "input_tokens" => !value.is_string(),
        _ => true,
    };
    let mut clean = |value: &mut Value| {
        if let Some(members) = value.as_object_mut() {
            members.retain(|name, value| fits(name, value));
        }
    };
    clean(message);
    for path in ["/message", "/message/usage"] {
        message.pointer_mut(path).into_iter().for_each(&mut clean);
    }
    blocks_mut(message).into_iter().flatten().for_each(clean);
}
