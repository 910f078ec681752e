//! What the reference's *factories* make of a call, and what its predicates say of it.

use std::collections::BTreeMap;

use crate::json::{Fields, Number, Raw, Text};
use crate::message::constants::MISSING_TOOL_RESULT;
use crate::message::{
    AssistantBody, AttachmentBody, CompactMetadata, Content, Context, Event, Factory, Maybe, Message,
    MicrocompactMetadata, SystemContext, ToolResult, Typed, contains_placeholder,
};
use crate::operation::{FactoryCall, FixedSource, MadeMessage};

/// Calls a factory. Fails when no factory has the name, or when an argument is missing or cannot be read.
pub(super) fn make(call: &FactoryCall) -> Result<Vec<MadeMessage>, String> {
    let raw = Raw::from_json(call.arguments.clone()).map_err(|error| error.to_string())?;
    let arguments = Arguments(Fields::from_raw(&raw).map_err(|error| error.to_string())?);
    let mut source = Source { fixed: call.source.as_ref(), taken: 0 };
    let mut factory = Factory::new(&mut source);
    if let Some(uuid) = &call.uuid {
        factory.with_uuid(uuid.as_str());
    }
    if let Some(timestamp) = &call.timestamp {
        factory.with_timestamp(timestamp.as_str());
    }
    let made = match call.factory.as_str() {
        "missing_tool_results" => missing_tool_results(&mut factory, &arguments)?,
        name => match spoken(name, &mut factory, &arguments)? {
            Some(event) => vec![event],
            None => vec![notice(name, &mut factory, &arguments)?.into()],
        },
    };
    Ok(made.iter().map(of_event).collect())
}

/// The clock and the ids that are given; the system's own where none are.
struct Source<'a> {
    fixed: Option<&'a FixedSource>,
    taken: usize,
}

impl Context for Source<'_> {
    fn now(&mut self) -> String {
        self.fixed.map_or_else(|| SystemContext.now(), |fixed| fixed.now.clone())
    }

    fn uuid(&mut self) -> String {
        let given = self.fixed.and_then(|fixed| fixed.ids.get(self.taken)).cloned();
        self.taken += 1;
        given.unwrap_or_else(|| SystemContext.uuid())
    }
}

type Making<'f, 's, 'a> = &'f mut Factory<'s, Source<'a>>;

fn missing_tool_results(factory: Making<'_, '_, '_>, arguments: &Arguments) -> Result<Vec<Event>, String> {
    let messages: Vec<Event> = arguments.needed("messages")?.read().map_err(|error| error.to_string())?;
    let messages: Vec<Message> = messages.into_iter().filter_map(Event::into_message).collect();
    let text = arguments.words("text")?;
    let text = if text.is_empty() { MISSING_TOOL_RESULT } else { &text };
    let made = factory.missing_tool_results(&messages, text);
    Ok(made.into_iter().map(|user| Event::Message(user.into())).collect())
}

/// What is no notice; `None` when no such factory has the name.
fn spoken(name: &str, factory: Making<'_, '_, '_>, given: &Arguments) -> Result<Option<Event>, String> {
    let message: Message = match name {
        "user" => {
            let mut user = factory.user(given.content()?);
            user.envelope.is_meta = given.flag("isMeta")?;
            user.envelope.is_virtual = given.flag("isVirtual")?;
            user.permission_mode = given.maybe("permissionMode")?;
            user.image_paste_ids = given.maybe("imagePasteIds")?;
            user.tool_use_result = given.any("toolUseResult").cloned().into();
            user.into()
        }
        "user_interruption" if given.flag("toolUse")?.is_true() => factory.user_interruption_for_tool_use().into(),
        "user_interruption" => factory.user_interruption().into(),
        "synthetic_caveat" => factory.synthetic_caveat().into(),
        "tool_result" => tool_result(factory, given)?,
        "compact_summary" => factory.compact_summary(given.content()?, given.any("summarizeMetadata").cloned()).into(),
        "assistant" => factory.assistant(given.content()?).into(),
        "assistant_api_error" => {
            let (kind, details) = (given.text("apiError")?, given.text("errorDetails")?);
            factory.assistant_api_error(given.content()?, kind.as_str(), details.as_str()).into()
        }
        "reply_line" => {
            let body: AssistantBody = given.document("message")?;
            factory.reply_line(body, given.text("requestId")?).into()
        }
        "progress" => {
            let (call, parent) = (given.needed_text("toolUseID")?, given.needed_text("parentToolUseID")?);
            factory.progress(call, parent, given.needed("data")?.clone()).into()
        }
        "attachment" => factory.attachment(given.document::<AttachmentBody>("attachment")?).into(),
        "hook_result" => {
            let (name, call) = (given.text("hookName")?, given.text("toolUseID")?);
            let (event, said) = (given.needed_text("hookEvent")?, given.words("content")?);
            factory.hook_result(event, name.as_str(), call.as_str(), said).into()
        }
        _ => return other_event(name, factory, given),
    };
    Ok(Some(Event::Message(message)))
}

fn tool_result(factory: Making<'_, '_, '_>, given: &Arguments) -> Result<Message, String> {
    let output = given.needed("toolUseResult")?.clone();
    let source = given.needed_text("sourceToolAssistantUUID")?;
    let is_error = given.flag("isError")?.is_true();
    let mut result = ToolResult::new(given.needed_text("toolUseId")?, "", is_error);
    if let Some(content) = given.any("content") {
        result.content = content.clone().into();
    }
    Ok(factory.tool_result(result, output, source).into())
}

/// Events that are in no list.
fn other_event(name: &str, factory: Making<'_, '_, '_>, given: &Arguments) -> Result<Option<Event>, String> {
    Ok(Some(match name {
        "tool_use_summary" => {
            let calls: Maybe<Vec<Text>> = given.maybe("precedingToolUseIds")?;
            let calls = calls.get().cloned().unwrap_or_default();
            factory.tool_use_summary(given.words("summary")?, calls).into()
        }
        "tombstone" => {
            let withdrawn: Message = given.needed("message")?.read().map_err(|error| error.to_string())?;
            factory.tombstone(&withdrawn).into()
        }
        "stream_event" => factory.stream_event(given.document("event")?).into(),
        "stream_request_start" => factory.stream_request_start().into(),
        _ => return Ok(None),
    }))
}

fn notice(name: &str, factory: Making<'_, '_, '_>, given: &Arguments) -> Result<Message, String> {
    let level = || given.text("level").map(|level| level.get().cloned().unwrap_or_else(|| "info".into()));
    let notice = match name {
        "system" => factory.system(given.needed_text("subtype")?, level()?, given.words("content")?),
        "informational" => {
            let (call, stops) = (given.text("toolUseID")?, given.flag("preventContinuation")?.is_true());
            factory.informational(level()?, given.words("content")?, call.as_str(), stops)
        }
        "local_command" => factory.local_command(given.words("content")?),
        "api_error" => {
            let number = |name| given.number(name)?.ok_or_else(|| missing(name));
            let (wait, attempt, most) = (number("retryInMs")?, number("retryAttempt")?, number("maxRetries")?);
            factory.api_error(given.needed("error")?.clone(), wait, attempt, most)
        }
        "compact_boundary" => {
            let metadata: Maybe<CompactMetadata> = given.maybe("compactMetadata")?;
            let last = given.text("logicalParentUuid")?;
            factory.compact_boundary(metadata.get().cloned().unwrap_or_default(), last.as_str())
        }
        "microcompact_boundary" => {
            let metadata: Maybe<MicrocompactMetadata> = given.maybe("microcompactMetadata")?;
            factory.microcompact_boundary(metadata.get().cloned().unwrap_or_default())
        }
        "memory_saved" => factory.memory_saved(given.list("writtenPaths")?),
        "stop_hook_summary" => {
            let (infos, errors) = (given.list("hookInfos")?, given.list("hookErrors")?);
            let (has_output, reason) = (given.flag("hasOutput")?.is_true(), given.text("stopReason")?);
            let mut summary = factory.stop_hook_summary(infos, errors, has_output, reason.as_str());
            summary.tool_use_id = given.text("toolUseID")?;
            summary
        }
        "turn_duration" => {
            let duration = given.number("durationMs")?.ok_or_else(|| missing("durationMs"))?;
            let mut turn = factory.turn_duration(duration, given.number("messageCount")?, None);
            for name in ["budgetTokens", "budgetLimit", "budgetNudges"] {
                if let Some(number) = given.number(name)? {
                    turn.extra.set(name, Number::from(number).write());
                }
            }
            turn
        }
        "api_metrics" => factory.api_metrics(given.maybe::<Fields>("metrics")?.get().cloned().unwrap_or_default()),
        "permission_retry" => factory.permission_retry(given.list("commands")?),
        "bridge_status" => factory.bridge_status(given.needed_text("url")?.as_str()),
        "away_summary" => factory.away_summary(given.words("content")?),
        "agents_killed" => factory.agents_killed(),
        "scheduled_task_fire" => factory.scheduled_task_fire(given.words("content")?),
        "thinking" => factory.thinking(given.words("content")?),
        "file_snapshot" => factory.file_snapshot(given.needed("snapshotFiles")?.clone()),
        other => return Err(format!("no factory has the name {other:?}")),
    };
    Ok(notice.into())
}

/// The arguments of a call. A null counts as missing.
struct Arguments(Fields);

impl Arguments {
    fn any(&self, name: &str) -> Option<&Raw> {
        self.0.get(name).filter(|value| value.get() != "null")
    }

    fn needed(&self, name: &str) -> Result<&Raw, String> {
        self.any(name).ok_or_else(|| missing(name))
    }

    fn maybe<T: Typed>(&self, name: &str) -> Result<Maybe<T>, String> {
        let value = self.any(name).map(T::read).transpose();
        value.map(Maybe::from).map_err(|error| format!("{name}: {error}"))
    }

    fn document<T: Typed>(&self, name: &str) -> Result<T, String> {
        T::read(self.needed(name)?).map_err(|error| format!("{name}: {error}"))
    }

    fn text(&self, name: &str) -> Result<Maybe<Text>, String> {
        self.maybe(name)
    }

    fn needed_text(&self, name: &str) -> Result<Text, String> {
        self.document(name)
    }

    /// A text; the empty one when it is missing.
    fn words(&self, name: &str) -> Result<Text, String> {
        Ok(self.text(name)?.get().cloned().unwrap_or_default())
    }

    fn flag(&self, name: &str) -> Result<Maybe<bool>, String> {
        self.maybe(name)
    }

    fn number(&self, name: &str) -> Result<Option<u64>, String> {
        let number: Maybe<Number> = self.maybe(name)?;
        let whole = |number: &Number| number.get().parse().map_err(|_| format!("{name} is no count"));
        number.get().map(whole).transpose()
    }

    fn list<T: Typed + Clone>(&self, name: &str) -> Result<Vec<T>, String> {
        Ok(self.maybe::<Vec<T>>(name)?.get().cloned().unwrap_or_default())
    }

    /// A user's or an assistant's content; the empty text when it is missing.
    fn content(&self) -> Result<Content, String> {
        Ok(self.maybe::<Content>("content")?.get().cloned().unwrap_or_else(|| "".into()))
    }
}

fn missing(name: &str) -> String {
    format!("the argument {name} is missing")
}

fn of_event(event: &Event) -> MadeMessage {
    let predicates = event.message().map(predicates).unwrap_or_default();
    MadeMessage { message: event.to_json(), predicates }
}

fn predicates(message: &Message) -> BTreeMap<String, bool> {
    let said = [
        ("is_synthetic_message", message.is_synthetic_message()),
        ("is_human_turn", message.is_human_turn()),
        ("is_synthetic_api_error", message.is_synthetic_api_error()),
        ("is_tool_result", message.is_tool_result()),
        ("has_tool_use", message.has_tool_use()),
        ("contains_placeholder", contains_placeholder(std::slice::from_ref(message))),
        ("is_compact_summary", message.is_compact_summary()),
        ("is_compact_boundary", message.is_compact_boundary()),
        ("is_microcompact_boundary", message.is_microcompact_boundary()),
        ("is_local_command", message.is_local_command()),
        ("is_meta", message.is_meta()),
        ("is_virtual", message.is_virtual()),
        ("is_chain_participant", message.is_chain_participant()),
    ];
    said.into_iter().map(|(name, said)| (name.to_owned(), said)).collect()
}
