//! Unread faults in finding a conversation again (*resume*).

use std::collections::{HashMap, HashSet};

use turnproof::operation::{Conversation, ConversationRecord, Plain, Value};
use turnproof::subject::{Outcome, Subject};
use turnproof_rules::json;

use super::super::super::right::Right;
use super::super::super::view::{Seen, View};
use super::super::super::walk::{blocks, blocks_mut, is, kind, text};
use super::super::super::wrong::Wrong;
use super::{Unread, unread};

/// The lists of what a record withdraws.
const WITHDRAWING: [&str; 2] = ["supersedesUuids", "retractedMessageUuids"];

pub(super) const UNREAD: &[Unread] = &[
    unread(
        "resume/unread-third-virtual-comes-back",
        "3.3.1: a participant is a node whose isVirtual is not true",
        "brings back virtual messages that stand in a file",
        Wrong::EachRecord(|seen| seen.remove("isVirtual")),
    ),
    unread(
        "resume/unread-third-hook-results-pass",
        "3.3.1: a participant is a node of one of the five chain kinds of section 2",
        "walks through hook results without bringing them back",
        Wrong::EachRecord(|seen| {
            if kind(&seen.value) == "hook_result" {
                seen.set("type", "progress");
            }
        }),
    ),
    unread(
        "resume/unread-third-first-of-a-uuid",
        "3.3.1: where a uuid repeats among nodes, the last node stands",
        "takes the first record where a uuid repeats",
        Wrong::Records(|view| {
            let mut known = HashSet::new();
            view.retain(|seen| seen.uuid().is_empty() || known.insert(seen.uuid().to_owned()));
        }),
    ),
    unread(
        "resume/unread-third-replies-without-id-are-one",
        "3.3.1: an assistant participant without a message.id is a reply of its own",
        "takes all assistant lines without an API id for one reply",
        Wrong::EachRecord(|seen| {
            if kind(&seen.value) == "assistant"
                && let Some(message) = seen.value.get_mut("message").filter(|message| message.is_object())
                && text(message, "id").is_empty()
            {
                message["id"] = json!("undefined");
            }
        }),
    ),
    unread(
        "resume/unread-third-first-withdrawn-only",
        "3.3.2: a node is withdrawn when a later record names its uuid in a list",
        "withdraws only the first message that a list names",
        Wrong::EachRecord(|seen| {
            for name in WITHDRAWING {
                seen.value.get_mut(name).and_then(Value::as_array_mut).into_iter().for_each(|named| named.truncate(1));
            }
        }),
    ),
    unread(
        "resume/unread-third-notices-withdraw-nothing",
        "3.3.2: a later record of the conversation withdraws by retractedMessageUuids too",
        "reads what is withdrawn from replies alone, not from notices",
        Wrong::EachRecord(|seen| {
            if kind(&seen.value) == "system" {
                WITHDRAWING.iter().for_each(|name| seen.remove(name));
            }
        }),
    ),
    unread(
        "resume/unread-third-results-of-withdrawn-calls",
        "3.3.2: with the node, the results of its calls are withdrawn",
        "withdraws a reply and keeps the results of its calls",
        Wrong::Records(keep_results_of_withdrawn),
    ),
    unread(
        "resume/unread-third-no-parent-is-null",
        "3.3.3: a missing member, or a value of another type, is a gap",
        "takes a missing or strange parent for null, so that the chain begins there",
        Wrong::EachRecord(|seen| {
            if !seen.value["parentUuid"].is_string() {
                seen.set("parentUuid", Value::Null);
            }
        }),
    ),
    unread(
        "resume/unread-third-bridges-to-another-session",
        "3.3.3: a gap is bridged to the nearest participant with the same sessionId",
        "bridges a gap to the line before, whatever session that is of",
        Wrong::EachRecord(|seen| seen.remove("sessionId")),
    ),
    unread(
        "resume/unread-third-bridges-to-speakers",
        "3.3.3: a gap is bridged to the nearest participant before the node in the file",
        "bridges a gap to the prompt or reply before it, past attachments and notices",
        Wrong::Records(|view| bridge(view, |value| matches!(kind(value), "user" | "assistant"))),
    ),
    unread(
        "resume/unread-third-kept-behind-the-boundary",
        "3.3.4: the first of the list gets the anchor as its parent",
        "puts what a boundary preserves right behind the boundary, before the summary",
        Wrong::Records(|view| {
            for seen in view.iter_mut().filter(|seen| seen.is_boundary()) {
                let uuid = seen.uuid().to_owned();
                preserved(seen).for_each(|preserved| preserved["anchorUuid"] = uuid.as_str().into());
            }
        }),
    ),
    unread(
        "resume/unread-third-loses-the-head",
        "3.3.4: the list is read from the head to the tail, and both come back",
        "begins after the head of what is preserved",
        Wrong::Records(skip_heads),
    ),
    unread(
        "resume/unread-third-all-uuids-are-the-list",
        "3.3.4: of preservedMessages, the list is uuids",
        "takes the preserved messages from allUuids",
        Wrong::EachRecord(|seen| {
            if let Some(messages) = seen.value.pointer_mut("/compactMetadata/preservedMessages")
                && let Some(all) = messages.get("allUuids").cloned()
            {
                messages["uuids"] = all;
            }
        }),
    ),
    unread(
        "resume/unread-third-preserves-what-is-there",
        "3.3.4: each uuid must be that of a participant; if one fails, the boundary preserves nothing",
        "preserves those of the listed messages that can be found",
        Wrong::Records(|view| {
            let known = uuids(view);
            for seen in view.iter_mut() {
                let path = "/compactMetadata/preservedMessages/uuids";
                let listed = seen.value.pointer_mut(path).and_then(Value::as_array_mut);
                let is_known = |uuid: &Value| uuid.as_str().is_some_and(|uuid| known.contains(uuid));
                listed.into_iter().for_each(|listed| listed.retain(is_known));
            }
        }),
    ),
    unread(
        "resume/unread-third-follows-the-logical-parent",
        "3.3.4: logicalParentUuid is never followed",
        "walks on from a boundary to its logical parent",
        Wrong::EachRecord(|seen| {
            let logical = seen.value.get("logicalParentUuid").filter(|uuid| uuid.is_string()).cloned();
            if let (true, Some(logical)) = (seen.is_boundary(), logical) {
                seen.set("parentUuid", logical);
                seen.set("subtype", "informational");
            }
        }),
    ),
    unread(
        "resume/unread-third-microcompaction-cuts",
        "3.3.1: a boundary has subtype compact_boundary",
        "stops at the boundary of a microcompaction as at that of a compaction",
        Wrong::EachRecord(|seen| {
            if text(&seen.value, "subtype") == "microcompact_boundary" {
                seen.set("subtype", "compact_boundary");
            }
        }),
    ),
    unread(
        "resume/unread-third-ends-at-meta",
        "3.3.5: a leaf has no isMeta",
        "lets a meta message say where the conversation ends",
        Wrong::EachRecord(|seen| seen.remove("isMeta")),
    ),
    unread(
        "resume/unread-third-ends-where-a-side-record-says",
        "3.3.5: the walk starts at the terminal whose leaf comes last in the file",
        "ends the conversation at the leafUuid of the last side record",
        Wrong::Records(|view| {
            let is_side = |seen: &&Seen| seen.uuid().is_empty() && !text(&seen.value, "leafUuid").is_empty();
            let Some(leaf) = view.iter().rev().find(is_side).map(|seen| text(&seen.value, "leafUuid").to_owned())
            else {
                return;
            };
            if let Some(at) = view.iter().rposition(|seen| seen.uuid() == leaf) {
                view.truncate(at + 1);
            }
        }),
    ),
    unread(
        "resume/unread-third-longest-branch",
        "3.3.5: the walk starts at the terminal whose leaf comes last in the file",
        "takes the longest branch for the conversation",
        Wrong::Records(|view| {
            let mut depths: HashMap<String, usize> = HashMap::new();
            let mut deepest = None;
            for (at, seen) in view.iter().enumerate().filter(|(_, seen)| is_node(&seen.value)) {
                let depth = depths.get(seen.parent()).map_or(1, |depth| depth + 1);
                depths.insert(seen.uuid().to_owned(), depth);
                deepest = deepest.max(is_speaker(&seen.value).then_some((depth, at)));
            }
            if let Some((_, at)) = deepest {
                let seen = view.remove(at);
                view.push(seen);
            }
        }),
    ),
    unread(
        "resume/unread-third-puts-back-finished-replies",
        "3.3.7: what keeps a pushed-off reply away is that it is withdrawn or an API error, not how it stopped",
        "puts a pushed-off reply back only if it has a stop_reason",
        Wrong::EachRecord(|seen| {
            if kind(&seen.value) == "assistant" && seen.value.pointer("/message/stop_reason").is_none_or(Value::is_null)
            {
                seen.set("isApiErrorMessage", true);
            }
        }),
    ),
    unread(
        "resume/unread-third-puts-back-errors",
        "3.3.7: an assistant participant is put back when it is no API error",
        "puts errors of the API back as replies that were pushed off the chain",
        Wrong::EachRecord(|seen| seen.remove("isApiErrorMessage")),
    ),
    unread(
        "resume/unread-third-results-in-order-of-calls",
        "3.3.8: where several go to one place, they go each in file order",
        "sorts the results of a reply by its calls",
        Wrong::Resume(|file| changed(file, sort_results)),
    ),
    unread(
        "resume/unread-third-no-notices-beside",
        "3.3.9: this concerns a participant that is no speaker and no boundary",
        "puts back attachments beside the path, but no notices and hook results",
        Wrong::Resume(|file| {
            changed(file, |records| {
                let mut is_beside = beside(records).into_iter();
                records.retain(|record| !is_beside.next().unwrap_or(false) || kind(&value(record)) == "attachment");
            })
        }),
    ),
    unread(
        "resume/unread-third-notices-at-the-end",
        "3.3.9: its place is after that record, right before the first following record that comes later in the file",
        "puts what stands beside the path at the end of the conversation",
        Wrong::Resume(|file| {
            changed(file, |records| {
                let marked = beside(records).into_iter().zip(std::mem::take(records));
                let (aside, path): (Vec<_>, Vec<_>) = marked.partition(|(is_beside, _)| *is_beside);
                records.extend(path.into_iter().chain(aside).map(|(_, record)| record));
            })
        }),
    ),
    unread(
        "resume/unread-third-no-reply-no-conversation",
        "3.3.10: there is a conversation exactly when the file holds a speaker that is not withdrawn",
        "finds no conversation where nothing was answered yet",
        Wrong::Resume(|file| match Right.resume(file) {
            Outcome::Output(Some(found)) if !found.records.iter().any(|record| kind(&value(record)) == "assistant") => {
                Outcome::Output(None)
            }
            other => other,
        }),
    ),
    unread(
        "resume/unread-third-writes-records-anew",
        "3.3.10: the records come back byte for byte",
        "gives each record as its reader would write it, the members sorted",
        Wrong::Resume(|file| {
            changed(file, |records| {
                for record in records {
                    record.bytes = value(record).to_string().into_bytes();
                }
            })
        }),
    ),
    unread(
        "resume/unread-third-mends-the-torn-line",
        "3.3.11: a torn line is rejected, and nothing is guessed of it",
        "closes the strings and brackets of a torn last line and reads it",
        Wrong::Resume(|file| {
            let start = file.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
            let closed = [&file[..start], &close(&file[start..])].concat();
            Right.resume(&closed)
        }),
    ),
    unread(
        "resume/unread-third-sidechain-by-agent",
        "3.4.1: records with isSidechain true are left out",
        "knows a subagent's record by its agentId alone",
        Wrong::EachRecord(|seen| {
            let is_of_agent = !text(&seen.value, "agentId").is_empty();
            seen.set("isSidechain", is_of_agent);
        }),
    ),
];

/// What the reference answers, with other records.
fn changed(file: &[u8], change: impl FnOnce(&mut Vec<ConversationRecord>)) -> Outcome<Option<Conversation>> {
    let mut outcome = Right.resume(file);
    if let Outcome::Output(Some(conversation)) = &mut outcome {
        change(&mut conversation.records);
    }
    outcome
}

fn value(record: &ConversationRecord) -> Value {
    Plain::read(&String::from_utf8_lossy(&record.bytes)).unwrap_or_default().into_value()
}

fn is_node(value: &Value) -> bool {
    !text(value, "uuid").is_empty() && !is(value, "isSidechain") && text(value, "teamName").is_empty()
}

fn is_speaker(value: &Value) -> bool {
    matches!(kind(value), "user" | "assistant")
}

fn uuids(view: &View) -> HashSet<String> {
    view.iter().map(|seen| seen.uuid().to_owned()).filter(|uuid| !uuid.is_empty()).collect()
}

fn parents(view: &View) -> HashMap<String, String> {
    view.iter().map(|seen| (seen.uuid().to_owned(), seen.parent().to_owned())).collect()
}

/// A record and those above it, at most so many.
fn chain<'a>(parents: &'a HashMap<String, String>, from: &'a str, most: usize) -> impl Iterator<Item = &'a str> {
    let above = |uuid: &&'a str| parents.get(*uuid).map(String::as_str).filter(|uuid| !uuid.is_empty());
    std::iter::successors(Some(from), above).take(most)
}

/// Bridges each gap to the last message before it, in its session, of which `is_pier` holds.
fn bridge(view: &mut View, is_pier: fn(&Value) -> bool) {
    let known = uuids(view);
    let mut piers: HashMap<String, String> = HashMap::new();
    for seen in view.iter_mut().filter(|seen| is_node(&seen.value)) {
        let session = text(&seen.value, "sessionId").to_owned();
        let is_begin = seen.value.get("parentUuid").is_some_and(Value::is_null) || seen.is_boundary();
        if let (false, Some(pier)) = (is_begin || known.contains(seen.parent()), piers.get(&session)) {
            seen.set("parentUuid", pier.as_str());
        }
        if is_pier(&seen.value) && !is(&seen.value, "isVirtual") {
            piers.insert(session, seen.uuid().to_owned());
        }
    }
}

/// What a boundary says that it preserves, in both forms.
fn preserved(boundary: &mut Seen) -> impl Iterator<Item = &mut Value> {
    let metadata = boundary.value.get_mut("compactMetadata").and_then(Value::as_object_mut);
    let members = metadata.into_iter().flat_map(|metadata| metadata.iter_mut());
    members
        .filter(|(name, value)| (*name == "preservedSegment" || *name == "preservedMessages") && value.is_object())
        .map(|(_, value)| value)
}

fn skip_heads(view: &mut View) {
    let (parents, most) = (parents(view), view.len());
    for seen in view.iter_mut().filter(|seen| seen.is_boundary()) {
        for preserved in preserved(seen) {
            let (head, tail) = (text(preserved, "headUuid").to_owned(), text(preserved, "tailUuid").to_owned());
            let is_next = |uuid: &&str| parents.get(*uuid).is_some_and(|parent| *parent == head);
            if let Some(next) = chain(&parents, &tail, most).find(is_next).filter(|_| head != tail) {
                preserved["headUuid"] = next.into();
            }
            if let Some(listed) = preserved.get_mut("uuids").and_then(Value::as_array_mut).filter(|all| all.len() > 1) {
                listed.remove(0);
            }
        }
    }
}

fn keep_results_of_withdrawn(view: &mut View) {
    let named = |seen: &Seen| -> Vec<String> {
        let lists = WITHDRAWING.iter().filter_map(|name| seen.value.get(*name)?.as_array());
        lists.flatten().filter_map(Value::as_str).map(str::to_owned).collect()
    };
    let withdrawn: HashSet<String> = view.iter().filter(|seen| is_node(&seen.value)).flat_map(named).collect();
    let of_withdrawn = view.iter().filter(|seen| withdrawn.contains(seen.uuid()));
    let calls = of_withdrawn.flat_map(|seen| blocks(&seen.value)).filter(|block| kind(block) == "tool_use");
    let calls: HashSet<String> = calls.map(|call| text(call, "id").to_owned()).collect();
    for block in view.iter_mut().filter_map(|seen| blocks_mut(&mut seen.value)).flatten() {
        if kind(block) == "tool_result" && calls.contains(text(block, "tool_use_id")) {
            let other = format!("{}_withdrawn", text(block, "tool_use_id"));
            block["tool_use_id"] = other.into();
        }
    }
}

fn sort_results(records: &mut Vec<ConversationRecord>) {
    let mut calls: HashMap<String, usize> = HashMap::new();
    let mut sorted: Vec<(usize, Option<usize>, ConversationRecord)> = Vec::new();
    let mut run = 0;
    for record in records.drain(..) {
        let value = value(&record);
        for block in blocks(&value).iter().filter(|block| kind(block) == "tool_use") {
            let count = calls.len();
            calls.entry(text(block, "id").to_owned()).or_insert(count);
        }
        let is_result = |block: &&Value| kind(block) == "tool_result";
        let call = blocks(&value).iter().find(is_result).and_then(|block| calls.get(text(block, "tool_use_id")));
        run += usize::from(call.is_none() || sorted.last().is_some_and(|(_, last, _)| last.is_none()));
        sorted.push((run, call.copied(), record));
    }
    sorted.sort_by_key(|(run, call, _)| (*run, *call));
    records.extend(sorted.into_iter().map(|(.., record)| record));
}

/// Which records stand beside the path: no speakers, with nothing that hangs on them, and not the last.
fn beside(records: &[ConversationRecord]) -> Vec<bool> {
    let values: Vec<Value> = records.iter().map(value).collect();
    let above: HashSet<&str> = values.iter().map(|value| text(value, "parentUuid")).collect();
    let is_beside = |(at, value): (usize, &Value)| {
        at + 1 < values.len() && !is_speaker(value) && !above.contains(text(value, "uuid")) && !is_boundary(value)
    };
    values.iter().enumerate().map(is_beside).collect()
}

fn is_boundary(value: &Value) -> bool {
    text(value, "subtype") == "compact_boundary"
}

/// A line with its open strings and brackets closed.
fn close(line: &[u8]) -> Vec<u8> {
    let (mut open, mut is_text, mut is_escaped) = (Vec::new(), false, false);
    for &byte in line {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if is_text => is_escaped = true,
            b'"' => is_text = !is_text,
            b'{' if !is_text => open.push(b'}'),
            b'[' if !is_text => open.push(b']'),
            b'}' | b']' if !is_text => drop(open.pop()),
            _ => {}
        }
    }
    let quote = is_text.then_some(b'"');
    line.iter().copied().chain(quote).chain(open.into_iter().rev()).collect()
}
