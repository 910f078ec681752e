//! *Tidying blocks*: step 7, what a block may be and hold.

use serde_json::{Map, Value, json};

use super::{Turn, is_blank, is_type, present, string};

/// The types of block that hold what a server tool gave.
pub const SERVER_RESULTS: [&str; 8] = [
    "web_search_tool_result",
    "web_fetch_tool_result",
    "code_execution_tool_result",
    "bash_code_execution_tool_result",
    "text_editor_code_execution_tool_result",
    "tool_search_tool_result",
    "advisor_tool_result",
    "mcp_tool_result",
];

/// Step 7: what no request may hold goes from the blocks.
pub fn tidy_blocks(turns: Vec<Turn>) -> Vec<Turn> {
    let tidied = |turn: Turn| {
        let blocks = turn.blocks.iter().filter(|block| may_carry(turn.role, block) && is_whole(block));
        let blocks =
            blocks.cloned().map(without_misfits).map(with_full_content).map(with_input).map(without_internal).collect();
        Turn { blocks, ..turn }
    };
    turns.into_iter().map(tidied).collect()
}

fn may_carry(role: &str, block: &Value) -> bool {
    let Some(type_name) = string(block, "type") else { return false };
    match role {
        "user" => {
            !["tool_use", "server_tool_use", "mcp_tool_use", "thinking", "redacted_thinking"].contains(&type_name)
                && !SERVER_RESULTS.contains(&type_name)
        }
        _ => !["tool_result", "image", "document"].contains(&type_name),
    }
}

/// Whether a block has all that its type requires.
fn is_whole(block: &Value) -> bool {
    let is_filled = |name: &str| string(block, name).is_some_and(|text| !text.is_empty());
    match string(block, "type") {
        None | Some("") => false,
        Some("text") => has_words(block),
        Some("tool_use" | "server_tool_use" | "mcp_tool_use") => string(block, "id").is_some() && is_filled("name"),
        Some("thinking") => string(block, "thinking").is_some() && is_filled("signature"),
        Some("redacted_thinking") => is_filled("data"),
        Some("image" | "document") => is_taken_media(block),
        Some(type_name) if type_name == "tool_result" || SERVER_RESULTS.contains(&type_name) => {
            string(block, "tool_use_id").is_some()
        }
        Some(_) => true,
    }
}

/// Whether an image or a document has a source, and a base64 one a media type that the API takes.
fn is_taken_media(block: &Value) -> bool {
    let Some(source) = present(block, "source").filter(|source| source.is_object()) else { return false };
    if string(source, "type") != Some("base64") {
        return true;
    }
    let taken: &[&str] = match is_type(block, "image") {
        true => &["image/jpeg", "image/png", "image/gif", "image/webp"],
        false => &["application/pdf"],
    };
    string(source, "media_type").is_some_and(|media_type| taken.contains(&media_type))
}

fn has_words(text_block: &Value) -> bool {
    string(text_block, "text").is_some_and(|text| !is_blank(text))
}

/// A block without members of another type than is agreed on. Those that its type requires are there.
fn without_misfits(mut block: Value) -> Value {
    let is_result = is_type(&block, "tool_result");
    let is_media = is_type(&block, "image") || is_type(&block, "document");
    if let Some(members) = block.as_object_mut() {
        members.retain(|name, value| match name.as_str() {
            "is_error" if is_result => value.is_boolean() || value.is_null(),
            "title" | "context" if is_media => value.is_string() || value.is_null(),
            _ => true,
        });
    }
    block
}

/// A `tool_result` without blank texts and media that the API does not take, and without a content that says nothing.
fn with_full_content(mut block: Value) -> Value {
    if !is_type(&block, "tool_result") {
        return block;
    }
    if let Some(elements) = block.get_mut("content").and_then(Value::as_array_mut) {
        elements.retain(|element| match string(element, "type") {
            Some("text") => has_words(element),
            Some("image" | "document") => is_taken_media(element),
            _ => true,
        });
    }
    let says_nothing = match block.get("content") {
        Some(Value::Null) => true,
        Some(Value::Array(elements)) => elements.is_empty(),
        _ => false,
    };
    if says_nothing && let Some(members) = block.as_object_mut() {
        members.remove("content");
    }
    block
}

/// A call with an input; a client call's is an object.
fn with_input(mut block: Value) -> Value {
    let is_client_call = is_type(&block, "tool_use");
    if is_client_call && let Some(input) = block.get("input").filter(|input| !input.is_object()) {
        block["input"] = json!({ "input": input });
    }
    let is_call = is_client_call || is_type(&block, "server_tool_use") || is_type(&block, "mcp_tool_use");
    if is_call && present(&block, "input").is_none() {
        block["input"] = json!({});
    }
    block
}

/// A block without the members that the client keeps for itself.
fn without_internal(mut block: Value) -> Value {
    if let Some(members) = block.as_object_mut() {
        remove_internal(members);
    }
    if is_type(&block, "tool_result")
        && let Some(elements) = block.get_mut("content").and_then(Value::as_array_mut)
    {
        elements.iter_mut().filter_map(Value::as_object_mut).for_each(remove_internal);
    }
    block
}

fn remove_internal(members: &mut Map<String, Value>) {
    members.retain(|name, _| !is_internal(name));
}

fn is_internal(name: &str) -> bool {
    name.chars().any(|character| character.is_ascii_uppercase())
        || name.starts_with('_')
        || ["uuid", "timestamp", "cwd", "slug", "origin"].contains(&name)
}
