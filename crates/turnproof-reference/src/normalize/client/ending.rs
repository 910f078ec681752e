//! How a session *ends* before the next prompt, and how turns are written at last.

use std::collections::HashSet;

use super::said::{Said, references};
use super::turn::ClientTurn;
use super::{is_blank, is_thinking};
use crate::json::{JsonType, Raw, Text, without_lone_surrogates};
use crate::message::{Block, Content, Event, Maybe, Message, TextBlock, ToolResult, Typed, constants};

/// Puts between a session and the next prompt what the client does: results of calls that have none, and a reply where
/// there is none. The last so many things said are commands that ran in the client, and what is behind them.
pub(super) fn end(messages: &[Event], said: &mut Vec<Said>, commands: usize) {
    let before_commands = said.len() - commands;
    let open = open_calls(&said[..before_commands]).into_iter();
    let open: Vec<Block> = open.map(|id| ToolResult::new(id, constants::CALL_INTERRUPTED, true).into()).collect();
    let text = TextBlock::new(constants::NO_RESPONSE_REQUESTED);
    let reply = Said::Reply(vec![text.into()], String::new());
    if !open.is_empty() {
        said.extend([Said::User(Content::Blocks(open)), reply]);
    } else if wants_reply(messages, &said[..before_commands]) {
        said.insert(before_commands, reply);
    }
}

/// Whether the client puts a reply at the end of a session without open calls.
fn wants_reply(messages: &[Event], said: &[Said]) -> bool {
    let last = said.iter().rev().find(|one| match one {
        Said::Reminder(_) => false,
        Said::Reply(blocks, _) => blocks.iter().any(says_something),
        Said::User(_) | Said::Error => true,
    });
    let messages = messages.iter().filter_map(Event::message);
    let is_attachment = |message: &Message| matches!(message, Message::Attachment(_));
    match last {
        Some(Said::Error) => messages.rev().take_while(|message| !message.is_synthetic_api_error()).any(is_attachment),
        Some(Said::User(_)) => {
            let of_user = |message: &&Message| matches!(message, Message::User(_));
            let is_followed = messages.clone().rev().take_while(|message| !of_user(message)).any(is_attachment);
            let is_summary = messages.clone().rev().find(of_user).is_some_and(Message::is_compact_summary);
            let last = messages.rev().find(|message| of_user(message) || message.is_local_command());
            !(last.is_some_and(is_command) || is_followed && is_summary)
        }
        _ => false,
    }
}

/// Whether a reply with this block is sent. A server call is, if its result is there, which says something too.
fn says_something(block: &Block) -> bool {
    let is_blank_text = || block.text().is_some_and(|text| is_blank(text));
    !is_thinking(block) && !is_blank_text() && !matches!(block, Block::ServerToolUse(_))
}

/// The calls of the replies since the last turn of the user that nothing answers. A call whose id was used before is none.
fn open_calls(said: &[Said]) -> Vec<Text> {
    let (mut open, mut used, mut answered): (Vec<&Text>, HashSet<&str>, HashSet<&str>) = Default::default();
    for said in said {
        match said {
            Said::Reply(blocks, _) => {
                open.extend(blocks.iter().filter_map(call_id).filter(|id| used.insert(id.as_str())))
            }
            Said::User(content) => {
                let mut results = content.blocks().iter().filter_map(result_id).peekable();
                match results.peek() {
                    Some(_) => answered.extend(results.map(Text::as_str)),
                    None => open.clear(),
                }
            }
            Said::Reminder(_) | Said::Error => {}
        }
    }
    open.into_iter().filter(|id| !answered.contains(id.as_str())).cloned().collect()
}

fn call_id(block: &Block) -> Option<&Text> {
    match block {
        Block::ToolUse(call) => call.id.get(),
        _ => None,
    }
}

fn result_id(block: &Block) -> Option<&Text> {
    match block {
        Block::ToolResult(result) => result.tool_use_id.get(),
        _ => None,
    }
}

/// The first of the commands that ran in the client after the last prompt, result or reply.
pub(super) fn commands(messages: &[Event]) -> &[Event] {
    let is_said = |event: &Event| matches!(event.message(), Some(Message::User(_) | Message::Assistant(_)));
    let behind = messages.iter().rposition(is_said).map_or(messages, |last| &messages[last + 1..]);
    let first = behind.iter().position(|event| event.message().is_some_and(Message::is_local_command));
    first.map_or(&[], |first| &behind[first..])
}

/// Whether a message is what a command in the client printed. Nobody waits for a reply to it.
fn is_command(message: &Message) -> bool {
    let begins = |text: &str| text.starts_with("<local-command-");
    match message {
        Message::User(user) => matches!(user.content(), Some(Content::Text(text)) if begins(text.as_str())),
        Message::System(system) => {
            message.is_local_command() && system.text().is_some_and(|text| begins(text.as_str()))
        }
        _ => false,
    }
}

/// A turn as it is written: halves of surrogate pairs are U+FFFD, and without a tool that searches for tools no result
/// refers to tools.
pub(super) fn as_written(turn: ClientTurn, searches: bool) -> ClientTurn {
    let content = match turn.content {
        Content::Text(text) => Content::Text(text.as_str().into()),
        Content::Blocks(blocks) => {
            let blocks = blocks.into_iter().filter(|block| !matches!(block, Block::Stray(_)));
            Content::Blocks(blocks.map(|block| written(block, searches)).collect())
        }
    };
    ClientTurn { content, ..turn }
}

/// A block as it is written: the old name of a tool is the new one, sources that a text cites are left out, and a
/// result that is an object is its JSON text.
fn written(mut block: Block, searches: bool) -> Block {
    match &mut block {
        Block::ToolUse(call) if call.name.as_str() == Some("Task") => call.name = Maybe::Is("Agent".into()),
        Block::Text(text) if text.citations.get().is_some() => text.citations = Maybe::Is(Raw::fixed("[]")),
        Block::ToolResult(result) => {
            let content = result.content.get();
            if !searches && references(result).is_some() {
                let text: Block = TextBlock::new(constants::REFERENCES_NOT_ENABLED).into();
                result.content = Maybe::Is(Content::Blocks(vec![text]).write());
            } else if let Some(object) = content.filter(|content| content.json_type() == JsonType::Object) {
                result.content = Maybe::Is(Raw::from(object.get()));
            }
        }
        _ => {}
    }
    if block.is_whole() {
        return block;
    }
    let whole = Raw::from_json(without_lone_surrogates(&block.to_json()).into_owned()).ok();
    whole.and_then(|raw| Block::read(&raw).ok()).unwrap_or(block)
}
