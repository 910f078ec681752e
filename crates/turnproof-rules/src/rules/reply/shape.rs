//! The *shape* of a reply: events, messages and blocks have the members that clients read.
//!
//! Members that the table of shapes does not have are no matter: replies have more than requests.

use turnproof_format::shapes;

use crate::json::Value;
use crate::operation::Host;
use crate::operation::reply::{AssembledBlock, Reply, ReplyEvent, ReplyForm};
use crate::rules::shape::{Path, Sort, look_at_members};
use crate::rules::value::{kind, text};
use crate::rules::{Place, Report};

pub(super) fn shape(reply: &Reply, report: &mut Report<'_>) {
    for event in reply.stream().unwrap_or_default() {
        wrong_event(event, report);
    }
    if reply.form == ReplyForm::Error {
        wrong_error(&reply.message, Place::Reply { block: None, member: "error" }, report);
    }
    if let Some((place, message)) = reply.assembled.message.as_ref().filter(|(_, message)| message.is_object()) {
        wrong_message(message, *place, report);
    }
    for block in &reply.assembled.blocks {
        wrong_block(block, report);
    }
}

/// What an event needs: an index, or an object.
fn wrong_event(event: &ReplyEvent, report: &mut Report<'_>) {
    let name = event.kind();
    if !event.value.is_object() {
        return;
    }
    let (has_index, needed) = match name {
        "message_start" => (false, "message"),
        "content_block_start" => (true, "content_block"),
        "content_block_delta" => (true, "delta"),
        "content_block_stop" => (true, ""),
        "message_delta" => (false, "delta"),
        "error" => return wrong_error(&event.value, event.place(), report),
        _ => return,
    };
    if has_index && !event.value.get("index").is_some_and(Value::is_number) {
        report.add(event.place(), "no-index", sentence!("`{name}` has no index", name), "the index of a block");
    }
    if !needed.is_empty() && !event.value.get(needed).is_some_and(Value::is_object) {
        let found = sentence!("`{name}` has no `{needed}`", name, needed);
        report.add(event.place(), "no-member", found, sentence!("`{needed}`, an object", needed));
    }
}

fn wrong_error(error: &Value, place: Place, report: &mut Report<'_>) {
    let error = error.get("error");
    let has = |member: &str| error.is_some_and(|error| text(error, member).is_some());
    if !has("type") || !has("message") {
        report.add(place, "error", "the error has no type or no message", "`error` with type and message, two texts");
    }
}

fn wrong_message(message: &Value, place: Place, report: &mut Report<'_>) {
    for (member, expected) in [("type", "message"), ("role", "assistant")] {
        if text(message, member) != Some(expected) {
            let found = message.get(member).unwrap_or(&Value::Null).to_string();
            let found = sentence!("the {member} of the message is {found}", member, found);
            report.add(place.member(member), member, found, expected);
        }
    }
    if text(message, "model").is_none_or(str::is_empty) {
        report.add(place.member("model"), "model", "the message names no model", "the model's name");
    }
    if !message.get("content").is_some_and(Value::is_array) {
        report.add(place.member("content"), "content", "the content of the message is no list", "a list of blocks");
    }
}

/// Reports members of a block that are missing or of another type, once the block is whole.
fn wrong_block(block: &AssembledBlock, report: &mut Report<'_>) {
    let index = block.index;
    let block_type = kind(&block.value);
    if block_type.is_empty() {
        let found = sentence!("block {index} has no type", index);
        return report.add(block.place.member("type"), "no-type", found, "the type of the block");
    }
    let Some(known) = shapes::block(block_type).filter(|_| block.is_stopped) else { return };
    let content = Path::list("content");
    let path = content.element(usize::try_from(index).unwrap_or(usize::MAX));
    // Ids and inputs have rules of their own.
    let is_own = |member: &str| block.is_call() && matches!(member, "id" | "input");
    look_at_members(&block.value, known, &path, Host::Anthropic, &mut |flaw| {
        if flaw.sort == Sort::Lacking && !is_own(&flaw.member) {
            report.add(block.place, flaw.kind, flaw.found, sentence!("what a {block_type} requires", block_type));
        }
    });
}
