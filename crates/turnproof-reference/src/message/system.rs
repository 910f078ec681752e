//! A *system message* is a notice; its `subtype` says which. Only `local_command` is ever sent.

use crate::json::{Number, Raw, Text};

use super::document::document;

document! {
    /// A system message. The fields after `prevent_continuation` belong to single subtypes.
    pub struct System in Envelope {
        /// Which notice it is; files from the field also hold notices without one.
        subtype: Text = "subtype",
        /// `info`, `warning`, `error`, or any other text.
        level: Text = "level",
        /// The notice in words.
        content: Text = "content",
        /// The older name of `content`; read it through [`System::text`].
        message: Text = "message",
        /// The call that the notice is about.
        tool_use_id: Text = "toolUseID",
        /// `compact_boundary`: what was compacted, and what was preserved.
        compact_metadata: CompactMetadata = "compactMetadata",
        /// Whether the loop must stop here.
        prevent_continuation: bool = "preventContinuation",
        /// `microcompact_boundary`: which results were cleared.
        microcompact_metadata: MicrocompactMetadata = "microcompactMetadata",
        /// `api_error`: the error as data.
        error: Raw = "error",
        /// `api_error`: what caused it.
        cause: Raw = "cause",
        /// `api_error`: milliseconds until the next try.
        retry_in_ms: Number = "retryInMs",
        /// `api_error`: which try it was.
        retry_attempt: Number = "retryAttempt",
        /// `api_error`: how many there will be.
        max_retries: Number = "maxRetries",
        /// `turn_duration`: milliseconds.
        duration_ms: Number = "durationMs",
        /// `turn_duration`: messages of the turn.
        message_count: Number = "messageCount",
        /// `stop_hook_summary`: hooks that ran.
        hook_count: Number = "hookCount",
        /// `stop_hook_summary`: each hook.
        hook_infos: Vec<Raw> = "hookInfos",
        /// `stop_hook_summary`: what went wrong.
        hook_errors: Vec<Raw> = "hookErrors",
        /// `stop_hook_summary`: text that hooks added.
        hook_additional_context: Vec<Raw> = "hookAdditionalContext",
        /// `stop_hook_summary`: whether a hook stopped the loop.
        prevented_continuation: bool = "preventedContinuation",
        /// `stop_hook_summary`: why.
        stop_reason: Text = "stopReason",
        /// `stop_hook_summary`: whether there was output.
        has_output: bool = "hasOutput",
        /// `model_refusal_fallback`: records that are withdrawn by this one.
        retracted_message_uuids: Vec<Text> = "retractedMessageUuids",
    }
}

/// What a turn was allowed to use, and what it used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TurnBudget {
    /// Tokens that the turn wrote.
    pub tokens: u64,
    /// Tokens that it was allowed to write.
    pub limit: u64,
    /// How often the model was asked to continue.
    pub nudges: u64,
}

document! {
    /// What a compact boundary says of the compaction.
    pub struct CompactMetadata {
        /// `auto` or `manual`.
        trigger: Text = "trigger",
        /// Tokens before.
        pre_tokens: Number = "preTokens",
        /// Tokens after.
        post_tokens: Number = "postTokens",
        /// Milliseconds.
        duration_ms: Number = "durationMs",
        /// Tokens dropped by this and earlier compactions.
        cumulative_dropped_tokens: Number = "cumulativeDroppedTokens",
        /// Tools that had been discovered before.
        pre_compact_discovered_tools: Vec<Text> = "preCompactDiscoveredTools",
        /// The messages kept, from head to tail; superseded by `preserved_messages`.
        preserved_segment: PreservedSegment = "preservedSegment",
        /// The messages kept, each by its uuid.
        preserved_messages: PreservedMessages = "preservedMessages",
    }
}

document! {
    /// A run of messages that a compaction kept.
    pub struct PreservedSegment {
        /// The first message kept.
        head_uuid: Text = "headUuid",
        /// The message after which the run is placed.
        anchor_uuid: Text = "anchorUuid",
        /// The last message kept.
        tail_uuid: Text = "tailUuid",
    }
}

document! {
    /// The messages that a compaction kept, one by one.
    pub struct PreservedMessages {
        /// The message after which the first one is placed.
        anchor_uuid: Text = "anchorUuid",
        /// The messages of the conversation, each after the one before.
        uuids: Vec<Text> = "uuids",
        /// All records kept.
        all_uuids: Vec<Text> = "allUuids",
    }
}

document! {
    /// What a microcompact boundary says.
    pub struct MicrocompactMetadata {
        /// `auto` or `manual`.
        trigger: Text = "trigger",
        /// Tokens before.
        pre_tokens: Number = "preTokens",
        /// Tokens saved.
        tokens_saved: Number = "tokensSaved",
        /// The calls whose results were cleared.
        compacted_tool_ids: Vec<Text> = "compactedToolIds",
        /// The attachments that were cleared.
        cleared_attachment_uuids: Vec<Text> = "clearedAttachmentUUIDs",
    }
}

impl System {
    /// The notice in words, under its present or its older name.
    pub fn text(&self) -> Option<&Text> {
        self.content.get().or_else(|| self.message.get())
    }

    /// Whether this is a notice of the given subtype.
    pub fn is(&self, subtype: &str) -> bool {
        self.subtype.as_str() == Some(subtype)
    }
}
