//! What a block looks like when a model *streams* it: a start, deltas, a stop, each as JSON.

use serde_json::{Value, json};

use super::line::BlockPlan;
use super::pool::{server_call_id, text};

/// The events of one block, in order; without the stop, and with one delta at most, when it is `half`.
pub(super) fn block_events(block: BlockPlan, call: &str, index: u64, cuts: u8, half: bool) -> Vec<String> {
    let (start, deltas) = parts(block, call, cuts);
    let mut events =
        vec![format!(r#"{{"type":"content_block_start","index":{index},"content_block":{start}}}"#)];
    let shown = if half { 1 } else { deltas.len() };
    events.extend(
        deltas
            .iter()
            .take(shown)
            .map(|delta| format!(r#"{{"type":"content_block_delta","index":{index},"delta":{delta}}}"#)),
    );
    if !half {
        events.push(json!({"type": "content_block_stop", "index": index}).to_string());
    }
    events
}

/// The block as it starts, and its deltas.
fn parts(block: BlockPlan, call: &str, cuts: u8) -> (String, Vec<String>) {
    match block {
        BlockPlan::ToolUse(which) | BlockPlan::OddCall(_, which) => {
            let name = ["Bash", "Read", "Edit", "Task"][usize::from(which) % 4];
            let start = json!({"type": "tool_use", "id": call, "name": name, "input": {}});
            (start.to_string(), input_deltas(&input(which), cuts))
        }
        BlockPlan::Thinking(which) | BlockPlan::OddThinking(_, which) => {
            let mut deltas = text_deltas("thinking_delta", "thinking", &text(which), cuts);
            if cuts > 1 {
                // The last signature counts.
                deltas.push(json!({"type": "signature_delta", "signature": "Zmlyc3Q="}).to_string());
            }
            deltas.push(json!({"type": "signature_delta", "signature": "c2lnbmVk"}).to_string());
            (json!({"type": "thinking", "thinking": "", "signature": ""}).to_string(), deltas)
        }
        BlockPlan::RedactedThinking => {
            (json!({"type": "redacted_thinking", "data": "ZGF0YQ=="}).to_string(), Vec::new())
        }
        BlockPlan::ServerToolUse(which) | BlockPlan::OddServerCall(_, which) => {
            let id = server_call_id(which % 4);
            let start = json!({"type": "server_tool_use", "id": id, "name": "web_search", "input": {}});
            (start.to_string(), input_deltas(r#"{"query":"a"}"#, cuts))
        }
        BlockPlan::ServerToolResult(which) | BlockPlan::OddServerResult(_, which) => {
            let id = server_call_id(which % 4);
            let start = json!({"type": "web_search_tool_result", "tool_use_id": id, "content": []});
            (start.to_string(), Vec::new())
        }
        BlockPlan::Text(which) | BlockPlan::OddText(_, which) => {
            let mut deltas = text_deltas("text_delta", "text", &text(which), cuts);
            if which % 8 == 2 {
                deltas.push(
                    json!({"type": "citations_delta", "citation": {"type": "char_location",
                    "cited_text": "a", "document_index": 0, "document_title": null,
                    "start_char_index": 0, "end_char_index": 1, "file_id": null}})
                    .to_string(),
                );
            }
            (json!({"type": "text", "text": ""}).to_string(), deltas)
        }
        BlockPlan::Unknown(which) if which % 2 == 1 => {
            let delta = |content| json!({"type": "compaction_delta", "content": content}).to_string();
            let deltas = vec![delta("What happened"), delta("What happened so far")];
            (json!({"type": "compaction", "content": null}).to_string(), deltas)
        }
        _ => (json!({"type": "a_block_of_tomorrow", "payload": [1, 2.5]}).to_string(), Vec::new()),
    }
}

/// A call's input, as the model writes it.
fn input(which: u8) -> String {
    match which % 8 {
        0..5 => format!(r#"{{"command":{}}}"#, text(which)),
        5 => r#"{"file_path":"/a.rs","limit":1.50,"deep":{"a":[1,2,{"b":null}]}}"#.to_owned(),
        6 => r#" {"n": 12345678901234567890, "e": -0.0} "#.to_owned(),
        _ => String::new(),
    }
}

fn input_deltas(input: &str, cuts: u8) -> Vec<String> {
    let characters: Vec<char> = input.chars().collect();
    let mut deltas = vec![json!({"type": "input_json_delta", "partial_json": ""}).to_string()];
    deltas.extend(pieces(&characters, cuts).into_iter().map(|piece| {
        let piece: String = piece.iter().collect();
        json!({"type": "input_json_delta", "partial_json": Value::from(piece)}).to_string()
    }));
    deltas
}

/// A JSON string in deltas; it is cut between characters and escapes, also inside a surrogate pair.
fn text_deltas(delta: &str, member: &str, token: &str, cuts: u8) -> Vec<String> {
    let units = units(&token[1..token.len() - 1]);
    let delta_of = |piece: &[&str]| format!(r#"{{"type":"{delta}","{member}":"{}"}}"#, piece.concat());
    pieces(&units, cuts).into_iter().map(delta_of).collect()
}

/// The characters and escapes of a JSON string.
fn units(inside: &str) -> Vec<&str> {
    let mut units = Vec::new();
    let mut rest = inside;
    while let Some(first) = rest.chars().next() {
        let length = match rest.as_bytes() {
            [b'\\', b'u', ..] => 6,
            [b'\\', ..] => 2,
            _ => first.len_utf8(),
        };
        let (unit, after) = rest.split_at(length.min(rest.len()));
        units.push(unit);
        rest = after;
    }
    units
}

/// A list in so many pieces and one more, as even as can be; fewer when it is short.
fn pieces<T>(list: &[T], cuts: u8) -> Vec<&[T]> {
    if list.is_empty() {
        return Vec::new();
    }
    list.chunks(list.len().div_ceil(usize::from(cuts) + 1)).collect()
}

/// The event that begins a message.
pub(super) fn message_start(number: u64, model: &str) -> String {
    json!({"type": "message_start", "message": {"id": format!("msg_{number}"), "type": "message",
        "role": "assistant", "model": model, "content": [], "stop_reason": null, "stop_sequence": null,
        "usage": {"input_tokens": 10 + number, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 5,
            "output_tokens": 1, "service_tier": "standard"}}})
    .to_string()
}

/// The events that end a message.
pub(super) fn message_end(stop_reason: &str, output_tokens: u64) -> [String; 2] {
    let delta = json!({"type": "message_delta",
        "delta": {"stop_reason": stop_reason, "stop_sequence": null},
        "usage": {"output_tokens": output_tokens}});
    [delta.to_string(), json!({"type": "message_stop"}).to_string()]
}
