//! Unread faults in what the loop *tells*: of its queue, and to the file.

use std::collections::HashSet;

use turnproof::operation::Value;
use turnproof::operation::{Moment, Played};
use turnproof_rules::json;

use super::super::log::{change_queued, queued};
use super::super::walk::{blocks, blocks_mut, content_mut, is, kind, last_of, remove, text, words};
use super::super::wrong::Wrong;
use super::moments::{everywhere, in_lists};
use super::{Unread, unread};

pub(super) const UNREAD: &[Unread] = &[
    unread(
        "play/unread-last-typed-first",
        "5.4: it joins as ordinary user messages, first in, first out",
        "lets the last of what waits join first",
        Wrong::Log(|moments| {
            let places: Vec<usize> = joins(moments);
            for (&one, &two) in places.iter().zip(places.iter().skip(1)) {
                if two == one + 2 {
                    moments.swap(one, two);
                    moments.swap(one - 1, two - 1);
                }
            }
        }),
    ),
    unread(
        "play/unread-what-waits-is-meta",
        "5.4: each is a message of its own, and it is not meta",
        "marks what waited as meta",
        Wrong::Played(|played| {
            let queued = queued(&played.moments);
            everywhere(played, |message| {
                if queued.contains(text(message, "uuid")) {
                    message["isMeta"] = true.into();
                }
            });
        }),
    ),
    unread(
        "play/unread-pictures-do-not-wait",
        "5.4: with all that was typed, images included",
        "drops the images of what waited",
        Wrong::Played(|played| {
            let queued = queued(&played.moments);
            everywhere(played, |message| {
                if queued.contains(text(message, "uuid")) {
                    blocks_mut(message).into_iter().for_each(|blocks| blocks.retain(|block| kind(block) != "image"));
                }
            });
        }),
    ),
    unread(
        "play/unread-what-waits-is-trimmed",
        "5.4: with all that was typed",
        "trims what waited",
        Wrong::Played(|played| {
            let queued = queued(&played.moments);
            everywhere(played, |message| {
                if queued.contains(text(message, "uuid"))
                    && let Some(Value::String(said)) = content_mut(message)
                {
                    *said = said.trim().into();
                }
            });
        }),
    ),
    unread(
        "play/unread-what-waits-begins-with-a-note",
        "5.4: it joins as ordinary user messages, with all that was typed",
        "puts a note in front of what waited",
        Wrong::Log(|moments| {
            change_queued(moments, |message| {
                if let Some(Value::String(said)) = content_mut(message) {
                    *said = format!("The user sent: {said}").into();
                }
            });
        }),
    ),
    unread(
        "play/unread-waits-for-a-second-request",
        "5.4: it may wait for the request that is due, but not for a second one",
        "sends what waited with the request after the next",
        Wrong::Log(|moments| {
            let queued = queued(moments);
            let mut sent: HashSet<String> = HashSet::new();
            for moment in moments {
                if let Moment::Requested { messages, turns, .. } = moment
                    && let (Some(list), Some(turns)) = (messages.value.as_array_mut(), turns.value.as_array_mut())
                {
                    let is_new = |message: &Value| {
                        queued.contains(text(message, "uuid")) && !sent.contains(text(message, "uuid"))
                    };
                    let new: Vec<Value> = list.iter().filter(|message| is_new(message)).cloned().collect();
                    list.retain(|message| !is_new(message));
                    for said in new.iter().flat_map(words) {
                        if let Some(last) = last_of(turns, "user").and_then(blocks_mut)
                            && last.len() > 1
                        {
                            last.retain(|block| text(block, "text") != said);
                        }
                    }
                    sent.extend(new.iter().map(|message| text(message, "uuid").to_owned()));
                }
            }
        }),
    ),
    unread(
        "play/unread-dequeue-says-what",
        "5.4: dequeue has no content",
        "writes what was taken out of the queue with each dequeue",
        Wrong::WrittenEach(|record| {
            if text(record, "operation") == "dequeue" {
                record["content"] = "next".into();
            }
        }),
    ),
    unread(
        "play/unread-queue-without-a-session",
        "5.4: each has operation, timestamp and sessionId",
        "writes the records of the queue without a session",
        Wrong::WrittenEach(|record| {
            if kind(record) == "queue-operation" {
                remove(record, "sessionId");
            }
        }),
    ),
    unread(
        "play/unread-queue-without-times",
        "5.4: each has operation, timestamp and sessionId",
        "writes the records of the queue without a time",
        Wrong::WrittenEach(|record| {
            if kind(record) == "queue-operation" {
                remove(record, "timestamp");
            }
        }),
    ),
    unread(
        "play/unread-queue-of-words",
        "5.4: enqueue says what was put in, as content: a string or blocks",
        "writes the words alone of what was put into the queue",
        Wrong::WrittenEach(|record| {
            if text(record, "operation") == "enqueue"
                && let Some(parts) = record["content"].as_array()
            {
                let said: Vec<&str> = parts.iter().map(|part| text(part, "text")).collect();
                record["content"] = said.join("").into();
            }
        }),
    ),
    unread(
        "play/unread-queue-is-emptied-at-once",
        "5.4: dequeue says that the first input was taken out; popAll is for what was not sent",
        "writes popAll where it takes inputs out to send them",
        Wrong::WrittenEach(|record| {
            if text(record, "operation") == "dequeue" {
                record["operation"] = "popAll".into();
            }
        }),
    ),
    unread(
        "play/unread-queue-out-of-order",
        "5.4: in the order of what happened",
        "writes two inputs that were put in one after the other in the wrong order",
        Wrong::Written(|records| {
            let is_put = |record: &Value| text(record, "operation") == "enqueue";
            for at in 1..records.len() {
                if is_put(&records[at]) && is_put(&records[at - 1]) {
                    let content = records[at]["content"].take();
                    records[at]["content"] = std::mem::replace(&mut records[at - 1]["content"], content);
                }
            }
        }),
    ),
    unread(
        "play/unread-no-word-of-what-was-replaced",
        "5.6: the message that takes its place names the withdrawn lines that are on disk in supersedesUuids",
        "does not write supersedesUuids",
        Wrong::WrittenEach(|record| remove(record, "supersedesUuids")),
    ),
    unread(
        "play/unread-replaces-one-line",
        "5.6: the message that takes its place names the withdrawn lines that are on disk",
        "names the first withdrawn line alone in supersedesUuids",
        Wrong::WrittenEach(|record| {
            if let Some(list) = record.get_mut("supersedesUuids").and_then(Value::as_array_mut) {
                list.truncate(1);
            }
        }),
    ),
    unread(
        "play/unread-errors-cost-something",
        "3.7.6: a message with the model <synthetic> has a usage in which every number is zero",
        "writes 1 output token for a message that no model made",
        Wrong::WrittenEach(|record| {
            if record.pointer("/message/model") == Some(&json!("<synthetic>")) && record["message"]["usage"].is_object()
            {
                record["message"]["usage"]["output_tokens"] = 1.into();
            }
        }),
    ),
    unread(
        "play/unread-results-of-tools",
        "3.7.1: message.role, where it is there, is the same name as `type`",
        "writes the role tool in the line of a result",
        Wrong::WrittenEach(|record| {
            if kind(record) == "user" && blocks(record).iter().any(|block| kind(block) == "tool_result") {
                record["message"]["role"] = "tool".into();
            }
        }),
    ),
    unread(
        "play/unread-local-times",
        "3.7.2: a date-time of RFC 3339, with a zone",
        "writes times without a zone",
        Wrong::WrittenEach(|record| {
            if let Some(time) = record.get("timestamp").and_then(Value::as_str) {
                record["timestamp"] = time.trim_end_matches('Z').into();
            }
        }),
    ),
    unread(
        "play/unread-a-request-a-line",
        "3.7.5: all lines with one message.id have one requestId",
        "writes a requestId of its own for each line of a reply",
        Wrong::WrittenEach(|record| {
            if let Some(request) = record.get("requestId").and_then(Value::as_str) {
                record["requestId"] = format!("{request}-{}", text(record, "uuid")).into();
            }
        }),
    ),
    unread(
        "play/unread-summary-hangs-on-the-last",
        "3.7.4: the parent of a summary is the boundary of its compaction",
        "chains the summary of a compaction to what came before the boundary",
        Wrong::Written(|records| {
            let boundaries: Vec<(Value, Value)> = records
                .iter()
                .filter(|record| text(record, "subtype") == "compact_boundary")
                .map(|record| (record["uuid"].clone(), record["logicalParentUuid"].clone()))
                .collect();
            for record in records.iter_mut().filter(|record| is(record, "isCompactSummary")) {
                let own = boundaries.iter().find(|(uuid, _)| *uuid == record["parentUuid"]);
                if let Some((_, before)) = own.filter(|(_, before)| before.is_string()) {
                    record["parentUuid"] = before.clone();
                }
            }
        }),
    ),
    unread(
        "play/unread-prompt-is-not-durable",
        "5.6: every user message of a request is in the transcript when the request is sent",
        "sends a request before the last line has reached the disk",
        Wrong::Played(|played| {
            for moment in &mut played.moments {
                if let Moment::Requested { transcript, .. } = moment {
                    let end = transcript.len().saturating_sub(1);
                    let line = transcript[..end].iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
                    transcript.truncate(line);
                }
            }
        }),
    ),
    unread(
        "play/unread-two-uuids",
        "5.6: every user message of a request is in the transcript",
        "sends messages of a compaction's list under other uuids than those on disk",
        Wrong::Played(rename_compacted),
    ),
];

/// Where queued inputs join: each right behind its message.
fn joins(moments: &[Moment]) -> Vec<usize> {
    let queued = queued(moments);
    let is_join = |at: &usize| {
        matches!(&moments[*at], Moment::Joined { uuid, .. } if queued.contains(uuid))
            && *at > 0
            && matches!(&moments[*at - 1], Moment::Yielded(_))
    };
    (0..moments.len()).filter(is_join).collect()
}

fn rename_compacted(played: &mut Played) {
    let mut renamed: HashSet<String> = HashSet::new();
    for moment in &played.moments {
        if let Moment::Compacted(list) = moment {
            let summaries = list.elements().iter().filter(|message| is(message, "isCompactSummary"));
            renamed.extend(summaries.map(|message| text(message, "uuid").to_owned()));
        }
    }
    in_lists(played, |list| {
        for message in list.iter_mut().filter(|message| renamed.contains(text(message, "uuid"))) {
            message["uuid"] = text(message, "uuid").chars().rev().collect::<String>().into();
        }
    });
}
