//! What each message *says*: a prompt, a reminder, a part of a reply, or nothing that is sent.

use std::collections::HashSet;

use super::super::api::{attachment_blocks, rendered, why_hidden};
use super::{is_blank, is_thinking, model_of};
use crate::json::{Fields, JsonType, Raw, Text};
use crate::message::{
    Attachment, Block, Content, Event, Maybe, Message, TextBlock, ToolResult, Typed, User, constants,
};

/// What a message says.
pub(super) enum Said {
    /// Of the user, or of the client in the user's place.
    User(Content),
    /// Beside what the user says.
    Reminder(Reminder),
    /// A part of a reply, and the reply's id.
    Reply(Vec<Block>, String),
    /// An error of the API in a reply's place. It is not sent, and no reminder moves past it.
    Error,
}

/// What an attachment tells the model.
pub(super) struct Reminder {
    pub(super) parts: Vec<Content>,
    /// Whether newer models get it as a turn of its own.
    pub(super) is_of_system: bool,
}

/// What the messages say, in their order.
pub(super) fn said(messages: &[Event], model: Option<&str>, tools: Option<&HashSet<String>>) -> Vec<Said> {
    let stripped = messages.iter().rposition(strips_thinking);
    let sent = messages.iter().enumerate().filter(|(_, event)| why_hidden(event).is_none());
    let of = |(at, event): (usize, &Event)| {
        let keeps_thinking = stripped.is_none_or(|stripped| at > stripped);
        of_message(event.message()?, keeps_thinking, model, tools)
    };
    sent.filter_map(of).collect()
}

/// Whether an attachment says that thinking before it is not sent any more.
fn strips_thinking(event: &Event) -> bool {
    let Some(Message::Attachment(attachment)) = event.message() else { return false };
    attachment.attachment.get().is_some_and(|body| body.attachment_type.as_str() == Some("thinking_stripped"))
}

fn of_message(
    message: &Message,
    keeps_thinking: bool,
    model: Option<&str>,
    tools: Option<&HashSet<String>>,
) -> Option<Said> {
    match message {
        Message::User(user) => Some(Said::User(of_user(user, tools)?)),
        Message::Attachment(attachment) => Some(Said::Reminder(reminder(attachment)?)),
        Message::Assistant(_) if message.is_synthetic_api_error() => Some(Said::Error),
        Message::Assistant(assistant) => {
            // A model cannot read what another one thought.
            let is_of_another = model_of(message).is_some_and(|maker| Some(maker) != model);
            let blocks = assistant.content().cloned()?.into_blocks().into_iter();
            let blocks = blocks.filter(|block| keeps_thinking && !is_of_another || !is_thinking(block));
            Some(Said::Reply(blocks.collect(), assistant.reply_id().unwrap_or_default().to_owned()))
        }
        Message::System(system) if message.is_local_command() => {
            Some(Said::User(Content::Text(system.text()?.clone())))
        }
        _ => None,
    }
}

/// What a message of the user says. The client puts its own words, and those of hooks and tasks, into a wrapper.
fn of_user(user: &User, tools: Option<&HashSet<String>>) -> Option<Content> {
    let content = user.content()?.clone();
    let Some(lead) = lead(user) else { return Some(with_references(content, tools)) };
    let wrap = |text: &Text| wrapped(&format!("{lead}{}", text.as_str()));
    Some(match content {
        Content::Text(text) => Content::Text(wrap(&text).into()),
        Content::Blocks(blocks) => {
            let blocks = blocks.into_iter().map(|block| match block.text() {
                Some(text) => TextBlock::new(wrap(text)).into(),
                None => block,
            });
            Content::Blocks(blocks.collect())
        }
    })
}

/// What stands before words that are not the user's; `None` for the user's own.
fn lead(user: &User) -> Option<String> {
    let is = |name: &str| user.extra.get(name).is_some_and(|flag| flag.get() == "true");
    if is("hookText") {
        let lead = user.extra.text("hookTextLead").map(|lead| format!("{}\n", lead.as_str()));
        return Some(lead.unwrap_or_default());
    }
    if is("ownNote") {
        return Some(String::new());
    }
    let origin = user.envelope.origin.get().and_then(|origin| Fields::from_raw(origin).ok());
    let kind = origin.and_then(|origin| origin.text("kind"));
    kind.filter(|kind| kind.as_str() == "task-notification").map(|_| format!("{}\n\n", constants::TASK_NOTIFICATION))
}

fn wrapped(words: &str) -> String {
    format!("<system-reminder>\n{words}\n</system-reminder>")
}

/// Results that refer to tools. The client says behind them that a tool is loaded, or that it is not there any more.
fn with_references(content: Content, tools: Option<&HashSet<String>>) -> Content {
    let Content::Blocks(mut blocks) = content else { return content };
    let mut is_loaded = false;
    for block in &mut blocks {
        let Block::ToolResult(result) = block else { continue };
        let Some(references) = references(result) else { continue };
        if tools.is_none_or(|tools| references.iter().any(|name| tools.contains(name))) {
            is_loaded = true;
        } else {
            let text: Block = TextBlock::new(constants::REFERENCES_REMOVED).into();
            result.content = Maybe::Is(Content::Blocks(vec![text]).write());
        }
    }
    blocks.extend(is_loaded.then(|| TextBlock::new(constants::TOOL_LOADED).into()));
    Content::Blocks(blocks)
}

/// The names of the tools that a result refers to; `None` where it refers to none.
pub(super) fn references(result: &ToolResult) -> Option<Vec<String>> {
    let parts: Vec<Fields> = objects(result.content.get()?)?;
    let is_reference = |part: &&Fields| part.text("type").is_some_and(|name| name.as_str() == "tool_reference");
    let names = parts.iter().filter(is_reference).map(|part| part.text("tool_name").unwrap_or_default());
    let names: Vec<String> = names.map(|name| name.as_str().to_owned()).collect();
    (!names.is_empty()).then_some(names)
}

/// The objects of a list.
fn objects(list: &Raw) -> Option<Vec<Fields>> {
    if list.json_type() != JsonType::Array {
        return None;
    }
    let elements: Vec<Raw> = list.read().ok()?;
    Some(elements.iter().filter_map(|element| Fields::from_raw(element).ok()).collect())
}

/// What an attachment tells the model: the text that was sent, as the session holds it; without it, words of our own.
fn reminder(attachment: &Attachment) -> Option<Reminder> {
    let role = attachment.extra.text("renderedRole");
    let is_of_system = role.is_none_or(|role| role.as_str() == "system");
    let parts: Vec<Content> = match rendered(attachment) {
        Some(parts) => parts.into_iter().filter(|content| !content.is_empty()).collect(),
        None => queued(attachment).or_else(|| Some(Content::Blocks(shown(attachment)?))).into_iter().collect(),
    };
    (!parts.is_empty()).then_some(Reminder { parts, is_of_system })
}

/// What an attachment without `rendered` shows. Of media the client sends the pictures of files alone, and of a picture
/// that was changed not even words.
fn shown(attachment: &Attachment) -> Option<Vec<Block>> {
    let kind = attachment.attachment.get().and_then(|body| body.attachment_type.as_str());
    if kind == Some("edited_image_file") {
        return None;
    }
    let mut blocks = attachment_blocks(attachment)?;
    blocks.retain(|block| match block {
        Block::Image(_) => kind == Some("file"),
        Block::Document(_) => false,
        _ => true,
    });
    Some(blocks)
}

/// A prompt that waited while the model worked. A document of it is lost.
fn queued(attachment: &Attachment) -> Option<Content> {
    let body = attachment.attachment.get().filter(|body| body.attachment_type.as_str() == Some("queued_command"))?;
    let prompt = Content::read(body.extra.get("prompt")?).ok()?;
    let is_prompt = body.extra.text("commandMode").is_none_or(|mode| mode.as_str() == "prompt");
    if matches!(prompt, Content::Text(_)) && !is_prompt {
        return None;
    }
    let blocks = prompt.into_blocks();
    let texts: Vec<&str> =
        blocks.iter().filter_map(Block::text).map(Text::as_str).filter(|text| !is_blank(text)).collect();
    let words = format!("{}\n{}\n\n{}", constants::QUEUED_LEAD, texts.join("\n"), constants::QUEUED_TAIL);
    let images = blocks.iter().filter(|block| matches!(block, Block::Image(_))).cloned();
    Some(Content::Blocks([TextBlock::new(wrapped(&words)).into()].into_iter().chain(images).collect()))
}
