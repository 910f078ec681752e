//! A *known field* is a member of a record whose JSON type is agreed on (SPEC 2.4).
//!
//! Every known field may be missing or null; whatever else is in a record is open. Side records and unknown kinds have
//! no known fields.

use crate::json::Tree;
use crate::vocabulary::{Kind, SERVER_RESULTS};

/// The JSON type of a known field.
enum Shape {
    Text,
    Boolean,
    Number,
    Array,
    /// An array of strings.
    Texts,
    /// An object with these known fields.
    Object(&'static [Members]),
    /// A string, or an array of content blocks.
    Content,
}

/// The fields of one shape, their names with spaces between.
type Members = (Shape, &'static str);

use Shape::{Array, Boolean, Content, Number, Object, Text, Texts};

const ENVELOPE: &[Members] = &[
    (Text, "uuid parentUuid logicalParentUuid timestamp createdAt sessionId agentId"),
    (Text, "cwd gitBranch version userType slug"),
    (Boolean, "isSidechain isMeta isVirtual isVisibleInTranscriptOnly isCompactSummary"),
];

const USER: &[Members] = &[
    (Object(&[(Text, "role"), (Content, "content")]), "message"),
    (Text, "sourceToolAssistantUUID sourceToolUseID permissionMode"),
    (Array, "imagePasteIds"),
    (Object(&[(Object(&[]), "_meta")]), "mcpMeta"),
];

const ASSISTANT: &[Members] =
    &[(Object(REPLY), "message"), (Text, "requestId advisorModel"), (Boolean, "isApiErrorMessage")];

const REPLY: &[Members] =
    &[(Text, "id type role model stop_reason stop_sequence"), (Content, "content"), (Object(USAGE), "usage")];

const USAGE: &[Members] = &[
    (Number, "input_tokens output_tokens cache_creation_input_tokens cache_read_input_tokens"),
    (Text, "service_tier inference_geo"),
    (Object(&[(Number, "web_search_requests web_fetch_requests")]), "server_tool_use"),
    (Object(&[(Number, "ephemeral_1h_input_tokens ephemeral_5m_input_tokens")]), "cache_creation"),
];

const SYSTEM: &[Members] = &[
    (Text, "subtype level content message toolUseID stopReason"),
    (Boolean, "preventContinuation preventedContinuation hasOutput"),
    (Object(COMPACT), "compactMetadata"),
    (Object(MICROCOMPACT), "microcompactMetadata"),
    (Number, "retryInMs retryAttempt maxRetries durationMs messageCount hookCount"),
    (Array, "hookInfos hookErrors hookAdditionalContext"),
    (Texts, "retractedMessageUuids"),
];

const COMPACT: &[Members] = &[
    (Text, "trigger"),
    (Number, "preTokens postTokens durationMs cumulativeDroppedTokens"),
    (Texts, "preCompactDiscoveredTools"),
    (Object(&[(Text, "headUuid anchorUuid tailUuid")]), "preservedSegment"),
    (Object(&[(Text, "anchorUuid"), (Texts, "uuids allUuids")]), "preservedMessages"),
];

const MICROCOMPACT: &[Members] =
    &[(Text, "trigger"), (Number, "preTokens tokensSaved"), (Texts, "compactedToolIds clearedAttachmentUUIDs")];

/// The fields that a kind has beside the envelope.
fn known_members(kind: Kind) -> &'static [Members] {
    match kind {
        Kind::User => USER,
        Kind::Assistant => ASSISTANT,
        Kind::System => SYSTEM,
        Kind::Attachment => &[(Object(&[(Text, "type")]), "attachment")],
        Kind::HookResult => &[(Text, "toolUseID")],
        Kind::Progress => &[(Text, "toolUseID parentToolUseID")],
        Kind::ToolUseSummary => &[(Text, "summary"), (Texts, "precedingToolUseIds toolUseIds")],
        Kind::Tombstone => &[(Object(&[]), "message")],
        Kind::GroupedToolUse => &[(Text, "toolName"), (Array, "messages results")],
        Kind::StreamEvent => &[(Object(&[]), "event")],
        Kind::StreamRequestStart => &[],
    }
}

/// The fields of a content block.
fn block_members(kind: &str) -> &'static [Members] {
    match kind {
        "text" => &[(Text, "text")],
        "tool_use" | "server_tool_use" => &[(Text, "id name")],
        "tool_result" => &[(Text, "tool_use_id"), (Boolean, "is_error")],
        "thinking" => &[(Text, "thinking signature")],
        "redacted_thinking" => &[(Text, "data")],
        "image" | "document" => &[(Object(&[]), "source"), (Text, "title context")],
        _ if SERVER_RESULTS.contains(&kind) => &[(Text, "tool_use_id")],
        _ => &[],
    }
}

/// The known fields of a record, or the elements in them, that have the wrong JSON type.
pub(crate) fn misfits<'t, 'a>(record: &'t Tree<'a>) -> Vec<&'t Tree<'a>> {
    let mut misfits = Vec::new();
    match record.member("type") {
        None | Some(Tree::Null) => {}
        Some(Tree::Text(kind)) => {
            if let Some(kind) = Kind::of(&kind.lossy()) {
                fit_all(ENVELOPE, record, &mut misfits);
                fit_all(known_members(kind), record, &mut misfits);
            }
        }
        Some(other) => misfits.push(other),
    }
    misfits
}

/// The names of the known members of a record that have the wrong JSON type, or hold something that has. The `type` itself
/// is not looked at.
pub(crate) fn misfit_members(record: &Tree<'_>) -> Vec<&'static str> {
    let kind = record.member("type").and_then(Tree::text).and_then(|kind| Kind::of(&kind));
    let tables = kind.into_iter().flat_map(|kind| [ENVELOPE, known_members(kind)]).flatten();
    let named = tables.flat_map(|(shape, names)| names.split(' ').map(move |name| (shape, name)));
    let is_misfit = |(shape, name): &(&Shape, &'static str)| {
        let mut misfits = Vec::new();
        record.member(name).into_iter().for_each(|value| fit(shape, value, &mut misfits));
        !misfits.is_empty()
    };
    named.filter(is_misfit).map(|(_, name)| name).collect()
}

fn fit_all<'t, 'a>(members: &[Members], object: &'t Tree<'a>, misfits: &mut Vec<&'t Tree<'a>>) {
    for (shape, names) in members {
        let values = names.split(' ').filter_map(|key| object.member(key));
        values.for_each(|value| fit(shape, value, misfits));
    }
}

fn fit<'t, 'a>(shape: &Shape, value: &'t Tree<'a>, misfits: &mut Vec<&'t Tree<'a>>) {
    match (shape, value) {
        (_, Tree::Null)
        | (Text | Content, Tree::Text(_))
        | (Boolean, Tree::Boolean(_))
        | (Number, Tree::Number(_))
        | (Array, Tree::Array(_)) => {}
        (Texts, Tree::Array(items)) => misfits.extend(items.iter().filter(|item| !matches!(item, Tree::Text(_)))),
        (Content, Tree::Array(blocks)) => blocks.iter().for_each(|block| fit_block(block, misfits)),
        (Object(members), Tree::Object(_)) => fit_all(members, value, misfits),
        _ => misfits.push(value),
    }
}

fn fit_block<'t, 'a>(block: &'t Tree<'a>, misfits: &mut Vec<&'t Tree<'a>>) {
    let Tree::Object(_) = block else { return misfits.push(block) };
    match block.member("type") {
        None | Some(Tree::Null) => {}
        Some(kind) => match kind.text() {
            Some(name) => fit_all(block_members(&name), block, misfits),
            None => misfits.push(kind),
        },
    }
}
