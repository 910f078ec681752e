//! The *blocks of an attachment*. Its words are free, so they are those of the reference for the attachment alone;
//! the rules judge them. All else is the model's own.

use serde_json::{Value, json};
use turnproof_reference::message::Event;
use turnproof_reference::normalize::api::{Options, normalize_for_api};

use super::{is_type, string, text_block};

/// What an attachment becomes; nothing when it says nothing.
pub(crate) fn blocks_of_attachment(attachment: &Value) -> Vec<Value> {
    let Ok(event) = serde_json::from_value::<Event>(json!({"type": "attachment", "attachment": attachment})) else {
        return Vec::new();
    };
    let prompt = attachment.get("prompt").and_then(Value::as_array);
    let prompt = prompt.filter(|_| string(attachment, "type") == Some("queued_command"));
    if let Some(prompt) = prompt {
        let alone = |block: &Value| {
            let mut one = attachment.clone();
            one["prompt"] = json!([block]);
            match is_type(block, "text") && string(block, "text").is_some_and(|text| !text.trim().is_empty()) {
                true => blocks_of(&serde_json::from_value(json!({"type": "attachment", "attachment": one})).unwrap()),
                false => vec![block.clone()],
            }
        };
        return prompt.iter().filter(|block| block.is_object()).flat_map(alone).collect();
    }
    blocks_of(&event)
}

fn blocks_of(event: &Event) -> Vec<Value> {
    let turns = serde_json::to_value(normalize_for_api(std::slice::from_ref(event), &Options::default())).unwrap();
    let mut blocks = turns[0]["content"].as_array().cloned().unwrap_or_default();
    // A turn that says nothing has this text, unless somebody typed it.
    let is_typed = |event: &Event| serde_json::to_string(event).is_ok_and(|json| json.contains("(no content)"));
    blocks.retain(|block| *block != text_block("(no content)") || is_typed(event));
    blocks
}
