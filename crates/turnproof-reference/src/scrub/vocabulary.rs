//! The *vocabulary* are the words of the format: names of members that clients and the API write, the words that their
//! values may be, and the texts that readers look for. All other words are the user's.

use std::collections::HashSet;
use std::sync::LazyLock;

use crate::message::{
    AssistantBody, Block, Envelope, Kind, Member, SERVER_RESULTS, Shape, UserBody, constants, members_of_kind,
};

/// Names of members that are not in the documents of [`message`](crate::message): of side records, tools and requests.
const NAMES: &str = "
    type subtype uuid parentUuid logicalParentUuid sessionId session_id agentId cwd gitBranch userType version slug
    entrypoint isSidechain isMeta isVirtual isVisibleInTranscriptOnly isCompactSummary isApiErrorMessage timestamp
    createdAt requestId request_id message role content id model usage stop_reason stop_sequence stop_details container
    context_management applied_edits diagnostics input_tokens output_tokens cache_creation_input_tokens
    cache_read_input_tokens cache_creation ephemeral_5m_input_tokens ephemeral_1h_input_tokens service_tier speed
    inference_geo server_tool_use web_search_requests web_fetch_requests iterations output_tokens_details
    thinking_tokens cache_miss_reason cache_missed_input_tokens
    name input text thinking signature data caller tool_use_id is_error tool_name source media_type citations url title
    cache_control ttl scope context file_id server_name retrieved_at encrypted_content page_age error_code results
    toolUseResult toolUseID parentToolUseID sourceToolUseID sourceToolAssistantUUID mcpMeta _meta structuredContent
    stdout stderr interrupted isImage noOutputExpected returnCodeInterpretation backgroundTaskId persistedOutputPath
    persistedOutputSize dangerouslyDisableSandbox rawOutputPath
    file filePath file_path numLines startLine totalLines originalFile originalFileContents oldString newString
    old_string new_string replaceAll replace_all userModified structuredPatch oldStart oldLines newStart newLines lines
    oldTodos newTodos todos status activeForm priority filenames numFiles truncated durationMs durationSeconds query
    command description timeout run_in_background pattern path offset limit glob output_mode head_limit multiline
    edits edit_mode cell_id cell_type new_source notebook_path prompt subagent_type plan planFilePath planExists
    bash_id shell_id shellId stdoutLines stderrLines filter exitCode taskId task_id task taskType isAgent isAsync
    agentType agent_type resume isolation totalDurationMs totalTokens totalToolUseCount toolStats readCount searchCount
    bashCount editFileCount linesAdded linesRemoved otherToolCount outputFile canReadOutputFile allowed_domains
    blocked_domains bytes code codeText result max_results matches total_deferred_tools questions question header
    options multiSelect label answers subject owner blocks blockedBy addBlocks addBlockedBy updatedFields statusChange
    success recipient sender target skill args commandName allowedTools appliedLimit mode from to base64 originalSize
    dimensions originalWidth originalHeight displayWidth displayHeight
    snapshot messageId isSnapshotUpdate trackedFileBackups backupFileName backupTime
    summary leafUuid operation permissionMode lastPrompt customTitle aiTitle tag agentName agentColor teamName team_name
    prNumber prUrl prRepository worktreeSession worktreePath worktreeBranch worktreeName originalCwd originalBranch
    originalHeadCommit preEnterOriginalCwd enteredExisting relocatedCwd sessionKind promptId promptSource
    interruptedMessageId isAbortedMidStream toolDenialKind toolEndsTurn imagePasteIds thinkingMetadata level disabled
    triggers start end effort origin kind attributionSkill attributionPlugin attributionAgent attributionMcpServer
    attributionMcpTool supersedesUuids retractedMessageUuids source_uuid key
    hookName hookEvent hookCount hookInfos hookErrors hookAdditionalContext preventedContinuation stopReason hasOutput
    attachment commandMode itemCount blockingError met condition sentinel reminderType displayPath snippet addedNames
    removedNames readdedNames addedLines addedTypes removedTypes addedBlocks pendingMcpServers needsAuthMcpServers
    skillCount isInitial names skills skillNames skillDir newDate banner used total remaining tokens reason
    contentDiffersFromDisk showConcurrencyNote classifierMetaLines filename diagnosticsFiles files
    compactMetadata trigger preTokens postTokens messagesSummarized preCompactDiscoveredTools preservedSegment headUuid
    tailUuid anchorUuid preservedMessages uuids allUuids cumulativeDroppedTokens microcompactMetadata tokensSaved
    compactedToolIds clearedAttachmentUUIDs direction
    error errorDetails apiErrorStatus apiRefusalCategory apiRefusalExplanation refusedUserMessageUuid cause formatted
    isNetworkDown isSSLError connection rateLimits headers requestID retryAttempt retryInMs maxRetries retryAfterSeconds
    originalModel fallbackModel messageCount pendingBackgroundAgentCount
    category explanation fallback_has_prefill_claim recommended_model
    messages event index delta content_block partial_json parent_tool_use_id system tools tool_choice max_tokens
    metadata user_id temperature stream stop_sequences
";

/// Names of members of blocks and their parts, as the API takes them (SPEC.md 6.12.10), that are in no other list.
const OF_BLOCKS: &str = "
    active cited_text clear_at definition document_index document_title download_id enabled encrypted_index
    encrypted_stdout
    end_block_index end_char_index end_page_number error_message file_type input_schema is_file_update output_config
    mcp_server_name new_lines new_start num_lines old_lines old_start oversized_image return_code
    search_result_index size_bytes start_block_index start_char_index start_line start_page_number state_changes
    tab_id tabs tool tool_changes tool_id tool_references toolset_name total_lines transformations
";

/// Types of blocks and parts, and words inside of them, that are in no other list.
const WORDS_OF_BLOCKS: &str = "
    never next_user_message
    1h 5m downsize content_too_large execution_time_exceeded file_not_found invalid_tool_input max_uses_exceeded
    model_not_found output_file_too_large overloaded prompt_too_long query_too_long too_many_requests unavailable
    unsupported_content_type url_not_accessible url_not_allowed url_not_in_prior_context url_too_long
    advisor_redacted_result advisor_result advisor_tool_result advisor_tool_result_error bash_code_execution_output
    bash_code_execution_tool_result bash_code_execution_tool_result_error browser_state
    code_execution_20250825 code_execution_20260120 code_execution_output
    code_execution_tool_result code_execution_tool_result_error download_completed download_failed download_started
    encrypted_code_execution_result mcp_tool_listing mcp_tool_reference mcp_tool_result mcp_toolset_reference
    mid_conv_system tab_opened text_editor_code_execution_create_result
    text_editor_code_execution_str_replace_result text_editor_code_execution_tool_result
    text_editor_code_execution_tool_result_error text_editor_code_execution_view_result tool_addition
    tool_definition tool_removal tool_search_tool_result tool_search_tool_result_error web_fetch_tool_result
    web_fetch_tool_result_error web_search_tool_result web_search_tool_result_error
";

/// Names of members of attachments, as clients write them (SPEC.md 6.5.1), that are in no other list.
const OF_ATTACHMENTS: &str = "
    additionalContext blob cellType cells character contents count deltaSummary environment hookEventName
    hookSpecificOutput image image_data isNew line lineEnd lineStart maxTurns memories mimeType outputDir
    outputFilePath output_type outputs range response server severity style systemMessage toolName turnCount uri
";

/// Kinds of attachments, and words inside of them, that are in no other list.
const WORDS_OF_ATTACHMENTS: &str = "
    batching_reminder_sent environment max_turns_reached memory model read_truncation_notice silent_turn_reminder
    skill_discovery total_tokens_reminder ultra_effort_enter ultra_effort_exit
    Error Warning Information Hint stream display_data
";

/// The names of members whose values, when they are one of [`WORDS`], are words of the format.
const OF_WORDS: &str = "
    type subtype role stop_reason stopReason model version level userType entrypoint permissionMode mode operation
    service_tier speed inference_geo media_type name status trigger hookEvent hookName commandMode kind origin
    priority output_mode error tool_name direction caller category originalModel fallbackModel taskType
    toolDenialKind effort ttl promptSource sessionKind reminderType edit_mode cell_type isolation
    error_code file_type oversized_image mimeType severity cellType output_type clear_at
";

/// The names of members whose values are types of media.
const OF_MEDIA: [&str; 3] = ["type", "media_type", "mimeType"];

/// The kinds of media, of which a type has one before its slash.
const KINDS_OF_MEDIA: [&str; 5] = ["image", "application", "text", "audio", "video"];

/// Words that values may be, beside kinds of message and of block.
const WORDS: &str = "
    message user assistant system attachment progress summary hook_result tombstone tool_use_summary
    file-history-snapshot queue-operation custom-title ai-title agent-name agent-color agent-setting tag mode
    permission-mode last-prompt pr-link worktree-state attribution-snapshot content-replacement speculation-accept
    marble-origami-commit marble-origami-snapshot relocated started result scheduled_task_fire cache-control
    task-summary
    text tool_use tool_result thinking redacted_thinking image document server_tool_use mcp_tool_use container_upload
    tool_reference search_result fallback compaction novelty direct base64 url file content ephemeral
    message_start message_delta message_stop content_block_start content_block_delta content_block_stop ping error
    text_delta thinking_delta signature_delta input_json_delta citations_delta compaction_delta
    web_search_result web_fetch_result code_execution_result bash_code_execution_result tool_search_tool_search_result
    char_location page_location content_block_location web_search_result_location search_result_location
    create update notebook parts pdf file_unchanged async_launched completed remote_launched teammate_spawned
    compact_boundary microcompact_boundary local_command api_error informational turn_duration stop_hook_summary
    away_summary memory_saved bridge_status permission_retry agents_killed api_metrics file_snapshot session_start
    model_refusal_fallback api_refusal init
    hook_success hook_progress hook_additional_context hook_non_blocking_error hook_blocking_error hook_cancelled
    hook_error_during_execution hook_stopped_continuation hook_system_message hook_permission_decision
    async_hook_response bash_progress agent_progress mcp_progress query_update search_results_received waiting_for_task
    queued_command deferred_tools_delta agent_listing_delta mcp_instructions_delta goal_status task_reminder
    todo_reminder skill_listing auto_mode auto_mode_exit plan_mode plan_mode_exit plan_mode_reentry edited_text_file
    edited_image_file already_read_file compact_file_reference pdf_reference directory opened_file_in_ide
    selected_lines_in_ide diagnostics nested_memory relevant_memories dynamic_skill invoked_skills plan_file_reference
    mcp_resource agent_mention task_status todo output_style date_change ultrathink_effort token_usage budget_usd
    critical_system_reminder command_permissions verify_plan_reminder compaction_reminder context_efficiency
    structured_output teammate_mailbox team_context current_session_memory
    end_turn stop_sequence max_tokens pause_turn refusal model_context_window_exceeded
    info warning suggestion none low medium high max xhigh notice debug
    external ant human cli sdk-cli sdk-py sdk-ts mcp ide vscode remote remote_mobile claude-vscode claude-desktop
    default acceptEdits ask bypassPermissions plan dontAsk auto manual normal prompt bash task-notification
    coordinator channel
    enqueue dequeue popAll remove now next later standard batch not_available fast flex
    image/png image/jpeg image/gif image/webp image/bmp image/tiff image/svg+xml image/heic image/avif image/x-icon
    application/pdf text/plain text/markdown
    pending in_progress deleted running failed killed stopped success
    PreToolUse PostToolUse PostToolUseFailure Stop SubagentStart SubagentStop SessionStart SessionEnd UserPromptSubmit
    Notification PreCompact PostCompact PermissionRequest PermissionDenied Setup TeammateIdle TaskCompleted
    ConfigChange CwdChanged FileChanged InstructionsLoaded WorktreeCreate WorktreeRemove startup resume clear compact
    files_with_matches count replace insert delete code markdown worktree
    rate_limit authentication_failed billing_error invalid_request server_error unknown max_output_tokens
    invalid_request_error authentication_error permission_error not_found_error request_too_large rate_limit_error
    api_error overloaded_error timeout_error from up_to
    local_bash local_agent remote_agent in_process_teammate local_workflow monitor_mcp
    Bash Read Edit Write MultiEdit NotebookEdit NotebookRead Glob Grep LS Task Agent TodoWrite TodoRead WebFetch
    WebSearch BashOutput KillShell KillBash ExitPlanMode EnterPlanMode AskUserQuestion Skill SlashCommand ToolSearch
    TaskCreate TaskGet TaskList TaskUpdate TaskOutput TaskStop TeamCreate TeamDelete SendMessage StructuredOutput
    EnterWorktree ExitWorktree ListMcpResourcesTool ReadMcpResourceTool LSP PowerShell REPL Sleep Config
    CronCreate CronDelete CronList Monitor Workflow
    web_search web_fetch code_execution bash_code_execution text_editor_code_execution tool_search_tool_regex
    tool_search_tool_bm25 advisor str_replace_editor str_replace_based_edit_tool exit_plan_mode
";

/// Words that names of models and versions are made of, beside those of three letters and less.
const OF_MODELS: &str = "claude opus sonnet haiku instant fable synthetic latest preview beta alpha fast gemini \
    flash anthropic global";

/// The members whose values are names of models or versions.
const MODELS: [&str; 4] = ["model", "version", "originalModel", "fallbackModel"];

/// The members whose inside is the user's, so that long numbers in it are replaced.
const FREE: [&str; 2] = ["input", "toolUseResult"];

/// The tags that clients put around texts.
const TAGS: &str = "
    system-reminder command-name command-message command-args command-contents local-command-stdout
    local-command-stderr local-command-caveat bash-input bash-stdout bash-stderr tool_use_error persisted-output
    task-notification task-id status summary output-file result usage user-prompt-submit-hook user-memory-input
    session-start-hook teammate-message cross-session-message channel analysis ide_opened_file ide_selection
    ide_diagnostics new-diagnostics fork-boilerplate tick
";

/// Texts of clients and of the API, beside [`constants`], that readers look for.
const PHRASES: [&str; 14] = [
    constants::NO_CONTENT,
    constants::NO_CONTENT_BRACKETED,
    constants::SYNTHETIC_MODEL,
    "API Error",
    "Prompt is too long",
    "Credit balance is too low",
    "Invalid API key",
    "Request timed out",
    "Tool loaded.",
    "Request too large",
    "Image was too large",
    "PDF too large",
    "PDF is password protected",
    "The PDF file was not valid",
];

/// How an error of the API begins.
const ERROR: &[u8] = b"API Error";

/// Words of such errors that say which media the API refused.
const REFUSALS: [&str; 13] = [
    "image",
    "pdf",
    "request too large",
    "request_too_large",
    "request was too large",
    "too large",
    "exceed",
    "could not process",
    "could not",
    "maximum of",
    "password",
    "not valid",
    "invalid",
];

struct Vocabulary {
    names: HashSet<&'static str>,
    of_words: HashSet<&'static str>,
    words: HashSet<&'static str>,
    of_models: HashSet<&'static str>,
    tags: Vec<Vec<char>>,
    phrases: Vec<Vec<char>>,
    /// Whether a tag or phrase begins with this character, of ASCII.
    begins: [bool; 128],
}

static VOCABULARY: LazyLock<Vocabulary> = LazyLock::new(|| {
    let mut names: HashSet<_> =
        [NAMES, OF_BLOCKS, OF_ATTACHMENTS].into_iter().flat_map(str::split_whitespace).collect();
    let documents = Kind::ALL.iter().map(|kind| members_of_kind(*kind));
    let blocks = Block::TYPES.iter().chain(&SERVER_RESULTS).map(|name| Block::members_of(name));
    let bodies = [Envelope::MEMBERS, UserBody::MEMBERS, AssistantBody::MEMBERS];
    documents.chain(blocks).chain(bodies).for_each(|members| add_names(members, &mut names));
    let lists = [WORDS, WORDS_OF_BLOCKS, WORDS_OF_ATTACHMENTS];
    let mut words: HashSet<_> = lists.into_iter().flat_map(str::split_whitespace).collect();
    words.extend(Kind::ALL.iter().map(|kind| kind.name()));
    words.extend(Block::TYPES.iter().chain(&SERVER_RESULTS));
    words.insert(constants::SYNTHETIC_MODEL);
    let phrases = PHRASES.iter().chain(&constants::SYNTHETIC_TEXTS).chain(&[
        constants::REJECT_WITH_REASON_PREFIX,
        constants::SUBAGENT_REJECT,
        constants::SUBAGENT_REJECT_WITH_REASON_PREFIX,
        constants::PLAN_REJECTION_PREFIX,
        constants::MISSING_TOOL_RESULT,
        constants::GUIDANCE,
        constants::GUIDANCE_BEGINNING,
        constants::CLASSIFIER_DENIAL_PREFIX,
        constants::CLASSIFIER_DENIAL_OTHER_TASKS,
        constants::CLASSIFIER_DENIAL_HINT,
    ]);
    let mut phrases: Vec<Vec<char>> = phrases.map(|phrase| phrase.chars().collect()).collect();
    // The longest that fits is kept.
    phrases.sort_by_key(|phrase| std::cmp::Reverse(phrase.len()));
    let mut begins = [false; 128];
    phrases.iter().filter_map(|phrase| phrase.first()).for_each(|first| begins[*first as usize & 127] = true);
    begins[b'<' as usize] = true;
    Vocabulary {
        names,
        of_words: OF_WORDS.split_whitespace().collect(),
        words,
        of_models: OF_MODELS.split_whitespace().collect(),
        tags: TAGS.split_whitespace().map(|tag| tag.chars().collect()).collect(),
        phrases,
        begins,
    }
});

fn add_names(members: &'static [Member], names: &mut HashSet<&'static str>) {
    for member in members {
        names.insert(member.name);
        let mut shape = &member.shape;
        while let Shape::List(element) = shape {
            shape = element;
        }
        if let Shape::Object(inside) = shape {
            add_names(inside, names);
        }
    }
}

/// Whether a member's name is one of the format.
pub(super) fn is_name(name: &str) -> bool {
    VOCABULARY.names.contains(name)
}

/// Whether the value of a member is a word of the format.
pub(super) fn is_word(name: &str, value: &str) -> bool {
    VOCABULARY.of_words.contains(name)
        && (is_value(value) || value.split(':').all(is_value) || MODELS.contains(&name) && is_model(value))
}

/// How many bytes at the beginning of a value say its kind of media: those of `image/`, so that a picture of an unknown
/// type is known for one.
pub(super) fn kind_of_media(name: &str, value: &[u8]) -> usize {
    let rest = |kind: &&str| {
        let rest = value.strip_prefix(kind.as_bytes())?;
        rest.strip_prefix(b"\\").unwrap_or(rest).strip_prefix(b"/")
    };
    let rest = KINDS_OF_MEDIA.iter().find_map(rest).filter(|_| OF_MEDIA.contains(&name));
    rest.map_or(0, |rest| value.len() - rest.len())
}

fn is_value(value: &str) -> bool {
    VOCABULARY.words.contains(value)
}

/// Whether a text is the name of a model or version: its words are known, or of three letters at most.
fn is_model(text: &str) -> bool {
    let mut words = text.split(|letter: char| !letter.is_alphabetic());
    text.starts_with(|first: char| first.is_ascii_alphanumeric())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-_:+[]@/".contains(&byte))
        && text.split(|letter: char| !letter.is_ascii_digit()).all(|digits| digits.len() <= 8)
        && words.all(|word| word.len() <= 3 || VOCABULARY.of_models.contains(word))
}

/// Whether a text is a word of the format, as a name or as a value.
pub(super) fn is_vocabulary(text: &[u8]) -> bool {
    text.len() <= 64 && std::str::from_utf8(text).is_ok_and(|text| is_name(text) || is_value(text))
}

/// Whether a quoted word is one of the format, where nobody knows whether it is a name or a value.
pub(super) fn is_quoted_word(text: &str) -> bool {
    is_name(text) || is_value(text)
}

/// Whether the numbers inside of a member are the user's: its name is not of the format, or it holds what a tool was
/// given or gave.
pub(super) fn is_free(name: Option<&str>) -> bool {
    name.is_some_and(|name| FREE.contains(&name) || !is_name(name))
}

/// Whether a text is an error of the API.
pub(super) fn is_error(text: &[u8]) -> bool {
    text.starts_with(ERROR)
}

/// How many characters the words have that begin here and say what the API refused.
pub(super) fn refusal_at(error: &[u8]) -> Option<usize> {
    let begins =
        |words: &&&str| error.get(..words.len()).is_some_and(|text| text.eq_ignore_ascii_case(words.as_bytes()));
    REFUSALS.iter().find(begins).map(|words| words.len())
}

/// How many characters the tag or phrase has that begins here.
pub(super) fn phrase_at(text: impl Iterator<Item = char> + Clone) -> Option<usize> {
    let first = text.clone().next().filter(|first| first.is_ascii())?;
    if !VOCABULARY.begins[first as usize] {
        return None;
    }
    let begins =
        |words: &[char], text: &mut dyn Iterator<Item = char>| words.iter().all(|&letter| text.next() == Some(letter));
    if first == '<' {
        let slash = usize::from(text.clone().nth(1) == Some('/'));
        let tag = VOCABULARY.tags.iter().find(|tag| {
            let mut rest = text.clone().skip(1 + slash);
            begins(tag, &mut rest) && matches!(rest.next(), Some('>' | ' ' | '\n'))
        });
        if let Some(tag) = tag {
            return Some(1 + slash + tag.len());
        }
    }
    let phrase = VOCABULARY.phrases.iter().find(|phrase| begins(phrase, &mut text.clone()));
    phrase.map(Vec::len)
}
