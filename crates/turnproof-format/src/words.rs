//! The *words* of the format that no other table has: names of members, and what their values may be.
//!
//! To add a word is to write it into its list, anywhere. Most messages have the *usual* ones, and the oracle does not
//! copy those when it reads JSON: a word that is missing there costs time, and nothing else.

use crate::attachments::{A_TEXT, ATTACHMENTS, EVERYTHING, MEDIUM_OF};
use crate::shapes::{self, Form};
use crate::{DELTA_TYPES, ERROR_KINDS, EVENT_TYPES, Kind, ROLES, SERVER_CALLS, SERVER_TOOLS, SIDE_KINDS, STOP_REASONS};
use crate::{SUBTYPES, texts};

/// Usual names of members.
const USUAL_NAMES: &str = "
    type content uuid message role id text name input data source model usage sessionId parentUuid logicalParentUuid
    timestamp createdAt isSidechain cwd userType version gitBranch requestId agentId teamName slug subtype level
    command toolUseID isCompactSummary isMeta isVirtual isVisibleInTranscriptOnly isApiErrorMessage apiError error
    errorDetails permissionMode origin imagePasteIds advisorModel promptId mcpMeta _meta structuredContent
    supersedesUuids tool_use_id is_error media_type thinking signature cache_control citations caller cited_text
    document_index document_title start_char_index end_char_index file_id url title context server_name tool_name
    description file_path filePath file files pattern stop_reason stop_sequence stop_details container
    context_management input_tokens output_tokens cache_creation_input_tokens cache_read_input_tokens cache_creation
    service_tier inference_geo server_tool_use web_search_requests web_fetch_requests ephemeral_1h_input_tokens
    ephemeral_5m_input_tokens iterations speed toolUseResult sourceToolAssistantUUID sourceToolUseID parentToolUseID
    stdout stderr interrupted isImage filename hookEvent hookName hookCount hookInfos hookErrors
    hookAdditionalContext exitCode prompt query limit status summary precedingToolUseIds toolName messages results
    compactMetadata microcompactMetadata trigger preTokens postTokens tokensSaved cumulativeDroppedTokens
    compactedToolIds clearedAttachmentUUIDs preCompactDiscoveredTools preservedSegment preservedMessages headUuid
    anchorUuid tailUuid uuids allUuids retractedMessageUuids retryInMs retryAttempt maxRetries durationMs
    messageCount stopReason preventedContinuation preventContinuation hasOutput attachment itemCount addedLines
    addedNames removedNames addedTypes blockingError displayPath originalSize commandMode planFilePath newDate
    skills banner kind path snippet uri mode source_uuid event index delta partial_json content_block system image
    base64 max_tokens
";

/// Usual values.
const USUAL_VALUES: &str = "
    tool_use tool_result redacted_thinking document image/png application/pdf external standard end_turn info
    warning auto manual bash_progress hook_progress web_search_tool_result default
";

/// Usual words that users have too, so that they do not count as the format's own.
const USUAL_WORDS: &str = "
    attribution forkedFrom messageUuid output displayMessage isModifiedByUser items events citation main
";

/// Other names of members: of records, messages, requests, and of what tools take and give.
const NAMES: &str = "
    session_id entrypoint request_id applied_edits output_tokens_details thinking_tokens cache_miss_reason
    cache_missed_input_tokens scope noOutputExpected returnCodeInterpretation backgroundTaskId persistedOutputPath
    persistedOutputSize dangerouslyDisableSandbox rawOutputPath originalFile originalFileContents oldString
    newString old_string new_string replaceAll replace_all userModified structuredPatch oldStart oldLines newStart
    newLines oldTodos newTodos todos priority filenames numFiles truncated durationSeconds timeout run_in_background
    offset glob output_mode head_limit multiline edits edit_mode cell_id cell_type new_source notebook_path
    subagent_type plan bash_id shell_id shellId stdoutLines stderrLines filter task_id task isAgent isAsync
    agent_type resume isolation totalDurationMs totalTokens totalToolUseCount toolStats readCount searchCount
    bashCount editFileCount linesAdded linesRemoved otherToolCount outputFile canReadOutputFile allowed_domains
    blocked_domains bytes codeText result max_results matches total_deferred_tools questions question header options
    multiSelect label answers addBlocks addBlockedBy updatedFields statusChange success recipient sender target
    skill args commandName appliedLimit dimensions originalWidth originalHeight displayWidth displayHeight snapshot
    messageId isSnapshotUpdate trackedFileBackups backupFileName backupTime leafUuid operation lastPrompt
    customTitle aiTitle tag agentName agentColor team_name prNumber prUrl prRepository worktreeSession worktreePath
    worktreeBranch worktreeName originalCwd originalBranch originalHeadCommit preEnterOriginalCwd enteredExisting
    relocatedCwd sessionKind promptSource interruptedMessageId isAbortedMidStream toolDenialKind toolEndsTurn
    thinkingMetadata disabled triggers attributionSkill attributionPlugin attributionAgent attributionMcpServer
    attributionMcpTool key sentinel tokens contentDiffersFromDisk classifierMetaLines diagnosticsFiles
    messagesSummarized direction apiErrorStatus apiRefusalCategory apiRefusalExplanation refusedUserMessageUuid
    cause formatted isNetworkDown isSSLError connection rateLimits headers requestID retryAfterSeconds originalModel
    fallbackModel pendingBackgroundAgentCount category explanation fallback_has_prefill_claim recommended_model
    parent_tool_use_id tool_choice metadata user_id temperature stream stop_sequences
";

/// Names of members that a client of 2026 writes beside those above (recorded, 2.1.332).
const NAMES_OF_2026: &str = "
    renderedRole rendered madeBy fallback_credit perTurnEffort rowSource apiBlockIndex requestedModel
    promptCacheRequested atis sentAtMs turnPosition promptIndex turnIndex totalCostUSD totalAPIDuration
    totalAPIDurationWithoutRetries totalToolDuration totalLinesAdded totalLinesRemoved totalDuration startTime
    modelUsage hasUnknownModelCost inputTokens outputTokens thinkingTokens cacheReadInputTokens
    cacheCreationInputTokens cacheCreationEphemeral5mInputTokens cacheCreationEphemeral1hInputTokens
    webSearchRequests costUSD turnOrigin isGitRepo additionalWorkingDirectories osVersion sendUserFileHint
    managedCommit renderedBesideToolResult cliPrefix toolInputStreamMs permissionDecision reasonType wireHiddenNames
    digests builtInTypes builtInPluginTypes failedMcpServers sandboxed preCompactOrganizationsCoverStart
    failedResponseHadNoToolCall apiErrorType mcpCallNotReadOnly thinkingDurationMs thinkingDisplay turnCompanion
    noResponse ownNote commandRun commandOutcome reasonCode delivery_id commandUuid deliveryId requestSessionId
    systemTurns toolChangeHeader inlineTools keptReminders hostsOwnTurn queueSkipAttachments producer runId
    streamCutCause streamCutError ruleSource runningTurnPrompt summarizedTurnPromptUuids refusalRetry
    turnAttributionKey refusedMessageId failedHookErrorIndexes causeNeutral autoModeConsentFlow finishExposedWork
    bashFirst bashFirstSteer steerOnly bypass healsDistinctCarrier renderedInHumanTurn savedCopyFraming enveloped
    promptSubmitEnding ending promptKept resourceLinks retractedTools surfacedNames nameOnlyAnnouncements hookText
    hookTextLead textAfterToolBlocks apiErrorParams apiErrorIsTransient cut queueTranscriptOnly toolsUsedDelta
    toolUses contextUsage total_tokens raw_max_tokens percentage categories mcp_tools memory_files holdsPersonsWords
    grantScope toolDenialBeforeRun retractedWireUuids maxThinkingTokens interruptedByShutdown senderTaskId
    bridgeSessionId lastSequenceNum ownerAccountUuid ownerOrganizationUuid frameUrl snapshotMessageId trackingPath
    backup parentSessionId parentLastUuid contextLength continuedInSessionId species pastedContents project agents
    querySource shapeHash shape hash base keep tail params betas output_config effort display cacheControl value
    requestDigest thread echoWireToolInputs requestRef tools system input_schema properties required items
    additionalProperties anyOf $schema budget_tokens ttl format schema strict defer_loading
";

/// Other values.
const VALUES: &str = "
    message agent-color agent-setting attribution-snapshot speculation-accept marble-origami-commit
    marble-origami-snapshot cache-control task-summary novelty create update notebook parts file_unchanged
    async_launched completed remote_launched teammate_spawned session_start model_refusal_fallback api_refusal init
    agent_progress mcp_progress query_update search_results_received waiting_for_task auto_mode_exit
    plan_mode_reentry already_read_file pdf_reference plan_file_reference todo ultrathink_effort token_usage
    verify_plan_reminder compaction_reminder context_efficiency structured_output teammate_mailbox team_context
    current_session_memory suggestion none notice debug ant human cli sdk-cli sdk-py sdk-ts mcp ide vscode remote
    remote_mobile claude-vscode claude-desktop acceptEdits ask bypassPermissions plan dontAsk normal prompt bash
    task-notification coordinator channel enqueue dequeue popAll remove now next later batch not_available fast flex
    image/bmp image/tiff image/svg+xml image/heic image/avif image/x-icon text/markdown pending in_progress deleted
    running failed killed stopped success PreToolUse PostToolUse PostToolUseFailure Stop SubagentStart SubagentStop
    SessionEnd Notification PreCompact PostCompact PermissionRequest PermissionDenied Setup TeammateIdle
    TaskCompleted ConfigChange CwdChanged FileChanged InstructionsLoaded WorktreeCreate WorktreeRemove startup
    resume clear compact files_with_matches count replace insert delete code markdown worktree from up_to local_bash
    local_agent remote_agent in_process_teammate local_workflow monitor_mcp Bash Read Edit Write MultiEdit
    NotebookEdit NotebookRead Glob Grep LS Task Agent TodoWrite TodoRead WebFetch WebSearch BashOutput KillShell
    KillBash ExitPlanMode EnterPlanMode AskUserQuestion Skill SlashCommand ToolSearch TaskCreate TaskGet TaskList
    TaskUpdate TaskOutput TaskStop TeamCreate TeamDelete SendMessage StructuredOutput EnterWorktree ExitWorktree
    ListMcpResourcesTool ReadMcpResourceTool LSP PowerShell REPL Sleep Config CronCreate CronDelete CronList Monitor
    Workflow str_replace_editor str_replace_based_edit_tool exit_plan_mode Error Warning Information Hint stream
    display_data local harness recorded hook other mode rule subcommandResults used unavailable_headless
    blocked_by_hook buffer free user-rejected interrupted permission-rule session-task once unknown workingDir
    stream_truncated server_error userSettings task_notification model_fallback ephemeral adaptive enabled omitted updates all low medium high max sdk object string number integer
    boolean array any tool DeferredToolPlaceholder ListAgents ReportFindings ScheduleWakeup clear_thinking_20251015
    messages content tools claude-code-20250219 interleaved-thinking-2025-05-14 context-management-2025-06-27
    thinking-token-count-2026-05-13 advanced-tool-use-2025-11-20 effort-2025-11-24
    thinking-display-updates-2026-08-18 typed peer cyber inbound us agent
    builtin general-purpose Explore bashMiss no-rule-match fallback_message
";

/// The members whose text is an id.
pub const ID_NAMES: &[&str] = &split::<{ count(IDS) }>(IDS);

const IDS: &str = "
    uuid parentUuid logicalParentUuid leafUuid messageId sessionId agentId requestId toolUseID parentToolUseID
    sourceToolUseID sourceToolAssistantUUID headUuid anchorUuid tailUuid id tool_use_id
";

/// The members whose elements are ids.
pub const ID_LIST_NAMES: &[&str] = &split::<{ count(ID_LISTS) }>(ID_LISTS);

const ID_LISTS: &str = "
    uuids allUuids supersedesUuids retractedMessageUuids precedingToolUseIds toolUseIds compactedToolIds
    clearedAttachmentUUIDs
";

/// The members of a stream's events.
pub const STREAM_NAMES: &[&str] = &split::<{ count(OF_STREAMS) }>(OF_STREAMS);

const OF_STREAMS: &str = "
    type index message content_block delta usage error text partial_json citation citations thinking signature data
    content encrypted_content stop_reason stop_sequence input_tokens output_tokens id tool_use_id role model name
    input container context_management input_transformations
";

/// The members of a request's body, its turns and blocks; the last two are a client's own, sent by mistake.
pub const REQUEST_NAMES: &[&str] = &split::<{ count(OF_REQUESTS) }>(OF_REQUESTS);

const OF_REQUESTS: &str = "
    messages role content system tools tool_choice model max_tokens stream metadata stop_sequences temperature
    thinking budget_tokens type text citations id name input tool_use_id is_error signature data source media_type
    url file_id title context caller server_name tool_name cache_control ttl description input_schema uuid timestamp
";

/// The usual words, with those of the tables that most messages have.
pub const USUAL: [&str; COUNT] = {
    let mut words = [""; COUNT];
    let mut at = 1;
    at = add(&mut words, at, &split::<{ count(USUAL_NAMES) }>(USUAL_NAMES));
    at = add(&mut words, at, &split::<{ count(USUAL_VALUES) }>(USUAL_VALUES));
    at = add(&mut words, at, &split::<{ count(USUAL_WORDS) }>(USUAL_WORDS));
    at = add(&mut words, at, &KIND_NAMES);
    at = add(&mut words, at, SUBTYPES);
    at = add(&mut words, at, EVENT_TYPES);
    add(&mut words, at, DELTA_TYPES);
    words
};

/// How many usual words there are; the first one is empty.
const COUNT: usize = 1
    + count(USUAL_NAMES)
    + count(USUAL_VALUES)
    + count(USUAL_WORDS)
    + KIND_NAMES.len()
    + SUBTYPES.len()
    + EVENT_TYPES.len()
    + DELTA_TYPES.len();

const KIND_NAMES: [&str; Kind::ALL.len()] = {
    let mut names = [""; Kind::ALL.len()];
    let mut at = 0;
    while at < names.len() {
        names[at] = Kind::ALL[at].name();
        at += 1;
    }
    names
};

/// Every name of a member, but for those of the documents of messages.
pub fn names() -> impl Iterator<Item = &'static str> {
    let of_shapes = shapes::all().iter().flat_map(|shape| &shape.members).map(|member| member.name);
    [USUAL_NAMES, NAMES, NAMES_OF_2026]
        .into_iter()
        .flat_map(str::split_whitespace)
        .chain(of_shapes)
        .chain(of_attachments())
}

/// Every word that a value may be.
pub fn values() -> impl Iterator<Item = &'static str> {
    let lists = [SUBTYPES, SIDE_KINDS, EVENT_TYPES, DELTA_TYPES, STOP_REASONS, ROLES, &SERVER_CALLS, &KIND_NAMES];
    let errors = ERROR_KINDS.iter().flat_map(|(kind, types, _)| types.iter().chain([kind]));
    let server_tools = SERVER_TOOLS.iter().flat_map(|(result, tools)| tools.iter().chain([result]));
    let attachments = ATTACHMENTS.iter().flat_map(|row| row.events.iter().chain([&row.kind]));
    let listed = lists.into_iter().flatten().chain(errors).chain(server_tools).chain(attachments).copied();
    let of_shapes = shapes::all().iter().flat_map(|shape| {
        let words = shape.members.iter().flat_map(|member| words(&member.form));
        words.chain([shape.name]).filter(|word| !word.is_empty())
    });
    let others = [USUAL_VALUES, VALUES].into_iter().flat_map(str::split_whitespace);
    others.chain(listed).chain(of_shapes).chain([texts::SYNTHETIC_MODEL])
}

/// The members of shapes whose values are words.
pub fn names_of_words() -> impl Iterator<Item = &'static str> {
    let members = shapes::all().iter().flat_map(|shape| &shape.members);
    members.filter(|member| !words(&member.form).is_empty()).map(|member| member.name)
}

/// The words that a value of a form may be.
fn words(form: &Form) -> Vec<&'static str> {
    match form {
        Form::OneOf(words) | Form::Only(words) => words.clone(),
        Form::OrNull(of) | Form::List(of) => words(of),
        Form::Either(forms) => forms.iter().flat_map(words).collect(),
        _ => Vec::new(),
    }
}

/// The names of members of attachments: the steps of all paths, and those of the examples.
fn of_attachments() -> impl Iterator<Item = &'static str> {
    let is_path = |entry: &&'static str| ![A_TEXT, EVERYTHING].contains(entry);
    let steps = |entry: &'static str| {
        let path = entry.strip_prefix(MEDIUM_OF).unwrap_or(entry);
        path.split('.').map(|step| step.trim_end_matches("[]"))
    };
    ATTACHMENTS.iter().flat_map(move |row| {
        let paths = [row.told, row.never, row.free].into_iter().flatten().copied().filter(is_path).flat_map(steps);
        let examples = row.examples.iter().flat_map(|(_, json)| members(json));
        paths.chain(examples)
    })
}

/// The names of members in JSON without escapes: what stands between quotes before a colon.
fn members(json: &'static str) -> impl Iterator<Item = &'static str> {
    let ends = json.match_indices("\":");
    ends.filter_map(|(end, _)| json[..end].rsplit('"').next()).filter(|name| !name.ends_with('\\'))
}

/// How many words a text has.
const fn count(text: &str) -> usize {
    let bytes = text.as_bytes();
    let (mut count, mut at, mut is_inside) = (0, 0, false);
    while at < bytes.len() {
        let is_word = !bytes[at].is_ascii_whitespace();
        if is_word && !is_inside {
            count += 1;
        }
        is_inside = is_word;
        at += 1;
    }
    count
}

/// The words of a text.
const fn split<const COUNT: usize>(text: &'static str) -> [&'static str; COUNT] {
    let mut words = [""; COUNT];
    let (mut rest, mut at) = (text.trim_ascii(), 0);
    while at < COUNT {
        let mut end = 0;
        while end < rest.len() && !rest.as_bytes()[end].is_ascii_whitespace() {
            end += 1;
        }
        let (word, after) = rest.split_at(end);
        words[at] = word;
        rest = after.trim_ascii();
        at += 1;
    }
    words
}

/// Writes words from a place on; gives the place after them.
const fn add(words: &mut [&'static str], mut place: usize, more: &[&'static str]) -> usize {
    let mut at = 0;
    while at < more.len() {
        words[place] = more[at];
        (place, at) = (place + 1, at + 1);
    }
    place
}
