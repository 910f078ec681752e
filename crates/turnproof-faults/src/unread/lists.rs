//! *Lists* of messages, changed for a request.

use std::collections::{HashMap, HashSet};

use turnproof::operation::RequestOptions;
use turnproof::operation::Value;
use turnproof::subject::{Outcome, Reference, Subject};
use turnproof_rules::json;

use super::super::walk::{blocks, blocks_mut, change_text, is, kind, list, retain, text, words};

/// Whether a member is missing, null, or as it should be.
pub(super) fn fits(message: &Value, name: &str, is_right: fn(&Value) -> bool) -> bool {
    message.get(name).is_none_or(|value| value.is_null() || is_right(value))
}

/// Puts what an attachment says in its place, as a meta message of the user.
pub(super) fn say_in_place(message: &mut Value) {
    if kind(message) != "attachment" {
        return;
    }
    let alone = Value::Array(vec![message.clone()]).to_string();
    let Outcome::Output(request) = Reference.normalize_api(&alone, &RequestOptions::default()) else { return };
    let said: Vec<Value> = list(&request.turns).unwrap_or_default().iter().flat_map(blocks).cloned().collect();
    *message = json!({"type": "user", "isMeta": true, "uuid": message["uuid"], "message": {"content": said}});
}

pub(super) fn reverse_attachments(messages: &mut [Value]) {
    for run in messages.chunk_by_mut(|one, two| kind(one) == "attachment" && kind(two) == "attachment") {
        run.reverse();
    }
}

pub(super) fn past_replies(messages: &mut [Value]) {
    for at in 1..messages.len() {
        if kind(&messages[at]) == "attachment" && kind(&messages[at - 1]) == "assistant" {
            messages.swap(at, at - 1);
        }
    }
}

/// The uuids that tombstones withdraw, with their places.
pub(super) fn withdrawn(messages: &[Value]) -> Vec<(usize, String)> {
    let is_tombstone = |(_, message): &(usize, &Value)| kind(message) == "tombstone";
    let named = |(at, message): (usize, &Value)| (at, text(&message["message"], "uuid").to_owned());
    messages.iter().enumerate().filter(is_tombstone).map(named).filter(|(_, uuid)| !uuid.is_empty()).collect()
}

pub(super) fn withdraw_one(messages: &mut [Value]) {
    for (at, uuid) in withdrawn(messages) {
        let is_meant = |message: &Value| kind(message) == "assistant" && text(message, "uuid") == uuid;
        let last = messages[..at].iter().rposition(is_meant);
        for (index, message) in messages[..at].iter_mut().enumerate() {
            if is_meant(message) && Some(index) != last {
                message["uuid"] = "99999999-1111-4000-8000-000000000000".into();
            }
        }
    }
}

pub(super) fn withdraw_later(messages: &mut Vec<Value>) {
    for (at, uuid) in withdrawn(messages) {
        let mut index = 0;
        messages.retain(|message| {
            index += 1;
            index <= at || kind(message) != "assistant" || text(message, "uuid") != uuid
        });
    }
}

pub(super) fn withdraw_prompts(messages: &mut Vec<Value>) {
    let gone: HashSet<String> = withdrawn(messages).into_iter().map(|(_, uuid)| uuid).collect();
    messages.retain(|message| kind(message) != "user" || !gone.contains(text(message, "uuid")));
}

/// Changes the words of each API error.
pub(super) fn each_error(messages: &mut [Value], change: impl Fn(&str) -> String) {
    for message in messages.iter_mut().filter(|message| is(message, "isApiErrorMessage")) {
        blocks_mut(message).into_iter().flatten().for_each(|block| change_text(block, &change));
    }
}

pub(super) fn refuses(message: &Value) -> bool {
    words(message).any(|said| said.to_lowercase().contains("image") || said.to_lowercase().contains("too large"))
}

pub(super) fn where_they_end(messages: &mut Vec<Value>) {
    let id = |message: &Value| match message.pointer("/message/id").and_then(Value::as_str) {
        Some(id) if kind(message) == "assistant" && !id.is_empty() => Some(id.to_owned()),
        _ => None,
    };
    let last: HashMap<String, usize> =
        messages.iter().enumerate().filter_map(|(at, message)| Some((id(message)?, at))).collect();
    let mut placed: Vec<(usize, Value)> = messages.drain(..).enumerate().collect();
    placed.sort_by_key(|(at, message)| id(message).and_then(|id| last.get(&id).copied()).unwrap_or(*at));
    messages.extend(placed.into_iter().map(|(_, message)| message));
}

/// Drops the calls that `keep` does not want, given their reply and their id.
pub(super) fn retain_calls(messages: &mut [Value], mut keep: impl FnMut(&str, &str) -> bool) {
    for (at, message) in messages.iter_mut().enumerate() {
        let reply = message.pointer("/message/id").and_then(Value::as_str).unwrap_or_default();
        let reply = if reply.is_empty() { at.to_string() } else { reply.to_owned() };
        retain(std::slice::from_mut(message), "assistant", |block| {
            kind(block) != "tool_use" || keep(&reply, text(block, "id"))
        });
    }
}
