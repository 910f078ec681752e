//! An *action* is one thing that happens in a conversation: what people, the model, tools, hooks and the disk do. When
//! it is played on the engine, it becomes [inputs](crate::engine::Input).

use serde::{Deserialize, Serialize};

use super::pool::{AttachmentForm, PoolText, SideKind, Subtype};
use super::{BlockPlan, choices};
use crate::engine::{Failure, HookOutcome, Keep, Preserve};

/// One thing that happens. The number of a call is its place among the open calls. An action that cannot happen now
/// changes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the fields are named as their types")]
pub enum Action {
    /// Somebody types this text.
    Type(PoolText),
    /// Somebody types a text with so many pasted images; from 4 on without four of them, and with a second text.
    Paste(u8),
    /// The client adds a meta message.
    Meta(Meta),
    /// The client guesses what comes next, and lets the guess be answered. Both are virtual.
    Speculate,
    /// An attachment joins.
    Attach { form: AttachmentForm, text: PoolText },
    /// A command of the client has this output.
    Command(PoolText),
    /// A notice of the client.
    Notice(Subtype),
    /// A notice of the client that says this text.
    Tell(PoolText),
    /// The model streams a block, with its deltas cut so many times.
    Block(BlockPlan, u8),
    /// The model begins a block and sends one delta of it.
    HalfBlock(BlockPlan),
    /// A ping.
    Ping,
    /// The reply ends.
    End(Stop),
    /// The connection breaks.
    Break,
    /// The API fails.
    Fail(Failure),
    /// The API fails in the midst of its answer: the stream has an `error` event.
    StreamError(Failure),
    /// The reply is abandoned for another model.
    Fallback,
    /// The tool of this call shows output.
    Progress(u8),
    /// A hook runs for a call.
    Hook { call: u8, when: HookTime, outcome: HookOutcome },
    /// A tool has a result.
    Result { call: u8, gives: Gives },
    /// The use of a tool is denied.
    Deny { call: u8, denial: Denied },
    /// The user interrupts.
    Interrupt,
    /// The summary arrives, or fails.
    Summary(bool),
    /// The conversation is compacted.
    Compact { keep: Keep, preserve: Preserve, is_automatic: bool },
    /// So many of the oldest results are cleared.
    Microcompact(u8),
    /// A subagent of this call gets a prompt and answers it.
    Subagent(u8),
    /// A side record is written.
    Side(SideKind),
    /// Time passes: so many times 25 milliseconds.
    Wait(u8),
    /// The disk takes so many times 16 bytes more. `None` when it takes everything.
    Disk(Option<u8>),
    /// Another process writes a side record.
    OtherWriter(Written),
    /// The process dies. So many bytes that the disk has not confirmed are lost.
    Crash(u8),
    /// The session is continued from its file.
    Resume,
    /// The session continues as a fork, without so many of the last messages.
    Fork(u8),
    /// From here on the model restarts the numbers of its calls in each reply: `call_0`, `call_1`.
    NumberCalls,
    /// Something comes with known fields of a wrong type.
    Misfit(Misfit),
    /// The next call of the reply has the id of its last one.
    SameCall,
}

impl Action {
    /// The plainest result of the first open call.
    pub(super) const RESULT: Self = Self::Result { call: 0, gives: Gives::Plain };
}

/// A message for the model alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Meta {
    /// A text.
    Text(PoolText),
    /// An image.
    Image,
    /// A document.
    Document,
    /// A document and an image.
    DocumentAndImage,
    /// A text and an image.
    TextAndImage,
}

/// What a tool gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Gives {
    /// A text.
    Plain,
    /// A list of one text block.
    Blocks,
    /// An error.
    Error,
    /// The empty text.
    Nothing,
    /// An image.
    Image,
    /// A text of the pool.
    Text(PoolText),
    /// A list of one text block with a text of the pool.
    TextBlock(PoolText),
    /// An object in place of a text or a list.
    Object,
    /// A list with a text that has members of another vendor, and an image without data.
    Foreign,
    /// An error, as a list of one text block.
    ErrorBlocks,
}

choices! {
    /// When a hook runs.
    HookTime {
        Before "Before a call, or at the beginning of the session when no call is open.";
        After "After a call, or when a prompt is given when no call is open.";
        Late "After the result of a call of the reply under way, or as after a call when none has its result.";
    }
}

/// The ways in which a compaction names what it keeps, the plainest first.
pub(super) const PRESERVED: [Preserve; 3] = [Preserve::Segment, Preserve::Messages, Preserve::Both];

/// The outcomes of hooks, the plainest first.
pub(super) const OUTCOMES: [HookOutcome; 6] = [
    HookOutcome::Success,
    HookOutcome::Progress,
    HookOutcome::Context,
    HookOutcome::Error,
    HookOutcome::Result,
    HookOutcome::StopSummary,
];

choices! {
    /// Why a reply ends.
    Stop {
        Done "The model is done, or waits for its calls.";
        MaxTokens "The output limit is reached.";
        StopSequence "A stop sequence came.";
        Refusal "The model refuses to continue.";
    }
}

choices! {
    /// What another process writes.
    Written {
        Line "A whole line.";
        TornLine "Half a line.";
        LineWithoutEnd "A line without its end.";
        EmptyLine "An empty line.";
    }
}

choices! {
    /// Who does not permit the use of a tool.
    Denied {
        User "user" "a rejection";
        UserWithReason "user-with-reason" "a rejection with a reason";
        Subagent "subagent" "a rejection for a subagent";
        SubagentWithReason "subagent-with-reason" "a rejection for a subagent, with a reason";
        Plan "plan" "a rejected plan";
        Rule "rule" "a denial by a rule";
        DontAsk "dont-ask" "a denial in the mode that never asks";
        Classifier "classifier" "a denial by a classifier";
        Cancel "cancel" "a cancelled action";
    }
}

choices! {
    /// What comes with known fields of a wrong type.
    Misfit {
        Usage "usage" "a reply whose usage and reason to stop are of wrong types";
        Prompt "prompt" "a prompt with a document whose title is a number, and with an element that is no block";
        Attachment "attachment" "an attachment whose type is a number";
    }
}

impl Denied {
    pub(super) fn stops_the_turn(self) -> bool {
        matches!(self, Self::User | Self::Cancel)
    }
}
