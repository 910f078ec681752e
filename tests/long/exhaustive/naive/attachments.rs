//! The *words of an attachment*: the text that the model gets, by kind of attachment.

use serde_json::Value;

use super::{is_blank, string};

/// For each kind of attachment that is sent, the paths of its strings; `[]` stands for each element.
const PATHS: [(&str, &[&str]); 20] = [
    ("queued_command", &["prompt"]),
    ("file", &["filename", "content.file.content"]),
    ("edited_text_file", &["filename", "snippet"]),
    ("nested_memory", &["path", "content.content"]),
    ("compact_file_reference", &["filename"]),
    ("hook_additional_context", &["content"]),
    ("hook_blocking_error", &["blockingError.blockingError"]),
    ("todo_reminder", &["content[].content"]),
    ("task_reminder", &["content[].subject"]),
    ("skill_listing", &["content"]),
    ("invoked_skills", &["skills[].content"]),
    ("date_change", &["newDate"]),
    ("total_tokens_reminder", &["text"]),
    ("silent_turn_reminder", &["text"]),
    ("batching_reminder_sent", &["text"]),
    ("read_truncation_notice", &["banner"]),
    ("deferred_tools_delta", &["addedLines"]),
    ("agent_listing_delta", &["addedLines"]),
    ("mcp_instructions_delta", &["addedBlocks"]),
    ("task_status", &["description", "status"]),
];

/// The strings of an attachment that are sent, without blank ones.
pub fn words_of_attachment(attachment: &Value) -> Vec<String> {
    let kind = string(attachment, "type");
    let paths = PATHS.iter().find(|(name, _)| kind == Some(name)).map_or(&[][..], |(_, paths)| paths);
    let words = paths.iter().flat_map(|path| strings_at(attachment, path));
    words.filter(|text| !is_blank(text)).collect()
}

/// The strings at a path.
fn strings_at(value: &Value, path: &str) -> Vec<String> {
    let mut places = vec![value];
    for step in path.split('.') {
        places = match step.strip_suffix("[]") {
            Some(name) => {
                let lists = places.iter().filter_map(|place| place.get(name)?.as_array());
                lists.flatten().collect()
            }
            None => places.iter().filter_map(|place| place.get(step)).collect(),
        };
    }
    places.into_iter().flat_map(strings_in).collect()
}

/// A string is itself, a list gives each string in it.
fn strings_in(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => vec![text.clone()],
        Value::Array(elements) => elements.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        _ => Vec::new(),
    }
}
