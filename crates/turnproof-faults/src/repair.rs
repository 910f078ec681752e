//! Faults in *repairing* a damaged transcript: what tools do that guess, and what a right one forgets in a hurry.

use turnproof_reference::message::constants::{MISSING_TOOL_RESULT, NO_CONTENT};
use turnproof_reference::transcript::Transcript;
use turnproof_rules::operation::{RemovedPiece, RepairedFile, Value};
use turnproof_suite::subject::{Outcome, Subject};

use super::memoized_reference::MemoizedReference;
use super::stable::is_second_time;
use super::{Fault, Wrong, fault};

pub(super) const FAULTS: &[Fault] = &[
    fault("repair/stops-at-a-torn-line", "repair/total")
        .that("reads each line as JSON, and ends with an error at the first one that is none")
        .seen_in("claude-code-tools 1.30.2, fix-session")
        .by(Wrong::Repair(|file| match Transcript::from_bytes(file.to_vec()).rejected().is_empty() {
            true => MemoizedReference.repair(file),
            false => Outcome::Rejected("Expecting value: line 1 column 1 (char 0)".to_owned()),
        })),
    fault("repair/fails-at-an-open-call", "repair/total")
        .that("ends with an error where a call has no result")
        .seen_in("claude-repair 0.1.0")
        .by(Wrong::Repair(|file| {
            let outcome = MemoizedReference.repair(file);
            let is_of_calls = |rule: &str| rule == "tool/call-answered";
            match &outcome {
                Outcome::Output(repaired) if rules(repaired).any(is_of_calls) => {
                    Outcome::Rejected("TypeError: tuple indices must be integers or slices, not str".to_owned())
                }
                _ => outcome,
            }
        })),
    fault("repair/leaves-torn-lines", "repair/clean")
        .that("repairs links and calls, and leaves what is no record where it is")
        .by(Wrong::Repaired(|file, repaired| {
            let transcript = Transcript::from_bytes(file.to_vec());
            let torn = transcript.rejected().iter().map(|&(start, end, _)| &file[start as usize..end as usize]);
            let torn: Vec<&[u8]> = torn.filter(|bytes| !bytes.contains(&0)).collect();
            torn.into_iter().for_each(|line| add_line(&mut repaired.bytes, line));
        })),
    fault("repair/leaves-two-records-on-a-line", "repair/clean")
        .that("joins the last two lines again after it has repaired them")
        .by(Wrong::Repaired(|file, repaired| {
            let is_glued = rules(repaired).any(|rule| rule == "wire/one-record-per-line");
            let ends: Vec<usize> = (0..repaired.bytes.len()).filter(|&at| repaired.bytes[at] == b'\n').collect();
            if let (true, Some(&first)) = (is_glued && *file != *repaired.bytes, ends.first()) {
                repaired.bytes.remove(first);
            }
        })),
    fault("repair/links-to-nobody", "repair/clean")
        .that("gives a message whose parent is lost a new parent that is lost too")
        .by(Wrong::Repaired(|_, repaired| {
            change_records(repaired, "chain/parent-exists", |record| {
                record["parentUuid"] = "00000000-0000-4000-8000-0000000000ff".into();
            });
        })),
    fault("repair/leaves-calls-open", "repair/legal")
        .that("takes placeholders out again: a call without a result stays as it is")
        .seen_in("claude-code-tools 1.30.2, claude-rescue 0.2.1")
        .by(Wrong::Repaired(|_, repaired| {
            without_records(repaired, |record| record.to_string().contains(MISSING_TOOL_RESULT));
        })),
    fault("repair/keeps-blank-texts", "repair/legal").that("does not look at blocks that no request may carry").by(
        Wrong::Repair(|file| {
            let Outcome::Output(repaired) = MemoizedReference.repair(file) else {
                return MemoizedReference.repair(file);
            };
            let is_of_blocks = |rule: &str| rule.starts_with("api/") || rule == "thinking/signed";
            let is_of_blocks_alone = rules(&repaired).all(is_of_blocks);
            Outcome::Output(if is_of_blocks_alone { untouched(file) } else { repaired })
        }),
    ),
    fault("repair/cuts-at-the-gap", "repair/resumes")
        .that("takes a message whose parent is lost for the first of the conversation")
        .seen_in("claude-rescue 0.2.1")
        .by(Wrong::Repaired(|_, repaired| {
            change_records(repaired, "chain/parent-exists", |record| record["parentUuid"] = Value::Null);
        })),
    fault("repair/keeps-the-last-chain-alone", "repair/resumes")
        .that("removes the first message, and lets what hung on it begin the conversation")
        .seen_in("claude-rescue 0.2.1")
        .by(Wrong::Repaired(|file, repaired| {
            if *file == *repaired.bytes {
                return;
            }
            let mut records = records(&repaired.bytes);
            let Some(first) = records.iter().position(|record| record["type"] == "user") else { return };
            let gone = records.remove(first);
            for record in records.iter_mut().filter(|record| record["parentUuid"] == gone["uuid"]) {
                record["parentUuid"] = Value::Null;
            }
            repaired.bytes = written(&records);
        })),
    fault("repair/forgets-what-it-removed", "repair/conserves")
        .that("removes torn lines, and does not keep them")
        .seen_in("claude-rescue 0.2.1")
        .by(Wrong::Repaired(|_, repaired| repaired.removed.iter_mut().for_each(Vec::clear))),
    fault("repair/keeps-the-beginning-of-what-it-removed", "repair/conserves")
        .that("keeps 40 bytes of each removed piece")
        .by(Wrong::Repaired(|_, repaired| {
            repaired.removed.iter_mut().flatten().for_each(|piece| piece.bytes.truncate(40));
        })),
    fault("repair/drops-side-records", "repair/conserves").that("writes messages alone, once it changes a file").by(
        Wrong::Repaired(|file, repaired| {
            if *file != *repaired.bytes {
                without_records(repaired, |record| record.get("uuid").is_none());
            }
        }),
    ),
    fault("repair/drops-doubled-messages-in-silence", "repair/conserves")
        .that("gives the file alone, without each second message")
        .by(Wrong::Repaired(|file, repaired| {
            (repaired.changes, repaired.removed) = (None, None);
            if *file != *repaired.bytes {
                let mut count = 0;
                without_records(repaired, |_| {
                    count += 1;
                    count % 2 == 0
                });
            }
        })),
    fault("repair/writes-each-line-anew", "repair/minimal")
        .that("reads all records and writes them in its own JSON text, also where nothing is wrong")
        .seen_in("claude-code-tools 1.30.2, fix-session")
        .by(Wrong::Repaired(|_, repaired| repaired.bytes = written(&records(&repaired.bytes)))),
    fault("repair/ends-the-last-line", "repair/minimal")
        .that("writes a line end behind a whole last record that has none")
        .by(Wrong::Repaired(|_, repaired| {
            if !repaired.bytes.is_empty() && !repaired.bytes.ends_with(b"\n") {
                repaired.bytes.push(b'\n');
            }
        })),
    fault("repair/names-one-rule-for-all", "repair/minimal").that("names the same rule for whatever it changes").by(
        Wrong::Repaired(|_, repaired| {
            repaired.changes.iter_mut().flatten().for_each(|change| change.rule = "wire/no-nul".to_owned());
        }),
    ),
    fault("repair/says-nothing-of-links", "repair/minimal")
        .that("links messages again, and names no change of a link")
        .by(Wrong::Repaired(|_, repaired| {
            repaired.changes.iter_mut().for_each(|changes| changes.retain(|change| !change.rule.starts_with("chain/")));
        })),
    fault("repair/placeholders-of-success", "repair/minimal")
        .that("writes a placeholder as the result of a call that did not fail")
        .by(Wrong::Repaired(|file, repaired| {
            let old: Vec<&[u8]> = file.split(|&byte| byte == b'\n').collect();
            let of_success = |line: &[u8]| {
                let text = String::from_utf8_lossy(line);
                match text.contains(MISSING_TOOL_RESULT) && !old.contains(&line) {
                    true => text.replace(r#""is_error":true"#, r#""is_error":false"#).into_bytes(),
                    false => line.to_vec(),
                }
            };
            let lines: Vec<Vec<u8>> = repaired.bytes.split(|&byte| byte == b'\n').map(of_success).collect();
            repaired.bytes = lines.join(&b'\n');
        })),
    fault("repair/drops-server-tools", "repair/minimal")
        .that("drops calls of server tools and their results in what it repairs, and gives the file alone")
        .by(Wrong::Repaired(|file, repaired| {
            if *file == *repaired.bytes {
                return;
            }
            (repaired.changes, repaired.removed) = (None, None);
            change_lines(repaired, |record| {
                let content = record.get_mut("message").and_then(|message| message.get_mut("content"));
                let Some(content) = content.and_then(Value::as_array_mut) else { return false };
                let count = content.len();
                content.retain(|block| {
                    let is_of_server = |kind: &str| kind == "server_tool_use" || kind.starts_with("web_");
                    !block["type"].as_str().is_some_and(is_of_server)
                });
                content.len() < count
            });
        })),
    fault("repair/moves-a-result-without-its-output", "repair/minimal")
        .that("gives a result that it moves a record of its own, and not what the tool gave")
        .by(Wrong::Repaired(|file, repaired| {
            let old = uuids(file);
            change_lines(repaired, |record| {
                let is_result = |output: &Value| !output.to_string().contains(MISSING_TOOL_RESULT);
                let is_moved = !old.contains(&record["uuid"]) && record.get("toolUseResult").is_some_and(is_result);
                if is_moved {
                    record["toolUseResult"] = "".into();
                }
                is_moved
            });
        })),
    fault("repair/gives-a-new-uuid-always", "repair/minimal")
        .that("gives a message without a uuid a new one, and lets the next message name that")
        .by(Wrong::Repaired(|file, repaired| {
            let of_uuids = repaired.changes.iter().flatten().filter(|change| change.rule == "message/has-uuid");
            let given: Vec<Vec<u8>> = of_uuids.map(|change| change.after.clone()).collect();
            let text = String::from_utf8_lossy(file);
            for (number, uuid) in given.iter().map(|uuid| String::from_utf8_lossy(uuid)).enumerate() {
                if uuid.len() > 2 && text.contains(&*uuid) {
                    let new = format!("\"aaaaaaaa-0000-4000-8000-0000000000{number:02}\"");
                    repaired.bytes = String::from_utf8_lossy(&repaired.bytes).replace(&*uuid, &new).into_bytes();
                    (repaired.changes, repaired.removed) = (None, None);
                }
            }
        })),
    fault("repair/lets-a-boundary-follow-itself", "repair/minimal")
        .that("lets a boundary that does not say what it followed name itself")
        .by(Wrong::Repaired(|file, repaired| {
            let is_mute =
                |record: &Value| record["subtype"] == "compact_boundary" && record.get("logicalParentUuid").is_none();
            let mute: Vec<Value> = records(file).into_iter().filter(is_mute).map(|one| one["uuid"].clone()).collect();
            change_lines(repaired, |record| {
                let is_of_them = record["uuid"].is_string() && mute.contains(&record["uuid"]);
                if is_of_them {
                    record["logicalParentUuid"] = record["uuid"].clone();
                }
                is_of_them
            });
        })),
    fault("repair/types-the-first-message", "repair/minimal")
        .that("puts a message in front of a conversation that seems to be typed")
        .by(Wrong::Repaired(|file, repaired| {
            let old = uuids(file);
            change_lines(repaired, |record| {
                let is_added = !old.contains(&record["uuid"]) && record["message"]["content"] == NO_CONTENT;
                if is_added {
                    record["isMeta"] = false.into();
                }
                is_added
            });
        })),
    fault("repair/stamps-placeholders-with-the-time-of-the-repair", "repair/minimal")
        .that("writes its own time into a placeholder, and not the time of the call")
        .by(Wrong::Repaired(|file, repaired| {
            let old = uuids(file);
            change_lines(repaired, |record| {
                let is_added = !old.contains(&record["uuid"]) && record.to_string().contains(MISSING_TOOL_RESULT);
                if is_added {
                    record["timestamp"] = "2031-01-01T00:00:00.000Z".into();
                }
                is_added
            });
        })),
    fault("repair/marks-what-it-repaired", "repair/idempotent")
        .that("adds a record about the repair to what it repairs, and to what has such a record")
        .by(Wrong::Repaired(|_, repaired| {
            let line = br#"{"type":"repair-note"}"#;
            let is_marked = repaired.bytes.windows(line.len()).any(|bytes| bytes == line);
            if is_marked || repaired.changes.iter().flatten().next().is_some() {
                add_line(&mut repaired.bytes, line);
            }
        })),
    fault("repair/adds-an-empty-line-each-time", "repair/idempotent")
        .that("adds an empty line to what it repairs, and to what ends with one")
        .by(Wrong::Repaired(|file, repaired| {
            if *file != *repaired.bytes || repaired.bytes.ends_with(b"\n\n") {
                repaired.bytes.extend(b"\n\n");
            }
        })),
    fault("repair/follows-the-order-of-a-map", "repair/deterministic")
        .that("writes what it has in a map, and each time in another order")
        .by(Wrong::Repaired(|file, repaired| {
            let mut records = records(&repaired.bytes);
            let count = records.len();
            if *file != *repaired.bytes && count > 1 && is_second_time() {
                records.swap(count - 2, count - 1);
                repaired.bytes = written(&records);
            }
        })),
];

/// The rules for which something was changed or removed.
fn rules(repaired: &RepairedFile) -> impl Iterator<Item = &str> {
    let changes = repaired.changes.iter().flatten().map(|change| change.rule.as_str());
    let removed = repaired.removed.iter().flatten().filter_map(|piece: &RemovedPiece| piece.rule.as_deref());
    changes.chain(removed)
}

/// A file of which a tool says that there is nothing to do.
fn untouched(file: &[u8]) -> RepairedFile {
    RepairedFile { bytes: file.to_vec(), changes: Some(Vec::new()), removed: Some(Vec::new()) }
}

pub(super) fn add_line(bytes: &mut Vec<u8>, line: &[u8]) {
    if !bytes.is_empty() && !bytes.ends_with(b"\n") {
        bytes.push(b'\n');
    }
    bytes.extend(line);
    bytes.push(b'\n');
}

pub(super) fn records(bytes: &[u8]) -> Vec<Value> {
    let lines = bytes.split(|&byte| byte == b'\n').filter_map(|line| std::str::from_utf8(line).ok());
    lines
        .filter_map(|line| turnproof_rules::operation::Plain::read(line).ok())
        .map(|plain| plain.into_value())
        .collect()
}

fn written(records: &[Value]) -> Vec<u8> {
    records.iter().map(|record| format!("{record}\n")).collect::<String>().into_bytes()
}

fn uuids(file: &[u8]) -> Vec<Value> {
    records(file).into_iter().map(|record| record["uuid"].clone()).collect()
}

/// Writes again the lines whose record this changes, and no others.
pub(super) fn change_lines(repaired: &mut RepairedFile, change: impl Fn(&mut Value) -> bool) {
    let changed = |line: &[u8]| {
        let mut record = records(line).pop()?;
        change(&mut record).then(|| record.to_string().into_bytes())
    };
    let lines = repaired.bytes.split(|&byte| byte == b'\n');
    let lines: Vec<Vec<u8>> = lines.map(|line| changed(line).unwrap_or_else(|| line.to_vec())).collect();
    repaired.bytes = lines.join(&b'\n');
}

/// Changes the records for which a rule asked, by what their change says that their parent is now.
fn change_records(repaired: &mut RepairedFile, rule: &str, change: impl Fn(&mut Value)) {
    let of_rule = repaired.changes.iter_mut().flatten().filter(|change| change.rule == rule);
    let parents: Vec<Vec<u8>> = of_rule.map(|change| change.after.clone()).filter(|after| after != b"null").collect();
    if parents.is_empty() {
        return;
    }
    let mut records = records(&repaired.bytes);
    for parent in parents {
        let named = |record: &&mut Value| record["parentUuid"].to_string().as_bytes() == parent;
        records.iter_mut().rev().find(named).into_iter().for_each(&change);
    }
    repaired.bytes = written(&records);
}

/// Leaves out records, and gives their children their parents.
fn without_records(repaired: &mut RepairedFile, mut is_gone: impl FnMut(&Value) -> bool) {
    let (gone, mut left): (Vec<Value>, Vec<Value>) =
        records(&repaired.bytes).into_iter().partition(|record| is_gone(record));
    if gone.is_empty() {
        return;
    }
    for gone in gone.iter().rev() {
        for record in left.iter_mut().filter(|record| record["parentUuid"] == gone["uuid"] && gone["uuid"].is_string())
        {
            record["parentUuid"] = gone["parentUuid"].clone();
        }
    }
    repaired.bytes = written(&left);
}
