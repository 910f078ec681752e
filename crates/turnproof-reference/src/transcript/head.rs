//! A *head* is the small typed part of a record: who it is, what it links to, where its content
//! lies. Everything else stays bytes until somebody asks.

use crate::json::{JsonType, Span};
use crate::message::{Kind, Shape};

use super::schema::{Misfit, SLOTS, Shapes, body, top};

/// What a record's `parentUuid` says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Link<T> {
    /// There is none, or it is not a string.
    Absent,
    /// `null`: a segment starts here.
    Null,
    /// The uuid of the record before.
    To(T),
}

/// A flag of a record; absent and null count as not set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Flag {
    /// `isSidechain`
    Sidechain,
    /// `isMeta`
    Meta,
    /// `isVirtual`
    Virtual,
    /// `isVisibleInTranscriptOnly`
    TranscriptOnly,
    /// `isCompactSummary`
    CompactSummary,
    /// `isApiErrorMessage`
    ApiError,
}

const FLAGS: [(Flag, usize); 6] = [
    (Flag::Sidechain, top::SIDECHAIN),
    (Flag::Meta, top::META),
    (Flag::Virtual, top::VIRTUAL),
    (Flag::TranscriptOnly, top::TRANSCRIPT_ONLY),
    (Flag::CompactSummary, top::COMPACT_SUMMARY),
    (Flag::ApiError, top::API_ERROR),
];

/// The typed part of a record, as places in its bytes. A place is `None` when the member is absent
/// or not of its type; of a repeated key the last one counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Head {
    /// The kind of message; `None` for side records and what is not known.
    pub kind: Option<Kind>,
    /// `type`
    pub type_name: Option<Span>,
    /// `subtype`
    pub subtype: Option<Span>,
    /// `uuid`
    pub uuid: Option<Span>,
    /// `parentUuid`, when it is a string
    pub parent: Option<Span>,
    /// Whether `parentUuid` is null.
    pub parent_is_null: bool,
    /// `logicalParentUuid`
    pub logical_parent: Option<Span>,
    /// `sessionId`
    pub session: Option<Span>,
    /// `agentId`
    pub agent: Option<Span>,
    /// `message.id`
    pub reply_id: Option<Span>,
    /// `message.content`, of any type
    pub content: Option<Span>,
    /// `toolUseResult`, of any type but null
    pub tool_use_result: Option<Span>,
    /// `sourceToolAssistantUUID`
    pub source_assistant: Option<Span>,
    /// `compactMetadata`, when it is an object
    pub compact_metadata: Option<Span>,
    /// `supersedesUuids`, when it is a list
    pub supersedes: Option<Span>,
    /// `retractedMessageUuids`, when it is a list
    pub retracts: Option<Span>,
    /// `timestamp`, or `createdAt` where that is no string
    pub time: Option<Span>,
    /// `toolDenialKind`
    pub denial: Option<Span>,
    /// `requestId`
    pub request: Option<Span>,
    /// `message.role`
    pub role: Option<Span>,
    /// `message.model`
    pub model: Option<Span>,
    /// `message.usage`, when it is an object
    pub usage: Option<Span>,
    flags: u8,
}

impl Head {
    /// Whether a flag is set.
    pub fn has(&self, flag: Flag) -> bool {
        self.flags & 1 << flag as u8 != 0
    }

    /// Whether the record is a link of the parent chain.
    pub fn is_chain_participant(&self) -> bool {
        self.kind.is_some_and(Kind::is_chain_participant)
    }

    /// The head of a record with these bytes.
    pub(super) fn new(kind: Option<Kind>, members: &Members, body: &Members, bytes: &[u8]) -> Self {
        let text = |index| members.of_type(index, JsonType::String);
        let object = |index| members.of_type(index, JsonType::Object);
        let list = |index| members.of_type(index, JsonType::Array);
        let message = object(top::MESSAGE);
        let of_body = |index, found| message.and_then(|_| body.of_type(index, found));
        let tool_use_result = members.get(top::TOOL_USE_RESULT).filter(|slot| slot.found != JsonType::Null);
        let set = |index: usize| members.get(index).is_some_and(|slot| slot.span.of(bytes) == b"true");
        Self {
            kind,
            type_name: text(top::TYPE),
            subtype: text(top::SUBTYPE),
            uuid: text(top::UUID),
            parent: text(top::PARENT),
            parent_is_null: members.of_type(top::PARENT, JsonType::Null).is_some(),
            logical_parent: text(top::LOGICAL_PARENT),
            session: text(top::SESSION),
            agent: text(top::AGENT),
            reply_id: of_body(body::ID, JsonType::String),
            content: message.and_then(|_| body.get(body::CONTENT)).map(|slot| slot.span),
            tool_use_result: tool_use_result.map(|slot| slot.span),
            source_assistant: text(top::SOURCE_ASSISTANT),
            compact_metadata: object(top::COMPACT_METADATA),
            supersedes: list(top::SUPERSEDES),
            retracts: list(top::RETRACTS),
            time: text(top::TIMESTAMP).or_else(|| text(top::CREATED_AT)),
            denial: text(top::DENIAL),
            request: text(top::REQUEST),
            role: of_body(body::ROLE, JsonType::String),
            model: of_body(body::MODEL, JsonType::String),
            usage: of_body(body::USAGE, JsonType::Object),
            flags: FLAGS.iter().fold(0, |flags, &(flag, index)| flags | u8::from(set(index)) << flag as u8),
        }
    }
}

/// The value of a member, as found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot {
    pub(super) span: Span,
    pub(super) found: JsonType,
}

impl Slot {
    /// What is wrong when the value should have this shape.
    pub(super) fn misfit(self, shape: Shape) -> Option<Misfit> {
        let is_misfit = !shape.accepts(self.found);
        is_misfit.then(|| Misfit { span: self.span, expected: shape.expected(), found: self.found })
    }
}

/// The known members that one object has, by their index in a table.
pub(super) struct Members {
    slots: [Option<Slot>; SLOTS],
    present: Vec<u8>,
}

impl Default for Members {
    fn default() -> Self {
        Self { slots: [None; SLOTS], present: Vec::with_capacity(SLOTS) }
    }
}

impl Members {
    /// Forgets all members.
    pub(super) fn clear(&mut self) {
        for index in self.present.drain(..) {
            self.slots[index as usize] = None;
        }
    }

    /// Sets a member; true when it was there before.
    #[inline]
    pub(super) fn set(&mut self, index: usize, found: JsonType, span: Span) -> bool {
        let was_there = self.slots[index].replace(Slot { span, found }).is_some();
        if !was_there {
            self.present.push(index as u8);
        }
        was_there
    }

    /// How many members are there.
    pub(super) fn count(&self) -> usize {
        self.present.len()
    }

    pub(super) fn get(&self, index: usize) -> Option<Slot> {
        self.slots[index]
    }

    /// Where the member is, if it has this type.
    pub(super) fn of_type(&self, index: usize, found: JsonType) -> Option<Span> {
        self.slots[index].filter(|slot| slot.found == found).map(|slot| slot.span)
    }

    /// The first member, in the order of the bytes, whose type is not the one that `shapes` gives it.
    #[inline]
    pub(super) fn misfit(&self, shapes: &Shapes) -> Option<Misfit> {
        let of_member = |&index: &u8| self.slots[index as usize]?.misfit(shapes[index as usize]?);
        self.present.iter().filter_map(of_member).min_by_key(|misfit| misfit.span.start)
    }
}
