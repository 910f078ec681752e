//! *Attachments* by kind: what the model must be told of them, what must never be sent, and what is free.
//!
//! It is the table of SPEC.md section 6.5.1. `tests/rules/normalize/attachments.rs` holds it against that one.

/// One row: kinds of attachment that are treated alike.
///
/// An entry is a path: `a.b` is the member `b` of `a`, `a[]` is each element of the list `a`. There are three others:
/// [`A_TEXT`], [`EVERYTHING`], and a path after [`MEDIUM_OF`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// The types of attachment.
    pub kinds: &'static [&'static str],
    /// The values of `hookEvent` for which the row holds; empty when it holds for all.
    pub events: &'static [&'static str],
    /// What the model must be told.
    pub told: &'static [&'static str],
    /// What must not be sent.
    pub never: &'static [&'static str],
    /// What may be sent, or not.
    pub free: &'static [&'static str],
}

/// Told: the kind itself is news, so there is a text whatever the members say.
pub const A_TEXT: &str = "a text";

/// Never or free: all that the attachment has.
pub const EVERYTHING: &str = "everything";

/// Told: the object at the path behind this is an image or a document.
pub const MEDIUM_OF: &str = "medium of ";

/// The row for an attachment of this type, of a hook at this event. The first one counts; `None` for kinds that nobody
/// knows.
pub fn row(kind: &str, event: &str) -> Option<&'static Row> {
    ROWS.iter().find(|row| row.kinds.contains(&kind) && (row.events.is_empty() || row.events.contains(&event)))
}

const fn row_of(
    kinds: &'static [&'static str],
    told: &'static [&'static str],
    never: &'static [&'static str],
    free: &'static [&'static str],
) -> Row {
    Row { kinds, events: &[], told, never, free }
}

/// The rows.
pub const ROWS: &[Row] = &[
    row_of(
        &["queued_command"],
        &["prompt"],
        &["source_uuid"],
        &["commandMode", "origin", "timestamp", "imagePasteIds"],
    ),
    row_of(
        &["file"],
        &[
            "filename",
            "content.file.content",
            "content.file.outputDir",
            "content.file.cells[].source",
            "content.file.cells[].outputs[].text",
            "medium of content",
            "medium of content.file.cells[].outputs[].image",
        ],
        &["content.file.base64"],
        &[
            "displayPath",
            "content.file.filePath",
            "content.file.numLines",
            "content.file.startLine",
            "content.file.totalLines",
            "content.file.cells[].cellType",
        ],
    ),
    row_of(&["edited_text_file"], &["filename", "snippet"], &[], &["displayPath"]),
    row_of(&["edited_image_file"], &["filename", "medium of content"], &["content.file.base64"], &["displayPath"]),
    row_of(&["compact_file_reference", "opened_file_in_ide"], &["filename"], &[], &["displayPath"]),
    row_of(&["directory"], &["path", "content"], &[], &["displayPath"]),
    row_of(
        &["selected_lines_in_ide"],
        &["filename", "lineStart", "lineEnd", "content"],
        &[],
        &["ideName", "displayPath"],
    ),
    row_of(
        &["diagnostics"],
        &[
            "files[].uri",
            "files[].diagnostics[].message",
            "files[].diagnostics[].severity",
            "files[].diagnostics[].range.start.line",
        ],
        &[],
        &["files[].diagnostics[].source", "files[].diagnostics[].code", "isNew"],
    ),
    row_of(
        &["memory", "nested_memory"],
        &["path", "content", "content.content"],
        &[],
        &["displayPath", "content.type", "content.path"],
    ),
    row_of(&["relevant_memories"], &["memories[].path", "memories[].content"], &[], &["memories[].mtimeMs"]),
    row_of(
        &["mcp_resource"],
        &["server", "uri", "content.contents[].text", "medium of content.contents[]"],
        &["content.contents[].blob"],
        &["name", "description"],
    ),
    row_of(&["hook_additional_context"], &["content"], &["toolUseID"], &["hookName", "hookEvent"]),
    row_of(
        &["hook_blocking_error"],
        &["blockingError.blockingError"],
        &["toolUseID"],
        &["hookName", "hookEvent", "blockingError.command"],
    ),
    row_of(&["hook_stopped_continuation"], &["message"], &["toolUseID"], &["hookName", "hookEvent"]),
    row_of(
        &["async_hook_response"],
        &["response.systemMessage", "response.additionalContext", "response.hookSpecificOutput.additionalContext"],
        &["stdout", "stderr", "processId"],
        &["hookName", "hookEvent", "toolName"],
    ),
    Row {
        kinds: &["hook_success"],
        events: &["SessionStart", "UserPromptSubmit"],
        told: &["content"],
        never: &["stdout", "stderr", "toolUseID"],
        free: &["hookName", "hookEvent", "command"],
    },
    row_of(
        &[
            "hook_success",
            "hook_non_blocking_error",
            "hook_error_during_execution",
            "hook_cancelled",
            "hook_system_message",
            "hook_permission_decision",
        ],
        &[],
        &["everything"],
        &[],
    ),
    row_of(&["max_turns_reached", "command_permissions"], &[], &["everything"], &[]),
    row_of(&["todo_reminder"], &["content[].content", "content[].status"], &[], &["content[].activeForm", "itemCount"]),
    row_of(
        &["task_reminder"],
        &["content[].id", "content[].subject", "content[].status"],
        &[],
        &[
            "content[].description",
            "content[].activeForm",
            "content[].owner",
            "content[].blocks",
            "content[].blockedBy",
            "itemCount",
        ],
    ),
    row_of(
        &["task_status"],
        &["taskId", "description", "status", "deltaSummary"],
        &[],
        &["taskType", "outputFilePath"],
    ),
    row_of(&["skill_listing"], &["content"], &[], &["names", "skillCount", "isInitial"]),
    row_of(&["skill_discovery"], &["skills[].name", "skills[].description"], &[], &["skills[].path"]),
    row_of(&["invoked_skills"], &["skills[].name", "skills[].content"], &[], &["skills[].path"]),
    row_of(
        &["deferred_tools_delta"],
        &["addedLines", "readdedNames", "removedNames"],
        &[],
        &["addedNames", "pendingMcpServers", "needsAuthMcpServers"],
    ),
    row_of(
        &["agent_listing_delta"],
        &["addedLines", "removedTypes"],
        &[],
        &["addedTypes", "isInitial", "showConcurrencyNote"],
    ),
    row_of(&["mcp_instructions_delta"], &["addedBlocks", "removedNames"], &[], &["addedNames"]),
    row_of(&["date_change"], &["newDate"], &[], &[]),
    row_of(&["total_tokens_reminder", "silent_turn_reminder", "batching_reminder_sent"], &["text"], &[], &["model"]),
    row_of(&["read_truncation_notice"], &["banner"], &["toolUseID"], &[]),
    row_of(&["critical_system_reminder"], &["content"], &[], &[]),
    row_of(&["plan_mode"], &["a text", "planFilePath"], &[], &["reminderType", "isSubAgent", "planExists"]),
    row_of(&["plan_mode_exit"], &["a text"], &[], &["planFilePath", "planExists"]),
    row_of(&["agent_mention"], &["agentType"], &[], &[]),
    row_of(&["output_style"], &["style"], &[], &[]),
    row_of(
        &[
            "auto_mode",
            "budget_usd",
            "dynamic_skill",
            "environment",
            "goal_status",
            "model",
            "ultra_effort_enter",
            "ultra_effort_exit",
        ],
        &[],
        &[],
        &["everything"],
    ),
];
