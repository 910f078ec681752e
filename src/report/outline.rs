//! An *outline* is a message or a block in one short line.

use turnproof_reference::json::{Raw, Text};
use turnproof_reference::message::{Block, Content, Event, Maybe, Message, Typed};

use super::excerpt::Excerpt;

/// The longest quotation, in characters.
const LONGEST: usize = 48;

/// A message in one line: its kind, its marks, its uuid, and what it says.
pub fn message(event: &Event) -> String {
    let mut words = vec![title(event)];
    words.extend(marks(event));
    words.extend(event.envelope().uuid.as_str().map(str::to_owned));
    if let Event::Message(Message::Assistant(line)) = event {
        words.extend(line.reply_id().map(|id| format!("({id})")));
    }
    let head = words.join(" ");
    match says(event) {
        says if says.is_empty() => head,
        says => format!("{head}: {says}"),
    }
}

/// The kind, and the subtype or the sort of attachment.
fn title(event: &Event) -> String {
    let kind = event.kind().name();
    let sort = match event {
        Event::Message(Message::System(system)) => system.subtype.as_str(),
        Event::Message(Message::Attachment(attached)) => {
            attached.attachment.get().and_then(|body| body.attachment_type.as_str())
        }
        _ => None,
    };
    sort.map_or(kind.to_owned(), |sort| format!("{kind}/{sort}"))
}

/// The flags that change what happens to the message.
fn marks(event: &Event) -> impl Iterator<Item = String> {
    let envelope = event.envelope();
    let is_error = matches!(event, Event::Message(message) if message.is_synthetic_api_error());
    let marks = [
        (envelope.is_meta.is_true(), "meta"),
        (envelope.is_virtual.is_true(), "virtual"),
        (envelope.is_visible_in_transcript_only.is_true(), "transcript-only"),
        (envelope.is_compact_summary.is_true(), "summary"),
        (is_error, "api-error"),
    ];
    marks.into_iter().filter(|(is_set, _)| *is_set).map(|(_, mark)| format!("[{mark}]"))
}

fn says(event: &Event) -> String {
    match event {
        Event::Message(Message::Attachment(attached)) => match attached.attachment.get() {
            Some(body) if !body.extra.is_empty() => shortened(&body.extra.to_json()),
            _ => String::new(),
        },
        Event::Message(Message::System(system)) => system.text().map(|text| quoted(text)).unwrap_or_default(),
        Event::Message(message) => match message.content() {
            Some(Content::Text(text)) => quoted(text),
            Some(Content::Blocks(blocks)) => blocks.iter().map(block).collect::<Vec<_>>().join(" + "),
            None => String::new(),
        },
        Event::Tombstone(tombstone) => {
            tombstone.withdrawn().map(|uuid| format!("withdraws {uuid}")).unwrap_or_default()
        }
        _ => String::new(),
    }
}

/// A block in one line: its type, its id, and what it holds.
pub fn block(block: &Block) -> String {
    let words = match block {
        Block::Text(block) => vec![text(&block.text)],
        Block::ToolUse(call) | Block::ServerToolUse(call) => {
            vec![shown(&call.id), shown(&call.name), json(&call.input)]
        }
        Block::ToolResult(result) => {
            let mark = if result.is_error.is_true() { "error" } else { "" };
            vec![shown(&result.tool_use_id), mark.to_owned(), json(&result.content)]
        }
        Block::ServerToolResult(_, result) => vec![shown(&result.tool_use_id), json(&result.content)],
        Block::Thinking(block) => vec![text(&block.thinking)],
        Block::RedactedThinking(_) => Vec::new(),
        Block::Image(media) | Block::Document(media) => {
            let source = media.source.get();
            let kind = source.and_then(|source| source.get("media_type").or_else(|| source.get("type")));
            vec![kind.and_then(|kind| Text::read(kind).ok()).map(|kind| kind.to_string()).unwrap_or_default()]
        }
        Block::Unknown(_, fields) => vec![shortened(&fields.to_json())],
        Block::Stray(raw) => vec![shortened(raw.get())],
    };
    let name = match block.type_name() {
        "" => "(no type)",
        name => name,
    };
    let words = words.into_iter().filter(|word| !word.is_empty());
    std::iter::once(name.to_owned()).chain(words).collect::<Vec<_>>().join(" ")
}

fn text(text: &Maybe<Text>) -> String {
    text.get().map_or("(absent)".to_owned(), |text| quoted(text))
}

/// An id or a name, quoted where it is not plain.
fn shown(text: &Maybe<Text>) -> String {
    let is_plain = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic());
    match text.as_str() {
        None => "(absent)".to_owned(),
        Some(text) if is_plain(text) => text.to_owned(),
        Some(text) => quoted(text),
    }
}

fn json(raw: &Maybe<Raw>) -> String {
    match raw {
        Maybe::Is(raw) => shortened(raw.get()),
        Maybe::Null => "null".to_owned(),
        Maybe::Absent | Maybe::Misfit(_) => String::new(),
    }
}

fn quoted(text: &str) -> String {
    let escaped = serde_json::Value::from(text).to_string();
    shortened(&escaped)
}

/// The beginning of a text, made fit for a terminal.
pub fn shortened(text: &str) -> String {
    let end = text.char_indices().nth(LONGEST).map_or(text.len(), |(end, _)| end);
    let mut shown = Excerpt::whole(&text.as_bytes()[..end]);
    if end < text.len() {
        shown.push('…');
    }
    shown
}
