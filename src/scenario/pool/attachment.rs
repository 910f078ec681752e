//! *Attachments*: one of each kind that is sent or shown, and malformed ones. `$` stands for a text of the pool, `@`
//! for the id of a call.

use crate::scenario::choices;

/// How many attachments have a form that clients write. They are the first ones.
pub(in crate::scenario) const PLAIN_ATTACHMENTS: u8 = 36;

choices! {
    /// The value of the member `attachment`.
    AttachmentForm in "attachment": &'static str {
        EmptyList "empty-list" "an empty list of tasks" => r#"{"type":"todo_reminder","content":[]}"#;
        // Sent, as text.
        QueuedCommand "queued-command" "a prompt that waited" => r#"{"type":"queued_command","prompt":$,"commandMode":"prompt"}"#;
        File "file" "a file" => r#"{"type":"file","filename":"/a.rs","content":{"type":"text","file":{"filePath":"/a.rs","content":$}}}"#;
        EditedTextFile "edited-text-file" "an edited file" => r#"{"type":"edited_text_file","filename":"/a.rs","snippet":$}"#;
        NestedMemory "nested-memory" "a memory file" => r#"{"type":"nested_memory","path":"/CLAUDE.md","content":{"type":"Project","content":$}}"#;
        CompactFileReference "compact-file-reference" "a file that is named alone" => r#"{"type":"compact_file_reference","filename":"/a.rs","displayPath":"a.rs"}"#;
        HookAdditionalContext "hook-additional-context" "context of a hook" => r#"{"type":"hook_additional_context","content":[$,"b"],"hookName":"h","toolUseID":"@","hookEvent":"PreToolUse"}"#;
        HookBlockingError "hook-blocking-error" "a hook that blocks" => r#"{"type":"hook_blocking_error","blockingError":{"blockingError":$,"command":"c"},"toolUseID":"@","hookEvent":"PreToolUse"}"#;
        TodoReminder "todo-reminder" "a list of tasks" => r#"{"type":"todo_reminder","content":[{"content":$,"status":"pending"},{"content":"b"}],"itemCount":2}"#;
        TaskReminder "task-reminder" "a list of tasks of the newer form" => r#"{"type":"task_reminder","content":[{"id":"1","subject":$,"status":"pending"}],"itemCount":1}"#;
        SkillListing "skill-listing" "a list of skills" => r#"{"type":"skill_listing","content":$,"skillCount":1}"#;
        InvokedSkills "invoked-skills" "skills in use" => r#"{"type":"invoked_skills","skills":[{"name":"s","path":"/s","content":$},{"content":" "}]}"#;
        DateChange "date-change" "a new date" => r#"{"type":"date_change","newDate":"2026-01-02"}"#;
        TotalTokensReminder "total-tokens-reminder" "a reminder of tokens" => r#"{"type":"total_tokens_reminder","text":$}"#;
        SilentTurnReminder "silent-turn-reminder" "a reminder of silence" => r#"{"type":"silent_turn_reminder","text":$}"#;
        BatchingReminderSent "batching-reminder-sent" "a reminder of batches" => r#"{"type":"batching_reminder_sent","text":$}"#;
        ReadTruncationNotice "read-truncation-notice" "a notice of a file cut short" => r#"{"type":"read_truncation_notice","banner":$}"#;
        DeferredToolsDelta "deferred-tools-delta" "tools that changed" => r#"{"type":"deferred_tools_delta","addedNames":["T"],"addedLines":["T",$],"removedNames":[]}"#;
        AgentListingDelta "agent-listing-delta" "agents that changed" => r#"{"type":"agent_listing_delta","addedTypes":["A"],"addedLines":[$]}"#;
        McpInstructionsDelta "mcp-instructions-delta" "instructions that changed" => r#"{"type":"mcp_instructions_delta","addedNames":["m"],"addedBlocks":[$,"b"]}"#;
        TaskStatus "task-status" "the status of a task" => r#"{"type":"task_status","taskId":"1","status":"running","description":$}"#;
        QueuedCommandWithImage "queued-command-with-image" "a prompt that waited, with an image" => r#"{"type":"queued_command","prompt":[{"type":"text","text":$},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgo="}}]}"#;
        // Never sent.
        HookSuccessBeforeUse "hook-success-before-use" "a hook's success before a call" => r#"{"type":"hook_success","hookName":"h","toolUseID":"@","hookEvent":"PreToolUse","content":"","stdout":"a","exitCode":0}"#;
        HookSuccessAfterUse "hook-success-after-use" "a hook's success after a call" => r#"{"type":"hook_success","hookName":"h","toolUseID":"@","hookEvent":"PostToolUse","content":""}"#;
        HookSuccessAfterFailure "hook-success-after-failure" "a hook's success after a call failed" => r#"{"type":"hook_success","hookName":"h","toolUseID":"@","hookEvent":"PostToolUseFailure","content":""}"#;
        HookSuccessAtStop "hook-success-at-stop" "a hook's success at the end of a turn" => r#"{"type":"hook_success","hookName":"h","toolUseID":"@","hookEvent":"Stop","content":""}"#;
        HookNonBlockingError "hook-non-blocking-error" "a hook's error that stops nothing" => r#"{"type":"hook_non_blocking_error","hookName":"h","toolUseID":"@","hookEvent":"PostToolUse","stderr":"a","exitCode":1}"#;
        HookCancelled "hook-cancelled" "a hook that was cancelled" => r#"{"type":"hook_cancelled","hookName":"h","toolUseID":"@","hookEvent":"PreToolUse"}"#;
        HookContextAfterUse "hook-context-after-use" "context of a hook after a call" => r#"{"type":"hook_additional_context","content":[$],"toolUseID":"@","hookEvent":"PostToolUse"}"#;
        CommandPermissions "command-permissions" "permissions of a command" => r#"{"type":"command_permissions","allowedTools":[]}"#;
        AutoMode "auto-mode" "the automatic mode" => r#"{"type":"auto_mode","reminderType":"full"}"#;
        PlanMode "plan-mode" "the planning mode" => r#"{"type":"plan_mode","planFilePath":"/p"}"#;
        OpenedFileInIde "opened-file-in-ide" "a file that is open" => r#"{"type":"opened_file_in_ide","filename":"/a.rs"}"#;
        OfTomorrow "of-tomorrow" "an attachment of a type that nobody knows" => r#"{"type":"attachment_of_tomorrow","text":$,"content":$}"#;
        ImageFile "image-file" "a file that is an image" => r#"{"type":"file","filename":"/a.png","content":{"type":"image","file":{"base64":"iVBORw0KGgo="}}}"#;
        NoTasks "no-tasks" "an empty list of tasks that counts them" => r#"{"type":"todo_reminder","content":[],"itemCount":0}"#;
        // Misshapen.
        NoMembers "no-members" "no member at all" => r#"{}"#;
        NullType "null-type" "a type that is null" => r#"{"type":null}"#;
        QueuedCommandWithoutPrompt "queued-command-without-prompt" "a prompt that waited, without its text" => r#"{"type":"queued_command"}"#;
        QueuedCommandNull "queued-command-null" "a prompt that waited, null" => r#"{"type":"queued_command","prompt":null}"#;
        QueuedCommandEmpty "queued-command-empty" "a prompt that waited, of no blocks" => r#"{"type":"queued_command","prompt":[]}"#;
        QueuedCommandOfOddBlocks "queued-command-of-odd-blocks" "a prompt that waited, of blocks and others" => r#"{"type":"queued_command","prompt":[{"type":"text","text":" \n"},"text",7,{"type":"text","text":$,"isMeta":true}]}"#;
        QueuedCommandOfToolBlocks "queued-command-of-tool-blocks" "a prompt that waited, of a call and a result" => r#"{"type":"queued_command","prompt":[{"type":"image"},{"type":"tool_use","id":"toolu_1","name":"Bash","input":{}},{"type":"tool_result","tool_use_id":"toolu_1"}]}"#;
        FileWithoutContent "file-without-content" "a file without content" => r#"{"type":"file","filename":$}"#;
        FileWithoutAName "file-without-a-name" "a file without a name" => r#"{"type":"file","content":{"file":{"content":$}}}"#;
        FileOfText "file-of-text" "a file whose content is a text" => r#"{"type":"file","filename":"/a.rs","content":"a"}"#;
        EditedTextFileWithoutASnippet "edited-text-file-without-a-snippet" "an edited file without a snippet" => r#"{"type":"edited_text_file","filename":" ","snippet":null}"#;
        NestedMemoryOfAList "nested-memory-of-a-list" "a memory file whose content is a list" => r#"{"type":"nested_memory","content":{"content":[$,"b",3]}}"#;
        HookContextOfText "hook-context-of-text" "context of a hook that is a text" => r#"{"type":"hook_additional_context","content":$}"#;
        HookContextOfANumber "hook-context-of-a-number" "context of a hook whose call is a number" => r#"{"type":"hook_additional_context","content":[],"toolUseID":7,"hookEvent":"PreToolUse"}"#;
        HookBlockingErrorOfText "hook-blocking-error-of-text" "a hook that blocks, with a text as error" => r#"{"type":"hook_blocking_error","blockingError":$}"#;
        HookSuccessWithoutCall "hook-success-without-call" "a hook's success without a call" => r#"{"type":"hook_success","hookEvent":"PreToolUse"}"#;
        HookSuccessWithoutEvent "hook-success-without-event" "a hook's success without an event" => r#"{"type":"hook_success","toolUseID":"@"}"#;
        HookSuccessNull "hook-success-null" "a hook's success, call and event null" => r#"{"type":"hook_success","toolUseID":null,"hookEvent":null}"#;
        TodoReminderOfOddTasks "todo-reminder-of-odd-tasks" "tasks without content, and others" => r#"{"type":"todo_reminder","content":[{"status":"pending"},{"content":7},"a",null]}"#;
        TaskReminderOfText "task-reminder-of-text" "a list of tasks that is a text" => r#"{"type":"task_reminder","content":$}"#;
        SkillListingOfAList "skill-listing-of-a-list" "a list of skills that is a list" => r#"{"type":"skill_listing","content":["a",$]}"#;
        InvokedSkillsNotInAList "invoked-skills-not-in-a-list" "skills that are no list" => r#"{"type":"invoked_skills","skills":{"content":"a"}}"#;
        DateChangeToANumber "date-change-to-a-number" "a new date that is a number" => r#"{"type":"date_change","newDate":20260102}"#;
        TaskStatusOfAList "task-status-of-a-list" "the status of a task that is a list" => r#"{"type":"task_status","status":[$],"description":{"a":1}}"#;
        Null "null" "`null`" => "null";
        Absent "absent" "no attachment at all" => "";
        NumberType "number-type" "a type that is a number" => r#"{"type":7,"text":$}"#;
        Text "text" "an attachment that is a text" => r#""a""#;
    }
}

impl AttachmentForm {
    /// Whether it has a form that clients write.
    pub(in crate::scenario) fn is_plain(self) -> bool {
        (self as u8) < PLAIN_ATTACHMENTS
    }

    pub(in crate::scenario) fn has_text(self) -> bool {
        self.what().contains('$')
    }

    pub(in crate::scenario) fn has_call(self) -> bool {
        self.what().contains('@')
    }
}
