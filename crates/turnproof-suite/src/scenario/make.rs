//! *Calls of factories*: which factory, which arguments, and what of them is missing or odd (SPEC 2.1).

use serde::{Deserialize, Serialize};

use crate::message::Message;
use crate::operation::{FactoryCall, FixedSource};

use super::pool::{PoolText, call_id, id, own_id, quoted};
use super::{Choice, Source, choices};

choices! {
    /// The factory that is called, by its name.
    FactoryName: &'static str {
        User "user" "a factory's user message" => "user";
        UserInterruption "user-interruption" "a factory's interruption" => "user_interruption";
        SyntheticCaveat "synthetic-caveat" "a factory's caveat" => "synthetic_caveat";
        ToolResult "tool-result" "a factory's result of a tool" => "tool_result";
        MissingToolResults "missing-tool-results" "a factory's placeholders" => "missing_tool_results";
        CompactSummary "compact-summary" "a factory's summary of a compaction" => "compact_summary";
        Assistant "assistant" "a factory's assistant message" => "assistant";
        AssistantApiError "assistant-api-error" "a factory's message for an error of the API" => "assistant_api_error";
        ReplyLine "reply-line" "a factory's line of a reply" => "reply_line";
        Progress "progress" "a factory's progress" => "progress";
        Attachment "attachment" "a factory's attachment" => "attachment";
        HookResult "hook-result" "a factory's outcome of a hook" => "hook_result";
        ToolUseSummary "tool-use-summary" "a factory's summary of tool uses" => "tool_use_summary";
        Tombstone "tombstone" "a factory's tombstone" => "tombstone";
        StreamEvent "stream-event" "a factory's event of a stream" => "stream_event";
        StreamRequestStart "stream-request-start" "a factory's start of a request" => "stream_request_start";
        System "system" "a factory's notice of any subtype" => "system";
        Informational "informational" "a factory's notice" => "informational";
        LocalCommand "local-command" "a factory's output of a command" => "local_command";
        ApiError "api-error" "a factory's notice of an error of the API" => "api_error";
        CompactBoundary "compact-boundary" "a factory's compact boundary" => "compact_boundary";
        MicrocompactBoundary "microcompact-boundary" "a factory's boundary of a microcompaction" => "microcompact_boundary";
        MemorySaved "memory-saved" "a factory's notice of saved memory" => "memory_saved";
        StopHookSummary "stop-hook-summary" "a factory's summary of hooks" => "stop_hook_summary";
        TurnDuration "turn-duration" "a factory's notice of a turn's time" => "turn_duration";
        ApiMetrics "api-metrics" "a factory's numbers of the API" => "api_metrics";
        PermissionRetry "permission-retry" "a factory's notice of a permission" => "permission_retry";
        BridgeStatus "bridge-status" "a factory's notice of a bridge" => "bridge_status";
        AwaySummary "away-summary" "a factory's summary for who was away" => "away_summary";
        AgentsKilled "agents-killed" "a factory's notice of ended agents" => "agents_killed";
        ScheduledTaskFire "scheduled-task-fire" "a factory's notice of a task" => "scheduled_task_fire";
        Thinking "thinking" "a factory's notice of thinking" => "thinking";
        FileSnapshot "file-snapshot" "a factory's snapshot of files" => "file_snapshot";
    }
}

choices! {
    /// What a factory is given as content or as words. A factory that takes words gets the text for all kinds of list.
    MakeContent: Content {
        Text "text" "a factory that is given a text" => Content::Text;
        TextBlock "text-block" "a factory that is given a text block" => Content::Blocks(&[r#"{"type":"text","text":$}"#]);
        TwoTexts "two-texts" "a factory that is given two text blocks" => Content::Blocks(&[r#"{"type":"text","text":$}"#, r#"{"type":"text","text":"b"}"#]);
        Result "result" "a factory that is given a result" => Content::Blocks(&[r#"{"type":"tool_result","tool_use_id":"toolu_1","content":$}"#]);
        Call "call" "a factory that is given a text and a call" => Content::Blocks(&[r#"{"type":"text","text":$}"#, r#"{"type":"tool_use","id":"toolu_1","name":"Bash","input":{}}"#]);
        Placeholder "placeholder" "a factory that is given a placeholder" => Content::Blocks(&[r#"{"type":"tool_result","tool_use_id":"toolu_1","content":[{"type":"text","text":"[Tool result missing due to internal error]"}],"is_error":true}"#]);
        Image "image" "a factory that is given an image and a text" => Content::Blocks(&[r#"{"type":"image","source":{"type":"url","url":"https://example.com/a.png"}}"#, r#"{"type":"text","text":$}"#]);
        ServerCall "server-call" "a factory that is given a text and a call of a server tool" => Content::Blocks(&[r#"{"type":"text","text":$}"#, r#"{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{}}"#]);
        Missing "missing" "a factory without content" => Content::Absent;
        Null "null" "a factory that is given null as content" => Content::Json("null");
        EmptyText "empty-text" "a factory that is given the empty text" => Content::Json("\"\"");
        EmptyList "empty-list" "a factory that is given the empty list" => Content::Json("[]");
        EmptyTexts "empty-texts" "a factory that is given nothing but empty texts" => Content::Blocks(&[r#"{"type":"text","text":""}"#, r#"{"type":"text","text":""}"#]);
        PlaceholderBehind "placeholder-behind" "a factory that is given a placeholder behind a text" => Content::Blocks(&[r#"{"type":"text","text":$}"#, r#"{"type":"tool_result","tool_use_id":"toolu_1","content":"[Tool result missing due to internal error]","is_error":true}"#]);
        PlaceholderThenMore "placeholder-then-more" "a factory that is given a result that begins as a placeholder does" => Content::Blocks(&[r#"{"type":"tool_result","tool_use_id":"toolu_1","content":"[Tool result missing due to internal error], it printed."}"#]);
    }
}

/// How content is written.
pub(super) enum Content {
    Text,
    /// These blocks, with the text in the place of `$`.
    Blocks(&'static [&'static str]),
    Absent,
    Json(&'static str),
}

choices! {
    /// Which arguments are given.
    MakeArguments {
        All "Those that are needed and the others.";
        Needed "Those that are needed.";
        NeededMissing "One that is needed is missing.";
        NeededNull "One that is needed is null.";
        Part "Those that are needed, and some of the others.";
        OthersNull "Those that are needed; the others are null.";
    }
}

choices! {
    /// What is given of a message's id and time.
    MakeIdentity: (bool, bool, bool) {
        Nothing "nothing" "a factory that finds id and time itself" => (false, false, false);
        Source "source" "a factory with a clock and a source of ids" => (false, false, true);
        Id "id" "a factory that is given the id" => (true, false, false);
        Time "time" "a factory that is given the time" => (false, true, false);
        IdAndTime "id-and-time" "a factory that is given id and time" => (true, true, false);
        IdAndSource "id-and-source" "a factory that is given the id, a clock and a source of ids" => (true, false, true);
        TimeAndSource "time-and-source" "a factory that is given the time, a clock and a source of ids" => (false, true, true);
    }
}

/// The call of a factory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct MakePlan {
    /// The factory.
    pub factory: FactoryName,
    /// The content, or the words.
    pub content: MakeContent,
    /// The text of the content, and of other arguments.
    pub text: PoolText,
    /// Which arguments are given.
    pub arguments: MakeArguments,
    /// What is given of id and time.
    pub identity: MakeIdentity,
    /// Decides flags, numbers and ids.
    pub number: u8,
}

/// The value of an argument.
enum Value {
    /// The plan's content: a text or a list.
    Content,
    /// The plan's content, if it is a text.
    Words,
    /// The plan's text, or another one when that is empty: for what must have something in it.
    Name(&'static str),
    /// The same, or the empty text.
    Reason(&'static str),
    Flag,
    Count,
    CallId,
    /// What a tool put out, as its client keeps it.
    Output,
    Json(&'static str),
    /// A list of calls and results: the messages of the case, or another list.
    Messages,
    /// A message of the case, or another one.
    Message,
}

/// An argument: its name, whether it is needed, and its value.
type Argument = (&'static str, bool, Value);

use Value::{CallId, Content as Says, Count, Flag, Json, Name, Output, Words};

impl FactoryName {
    fn arguments(self) -> &'static [Argument] {
        match self {
            Self::User => &[
                ("content", false, Says),
                ("isMeta", false, Flag),
                ("isVirtual", false, Flag),
                ("permissionMode", false, Name("plan")),
                ("imagePasteIds", false, Json("[1,2]")),
                ("toolUseResult", false, Output),
            ],
            Self::UserInterruption => &[("toolUse", false, Flag)],
            Self::ToolResult => &[
                ("toolUseId", true, CallId),
                ("content", false, Says),
                ("isError", false, Flag),
                ("toolUseResult", true, Output),
                ("sourceToolAssistantUUID", true, Json("\"a1\"")),
            ],
            Self::MissingToolResults => &[
                ("messages", true, Value::Messages),
                ("text", false, Name("[Request interrupted by user for tool use]")),
            ],
            Self::CompactSummary => {
                &[("content", false, Says), ("summarizeMetadata", false, Json(r#"{"messagesSummarized":7}"#))]
            }
            Self::Assistant => &[("content", false, Says)],
            Self::AssistantApiError => &[
                ("content", false, Says),
                ("apiError", false, Name("invalid_request")),
                ("errorDetails", false, Name("b")),
            ],
            Self::ReplyLine => &[
                (
                    "message",
                    true,
                    Json(
                        r#"{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[{"type":"text","text":"a"}],"usage":{"output_tokens":1}}"#,
                    ),
                ),
                ("requestId", false, Name("req_1")),
            ],
            Self::Progress => &[
                ("toolUseID", true, CallId),
                ("parentToolUseID", true, CallId),
                ("data", true, Json(r#"{"type":"bash_progress","output":"a"}"#)),
            ],
            Self::Attachment => &[("attachment", true, Json(r#"{"type":"todo_reminder","content":[],"itemCount":0}"#))],
            Self::HookResult => &[
                ("hookEvent", true, Json("\"PostToolUse\"")),
                ("hookName", false, Name("PostToolUse:Bash")),
                ("toolUseID", false, CallId),
                ("content", false, Words),
            ],
            Self::ToolUseSummary => {
                &[("summary", false, Words), ("precedingToolUseIds", false, Json(r#"["toolu_1","toolu_0"]"#))]
            }
            Self::Tombstone => &[("message", true, Value::Message)],
            Self::StreamEvent => &[("event", true, Json(r#"{"type":"content_block_stop","index":0}"#))],
            _ => self.of_notice(),
        }
    }

    fn of_notice(self) -> &'static [Argument] {
        match self {
            Self::System => &[
                ("subtype", true, Name("informational")),
                ("level", false, Json("\"warning\"")),
                ("content", false, Words),
            ],
            Self::Informational => &[
                ("level", false, Json("\"warning\"")),
                ("content", false, Words),
                ("toolUseID", false, CallId),
                ("preventContinuation", false, Flag),
            ],
            Self::ApiError => &[
                ("error", true, Json(r#"{"status":529,"headers":{},"requestID":null}"#)),
                ("retryInMs", true, Count),
                ("retryAttempt", true, Json("3")),
                ("maxRetries", true, Json("10")),
            ],
            Self::CompactBoundary => &[
                ("compactMetadata", false, Json(r#"{"trigger":"auto","preTokens":1000}"#)),
                ("logicalParentUuid", false, Json("\"u9\"")),
            ],
            Self::MicrocompactBoundary => &[(
                "microcompactMetadata",
                false,
                Json(r#"{"trigger":"auto","preTokens":1000,"tokensSaved":10,"compactedToolIds":["toolu_1"]}"#),
            )],
            Self::MemorySaved => &[("writtenPaths", false, Json(r#"["a.md","b.md"]"#))],
            Self::StopHookSummary => &[
                ("hookInfos", false, Json(r#"[{"command":"a"},{"command":"b"}]"#)),
                ("hookErrors", false, Json("[\"b\"]")),
                ("hasOutput", false, Flag),
                ("stopReason", false, Value::Reason("b")),
                ("toolUseID", false, CallId),
            ],
            Self::TurnDuration => &[
                ("durationMs", true, Count),
                ("messageCount", false, Json("5")),
                ("budgetTokens", false, Count),
                ("budgetLimit", false, Json("500000")),
                ("budgetNudges", false, Json("0")),
            ],
            Self::ApiMetrics => &[("metrics", false, Json(r#"{"ttftMs":10,"otps":2.50,"isP50":true}"#))],
            Self::PermissionRetry => &[("commands", false, Json(r#"["ls","pwd"]"#))],
            Self::BridgeStatus => &[("url", true, Name("https://example.com"))],
            Self::FileSnapshot => &[("snapshotFiles", true, Json(r#"[{"path":"a"}]"#))],
            Self::LocalCommand | Self::AwaySummary | Self::ScheduledTaskFire | Self::Thinking => {
                &[("content", false, Words)]
            }
            _ => &[],
        }
    }
}

/// Calls and results, some of them without the other.
const LISTS: [&str; 6] = [
    r#"[{"type":"assistant","uuid":"a1","message":{"role":"assistant","content":[{"type":"tool_use","id":"toolu_2","name":"A","input":{}},{"type":"tool_use","id":"toolu_1","name":"B","input":{}}]}},{"type":"user","uuid":"u1","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"a"}]}},{"type":"assistant","uuid":"a2","message":{"role":"assistant","content":[{"type":"tool_use","id":"toolu_0","name":"A","input":{}},{"type":"tool_use","id":"toolu_2","name":"A","input":{}}]}}]"#,
    r#"[{"type":"user","uuid":"u1","message":{"role":"user","content":"a"}},{"type":"assistant","uuid":"a1","message":{"role":"assistant","content":[{"type":"text","text":"a"}]}},{"type":"assistant","uuid":"a2","message":{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"A","input":{}}]}}]"#,
    // An id that is answered, and used again without an answer. A late result names the first call.
    r#"[{"type":"assistant","uuid":"a1","message":{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"A","input":{}}]}},{"type":"user","uuid":"u1","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"a"}]}},{"type":"assistant","uuid":"a2","message":{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"A","input":{}}]}},{"type":"user","uuid":"u2","sourceToolAssistantUUID":"a1","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"b"}]}}]"#,
    // A reply that says its call again, and another reply with a call of that id.
    r#"[{"type":"assistant","uuid":"a1","message":{"id":"msg_1","role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"A","input":{}}]}},{"type":"assistant","uuid":"a2","message":{"id":"msg_1","role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"A","input":{}}]}},{"type":"assistant","uuid":"a3","message":{"id":"msg_2","role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"A","input":{}}]}}]"#,
    // A result before two replies with a call of its id.
    r#"[{"type":"user","uuid":"u1","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"a"}]}},{"type":"assistant","uuid":"a1","message":{"id":"msg_1","role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"A","input":{}}]}},{"type":"assistant","uuid":"a2","message":{"id":"msg_2","role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"A","input":{}}]}}]"#,
    // Lines without an id of their reply are replies of their own.
    r#"[{"type":"assistant","uuid":"a1","message":{"id":"","role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"A","input":{}}]}},{"type":"assistant","uuid":"a2","message":{"id":"","role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"A","input":{}}]}}]"#,
];

/// From this number on, results come before their calls.
const FIRST_EARLY: usize = 40;

const EARLY_RESULTS: [&str; 2] = [
    // A result before two calls with its id, and one call of another id.
    r#"[{"type":"user","uuid":"u1","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"a"}]}},{"type":"assistant","uuid":"a1","message":{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"A","input":{}},{"type":"tool_use","id":"toolu_0","name":"A","input":{}}]}},{"type":"assistant","uuid":"a2","message":{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"A","input":{}}]}}]"#,
    // Two results before the call with their id, one of which names its message, and a result behind it.
    r#"[{"type":"user","uuid":"u1","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"a"},{"type":"tool_result","tool_use_id":"toolu_2","content":"a"}]}},{"type":"user","uuid":"u2","sourceToolAssistantUUID":"a1","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"b"}]}},{"type":"assistant","uuid":"a1","message":{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"A","input":{}}]}},{"type":"assistant","uuid":"a2","message":{"role":"assistant","content":[{"type":"tool_use","id":"toolu_2","name":"B","input":{}},{"type":"tool_use","id":"toolu_3","name":"B","input":{}}]}}]"#,
];

const WITHDRAWN: &str =
    r#"{"type":"assistant","uuid":"a1","message":{"role":"assistant","content":[{"type":"text","text":"a"}]}}"#;

const OUTPUTS: [&str; 5] = [r#"{"stdout":"a","interrupted":false,"code":0.10}"#, "\"\"", "0", "false", "[]"];

const COUNTS: [&str; 5] = ["0", "1", "1500", "86400000", "18446744073709551615"];

impl MakePlan {
    /// The call, in a case with these messages.
    pub(super) fn call(&self, messages: &[String]) -> FactoryCall {
        let written = self.given().filter_map(|(argument, is_null)| {
            let value = if is_null { "null".to_owned() } else { self.value(&argument.2, messages)? };
            Some(format!("\"{}\":{value}", argument.0))
        });
        let arguments = format!("{{{}}}", written.collect::<Vec<_>>().join(","));
        let (has_id, has_time, has_source) = *self.identity.what();
        let source = has_source.then(|| {
            let most = 4 + arguments.matches("\"tool_use\"").count();
            let ids = (0..most).map(|at| format!("50000000-0000-4000-8000-{at:012}")).collect();
            FixedSource { now: format!("2026-02-03T04:05:06.{}Z", self.milliseconds()), ids }
        });
        FactoryCall {
            factory: (*self.factory.what()).to_owned(),
            arguments,
            uuid: has_id.then(|| id(self.own_id()).to_owned()),
            timestamp: has_time.then(|| format!("2020-02-02T02:02:02.{}Z", self.milliseconds())),
            source,
        }
    }

    /// The milliseconds of a time. Careless writers shorten some.
    fn milliseconds(&self) -> &'static str {
        ["789", "000", "120"][usize::from(self.number) / 5 % 3]
    }

    /// One of the usual ids, or one of another form. It is never empty.
    fn own_id(&self) -> u8 {
        [4, 6, 11, 13, own_id(7)][usize::from(self.number) % 5]
    }

    /// The arguments that are given, each with whether it is null.
    fn given(&self) -> impl Iterator<Item = (&'static Argument, bool)> {
        let Self { arguments: which, number, .. } = *self;
        let arguments = self.factory.arguments();
        let needed = arguments.iter().filter(|(_, is_needed, _)| *is_needed).count();
        let lacking = usize::from(number) % needed.max(1);
        let mut of_needed = 0;
        arguments.iter().enumerate().filter_map(move |(at, argument)| {
            let is_lacking = argument.1 && of_needed == lacking;
            of_needed += usize::from(argument.1);
            match which {
                MakeArguments::All => Some((argument, false)),
                // What a factory says is an argument that it can do without, and still the one that matters.
                MakeArguments::Needed => (argument.1 || argument.0 == "content").then_some((argument, false)),
                MakeArguments::NeededMissing => (!is_lacking).then_some((argument, false)),
                MakeArguments::NeededNull => Some((argument, is_lacking)),
                MakeArguments::OthersNull => Some((argument, !argument.1 && argument.0 != "content")),
                MakeArguments::Part => {
                    let is_drawn = number >> (at % 6) & 1 == 1;
                    (argument.1 || argument.0 == "content" || is_drawn).then_some((argument, false))
                }
            }
        })
    }

    /// An argument as JSON; `None` when it is left out.
    fn value(&self, value: &Value, messages: &[String]) -> Option<String> {
        let number = usize::from(self.number);
        Some(match value {
            Says => return self.content(),
            Words => match self.content.what() {
                Content::Absent => return None,
                Content::Json("[]") => "\"\"".to_owned(),
                Content::Json(json) => (*json).to_owned(),
                _ => self.text.token(),
            },
            Value::Reason(_) if number % 2 == 1 => quoted(""),
            Name(usual) | Value::Reason(usual) if self.text.is_plainest() || self.text == PoolText::Empty => {
                quoted(usual)
            }
            Name(_) | Value::Reason(_) => self.text.token(),
            Flag => (number % 2 == 1).to_string(),
            Count => COUNTS[number % COUNTS.len()].to_owned(),
            CallId => quoted(call_id(self.number)),
            // Mostly an object.
            Output => OUTPUTS[(number / 4 % 10).saturating_sub(5)].to_owned(),
            Json(json) => (*json).to_owned(),
            Value::Messages if number % 4 == 0 => format!("[{}]", messages.join(",")),
            Value::Messages if number >= FIRST_EARLY => EARLY_RESULTS[number / 2 % EARLY_RESULTS.len()].to_owned(),
            Value::Messages => LISTS[number % LISTS.len()].to_owned(),
            Value::Message => {
                let is_message = |json: &&String| serde_json::from_str::<Message>(json).is_ok();
                messages.iter().find(is_message).map_or(WITHDRAWN, String::as_str).to_owned()
            }
        })
    }

    fn content(&self) -> Option<String> {
        Some(match self.content.what() {
            Content::Text => self.text.token(),
            Content::Blocks(blocks) => {
                let filled: Vec<String> = blocks.iter().map(|block| block.replace('$', &self.text.token())).collect();
                format!("[{}]", filled.join(","))
            }
            Content::Json(json) => (*json).to_owned(),
            Content::Absent => return None,
        })
    }

    /// The plan as numbers; the plainest of each is 0.
    pub(super) fn choices(&self) -> [u8; 6] {
        let (content, text, identity) = (self.content.place(), self.text.place(), self.identity.place());
        [self.factory.place(), content, text, self.arguments.place(), identity, self.number]
    }

    /// The plan of such numbers.
    pub(super) fn of_choices([factory, content, text, arguments, identity, number]: [u8; 6]) -> Self {
        Self {
            factory: Choice::at(factory),
            content: Choice::at(content),
            text: Choice::at(text),
            arguments: Choice::at(arguments),
            identity: Choice::at(identity),
            number,
        }
    }
}

/// Some calls of factories.
pub(super) fn makes(source: &mut dyn Source) -> Vec<MakePlan> {
    (0..source.below(11)).map(|_| make(source)).collect()
}

/// How many of the first factories make what people, models and tools say.
const SPOKEN: u8 = 9;

/// What people may type too.
pub(super) const ABOUT_INTERRUPTIONS: [PoolText; 4] = [
    PoolText::InterruptionMentioned,
    PoolText::Interruption,
    PoolText::InterruptionForToolUse,
    PoolText::InterruptionThenMore,
];

fn make(source: &mut dyn Source) -> MakePlan {
    let texts = if source.once_in(2) { PoolText::count() } else { 3 };
    // Half of them make what people, models and tools say.
    let factories = if source.once_in(2) { SPOKEN } else { FactoryName::count() };
    let (content, text) = said(source, texts);
    MakePlan {
        factory: FactoryName::at(source.byte(factories)),
        content,
        text,
        arguments: MakeArguments::at([0, 0, 5, 1, 4, 4, 2, 3][source.below(8) as usize]),
        identity: MakeIdentity::at(source.byte(MakeIdentity::count())),
        number: source.byte(60),
    }
}

/// Texts that are white space, or end or begin with it.
const BLANK: [PoolText; 3] = [PoolText::BlankEnd, PoolText::BlankBeginning, PoolText::Blank];

/// What a factory is given to say.
fn said(source: &mut dyn Source, texts: u8) -> (MakeContent, PoolText) {
    let content = MakeContent::at(source.byte(MakeContent::count()));
    match source.below(5_000) {
        // Who trims is seen where a text is said as a text.
        2_900..3_400 => (MakeContent::Text, BLANK[source.below(3) as usize]),
        4_600.. => (content, PoolText::Long),
        4_300.. => (content, if source.once_in(2) { PoolText::Cancel } else { PoolText::Reject }),
        3_800.. => {
            // Behind another block, or anywhere.
            let content = if source.once_in(3) { MakeContent::Image } else { content };
            (content, ABOUT_INTERRUPTIONS[source.below(4) as usize])
        }
        // A text of several paragraphs is mostly said as a text.
        3_400.. => (if source.once_in(3) { content } else { MakeContent::Text }, PoolText::Paragraphs),
        _ => (content, PoolText::at(source.byte(texts))),
    }
}
