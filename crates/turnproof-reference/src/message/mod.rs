//! A *message* is one item of a conversation as the client holds it: far more than user and assistant turns.
//!
//! Three unions nest. A [`Message`] may stand in a list of messages. An [`Event`] is what the loop
//! yields: a message, or something that passes by. An [`Entry`] is what a line of a transcript can
//! hold: an event, a side record, or something unknown.
//!
//! `type`, `subtype`, `uuid`, `parentUuid` and `timestamp` are a contract; everything else is
//! open, and what is unknown is carried through unchanged.

mod assistant;
mod block;
mod context;
mod document;
mod entry;
mod factory;
pub mod id;
mod kind;
mod normalized;
mod notice;
mod predicate;
mod shape;
mod system;
mod typed;
mod user;

pub use assistant::{Assistant, AssistantBody, CacheCreation, ServerToolCount, Usage};
pub use block::{Block, Content, Media, RedactedThinking, ServerToolResult, TextBlock, Thinking, ToolResult, ToolUse};
pub use context::{Context, FixedContext, SystemContext};
pub use document::Maybe;
pub use entry::{Entry, Envelope, Event, Message, SideRecord};
pub use factory::Factory;
pub use kind::members_of_kind;
pub use normalized::{NormalizedMessage, NotNormalized};
pub use notice::{
    Attachment, AttachmentBody, GroupedToolUse, HookResult, Progress, StreamEvent, StreamRequestStart, Tombstone,
    ToolUseSummary,
};
pub use predicate::contains_placeholder;
pub use shape::{Member, Shape};
pub use system::{CompactMetadata, MicrocompactMetadata, PreservedMessages, PreservedSegment, System, TurnBudget};
pub use turnproof_format::{Kind, SERVER_RESULTS, SIDE_KINDS, SUBTYPES, texts as constants};
pub use typed::Typed;
pub use user::{McpMeta, User, UserBody};
