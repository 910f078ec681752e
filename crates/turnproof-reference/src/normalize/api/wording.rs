//! A *wording* is how a kind of attachment is put into words for the model.

use Line::{Beside, Each, Say};

/// The words of one kind.
pub(super) struct Wording {
    /// The attachment's type.
    pub(super) kind: &'static str,
    /// The first line; it stands alone where no member says anything, if the kind itself is news.
    pub(super) head: &'static str,
    /// Whether the kind itself is news.
    pub(super) is_news: bool,
    /// What follows.
    pub(super) lines: &'static [Line],
}

/// One part of a wording. A path such as `files[].uri` goes from member to member, and into each element of a list.
pub(super) enum Line {
    /// A label, and the texts and whole numbers at a path.
    Say(&'static str, &'static str),
    /// The same, said in front of other words, and never alone.
    Beside(&'static str, &'static str),
    /// The elements at a path: of each the texts of some members, and then more lines.
    Each(&'static str, &'static [&'static str], &'static [Line]),
}

const fn kind(kind: &'static str, head: &'static str, lines: &'static [Line]) -> Wording {
    Wording { kind, head, is_news: false, lines }
}

const fn news(kind: &'static str, head: &'static str, lines: &'static [Line]) -> Wording {
    Wording { kind, head, is_news: true, lines }
}

/// The type of a prompt that waited while the model worked.
pub(super) const QUEUED: &str = "queued_command";

/// The kinds that are put into words. A prompt that waited is not among them: its own words are sent.
pub(super) const WORDINGS: &[Wording] = &[
    kind("file", "A file is attached.", FILE),
    kind(
        "edited_text_file",
        "A file was changed since it was read.",
        &[Say("File: ", "filename"), Say("The changed part:\n", "snippet")],
    ),
    kind("edited_image_file", "An image was changed since it was read.", &[Say("File: ", "filename")]),
    kind(
        "compact_file_reference",
        "A file was read before the conversation was compacted.",
        &[Say("File: ", "filename")],
    ),
    kind(
        "opened_file_in_ide",
        "A file is open in the editor; it may or may not matter now.",
        &[Say("File: ", "filename")],
    ),
    kind("directory", "A directory is attached.", &[Say("Directory: ", "path"), Say("Entries:\n", "content")]),
    kind(
        "selected_lines_in_ide",
        "Lines are selected in the editor.",
        &[
            Say("File: ", "filename"),
            Say("From line: ", "lineStart"),
            Say("To line: ", "lineEnd"),
            Say("Selected:\n", "content"),
        ],
    ),
    kind("diagnostics", "There are new diagnostics.", &[Each("files[]", &["uri"], &[DIAGNOSTICS])]),
    kind("memory", "A memory file.", MEMORY),
    kind("nested_memory", "A memory file of a folder that matters now.", MEMORY),
    kind("relevant_memories", "Memories that may matter now.", &[Each("memories[]", &["path"], &[Say("", "content")])]),
    kind(
        "mcp_resource",
        "A resource of an MCP server is attached.",
        &[
            Say("Server: ", "server"),
            Say("Resource: ", "uri"),
            Say("Name: ", "name"),
            Say("Content:\n", "content.contents[].text"),
        ],
    ),
    kind("hook_additional_context", "A hook adds context.", &[Beside("Hook: ", "hookName"), Say("", "content")]),
    kind("hook_success", "A hook adds context.", &[Say("", "content")]),
    kind(
        "hook_blocking_error",
        "A hook stopped the call.",
        &[Beside("Hook: ", "hookName"), Say("It says:\n", "blockingError.blockingError")],
    ),
    kind(
        "hook_stopped_continuation",
        "A hook ended the turn.",
        &[Beside("Hook: ", "hookName"), Say("It says:\n", "message")],
    ),
    kind(
        "async_hook_response",
        "A hook that ran in the background has answered.",
        &[
            Beside("Hook: ", "hookName"),
            Say("", "response.systemMessage"),
            Say("", "response.additionalContext"),
            Say("", "response.hookSpecificOutput.additionalContext"),
        ],
    ),
    kind("todo_reminder", "The list of tasks as it is now.", &[Each("content[]", &["content", "status"], &[])]),
    kind("task_reminder", "The list of tasks as it is now.", &[Each("content[]", &["subject", "id", "status"], &[])]),
    kind(
        "task_status",
        "A background task has news.",
        &[
            Say("Task: ", "taskId"),
            Say("Description: ", "description"),
            Say("Status: ", "status"),
            Say("News:\n", "deltaSummary"),
            Say("Its output is in: ", "outputFilePath"),
        ],
    ),
    kind("skill_listing", "Skills that can be used.", &[Say("", "content")]),
    kind("skill_discovery", "Skills that may help now.", &[Each("skills[]", &["name", "description"], &[])]),
    kind("invoked_skills", "Skills in use.", &[Each("skills[]", &["name"], &[Say("", "content")])]),
    kind(
        "deferred_tools_delta",
        "The tools that can be loaded have changed.",
        &[Say("Added:\n", "addedLines"), Say("There again:\n", "readdedNames"), Say(REMOVED, "removedNames")],
    ),
    kind(
        "agent_listing_delta",
        "The agents that can be used have changed.",
        &[Say("Added:\n", "addedLines"), Say(REMOVED, "removedTypes")],
    ),
    kind(
        "mcp_instructions_delta",
        "The instructions of MCP servers have changed.",
        &[Say("Added:\n", "addedBlocks"), Say(REMOVED, "removedNames")],
    ),
    kind("date_change", "The day has changed.", &[Say("Today is ", "newDate")]),
    kind("total_tokens_reminder", "", &[Say("", "text")]),
    kind("silent_turn_reminder", "", &[Say("", "text")]),
    kind("batching_reminder_sent", "", &[Say("", "text")]),
    kind("read_truncation_notice", "", &[Say("", "banner")]),
    kind("critical_system_reminder", "", &[Say("", "content")]),
    news("plan_mode", "Plan mode is on: change nothing, make a plan.", &[Say("The plan file: ", "planFilePath")]),
    news("plan_mode_exit", "Plan mode is off.", &[Say("The plan file: ", "planFilePath")]),
    kind("agent_mention", "The user asks for an agent.", &[Say("Agent: ", "agentType")]),
    kind("output_style", "Answer in an output style.", &[Say("Style: ", "style")]),
];

const REMOVED: &str = "No longer there:\n";

const FILE: &[Line] = &[
    Say("File: ", "filename"),
    Say("Content:\n", "content.file.content"),
    Say("Its pages are in: ", "content.file.outputDir"),
    Each(
        "content.file.cells[]",
        &["cellType"],
        &[Say("", "source"), Each("outputs[]", &[], &[Say("Output:\n", "text")])],
    ),
];

const MEMORY: &[Line] = &[Say("File: ", "path"), Say("", "content"), Say("", "content.content")];

const DIAGNOSTICS: Line = Each("diagnostics[]", &["message", "severity", "range.start.line"], &[]);

/// The kinds that are for the client and its user alone.
pub(super) const OWN: &[&str] = &[
    "hook_non_blocking_error",
    "hook_error_during_execution",
    "hook_cancelled",
    "hook_system_message",
    "hook_permission_decision",
    "max_turns_reached",
    "command_permissions",
];

/// The kinds of which a model needs to know nothing, though it might.
pub(super) const FREE: &[&str] = &[
    "auto_mode",
    "budget_usd",
    "dynamic_skill",
    "environment",
    "goal_status",
    "model",
    "ultra_effort_enter",
    "ultra_effort_exit",
];

/// The events whose hooks speak to the model when they succeed.
pub(super) const SPEAKING_EVENTS: &[&str] = &["SessionStart", "UserPromptSubmit"];

/// Where a kind holds images and documents.
pub(super) fn media(kind: &str) -> &'static [&'static str] {
    match kind {
        "file" => &["content", "content.file.cells[].outputs[].image"],
        "edited_image_file" => &["content"],
        "mcp_resource" => &["content.contents[]"],
        _ => &[],
    }
}
