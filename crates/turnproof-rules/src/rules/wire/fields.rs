//! A *known field* is a member of a record whose JSON type is agreed on (SPEC.md section 2.4).
//!
//! Every known field may be missing or null; whatever else is in a record is open. Side records and unknown kinds have
//! no known fields.

use crate::json::Tree;
use crate::vocabulary::Kind;

/// The JSON type of a known field.
enum Shape {
    Text,
    Boolean,
    Number,
    Array,
    /// An array of strings.
    Texts,
    /// An object with these known fields.
    Object(&'static [Member]),
    /// A string, or an array of content blocks.
    Content,
}

type Member = (&'static str, Shape);

use Shape::{Array, Boolean, Content, Number, Object, Text, Texts};

const ENVELOPE: &[Member] = &[
    ("uuid", Text),
    ("parentUuid", Text),
    ("logicalParentUuid", Text),
    ("timestamp", Text),
    ("createdAt", Text),
    ("sessionId", Text),
    ("agentId", Text),
    ("cwd", Text),
    ("gitBranch", Text),
    ("version", Text),
    ("userType", Text),
    ("slug", Text),
    ("isSidechain", Boolean),
    ("isMeta", Boolean),
    ("isVirtual", Boolean),
    ("isVisibleInTranscriptOnly", Boolean),
    ("isCompactSummary", Boolean),
];

const USER: &[Member] = &[
    ("message", Object(&[("role", Text), ("content", Content)])),
    ("sourceToolAssistantUUID", Text),
    ("sourceToolUseID", Text),
    ("permissionMode", Text),
    ("imagePasteIds", Array),
    ("mcpMeta", Object(&[("_meta", Object(&[]))])),
];

const ASSISTANT: &[Member] =
    &[("message", Object(REPLY)), ("requestId", Text), ("advisorModel", Text), ("isApiErrorMessage", Boolean)];

const REPLY: &[Member] = &[
    ("id", Text),
    ("type", Text),
    ("role", Text),
    ("model", Text),
    ("stop_reason", Text),
    ("stop_sequence", Text),
    ("content", Content),
    ("usage", Object(USAGE)),
];

const USAGE: &[Member] = &[
    ("input_tokens", Number),
    ("output_tokens", Number),
    ("cache_creation_input_tokens", Number),
    ("cache_read_input_tokens", Number),
    ("service_tier", Text),
    ("inference_geo", Text),
    ("server_tool_use", Object(&[("web_search_requests", Number), ("web_fetch_requests", Number)])),
    ("cache_creation", Object(&[("ephemeral_1h_input_tokens", Number), ("ephemeral_5m_input_tokens", Number)])),
];

const SYSTEM: &[Member] = &[
    ("subtype", Text),
    ("level", Text),
    ("content", Text),
    ("message", Text),
    ("toolUseID", Text),
    ("stopReason", Text),
    ("preventContinuation", Boolean),
    ("preventedContinuation", Boolean),
    ("hasOutput", Boolean),
    ("compactMetadata", Object(COMPACT)),
    ("microcompactMetadata", Object(MICROCOMPACT)),
    ("retryInMs", Number),
    ("retryAttempt", Number),
    ("maxRetries", Number),
    ("durationMs", Number),
    ("messageCount", Number),
    ("hookCount", Number),
    ("hookInfos", Array),
    ("hookErrors", Array),
    ("hookAdditionalContext", Array),
    ("retractedMessageUuids", Texts),
];

const COMPACT: &[Member] = &[
    ("trigger", Text),
    ("preTokens", Number),
    ("postTokens", Number),
    ("durationMs", Number),
    ("cumulativeDroppedTokens", Number),
    ("preCompactDiscoveredTools", Texts),
    ("preservedSegment", Object(&[("headUuid", Text), ("anchorUuid", Text), ("tailUuid", Text)])),
    ("preservedMessages", Object(&[("anchorUuid", Text), ("uuids", Texts), ("allUuids", Texts)])),
];

const MICROCOMPACT: &[Member] = &[
    ("trigger", Text),
    ("preTokens", Number),
    ("tokensSaved", Number),
    ("compactedToolIds", Texts),
    ("clearedAttachmentUUIDs", Texts),
];

/// The fields that a kind has beside the envelope; nothing for side records and unknown kinds.
fn known_members(kind: Kind) -> &'static [Member] {
    match kind {
        Kind::User => USER,
        Kind::Assistant => ASSISTANT,
        Kind::System => SYSTEM,
        Kind::Attachment => &[("attachment", Object(&[("type", Text)]))],
        Kind::HookResult => &[("toolUseID", Text)],
        Kind::Progress => &[("toolUseID", Text), ("parentToolUseID", Text)],
        Kind::ToolUseSummary => &[("summary", Text), ("precedingToolUseIds", Texts), ("toolUseIds", Texts)],
        Kind::Tombstone => &[("message", Object(&[]))],
        Kind::GroupedToolUse => &[("toolName", Text), ("messages", Array), ("results", Array)],
        Kind::StreamEvent => &[("event", Object(&[]))],
        Kind::StreamRequestStart => &[],
    }
}

/// The fields of a content block.
fn block_members(kind: &str) -> &'static [Member] {
    match kind {
        "text" => &[("text", Text)],
        "tool_use" | "server_tool_use" => &[("id", Text), ("name", Text)],
        "tool_result" => &[("tool_use_id", Text), ("is_error", Boolean)],
        "thinking" => &[("thinking", Text), ("signature", Text)],
        "redacted_thinking" => &[("data", Text)],
        "image" | "document" => &[("source", Object(&[])), ("title", Text), ("context", Text)],
        "web_search_tool_result"
        | "web_fetch_tool_result"
        | "code_execution_tool_result"
        | "bash_code_execution_tool_result"
        | "text_editor_code_execution_tool_result"
        | "tool_search_tool_result"
        | "advisor_tool_result"
        | "mcp_tool_result" => &[("tool_use_id", Text)],
        _ => &[],
    }
}

/// Whether a known field of the record has the wrong JSON type.
pub(crate) fn has_wrong_type(record: &Tree<'_>) -> bool {
    match record.member("type") {
        None | Some(Tree::Null) => false,
        Some(kind) => match kind.text() {
            None => true,
            Some(kind) => {
                Kind::of(&kind).is_some_and(|kind| !(all_fit(ENVELOPE, record) && all_fit(known_members(kind), record)))
            }
        },
    }
}

fn all_fit(members: &[Member], object: &Tree<'_>) -> bool {
    members.iter().all(|(key, shape)| object.member(key).is_none_or(|value| fits(shape, value)))
}

fn fits(shape: &Shape, value: &Tree<'_>) -> bool {
    match (shape, value) {
        (_, Tree::Null)
        | (Text | Content, Tree::Text(_))
        | (Boolean, Tree::Boolean(_))
        | (Number, Tree::Number(_))
        | (Array, Tree::Array(_)) => true,
        (Texts, Tree::Array(items)) => items.iter().all(|item| matches!(item, Tree::Text(_))),
        (Content, Tree::Array(blocks)) => blocks.iter().all(block_fits),
        (Object(members), Tree::Object(_)) => all_fit(members, value),
        _ => false,
    }
}

fn block_fits(block: &Tree<'_>) -> bool {
    let Tree::Object(_) = block else { return false };
    match block.member("type") {
        None | Some(Tree::Null) => true,
        Some(kind) => kind.text().is_some_and(|kind| all_fit(block_members(&kind), block)),
    }
}
