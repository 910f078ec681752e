//! The *records* of a file as values, for what is judged by their members.

use std::collections::{HashMap, HashSet};
use std::ops::Deref;

use crate::json::{self, Value};
use crate::operation::Plain;
use crate::rules::value::{blocks, call_of, is_true, kind, text, uuid};
use crate::rules::wire::model::pieces;
use crate::vocabulary::{COMPACT_BOUNDARY, Kind};

pub(super) const PARENT: &str = "parentUuid";

/// The record of a reply that holds the call of a result.
pub(super) const SOURCE: &str = "sourceToolAssistantUUID";

/// The records of a file, and what several judgements ask of them.
pub(super) struct Records<'a> {
    all: &'a [Value],
    /// Those by uuid whose uuid no other one has.
    pub(super) once: HashMap<&'a str, &'a Value>,
    /// Whether each message has a uuid that no other record has.
    pub(super) have_own_uuids: bool,
    /// Whether a message has no uuid. It may get that of a record that is removed.
    pub(super) has_nameless: bool,
    /// Whether one is a boundary, whoever it is of.
    pub(super) has_boundary: bool,
    /// Whether all messages but one name a parent, boundaries and subagents aside. What names none may come between a
    /// call and its result.
    pub(super) has_one_root: bool,
}

impl<'a> Records<'a> {
    pub(super) fn of(all: &'a [Value]) -> Self {
        let once = by_uuid(all);
        let mut of_messages = all.iter().filter(|record| is_message(record)).map(uuid);
        let have_own_uuids = of_messages.all(|uuid| uuid.is_some_and(|uuid| once.contains_key(uuid)));
        let has_nameless = all.iter().any(|record| is_message(record) && uuid(record).is_none());
        let is_boundary = |record: &Value| text(record, "subtype") == Some(COMPACT_BOUNDARY);
        let has_boundary = all.iter().any(is_boundary);
        let is_main = |record: &Value| is_message(record) && !is_boundary(record) && !is_true(record, "isSidechain");
        let has_no_parent = |record: &&Value| is_main(record) && text(record, PARENT).is_none();
        let has_one_root = all.iter().filter(has_no_parent).count() < 2;
        Self { all, once, have_own_uuids, has_nameless, has_boundary, has_one_root }
    }
}

impl Deref for Records<'_> {
    type Target = [Value];

    fn deref(&self) -> &[Value] {
        self.all
    }
}

/// The records of a file that can be read.
pub(super) fn records(file: &[u8]) -> Vec<Value> {
    bytes_of_records(file).filter_map(record).collect()
}

/// The same; `None` where one repeats a key: what counts may be in the value that the last one hides.
pub(super) fn records_of_one_meaning(file: &[u8]) -> Option<Vec<Value>> {
    let repeats_key = |bytes: &[u8]| json::read_all(bytes).is_ok_and(|tree| tree.has_repeated_key());
    let records = bytes_of_records(file).map(|bytes| (!repeats_key(bytes)).then(|| record(bytes)));
    Some(records.collect::<Option<Vec<_>>>()?.into_iter().flatten().collect())
}

fn bytes_of_records(file: &[u8]) -> impl Iterator<Item = &[u8]> {
    pieces(file).into_iter().map(|piece| &file[piece.start as usize..piece.end as usize])
}

fn record(bytes: &[u8]) -> Option<Value> {
    Plain::read_bytes(bytes).ok().map(Plain::into_value)
}

/// The records by uuid, without those whose uuid another one has.
fn by_uuid(records: &[Value]) -> HashMap<&str, &Value> {
    let mut found: HashMap<&str, Option<&Value>> = HashMap::new();
    for record in records {
        let Some(uuid) = uuid(record) else { continue };
        found.entry(uuid).and_modify(|other| *other = None).or_insert(Some(record));
    }
    found.into_iter().filter_map(|(uuid, record)| Some((uuid, record?))).collect()
}

/// The calls of the replies of a file: for each id the records with such calls.
pub(super) fn calls(records: &[Value]) -> HashMap<&str, Vec<&Value>> {
    let mut calls: HashMap<&str, Vec<&Value>> = HashMap::new();
    for record in records.iter().filter(|record| kind(record) == "assistant") {
        blocks(record).iter().filter_map(call_of).for_each(|call| calls.entry(call).or_default().push(record));
    }
    calls
}

/// Whether two records are of one session and owner.
pub(super) fn is_of_one(one: &Value, other: &Value) -> bool {
    owner(one) == owner(other) && one.get("sessionId") == other.get("sessionId")
}

/// Whether a record is a message of a conversation.
pub(super) fn is_message(record: &Value) -> bool {
    Kind::of(kind(record)).is_some_and(Kind::is_chain_participant)
}

/// Whose record it is: that of the conversation, or of a subagent.
pub(super) fn owner(record: &Value) -> (bool, Option<&str>) {
    let is_sidechain = is_true(record, "isSidechain");
    (is_sidechain, text(record, "agentId").filter(|_| is_sidechain))
}

/// The members that name records which a record withdraws.
const WITHDRAWS: [&str; 2] = ["supersedesUuids", "retractedMessageUuids"];

/// The uuids that records withdraw.
pub(super) fn withdrawn(records: &[Value]) -> HashSet<&str> {
    let lists = records.iter().flat_map(|record| WITHDRAWS.map(|name| record.get(name)));
    lists.flatten().filter_map(Value::as_array).flatten().filter_map(Value::as_str).collect()
}
