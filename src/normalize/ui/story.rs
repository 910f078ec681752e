//! A tool's *story* is a call with its hooks and its results; here is which part of one a message is.

use std::borrow::Cow;

use crate::json::{Fields, Text};
use crate::message::{Assistant, Attachment, Block, Message, Progress};

/// An assistant message that is one call and nothing else.
pub(super) struct Call<'m> {
    /// The call's id.
    pub id: &'m str,
    /// The tool.
    pub name: Option<&'m Text>,
    /// The reply that the call is of.
    pub reply: Option<&'m str>,
}

/// When a hook ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Moment {
    /// Before the tool.
    Before,
    /// After it, whether it failed or not.
    After,
}

/// What a message is in the story of the call with an id. Ids are compared as shown.
pub(super) enum Part<'m> {
    /// The call.
    Call(Call<'m>),
    /// A result of the call.
    Result(&'m str),
    /// What a hook did for the call.
    Hook(Moment, Cow<'m, str>),
}

impl<'m> Part<'m> {
    /// The message's part, if it has one.
    pub fn of(message: &'m Message) -> Option<Self> {
        match message {
            Message::Assistant(message) => call(message).map(Self::Call),
            Message::User(_) => match message.blocks() {
                [Block::ToolResult(result)] => result.tool_use_id.as_str().map(Self::Result),
                _ => None,
            },
            Message::Attachment(message) => attached_hook(message),
            Message::HookResult(message) => {
                Some(Self::Hook(moment(&message.extra)?, message.tool_use_id.as_str()?.into()))
            }
            Message::Progress(message) => hook_progress(message),
            Message::System(_) | Message::GroupedToolUse(_) => None,
        }
    }
}

fn call(message: &Assistant) -> Option<Call<'_>> {
    match message.content()?.blocks() {
        [Block::ToolUse(call)] => {
            Some(Call { id: call.id.as_str()?, name: call.name.get(), reply: message.reply_id() })
        }
        _ => None,
    }
}

/// Attachments say all of it in their body.
fn attached_hook(message: &Attachment) -> Option<Part<'static>> {
    let body = message.attachment.get()?;
    if !body.attachment_type.as_str()?.starts_with("hook_") {
        return None;
    }
    Some(Part::Hook(moment(&body.extra)?, body.extra.text("toolUseID")?.as_str().to_owned().into()))
}

fn hook_progress(message: &Progress) -> Option<Part<'_>> {
    let id = message.tool_use_id.as_str()?;
    let data = Fields::from_raw(message.output()?).ok()?;
    let moment = moment(&data)?;
    (data.text("type")? == "hook_progress").then_some(Part::Hook(moment, id.into()))
}

/// When the hook ran that these members describe.
fn moment(fields: &Fields) -> Option<Moment> {
    match fields.text("hookEvent")?.as_str() {
        "PreToolUse" => Some(Moment::Before),
        "PostToolUse" | "PostToolUseFailure" => Some(Moment::After),
        _ => None,
    }
}
