//! Faults in what a repair *chooses* and *keeps*: which of several records, results and calls, and what it names.

use turnproof_reference::message::constants::{MISSING_TOOL_RESULT, NO_CONTENT};
use turnproof_rules::operation::Value;

use super::repair::{add_line, change_lines, records};
use super::{Fault, Wrong, fault};

pub(super) const FAULTS: &[Fault] = &[
    fault("repair/keeps-the-first-copy", "repair/minimal")
        .that("keeps the first of several records with one uuid, and drops the last one")
        .by(Wrong::Repaired(|file, repaired| {
            let old = records(file);
            change_lines(repaired, |record| {
                let copies: Vec<&Value> = old.iter().filter(|other| is_same(other, record)).collect();
                let Some(first) = copies.first().filter(|_| copies.len() > 1) else { return false };
                let names = ["type", "message", "timestamp"];
                names.into_iter().filter(|&name| restore(record, first, name)).count() > 0
            });
        })),
    fault("repair/chains-subagents", "repair/clean")
        .that("looks at who is a subagent, and not at which one: a record of one follows a record of another")
        .by(Wrong::Repaired(|file, repaired| {
            let old = records(file);
            let agent = |record: &Value| (record["isSidechain"] == true).then(|| record["agentId"].clone());
            change_lines(repaired, |record| {
                let Some(was) = old.iter().find(|other| is_same(other, record)) else { return false };
                let is_parent = |other: &&Value| other["uuid"].is_string() && other["uuid"] == was["parentUuid"];
                let other = old.iter().find(is_parent).and_then(agent).zip(agent(record));
                let is_other = other.is_some_and(|(one, own)| one.is_string() && own.is_string() && one != own);
                is_other && restore(record, was, "parentUuid")
            });
        })),
    fault("repair/ends-a-segment-with-its-head", "repair/minimal")
        .that("lets a preserved segment that lost its tail end with its head")
        .by(Wrong::Repaired(|file, repaired| {
            let old = records(file);
            change_lines(repaired, |record| {
                let Some(was) = old.iter().find(|other| is_same(other, record)) else { return false };
                let old_tail = was["compactMetadata"]["preservedSegment"]["tailUuid"].clone();
                let Some(segment) = claim(record, "preservedSegment") else { return false };
                let is_other = segment["tailUuid"] != old_tail;
                if is_other {
                    segment["tailUuid"] = segment["headUuid"].clone();
                }
                is_other
            });
        })),
    fault("repair/names-all-that-was-kept", "repair/minimal")
        .that("looks at the messages that a boundary brings back, and not at all that it names as kept")
        .by(Wrong::Repaired(|file, repaired| {
            let old = records(file);
            change_lines(repaired, |record| {
                let Some(was) = old.iter().find(|other| is_same(other, record)) else { return false };
                let all = was["compactMetadata"]["preservedMessages"]["allUuids"].clone();
                let Some(messages) = claim(record, "preservedMessages") else { return false };
                let is_other = all.is_array() && messages["allUuids"] != all;
                if is_other {
                    messages["allUuids"] = all;
                }
                is_other
            });
        })),
    fault("repair/drops-webp-files", "repair/minimal")
        .that("takes out the data of a WebP file: it knows three types of pictures")
        .by(Wrong::Repaired(|_, repaired| {
            change_lines(repaired, |record| {
                let file = record.get_mut("attachment").and_then(|attachment| attachment.get_mut("content"));
                let Some(file) = file.and_then(|content| content.get_mut("file")) else { return false };
                let is_webp = file["type"] == "image/webp";
                is_webp && file.as_object_mut().is_some_and(|file| file.remove("base64").is_some())
            });
        })),
    fault("repair/drops-webp-pictures", "repair/minimal")
        .that("takes WebP pictures out of prompts: it knows three types of pictures")
        .by(Wrong::Repaired(|_, repaired| {
            change_lines(repaired, |record| {
                without_blocks(record, |block| block["source"]["media_type"] == "image/webp")
            });
        })),
    fault("repair/drops-wrong-sources", "repair/minimal")
        .that("takes out a source that does not hold the call, and looks for no other")
        .by(Wrong::Repaired(|file, repaired| {
            let old = records(file);
            change_lines(repaired, |record| {
                let Some(was) = old.iter().find(|other| is_same(other, record)) else { return false };
                let is_other = was[SOURCE].is_string() && was[SOURCE] != record[SOURCE];
                is_other && record.as_object_mut().is_some_and(|record| record.remove(SOURCE).is_some())
            });
        })),
    fault("repair/keeps-replaced-placeholders", "repair/minimal")
        .that("leaves a placeholder where it is, though the true result is in the file")
        .by(Wrong::Repaired(|file, repaired| {
            let left = records(&repaired.bytes);
            let is_gone = |record: &&Value| !left.iter().any(|other| is_same(other, record));
            let old = records(file);
            for record in old.iter().filter(|record| !results(record, true).is_empty()).filter(is_gone) {
                add_line(&mut repaired.bytes, record.to_string().as_bytes());
            }
        })),
    fault("repair/prefers-placeholders-beside", "repair/minimal")
        .that("keeps the first result of a call of a subagent, though it is a placeholder")
        .by(Wrong::Repaired(|file, repaired| {
            let (old, left) = (records(file), records(&repaired.bytes));
            let is_emptied = |record: &&Value| {
                left.iter().any(|other| is_same(other, record) && other["message"]["content"] == NO_CONTENT)
            };
            let emptied: Vec<&Value> = old.iter().filter(is_emptied).collect();
            let calls: Vec<Value> = emptied.iter().flat_map(|record| results(record, true)).collect();
            change_lines(repaired, |record| {
                if let Some(was) = emptied.iter().find(|other| is_same(other, record)) {
                    return !results(was, true).is_empty() && restore(record, was, "message");
                }
                let is_true_one = results(record, false).iter().any(|call| calls.contains(call));
                if is_true_one {
                    record["message"]["content"] = NO_CONTENT.into();
                }
                is_true_one
            });
        })),
    fault("repair/drops-calls-of-one-id", "repair/minimal")
        .that("drops a call whose id another one has, in the place of giving it another")
        .by(Wrong::Repaired(|file, repaired| {
            let old: Vec<Value> = records(file).iter().flat_map(|record| ids(record, "tool_use", "id")).collect();
            change_lines(repaired, |record| {
                without_blocks(record, |block| block["type"] == "tool_use" && !old.contains(&block["id"]))
            });
        })),
    fault("repair/gives-results-to-the-first-call", "repair/minimal")
        .that("gives the result of calls with one id to the first of them, whichever it names")
        .by(Wrong::Repaired(|file, repaired| {
            let old = records(file);
            change_lines(repaired, |record| {
                let Some(was) = old.iter().find(|other| is_same(other, record)) else { return false };
                let call = was["message"]["content"][0]["tool_use_id"].clone();
                let content = record.get_mut("message").and_then(|message| message.get_mut("content"));
                let block = content.and_then(Value::as_array_mut).and_then(|blocks| blocks.first_mut());
                let Some(block) = block.filter(|block| block["type"] == "tool_result") else { return false };
                let is_other = call.is_string() && block["tool_use_id"] != call;
                if is_other {
                    block["tool_use_id"] = call;
                }
                is_other
            });
        })),
];

const SOURCE: &str = "sourceToolAssistantUUID";

/// Whether two records have one uuid.
pub(super) fn is_same(one: &Value, other: &Value) -> bool {
    one["uuid"].is_string() && one["uuid"] == other["uuid"]
}

/// Gives a record a member of another one; whether that changes it.
fn restore(record: &mut Value, other: &Value, name: &str) -> bool {
    let is_other = other.get(name).is_some() && record[name] != other[name];
    if is_other {
        record[name] = other[name].clone();
    }
    is_other
}

/// What a boundary says that it preserves, in one of two forms.
fn claim<'a>(record: &'a mut Value, form: &str) -> Option<&'a mut Value> {
    record.get_mut("compactMetadata")?.get_mut(form).filter(|claim| claim.is_object())
}

/// Takes blocks out of a record; whether there were any.
fn without_blocks(record: &mut Value, is_gone: impl Fn(&Value) -> bool) -> bool {
    let content = record.get_mut("message").and_then(|message| message.get_mut("content"));
    let Some(content) = content.and_then(Value::as_array_mut) else { return false };
    let count = content.len();
    content.retain(|block| !is_gone(block));
    content.len() < count
}

/// The ids under a member of a record's blocks of a type.
fn ids(record: &Value, type_name: &str, member: &str) -> Vec<Value> {
    let blocks = record["message"]["content"].as_array().into_iter().flatten();
    blocks.filter(|block| block["type"] == type_name).map(|block| block[member].clone()).collect()
}

/// The calls whose results a record has: where they are placeholders, or where they are not.
pub(super) fn results(record: &Value, are_placeholders: bool) -> Vec<Value> {
    let is_placeholder = record.to_string().contains(MISSING_TOOL_RESULT);
    if is_placeholder == are_placeholders { ids(record, "tool_result", "tool_use_id") } else { Vec::new() }
}
