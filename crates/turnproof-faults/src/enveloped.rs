//! Faults in what is *around* a message: keys spelt otherwise, the envelope, links beside the chain, and what a
//! boundary preserves.

use serde_json::value::{RawValue, to_raw_value};
use turnproof_rules::operation::{Conversation, ConversationRecord, Value};
use turnproof_suite::subject::{Outcome, Reference, Subject};

use super::recorder::{Members, Slip};
use super::view::{Seen, view};
use super::walk::{blocks, blocks_mut, kind, remove, text};
use super::{Fault, Wrong, fault};

pub(super) const FAULTS: &[Fault] = &[
    fault("parse/compares-keys-as-bytes", "wire/json-object")
        .that("finds no type and no id in a record whose keys are spelt with an escape")
        .by(Wrong::Parsed(|bytes, parsed| {
            for record in &mut parsed.records {
                let json = &bytes[record.start as usize..record.end as usize];
                record.kind = record.kind.take().filter(|_| !holds(json, r#""\u0074ype":"#));
                record.uuid = record.uuid.take().filter(|_| !holds(json, r#""\u0075uid":"#));
            }
        })),
    fault("resume/compares-keys-as-bytes", "resume/complete")
        .that("does not see a member whose key is spelt with an escape")
        .by(Wrong::EachRecord(|seen| {
            for name in ["type", "uuid", "parentUuid", "sessionId", "message", "isSidechain"] {
                let escaped = format!("\"\\u{:04x}{}\":", name.as_bytes()[0], &name[1..]);
                if holds(&seen.record.bytes, &escaped) {
                    seen.remove(name);
                }
            }
        })),
    fault("parse/takes-message-ids-for-its-own", "wire/json-object")
        .that("takes the id of the message that a snapshot of files names for the snapshot's own")
        .by(Wrong::Parsed(|bytes, parsed| {
            for record in parsed.records.iter_mut().filter(|record| record.uuid.is_none()) {
                let json = &bytes[record.start as usize..record.end as usize];
                let named = serde_json::from_slice::<Value>(json).unwrap_or_default();
                record.uuid = named.get("messageId").and_then(Value::as_str).map(str::to_owned);
            }
        })),
    fault("resume/takes-snapshots-for-messages", "resume/complete")
        .that("lets a snapshot of files stand in for the message that it names")
        .by(Wrong::EachRecord(|seen| {
            if seen.uuid().is_empty() && !text(&seen.value, "messageId").is_empty() {
                seen.set("uuid", text(&seen.value, "messageId").to_owned());
            }
        })),
    fault("resume/skips-what-is-not-preserved", "resume/boundary")
        .that("skips a preserved message that is not in the file, and preserves the others")
        .by(Wrong::Records(|view| {
            let known: Vec<String> = view.iter().map(|seen| seen.uuid().to_owned()).collect();
            for seen in view.iter_mut() {
                if let Some(uuids) = preserved(seen).and_then(|kept| kept.get_mut("uuids")?.as_array_mut()) {
                    uuids.retain(|uuid| uuid.as_str().is_none_or(|uuid| known.iter().any(|known| known == uuid)));
                }
            }
        })),
    fault("resume/segments-before-lists", "resume/boundary")
        .that("takes the segment that a boundary preserves, although the boundary lists messages too")
        .by(Wrong::EachRecord(|seen| {
            if seen.value["compactMetadata"]["preservedSegment"].is_object() {
                remove(&mut seen.value["compactMetadata"], "preservedMessages");
            }
        })),
    fault("resume/reverses-notices", "resume/complete").that("puts several notices of one message back in reverse").by(
        Wrong::Resume(|file| {
            let seen = view(file);
            changed(file, |records| {
                let of = |record: &ConversationRecord| {
                    let found = seen.iter().find(|seen| seen.record == *record);
                    found.filter(|seen| kind(&seen.value) == "attachment").map(|seen| seen.parent().to_owned())
                };
                records.chunk_by_mut(|one, next| of(one).is_some() && of(one) == of(next)).for_each(<[_]>::reverse);
            })
        }),
    ),
    fault("resume/wants-calls-before-results", "resume/parallel-results")
        .that("does not put a result back that comes before its call in the file")
        .by(Wrong::Records(|view| {
            let mut called: Vec<String> = Vec::new();
            for seen in view.iter_mut() {
                let ids = blocks(&seen.value).iter().filter(|block| kind(block) == "tool_use");
                called.extend(ids.map(|block| text(block, "id").to_owned()));
                for block in blocks_mut(&mut seen.value).into_iter().flatten() {
                    if !called.iter().any(|id| id == text(block, "tool_use_id")) {
                        remove(block, "tool_use_id");
                    }
                }
            }
        })),
    fault("record/follows-any-source", "record/chain-links")
        .that("chains a message without a result to the line of a call that it names")
        .by(Wrong::Record(Slip::Parent(|new| {
            let is_result = blocks(new.message).iter().any(|block| kind(block) == "tool_result");
            let is_boundary = text(new.message, "subtype") == "compact_boundary";
            let source = text(new.message, "sourceToolAssistantUUID");
            (!is_result && !is_boundary && !source.is_empty()).then(|| source.to_owned())
        }))),
    fault("record/freezes-the-stop-sequence", "record/late-fields")
        .that("takes usage and stop reason from a later version of a reply, and not the stop sequence")
        .by(Wrong::Record(Slip::Line(|members| {
            let Some(raw) = members.get("message").filter(|raw| raw.get().contains("\"stop_sequence\":\"END\"")) else {
                return;
            };
            let message = raw.get().replace("\"stop_sequence\":\"END\"", "\"stop_sequence\":null");
            members.extend(RawValue::from_string(message).ok().map(|message| ("message".to_owned(), message)));
        }))),
    fault("record/is-never-of-a-subagent", "record/envelope")
        .that("writes isSidechain false on every line, which puts subagents into the conversation")
        .by(Wrong::Record(Slip::Line(|members| put(members, "isSidechain", false)))),
    fault("record/is-always-of-a-subagent", "record/envelope")
        .that("writes isSidechain on lines of the conversation")
        .by(Wrong::Record(Slip::Line(|members| put(members, "isSidechain", true)))),
    fault("record/forgets-the-subagent", "record/envelope")
        .that("does not write which subagent a message is of")
        .by(Wrong::Record(Slip::Line(|members| drop(members.remove("agentId"))))),
    fault("record/forgets-the-folder", "record/envelope")
        .that("does not write the folder of a message")
        .by(Wrong::Record(Slip::Line(|members| drop(members.remove("cwd"))))),
    fault("record/forgets-the-version", "record/envelope")
        .that("does not write the version of the client that made a message")
        .by(Wrong::Record(Slip::Line(|members| drop(members.remove("version"))))),
    fault("record/writes-its-own-version", "record/envelope")
        .that("writes its own version on messages of another version")
        .by(Wrong::Record(Slip::Line(|members| put(members, "version", "3.0.0")))),
    fault("record/folder-of-the-process", "record/envelope")
        .that("writes the folder of the process, also where the message names its own")
        .by(Wrong::Record(Slip::Line(|line| {
            if line.contains_key("cwd") {
                line.extend(to_raw_value("/home/user").ok().map(|folder| ("cwd".to_owned(), folder)));
            }
        }))),
];

fn holds(json: &[u8], part: &str) -> bool {
    json.windows(part.len()).any(|window| window == part.as_bytes())
}

fn put(members: &mut Members, name: &str, value: impl Into<Value>) {
    members.extend(to_raw_value(&value.into()).ok().map(|value| (name.to_owned(), value)));
}

/// The list of messages that a boundary preserves.
fn preserved(seen: &mut Seen) -> Option<&mut Value> {
    seen.value.get_mut("compactMetadata")?.get_mut("preservedMessages")
}

/// What the reference resumes, changed.
fn changed(file: &[u8], change: impl FnOnce(&mut Vec<ConversationRecord>)) -> Outcome<Option<Conversation>> {
    match Reference.resume(file) {
        Outcome::Output(Some(mut conversation)) => {
            change(&mut conversation.records);
            Outcome::Output(Some(conversation))
        }
        other => other,
    }
}
