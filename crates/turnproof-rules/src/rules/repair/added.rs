//! *Added* records: a placeholder says where, for whom and when its call was recorded, as the record of the call does.

use std::collections::HashMap;

use crate::json::Value;
use crate::rules::Sentence;
use crate::rules::value::{kind, reply_id, text};
use crate::vocabulary::MISSING_TOOL_RESULT;

/// The members that an added record has of the record with the call.
const ORIGIN: [&str; 7] = ["sessionId", "isSidechain", "agentId", "teamName", "cwd", "version", "timestamp"];

/// What is wrong about the placeholders of a repaired file: the kind, what is found, and what is expected. Of the damaged
/// file there are records where none repeats a key.
pub(super) fn wrong_placeholders(
    damaged: Option<&[Value]>,
    repaired: &[Value],
    had_one: bool,
) -> Vec<(&'static str, Sentence, &'static str)> {
    // Of one that was there nothing is said: its id may have been renamed.
    let of_success = if had_one { Vec::new() } else { of_success(repaired) };
    let of_success = of_success.into_iter().map(|found| ("no-error", found, "`is_error: true`"));
    let expected = "session, subagent, team, directory, version and time of its call";
    let of_another = damaged.map(|damaged| of_another_origin(damaged, repaired)).unwrap_or_default();
    of_success.chain(of_another.into_iter().map(|found| ("other-origin", found, expected))).collect()
}

/// The placeholders that do not say that the call failed.
fn of_success(records: &[Value]) -> Vec<Sentence> {
    let of_success = records.iter().flat_map(placeholder_blocks).filter(|block| block["is_error"] != true);
    let in_words = |block: &Value| {
        let call = text(block, "tool_use_id").unwrap_or_default();
        sentence!("the placeholder for the result of {call} does not say that the call failed", call)
    };
    of_success.map(in_words).collect()
}

/// A member of an added record that is another than that of each record with its call.
///
/// Nothing is said where it is not sure which record was added or which call it is for: where a record of the user had no
/// uuid of its own, where a key is repeated, and of calls that have no id of their own.
fn of_another_origin(damaged: &[Value], records: &[Value]) -> Vec<Sentence> {
    let mut named: HashMap<&str, usize> = HashMap::new();
    damaged.iter().filter_map(|record| text(record, "uuid")).for_each(|uuid| *named.entry(uuid).or_default() += 1);
    let mut of_user = damaged.iter().filter(|record| kind(record) == "user").map(|record| text(record, "uuid"));
    if !of_user.all(|uuid| uuid.is_some_and(|uuid| named[uuid] == 1)) {
        return Vec::new();
    }
    let (there, left) = (Calls::of(damaged), Calls::of(records));
    let is_new = |record: &&Value| text(record, "uuid").is_some_and(|uuid| !named.contains_key(uuid));
    // One record may hold the placeholders of several calls.
    let other = |record| {
        let lines = |call| there.lines_of(call).into_iter().chain(left.lines_of(call)).flatten();
        let is_sure = |call: &&str| there.lines_of(call).is_some();
        let calls = placeholder_blocks(record).filter_map(|block| text(block, "tool_use_id")).filter(is_sure);
        another_origin(record, &calls.flat_map(lines).collect::<Vec<&Value>>())
    };
    records.iter().filter(is_new).filter_map(other).collect()
}

/// The calls of a file, and the lines of its replies.
struct Calls<'a> {
    calls: HashMap<&'a str, Vec<&'a Value>>,
    replies: HashMap<&'a str, Vec<&'a Value>>,
}

impl<'a> Calls<'a> {
    fn of(records: &'a [Value]) -> Self {
        let (mut calls, mut replies) = (HashMap::<_, Vec<_>>::new(), HashMap::<_, Vec<_>>::new());
        for record in records.iter().filter(|record| kind(record) == "assistant") {
            replies.entry(reply_id(record).unwrap_or_default()).or_default().push(record);
            calls_of(record).for_each(|call| calls.entry(call).or_default().push(record));
        }
        Self { calls, replies }
    }

    /// The lines of the reply with the call of this id, if there is one such call: each of them will do.
    fn lines_of(&self, call: &str) -> Option<Vec<&'a Value>> {
        let [record] = self.calls.get(call)?.as_slice() else { return None };
        Some(reply_id(record).and_then(|id| self.replies.get(id)).map_or(vec![record], Vec::clone))
    }
}

/// The ids of a reply's calls.
fn calls_of(record: &Value) -> impl Iterator<Item = &str> {
    let calls = blocks(record).filter(|block| kind(block) == "tool_use").filter_map(|block| text(block, "id"));
    calls.filter(|_| kind(record) == "assistant")
}

/// The placeholders that a record of the user holds.
fn placeholder_blocks(record: &Value) -> impl Iterator<Item = &Value> {
    let is_placeholder =
        |block: &&Value| kind(block) == "tool_result" && text(block, "content") == Some(MISSING_TOOL_RESULT);
    blocks(record).filter(|_| kind(record) == "user").filter(is_placeholder)
}

/// What is another in a record than in the records with its calls, in words. One of them must agree.
fn another_origin(added: &Value, calls: &[&Value]) -> Option<Sentence> {
    let other = |call: &&Value| ORIGIN.into_iter().find(|name| member(added, name) != member(call, name));
    let others: Option<Vec<&str>> = calls.iter().map(other).collect();
    let (name, call) = (*others?.first()?, calls.first()?);
    let shown = |record: &Value| member(record, name).map_or_else(|| "missing".to_owned(), Value::to_string);
    Some(sentence!(
        "`{name}` of the placeholder `{uuid}` is {found}, and that of its call {expected}",
        name,
        uuid = text(added, "uuid").unwrap_or_default(),
        found = shown(added),
        expected = shown(call)
    ))
}

/// A member that says something: null and a flag that is not set say nothing.
fn member<'a>(record: &'a Value, name: &str) -> Option<&'a Value> {
    record.get(name).filter(|value| !value.is_null() && value.as_bool() != Some(false))
}

fn blocks(record: &Value) -> impl Iterator<Item = &Value> {
    record["message"]["content"].as_array().into_iter().flatten()
}
