//! *Pairs*: each call of the conversation has its result in the turn after it, in front.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};

use super::beside::{answers, names, results_beside};
use super::free::{free, free_of};
use super::tools::ids;
use super::{BlockEdit, apply};
use crate::json::{Fields, Raw};
use crate::message::constants::{MISSING_TOOL_RESULT, NO_CONTENT};
use crate::message::{Block, Context, ToolResult, Typed};
use crate::normalize::api::{Role, Turn, as_stored, is_server_part, why_hidden, without_halves_of_server_tools};
use crate::repair::edit;
use crate::repair::file::{File, Insert};
use crate::repair::quoted;
use crate::repair::stored::Stored;
use crate::transcript::{Link, Transcript};

pub(super) fn fix(file: &mut File, context: &mut dyn Context) {
    let transcript = file.rows.transcript();
    let conversation = file.rows.stored();
    let turns = as_stored(&conversation.messages);
    let Pairs { mut edits, calls, thinking, .. } = Pairs::of(&transcript, &conversation, &turns);
    let mut added: Vec<Added> = Vec::new();
    let is_renamed = calls.iter().any(|call| call.sent.is_some());
    let mut beside = if is_renamed { results_beside(&transcript, &conversation) } else { HashMap::new() };
    for call in &calls {
        let id = call.sent.as_deref().unwrap_or(&call.id);
        match &call.answer {
            Some(answer) if answer.is_in_place => {
                if call.sent.is_some() {
                    let what = format!("the result of {} names {id} now", call.id);
                    let new = Some(renamed(&answer.block, "tool_use_id", id));
                    edits.push(BlockEdit { row: answer.row, element: answer.element, new, rule: call.rule, what });
                }
            }
            Some(answer) => {
                let block = renamed(&answer.block, "tool_use_id", id);
                let what = format!("the result of {id} is with its call now");
                added.push(Added { call, block, raw: raw_output(file, answer.row), rule: FOLLOWS, what });
                let what = format!("the result of {id} is with its call, and here no more");
                let (row, element) = (answer.row, answer.element);
                edits.push(BlockEdit { row, element, new: None, rule: FOLLOWS, what });
            }
            None if let Some(uuid) = transcript.record(call.row).uuid()
                && let Some((row, block)) = beside.remove(&(uuid.into_owned(), call.id.clone())) =>
            {
                // A resume finds the other's result when no result of the conversation has its id any more.
                if call.sent.is_none() {
                    continue;
                }
                let what = format!("the result of {} names {id} now", call.id);
                let new = edit::with_member(
                    block.span.of(transcript.record(row).bytes),
                    "tool_use_id",
                    quoted(id).as_bytes(),
                );
                let new = Some(String::from_utf8_lossy(&new).into_owned());
                edits.push(BlockEdit { row, element: block.index as usize, new, rule: call.rule, what });
            }
            None => {
                let block = Block::from(ToolResult::new(id, MISSING_TOOL_RESULT, true)).to_json();
                let raw = quoted(&format!("Error: {MISSING_TOOL_RESULT}"));
                let what = format!("a placeholder for the result of {id}");
                added.push(Added { call, block, raw, rule: unanswered(&transcript, &call.id), what });
            }
        }
    }
    apply(file, edits);
    for (row, element) in thinking {
        say_something(file, row, element);
    }
    add(file, &transcript, &conversation, added, context);
    begin_with_user(file, &transcript, &conversation, &turns, context);
}

const FOLLOWS: &str = "pairing/result-follows-use";
const UNIQUE: &str = "tool/unique-call-id";

/// The rule that asks for the result of a call.
fn unanswered(transcript: &Transcript, id: &str) -> &'static str {
    let mut records = transcript.records().filter(|record| record.type_name() == "user");
    let is_answered = records.any(|record| ids(&record, "tool_result").iter().any(|(_, answered)| answered == id));
    if is_answered { FOLLOWS } else { "tool/call-answered" }
}

/// A call, and what answers it.
struct Call {
    /// The place in the conversation of the message behind which its result is placed.
    last: usize,
    turn: usize,
    row: usize,
    id: String,
    /// The id that it gets, if its own cannot stay, and the rule that asks for it.
    sent: Option<String>,
    rule: &'static str,
    answer: Option<Answer>,
}

struct Answer {
    row: usize,
    element: usize,
    block: Block,
    is_in_place: bool,
}

/// A result that is added.
struct Added<'c> {
    call: &'c Call,
    block: String,
    /// The raw output.
    raw: String,
    rule: &'static str,
    what: String,
}

struct Pairs {
    edits: Vec<BlockEdit>,
    calls: Vec<Call>,
    /// For each id the last turn with calls that have it, and which of them have no result.
    open: HashMap<String, (usize, VecDeque<usize>)>,
    /// The ids that calls have.
    used: HashSet<String>,
    /// The ids that calls of server tools have.
    used_by_servers: HashSet<String>,
    /// For each of them in this turn, the ids that the calls get which wait for their results.
    waiting: HashMap<String, VecDeque<String>>,
    /// Thinking that ends a turn: row and element.
    thinking: Vec<(usize, usize)>,
}

/// Where a block is.
#[derive(Clone, Copy)]
struct Place {
    turn: usize,
    row: usize,
    element: usize,
}

impl Pairs {
    fn of(transcript: &Transcript, conversation: &Stored, turns: &[Turn<'_>]) -> Self {
        let mut pairs = Self {
            edits: Vec::new(),
            calls: Vec::new(),
            open: HashMap::new(),
            used: HashSet::new(),
            used_by_servers: HashSet::new(),
            waiting: HashMap::new(),
            thinking: Vec::new(),
        };
        let mut seen: HashMap<(u32, String), usize> = HashMap::new();
        for (number, turn) in turns.iter().enumerate() {
            let limit = limit(turn, turns.get(number + 1)).min(first_source(turns.get(number + 2)));
            let lines = turn.content.iter().filter_map(|part| part.source);
            let last_line = lines.filter(|&source| source < limit).max().unwrap_or_default();
            let stays = match turn.role {
                Role::Assistant => without_halves_of_server_tools(turn),
                Role::User => vec![true; turn.content.len()],
            };
            let mut is_in_front = true;
            let mut said: HashSet<(String, String)> = HashSet::new();
            let mut calls: HashMap<String, usize> = HashMap::new();
            let answers = answers(turns.get(number + 1));
            pairs.waiting.clear();
            for (at, part) in turn.content.iter().enumerate() {
                let block = part.block().filter(|block| matches!(block, Block::ToolResult(_) | Block::ToolUse(_)));
                is_in_front &= block.is_some() && part.source.is_some();
                let (Some(source), Some(block)) = (part.source, part.block()) else { continue };
                let nth = seen.entry((source, block.type_name().to_owned())).or_default();
                let found = conversation.element(source, block.type_name(), *nth);
                *nth += 1;
                let Some((row, element)) = found else {
                    is_in_front = false;
                    continue;
                };
                let place = Place { turn: number, row, element };
                match block {
                    Block::ToolUse(call) => {
                        let Some(id) = call.id.get().map(|id| id.as_str().to_owned()) else { continue };
                        // As many calls as there are results are calls of their own, though they are equal.
                        let count = calls.entry(id.clone()).or_default();
                        let has_answer = answers.get(&id).is_some_and(|results| results > count);
                        let is_first = said.insert((id.clone(), block.to_json())) || has_answer;
                        *count += 1;
                        pairs.call(place, block, id, last_line.min(source) as usize, is_first);
                    }
                    Block::ToolResult(result) => {
                        let record = transcript.record(row);
                        let asked = |call: usize| names(&record, transcript.record(call).uuid().as_deref());
                        let id = result.tool_use_id.as_str().unwrap_or_default();
                        pairs.result(place, block, id, is_in_front, asked);
                    }
                    _ => {
                        let is_last = turn.role == Role::Assistant && at + 1 == turn.content.len();
                        pairs.other(place, block, stays[at], is_last);
                        if stays[at] && is_server_part(part) {
                            pairs.server(place, block);
                        }
                    }
                }
            }
        }
        pairs
    }

    /// A call gets an id of its own, unless a line of its reply says it again.
    fn call(&mut self, Place { turn, row, element }: Place, block: &Block, id: String, last: usize, is_first: bool) {
        if !is_first {
            let what = format!("without the call {id}, which a line of its reply holds");
            self.edits.push(BlockEdit { row, element, new: None, rule: UNIQUE, what });
            return;
        }
        let sent = free(&id, &self.used);
        let rule = if self.used.contains(&id) { UNIQUE } else { "pairing/id-form" };
        if let Some(sent) = &sent {
            let what = format!("the call {id} is {sent} now");
            let new = Some(renamed(block, "id", sent));
            self.edits.push(BlockEdit { row, element, new, rule, what });
        }
        self.used.insert(sent.clone().unwrap_or_else(|| id.clone()));
        let waiting = self.open.entry(id.clone()).or_default();
        if waiting.0 != turn {
            *waiting = (turn, VecDeque::new());
        }
        waiting.1.push_back(self.calls.len());
        self.calls.push(Call { last, turn, row, id, sent, rule, answer: None });
    }

    /// A result answers the open call of its id whose row it names, or else the first. One without a call, or of a call
    /// that has one, is dropped.
    fn result(
        &mut self,
        Place { turn, row, element }: Place,
        block: &Block,
        id: &str,
        is_in_front: bool,
        asked: impl Fn(usize) -> bool,
    ) {
        let waiting = self.open.get_mut(id);
        let is_known = waiting.is_some();
        let calls = &self.calls;
        let call = waiting.and_then(|(_, waiting)| {
            let own = waiting.iter().position(|&call| asked(calls[call].row)).unwrap_or_default();
            waiting.remove(own)
        });
        let Some(call) = call else {
            let (rule, what) = match is_known {
                true => ("tool/single-result", format!("without a second result of {id}")),
                false => ("pairing/no-orphan-result", format!("without the result of {id}, which has no call")),
            };
            self.edits.push(BlockEdit { row, element, new: None, rule, what });
            return;
        };
        let call = &mut self.calls[call];
        let is_in_place = is_in_front && call.turn + 1 == turn;
        call.answer = Some(Answer { row, element, block: block.clone(), is_in_place });
    }

    /// A call of a server tool gets an id of its own, and its result the same.
    fn server(&mut self, Place { row, element, .. }: Place, block: &Block) {
        let is_call = block.type_name().ends_with("_tool_use");
        let member = if is_call { "id" } else { "tool_use_id" };
        let json = block.to_json();
        let text = edit::member(json.as_bytes(), member).map(|range| json[range].to_owned());
        let Some(id) = text.and_then(|text| Raw::from_json(text).ok()?.text()) else { return };
        let id = id.as_str();
        let sent = if is_call {
            let sent = free_of(block.type_name(), id, &self.used_by_servers).unwrap_or_else(|| id.to_owned());
            self.used_by_servers.insert(sent.clone());
            self.waiting.entry(id.to_owned()).or_default().push_back(sent.clone());
            sent
        } else {
            let Some(sent) = self.waiting.get_mut(id).and_then(VecDeque::pop_front) else { return };
            sent
        };
        if sent != id {
            let what = format!("the id {id} of a server tool is {sent} now");
            let new = Some(renamed(block, member, &sent));
            self.edits.push(BlockEdit { row, element, new, rule: "pairing/server-tools", what });
        }
    }

    /// Half of a pair of a server tool is dropped; thinking cannot end a turn.
    fn other(&mut self, Place { row, element, .. }: Place, block: &Block, stays: bool, is_last: bool) {
        if !stays {
            let what = format!("without {}: the other half is not in its reply", block.type_name());
            self.edits.push(BlockEdit { row, element, new: None, rule: "pairing/server-tools", what });
        }
        if is_last && matches!(block, Block::Thinking(_) | Block::RedactedThinking(_)) {
            self.thinking.push((row, element));
        }
    }
}

/// The first message of a turn: what is in the turn before comes before it.
fn first_source(turn: Option<&Turn<'_>>) -> u32 {
    let parts = turn.into_iter().flat_map(|turn| &turn.content);
    parts.filter_map(|part| part.source).min().unwrap_or(u32::MAX)
}

/// The first message that says something besides results in the user's turn after a reply: results go before it.
fn limit(turn: &Turn<'_>, next: Option<&Turn<'_>>) -> u32 {
    let next = next.filter(|_| turn.role == Role::Assistant);
    let parts = next.into_iter().flat_map(|next| &next.content);
    let others = parts.filter(|part| !matches!(part.block(), Some(Block::ToolResult(_))));
    others.filter_map(|part| part.source).min().unwrap_or(u32::MAX)
}

fn renamed(block: &Block, member: &'static str, id: &str) -> String {
    let json = block.to_json();
    String::from_utf8_lossy(&edit::with_member(json.as_bytes(), member, quoted(id).as_bytes())).into_owned()
}

/// The raw output that a record keeps of its only result.
fn raw_output(file: &File, row: usize) -> String {
    let bytes = &file.rows[row].bytes;
    let raw = edit::member(bytes, "toolUseResult").map(|range| bytes[range].to_vec());
    raw.map_or_else(|| "\"\"".to_owned(), |raw| String::from_utf8_lossy(&raw).into_owned())
}

/// Lets a text follow the thinking that ends a turn.
fn say_something(file: &mut File, row: usize, element: usize) {
    let bytes = &file.rows[row].bytes;
    let Some(content) = edit::of_message(bytes, "content") else { return };
    let Some(place) = edit::elements(&bytes[content.clone()]).and_then(|elements| elements.get(element).cloned())
    else {
        return;
    };
    let at = content.start + place.end;
    let text = format!(r#",{{"type":"text","text":"{NO_CONTENT}"}}"#);
    file.edit(row, at..at, text.as_bytes(), "thinking/not-last", format!("`{NO_CONTENT}` follows the thinking"));
}

/// Adds results, each behind the turn of its call.
fn add(
    file: &mut File,
    transcript: &Transcript,
    conversation: &Stored,
    added: Vec<Added<'_>>,
    context: &mut dyn Context,
) {
    let mut groups: BTreeMap<usize, Vec<Added<'_>>> = BTreeMap::new();
    for one in added {
        groups.entry(one.call.last).or_default().push(one);
    }
    let mut inserts = Vec::new();
    for (last, group) in groups {
        let row = conversation.rows[last];
        let is_behind = |&first: &usize| row < first && transcript.record(first).is_compact_boundary();
        let is_preserved = conversation.rows.first().is_some_and(is_behind);
        let after = conversation.rows.iter().zip(&conversation.messages).skip(last + 1);
        let next_sent = after.clone().find(|(_, message)| why_hidden(message).is_none()).map(|(&row, _)| row);
        if let Some(next) = next_sent.filter(|&next| is_preserved && holds_list(file, next)) {
            group.into_iter().rev().for_each(|one| put_in_front(file, next, one));
            continue;
        }
        let next = after.map(|(&row, _)| row).next();
        let Some(uuid) = transcript.record(row).uuid() else { continue };
        let mut before = uuid.clone().into_owned();
        let rule = group.last().map_or(FOLLOWS, |one| one.rule);
        for one in group {
            let id = context.uuid();
            let bytes = record(transcript, &one, &before, &id);
            inserts.push((row, Insert { bytes, rule: one.rule, what: one.what }));
            before = id;
        }
        if let Some(next) = next.filter(|&next| transcript.record(next).parent() == Link::To(uuid.clone())) {
            let what = "its parent is the added result now".to_owned();
            file.set(next, "parentUuid", quoted(&before).as_bytes(), rule, what);
        }
    }
    file.insert(inserts);
}

/// Whether a row is a user's, with a list as content.
fn holds_list(file: &File, row: usize) -> bool {
    let bytes = &file.rows[row].bytes;
    edit::is_type(bytes, "user") && edit::of_message(bytes, "content").is_some()
}

/// Puts a result in front of a user's content: behind a boundary's back no record can be added.
fn put_in_front(file: &mut File, row: usize, one: Added<'_>) {
    let bytes = &file.rows[row].bytes;
    let Some(content) = edit::of_message(bytes, "content") else { return };
    let old = &bytes[content.clone()];
    if old.starts_with(b"[") {
        let comma = if edit::elements(old).is_some_and(|elements| elements.is_empty()) { "" } else { "," };
        let new = format!("{}{comma}", one.block);
        return file.edit(row, content.start + 1..content.start + 1, new.as_bytes(), one.rule, one.what);
    }
    let text = String::from_utf8_lossy(old).into_owned();
    let new = format!(r#"[{},{{"type":"text","text":{text}}}]"#, one.block);
    file.edit(row, content, new.as_bytes(), one.rule, one.what);
}

/// The members that an added record has of the record beside it.
const ENVELOPE: [&str; 10] =
    ["isSidechain", "agentId", "teamName", "userType", "cwd", "sessionId", "version", "gitBranch", "slug", "timestamp"];

fn envelope(transcript: &Transcript, row: usize, parent: Option<&str>, uuid: &str) -> Fields {
    let old = Raw::from_bytes(transcript.record(row).bytes)
        .ok()
        .and_then(|raw| Fields::from_raw(&raw).ok())
        .unwrap_or_default();
    let mut fields = Fields::new();
    fields.set("parentUuid", parent.map_or_else(Raw::null, Raw::from));
    for name in ENVELOPE {
        if let Some(value) = old.get(name) {
            fields.set(name, value.clone());
        }
    }
    fields.set("type", Raw::from("user"));
    fields.set("uuid", Raw::from(uuid));
    fields
}

fn record(transcript: &Transcript, one: &Added<'_>, parent: &str, uuid: &str) -> Vec<u8> {
    let mut fields = envelope(transcript, one.call.row, Some(parent), uuid);
    fields.set("message", Raw::written(format!(r#"{{"role":"user","content":[{}]}}"#, one.block)));
    fields.set("toolUseResult", Raw::written(one.raw.clone()));
    if let Some(source) = transcript.record(one.call.row).uuid() {
        fields.set("sourceToolAssistantUUID", Raw::from(&*source));
    }
    fields.to_json().into_bytes()
}

/// Puts a message of the user in front of a reply that begins the conversation.
fn begin_with_user(
    file: &mut File,
    transcript: &Transcript,
    conversation: &Stored,
    turns: &[Turn<'_>],
    context: &mut dyn Context,
) {
    const RULE: &str = "api/first-user";
    let first = turns.first().filter(|turn| turn.role == Role::Assistant).and_then(|turn| turn.source);
    // One thing after the other: added results move rows.
    let Some(first) = first.map(|first| first as usize).filter(|_| file.rows.len() == transcript.len()) else { return };
    // A message behind it that begins the chain hides what is above.
    let is_root = |at: &usize| {
        let record = transcript.record(conversation.rows[*at]);
        record.parent() == Link::Null && !record.is_compact_boundary()
    };
    if let Some(root) = (first + 1..conversation.rows.len()).find(is_root) {
        let before = transcript.record(conversation.rows[root - 1]).uuid().unwrap_or_default();
        let what = "its parent is the message before it now".to_owned();
        return file.set(conversation.rows[root], "parentUuid", quoted(&before).as_bytes(), RULE, what);
    }
    let row = conversation.rows[first];
    let before = first.checked_sub(1).map(|before| conversation.rows[before]);
    let parent = before.and_then(|before| transcript.record(before).uuid());
    let uuid = context.uuid();
    let mut fields = envelope(transcript, row, parent.as_deref(), &uuid);
    fields.set("isMeta", Raw::from(true));
    fields.set("message", Raw::written(format!(r#"{{"role":"user","content":"{NO_CONTENT}"}}"#)));
    file.set(row, "parentUuid", quoted(&uuid).as_bytes(), RULE, "its parent is the added message now".to_owned());
    let what = "a first message of the user".to_owned();
    let insert = Insert { bytes: fields.to_json().into_bytes(), rule: RULE, what };
    match before.filter(|&before| before < row).or(row.checked_sub(1)) {
        Some(before) => file.insert(vec![(before, insert)]),
        None => file.insert_first(insert),
    }
}
