//! Faults in what a repair should only *copy*: words, members, side records and results that no rule objects to. All give
//! the file alone, so that nobody is asked which rule wants a change.

use turnproof_reference::message::constants::{MISSING_TOOL_RESULT, NO_CONTENT};
use turnproof_rules::json;
use turnproof_rules::operation::{RemovedPiece, RepairedFile, Value};

use super::repair::{add_line, change_lines, records};
use super::repair_chosen::{is_same, results};
use super::walk::blocks_mut;
use super::{Fault, Wrong, fault};

pub(super) const FAULTS: &[Fault] = &[
    fault("repair/joins-texts", "repair/minimal").that("joins the texts of a message that it writes again").by(
        Wrong::Repaired(|file, repaired| {
            change_repaired(file, repaired, |record| {
                let Some(blocks) = blocks_mut(record) else { return false };
                let is_text = |block: &Value| block["type"] == "text" && block["text"].is_string();
                let Some(at) = blocks.windows(2).position(|pair| pair.iter().all(is_text)) else { return false };
                let next = blocks.remove(at + 1);
                let joined = [&blocks[at], &next].map(|block| block["text"].as_str().unwrap_or_default()).join("\n\n");
                blocks[at]["text"] = joined.into();
                true
            });
        }),
    ),
    fault("repair/empties-notices", "repair/minimal")
        .that("writes `(no content)` into notices, for it looks for their words in a message")
        .by(Wrong::Repaired(|file, repaired| {
            change_repaired(file, repaired, |record| {
                let is_notice = record["type"] == "system" && record["content"].is_string();
                is_notice && set(record, "content", NO_CONTENT.into())
            });
        })),
    fault("repair/empties-prompts-that-waited", "repair/minimal")
        .that("takes all blocks out of an attachment, and not only those that no request may carry")
        .by(Wrong::Repaired(|file, repaired| {
            change_repaired(file, repaired, |record| {
                let prompt = record.get_mut("attachment").and_then(|attachment| attachment.get_mut("prompt"));
                let blocks = prompt.and_then(Value::as_array_mut).filter(|blocks| !blocks.is_empty());
                blocks.map(Vec::clear).is_some()
            });
        })),
    fault("repair/stamps-its-version", "repair/minimal").that("writes its own version into all that it writes").by(
        Wrong::Repaired(|file, repaired| {
            change_repaired(file, repaired, |record| {
                record["version"].is_string() && set(record, "version", "0.1.0".into())
            });
        }),
    ),
    fault("repair/marks-messages", "repair/minimal").that("marks each message of a file that it repaired").by(
        Wrong::Repaired(|file, repaired| {
            change_repaired(file, repaired, |record| {
                record["message"].is_object() && set(record, "isRepaired", true.into())
            });
        }),
    ),
    fault("repair/keeps-role-and-content-alone", "repair/minimal")
        .that("writes a reply as a request has it: its id, its model and its usage are gone")
        .by(Wrong::Repaired(|file, repaired| {
            change_repaired(file, repaired, |record| {
                let is_reply = record["type"] == "assistant";
                let message = record.get_mut("message").filter(|_| is_reply);
                let Some(message) = message.and_then(Value::as_object_mut) else { return false };
                ["id", "model", "usage"].into_iter().filter(|name| message.remove(name).is_some()).count() > 0
            });
        })),
    fault("repair/drops-titles", "repair/minimal").that("writes what has a uuid, once it changes a file").by(
        Wrong::Repaired(|file, repaired| {
            keep_lines(file, repaired, |record| record.get("uuid").is_some());
        }),
    ),
    fault("repair/drops-subagents", "repair/minimal")
        .that("writes the main conversation alone, and says what it left out")
        .by(Wrong::Repaired(|file, repaired| {
            let gone = keep_lines(file, repaired, |record| record["isSidechain"] != true);
            let piece = |bytes| RemovedPiece { line: 1, rule: None, reason: "a subagent".to_owned(), bytes };
            repaired.removed = Some(gone.into_iter().map(piece).collect());
        })),
    fault("repair/turns-added-records", "repair/minimal")
        .that("writes what it adds behind a reply from the last to the first")
        .by(Wrong::Repaired(|file, repaired| {
            let old = records(file);
            let is_added =
                |record: &Value| record["uuid"].is_string() && !old.iter().any(|other| is_same(other, record));
            turn_lines(repaired, |[first, next]| {
                [first, next].iter().all(|record| is_added(record)) && next["parentUuid"] == first["uuid"]
            });
        })),
    fault("repair/leaves-true-results-behind", "repair/minimal")
        .that("removes a placeholder, and leaves the true result where it is")
        .by(Wrong::Repaired(|file, repaired| {
            let old = records(file);
            let place = |record: &Value| old.iter().position(|other| is_same(other, record));
            turn_lines(repaired, |[first, next]| {
                let is_moved = place(first).zip(place(next)).is_some_and(|(first, next)| first > next);
                is_moved && !results(first, false).is_empty() && next["parentUuid"] == first["uuid"]
            });
        })),
    fault("repair/leaves-emptied-messages-beside", "repair/minimal")
        .that("takes a second result out of its message, and leaves that beside the conversation")
        .by(Wrong::Repaired(|file, repaired| {
            let (old, new) = (records(file), records(&repaired.bytes));
            let is_named = |was: &Value| old.iter().any(|other| other["parentUuid"] == was["uuid"]);
            let emptied = new.iter().find_map(|now| {
                let was = old.iter().find(|other| is_same(other, now)).filter(|was| !is_named(was))?;
                let is_emptied = !results(was, false).is_empty() && results(now, false).is_empty();
                (is_emptied && was["parentUuid"].is_string() && now["parentUuid"].is_string()).then_some((was, now))
            });
            let Some((was, now)) = emptied else { return };
            change_repaired(file, repaired, |record| {
                let is_behind = record["parentUuid"] == was["uuid"];
                match is_same(record, was) {
                    true => set(record, "parentUuid", was["parentUuid"].clone()),
                    false => is_behind && set(record, "parentUuid", now["parentUuid"].clone()),
                }
            });
        })),
    fault("repair/takes-claims-out", "repair/minimal")
        .that("takes what a boundary says that it preserves out of a file that it repairs")
        .by(Wrong::Repaired(|file, repaired| {
            let has_results = records(file).iter().any(|record| record.to_string().contains("tool_result"));
            change_repaired(file, repaired, |record| {
                // Where results are, what comes back has others too.
                let is_boundary = record["subtype"] == "compact_boundary" && !has_results;
                let metadata = record.get_mut("compactMetadata").filter(|_| is_boundary);
                metadata
                    .and_then(Value::as_object_mut)
                    .is_some_and(|metadata| metadata.remove("preservedSegment").is_some())
            });
        })),
    fault("repair/drops-empty-lists", "repair/minimal")
        .that("writes a result as a request has it, without a content that is an empty list")
        .by(Wrong::Repaired(|file, repaired| {
            change_repaired(file, repaired, |record| {
                let empty = |block: &&mut Value| block["content"].as_array().is_some_and(Vec::is_empty);
                let mut results = blocks_mut(record).into_iter().flatten().filter(empty);
                results.next().and_then(Value::as_object_mut).is_some_and(|result| result.remove("content").is_some())
            });
        })),
    fault("repair/writes-no-last-line-end", "repair/minimal")
        .that("joins lines with LF, and ends with the last one")
        .by(Wrong::Repaired(|file, repaired| {
            if *file != *repaired.bytes && repaired.bytes.ends_with(b"\n") {
                repaired.bytes.pop();
                (repaired.changes, repaired.removed) = (None, None);
            }
        })),
    fault("repair/empties-copies", "repair/minimal")
        .that("keeps the last of several records with one uuid, without its words")
        .by(Wrong::Repaired(|file, repaired| {
            let old = records(file);
            change_repaired(file, repaired, |record| {
                let is_copied = old.iter().filter(|other| is_same(other, record)).count() > 1;
                let is_emptied = is_copied && record["message"]["content"].is_string();
                is_emptied && set(&mut record["message"], "content", NO_CONTENT.into())
            });
        })),
    fault("repair/empties-replaced-placeholders", "repair/minimal")
        .that("takes a placeholder out of its message, and leaves that where it is")
        .by(Wrong::Repaired(|file, repaired| {
            let left = records(&repaired.bytes);
            let is_gone = |record: &Value| !left.iter().any(|other| is_same(other, record));
            let old = records(file).into_iter().filter(|record| !results(record, true).is_empty());
            for mut record in old.filter(is_gone) {
                record["message"]["content"] = NO_CONTENT.into();
                add_line(&mut repaired.bytes, record.to_string().as_bytes());
                (repaired.changes, repaired.removed) = (None, None);
            }
        })),
    fault("repair/forgets-results", "repair/minimal")
        .that("writes the placeholder for each result of a file that it repairs")
        .by(Wrong::Repaired(|file, repaired| {
            change_repaired(file, repaired, |record| {
                let Some(blocks) = blocks_mut(record) else { return false };
                let true_ones = blocks.iter_mut().filter(|block| block["type"] == "tool_result");
                true_ones.fold(false, |_, block| {
                    block["content"] = MISSING_TOOL_RESULT.into();
                    block["is_error"] = true.into();
                    true
                })
            });
        })),
    fault("repair/puts-placeholders-into-the-next-message", "repair/minimal")
        .that("adds no record for a placeholder: it puts it in front of what follows the reply")
        .by(Wrong::Repaired(|file, repaired| {
            let (old, left) = (records(file), records(&repaired.bytes));
            let is_new = |record: &&Value| !old.iter().any(|other| is_same(other, record));
            let added: Vec<&Value> = left.iter().filter(is_new).filter(|one| !results(one, true).is_empty()).collect();
            change_repaired(file, repaired, |record| {
                let is_parent = |added: &&&Value| record["parentUuid"] == added["uuid"] && record["type"] == "user";
                let Some(parent) = added.iter().find(is_parent) else { return false };
                let own = &record["message"]["content"];
                let own = match (own.as_array(), own.as_str()) {
                    (Some(blocks), _) => blocks.clone(),
                    (_, Some(text)) => vec![json!({"type": "text", "text": text})],
                    _ => return false,
                };
                let placeholders = parent["message"]["content"].as_array().cloned().unwrap_or_default();
                record["message"]["content"] = [placeholders, own].concat().into();
                record["parentUuid"] = parent["parentUuid"].clone();
                true
            });
            let left = records(&repaired.bytes);
            let is_followed = |one: &Value| left.iter().any(|other| other["parentUuid"] == one["uuid"]);
            let needless: Vec<Value> =
                added.iter().filter(|one| !is_followed(one)).map(|one| one["uuid"].clone()).collect();
            keep_lines(file, repaired, |record| !needless.contains(&record["uuid"]));
        })),
    fault("repair/adds-results-without-output", "repair/minimal")
        .that("adds a record for a result, and no raw output")
        .by(Wrong::Repaired(|file, repaired| {
            let old = records(file);
            change_repaired(file, repaired, |record| {
                let is_new = !old.iter().any(|other| is_same(other, record));
                is_new && record.as_object_mut().is_some_and(|record| record.remove("toolUseResult").is_some())
            });
        })),
    fault("repair/empties-preserved-lists", "repair/minimal").that("lets a boundary preserve an empty list").by(
        Wrong::Repaired(|file, repaired| {
            change_repaired(file, repaired, |record| {
                let messages = preserved_messages(record).filter(|messages| messages["uuids"].is_array());
                messages.map(|messages| messages["uuids"] = Vec::<Value>::new().into()).is_some()
            });
        }),
    ),
    fault("repair/anchors-at-the-first-record", "repair/minimal")
        .that("lets what a boundary preserves follow the first message of the file")
        .by(Wrong::Repaired(|file, repaired| {
            let named = |record: &Value| Some(record["uuid"].clone()).filter(Value::is_string);
            let Some(first) = records(&repaired.bytes).iter().find_map(named) else { return };
            change_repaired(file, repaired, |record| {
                preserved_messages(record).map(|messages| messages["anchorUuid"] = first.clone()).is_some()
            });
        })),
];

/// Sets a member, and says so.
fn set(object: &mut Value, name: &str, value: Value) -> bool {
    object[name] = value;
    true
}

/// The list of what a boundary preserves.
fn preserved_messages(record: &mut Value) -> Option<&mut Value> {
    let is_boundary = record["subtype"] == "compact_boundary";
    let metadata = record.get_mut("compactMetadata").filter(|_| is_boundary)?;
    metadata.get_mut("preservedMessages").filter(|messages| messages.is_object())
}

/// Changes records of a file that was repaired, and says nothing of it.
fn change_repaired(file: &[u8], repaired: &mut RepairedFile, change: impl Fn(&mut Value) -> bool) {
    if *file != *repaired.bytes {
        change_lines(repaired, change);
        (repaired.changes, repaired.removed) = (None, None);
    }
}

/// Leaves out lines of a file that was repaired, and says nothing of it; gives what they held.
fn keep_lines(file: &[u8], repaired: &mut RepairedFile, stays: impl Fn(&Value) -> bool) -> Vec<Vec<u8>> {
    if *file == *repaired.bytes {
        return Vec::new();
    }
    let lines = repaired.bytes.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::to_vec);
    let (left, gone): (Vec<_>, Vec<_>) = lines.partition(|line| records(line).iter().all(&stays));
    repaired.bytes = left.concat();
    (repaired.changes, repaired.removed) = (None, None);
    gone
}

/// Changes the places of the first two lines beside each other for which this holds, and says nothing of it.
fn turn_lines(repaired: &mut RepairedFile, are_turned: impl Fn([&Value; 2]) -> bool) {
    let mut lines: Vec<Vec<u8>> = repaired.bytes.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
    let records: Vec<Value> = lines.iter().map(|line| records(line).pop().unwrap_or_default()).collect();
    let place = records.windows(2).position(|pair| matches!(pair, [first, next] if are_turned([first, next])));
    if let Some(place) = place.filter(|place| lines[place + 1].ends_with(b"\n")) {
        lines.swap(place, place + 1);
        repaired.bytes = lines.concat();
        (repaired.changes, repaired.removed) = (None, None);
    }
}
