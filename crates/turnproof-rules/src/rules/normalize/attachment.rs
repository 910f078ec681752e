//! An *attachment* brings context beside the conversation; here is which text of each kind is sent.

use serde_json::Value;

use super::block::text_block;
use crate::rules::value::{is_blank, kind, text};

/// The blocks that a request has of an attachment; `None` when it sends nothing of it.
pub(super) fn blocks(event: &Value) -> Option<Vec<Value>> {
    let attachment = event.get("attachment")?;
    if let ("queued_command", Some(Value::Array(prompt))) = (kind(attachment), attachment.get("prompt")) {
        let blocks: Vec<Value> = prompt.iter().filter(|block| block.is_object()).cloned().collect();
        return Some(blocks).filter(|blocks| !blocks.is_empty());
    }
    let mut texts = Vec::new();
    for path in paths(text(attachment, "type")?) {
        gather(attachment, path, &mut texts);
    }
    (!texts.is_empty()).then(|| vec![text_block(&texts.join("\n"))])
}

/// Where an attachment of this kind holds what is sent; `name[]` goes into each element of a list.
fn paths(kind: &str) -> &'static [&'static str] {
    match kind {
        "queued_command" => &["prompt"],
        "file" => &["filename", "content.file.content"],
        "edited_text_file" => &["filename", "snippet"],
        "nested_memory" => &["path", "content.content"],
        "compact_file_reference" => &["filename"],
        "hook_additional_context" | "skill_listing" => &["content"],
        "hook_blocking_error" => &["blockingError.blockingError"],
        "todo_reminder" => &["content[].content"],
        "task_reminder" => &["content[].subject"],
        "invoked_skills" => &["skills[].content"],
        "date_change" => &["newDate"],
        "total_tokens_reminder" | "silent_turn_reminder" | "batching_reminder_sent" => &["text"],
        "read_truncation_notice" => &["banner"],
        "deferred_tools_delta" | "agent_listing_delta" => &["addedLines"],
        "mcp_instructions_delta" => &["addedBlocks"],
        "task_status" => &["description", "status"],
        _ => &[],
    }
}

/// Adds the strings at a path that are not blank.
fn gather<'a>(value: &'a Value, path: &str, texts: &mut Vec<&'a str>) {
    let (step, rest) = path.split_once('.').unwrap_or((path, ""));
    let Some(value) = value.get(step.trim_end_matches("[]")) else { return };
    if step.ends_with("[]") {
        for element in value.as_array().into_iter().flatten() {
            gather(element, rest, texts);
        }
    } else if !rest.is_empty() {
        gather(value, rest, texts);
    } else {
        let strings = match value {
            Value::Array(elements) => elements.as_slice(),
            other => std::slice::from_ref(other),
        };
        texts.extend(strings.iter().filter_map(Value::as_str).filter(|text| !is_blank(text)));
    }
}
