//! A *fact* is what a resume keeps of a record: 32 bytes, and small side tables for what only some records have.

use std::borrow::Cow;

use crate::json::{Fields, JsonType, Raw, Span, Text};
use crate::message::Kind;
use crate::transcript::resume::answer::Place;
use crate::transcript::{Flag, Record, is_provisional};

use super::frugal::{NONE, Names};

/// What a record is to a resume.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sort {
    /// A user participant.
    User,
    /// An assistant participant.
    Assistant,
    /// A boundary.
    Boundary,
    /// Any other participant.
    Notice,
    /// Walked through: old progress, unknown kinds, what is virtual.
    Passing,
}

/// What `parentUuid` says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ParentLink {
    /// null
    Null,
    /// a string
    Named,
    /// anything else
    Other,
}

/// `isSidechain` is true.
pub(crate) const SIDECHAIN: u16 = 1;
/// `isMeta` is true.
pub(crate) const META: u16 = 4;
/// `isApiErrorMessage` is true.
pub(crate) const API_ERROR: u16 = 8;
/// The content of a user record holds a result.
pub(crate) const HAS_RESULT: u16 = 16;
/// The content of a user record is a list of results alone.
pub(crate) const ONLY_RESULTS: u16 = 32;
/// These results are placeholders.
pub(crate) const PROVISIONAL: u16 = 64;
/// It is shown in the transcript alone, and is no summary.
pub(crate) const HIDDEN: u16 = 128;
/// The content of an assistant record is a list of calls alone.
pub(crate) const ONLY_CALLS: u16 = 256;

/// A record.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fact {
    pub(crate) start: u64,
    length: u32,
    line: u32,
    /// [`NONE`] for a record without a string `uuid`.
    pub(crate) uuid: u32,
    /// [`NONE`] unless `link` is [`ParentLink::Named`].
    pub(crate) parent: u32,
    /// `message.id` of an assistant record, a string with something in it; or [`NONE`].
    pub(crate) reply: u32,
    pub(crate) sort: Sort,
    pub(crate) link: ParentLink,
    flags: u16,
}

/// The promise of the module.
const _: () = assert!(size_of::<Fact>() == 32);

impl Fact {
    /// Reads the facts of a record.
    pub(crate) fn of(record: &Record<'_>, names: &mut Names) -> Self {
        let head = &record.head;
        let mut name = |span: Option<Span>| span.map_or(NONE, |span| names.of(&record.text(span)));
        let sort = sort(record);
        let results = if sort == Sort::User { results(record).count() } else { 0 };
        let calls = if sort == Sort::Assistant { calls(record).count() } else { 0 };
        let only_results = is_all_of(record, results);
        let flags = [
            (head.has(Flag::Sidechain), SIDECHAIN),
            (head.has(Flag::Meta), META),
            (head.has(Flag::ApiError), API_ERROR),
            (results > 0, HAS_RESULT),
            (only_results, ONLY_RESULTS),
            (only_results && is_provisional(record), PROVISIONAL),
            (head.has(Flag::TranscriptOnly) && !head.has(Flag::CompactSummary), HIDDEN),
            (is_all_of(record, calls), ONLY_CALLS),
        ];
        Self {
            start: record.start,
            length: u32::try_from(record.bytes.len()).unwrap_or(u32::MAX),
            line: u32::try_from(record.line).unwrap_or(u32::MAX),
            uuid: name(head.uuid),
            parent: name(head.parent),
            reply: match sort {
                Sort::Assistant => name(head.reply_id.filter(|&span| !is_empty(span))),
                _ => NONE,
            },
            sort,
            link: match (head.parent, head.parent_is_null) {
                (Some(_), _) => ParentLink::Named,
                (None, true) => ParentLink::Null,
                (None, false) => ParentLink::Other,
            },
            flags: flags.iter().fold(0, |flags, &(is_set, flag)| if is_set { flags | flag } else { flags }),
        }
    }

    /// The same fact in a file that has these names, `lines` lines further down.
    pub(crate) fn moved(self, name: impl Fn(u32) -> u32, lines: u64) -> Self {
        Self {
            uuid: name(self.uuid),
            parent: name(self.parent),
            reply: name(self.reply),
            line: u32::try_from(self.line() + lines).unwrap_or(u32::MAX),
            ..self
        }
    }

    pub(crate) fn has(&self, flag: u16) -> bool {
        self.flags & flag != 0
    }

    pub(crate) fn is_participant(&self) -> bool {
        self.sort != Sort::Passing
    }

    pub(crate) fn is_speaker(&self) -> bool {
        matches!(self.sort, Sort::User | Sort::Assistant)
    }

    pub(crate) fn line(&self) -> u64 {
        u64::from(self.line)
    }

    pub(crate) fn place(&self) -> Place {
        Place { start: self.start, end: self.start + u64::from(self.length), line: self.line() }
    }
}

fn sort(record: &Record<'_>) -> Sort {
    if record.head.has(Flag::Virtual) {
        return Sort::Passing;
    }
    match record.head.kind {
        Some(Kind::User) => Sort::User,
        Some(Kind::Assistant) => Sort::Assistant,
        Some(Kind::System) if record.is_compact_boundary() => Sort::Boundary,
        Some(Kind::System | Kind::Attachment | Kind::HookResult) => Sort::Notice,
        _ => Sort::Passing,
    }
}

/// Whether a string has nothing between its quotes.
fn is_empty(span: Span) -> bool {
    span.end - span.start <= 2
}

/// Whether so many blocks, at least one, are all that a list of contents holds.
fn is_all_of(record: &Record<'_>, count: usize) -> bool {
    let Some(last) = record.blocks.last() else { return false };
    // Elements that are no objects are no blocks; they show in the indexes, or after the last block.
    let is_last = record.head.content.is_some_and(|content| {
        record.bytes[last.span.end as usize..content.end as usize].trim_ascii_start().starts_with(b"]")
    });
    last.index as usize + 1 == count && is_last
}

/// The ids of the calls of an assistant record.
pub(crate) fn calls<'a>(record: &'a Record<'a>) -> impl Iterator<Item = Cow<'a, str>> {
    let calls = record.blocks.iter().filter(|block| record.is(block.type_name, "tool_use"));
    calls.filter_map(|block| block.id).map(|span| record.text(span))
}

/// The ids of the calls that a user record's results are for.
pub(crate) fn results<'a>(record: &'a Record<'a>) -> impl Iterator<Item = Cow<'a, str>> {
    let results = record.blocks.iter().filter(|block| record.is(block.type_name, "tool_result"));
    results.filter_map(|block| block.tool_use_id).map(|span| record.text(span))
}

/// The strings of a list in a record. A list that holds anything else is missing as a whole.
pub(crate) fn texts(record: &Record<'_>, list: Option<Span>) -> Vec<Text> {
    let texts = list.and_then(|span| strings(&raw_of(record, span)).into_iter().collect());
    texts.unwrap_or_default()
}

/// What a boundary says that it preserves.
#[derive(Clone, Debug)]
pub(crate) enum Preserves {
    /// `preservedMessages`
    Messages {
        anchor: u32,
        /// None when it is not a list of strings.
        uuids: Option<Vec<u32>>,
        all: Vec<u32>,
    },
    /// `preservedSegment`
    Segment { head: u32, anchor: u32, tail: u32 },
}

impl Preserves {
    /// Reads a boundary's metadata.
    pub(crate) fn of(record: &Record<'_>, names: &mut Names) -> Option<Self> {
        let metadata = Fields::from_raw(&raw_of(record, record.head.compact_metadata?)).ok()?;
        let mut name = |members: &Fields, member| members.text(member).map_or(NONE, |text| names.of(&text));
        if let Some(messages) = metadata.object("preservedMessages") {
            let anchor = name(&messages, "anchorUuid");
            let list = |member| messages.get(member).filter(|value| value.json_type() == JsonType::Array);
            let uuids = list("uuids").and_then(|list| strings(list).into_iter().collect::<Option<Vec<Text>>>());
            let uuids = uuids.map(|uuids| uuids.iter().map(|uuid| names.of(uuid)).collect());
            let all = list("allUuids").map(strings).into_iter().flatten().flatten();
            return Some(Self::Messages { anchor, uuids, all: all.map(|uuid| names.of(&uuid)).collect() });
        }
        let segment = metadata.object("preservedSegment")?;
        let [head, anchor, tail] = ["headUuid", "anchorUuid", "tailUuid"].map(|member| name(&segment, member));
        Some(Self::Segment { head, anchor, tail })
    }

    /// The same in a file that has these names.
    pub(crate) fn moved(self, name: impl Fn(u32) -> u32) -> Self {
        let each = |names: Vec<u32>| names.into_iter().map(&name).collect();
        match self {
            Self::Messages { anchor, uuids, all } => {
                Self::Messages { anchor: name(anchor), uuids: uuids.map(each), all: each(all) }
            }
            Self::Segment { head, anchor, tail } => {
                Self::Segment { head: name(head), anchor: name(anchor), tail: name(tail) }
            }
        }
    }
}

/// A value of a record; bytes that are not UTF-8 are read as U+FFFD.
fn raw_of(record: &Record<'_>, span: Span) -> Raw {
    Raw::from_bytes(span.of(record.bytes)).unwrap_or_else(|_| Raw::from(false))
}

/// The strings of a list; `None` for each other element.
fn strings(list: &Raw) -> Vec<Option<Text>> {
    let elements: Vec<Raw> = list.read().unwrap_or_default();
    elements.iter().map(Raw::text).collect()
}
