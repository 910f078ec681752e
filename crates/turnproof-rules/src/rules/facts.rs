//! *Facts* are what rules on transcripts know of the records: links, calls, results, sessions; under 100 bytes a
//! record, so that a file of any size can be judged in memory.
//!
//! Ids are kept as 128-bit hashes. Facts of neighbouring parts of a file are gathered apart and joined with
//! [`Facts::append`].

use std::collections::HashMap;

use twox_hash::XxHash3_128;

use crate::vocabulary::{COMPACT_BOUNDARY, Kind};

use super::message::{Flaws, Part, flaws};
use super::{Place, SentFact};

/// An id, as the hash of its text. Ids of up to 2^40 records collide with probability below 1e-14.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct IdKey([u64; 2]);

impl IdKey {
    /// The key of an id's text.
    pub(crate) fn of(id: &str) -> Self {
        let hash = XxHash3_128::oneshot(id.as_bytes());
        Self([hash as u64, (hash >> 64) as u64])
    }

    /// The key of a pair of ids, in this order.
    pub(crate) fn with(self, other: Self) -> Self {
        Self([self.0[0].rotate_left(23) ^ other.0[0], self.0[1].rotate_left(41) ^ other.0[1]])
    }

    /// Well distributed bits, for hash tables.
    pub(crate) fn bits(self) -> u64 {
        self.0[0]
    }

    /// The key of something of which only the bits are kept.
    fn of_bits(bits: u64) -> Self {
        Self([bits, bits])
    }
}

/// The `type` of a record that notes a request.
const REQUEST_NOTE: &str = "api-request";

/// A record's link to the one before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Link<'a> {
    /// No `parentUuid`, or one that is not a string.
    #[default]
    Absent,
    /// `null`: a segment starts.
    Null,
    /// The id of the record before.
    To(&'a str),
}

/// What a compact boundary preserves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Preserved {
    /// `preservedSegment`: `headUuid`, `anchorUuid`, `tailUuid`, as far as they are there.
    pub segment: Option<[Option<String>; 3]>,
    /// `preservedMessages`: `anchorUuid`, and `uuids`.
    pub messages: Option<(Option<String>, Vec<String>)>,
}

/// A `tool_result` block of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResultFacts<'a> {
    /// The block's index in the content.
    pub block: u32,
    /// The call that it names.
    pub call: &'a str,
    /// Whether its content is the placeholder for a missing result.
    pub is_placeholder: bool,
}

/// The content of a user or assistant record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Content<'a> {
    /// There is none, or it is neither a string nor a list.
    #[default]
    Missing,
    /// A string; what follows its first visible character may be left out.
    Text(&'a str),
    /// A list.
    List {
        /// Whether nothing is in it.
        is_empty: bool,
    },
}

/// What a record says of its message, for the rules on single messages.
#[derive(Clone, Copy, Debug, Default)]
pub struct MessageFacts<'a> {
    /// `timestamp`, or else `createdAt`, when it is a string.
    pub time: Option<&'a str>,
    /// `message.role`, when it is a string.
    pub role: Option<&'a str>,
    /// `message.content`.
    pub content: Content<'a>,
    /// The texts of text blocks, with their block index. One that begins with a visible character may be left out.
    pub texts: &'a [(u32, &'a str)],
    /// `isVirtual` is true.
    pub is_virtual: bool,
    /// `isCompactSummary` is true.
    pub is_compact_summary: bool,
    /// `requestId`, when it is a string.
    pub request: Option<&'a str>,
    /// `message.model`, when it is a string.
    pub model: Option<&'a str>,
    /// `message.usage` as JSON, when it is an object.
    pub usage: Option<&'a [u8]>,
}

/// One record as rules see it.
#[derive(Clone, Debug, Default)]
pub struct RecordFacts<'a> {
    /// The line, from 1.
    pub line: u64,
    /// The record's first byte in the file.
    pub start: u64,
    /// `type`.
    pub kind: &'a str,
    /// `subtype`.
    pub subtype: &'a str,
    /// `uuid`, when it is a string.
    pub uuid: Option<&'a str>,
    /// `parentUuid`.
    pub parent: Link<'a>,
    /// `logicalParentUuid`, when it is a string.
    pub logical_parent: Option<&'a str>,
    /// `sessionId`, when it is a string.
    pub session: Option<&'a str>,
    /// `agentId`, when it is a string.
    pub agent: Option<&'a str>,
    /// `isSidechain` is true.
    pub is_sidechain: bool,
    /// `message.id` of an assistant record: the reply.
    pub reply: Option<&'a str>,
    /// The ids of the `tool_use` blocks of an assistant record, with their block index.
    pub calls: &'a [(u32, &'a str)],
    /// The `tool_result` blocks of a user record.
    pub results: &'a [ResultFacts<'a>],
    /// `toolUseResult` is there.
    pub has_tool_use_result: bool,
    /// `sourceToolAssistantUUID`, when it is a string.
    pub source_assistant: Option<&'a str>,
    /// What a compact boundary preserves.
    pub preserved: Option<Preserved>,
    /// What it says of its message.
    pub message: MessageFacts<'a>,
}

/// The kinds of record that rules distinguish.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NodeKind {
    /// user, assistant, system, attachment, hook_result: a link of the chain
    Participant,
    /// a `compact_boundary`
    Boundary,
    /// `progress`
    Progress,
    /// side records, live-only kinds, unknown kinds
    Other,
}

/// A record, in 56 bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub(crate) start: u64,
    uuid: IdKey,
    parent: IdKey,
    /// Bits of the reply's key; 0 when there is no reply.
    reply: u64,
    pub(crate) line: u32,
    /// Index into `Facts::sessions`, plus one.
    session: u16,
    pub(crate) kind: NodeKind,
    flags: u8,
}

/// What [`Node::is`] asks, as bits.
pub(crate) const HAS_UUID: u8 = 1;
pub(crate) const PARENT_NULL: u8 = 2;
pub(crate) const PARENT_ID: u8 = 4;
pub(crate) const SIDECHAIN: u8 = 8;
pub(crate) const HAS_LOGICAL_PARENT: u8 = 16;
pub(crate) const HAS_RESULTS: u8 = 32;
pub(crate) const USER_OR_ASSISTANT: u8 = 64;

impl Node {
    pub(crate) fn is(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    pub(crate) fn uuid(&self) -> Option<IdKey> {
        self.is(HAS_UUID).then_some(self.uuid)
    }

    pub(crate) fn parent(&self) -> Option<IdKey> {
        self.is(PARENT_ID).then_some(self.parent)
    }

    /// Whether both records are lines of one reply.
    pub(crate) fn is_same_reply(&self, other: &Self) -> bool {
        self.reply != 0 && self.reply == other.reply
    }

    /// The session, as an index into [`Facts::sessions`].
    pub(crate) fn session(&self) -> Option<usize> {
        usize::from(self.session).checked_sub(1)
    }

    /// Whether the record is a link of the chain.
    pub(crate) fn is_participant(&self) -> bool {
        matches!(self.kind, NodeKind::Participant | NodeKind::Boundary)
    }

    /// Whether readers follow the record's parent: a participant, or `progress` in old files.
    pub(crate) fn is_link(&self) -> bool {
        self.is_participant() || self.kind == NodeKind::Progress
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct CallFact {
    pub(crate) id: IdKey,
    pub(crate) node: u32,
    pub(crate) block: u32,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct ResultFact {
    pub(crate) call: IdKey,
    pub(crate) node: u32,
    pub(crate) block: u32,
    pub(crate) is_placeholder: bool,
    /// The record has `toolUseResult`.
    pub(crate) has_raw: bool,
    /// The record has `sourceToolAssistantUUID`: index into `Facts::sources`, plus one.
    source: u32,
}

/// Where lines of a reply begin: the first of those that stand together and name the same request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ReplyFact {
    pub(crate) node: u32,
    /// Bits of the keys of the reply and of the request.
    reply: u64,
    request: u64,
}

impl ReplyFact {
    pub(crate) fn reply(&self) -> IdKey {
        IdKey::of_bits(self.reply)
    }

    pub(crate) fn request(&self) -> IdKey {
        IdKey::of_bits(self.request)
    }

    fn is_same(&self, other: &Self) -> bool {
        (self.reply, self.request) == (other.reply, other.request)
    }
}

/// The facts of one transcript.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    pub(crate) nodes: Vec<Node>,
    pub(crate) calls: Vec<CallFact>,
    pub(crate) results: Vec<ResultFact>,
    sources: Vec<IdKey>,
    /// What boundaries preserve, by node.
    pub(crate) preserved: Vec<(u32, Preserved)>,
    /// The distinct sessions, in the order of their first record.
    pub(crate) sessions: Vec<String>,
    session_index: HashMap<String, u16>,
    /// The subagent of each node that names one, by node.
    pub(crate) agents: Vec<(u32, IdKey)>,
    /// What is odd about each odd record, by node.
    pub(crate) flaws: Vec<(u32, Flaws)>,
    /// The blank parts of contents, by node.
    pub(crate) blanks: Vec<(u32, Part)>,
    /// The summaries of compactions, as nodes.
    pub(crate) summaries: Vec<u32>,
    /// The replies with an id and a request.
    pub(crate) replies: Vec<ReplyFact>,
    /// The session that the file is named after.
    pub(crate) file_session: Option<String>,
    /// Whether a record notes a request.
    notes_requests: bool,
    /// What is wrong with the notes of requests.
    sent: Vec<SentFact>,
}

impl Facts {
    /// No facts yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Says which session the file belongs to, by its name.
    pub fn set_file_session(&mut self, session: impl Into<String>) {
        self.file_session = Some(session.into());
    }

    /// Whether the file has notes of requests. What is wrong with them is found by whoever rebuilds them.
    pub fn notes_requests(&self) -> bool {
        self.notes_requests
    }

    /// Says what is wrong with the notes of requests, in the order of the file.
    pub fn set_sent(&mut self, sent: Vec<SentFact>) {
        self.sent = sent;
    }

    /// What is wrong with the notes of requests.
    pub(crate) fn sent(&self) -> &[SentFact] {
        &self.sent
    }

    /// Adds the next record of the file.
    pub fn push(&mut self, record: &RecordFacts<'_>) {
        let node = self.nodes.len() as u32;
        let kind = Kind::of(record.kind);
        self.notes_requests |= kind.is_none() && record.kind == REQUEST_NOTE;
        let nothing = IdKey([0, 0]);
        let (parent, parent_flag) = match record.parent {
            Link::Absent => (nothing, 0),
            Link::Null => (nothing, PARENT_NULL),
            Link::To(id) => (IdKey::of(id), PARENT_ID),
        };
        let flag = |set: bool, flag: u8| if set { flag } else { 0 };
        // What has no type is no record of a session.
        let session = record.session.filter(|_| !record.kind.is_empty());
        let session = session.map_or(0, |session| self.intern_session(session));
        let reply = record.reply.map_or(0, |reply| IdKey::of(reply).bits().max(1));
        self.nodes.push(Node {
            start: record.start,
            uuid: record.uuid.map_or(nothing, IdKey::of),
            parent,
            reply,
            line: u32::try_from(record.line).unwrap_or(u32::MAX),
            session,
            kind: node_kind(kind, record.subtype),
            flags: parent_flag
                | flag(record.uuid.is_some(), HAS_UUID)
                | flag(record.is_sidechain, SIDECHAIN)
                | flag(record.logical_parent.is_some(), HAS_LOGICAL_PARENT)
                | flag(!record.results.is_empty(), HAS_RESULTS)
                | flag(matches!(kind, Some(Kind::User | Kind::Assistant)), USER_OR_ASSISTANT),
        });
        // The empty one names nobody.
        if let Some(agent) = record.agent.filter(|agent| !agent.is_empty()) {
            self.agents.push((node, IdKey::of(agent)));
        }
        if let Some(preserved) = &record.preserved {
            self.preserved.push((node, preserved.clone()));
        }
        self.push_tools(node, record);
        self.push_message(ReplyFact { node, reply, request: 0 }, kind, record);
    }

    /// Adds what the rules on single messages ask of a record; `line` does not know its request yet.
    fn push_message(&mut self, line: ReplyFact, kind: Option<Kind>, record: &RecordFacts<'_>) {
        let node = line.node;
        let flaws = flaws(kind, record);
        if flaws != Flaws::NONE {
            self.flaws.push((node, flaws));
        }
        self.blanks.extend(Part::blank(kind, &record.message).map(|part| (node, part)));
        if kind == Some(Kind::User) && record.message.is_compact_summary {
            self.summaries.push(node);
        }
        let request = record.message.request.filter(|name| kind == Some(Kind::Assistant) && !name.is_empty());
        if let Some(request) = request.filter(|_| record.reply.is_some_and(|id| !id.is_empty())) {
            self.push_reply(ReplyFact { request: IdKey::of(request).bits(), ..line });
        }
    }

    fn push_reply(&mut self, reply: ReplyFact) {
        if !self.replies.last().is_some_and(|last| last.is_same(&reply)) {
            self.replies.push(reply);
        }
    }

    fn push_tools(&mut self, node: u32, record: &RecordFacts<'_>) {
        for &(block, id) in record.calls {
            self.calls.push(CallFact { id: IdKey::of(id), node, block });
        }
        if record.results.is_empty() {
            return;
        }
        let source = record.source_assistant.map_or(0, |source| {
            self.sources.push(IdKey::of(source));
            self.sources.len() as u32
        });
        for result in record.results {
            self.results.push(ResultFact {
                call: IdKey::of(result.call),
                node,
                block: result.block,
                is_placeholder: result.is_placeholder,
                has_raw: record.has_tool_use_result,
                source,
            });
        }
    }

    /// The place of a member of a record, for a violation.
    pub(crate) fn place(&self, node: usize, member: &'static str) -> Place {
        self.place_of(node, member, None)
    }

    /// The record's line, from 1.
    pub(crate) fn line(&self, node: u32) -> u32 {
        self.nodes[node as usize].line
    }

    /// The place of a content block of a record, for a violation.
    pub(crate) fn block_place(&self, node: u32, block: u32) -> Place {
        self.place_of(node as usize, "message.content", Some(block))
    }

    fn place_of(&self, node: usize, member: &'static str, block: Option<u32>) -> Place {
        let node = &self.nodes[node];
        Place::Record { line: u64::from(node.line), start: node.start, member, block }
    }

    /// The subagent that a record names.
    pub(crate) fn agent(&self, node: usize) -> Option<IdKey> {
        let index = self.agents.binary_search_by_key(&node, |&(node, _)| node as usize).ok()?;
        Some(self.agents[index].1)
    }

    /// The assistant line that a result's record names.
    pub(crate) fn source(&self, result: &ResultFact) -> Option<IdKey> {
        let index = (result.source as usize).checked_sub(1)?;
        self.sources.get(index).copied()
    }

    /// Joins the facts of the next part of the same file, whose lines begin after `lines` others.
    pub fn append(&mut self, part: Self, lines: u64) {
        let base = self.nodes.len() as u32;
        let sources = self.sources.len() as u32;
        let sessions: Vec<u16> = part.sessions.iter().map(|session| self.intern_session(session)).collect();
        self.nodes.extend(part.nodes.iter().map(|node| Node {
            line: u32::try_from(u64::from(node.line) + lines).unwrap_or(u32::MAX),
            session: node.session().map_or(0, |index| sessions[index]),
            ..*node
        }));
        self.calls.extend(part.calls.iter().map(|call| CallFact { node: call.node + base, ..*call }));
        self.results.extend(part.results.iter().map(|result| ResultFact {
            node: result.node + base,
            source: if result.source == 0 { 0 } else { result.source + sources },
            ..*result
        }));
        self.sources.extend(part.sources);
        self.notes_requests |= part.notes_requests;
        self.preserved.extend(part.preserved.into_iter().map(|(node, preserved)| (node + base, preserved)));
        self.agents.extend(part.agents.into_iter().map(|(node, agent)| (node + base, agent)));
        self.flaws.extend(part.flaws.into_iter().map(|(node, flaws)| (node + base, flaws)));
        self.blanks.extend(part.blanks.into_iter().map(|(node, blank)| (node + base, blank)));
        self.summaries.extend(part.summaries.into_iter().map(|node| node + base));
        for reply in part.replies {
            self.push_reply(ReplyFact { node: reply.node + base, ..reply });
        }
    }

    /// The index of a session, plus one. Beyond 65,534 sessions a file, all others share the last index.
    fn intern_session(&mut self, session: &str) -> u16 {
        if let Some(&index) = self.session_index.get(session) {
            return index;
        }
        if self.sessions.len() + 1 >= usize::from(u16::MAX) {
            return u16::MAX - 1;
        }
        self.sessions.push(session.to_owned());
        let index = self.sessions.len() as u16;
        self.session_index.insert(session.to_owned(), index);
        index
    }
}

fn node_kind(kind: Option<Kind>, subtype: &str) -> NodeKind {
    match kind {
        Some(Kind::System) if subtype == COMPACT_BOUNDARY => NodeKind::Boundary,
        Some(Kind::Progress) => NodeKind::Progress,
        Some(kind) if kind.is_persisted() => NodeKind::Participant,
        _ => NodeKind::Other,
    }
}

/// What the module's first paragraph promises: facts are small.
const _: () = assert!(size_of::<Node>() == 56 && size_of::<CallFact>() <= 24 && size_of::<ResultFact>() <= 32);
const _: () = assert!(size_of::<(u32, Flaws)>() == 8 && size_of::<(u32, Part)>() == 8 && size_of::<ReplyFact>() == 24);
