//! What a resume needs to know of a *record*, in plain values.

use crate::rules::wire::model::records;
use crate::rules::wire::tree::Tree;

/// A record of a file.
#[derive(Clone, Debug, Default)]
pub(in crate::rules::resume) struct Record {
    /// The line, from 1.
    pub(in crate::rules::resume) line: u64,
    /// The first byte.
    pub(in crate::rules::resume) start: usize,
    /// The byte after the last one.
    pub(in crate::rules::resume) end: usize,
    pub(in crate::rules::resume) uuid: Option<String>,
    pub(super) kind: Option<String>,
    /// Whether it belongs to a subagent or to a team, and so to no conversation of the user.
    pub(super) is_apart: bool,
    pub(super) is_virtual: bool,
    pub(super) is_meta: bool,
    pub(super) is_api_error: bool,
    pub(super) has_boundary_subtype: bool,
    pub(super) parent: Named,
    pub(super) session: Option<String>,
    /// `message.id`, when it is a string with something in it.
    pub(super) reply: Option<String>,
    /// The ids of the calls in its content.
    pub(super) calls: Vec<String>,
    /// The ids of the calls that results in its content answer.
    pub(super) results: Vec<String>,
    /// Whether its content is a list of results, at least one, and of nothing else.
    pub(super) is_results_alone: bool,
    pub(super) source: Option<String>,
    /// The uuids that it withdraws.
    pub(super) withdraws: Vec<String>,
    pub(super) claim: Option<Claim>,
}

/// What a `parentUuid` says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum Named {
    /// `null`.
    Nothing,
    /// A uuid.
    Uuid(String),
    /// There is none, or it is of another type.
    #[default]
    Unusable,
}

impl Named {
    /// The uuid that it names.
    pub(super) fn uuid(&self) -> Option<&str> {
        match self {
            Self::Uuid(uuid) => Some(uuid),
            Self::Nothing | Self::Unusable => None,
        }
    }
}

/// What a boundary says that it preserves.
#[derive(Clone, Debug)]
pub(super) struct Claim {
    pub(super) anchor: Option<String>,
    pub(super) what: Claimed,
}

#[derive(Clone, Debug)]
pub(super) enum Claimed {
    /// `preservedMessages`: its `uuids`, none where that is not a list of strings alone; and the strings of
    /// `allUuids`.
    Messages { uuids: Option<Vec<String>>, all: Vec<String> },
    /// `preservedSegment`.
    Segment { head: Option<String>, tail: Option<String> },
}

/// The records of a file, in order.
pub(in crate::rules::resume) fn read(bytes: &[u8]) -> Vec<Record> {
    records(bytes).into_iter().map(|(line, start, end, tree)| record(line, start, end, &tree)).collect()
}

fn record(line: u64, start: usize, end: usize, tree: &Tree) -> Record {
    let is_true = |key| tree.member(key) == Some(&Tree::Boolean(true));
    let blocks = content(tree);
    let results = ids(blocks, "tool_result", "tool_use_id");
    Record {
        line,
        start,
        end,
        uuid: string(tree, "uuid"),
        kind: string(tree, "type"),
        is_apart: is_true("isSidechain") || string(tree, "teamName").is_some_and(|name| !name.is_empty()),
        is_virtual: is_true("isVirtual"),
        is_meta: is_true("isMeta"),
        is_api_error: is_true("isApiErrorMessage"),
        has_boundary_subtype: string(tree, "subtype").is_some_and(|subtype| subtype == "compact_boundary"),
        parent: parent(tree),
        session: string(tree, "sessionId"),
        reply: tree.member("message").and_then(|message| string(message, "id")).filter(|id| !id.is_empty()),
        calls: ids(blocks, "tool_use", "id"),
        is_results_alone: !blocks.is_empty() && results.len() == blocks.len(),
        results,
        source: string(tree, "sourceToolAssistantUUID"),
        withdraws: [strings(tree, "supersedesUuids"), strings(tree, "retractedMessageUuids")].concat(),
        claim: tree.member("compactMetadata").and_then(claim),
    }
}

fn string(object: &Tree, key: &str) -> Option<String> {
    object.member(key).and_then(Tree::text)
}

fn list<'a>(object: &'a Tree, key: &str) -> &'a [Tree] {
    match object.member(key) {
        Some(Tree::Array(items)) => items,
        _ => &[],
    }
}

/// The strings of a list; what else is in it does not count.
fn strings(object: &Tree, key: &str) -> Vec<String> {
    list(object, key).iter().filter_map(Tree::text).collect()
}

/// The blocks of the content, when that is a list.
fn content(tree: &Tree) -> &[Tree] {
    tree.member("message").map_or(&[], |message| list(message, "content"))
}

/// The ids under a key of all blocks of a type.
fn ids(blocks: &[Tree], kind: &str, key: &str) -> Vec<String> {
    let own = blocks.iter().filter(|block| string(block, "type").is_some_and(|own| own == kind));
    own.filter_map(|block| string(block, key)).collect()
}

fn parent(tree: &Tree) -> Named {
    match tree.member("parentUuid") {
        Some(Tree::Null) => Named::Nothing,
        Some(value) => value.text().map_or(Named::Unusable, Named::Uuid),
        None => Named::Unusable,
    }
}

fn claim(metadata: &Tree) -> Option<Claim> {
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
