//! The smaller kinds: *attachments*, *hook results*, *progress*, *summaries*, *tombstones*,
//! *groups* and raw *stream events*.

use crate::json::{Fields, Raw, Text};

use super::Message;
use super::document::document;
use super::typed::Typed;

document! {
    /// Context that was added beside the conversation.
    pub struct Attachment in Envelope {
        /// The attachment; its own `type` says which.
        attachment: AttachmentBody = "attachment",
    }
}

document! {
    /// What is attached. Kinds are open: all but the `type` is carried.
    pub struct AttachmentBody {
        /// The attachment's kind, such as `file` or `todo_reminder`.
        attachment_type: Text = "type",
    }
}

impl AttachmentBody {
    /// An attachment of a kind, with the fields that the kind has.
    pub fn new(attachment_type: impl Into<Text>, extra: Fields) -> Self {
        Self { attachment_type: attachment_type.into().into(), extra }
    }
}

document! {
    /// A hook's outcome.
    pub struct HookResult in Envelope {
        /// The notice in words.
        content: Raw = "content",
        /// The call that the hook ran for.
        tool_use_id: Text = "toolUseID",
    }
}

document! {
    /// Live output of a running tool; never written by present clients, read from old files.
    pub struct Progress in Envelope {
        /// The call.
        tool_use_id: Text = "toolUseID",
        /// The call of the agent that runs the tool.
        parent_tool_use_id: Text = "parentToolUseID",
        /// The output; its own `type` says which.
        data: Raw = "data",
        /// The older name of `data`; read it through [`Progress::output`].
        progress: Raw = "progress",
    }
}

impl Progress {
    /// The output, under its present or its older name.
    pub fn output(&self) -> Option<&Raw> {
        self.data.get().or_else(|| self.progress.get())
    }
}

document! {
    /// A one-line summary of some tool calls, made while the next reply streams.
    pub struct ToolUseSummary in Envelope {
        /// The line.
        summary: Text = "summary",
        /// The calls that it sums up.
        preceding_tool_use_ids: Vec<Text> = "precedingToolUseIds",
        /// The older name; read it through [`ToolUseSummary::calls`].
        tool_use_ids: Vec<Text> = "toolUseIds",
    }
}

impl ToolUseSummary {
    /// The calls that it sums up, under their present or their older name.
    pub fn calls(&self) -> &[Text] {
        self.preceding_tool_use_ids.get().or_else(|| self.tool_use_ids.get()).map_or(&[], Vec::as_slice)
    }
}

document! {
    /// Withdraws an assistant message that was already shown.
    pub struct Tombstone in Envelope {
        /// The message withdrawn, whole.
        message: Fields = "message",
    }
}

impl Tombstone {
    /// Withdraws a message: its members, and no envelope.
    pub(crate) fn of(message: &Message) -> Self {
        // A message is written as an object.
        let members = Fields::from_raw(&message.write()).unwrap_or_default();
        Self { message: members.into(), ..Self::default() }
    }

    /// The uuid of the message withdrawn.
    pub fn withdrawn(&self) -> Option<Text> {
        self.message.get()?.text("uuid")
    }
}

document! {
    /// Several tool uses that a UI folds into one line.
    pub struct GroupedToolUse in Envelope {
        /// The tool.
        tool_name: Text = "toolName",
        /// The messages with the calls.
        messages: Vec<Raw> = "messages",
        /// The messages with the results.
        results: Vec<Raw> = "results",
    }
}

document! {
    /// One raw event of a model's stream.
    pub struct StreamEvent in Envelope {
        /// The event, as the API sent it.
        event: Fields = "event",
    }
}

document! {
    /// A request is about to be sent.
    pub struct StreamRequestStart in Envelope {
    }
}
