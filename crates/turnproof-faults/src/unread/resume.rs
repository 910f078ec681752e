//! Unread faults in *resume*: the conversation that is found in a file.

use std::collections::HashSet;

use turnproof::operation::Value;
use turnproof::operation::{Conversation, ConversationRecord};
use turnproof::subject::{Outcome, Reference, Subject};
use turnproof_rules::json;

use super::super::view::{Seen, View};
use super::super::walk::{is, kind, text};
use super::super::wrong::Wrong;
use super::{Unread, unread};

pub(super) const UNREAD: &[Unread] = &[
    unread(
        "resume/unread-gap-is-the-beginning",
        "3.3.3.4: a gap is bridged (anthropics/claude-code#58554, QwenLM/qwen-code#6501)",
        "takes a parent that is nowhere in the file for none",
        Wrong::Records(|view| {
            let known = uuids(view);
            for seen in view.iter_mut().filter(|seen| !seen.parent().is_empty() && !known.contains(seen.parent())) {
                seen.set("parentUuid", Value::Null);
            }
        }),
    ),
    unread(
        "resume/unread-bridge-between-sessions",
        "3.3.3.4: the nearest participant before the node with the same sessionId",
        "bridges a gap to the record before, whose session it may be",
        Wrong::Records(|view| {
            let known = uuids(view);
            for at in 1..view.len() {
                let parent = view[at].parent().to_owned();
                let before =
                    view[..at].iter().rev().find(|seen| is_participant(seen)).map(|seen| seen.uuid().to_owned());
                if !parent.is_empty() && !known.contains(&parent) {
                    view[at].set("parentUuid", before);
                }
            }
        }),
    ),
    unread(
        "resume/unread-no-parent-is-null",
        "3.3.3.1: a missing member is a gap",
        "takes a record without the member parentUuid for a beginning",
        Wrong::EachRecord(|seen| {
            if seen.value.get("parentUuid").is_none() {
                seen.set("parentUuid", Value::Null);
            }
        }),
    ),
    unread(
        "resume/unread-odd-parent-is-null",
        "3.3.3.1: a value of another type is a gap",
        "takes a parentUuid that is no text for null",
        Wrong::EachRecord(|seen| {
            if seen.value.get("parentUuid").is_some_and(|parent| !parent.is_string()) {
                seen.set("parentUuid", Value::Null);
            }
        }),
    ),
    unread(
        "resume/unread-own-parent-is-null",
        "3.3.3.3: the first node of a circle has a gap, and a gap is bridged",
        "takes a record that names itself as its parent for a beginning",
        Wrong::EachRecord(|seen| {
            if seen.parent() == seen.uuid() {
                seen.set("parentUuid", Value::Null);
            }
        }),
    ),
    unread(
        "resume/unread-follows-the-logical-parent",
        "3.3.4: logicalParentUuid is never followed",
        "walks on from a boundary to its logicalParentUuid",
        Wrong::EachRecord(|seen| {
            if seen.is_boundary()
                && let Some(parent) = seen.value.get("logicalParentUuid").filter(|parent| parent.is_string()).cloned()
            {
                seen.set("parentUuid", parent);
                seen.set("subtype", "informational");
            }
        }),
    ),
    unread(
        "resume/unread-boundary-with-a-parent",
        "3.3.3.1: a boundary has no parent, whatever its parentUuid says",
        "takes a boundary that names a parent for a notice",
        Wrong::EachRecord(|seen| {
            if seen.is_boundary() && !seen.parent().is_empty() {
                seen.set("subtype", "informational");
            }
        }),
    ),
    unread(
        "resume/unread-first-of-a-uuid",
        "3.3.1: where a uuid repeats, the last node stands",
        "lets the first record of a uuid stand",
        Wrong::Records(|view| {
            let mut seen_before = HashSet::new();
            view.retain(|seen| seen.uuid().is_empty() || seen_before.insert(seen.uuid().to_owned()));
        }),
    ),
    unread(
        "resume/unread-sidechain-in-its-place",
        "3.4.1: such a record does not stand in for a record with the same uuid",
        "lets a record of a subagent stand for a record of the conversation with the same uuid",
        Wrong::Records(|view| {
            let other: HashSet<String> =
                view.iter().filter(|seen| is(&seen.value, "isSidechain")).map(|seen| seen.uuid().to_owned()).collect();
            view.retain(|seen| is(&seen.value, "isSidechain") || !other.contains(seen.uuid()));
        }),
    ),
    unread(
        "resume/unread-teams-talk-along",
        "3.4.1: records with a teamName are left out",
        "takes in what a team says",
        Wrong::EachRecord(|seen| seen.remove("teamName")),
    ),
    unread(
        "resume/unread-virtual-comes-back",
        "3.3.1: a participant is no virtual message",
        "gives back records that are virtual",
        Wrong::EachRecord(|seen| seen.remove("isVirtual")),
    ),
    unread(
        "resume/unread-progress-of-progress",
        "3.3.1: passing nodes are walked through; 3.1.2 (anthropics/claude-code#35024)",
        "steps over one progress record, and not over a second one",
        Wrong::Records(|view| {
            let progress: HashSet<String> =
                view.iter().filter(|seen| kind(&seen.value) == "progress").map(|seen| seen.uuid().to_owned()).collect();
            super::super::view::leave_out(view, |seen| {
                kind(&seen.value) == "progress" && progress.contains(seen.parent())
            });
        }),
    ),
    unread(
        "resume/unread-strangers-in-the-chain",
        "3.3.1: unknown kinds are walked through (d-kimuson/claude-code-viewer#231)",
        "does not index records of an unknown kind, and begins behind them",
        Wrong::Unindexed(|seen| !is_participant(seen) && kind(&seen.value) != "progress"),
    ),
    unread(
        "resume/unread-retraction-is-unknown",
        "3.3.2: named in a list supersedesUuids or retractedMessageUuids",
        "does not know retractedMessageUuids",
        Wrong::EachRecord(|seen| seen.remove("retractedMessageUuids")),
    ),
    unread(
        "resume/unread-withdraws-what-comes",
        "3.3.2: a record cannot withdraw what is written after it",
        "withdraws what is written after the record that names it",
        Wrong::Records(|view| {
            let named: Vec<Value> = view.iter().filter(|seen| is_of_main(seen)).flat_map(names).collect();
            if let Some(last) = view.last().cloned() {
                view.push(Seen { value: json!({"type": "tag", "supersedesUuids": named}), ..last });
            }
        }),
    ),
    unread(
        "resume/unread-withdrawal-needs-a-uuid",
        "3.3.2: the later record counts even if it has no uuid",
        "does not look at what a record without a uuid withdraws",
        Wrong::EachRecord(|seen| {
            if seen.uuid().is_empty() {
                seen.remove("supersedesUuids");
                seen.remove("retractedMessageUuids");
            }
        }),
    ),
    unread(
        "resume/unread-subagents-withdraw",
        "3.3.2: a subagent's record withdraws nothing in the main conversation",
        "lets a record of a subagent withdraw records of the conversation",
        Wrong::Records(|view| {
            for at in (0..view.len()).rev() {
                let named = names(&view[at]);
                if !is_of_main(&view[at]) && !named.is_empty() {
                    let value = json!({"type": "tag", "supersedesUuids": named});
                    view.insert(at + 1, Seen { value, ..view[at].clone() });
                }
            }
        }),
    ),
    unread(
        "resume/unread-withdrawal-of-odd-lists",
        "2.4: a list of strings that holds anything else is missing as a whole",
        "takes the strings of a list retractedMessageUuids that holds other things too",
        Wrong::EachRecord(|seen| {
            for name in ["supersedesUuids", "retractedMessageUuids"] {
                if let Some(list) = seen.value.get_mut(name).and_then(Value::as_array_mut) {
                    list.retain(Value::is_string);
                }
            }
        }),
    ),
    unread(
        "resume/unread-by-the-clock",
        "3.3.5: times do not count, since clocks go backwards (anthropics/claude-code#33651)",
        "sorts the records by their time first",
        Wrong::Records(|view| view.sort_by_key(|seen| text(&seen.value, "timestamp").to_owned())),
    ),
    unread(
        "resume/unread-meta-ends-it",
        "3.3.5: the leaf is a speaker without isMeta",
        "lets a meta message be the leaf",
        Wrong::EachRecord(|seen| seen.remove("isMeta")),
    ),
    unread(
        "resume/unread-all-that-was-kept",
        "3.3.4.1: of preservedMessages, the list is `uuids`",
        "relinks allUuids instead of uuids",
        Wrong::EachRecord(|seen| {
            if let Some(kept) =
                seen.value.pointer_mut("/compactMetadata/preservedMessages").filter(|kept| kept.is_object())
                && kept["allUuids"].is_array()
            {
                kept["uuids"] = kept["allUuids"].clone();
            }
        }),
    ),
    unread(
        "resume/unread-segment-before-messages",
        "3.3.4: preservedMessages counts if it is an object; else preservedSegment",
        "prefers preservedSegment where a boundary has both",
        Wrong::EachRecord(|seen| {
            if let Some(metadata) = seen.value.get_mut("compactMetadata").and_then(Value::as_object_mut)
                && metadata.get("preservedSegment").is_some_and(Value::is_object)
            {
                metadata.remove("preservedMessages");
            }
        }),
    ),
    unread(
        "resume/unread-kept-without-an-anchor",
        "3.3.4.3: the anchor must be a participant, else the boundary preserves nothing",
        "puts preserved messages after the boundary when their anchor is not in the file",
        Wrong::Records(|view| {
            let known = uuids(view);
            for seen in view.iter_mut().filter(|seen| seen.is_boundary()) {
                let own = seen.uuid().to_owned();
                for name in ["preservedMessages", "preservedSegment"] {
                    if let Some(kept) = seen.value.pointer_mut(&format!("/compactMetadata/{name}"))
                        && kept.is_object()
                        && !known.contains(text(kept, "anchorUuid"))
                    {
                        kept["anchorUuid"] = own.as_str().into();
                    }
                }
            }
        }),
    ),
    unread(
        "resume/unread-keeps-what-it-finds",
        "3.3.4: if a listed message is not there, the plain boundary counts",
        "relinks those of the preserved messages that are in the file",
        Wrong::Records(|view| {
            let known = uuids(view);
            for seen in view.iter_mut().filter(|seen| seen.is_boundary()) {
                let kept = seen.value.pointer_mut("/compactMetadata/preservedMessages/uuids");
                if let Some(kept) = kept.and_then(Value::as_array_mut) {
                    kept.retain(|uuid| uuid.as_str().is_some_and(|uuid| known.contains(uuid)));
                }
            }
        }),
    ),
    unread(
        "resume/unread-boundary-needs-metadata",
        "3.3.4: metadata may be missing or null (omnigent-ai/omnigent#1957)",
        "takes a boundary without compactMetadata for a notice",
        Wrong::EachRecord(|seen| {
            if seen.is_boundary() && !seen.value.get("compactMetadata").is_some_and(Value::is_object) {
                seen.set("subtype", "informational");
            }
        }),
    ),
    unread(
        "resume/unread-summary-is-for-the-transcript",
        "3.3.6: what was recorded of a conversation comes back whole",
        "does not give back summaries of compactions",
        Wrong::Resume(|file| without(file, |record| is(record, "isCompactSummary"))),
    ),
    unread(
        "resume/unread-errors-do-not-come-back",
        "3.3.6: what was recorded of a conversation comes back whole",
        "does not give back errors of the API",
        Wrong::Resume(|file| without(file, |record| is(record, "isApiErrorMessage"))),
    ),
    unread(
        "resume/unread-hooks-do-not-come-back",
        "3.3.1: a participant is a node of one of the five chain kinds",
        "does not give back results of hooks",
        Wrong::Resume(|file| without(file, |record| kind(record) == "hook_result")),
    ),
    unread(
        "resume/unread-reply-of-one-request",
        "3.3.1: a reply is all assistant participants with one message.id",
        "tells replies apart by requestId too",
        Wrong::EachRecord(|seen| {
            let request = text(&seen.value, "requestId").to_owned();
            if let Some(id) =
                seen.value.pointer_mut("/message/id").filter(|id| id.as_str().is_some_and(|id| !id.is_empty()))
            {
                *id = format!("{}-{request}", id.as_str().unwrap_or_default()).into();
            }
        }),
    ),
    unread(
        "resume/unread-replies-without-ids-are-one",
        "3.3.1: an assistant participant without such an id is a reply of its own",
        "takes all lines without a message.id for one reply",
        Wrong::EachRecord(|seen| {
            if kind(&seen.value) == "assistant" && seen.value["message"].is_object() {
                let id = text(&seen.value["message"], "id").to_owned();
                seen.value["message"]["id"] = if id.is_empty() { "none".into() } else { id.into() };
            }
        }),
    ),
    unread(
        "resume/unread-lines-side-by-side",
        "3.3.8: each goes right before the first of the reply's lines that comes later in the file",
        "gives back all lines of a reply side by side, also where a result stood between them",
        Wrong::Resume(side_by_side),
    ),
    unread(
        "resume/unread-written-anew",
        "3.3.10: the records come back byte for byte",
        "writes each record anew",
        Wrong::Resume(|file| {
            with(file, |records| {
                for record in records {
                    if let Ok(value) = serde_json::from_slice::<Value>(&record.bytes) {
                        record.bytes = value.to_string().into_bytes();
                    }
                }
            })
        }),
    ),
    unread(
        "resume/unread-last-line-needs-its-end",
        "3.3.11: a last line that lacks only its LF is read",
        "does not read a last line without LF",
        Wrong::Resume(|file| {
            let end = file.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
            Reference.resume(&file[..end])
        }),
    ),
    unread(
        "resume/unread-first-line-is-a-message",
        "3.3.10: every file has an answer (anthropics/claude-code#62851)",
        "finds no conversation in a file that begins with a side record",
        Wrong::Resume(|file| {
            let first = file.split(|&byte| byte == b'\n').next().unwrap_or_default();
            let is_side = serde_json::from_slice::<Value>(first).is_ok_and(|record| record.get("uuid").is_none());
            if is_side { Outcome::Output(None) } else { Reference.resume(file) }
        }),
    ),
    unread(
        "resume/unread-a-window-at-the-end",
        "3.3.6: the conversation comes back whole (CHANGELOG 2.1.47 of claude-code: a window of 16 KB)",
        "reads the last 16 KB of a file",
        Wrong::Resume(|file| Reference.resume(&file[file.len().saturating_sub(16 * 1024)..])),
    ),
    unread(
        "resume/unread-somebody-must-have-asked",
        "3.3.10: there is a conversation exactly when the file holds a speaker",
        "finds no conversation where no user has spoken",
        Wrong::Resume(|file| match Reference.resume(file) {
            Outcome::Output(Some(found)) if !found.records.iter().any(|record| kind(&value(record)) == "user") => {
                Outcome::Output(None)
            }
            outcome => outcome,
        }),
    ),
    unread(
        "resume/unread-truthy-sidechains",
        "3.3.1 and 2.4: isSidechain: true; another value counts as missing",
        "takes each isSidechain that is there and not false for true",
        Wrong::EachRecord(|seen| {
            if seen.value.get("isSidechain").is_some_and(|flag| !flag.is_boolean() && !flag.is_null()) {
                seen.set("isSidechain", true);
            }
        }),
    ),
];

fn uuids(view: &View) -> HashSet<String> {
    view.iter().map(|seen| seen.uuid().to_owned()).collect()
}

fn is_participant(seen: &Seen) -> bool {
    matches!(kind(&seen.value), "user" | "assistant" | "system" | "attachment" | "hook_result")
}

fn is_of_main(seen: &Seen) -> bool {
    !is(&seen.value, "isSidechain") && text(&seen.value, "teamName").is_empty()
}

/// What a record withdraws.
fn names(seen: &Seen) -> Vec<Value> {
    let lists = ["supersedesUuids", "retractedMessageUuids"].into_iter().filter_map(|name| seen.value.get(name));
    let lists = lists.filter_map(Value::as_array).filter(|list| list.iter().all(Value::is_string));
    lists.flatten().cloned().collect()
}

fn value(record: &ConversationRecord) -> Value {
    serde_json::from_str(&String::from_utf8_lossy(&record.bytes)).unwrap_or_default()
}

/// The reference's answer, changed.
fn with(file: &[u8], change: impl FnOnce(&mut Vec<ConversationRecord>)) -> Outcome<Option<Conversation>> {
    let mut outcome = Reference.resume(file);
    if let Outcome::Output(Some(found)) = &mut outcome {
        change(&mut found.records);
    }
    outcome
}

fn without(file: &[u8], is_lost: impl Fn(&Value) -> bool) -> Outcome<Option<Conversation>> {
    with(file, |records| records.retain(|record| !is_lost(&value(record))))
}

fn side_by_side(file: &[u8]) -> Outcome<Option<Conversation>> {
    with(file, |records| {
        let ids: Vec<String> = records.iter().map(|record| text(&value(record)["message"], "id").to_owned()).collect();
        let place = |at: usize| match ids[at].as_str() {
            "" => at,
            id => ids.iter().position(|other| other == id).unwrap_or(at),
        };
        let mut order: Vec<usize> = (0..records.len()).collect();
        order.sort_by_key(|&at| place(at));
        *records = order.into_iter().map(|at| records[at].clone()).collect();
    })
}
