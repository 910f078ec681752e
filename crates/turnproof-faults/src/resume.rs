//! Faults in *resuming*: a reader misunderstands the chain, replies, boundaries or withdrawals.

use std::collections::HashSet;

use turnproof_rules::operation::{Conversation, ConversationRecord, Value};
use turnproof_suite::subject::Outcome;

use super::conserve::reply;
use super::view::{Seen, children, found, leave_out, seeing, view};
use super::walk::{blocks, blocks_mut, is, kind, remove, text, text_block};
use super::{Fault, Wrong, fault};

pub(super) const FAULTS: &[Fault] = &[
    fault("resume/orders-by-time", "resume/complete")
        .that("puts records in the order of their times, and so ends at a late one on an old branch")
        .seen_in("anthropics/claude-code#33651")
        .by(Wrong::Records(|view| view.sort_by_key(|seen| text(&seen.value, "timestamp").to_owned()))),
    fault("resume/filters-attachments-first", "resume/complete")
        .that("leaves attachments out before it walks over parents")
        .seen_in("BytePioneer-AI/codex-host#171")
        .by(Wrong::Unindexed(|seen| kind(&seen.value) == "attachment")),
    fault("resume/first-of-a-uuid-wins", "resume/complete")
        .that("takes the first record of a repeated uuid")
        .seen_in("anthropics/claude-code#66947")
        .by(Wrong::Records(|view| {
            let mut known = HashSet::new();
            view.retain(|seen| seen.uuid().is_empty() || known.insert(seen.uuid().to_owned()));
        })),
    fault("resume/brings-back-left-branches", "resume/complete")
        .that("treats the order of the file as the conversation, and so includes rewound prompts")
        .seen_in("anthropics/claude-code CHANGELOG 2.1.122")
        .by(Wrong::Records(|view| {
            let mut before = None;
            for seen in view.iter_mut().filter(|seen| !seen.uuid().is_empty() && !is(&seen.value, "isSidechain")) {
                if let (Some(before), false) = (before, seen.is_boundary()) {
                    seen.set("parentUuid", Value::from(before));
                }
                before = Some(seen.uuid().to_owned());
            }
        })),
    fault("resume/wants-the-new-name-of-time", "resume/complete")
        .that("does not know a time by its older name, and leaves such records out")
        .by(Wrong::Unindexed(|seen| {
            seen.value.get("createdAt").is_some_and(Value::is_string) && seen.value.get("timestamp").is_none()
        })),
    fault("resume/wants-a-subtype", "resume/complete")
        .that("leaves out notices that do not say of which sort they are")
        .by(Wrong::Unindexed(|seen| kind(&seen.value) == "system" && seen.value.get("subtype").is_none())),
    fault("resume/loses-notices-beside-the-path", "resume/complete")
        .that("loses a hook's attachment that has the same parent as what came after it")
        .seen_in("anthropics/claude-code#38575")
        .by(Wrong::Records(|view| {
            let children = children(view);
            let count = |uuid: &str| children.get(uuid).copied().unwrap_or_default();
            view.retain(|seen| {
                let is_notice = matches!(kind(&seen.value), "attachment" | "system" | "hook_result");
                !(is_notice && count(seen.uuid()) == 0 && count(seen.parent()) > 1)
            });
        })),
    fault("resume/walks-parents-alone", "resume/parallel-results")
        .that("finds only what a walk over parents meets, and so one of several parallel calls")
        .seen_in("anthropics/claude-code#31330")
        .by(Wrong::EachRecord(|seen| {
            split_replies(seen);
            hide_results(seen);
        })),
    fault("resume/loses-parallel-results", "resume/parallel-results")
        .that("finds all lines of a reply, but only the results that a walk over parents meets")
        .seen_in("anthropics/claude-code CHANGELOG 2.1.80")
        .by(Wrong::EachRecord(hide_results)),
    fault("resume/groups-replies-by-neighbourhood", "resume/parallel-results")
        .that("treats the lines of a reply as two replies when something is between them")
        .seen_in("anthropics/claude-code#19460")
        .by(Wrong::Records(|view| {
            let mut stretch = 0;
            let mut last = String::new();
            for seen in view.iter_mut().filter(|seen| !seen.uuid().is_empty()) {
                let id = reply(&seen.value).to_owned();
                stretch += u32::from(id != last);
                if !id.is_empty() {
                    seen.value["message"]["id"] = Value::from(format!("{id} {stretch}"));
                }
                last = id;
            }
        })),
    fault("resume/appends-parallel-results", "resume/parallel-results")
        .that("puts parallel calls and results at the conversation's end")
        .seen_in("anthropics/claude-code#37779")
        .by(Wrong::Resume(|file| {
            last_what_is_lost(file, |seen| {
                split_replies(seen);
                hide_results(seen);
            })
        })),
    fault("resume/follows-the-notice", "resume/no-delivered-reply-lost")
        .that("loses a reply when the next prompt has a notice beside it as parent")
        .seen_in("anthropics/claude-code#88597")
        .by(Wrong::EachRecord(|seen| seen.set("isApiErrorMessage", true))),
    fault("resume/appends-what-it-puts-back", "resume/no-delivered-reply-lost")
        .that("puts a reply that a notice pushed off the chain at the conversation's end")
        .seen_in("anthropics/claude-code#83460")
        .by(Wrong::Resume(|file| last_what_is_lost(file, |seen| seen.set("isApiErrorMessage", true)))),
    fault("resume/ends-at-a-gap", "resume/bridges-gap")
        .that("treats a parent that was never written as the beginning")
        .seen_in("anthropics/claude-code#58554")
        .by(Wrong::Records(|view| {
            let uuids: HashSet<String> = view.iter().map(|seen| seen.uuid().to_owned()).collect();
            for seen in view.iter_mut().filter(|seen| !uuids.contains(seen.parent())) {
                seen.set("parentUuid", Value::Null);
            }
        })),
    fault("resume/bridges-in-silence", "resume/bridges-gap")
        .that("does not report what it bridges")
        .seen_in("anthropics/claude-code#22526")
        .by(Wrong::Resume(|file| {
            let silent = |found: Conversation| Conversation { notes: Vec::new(), ..found };
            Outcome::Output(found(&view(file)).map(silent))
        })),
    fault("resume/puts-back-in-silence", "resume/no-delivered-reply-lost")
        .that("says nothing of a session in which it puts a reply back")
        .by(Wrong::Resume(|file| Outcome::Output(found(&view(file)).map(|found| without_notes(found, "pushed off"))))),
    fault("resume/withdraws-in-silence", "resume/withdrawn")
        .that("says nothing of a session in which something is withdrawn")
        .by(Wrong::Resume(|file| Outcome::Output(found(&view(file)).map(|found| without_notes(found, "withdrawn"))))),
    fault("resume/bridges-to-other-sessions", "resume/bridges-gap")
        .that("bridges a gap to a record of another session")
        .seen_in("anthropics/claude-code#26964")
        .by(Wrong::EachRecord(|seen| seen.remove("sessionId"))),
    fault("resume/begins-at-an-odd-parent", "resume/bridges-gap")
        .that("treats a parent that is not a string as the beginning")
        .by(Wrong::EachRecord(|seen| {
            if !seen.value["parentUuid"].is_string() {
                seen.set("parentUuid", Value::Null);
            }
        })),
    fault("resume/filters-progress-first", "resume/old-progress")
        .that("leaves progress out before it walks over parents")
        .seen_in("anthropics/claude-code#35024")
        .by(Wrong::Unindexed(|seen| kind(&seen.value) == "progress")),
    fault("resume/brings-back-progress", "resume/old-progress")
        .that("returns progress as part of the conversation")
        .seen_in("anthropics/claude-code#18905")
        .by(Wrong::EachRecord(|seen| {
            if kind(&seen.value) == "progress" {
                seen.set("type", "system");
            }
        })),
    fault("resume/skips-unknown-kinds", "resume/old-progress")
        .that("does not index records whose type it does not know")
        .seen_in("datadog-labs/trajectory#78")
        .by(Wrong::Unindexed(|seen| turnproof_reference::message::Kind::of(kind(&seen.value)).is_none())),
    fault("resume/undoes-the-compaction", "resume/boundary")
        .that("follows a boundary to what came before it")
        .seen_in("anthropics/claude-code#14462")
        .by(Wrong::EachRecord(|seen| {
            if seen.is_boundary() {
                let before = seen.value["logicalParentUuid"].clone();
                seen.set("parentUuid", before);
                seen.set("subtype", "informational");
            }
        })),
    fault("resume/loses-what-is-preserved", "resume/boundary")
        .that("returns nothing of what a boundary preserves")
        .seen_in("tamaratran/fast-jev-compaction#89")
        .by(Wrong::EachRecord(|seen| seen.remove("compactMetadata"))),
    fault("resume/knows-segments-alone", "resume/boundary")
        .that("does not know boundaries that name what they preserve one by one")
        .seen_in("tamaratran/fast-jev-compaction#89")
        .by(Wrong::EachRecord(|seen| remove(&mut seen.value["compactMetadata"], "preservedMessages"))),
    fault("resume/forgets-the-anchor", "resume/boundary")
        .that("puts what is preserved right behind the boundary, before the summary")
        .seen_in("tamaratran/fast-jev-compaction#89")
        .by(Wrong::EachRecord(|seen| {
            for name in ["preservedMessages", "preservedSegment"] {
                let own = seen.value["uuid"].clone();
                let preserved = seen.value.get_mut("compactMetadata").and_then(|metadata| metadata.get_mut(name));
                if let Some(preserved) = preserved.filter(|preserved| preserved.is_object()) {
                    preserved["anchorUuid"] = own;
                }
            }
        })),
    fault("resume/brings-back-the-withdrawn", "resume/withdrawn")
        .that("does not look for withdrawals")
        .seen_in("anthropics/claude-code CHANGELOG 2.1.69")
        .by(Wrong::EachRecord(|seen| {
            seen.remove("supersedesUuids");
            seen.remove("retractedMessageUuids");
        })),
    fault("resume/knows-superseding-alone", "resume/withdrawn")
        .that("does not know messages that a refusal retracts")
        .by(Wrong::EachRecord(|seen| seen.remove("retractedMessageUuids"))),
    fault("resume/ends-at-the-withdrawn", "resume/withdrawn")
        .that("leaves what is withdrawn out before it walks over parents")
        .seen_in("anthropics/claude-code CHANGELOG 2.1.101")
        .by(Wrong::Records(|view| {
            let named: HashSet<String> = view.iter().flat_map(withdrawn).map(str::to_owned).collect();
            leave_out(view, |seen| named.contains(seen.uuid()));
        })),
    fault("resume/mixes-subagents-in", "resume/sidechain-apart")
        .that("treats what a subagent said as part of the conversation")
        .seen_in("anthropics/claude-code#33651")
        .by(Wrong::EachRecord(|seen| seen.remove("isSidechain"))),
    fault("resume/leaves-teams-out", "resume/complete")
        .that("treats what a team said as a subagent's, and leaves it out")
        .by(Wrong::EachRecord(|seen| {
            if !text(&seen.value, "teamName").is_empty() {
                seen.set("isSidechain", true);
            }
        })),
    fault("resume/keeps-placeholders", "resume/withdrawn")
        .that("does not know a placeholder, and brings it back beside the true result")
        .by(Wrong::EachRecord(|seen| {
            remove(&mut seen.value, "toolDenialKind");
            for result in blocks_mut(&mut seen.value).into_iter().flatten() {
                if kind(result) == "tool_result" {
                    remove(result, "content");
                }
            }
        })),
    fault("resume/counts-hidden-results", "resume/complete")
        .that("takes a result that is shown in the transcript alone for the true one, and leaves the placeholder out")
        .by(Wrong::EachRecord(|seen| seen.remove("isVisibleInTranscriptOnly"))),
    fault("resume/puts-dead-calls-back", "resume/complete")
        .that("puts a call back that its client left, though nothing answers it and nobody went on behind it")
        .by(Wrong::EachRecord(|seen| {
            let content = seen.value.pointer_mut("/message/content").and_then(Value::as_array_mut);
            if let Some(blocks) = content.filter(|blocks| blocks.iter().all(|block| kind(block) == "tool_use")) {
                blocks.push(text_block("Now."));
            }
        })),
    fault("resume/puts-another-client-first", "resume/no-delivered-reply-lost")
        .that("brings back the turn of another client in front of the result behind which the first one went on")
        .by(Wrong::Resume(|file| {
            let view = view(file);
            let mut whole = found(&view);
            if let Some(whole) = &mut whole {
                put_result_behind(&view, &mut whole.records);
            }
            Outcome::Output(whole)
        })),
    fault("resume/ends-at-progress", "resume/complete")
        .that("ends at progress, and loses the message for the model alone that has the same parent")
        .by(Wrong::Records(|view| {
            let children = children(view);
            let parents: Vec<(u64, String)> = view
                .iter()
                .filter(|seen| kind(&seen.value) == "progress")
                .map(|seen| (seen.start, seen.parent().to_owned()))
                .collect();
            view.retain(|seen| {
                let is_beside = parents.iter().any(|(start, parent)| *start > seen.start && parent == seen.parent());
                !(is(&seen.value, "isMeta") && is_beside && !children.contains_key(seen.uuid()))
            });
        })),
    fault("resume/takes-a-list-that-repeats", "resume/boundary")
        .that("takes a list of messages to preserve that names one twice")
        .by(Wrong::EachRecord(|seen| {
            if let Some(Value::Array(uuids)) = seen.value.pointer_mut("/compactMetadata/preservedMessages/uuids") {
                let mut known = HashSet::new();
                uuids.retain(|uuid| known.insert(uuid.to_string()));
            }
        })),
];

/// Puts a result, beside which another one does not come back, right in front of what names it as its parent.
fn put_result_behind(view: &[Seen], records: &mut [ConversationRecord]) {
    let place = |uuid: &str| records.iter().position(|record| record.uuid == uuid);
    let is_result = |seen: &&Seen| blocks(&seen.value).iter().any(|block| kind(block) == "tool_result");
    let results: Vec<&Seen> = view.iter().filter(is_result).collect();
    let Some(lost) = results.iter().find(|seen| place(seen.uuid()).is_none()) else { return };
    let mut others = results.iter().filter(|seen| seen.parent() == lost.parent());
    let Some((result, at)) = others.find_map(|seen| Some((seen.uuid(), place(seen.uuid())?))) else { return };
    let child = view.iter().filter(|seen| seen.parent() == result).find_map(|seen| place(seen.uuid()));
    if let Some(child) = child.filter(|child| *child > at) {
        records[at..child].rotate_left(1);
    }
}

fn split_replies(seen: &mut Seen) {
    remove(&mut seen.value["message"], "id");
}

fn hide_results(seen: &mut Seen) {
    blocks_mut(&mut seen.value).into_iter().flatten().for_each(|block| remove(block, "tool_use_id"));
}

/// Moves the records to the end that a reader loses when it takes each record so.
fn last_what_is_lost(file: &[u8], change: impl FnMut(&mut Seen)) -> Outcome<Option<Conversation>> {
    let whole = found(&view(file));
    let Outcome::Output(Some(mut rest)) = seeing(file, |view| view.iter_mut().for_each(change)) else {
        return Outcome::Output(whole);
    };
    let is_lost = |record: &ConversationRecord| !rest.records.contains(record);
    let lost: Vec<_> =
        whole.iter().flat_map(|whole| &whole.records).filter(|record| is_lost(record)).cloned().collect();
    rest.records.extend(lost);
    rest.notes = whole.map(|whole| whole.notes).unwrap_or_default();
    Outcome::Output(Some(rest))
}

fn withdrawn(seen: &Seen) -> impl Iterator<Item = &str> {
    let lists = ["supersedesUuids", "retractedMessageUuids"].into_iter();
    lists.filter_map(|name| seen.value.get(name)?.as_array()).flatten().filter_map(Value::as_str)
}

/// A conversation without its notes, if one of them says this.
fn without_notes(mut found: Conversation, about: &str) -> Conversation {
    if found.notes.iter().any(|note| note.contains(about)) {
        found.notes.clear();
    }
    found
}
