//! An *action* is one thing that happens in a conversation, as small numbers: what people, the model,
//! tools, hooks and the disk do. Played on the engine, actions become [inputs](crate::engine::Input).

use serde::{Deserialize, Serialize};

use super::line::BlockPlan;

/// One thing that happens. Calls are named by their place among the open ones, texts by their place in the
/// pool; an action that cannot happen changes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// Somebody types this text.
    Type(u8),
    /// Somebody types a text with so many pasted images.
    Paste(u8),
    /// The client adds a meta message: a text, an image, a document, or both.
    Meta(u8),
    /// An attachment of the pool joins.
    Attach(u8),
    /// A command of the client has this output.
    Command(u8),
    /// A notice of the subtype with this index.
    Notice(u8),
    /// The model streams a block, in so many deltas and one more.
    Block(BlockPlan, u8),
    /// The model begins a block and sends one delta of it.
    HalfBlock(BlockPlan),
    /// A ping.
    Ping,
    /// The reply ends: its stop reason by index.
    End(u8),
    /// The connection breaks.
    Break,
    /// The API fails, by the index of the failure.
    Fail(u8),
    /// The reply is abandoned for another model.
    Fallback,
    /// A tool shows output.
    Progress(u8),
    /// A hook runs: for which call, and which form.
    Hook(u8, u8),
    /// A tool has a result: of which open call, and which form.
    Result(u8, u8),
    /// The use of a tool is denied: which open call, and which denial.
    Deny(u8, u8),
    /// The user interrupts.
    Interrupt,
    /// The summary arrives, or fails.
    Summary(bool),
    /// The conversation is compacted: how many messages stay (the last ones, or from 128 on the first ones), and how they
    /// are named.
    Compact(u8, u8),
    /// The oldest results are cleared.
    Microcompact(u8),
    /// A subagent that an open call runs says something.
    Subagent(u8),
    /// A side record is written.
    Side(u8),
    /// Time passes: so many times 25 milliseconds.
    Wait(u8),
    /// The disk takes so many times 16 bytes more, from 255 on everything.
    Disk(u8),
    /// Another process writes: a whole record, or a torn one.
    OtherWriter(u8),
    /// The process dies, and so many bytes of what was not confirmed are gone.
    Crash(u8),
    /// The session is taken up again.
    Resume,
    /// The session goes on as a fork.
    Fork(u8),
}

/// The action with smaller numbers, if it has numbers that are not the smallest.
pub(super) fn simplest(action: Action) -> Action {
    match action {
        Action::Type(_) => Action::Type(0),
        Action::Paste(_) => Action::Type(0),
        Action::Meta(_) => Action::Meta(0),
        Action::Attach(_) => Action::Attach(0),
        Action::Command(_) => Action::Command(0),
        Action::Notice(_) => Action::Notice(0),
        Action::Block(BlockPlan::Text(_), _) => Action::Block(BlockPlan::Text(0), 0),
        Action::Block(BlockPlan::ToolUse(_), _) => Action::Block(BlockPlan::ToolUse(0), 0),
        Action::Block(BlockPlan::Thinking(_), _) => Action::Block(BlockPlan::Thinking(0), 0),
        Action::Block(block, _) => Action::Block(block, 0),
        Action::HalfBlock(_) => Action::HalfBlock(BlockPlan::Text(0)),
        Action::End(_) => Action::End(0),
        Action::Fail(_) => Action::Fail(0),
        Action::Progress(_) => Action::Progress(0),
        Action::Hook(_, form) => Action::Hook(0, form),
        Action::Result(_, _) => Action::Result(0, 0),
        Action::Deny(_, denial) => Action::Deny(0, denial),
        Action::Compact(_, form) => Action::Compact(0, form),
        Action::Microcompact(_) => Action::Microcompact(1),
        Action::Subagent(_) => Action::Subagent(0),
        Action::Side(_) => Action::Side(0),
        Action::Wait(_) => Action::Wait(4),
        Action::Disk(_) => Action::Disk(0),
        Action::OtherWriter(_) => Action::OtherWriter(0),
        Action::Crash(_) => Action::Crash(0),
        Action::Fork(_) => Action::Fork(0),
        Action::Ping
        | Action::Break
        | Action::Fallback
        | Action::Interrupt
        | Action::Summary(_)
        | Action::Resume => action,
    }
}
