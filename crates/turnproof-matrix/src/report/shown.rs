//! What is *shown* of messages: a line for each block, short enough to read.

use serde_json::Value;

/// The most characters of a line, and of a text in it.
const LONGEST_LINE: usize = 118;
const LONGEST_TEXT: usize = 48;

/// The most lines of a list.
const MOST_LINES: usize = 14;

/// Messages or other values, in lines. Each begins with the word.
pub(super) fn shown(word: &str, values: &[Value]) -> Vec<String> {
    let mut all: Vec<String> = values.iter().flat_map(of_value).collect();
    if all.is_empty() {
        all.push("nothing".to_owned());
    }
    let more = all.len().saturating_sub(MOST_LINES);
    all.truncate(MOST_LINES);
    if more > 0 {
        all.push(format!("… {more} more"));
    }
    let begin = |place: usize| if place == 0 { word } else { "" };
    all.iter().enumerate().map(|(place, line)| cut(&format!("{:6} {line}", begin(place)), LONGEST_LINE)).collect()
}

fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

fn of_value(value: &Value) -> Vec<String> {
    let message = value.get("message").unwrap_or(value);
    let role = message.get("role").and_then(Value::as_str);
    match (role, message.get("content")) {
        (Some(role), Some(content)) => {
            let blocks = blocks(content);
            let blocks = if blocks.is_empty() { vec!["[]".to_owned()] } else { blocks };
            let begin = |place: usize| if place == 0 { role } else { "" };
            blocks.iter().enumerate().map(|(place, block)| format!("{:9}  {block}", begin(place))).collect()
        }
        _ => vec![value.to_string()],
    }
}

/// The blocks of a content; a text as content has quotes alone.
fn blocks(content: &Value) -> Vec<String> {
    match content {
        Value::Array(blocks) => blocks.iter().map(of_block).collect(),
        other => vec![quoted(other)],
    }
}

fn quoted(value: &Value) -> String {
    match value {
        Value::String(text) => Value::from(cut(text, LONGEST_TEXT)).to_string(),
        other => other.to_string(),
    }
}

fn of_block(block: &Value) -> String {
    let kind = block.get("type").and_then(Value::as_str).unwrap_or("a block without a type");
    let plain = |name: &str| match block.get(name) {
        Some(Value::String(text)) if !text.is_empty() => format!(" {}", cut(text, LONGEST_TEXT)),
        Some(other) => format!(" {other}"),
        None => String::new(),
    };
    let member = |name: &str| block.get(name).map(|value| format!(" {name} {}", quoted(value))).unwrap_or_default();
    match kind {
        "text" => format!("text {}", quoted(&block["text"])),
        "tool_use" => format!("tool_use{}{} {}", plain("id"), plain("name"), quoted(&block["input"])),
        "tool_result" => {
            let content = match block.get("content") {
                Some(Value::Array(parts)) => format!("[{}]", parts.iter().map(of_block).collect::<Vec<_>>().join(", ")),
                Some(other) => quoted(other),
                None => "without content".to_owned(),
            };
            format!("tool_result{}{} {content}", plain("tool_use_id"), member("is_error"))
        }
        "thinking" => format!("thinking {}{}", quoted(&block["thinking"]), member("signature")),
        "redacted_thinking" => format!("redacted_thinking{}", plain("data")),
        "image" | "document" => {
            let source = block.get("source").unwrap_or(&Value::Null);
            let part = |name: &str| source.get(name).and_then(Value::as_str).map(|text| format!(" {text}"));
            let all: String = ["type", "media_type", "url"].into_iter().filter_map(part).collect();
            format!("{kind}{all}{}{}", member("title"), member("context"))
        }
        _ => block.to_string(),
    }
}
