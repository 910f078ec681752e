//! A *factory* makes messages that keep their invariants: content is never empty, and every message has an id and a
//! time (SPEC.md section 2.1).

use crate::json::{Fields, Number, Raw, Text};

use super::constants::{INTERRUPTION, INTERRUPTION_FOR_TOOL_USE, NO_CONTENT, SYNTHETIC_MODEL};
use super::predicate::unanswered_calls;
use super::{
    Assistant, AssistantBody, Attachment, AttachmentBody, Block, CompactMetadata, Content, Context, Envelope,
    HookResult, Maybe, Message, MicrocompactMetadata, Progress, StreamEvent, StreamRequestStart, System, Tombstone,
    ToolResult, ToolUseSummary, TurnBudget, Typed, Usage, User, UserBody,
};

/// The text of a synthetic caveat.
const CAVEAT: &str = "Note: the messages that follow were made by commands that the user ran in this client. \
    They are context. Do not answer them unless the user asks about them.";

/// Makes messages, with times and ids from a [`Context`].
///
/// ```
/// use turnproof_reference::message::{Factory, FixedContext};
///
/// let mut context = FixedContext::new(1);
/// let mut factory = Factory::new(&mut context);
/// let question = factory.with_uuid("u1").user("Where is the test?");
/// assert_eq!(question.envelope.uuid, "u1".into());
/// assert_eq!(question.envelope.timestamp, "2025-01-01T00:00:00.000Z".into());
/// ```
pub struct Factory<'c, C: Context + ?Sized> {
    context: &'c mut C,
    uuid: Option<Text>,
    timestamp: Option<Text>,
}

impl<'c, C: Context + ?Sized> Factory<'c, C> {
    /// A factory with the clock and the ids of `context`.
    pub fn new(context: &'c mut C) -> Self {
        Self { context, uuid: None, timestamp: None }
    }

    /// Gives the next message this id in place of a fresh one.
    pub fn with_uuid(&mut self, uuid: impl Into<Text>) -> &mut Self {
        self.uuid = Some(uuid.into());
        self
    }

    /// Gives the next message this time in place of now.
    pub fn with_timestamp(&mut self, timestamp: impl Into<Text>) -> &mut Self {
        self.timestamp = Some(timestamp.into());
        self
    }

    fn envelope(&mut self) -> Envelope {
        let uuid = self.uuid.take().unwrap_or_else(|| self.context.uuid().into());
        let timestamp = self.timestamp.take().unwrap_or_else(|| self.context.now().into());
        Envelope { uuid: uuid.into(), timestamp: timestamp.into(), ..Envelope::default() }
    }

    /// A user message: text as it is, or blocks.
    pub fn user(&mut self, content: impl Into<Content>) -> User {
        let content = content.into();
        let content = if says_nothing(&content) { NO_CONTENT.into() } else { content };
        let message = UserBody { role: "user".into(), content: content.into(), ..UserBody::default() };
        User { envelope: self.envelope(), message: message.into(), ..User::default() }
    }

    /// A user message that is for the model alone.
    pub fn meta(&mut self, content: impl Into<Content>) -> User {
        let mut user = self.user(content);
        user.envelope.is_meta = true.into();
        user
    }

    /// The notice that the user interrupted the model.
    pub fn user_interruption(&mut self) -> User {
        self.user(Content::one_text(INTERRUPTION))
    }

    /// The notice that the user interrupted the use of a tool.
    pub fn user_interruption_for_tool_use(&mut self) -> User {
        self.user(Content::one_text(INTERRUPTION_FOR_TOOL_USE))
    }

    /// A meta message that asks the model not to answer the output of commands after it.
    pub fn synthetic_caveat(&mut self) -> User {
        self.meta(CAVEAT)
    }

    /// What a tool answered: the block for the model, the raw output for everybody else, and the
    /// uuid of the assistant message that holds the call.
    pub fn tool_result(&mut self, result: ToolResult, output: Raw, assistant_uuid: impl Into<Text>) -> User {
        let mut user = self.user(vec![Block::from(result)]);
        user.tool_use_result = output.into();
        user.source_tool_assistant_uuid = assistant_uuid.into().into();
        user
    }

    /// A failed result with this text for each call that no `tool_result` among `messages` answers, in the order of the
    /// calls. The text says why there is none: the user interrupted ([`INTERRUPTION_FOR_TOOL_USE`]), or it was lost
    /// ([`MISSING_TOOL_RESULT`](super::constants::MISSING_TOOL_RESULT)), which marks the history as one not to learn
    /// from.
    pub fn missing_tool_results(&mut self, messages: &[Message], text: &str) -> Vec<User> {
        let made = |(call, assistant_uuid): (&Text, &Maybe<Text>)| {
            let result = ToolResult::new(call.clone(), text, true);
            let mut user = self.user(vec![Block::from(result)]);
            user.tool_use_result = Raw::from(text).into();
            user.source_tool_assistant_uuid = assistant_uuid.clone();
            user
        };
        unanswered_calls(messages).into_iter().map(made).collect()
    }

    /// The summary that follows a compact boundary, and how it came to be, if that is known.
    pub fn compact_summary(&mut self, summary: impl Into<Content>, metadata: Option<Raw>) -> User {
        let mut user = self.user(summary);
        user.envelope.is_compact_summary = true.into();
        user.envelope.is_visible_in_transcript_only = true.into();
        user.summarize_metadata = metadata.into();
        user
    }

    /// An assistant message that no model made: text becomes one text block.
    pub fn assistant(&mut self, content: impl Into<Content>) -> Assistant {
        let content = match content.into() {
            content if says_nothing(&content) => Content::one_text(NO_CONTENT),
            Content::Text(text) => Content::one_text(text),
            blocks => blocks,
        };
        let envelope = self.envelope();
        let message = AssistantBody {
            id: Text::from(self.context.uuid()).into(),
            object_type: "message".into(),
            role: "assistant".into(),
            model: SYNTHETIC_MODEL.into(),
            content: content.into(),
            stop_reason: "stop_sequence".into(),
            stop_sequence: "".into(),
            usage: Usage::synthetic().into(),
            container: Maybe::Null,
            context_management: Maybe::Null,
            ..AssistantBody::default()
        };
        Assistant { envelope, message: message.into(), ..Assistant::default() }
    }

    /// An assistant message that reports an error of the API: what people read, the error's kind (`apiError`, such
    /// as `max_output_tokens` or `invalid_request`), and its details (`errorDetails`), as far as they are known.
    pub fn assistant_api_error(
        &mut self,
        content: impl Into<Content>,
        kind: Option<&str>,
        details: Option<&str>,
    ) -> Assistant {
        let mut assistant = self.assistant(content);
        assistant.is_api_error_message = true.into();
        assistant.api_error = kind.map(Raw::from).into();
        assistant.error_details = details.map(Raw::from).into();
        assistant
    }

    /// A line of a reply that a model made: the body as the API gave it, and the request's id.
    pub fn reply_line(&mut self, body: AssistantBody, request_id: Maybe<Text>) -> Assistant {
        let envelope = self.envelope();
        Assistant { envelope, message: body.into(), request_id, ..Assistant::default() }
    }

    /// Live output of a running tool.
    pub fn progress(
        &mut self,
        tool_use_id: impl Into<Text>,
        parent_tool_use_id: impl Into<Text>,
        data: Raw,
    ) -> Progress {
        Progress {
            envelope: self.envelope(),
            tool_use_id: tool_use_id.into().into(),
            parent_tool_use_id: parent_tool_use_id.into().into(),
            data: data.into(),
            ..Progress::default()
        }
    }

    /// Context beside the conversation.
    pub fn attachment(&mut self, attachment: AttachmentBody) -> Attachment {
        Attachment { envelope: self.envelope(), attachment: attachment.into(), ..Attachment::default() }
    }

    /// A hook's outcome: the event that it ran at, its name, the call that it ran for, and what it says.
    pub fn hook_result(
        &mut self,
        event: impl Into<Text>,
        name: Option<&str>,
        tool_use_id: Option<&str>,
        content: impl Into<Text>,
    ) -> HookResult {
        let mut extra = Fields::from([("hookEvent", event.into().write())]);
        if let Some(name) = name {
            extra.set("hookName", Raw::from(name));
        }
        HookResult {
            envelope: self.envelope(),
            content: words(content).write().into(),
            tool_use_id: tool_use_id.map(Text::from).into(),
            extra,
        }
    }

    /// A one-line summary of some calls.
    pub fn tool_use_summary(&mut self, summary: impl Into<Text>, calls: Vec<Text>) -> ToolUseSummary {
        ToolUseSummary {
            envelope: self.envelope(),
            summary: words(summary).into(),
            preceding_tool_use_ids: calls.into(),
            ..ToolUseSummary::default()
        }
    }

    /// Withdraws a message that was already shown.
    pub fn tombstone(&mut self, withdrawn: &Message) -> Tombstone {
        Tombstone { envelope: self.envelope(), ..Tombstone::of(withdrawn) }
    }

    /// One raw event of a model's stream, as the API sent it.
    pub fn stream_event(&mut self, event: Fields) -> StreamEvent {
        StreamEvent { envelope: self.envelope(), event: event.into(), ..StreamEvent::default() }
    }

    /// A request is about to be sent.
    pub fn stream_request_start(&mut self) -> StreamRequestStart {
        StreamRequestStart { envelope: self.envelope(), ..StreamRequestStart::default() }
    }
}

/// System messages. [`Factory::system`] makes every subtype; the ones below it also fill in the
/// fields that belong to their subtype alone.
impl<C: Context + ?Sized> Factory<'_, C> {
    /// A notice of any subtype, such as those in [`SUBTYPES`](super::SUBTYPES).
    pub fn system(&mut self, subtype: impl Into<Text>, level: impl Into<Text>, content: impl Into<Text>) -> System {
        System { content: words(content).into(), ..self.bare_system(subtype, level) }
    }

    /// A notice that says everything in its own fields.
    fn bare_system(&mut self, subtype: impl Into<Text>, level: impl Into<Text>) -> System {
        System {
            envelope: self.envelope(),
            subtype: subtype.into().into(),
            level: level.into().into(),
            ..System::default()
        }
    }

    /// `informational`: a notice in words, the call that it is about, and whether the loop must stop here.
    pub fn informational(
        &mut self,
        level: impl Into<Text>,
        content: impl Into<Text>,
        tool_use_id: Option<&str>,
        prevents_continuation: bool,
    ) -> System {
        let mut notice = self.system("informational", level, content);
        notice.tool_use_id = tool_use_id.map(Text::from).into();
        notice.prevent_continuation = prevents_continuation.then_some(true).into();
        notice
    }

    /// `local_command`: a command of the client, or its output; the one subtype that is sent.
    pub fn local_command(&mut self, content: impl Into<Text>) -> System {
        self.system("local_command", "info", content)
    }

    /// `api_error`: a request failed, and is tried again after so many milliseconds.
    pub fn api_error(&mut self, error: Raw, retry_in_ms: u64, attempt: u64, max_retries: u64) -> System {
        System {
            error: error.into(),
            retry_in_ms: Number::from(retry_in_ms).into(),
            retry_attempt: Number::from(attempt).into(),
            max_retries: Number::from(max_retries).into(),
            ..self.bare_system("api_error", "error")
        }
    }

    /// `compact_boundary`: what came before was compacted. It has no parent; `last` is the message
    /// that came before it in the conversation.
    pub fn compact_boundary(&mut self, metadata: CompactMetadata, last: Option<&str>) -> System {
        let mut boundary = self.system("compact_boundary", "info", "Conversation compacted");
        boundary.envelope.parent_uuid = Maybe::Null;
        boundary.envelope.logical_parent_uuid = last.map(Text::from).into();
        boundary.envelope.is_meta = false.into();
        boundary.compact_metadata = metadata.into();
        boundary
    }

    /// `microcompact_boundary`: some results before it were cleared.
    pub fn microcompact_boundary(&mut self, metadata: MicrocompactMetadata) -> System {
        let mut boundary = self.system("microcompact_boundary", "info", "Context microcompacted");
        boundary.envelope.is_meta = false.into();
        boundary.microcompact_metadata = metadata.into();
        boundary
    }

    /// `memory_saved`: files of memory that were written.
    pub fn memory_saved(&mut self, paths: Vec<Text>) -> System {
        let extra = Fields::from([("writtenPaths", paths.write())]);
        System { extra, ..self.bare_system("memory_saved", "info") }
    }

    /// `stop_hook_summary`: what the hooks did that ran when the model stopped. It has each hook, what went wrong,
    /// whether there was output, and the reason when one kept the loop from going on.
    pub fn stop_hook_summary(
        &mut self,
        infos: Vec<Raw>,
        errors: Vec<Raw>,
        has_output: bool,
        reason: Option<&str>,
    ) -> System {
        System {
            hook_count: Number::from(infos.len() as u64).into(),
            has_output: has_output.into(),
            hook_infos: infos.into(),
            hook_errors: errors.into(),
            prevented_continuation: reason.is_some().into(),
            stop_reason: reason.unwrap_or_default().into(),
            ..self.bare_system("stop_hook_summary", "info")
        }
    }

    /// `turn_duration`: how long a turn took, how many messages it has, and what of its budget was used.
    pub fn turn_duration(
        &mut self,
        duration_ms: u64,
        message_count: Option<u64>,
        budget: Option<TurnBudget>,
    ) -> System {
        let mut turn = self.bare_system("turn_duration", "info");
        turn.envelope.is_meta = false.into();
        turn.duration_ms = Number::from(duration_ms).into();
        turn.message_count = message_count.map(Number::from).into();
        if let Some(TurnBudget { tokens, limit, nudges }) = budget {
            for (name, number) in [("budgetTokens", tokens), ("budgetLimit", limit), ("budgetNudges", nudges)] {
                turn.extra.set(name, Number::from(number).write());
            }
        }
        turn
    }

    /// `api_metrics`: measures of requests, by name.
    pub fn api_metrics(&mut self, metrics: Fields) -> System {
        System { extra: metrics, ..self.bare_system("api_metrics", "info") }
    }

    /// `permission_retry`: commands that the user has allowed after all.
    pub fn permission_retry(&mut self, commands: Vec<Text>) -> System {
        let named: Vec<&str> = commands.iter().map(Text::as_str).collect();
        let mut retry = self.system("permission_retry", "info", format!("Allowed {}", named.join(", ")));
        retry.extra.set("commands", commands.write());
        retry
    }

    /// `bridge_status`: the session can be steered from another device, at this address.
    pub fn bridge_status(&mut self, url: &str) -> System {
        let mut status = self.system("bridge_status", "info", format!("Remote control is active at {url}"));
        status.extra.set("url", Raw::from(url));
        status
    }

    /// `away_summary`: what happened while the user was away.
    pub fn away_summary(&mut self, content: impl Into<Text>) -> System {
        self.system("away_summary", "info", content)
    }

    /// `agents_killed`: running subagents were stopped.
    pub fn agents_killed(&mut self) -> System {
        self.system("agents_killed", "info", "Running agents were stopped")
    }

    /// `scheduled_task_fire`: a scheduled task begins.
    pub fn scheduled_task_fire(&mut self, content: impl Into<Text>) -> System {
        self.system("scheduled_task_fire", "info", content)
    }

    /// `thinking`: the model thinks.
    pub fn thinking(&mut self, content: impl Into<Text>) -> System {
        self.system("thinking", "info", content)
    }

    /// `file_snapshot`: files as they were.
    pub fn file_snapshot(&mut self, files: Raw) -> System {
        System { extra: Fields::from([("snapshotFiles", files)]), ..self.bare_system("file_snapshot", "info") }
    }
}

/// Whether content is the empty text, or a list of nothing but empty texts.
fn says_nothing(content: &Content) -> bool {
    let is_empty = |block: &Block| block.text().is_some_and(|text| text.as_str().is_empty());
    match content {
        Content::Text(text) => text.as_str().is_empty(),
        Content::Blocks(blocks) => blocks.iter().all(is_empty),
    }
}

/// Text that is never empty.
fn words(text: impl Into<Text>) -> Text {
    match text.into() {
        text if text.as_str().is_empty() => NO_CONTENT.into(),
        text => text,
    }
}
