//! *Building* messages, blocks and turns in few words, and asking rules about them.

pub(super) use crate::families::judge as verdict;

use serde_json::{Value, json};
use turnproof_rules::operation::{ApiNormalized, Plain, RequestOptions};
use turnproof_rules::rules::{CATALOGUE, Judge, Rule};

pub(super) const PLACEHOLDER: &str = "[Tool result missing due to internal error]";

/// A list of messages, and the request that is right for it.
#[derive(Clone, Debug)]
pub(super) struct Pair {
    pub name: &'static str,
    pub messages: Value,
    pub context: Option<&'static str>,
    pub request: Value,
}

pub(super) fn pair(
    name: &'static str,
    messages: impl IntoIterator<Item = Value>,
    request: impl IntoIterator<Item = Value>,
) -> Pair {
    Pair { name, messages: messages.into_iter().collect(), context: None, request: request.into_iter().collect() }
}

/// A user message: a string, or a list of blocks.
pub(super) fn user(content: impl Into<Value>) -> Value {
    json!({"type": "user", "message": {"role": "user", "content": content.into()}})
}

/// A user message that the client made.
pub(super) fn meta(blocks: Vec<Value>) -> Value {
    with(user(blocks), json!({"isMeta": true}))
}

/// An assistant message of no particular reply.
pub(super) fn reply(blocks: Vec<Value>) -> Value {
    json!({"type": "assistant", "message": {"role": "assistant", "content": blocks}})
}

/// A line of the reply with this id.
pub(super) fn line(id: &str, blocks: Vec<Value>) -> Value {
    json!({"type": "assistant", "message": {"id": id, "role": "assistant", "content": blocks}})
}

/// An error of the API with these words.
pub(super) fn api_error(words: &str) -> Value {
    json!({"type": "assistant", "isApiErrorMessage": true,
        "message": {"model": "<synthetic>", "role": "assistant", "content": [text(words)]}})
}

pub(super) fn system(subtype: &str, content: &str) -> Value {
    json!({"type": "system", "subtype": subtype, "content": content})
}

pub(super) fn attachment(attachment: Value) -> Value {
    json!({"type": "attachment", "attachment": attachment})
}

/// An attachment that says this.
pub(super) fn note(text: &str) -> Value {
    attachment(json!({"type": "hook_additional_context", "content": [text]}))
}

pub(super) fn tombstone(uuid: &str) -> Value {
    json!({"type": "tombstone", "message": {"type": "assistant", "uuid": uuid}})
}

/// An object with additional members.
pub(super) fn with(mut object: Value, more: Value) -> Value {
    for (name, value) in more.as_object().expect("an object") {
        object[name] = value.clone();
    }
    object
}

pub(super) fn text(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

/// A text that is made of an attachment.
pub(super) fn attached(words: &str) -> Value {
    text(&format!("<system-reminder>\n{words}\n</system-reminder>"))
}

pub(super) fn call(id: &str) -> Value {
    json!({"type": "tool_use", "id": id, "name": "Bash", "input": {"command": "ls"}})
}

pub(super) fn result(id: &str, content: &str) -> Value {
    json!({"type": "tool_result", "tool_use_id": id, "content": content})
}

pub(super) fn missing(id: &str) -> Value {
    json!({"type": "tool_result", "tool_use_id": id, "content": PLACEHOLDER, "is_error": true})
}

pub(super) fn search(id: &str) -> Value {
    json!({"type": "server_tool_use", "id": id, "name": "web_search", "input": {"query": "q"}})
}

pub(super) fn found(id: &str) -> Value {
    json!({"type": "web_search_tool_result", "tool_use_id": id, "content": []})
}

pub(super) fn thought(words: &str) -> Value {
    json!({"type": "thinking", "thinking": words, "signature": "s"})
}

pub(super) fn image() -> Value {
    json!({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AA=="}})
}

pub(super) fn document() -> Value {
    json!({"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "d"}})
}

/// A turn of a user.
pub(super) fn ut(blocks: Vec<Value>) -> Value {
    json!({"role": "user", "content": blocks})
}

/// A turn of an assistant.
pub(super) fn at(blocks: Vec<Value>) -> Value {
    json!({"role": "assistant", "content": blocks})
}

/// The rules on normalization.
pub(super) fn rules() -> Vec<&'static Rule> {
    let is_one = |rule: &&&Rule| matches!(rule.judge, Judge::NormalizeApi(_));
    CATALOGUE.iter().filter(is_one).copied().collect()
}

/// A case with all answers of a right subject.
pub(super) fn case(messages: &Value, context: Option<&str>, request: &Value) -> ApiNormalized {
    let given = || Ok(Plain::from(request.clone()));
    ApiNormalized {
        messages: Plain::from(messages.clone()),
        options: RequestOptions { context: context.map(str::to_owned) },
        request: given(),
        again: Some(given()),
        messages_after: Some(Plain::from(messages.clone())),
        renormalized: Some(given()),
        shorter: Vec::new(),
        incremental: None,
    }
}
