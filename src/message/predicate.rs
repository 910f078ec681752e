//! *Predicates* answer what a message is, from its kind, flags and content.

use std::collections::HashSet;

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

    /// Whether this is an assistant message that stands for an error of the API and that no model made.
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
        let from_tool = message.tool_use_result.is_present() || self.is_tool_result();
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

/// The calls that no result among `messages` answers, in order, each once, with the uuid of the message that holds it.
pub(super) fn unanswered_calls(messages: &[Message]) -> Vec<(&Text, &Maybe<Text>)> {
    let results = messages.iter().flat_map(Message::tool_results);
    let mut seen: HashSet<&Text> = results.filter_map(|result| result.tool_use_id.get()).collect();
    let mut calls = Vec::new();
    for message in messages {
        let ids = message.tool_uses().filter_map(|call| call.id.get());
        calls.extend(ids.filter(|id| seen.insert(id)).map(|id| (id, &message.envelope().uuid)));
    }
    calls
}
