//! The *naive model* of normalization for the API: its meaning written down step by step, slow and literal. The
//! reference is compared with it.
//!
//! One function for each step, in the order of the steps; [`normalize`] is the list of them. Messages
//! are plain values, so lone surrogates are U+FFFD from the start.

mod attachments;
mod pair;
mod tidy;

pub(super) use attachments::blocks_of_attachment;
pub(super) use pair::{is_plain_id, is_server_id, pair_tools, server_pairs};
pub(super) use tidy::tidy_blocks;

use serde_json::{Value, json};
pub(super) use turnproof_format::{SERVER_RESULTS, is_blank, is_space};

/// A message on its way to be a turn: who speaks, which reply it belongs to, what it holds.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Turn {
    /// `user` or `assistant`.
    pub role: &'static str,
    /// The reply, for an assistant message that names one.
    pub reply: Option<String>,
    /// The content.
    pub blocks: Vec<Value>,
}

impl Turn {
    /// A user's turn.
    pub(super) fn user(blocks: Vec<Value>) -> Self {
        Self { role: "user", reply: None, blocks }
    }

    /// An assistant's turn that belongs to no reply.
    pub(super) fn assistant(blocks: Vec<Value>) -> Self {
        Self { role: "assistant", reply: None, blocks }
    }

    pub(super) fn is_user(&self) -> bool {
        self.role == "user"
    }
}

/// The turns of a request for these messages.
pub(super) fn normalize(messages: &[Value], context: Option<&str>) -> Vec<Value> {
    let events = reorder_attachments(messages.to_vec());
    let events = drop_hidden(events);
    let events = strip_rejected_media(events);
    let events = drop_internal(events);
    let turns = convert(events);
    let turns = regroup_replies(turns);
    let turns = tidy_blocks(turns);
    let turns = merge(turns);
    let turns = pair_tools(turns);
    let turns = tidy_turns(turns);
    let turns = prepend_context(turns, context);
    turns.into_iter().map(|turn| json!({"role": turn.role, "content": turn.blocks})).collect()
}

/// A member that is a string.
fn string<'a>(value: &'a Value, name: &str) -> Option<&'a str> {
    value.get(name)?.as_str()
}

fn is_set(event: &Value, flag: &str) -> bool {
    event.get(flag) == Some(&Value::Bool(true))
}

fn is_kind(event: &Value, kind: &str) -> bool {
    string(event, "type") == Some(kind)
}

fn is_system(event: &Value, subtype: &str) -> bool {
    is_kind(event, "system") && string(event, "subtype") == Some(subtype)
}

fn is_type(block: &Value, type_name: &str) -> bool {
    string(block, "type") == Some(type_name)
}

/// The blocks of a message whose content is a list; no blocks when it is anything else.
fn listed_blocks(event: &Value) -> &[Value] {
    event["message"]["content"].as_array().map_or(&[], Vec::as_slice)
}

/// Step 1: attachments go to the front of their run; runs begin after each stop.
pub(super) fn reorder_attachments(events: Vec<Value>) -> Vec<Value> {
    let is_stop = |event: &Value| {
        is_kind(event, "assistant")
            || is_kind(event, "user") && listed_blocks(event).iter().any(|block| is_type(block, "tool_result"))
    };
    let mut ordered = Vec::new();
    for run in events.split_inclusive(is_stop) {
        let (attachments, others): (Vec<_>, Vec<_>) =
            run.iter().cloned().partition(|event| is_kind(event, "attachment"));
        ordered.extend(attachments);
        ordered.extend(others);
    }
    ordered
}

/// Step 2: what is virtual is dropped, and what only the transcript view shows, but for summaries.
pub(super) fn drop_hidden(mut events: Vec<Value>) -> Vec<Value> {
    let is_summary = |event: &Value| is_kind(event, "user") && is_set(event, "isCompactSummary");
    events.retain(|event| !is_set(event, "isVirtual"));
    events.retain(|event| !is_set(event, "isVisibleInTranscriptOnly") || is_summary(event));
    events
}

fn is_synthetic_error(event: &Value) -> bool {
    is_kind(event, "assistant")
        && is_set(event, "isApiErrorMessage")
        && string(&event["message"], "model") == Some("<synthetic>")
}

/// What a synthetic API error says, in small letters.
fn words_of_error(event: &Value) -> String {
    let words = match string(&event["message"], "content") {
        Some(content) => content.to_owned(),
        None => {
            let texts = listed_blocks(event).iter().filter(|block| is_type(block, "text"));
            texts.filter_map(|block| string(block, "text")).collect::<Vec<_>>().join("\n")
        }
    };
    words.to_ascii_lowercase()
}

/// The types of block that a synthetic API error refuses.
pub(super) fn refused_types(event: &Value) -> Vec<&'static str> {
    let words = words_of_error(event);
    let has = |any: &[&str]| any.iter().any(|part| words.contains(part));
    let refuses_all = has(&["request too large", "request_too_large", "request was too large"]);
    let refuses_images = has(&["image"]) && has(&["too large", "exceed", "could not process"]);
    let document_reasons = ["too large", "exceed", "maximum of", "password", "not valid", "invalid", "could not"];
    let refuses_documents = has(&["pdf"]) && has(&document_reasons);
    let mut refused = Vec::new();
    if refuses_images || refuses_all {
        refused.push("image");
    }
    if refuses_documents || refuses_all {
        refused.push("document");
    }
    refused
}

/// Step 3: media that an error refuses are removed from the meta user message before the error, and from the
/// attachments since the last reply.
pub(super) fn strip_rejected_media(events: Vec<Value>) -> Vec<Value> {
    let mut marked: Vec<Vec<&str>> = vec![Vec::new(); events.len()];
    for (at, error) in events.iter().enumerate().filter(|(_, event)| is_synthetic_error(event)) {
        let refused = refused_types(error);
        let is_reply = |event: &Value| is_kind(event, "assistant") && !is_synthetic_error(event);
        for earlier in (0..at).rev().take_while(|&earlier| !is_reply(&events[earlier])) {
            let is_typed = string(&events[earlier]["attachment"], "type") == Some("queued_command");
            if is_kind(&events[earlier], "attachment") && !is_typed {
                marked[earlier].extend(&refused);
            }
        }
        let Some(cause) = (0..at).rev().find(|&earlier| !is_looked_past(&events[earlier])) else { continue };
        let is_refused = |block: &Value| refused.iter().any(|type_name| is_type(block, type_name));
        let holds = listed_blocks(&events[cause]).iter().any(is_refused);
        if is_kind(&events[cause], "user") && is_set(&events[cause], "isMeta") && holds {
            marked[cause].extend(refused);
        }
    }
    let without = |(mut event, types): (Value, Vec<&str>)| {
        if types.is_empty() {
            return Some(event);
        }
        if is_kind(&event, "attachment") {
            event["refused"] = json!(types);
            return Some(event);
        }
        let blocks = event["message"]["content"].as_array_mut()?;
        blocks.retain(|block| !types.iter().any(|type_name| is_type(block, type_name)));
        (!blocks.is_empty()).then_some(event)
    };
    events.into_iter().zip(marked).filter_map(without).collect()
}

/// What is between an error and the message that it is about.
fn is_looked_past(event: &Value) -> bool {
    const NEVER_LINKS: [&str; 6] =
        ["progress", "grouped_tool_use", "tombstone", "tool_use_summary", "stream_event", "stream_request_start"];
    is_synthetic_error(event) || is_system(event, "api_error") || NEVER_LINKS.iter().any(|kind| is_kind(event, kind))
}

/// Step 4: what only the client knows is dropped, and what tombstones withdraw.
pub(super) fn drop_internal(events: Vec<Value>) -> Vec<Value> {
    let is_withdrawn = |at: usize| {
        let uuid = string(&events[at], "uuid");
        let withdraws =
            |later: &Value| is_kind(later, "tombstone") && uuid.is_some() && string(&later["message"], "uuid") == uuid;
        is_kind(&events[at], "assistant") && events[at + 1..].iter().any(withdraws)
    };
    let is_sent = |event: &Value| {
        is_kind(event, "user")
            || is_kind(event, "assistant") && !is_synthetic_error(event)
            || is_kind(event, "attachment")
            || is_system(event, "local_command")
    };
    let kept = events.iter().enumerate().filter(|&(at, event)| is_sent(event) && !is_withdrawn(at));
    kept.map(|(_, event)| event.clone()).collect()
}

fn text_block(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

/// Step 5: what is sent becomes the blocks of a user or an assistant.
pub(super) fn convert(events: Vec<Value>) -> Vec<Turn> {
    events.iter().filter_map(turn_of_event).collect()
}

fn turn_of_event(event: &Value) -> Option<Turn> {
    let blocks_of_content = |content: &Value| match content {
        Value::String(text) => vec![text_block(text)],
        Value::Array(blocks) => blocks.clone(),
        _ => Vec::new(),
    };
    match string(event, "type")? {
        "user" => Some(Turn::user(blocks_of_content(&event["message"]["content"]))),
        "assistant" => Some(Turn {
            reply: string(&event["message"], "id").filter(|id| !id.is_empty()).map(str::to_owned),
            ..Turn::assistant(blocks_of_content(&event["message"]["content"]))
        }),
        "system" => {
            let text = string(event, "content").or_else(|| string(event, "message"));
            Some(Turn::user(text.map(text_block).into_iter().collect()))
        }
        "attachment" => turn_of_attachment(event),
        _ => None,
    }
}

/// The blocks that were sent for an attachment.
fn written(content: &Value) -> Vec<Value> {
    let blocks = match content {
        Value::String(text) => vec![text_block(text)],
        Value::Array(blocks) => blocks.iter().filter(|block| block.is_object()).cloned().collect(),
        _ => Vec::new(),
    };
    let is_blank =
        |block: &Value| is_type(block, "text") && string(block, "text").is_some_and(|text| text.trim().is_empty());
    blocks.into_iter().filter(|block| !is_blank(block)).collect()
}

fn turn_of_attachment(event: &Value) -> Option<Turn> {
    let mut blocks = match event["rendered"].as_array() {
        Some(parts) => parts.iter().flat_map(|part| written(&part["content"])).collect(),
        None => blocks_of_attachment(&event["attachment"]),
    };
    let refused = event["refused"].as_array().map_or(&[][..], Vec::as_slice);
    blocks.retain(|block| !refused.contains(&block["type"]));
    (!blocks.is_empty()).then(|| Turn::user(blocks))
}

/// Step 6: the lines of one reply become one message, in the place of the first of them.
pub(super) fn regroup_replies(turns: Vec<Turn>) -> Vec<Turn> {
    let mut regrouped: Vec<Turn> = Vec::new();
    for turn in turns {
        let first = regrouped.iter_mut().find(|first| turn.reply.is_some() && first.reply == turn.reply);
        match first {
            Some(first) => first.blocks.extend(turn.blocks),
            None => regrouped.push(turn),
        }
    }
    regrouped
}

/// Step 8: neighbours of one role become one turn.
pub(super) fn merge(turns: Vec<Turn>) -> Vec<Turn> {
    let mut merged: Vec<Turn> = Vec::new();
    for turn in turns {
        match merged.last_mut().filter(|last| last.role == turn.role) {
            Some(last) => last.blocks.extend(turn.blocks),
            None => merged.push(Turn { reply: None, ..turn }),
        }
    }
    merged
}

/// Step 10: turns begin and end as they must, and no turn is empty.
pub(super) fn tidy_turns(mut turns: Vec<Turn>) -> Vec<Turn> {
    let is_thinking = |block: &Value| is_type(block, "thinking") || is_type(block, "redacted_thinking");
    for turn in turns.iter_mut().filter(|turn| !turn.is_user()) {
        while turn.blocks.last().is_some_and(is_thinking) {
            turn.blocks.pop();
        }
    }
    turns.retain(|turn| turn.is_user() || !turn.blocks.is_empty());
    turns = merge(turns);
    for turn in turns.iter_mut().filter(|turn| turn.is_user()) {
        turn.blocks.sort_by_key(|block| !is_type(block, "tool_result"));
        if turn.blocks.is_empty() {
            turn.blocks.push(text_block("(no content)"));
        }
    }
    if turns.first().is_some_and(|first| !first.is_user()) {
        turns.insert(0, Turn::user(vec![text_block("(no content)")]));
    }
    if let Some(last) = turns.last_mut().filter(|last| !last.is_user()).and_then(|last| last.blocks.last_mut())
        && is_type(last, "text")
        && let Some(text) = string(last, "text").map(|text| text.trim_end_matches(is_space).to_owned())
    {
        last["text"] = Value::from(text);
    }
    turns
}

/// Step 11: context is placed in front of what the first user says.
pub(super) fn prepend_context(mut turns: Vec<Turn>, context: Option<&str>) -> Vec<Turn> {
    if let (Some(context), Some(first)) = (context, turns.iter_mut().find(|turn| turn.is_user()))
        && !is_blank(context)
    {
        let results = first.blocks.iter().take_while(|block| is_type(block, "tool_result")).count();
        first.blocks.insert(results, text_block(context));
    }
    turns
}
