//! *Predicates* answer what a message is, from its kind, flags and content.

use std::collections::{HashMap, HashSet};

use crate::json::Text;

use super::constants::{MISSING_TOOL_RESULT, SYNTHETIC_MODEL, SYNTHETIC_TEXTS};
use super::{Block, Content, Maybe, Message, System, ToolResult, ToolUse, Typed};

impl Message {
    /// What a user or assistant message says; nothing for other kinds.
    pub fn content(&self) -> Option<&Content> {
        match self {
            Self::User(message) => message.content(),
            Self::Assistant(message) => message.content(),
            _ => None,
        }
    }

    /// The content blocks of a user or assistant message; nothing when the content is a string.
    pub fn blocks(&self) -> &[Block] {
        self.content().map_or(&[], Content::blocks)
    }

    /// The `tool_use` blocks of an assistant message.
    pub fn tool_uses(&self) -> impl Iterator<Item = &ToolUse> {
        let blocks = if matches!(self, Self::Assistant(_)) { self.blocks() } else { &[] };
        blocks.iter().filter_map(|block| match block {
            Block::ToolUse(call) => Some(&**call),
            _ => None,
        })
    }

    /// The `tool_result` blocks of a user message.
    pub fn tool_results(&self) -> impl Iterator<Item = &ToolResult> {
        let blocks = if matches!(self, Self::User(_)) { self.blocks() } else { &[] };
        blocks.iter().filter_map(|block| match block {
            Block::ToolResult(result) => Some(&**result),
            _ => None,
        })
    }

    /// Whether the content is a list whose first block is a text in [`SYNTHETIC_TEXTS`] (SPEC.md
    /// section 2.2); never true of progress, attachments and system messages.
    pub fn is_synthetic_message(&self) -> bool {
        let first = self.blocks().first().and_then(Block::text);
        first.is_some_and(|text| SYNTHETIC_TEXTS.iter().any(|known| text == known))
    }

    /// Whether this is an assistant message that reports an error of the API and that no model made.
    pub fn is_synthetic_api_error(&self) -> bool {
        let Self::Assistant(message) = self else { return false };
        let model = message.message.get().and_then(|body| body.model.get());
        message.is_api_error_message.is_true() && model.is_some_and(|model| model == SYNTHETIC_MODEL)
    }

    /// Whether the message is a link of the parent chain.
    pub fn is_chain_participant(&self) -> bool {
        self.kind().is_chain_participant()
    }

    /// Whether this is a user message with a `tool_result` block.
    pub fn is_tool_result(&self) -> bool {
        self.tool_results().next().is_some()
    }

    /// Whether this is an assistant message with a `tool_use` block.
    pub fn has_tool_use(&self) -> bool {
        self.tool_uses().next().is_some()
    }

    /// Whether the message is for the model alone, not shown to people.
    pub fn is_meta(&self) -> bool {
        self.envelope().is_meta.is_true()
    }

    /// Whether the message exists in memory alone.
    pub fn is_virtual(&self) -> bool {
        self.envelope().is_virtual.is_true()
    }

    /// Whether the message belongs to a subagent's conversation.
    pub fn is_sidechain(&self) -> bool {
        self.envelope().is_sidechain.is_true()
    }

    /// Whether this is the user message that sums up what a compaction dropped.
    pub fn is_compact_summary(&self) -> bool {
        matches!(self, Self::User(_)) && self.envelope().is_compact_summary.is_true()
    }

    /// Whether a person said this (SPEC.md section 2.1.3): a user message that is neither meta nor a compact summary nor
    /// the result of a tool, and not synthetic, as an interruption is.
    pub fn is_human_turn(&self) -> bool {
        let Self::User(message) = self else { return false };
        let from_tool = message.tool_use_result.get().is_some() || self.is_tool_result();
        !from_tool && !self.is_meta() && !self.is_compact_summary() && !self.is_synthetic_message()
    }

    /// Whether this is a system message of the given subtype.
    pub fn is_system(&self, subtype: &str) -> bool {
        matches!(self, Self::System(message) if message.is(subtype))
    }

    /// Whether a compaction ends here.
    pub fn is_compact_boundary(&self) -> bool {
        self.is_system("compact_boundary")
    }

    /// Whether results before this message were cleared.
    pub fn is_microcompact_boundary(&self) -> bool {
        self.is_system("microcompact_boundary")
    }

    /// Whether this is a command of the client or its output: the one system message that is sent.
    pub fn is_local_command(&self) -> bool {
        self.is_system("local_command")
    }

    /// The system message, if this is one.
    pub fn as_system(&self) -> Option<&System> {
        match self {
            Self::System(message) => Some(message),
            _ => None,
        }
    }
}

impl ToolResult {
    /// Whether the result was made up for a call that has none: its text, or one of its text
    /// blocks, is [`MISSING_TOOL_RESULT`].
    pub fn is_placeholder(&self) -> bool {
        let is_marked = |text: &Text| text == MISSING_TOOL_RESULT;
        match self.content.get().map(Content::read) {
            Some(Ok(Content::Text(text))) => is_marked(&text),
            Some(Ok(Content::Blocks(blocks))) => blocks.iter().filter_map(Block::text).any(is_marked),
            Some(Err(_)) | None => false,
        }
    }
}

/// Whether a history holds a made-up tool result, so that it can be refused as training data
/// (`tool/placeholder-marked`).
pub fn contains_placeholder(messages: &[Message]) -> bool {
    messages.iter().flat_map(Message::tool_results).any(ToolResult::is_placeholder)
}

/// The calls without a result, in order, each with the uuid of its message. A later reply may use an id again: a result
/// answers the call of the message that it names as its source, or else the last one before it.
pub(super) fn unanswered_calls(messages: &[Message]) -> Vec<(&Text, &Maybe<Text>)> {
    let mut calls: Vec<(&Text, &Maybe<Text>)> = Vec::new();
    let mut is_answered: Vec<bool> = Vec::new();
    let mut said: HashSet<(&Text, &str)> = HashSet::new();
    let mut last: HashMap<&Text, usize> = HashMap::new();
    let mut by_message: HashMap<(&Text, &Text), usize> = HashMap::new();
    let mut early: HashSet<&Text> = HashSet::new();
    for message in messages {
        let uuid = &message.envelope().uuid;
        for id in message.tool_uses().filter_map(|call| call.id.get()) {
            if said.insert((id, reply_of(message))) {
                last.insert(id, calls.len());
                is_answered.push(early.remove(id));
                calls.push((id, uuid));
            }
            if let (Some(uuid), Some(&place)) = (uuid.get(), last.get(id)) {
                by_message.insert((id, uuid), place);
            }
        }
        for id in message.tool_results().filter_map(|result| result.tool_use_id.get()) {
            let named = source_of(message).and_then(|source| by_message.get(&(id, source)));
            match named.or_else(|| last.get(id)) {
                Some(&place) => is_answered[place] = true,
                None => _ = early.insert(id),
            }
        }
    }
    let is_open = |place: &usize| !is_answered[*place];
    (0..calls.len()).filter(is_open).map(|place| calls[place]).collect()
}

/// What distinguishes a line's reply from others: its id, or else that of the line.
fn reply_of(message: &Message) -> &str {
    let reply = match message {
        Message::Assistant(line) => line.reply_id().filter(|reply| !reply.is_empty()),
        _ => None,
    };
    reply.or(message.envelope().uuid.as_str()).unwrap_or_default()
}

/// The message with the call, as a result names it.
fn source_of(message: &Message) -> Option<&Text> {
    match message {
        Message::User(user) => user.source_tool_assistant_uuid.get(),
        _ => None,
    }
}
