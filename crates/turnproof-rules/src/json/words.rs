//! The *words* of the format: names of members and short texts that most messages have. They are not copied when JSON is
//! read; every other text is. A word that is missing here costs time, and nothing else.

use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;

/// The words, in no order.
const WORDS: [&str; 226] = [
    // Messages and what they hold.
    "type",
    "content",
    "uuid",
    "message",
    "role",
    "id",
    "text",
    "name",
    "input",
    "data",
    "source",
    "model",
    "usage",
    "sessionId",
    "parentUuid",
    "logicalParentUuid",
    "timestamp",
    "createdAt",
    "isSidechain",
    "cwd",
    "userType",
    "version",
    "gitBranch",
    "requestId",
    "agentId",
    "teamName",
    "slug",
    "subtype",
    "level",
    "command",
    "toolUseID",
    "isCompactSummary",
    "isMeta",
    "isVirtual",
    "isVisibleInTranscriptOnly",
    "isApiErrorMessage",
    "apiError",
    "error",
    "errorDetails",
    "permissionMode",
    "origin",
    "imagePasteIds",
    "advisorModel",
    "attribution",
    "promptId",
    "mcpMeta",
    "_meta",
    "structuredContent",
    "supersedesUuids",
    "forkedFrom",
    "messageUuid",
    // Blocks.
    "tool_use_id",
    "is_error",
    "media_type",
    "thinking",
    "signature",
    "cache_control",
    "citations",
    "caller",
    "cited_text",
    "document_index",
    "document_title",
    "start_char_index",
    "end_char_index",
    "file_id",
    "url",
    "title",
    "context",
    "server_name",
    "tool_name",
    "description",
    "file_path",
    "filePath",
    "file",
    "files",
    "pattern",
    // Replies and their usage.
    "stop_reason",
    "stop_sequence",
    "stop_details",
    "container",
    "context_management",
    "input_tokens",
    "output_tokens",
    "cache_creation_input_tokens",
    "cache_read_input_tokens",
    "cache_creation",
    "service_tier",
    "inference_geo",
    "server_tool_use",
    "web_search_requests",
    "web_fetch_requests",
    "ephemeral_1h_input_tokens",
    "ephemeral_5m_input_tokens",
    "iterations",
    "speed",
    // Results, sources and progress.
    "toolUseResult",
    "sourceToolAssistantUUID",
    "sourceToolUseID",
    "parentToolUseID",
    "stdout",
    "stderr",
    "interrupted",
    "isImage",
    "filename",
    "hookEvent",
    "hookName",
    "hookCount",
    "hookInfos",
    "hookErrors",
    "hookAdditionalContext",
    "exitCode",
    "output",
    "prompt",
    "query",
    "limit",
    "status",
    "summary",
    "precedingToolUseIds",
    "toolName",
    "messages",
    "results",
    "displayMessage",
    "isModifiedByUser",
    // Notices.
    "compactMetadata",
    "microcompactMetadata",
    "trigger",
    "preTokens",
    "postTokens",
    "tokensSaved",
    "cumulativeDroppedTokens",
    "compactedToolIds",
    "clearedAttachmentUUIDs",
    "preCompactDiscoveredTools",
    "preservedSegment",
    "preservedMessages",
    "headUuid",
    "anchorUuid",
    "tailUuid",
    "uuids",
    "allUuids",
    "retractedMessageUuids",
    "retryInMs",
    "retryAttempt",
    "maxRetries",
    "durationMs",
    "messageCount",
    "stopReason",
    "preventedContinuation",
    "preventContinuation",
    "hasOutput",
    // Attachments.
    "attachment",
    "itemCount",
    "addedLines",
    "addedNames",
    "removedNames",
    "addedTypes",
    "blockingError",
    "displayPath",
    "originalSize",
    "commandMode",
    "planFilePath",
    "newDate",
    "skills",
    "banner",
    "kind",
    "path",
    "snippet",
    "items",
    "uri",
    "mode",
    "source_uuid",
    // Stream events.
    "event",
    "events",
    "index",
    "delta",
    "partial_json",
    "content_block",
    "citation",
    "message_start",
    "message_delta",
    "message_stop",
    "content_block_start",
    "content_block_delta",
    "content_block_stop",
    "text_delta",
    "input_json_delta",
    "thinking_delta",
    "signature_delta",
    "citations_delta",
    "ping",
    "stream_event",
    "stream_request_start",
    // What they say.
    "user",
    "assistant",
    "system",
    "tool_use",
    "tool_result",
    "redacted_thinking",
    "image",
    "document",
    "base64",
    "image/png",
    "application/pdf",
    "progress",
    "tombstone",
    "hook_result",
    "tool_use_summary",
    "grouped_tool_use",
    "external",
    "main",
    "standard",
    "end_turn",
    "max_tokens",
    "info",
    "warning",
    "auto",
    "manual",
    "compact_boundary",
    "local_command",
    "api_error",
    "informational",
    "bash_progress",
    "hook_progress",
    "web_search_tool_result",
    "",
    "default",
];

/// How many places the table has; many stay empty, so that a search is short.
const PLACES: usize = 1024;

/// No word is longer.
const LONGEST: usize = 27;

/// For each place the number of its word, from 1 on; 0 where there is none.
static TABLE: [u8; PLACES] = table();

const fn table() -> [u8; PLACES] {
    let mut table = [0; PLACES];
    let mut number = 0;
    while number < WORDS.len() {
        let mut place = place(WORDS[number].as_bytes());
        while table[place] != 0 {
            place = (place + 1) % PLACES;
        }
        number += 1;
        table[place] = number as u8;
    }
    table
}

/// Where to search first: by the length, the first, the middle and the last byte.
const fn place(word: &[u8]) -> usize {
    let length = word.len();
    if length == 0 {
        return 0;
    }
    let (first, middle, last) = (word[0] as usize, word[length / 2] as usize, word[length - 1] as usize);
    (length * 331 + first * 97 + middle * 29 + last * 7) % PLACES
}

/// The word that a text is; `None` for any other text.
fn word(text: &str) -> Option<&'static str> {
    if text.len() > LONGEST {
        return None;
    }
    let mut place = place(text.as_bytes());
    loop {
        let number = TABLE[place];
        let word = WORDS.get(usize::from(number).wrapping_sub(1))?;
        if *word == text {
            return Some(word);
        }
        place = (place + 1) % PLACES;
    }
}

/// A text: a word of the format, or one with memory of its own.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Str(Cow<'static, str>);

impl Str {
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The text, to be changed.
    pub fn to_mut(&mut self) -> &mut String {
        self.0.to_mut()
    }
}

impl Deref for Str {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl From<&str> for Str {
    /// Copied when it is no word.
    fn from(text: &str) -> Self {
        Self(word(text).map_or_else(|| Cow::Owned(text.to_owned()), Cow::Borrowed))
    }
}

impl From<String> for Str {
    fn from(text: String) -> Self {
        Self(word(&text).map_or(Cow::Owned(text), Cow::Borrowed))
    }
}

impl From<Cow<'_, str>> for Str {
    fn from(text: Cow<'_, str>) -> Self {
        match text {
            Cow::Borrowed(text) => Self::from(text),
            Cow::Owned(text) => Self::from(text),
        }
    }
}

impl From<&String> for Str {
    fn from(text: &String) -> Self {
        Self::from(text.as_str())
    }
}

impl From<&Self> for Str {
    fn from(text: &Self) -> Self {
        text.clone()
    }
}

impl From<Str> for String {
    fn from(text: Str) -> Self {
        text.0.into_owned()
    }
}

impl fmt::Debug for Str {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl fmt::Display for Str {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}

impl PartialEq<str> for Str {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == other
    }
}

impl PartialEq<&str> for Str {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}

impl PartialEq<String> for Str {
    fn eq(&self, other: &String) -> bool {
        self.as_str() == other
    }
}
