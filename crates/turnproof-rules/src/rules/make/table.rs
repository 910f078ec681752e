//! The *table* of factories: which arguments each takes, and which members its message must have (SPEC 2.1.1). It is
//! the oracle's own, beside the code that it judges.

use crate::vocabulary::{COMPACT_BOUNDARY, INTERRUPTION, INTERRUPTION_FOR_TOOL_USE, LOCAL_COMMAND};

/// A factory, as the table has it.
pub(super) struct Factory {
    pub(super) name: &'static str,
    /// The `type` of its messages.
    pub(super) kind: &'static str,
    /// The arguments that it refuses to be without.
    pub(super) required: &'static [&'static str],
    /// What its message says, and where.
    pub(super) says: Says,
    pub(super) members: &'static [Member],
}

/// What a message says, and where.
#[derive(Clone, Copy)]
pub(super) enum Says {
    /// Nothing that an argument gives.
    Nothing,
    /// The argument `content`, as a string or a list of blocks: a user's content.
    UserContent,
    /// The same, always as a list of blocks: an assistant's content.
    AssistantContent,
    /// An argument that is a text, in the member of this name.
    Words(&'static str, &'static str),
    /// This text of the protocol, or the other one when the argument `toolUse` is true, in one text block.
    Interruption(&'static str, &'static str),
    /// A text of the factory's own in the member at this pointer; it may not be blank.
    Own(&'static str),
    /// A placeholder result for each unanswered call of the argument `messages`.
    Placeholders,
}

/// A member that a message must have. Pointers are as in RFC 6901.
#[derive(Clone, Copy)]
pub(super) enum Member {
    /// The argument as it was given, at this pointer; nothing (or null, or the empty text) when it is missing.
    Carried(&'static str, &'static str),
    /// The argument as it was given, at this pointer; when it is missing, this JSON.
    Or(&'static str, &'static str, &'static str),
    /// True if the argument is true, else false or missing.
    Flag(&'static str, &'static str),
    /// This JSON, whatever was given.
    Always(&'static str, &'static str),
    /// Nothing, null, or the empty text.
    Never(&'static str),
    /// Nothing, null or false.
    Not(&'static str),
    /// How many elements the argument has.
    Count(&'static str, &'static str),
    /// Whether the argument was given.
    IsGiven(&'static str, &'static str),
    /// Each member of the argument, as a member of the message.
    Spread(&'static str),
}

use Member::*;

/// The factory of a name.
pub(super) fn find(name: &str) -> Option<&'static Factory> {
    FACTORIES.iter().find(|factory| factory.name == name)
}

const fn factory(
    name: &'static str,
    kind: &'static str,
    required: &'static [&'static str],
    says: Says,
    members: &'static [Member],
) -> Factory {
    Factory { name, kind, required, says, members }
}

/// A notice whose subtype has the factory's name.
const fn notice(
    name: &'static str,
    required: &'static [&'static str],
    says: Says,
    members: &'static [Member],
) -> Factory {
    factory(name, "system", required, says, members)
}

const SAYS: Says = Says::Words("content", "content");
const NONE: &[&str] = &[];

pub(super) const FACTORIES: &[Factory] = &[
    factory(
        "user",
        "user",
        NONE,
        Says::UserContent,
        &[
            Flag("isMeta", "/isMeta"),
            Flag("isVirtual", "/isVirtual"),
            Carried("permissionMode", "/permissionMode"),
            Carried("imagePasteIds", "/imagePasteIds"),
            Carried("toolUseResult", "/toolUseResult"),
            Not("/isCompactSummary"),
        ],
    ),
    factory("user_interruption", "user", NONE, Says::Interruption(INTERRUPTION, INTERRUPTION_FOR_TOOL_USE), &[]),
    factory(
        "synthetic_caveat",
        "user",
        NONE,
        Says::Own("/message/content"),
        &[Always("/isMeta", "true"), Always("/message/role", "\"user\"")],
    ),
    factory(
        "tool_result",
        "user",
        &["toolUseId", "toolUseResult", "sourceToolAssistantUUID"],
        Says::Nothing,
        &[
            Always("/message/role", "\"user\""),
            Always("/message/content/0/type", "\"tool_result\""),
            Never("/message/content/1"),
            Carried("toolUseId", "/message/content/0/tool_use_id"),
            Carried("content", "/message/content/0/content"),
            Flag("isError", "/message/content/0/is_error"),
            Carried("toolUseResult", "/toolUseResult"),
            Carried("sourceToolAssistantUUID", "/sourceToolAssistantUUID"),
        ],
    ),
    factory("missing_tool_results", "user", &["messages"], Says::Placeholders, &[]),
    factory(
        "compact_summary",
        "user",
        NONE,
        Says::UserContent,
        &[
            Always("/isCompactSummary", "true"),
            Always("/isVisibleInTranscriptOnly", "true"),
            Carried("summarizeMetadata", "/summarizeMetadata"),
        ],
    ),
    factory("assistant", "assistant", NONE, Says::AssistantContent, &[Not("/isApiErrorMessage")]),
    factory(
        "assistant_api_error",
        "assistant",
        NONE,
        Says::AssistantContent,
        &[
            Always("/isApiErrorMessage", "true"),
            Carried("apiError", "/apiError"),
            Carried("errorDetails", "/errorDetails"),
        ],
    ),
    factory(
        "reply_line",
        "assistant",
        &["message"],
        Says::Nothing,
        &[Carried("message", "/message"), Carried("requestId", "/requestId"), Not("/isApiErrorMessage")],
    ),
    factory(
        "progress",
        "progress",
        &["toolUseID", "parentToolUseID", "data"],
        Says::Nothing,
        &[Carried("toolUseID", "/toolUseID"), Carried("parentToolUseID", "/parentToolUseID"), Carried("data", "/data")],
    ),
    factory("attachment", "attachment", &["attachment"], Says::Nothing, &[Carried("attachment", "/attachment")]),
    factory(
        "hook_result",
        "hook_result",
        &["hookEvent"],
        SAYS,
        &[Carried("hookEvent", "/hookEvent"), Carried("hookName", "/hookName"), Carried("toolUseID", "/toolUseID")],
    ),
    factory(
        "tool_use_summary",
        "tool_use_summary",
        NONE,
        Says::Words("summary", "summary"),
        &[Or("precedingToolUseIds", "/precedingToolUseIds", "[]")],
    ),
    factory("tombstone", "tombstone", &["message"], Says::Nothing, &[Carried("message", "/message")]),
    factory("stream_event", "stream_event", &["event"], Says::Nothing, &[Carried("event", "/event")]),
    factory("stream_request_start", "stream_request_start", NONE, Says::Nothing, &[]),
    factory(
        "system",
        "system",
        &["subtype"],
        SAYS,
        &[Carried("subtype", "/subtype"), Or("level", "/level", "\"info\"")],
    ),
    notice(
        "informational",
        NONE,
        SAYS,
        &[
            Or("level", "/level", "\"info\""),
            Carried("toolUseID", "/toolUseID"),
            Flag("preventContinuation", "/preventContinuation"),
        ],
    ),
    notice(LOCAL_COMMAND, NONE, SAYS, &[]),
    notice(
        "api_error",
        &["error", "retryInMs", "retryAttempt", "maxRetries"],
        Says::Nothing,
        &[
            Always("/level", "\"error\""),
            Carried("error", "/error"),
            Carried("retryInMs", "/retryInMs"),
            Carried("retryAttempt", "/retryAttempt"),
            Carried("maxRetries", "/maxRetries"),
        ],
    ),
    notice(
        COMPACT_BOUNDARY,
        NONE,
        Says::Own("/content"),
        &[
            Never("/parentUuid"),
            Or("compactMetadata", "/compactMetadata", "{}"),
            Carried("logicalParentUuid", "/logicalParentUuid"),
        ],
    ),
    notice(
        "microcompact_boundary",
        NONE,
        Says::Own("/content"),
        &[Or("microcompactMetadata", "/microcompactMetadata", "{}")],
    ),
    notice("memory_saved", NONE, Says::Nothing, &[Or("writtenPaths", "/writtenPaths", "[]")]),
    notice(
        "stop_hook_summary",
        NONE,
        Says::Nothing,
        &[
            Or("hookInfos", "/hookInfos", "[]"),
            Or("hookErrors", "/hookErrors", "[]"),
            Count("hookInfos", "/hookCount"),
            Flag("hasOutput", "/hasOutput"),
            IsGiven("stopReason", "/preventedContinuation"),
            Or("stopReason", "/stopReason", "\"\""),
            Carried("toolUseID", "/toolUseID"),
        ],
    ),
    notice(
        "turn_duration",
        &["durationMs"],
        Says::Nothing,
        &[
            Carried("durationMs", "/durationMs"),
            Carried("messageCount", "/messageCount"),
            Carried("budgetTokens", "/budgetTokens"),
            Carried("budgetLimit", "/budgetLimit"),
            Carried("budgetNudges", "/budgetNudges"),
        ],
    ),
    notice("api_metrics", NONE, Says::Nothing, &[Spread("metrics")]),
    notice("permission_retry", NONE, Says::Own("/content"), &[Or("commands", "/commands", "[]")]),
    notice("bridge_status", &["url"], Says::Own("/content"), &[Carried("url", "/url")]),
    notice("away_summary", NONE, SAYS, &[]),
    notice("agents_killed", NONE, Says::Own("/content"), &[]),
    notice("scheduled_task_fire", NONE, SAYS, &[]),
    notice("thinking", NONE, SAYS, &[]),
    notice("file_snapshot", &["snapshotFiles"], Says::Nothing, &[Carried("snapshotFiles", "/snapshotFiles")]),
];
