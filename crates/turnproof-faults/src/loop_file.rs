//! Faults in what a loop *yields* and in what its file holds.

use std::collections::HashMap;

use turnproof_reference::message::constants::{
    GUIDANCE, INTERRUPTION, INTERRUPTION_FOR_TOOL_USE, REJECT, REJECT_WITH_REASON_PREFIX,
};
use turnproof_rules::json;
use turnproof_rules::operation::{Moment, Played, Value};

use super::log::{change_messages, change_results, queued, result_id, yielded};
use super::walk::{blocks, blocks_mut, is, is_of, kind, remove, text, turn, words};
use super::{Fault, Wrong, fault};

pub(super) const FAULTS: &[Fault] = &[
    fault("play/writes-stream-events", "engine/sound-lines")
        .that("writes what starts a request into the transcript")
        .by(Wrong::Played(|played| {
            each_file(played, |records| records.push(json!({"type": "stream_request_start"})));
        })),
    fault("play/writes-without-line-ends", "engine/sound-lines").that("ends only every second line").by(Wrong::Played(
        |played| {
            let mut ends = 0;
            played.transcript.retain(|&byte| {
                ends += usize::from(byte == b'\n');
                byte != b'\n' || ends % 2 == 0
            });
        },
    )),
    fault("play/writes-a-key-twice", "engine/sound-lines")
        .that("writes the type of a message of the user a second time")
        .by(Wrong::Played(|played| {
            const TYPE: &[u8] = br#""type":"user","#;
            if let Some(at) = played.transcript.windows(TYPE.len()).position(|bytes| bytes == TYPE) {
                played.transcript.splice(at..at, TYPE.iter().copied());
            }
        })),
    fault("play/writes-lines-twice", "engine/sound-chain")
        .that("writes its whole list again when the conversation ends")
        .by(Wrong::Played(|played| each_file(played, |records| records.extend_from_within(..)))),
    fault("play/writes-null-parents", "engine/sound-chain").that("writes each message as if it were the first").by(
        Wrong::WrittenEach(|record| {
            if record.get("parentUuid").is_some() {
                record["parentUuid"] = Value::Null;
            }
        }),
    ),
    fault("play/writes-phantom-parents", "engine/sound-chain")
        .that("links prompts to messages that are never written")
        .by(Wrong::WrittenEach(|record| {
            if is_of(record, "user") && record["parentUuid"].is_string() {
                record["parentUuid"] = json!("ffffffff-0000-4000-8000-000000000000");
            }
        })),
    fault("play/writes-results-without-output", "engine/sound-calls")
        .that("writes results without what people see of them")
        .by(Wrong::WrittenEach(|record| remove(record, "toolUseResult"))),
    fault("play/writes-the-first-line-as-source", "engine/sound-calls")
        .that("names the first line of the file as the source of each result")
        .by(Wrong::Written(|records| {
            let first = records.first().map(|record| record["uuid"].clone()).unwrap_or_default();
            for record in records.iter_mut().filter(|record| record.get("sourceToolAssistantUUID").is_some()) {
                record["sourceToolAssistantUUID"] = first.clone();
            }
        })),
    fault("play/writes-progress", "engine/file-as-yielded").that("writes live output into the transcript").by(
        Wrong::Played(|played| {
            let shown: Vec<Value> =
                played.moments.iter().filter_map(yielded).filter(|it| is_of(it, "progress")).cloned().collect();
            each_file(played, |records| records.extend_from_slice(&shown));
        }),
    ),
    fault("play/writes-no-replies", "engine/file-as-yielded")
        .that("writes what users say, and not what the model says")
        .by(Wrong::Played(|played| {
            each_file(played, |records| records.retain(|record| !is_of(record, "assistant")));
        })),
    fault("play/writes-meta-as-typed", "engine/file-as-yielded")
        .that("writes messages for the model alone as if somebody had typed them")
        .by(Wrong::WrittenEach(|record| remove(record, "isMeta"))),
    fault("play/names-no-withdrawn-lines", "engine/no-withdrawn-survivor")
        .that("withdraws replies in memory alone: no record names the lines that are on disk")
        .seen_in("anthropics/claude-code#20508")
        .by(Wrong::WrittenEach(|record| {
            remove(record, "supersedesUuids");
            remove(record, "retractedMessageUuids");
        })),
    fault("play/writes-what-was-never-shown", "engine/file-as-yielded")
        .that("adds a note of its own to the transcript, which nobody sees")
        .by(Wrong::Played(|played| {
            each_file(played, |records| {
                let last = records.iter().rev().find_map(|record| record.get("uuid")).cloned().unwrap_or_default();
                records.push(json!({"type": "system", "subtype": "informational", "level": "info", "content": "saved",
                    "uuid": "eeeeeeee-0000-4000-8000-000000000000", "timestamp": "2026-01-05T09:00:00.000Z",
                    "parentUuid": last}));
            });
        })),
    fault("play/writes-lines-too-early", "engine/late-fields")
        .that("writes each line of a reply before it is known why the reply stopped")
        .by(Wrong::WrittenEach(|record| {
            if is_of(record, "assistant") && !is(record, "isApiErrorMessage") {
                record["message"]["stop_reason"] = Value::Null;
                record["message"]["usage"]["output_tokens"] = json!(1);
            }
        })),
    fault("play/forgets-late-fields", "engine/late-fields")
        .that("does not say why a reply stopped and what it cost")
        .by(Wrong::Log(|moments| moments.retain(|moment| !matches!(moment, Moment::Amended(_))))),
    fault("play/shows-no-notices", "engine/tells-all")
        .that("keeps notices of the client for itself")
        .by(hiding(|message| is_of(message, "system") && text(message, "subtype") != "api_error")),
    fault("play/shows-no-retries", "engine/tells-all")
        .that("sends a request again without a word")
        .by(hiding(|message| text(message, "subtype") == "api_error")),
    fault("play/shows-no-errors", "engine/tells-all")
        .that("ends a turn that failed without a word")
        .by(hiding(|message| is(message, "isApiErrorMessage"))),
    fault("play/shows-no-interruptions", "engine/tells-all").that("does not say that the user interrupted").by(hiding(
        |message| {
            let notices = [INTERRUPTION, INTERRUPTION_FOR_TOOL_USE];
            is_of(message, "user") && words(message).any(|said| notices.contains(&said))
        },
    )),
    fault("play/has-one-notice-of-interruptions", "engine/tells-all")
        .that("says of each interruption that the user interrupted, and not that a tool was running")
        .by(Wrong::Played(|played| {
            change_messages(played, |message| {
                if is_of(message, "user") && words(message).eq([INTERRUPTION_FOR_TOOL_USE]) {
                    blocks_mut(message).into_iter().flatten().for_each(|block| block["text"] = json!(INTERRUPTION));
                }
            });
        })),
    fault("play/says-twice-that-the-user-interrupted", "engine/tells-all")
        .that("says once more, at the end, that the user interrupted")
        .by(Wrong::Log(|moments| {
            let notice = |moment: &Moment| match moment {
                Moment::Yielded(event) if words(&event.value).any(|said| said == INTERRUPTION) => {
                    let mut again = event.value.clone();
                    again["uuid"] = json!("00000000-0000-4000-8000-0000000000ff");
                    Some(Moment::Yielded(again.into()))
                }
                _ => None,
            };
            moments.extend(moments.iter().find_map(notice));
        })),
    fault("play/shows-no-stream", "engine/tells-all")
        .that("yields whole messages alone, and no event of the stream")
        .by(hiding(|message| is_of(message, "stream_event"))),
    fault("play/shows-no-tombstones", "engine/tells-all")
        .that("withdraws replies without a tombstone")
        .by(hiding(|message| is_of(message, "tombstone"))),
    fault("play/shows-no-attachments", "engine/tells-all")
        .that("sends attachments, and does not show them")
        .by(hiding(|message| is_of(message, "attachment"))),
    fault("play/shows-no-progress", "engine/tells-all")
        .that("does not show the output of a tool that runs")
        .by(hiding(|message| is_of(message, "progress"))),
    fault("play/shows-lines-twice", "engine/tells-all")
        .that("shows each message of a reply again when the reply has ended")
        .by(Wrong::Log(|moments| {
            let mut lines: Vec<Moment> = Vec::new();
            for moment in std::mem::take(moments) {
                let is_over = |event: &Value| text(&event["event"], "type") == "message_stop";
                let ends = matches!(&moment, Moment::Yielded(event) if is_over(&event.value));
                if matches!(&moment, Moment::Yielded(event) if is_of(&event.value, "assistant")) {
                    lines.push(moment.clone());
                }
                moments.push(moment);
                if ends {
                    moments.append(&mut lines);
                }
            }
        })),
    fault("play/gives-people-a-text", "engine/result-as-given").that("keeps the output of a tool as JSON text").by(
        each_result(|message, _| {
            if !message["toolUseResult"].is_string() {
                message["toolUseResult"] = json!(message["toolUseResult"].to_string());
            }
        }),
    ),
    fault("play/gives-people-nothing", "engine/result-as-given")
        .that("keeps of a result only what the model gets")
        .by(each_result(|message, _| remove(message, "toolUseResult"))),
    fault("play/gives-people-what-the-model-gets", "engine/result-as-given")
        .that("keeps the content for the model in the place of the output")
        .by(each_result(|message, _| {
            message["toolUseResult"] =
                blocks(message).first().map(|block| block["content"].clone()).unwrap_or_default();
        })),
    fault("play/forgets-that-a-tool-failed", "engine/result-as-given")
        .that("does not say that a result is an error")
        .by(each_result(|message, _| each_block(message, |block| remove(block, "is_error")))),
    fault("play/names-no-source", "engine/result-source")
        .that("does not say which message holds the call of a result")
        .by(each_result(|message, _| remove(message, "sourceToolAssistantUUID"))),
    fault("play/names-the-last-line-as-source", "engine/result-source")
        .that("names the last message of a reply as the source of all its results")
        .by(each_result(|message, last| {
            if message.get("sourceToolAssistantUUID").is_some() && !last.is_empty() {
                message["sourceToolAssistantUUID"] = json!(last);
            }
        })),
    fault("play/denies-in-other-words", "engine/denial-words")
        .that("says of a rejected call that it was rejected, in words of its own")
        .by(each_result(|message, _| {
            change_texts(message, |said| {
                let is_rejection = said == REJECT || said.starts_with(REJECT_WITH_REASON_PREFIX);
                if is_rejection { "The user rejected the tool use.".to_owned() } else { said.to_owned() }
            });
        })),
    fault("play/denies-without-guidance", "engine/denial-words")
        .that("does not say to the model what it may do after a denial")
        .by(each_result(|message, _| change_texts(message, |said| said.replace(GUIDANCE, "")))),
    fault("play/denies-without-the-reason", "engine/denial-words")
        .that("forgets what the user said when a call was rejected")
        .by(each_result(|message, _| {
            change_texts(message, |said| {
                let prefix = REJECT_WITH_REASON_PREFIX;
                if said.starts_with(prefix) { prefix.to_owned() } else { said.to_owned() }
            });
        })),
    fault("play/denies-without-an-error", "engine/denial-words")
        .that("gives a denial as the result of a tool that ran well")
        .by(each_result(|message, _| each_block(message, |block| block["is_error"] = json!(false)))),
    fault("play/shows-meta-messages", "engine/meta-stays-meta")
        .that("shows what is for the model alone as if the user had typed it")
        .by(each_yielded(|message| {
            if is_of(message, "user") {
                remove(message, "isMeta");
            }
        })),
    fault("play/gives-notices-no-level", "engine/notice-whole").that("makes notices without a level").by(each_yielded(
        |message| {
            if is_of(message, "system") {
                remove(message, "level");
            }
        },
    )),
    fault("play/gives-notices-no-members", "engine/notice-whole")
        .that("makes notices that are more than text without the members of their own")
        .by(each_yielded(|message| {
            for name in ["durationMs", "url", "snapshotFiles"] {
                remove(message, name);
            }
        })),
    fault("play/gives-boundaries-no-metadata", "engine/notice-whole")
        .that("does not say who began a compaction")
        .by(each_yielded(|message| remove(message, "compactMetadata"))),
    fault("play/names-no-cleared-calls", "engine/notice-whole")
        .that("does not say which results were cleared")
        .by(each_yielded(|message| remove(message, "microcompactMetadata"))),
    fault("play/gives-errors-a-model", "engine/error-of-no-model")
        .that("names the model that was asked as the author of an error")
        .by(each_yielded(|message| {
            if is(message, "isApiErrorMessage") {
                message["message"]["model"] = json!("claude-opus-4-5");
            }
        })),
    fault("play/gives-errors-no-usage", "engine/error-of-no-model")
        .that("makes the message for an error without a usage")
        .by(each_yielded(|message| {
            if is(message, "isApiErrorMessage") {
                remove(&mut message["message"], "usage");
            }
        })),
    fault("play/forks-with-old-ids", "engine/fork-renamed").that("copies a conversation with the ids that it had").by(
        each_copy(|message| {
            let old = message["forkedFrom"]["messageUuid"].clone();
            message["uuid"] = old;
        }),
    ),
    fault("play/forks-without-origin", "engine/fork-renamed")
        .that("does not say where the messages of a fork come from")
        .by(each_copy(|message| remove(message, "forkedFrom"))),
    fault("play/forks-with-old-sources", "engine/fork-renamed")
        .that("leaves the sources of results as they were when it copies a conversation")
        .by(Wrong::Played(|played| {
            for moment in &mut played.moments {
                let Moment::Forked(list) = moment else { continue };
                let list = list.value.as_array_mut().map_or(&mut [][..], Vec::as_mut_slice);
                let origins: HashMap<String, Value> = list
                    .iter()
                    .map(|copy| (text(copy, "uuid").to_owned(), copy["forkedFrom"]["messageUuid"].clone()))
                    .collect();
                for copy in list {
                    if let Some(old) = origins.get(text(copy, "sourceToolAssistantUUID")) {
                        copy["sourceToolAssistantUUID"] = old.clone();
                    }
                }
            }
        })),
    fault("play/sends-what-is-virtual", "engine/virtual-stays-out")
        .that("sends what it guessed that the user may ask")
        .by(Wrong::Log(|moments| {
            let mut guessed: Vec<Value> = Vec::new();
            for moment in moments {
                match moment {
                    Moment::Yielded(event) if is(&event.value, "isVirtual") => {
                        guessed.extend(words(&event.value).map(|said| json!({"type": "text", "text": said})));
                    }
                    Moment::Requested { turns, .. } if !guessed.is_empty() => {
                        let turns = turns.value.as_array_mut().into_iter();
                        turns.for_each(|turns| turns.insert(0, turn("user", std::mem::take(&mut guessed))));
                    }
                    _ => {}
                }
            }
        })),
    fault("play/writes-its-guesses", "engine/virtual-stays-out")
        .that("writes what it guessed that the user may ask")
        .by(Wrong::Played(|played| {
            let guessed: Vec<Value> =
                played.moments.iter().filter_map(yielded).filter(|it| is(it, "isVirtual")).cloned().collect();
            each_file(played, |records| records.extend_from_slice(&guessed));
        })),
    fault("play/tombstones-of-ids", "engine/tells-all")
        .that("yields tombstones that hold the id of a message alone")
        .by(each_yielded(|event| {
            if kind(event) == "tombstone" {
                let uuid = event.pointer("/message/uuid").cloned().unwrap_or_default();
                event["message"] = json!({"type": "assistant", "uuid": uuid});
            }
        })),
    fault("play/automatic-in-full", "engine/notice-whole")
        .that("writes `automatic` as the trigger of a compaction that the client began")
        .by(Wrong::Played(|played| {
            change_messages(played, |message| {
                let trigger = message.pointer_mut("/compactMetadata/trigger").filter(|trigger| *trigger == "auto");
                trigger.into_iter().for_each(|trigger| *trigger = "automatic".into());
            });
        })),
    fault("play/errors-by-their-words", "engine/result-as-given")
        .that("marks a result as an error when its text begins with Error")
        .by(Wrong::Played(|played| {
            change_results(played, |block| {
                if text(block, "content").starts_with("Error") {
                    block["is_error"] = true.into();
                }
            });
        })),
    fault("play/typographic-denials", "engine/denial-words")
        .that("writes the apostrophes in the results of denied calls as a typesetter does")
        .by(Wrong::Played(|played| {
            change_results(played, |block| {
                let said = text(block, "content");
                if said.starts_with("The user doesn't want to ") {
                    block["content"] = said.replace('\'', "’").into();
                }
            });
        })),
    fault("play/what-waits-is-meta", "engine/meta-stays-meta").that("marks what waited as meta").by(Wrong::Played(
        |played| {
            let queued = queued(&played.moments);
            change_messages(played, |message| {
                if queued.contains(text(message, "uuid")) {
                    message["isMeta"] = true.into();
                }
            });
        },
    )),
    fault("play/nothing-in-words", "engine/result-as-given")
        .that("says that there was no output where a tool gave an empty text")
        .by(Wrong::Played(|played| {
            change_results(played, |block| {
                if block.get("content").is_some_and(|content| content == "") {
                    block["content"] = "(no output)".into();
                }
            });
        })),
    fault("play/interrupted-is-no-error", "engine/result-as-given")
        .that("does not mark the result of an interrupted call as an error")
        .by(Wrong::Played(|played| {
            change_results(played, |block| {
                if block["content"] == INTERRUPTION_FOR_TOOL_USE {
                    block["is_error"] = false.into();
                }
            });
        })),
];

/// Changes the records of the transcript at the end. A line that is no JSON stays as it is, behind the others.
fn each_file(played: &mut Played, change: impl Fn(&mut Vec<Value>)) {
    let lines = || played.transcript.split_inclusive(|&byte| byte == b'\n');
    let mut records: Vec<Value> = lines().filter_map(|line| serde_json::from_slice(line).ok()).collect();
    let others: Vec<u8> =
        lines().filter(|line| serde_json::from_slice::<Value>(line).is_err()).flatten().copied().collect();
    change(&mut records);
    let mut changed: Vec<u8> = records.iter().flat_map(|record| format!("{record}\n").into_bytes()).collect();
    changed.extend(others);
    played.transcript = changed;
}

/// What a loop does wrong when it yields or writes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Slip {
    /// What is not yielded.
    Hides(fn(&Value) -> bool),
    /// Each message that is yielded.
    Yields(fn(&mut Value)),
    /// Each result that is yielded, given the last message of a model before it.
    Answers(fn(&mut Value, &str)),
    /// Each message of a fork.
    Copies(fn(&mut Value)),
}

impl Slip {
    pub(super) fn change(self, played: &mut Played) {
        let mut last = String::new();
        if let Self::Hides(is_hidden) = self {
            played.moments.retain(|moment| !yielded(moment).is_some_and(is_hidden));
        }
        for moment in &mut played.moments {
            match (self, moment) {
                (Self::Yields(change), Moment::Yielded(event)) => change(&mut event.value),
                (Self::Answers(change), Moment::Yielded(event)) => {
                    if is_of(&event.value, "assistant") {
                        last = text(&event.value, "uuid").to_owned();
                    } else if blocks(&event.value).iter().any(|block| result_id(block).is_some()) {
                        change(&mut event.value, &last);
                    }
                }
                (Self::Copies(change), Moment::Forked(list)) => {
                    list.value.as_array_mut().into_iter().flatten().for_each(change);
                }
                _ => {}
            }
        }
    }
}

const fn hiding(is_hidden: fn(&Value) -> bool) -> Wrong {
    Wrong::LoopSlip(Slip::Hides(is_hidden))
}

pub(super) const fn each_yielded(change: fn(&mut Value)) -> Wrong {
    Wrong::LoopSlip(Slip::Yields(change))
}

const fn each_result(change: fn(&mut Value, &str)) -> Wrong {
    Wrong::LoopSlip(Slip::Answers(change))
}

const fn each_copy(change: fn(&mut Value)) -> Wrong {
    Wrong::LoopSlip(Slip::Copies(change))
}

/// Changes the results of a message.
fn each_block(message: &mut Value, change: fn(&mut Value)) {
    blocks_mut(message).into_iter().flatten().filter(|block| result_id(block).is_some()).for_each(change);
}

/// Changes the text of a message's results.
fn change_texts(message: &mut Value, change: fn(&str) -> String) {
    for block in blocks_mut(message).into_iter().flatten().filter(|block| result_id(block).is_some()) {
        block["content"] =
            block["content"].as_str().map_or_else(|| block["content"].clone(), |said| json!(change(said)));
    }
}
