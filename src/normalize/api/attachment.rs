//! What an *attachment* says to the model, by its kind.

use crate::json::{Fields, JsonType, Raw, Text};
use crate::message::{Attachment, Block, TextBlock, Typed};

use super::draft::Part;
use super::text::is_blank;

/// The kinds that are sent, and where in their body the words are. A step `name[]` goes into each
/// element of a list. Kinds that are not here are for the client alone.
const SENT: &[(&str, &[&str])] = &[
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

/// The parts that an attachment becomes; nothing when it says nothing to the model.
pub(super) fn parts(at: u32, attachment: &Attachment) -> Vec<Part<'static>> {
    let Some(body) = attachment.attachment.get() else { return Vec::new() };
    let kind = body.attachment_type.as_str();
    let Some((kind, paths)) = SENT.iter().find(|(sent, _)| Some(*sent) == kind) else { return Vec::new() };
    // A prompt that was typed while tools ran may be a list of blocks, with images.
    let prompt = body.extra.get("prompt").filter(|raw| *kind == "queued_command" && is_list(raw));
    if let Some(prompt) = prompt {
        let blocks = elements(prompt).into_iter().filter(|element| element.json_type() == JsonType::Object);
        let blocks = blocks.filter_map(|element| Block::read(&element).ok());
        return blocks.map(|block| Part::made(Some(at), block)).collect();
    }
    let words: Vec<Text> = paths.iter().flat_map(|path| strings_at(&body.extra, path)).collect();
    let said: Vec<&str> = words.iter().map(Text::as_str).filter(|text| !is_blank(text)).collect();
    match said.as_slice() {
        [] => Vec::new(),
        said => vec![Part::made(Some(at), TextBlock::new(said.join("\n")))],
    }
}

fn is_list(raw: &Raw) -> bool {
    raw.json_type() == JsonType::Array
}

fn elements(raw: &Raw) -> Vec<Raw> {
    raw.read().unwrap_or_default()
}

/// The strings at a path: one, or those of a list.
fn strings_at(body: &Fields, path: &str) -> Vec<Text> {
    let (step, rest) = path.split_once('.').unwrap_or((path, ""));
    let name = step.strip_suffix("[]").unwrap_or(step);
    let Some(value) = body.get(name) else { return Vec::new() };
    let values = match (name != step || rest.is_empty(), is_list(value)) {
        (true, true) => elements(value),
        (_, false) if name == step => vec![value.clone()],
        _ => return Vec::new(),
    };
    let inside = |value: &Raw| match rest {
        "" => value.text().into_iter().collect(),
        rest => Fields::from_raw(value).map_or(Vec::new(), |fields| strings_at(&fields, rest)),
    };
    values.iter().flat_map(inside).collect()
}
