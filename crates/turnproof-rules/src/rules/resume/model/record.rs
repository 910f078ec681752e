//! What a resume needs to know of a *record*, in plain values.

use std::borrow::Cow;

use crate::json::Tree;
use crate::rules::wire::model::{RecordTree, records};
use crate::vocabulary::{COMPACT_BOUNDARY, INTERRUPTED, PROVISIONAL};

#[derive(Clone, Debug, Default)]
pub(in crate::rules::resume) struct Record<'a> {
    pub(in crate::rules::resume) line: u64,
    pub(in crate::rules::resume) start: usize,
    pub(in crate::rules::resume) end: usize,
    pub(in crate::rules::resume) uuid: Option<Cow<'a, str>>,
    pub(super) kind: Option<Cow<'a, str>>,
    pub(super) is_sidechain: bool,
    /// Whether it belongs to a subagent, and so to no conversation of the user.
    pub(super) is_apart: bool,
    /// The subagent that it names.
    pub(super) agent: Option<Cow<'a, str>>,
    pub(super) is_virtual: bool,
    /// Whether it is shown in the transcript alone, and is no summary.
    pub(super) is_hidden: bool,
    pub(super) is_meta: bool,
    pub(super) is_api_error: bool,
    pub(super) has_boundary_subtype: bool,
    pub(super) parent: Named<'a>,
    pub(super) session: Option<Cow<'a, str>>,
    /// `message.id`, when it is a string with something in it.
    pub(super) reply: Option<Cow<'a, str>>,
    /// The ids of the calls in its content.
    pub(super) calls: Vec<Cow<'a, str>>,
    /// Whether its content is a list of calls, at least one, and of nothing else.
    pub(in crate::rules::resume) is_calls_alone: bool,
    /// The ids of the calls that results in its content answer.
    pub(super) results: Vec<Cow<'a, str>>,
    /// Whether its content is a list of results, at least one, and of nothing else.
    pub(super) is_results_alone: bool,
    /// Whether these results are placeholders.
    pub(super) is_provisional: bool,
    pub(super) source: Option<Cow<'a, str>>,
    pub(super) withdraws: Vec<Cow<'a, str>>,
    pub(super) claim: Option<Claim<'a>>,
}

impl Record<'_> {
    /// The uuid of the parent that it names.
    pub(in crate::rules::resume) fn named_parent(&self) -> Option<&str> {
        self.parent.uuid()
    }
}

/// What a `parentUuid` says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum Named<'a> {
    Nothing,
    Uuid(Cow<'a, str>),
    /// It is missing, or of another type.
    #[default]
    Unusable,
}

impl Named<'_> {
    pub(super) fn uuid(&self) -> Option<&str> {
        match self {
            Self::Uuid(uuid) => Some(uuid),
            Self::Nothing | Self::Unusable => None,
        }
    }
}

/// What a boundary says that it preserves.
#[derive(Clone, Debug)]
pub(super) struct Claim<'a> {
    pub(super) anchor: Option<Cow<'a, str>>,
    pub(super) what: Claimed<'a>,
}

#[derive(Clone, Debug)]
pub(super) enum Claimed<'a> {
    /// `preservedMessages`: its `uuids`, `None` when that is not a list of strings alone; and the strings of
    /// `allUuids`.
    Messages { uuids: Option<Vec<Cow<'a, str>>>, all: Vec<Cow<'a, str>> },
    /// `preservedSegment`.
    Segment { head: Option<Cow<'a, str>>, tail: Option<Cow<'a, str>> },
}

pub(in crate::rules::resume) fn read(bytes: &[u8]) -> Vec<Record<'_>> {
    records(bytes).iter().map(of_tree).collect()
}

pub(in crate::rules::resume) fn of_tree<'a>((line, start, end, tree): &RecordTree<'a>) -> Record<'a> {
    let (line, start, end) = (*line, *start, *end);
    let is_true = |key| tree.member(key) == Some(&Tree::Boolean(true));
    let blocks = content(tree);
    let calls = ids(blocks, "tool_use", "id");
    let results = ids(blocks, "tool_result", "tool_use_id");
    Record {
        line,
        start,
        end,
        uuid: string(tree, "uuid"),
        kind: string(tree, "type"),
        is_sidechain: is_true("isSidechain"),
        is_apart: is_true("isSidechain"),
        agent: string(tree, "agentId"),
        is_virtual: is_true("isVirtual"),
        is_hidden: is_true("isVisibleInTranscriptOnly") && !is_true("isCompactSummary"),
        is_meta: is_true("isMeta"),
        is_api_error: is_true("isApiErrorMessage"),
        has_boundary_subtype: tree.member("subtype").is_some_and(|subtype| subtype.says(COMPACT_BOUNDARY)),
        parent: parent(tree),
        session: string(tree, "sessionId"),
        reply: tree.member("message").and_then(|message| string(message, "id")).filter(|id| !id.is_empty()),
        is_calls_alone: !blocks.is_empty() && calls.len() == blocks.len(),
        calls,
        is_results_alone: !blocks.is_empty() && results.len() == blocks.len(),
        is_provisional: tree.member("toolDenialKind").is_some_and(|kind| kind.says(INTERRUPTED))
            || blocks.iter().all(is_placeholder),
        results,
        source: string(tree, "sourceToolAssistantUUID"),
        withdraws: [withdrawn(tree, "supersedesUuids"), withdrawn(tree, "retractedMessageUuids")].concat(),
        claim: tree.member("compactMetadata").and_then(claim),
    }
}

fn string<'a>(object: &Tree<'a>, key: &str) -> Option<Cow<'a, str>> {
    object.member(key).and_then(Tree::text)
}

fn list<'a, 'b>(object: &'b Tree<'a>, key: &str) -> &'b [Tree<'a>] {
    match object.member(key) {
        Some(Tree::Array(items)) => items,
        _ => &[],
    }
}

/// The strings of a list; what else is in it does not count.
fn strings<'a>(object: &Tree<'a>, key: &str) -> Vec<Cow<'a, str>> {
    list(object, key).iter().filter_map(Tree::text).collect()
}

/// What a list withdraws. A list that holds anything but strings is missing as a whole.
fn withdrawn<'a>(object: &Tree<'a>, key: &str) -> Vec<Cow<'a, str>> {
    list(object, key).iter().map(Tree::text).collect::<Option<_>>().unwrap_or_default()
}

/// The blocks of the content, when that is a list.
fn content<'a, 'b>(tree: &'b Tree<'a>) -> &'b [Tree<'a>] {
    tree.member("message").map_or(&[], |message| list(message, "content"))
}

/// The ids under a key of all blocks of a type.
fn ids<'a>(blocks: &[Tree<'a>], kind: &str, key: &str) -> Vec<Cow<'a, str>> {
    let own = blocks.iter().filter(|block| block.member("type").is_some_and(|own| own.says(kind)));
    own.filter_map(|block| string(block, key)).collect()
}

/// Whether a result says that there was none: as a string, or as the only element of a list.
fn is_placeholder(block: &Tree<'_>) -> bool {
    let text = match block.member("content") {
        Some(Tree::Array(items)) if items.len() == 1 => items[0].member("text"),
        content => content,
    };
    text.and_then(Tree::text).is_some_and(|text| PROVISIONAL.iter().any(|beginning| text.starts_with(beginning)))
}

fn parent<'a>(tree: &Tree<'a>) -> Named<'a> {
    match tree.member("parentUuid") {
        Some(Tree::Null) => Named::Nothing,
        Some(value) => value.text().map_or(Named::Unusable, Named::Uuid),
        None => Named::Unusable,
    }
}

fn claim<'a>(metadata: &Tree<'a>) -> Option<Claim<'a>> {
    let object = |key| metadata.member(key).filter(|value| matches!(value, Tree::Object(_)));
    if let Some(messages) = object("preservedMessages") {
        let named = strings(messages, "uuids");
        let is_whole = named.len() == list(messages, "uuids").len();
        let what = Claimed::Messages { uuids: is_whole.then_some(named), all: strings(messages, "allUuids") };
        return Some(Claim { anchor: string(messages, "anchorUuid"), what });
    }
    let segment = object("preservedSegment")?;
    let what = Claimed::Segment { head: string(segment, "headUuid"), tail: string(segment, "tailUuid") };
    Some(Claim { anchor: string(segment, "anchorUuid"), what })
}
