//! Faults in playing a conversation *on*: what is on disk and live when a request is sent, and what comes back
//! after a crash.

use std::collections::HashMap;

use serde_json::Value;

use turnproof::operation::Moment;

use super::log::{mentions, queued, result_id};
use super::walk::{blocks, blocks_mut, is_of, kind, text, turn, words};
use super::{Fault, Wrong, fault};

/// The faults of `play` when a request is sent and a session is resumed.
pub(super) const FAULTS: &[Fault] = &[
    fault("play/sends-before-it-writes", "engine/durable-before-request")
        .that("sends a request before its new messages are on disk")
        .seen_in("anthropics/claude-code#15813")
        .by(Wrong::Log(send_before_writing)),
    fault("play/does-not-write-waiting-input", "engine/durable-before-request")
        .that("sends what was typed in the middle of a turn and leaves it out of the transcript")
        .seen_in("anthropics/claude-code changelog 2.1.97")
        .by(Wrong::Log(leave_out_waiting_input)),
    fault("play/sends-before-the-queue-joins", "engine/request-of-live")
        .that("makes the request before the input that waits has joined")
        .by(Wrong::Log(send_before_joining)),
    fault("play/sends-a-withdrawn-reply", "engine/request-of-live")
        .that("makes requests of everything that was shown, withdrawn replies too")
        .seen_in("anthropics/claude-code#20508")
        .by(Wrong::Log(|moments| {
            add_withdrawn(moments, |gone, _, turns| {
                let content: Vec<Value> = gone.iter().flat_map(blocks).cloned().collect();
                turns.extend(
                    Some(content).filter(|content| !content.is_empty()).map(|it| turn("assistant", it)),
                );
            });
        })),
    fault("play/keeps-a-withdrawn-reply", "engine/no-withdrawn-survivor")
        .that("takes a withdrawn reply off the screen, and leaves it in the list")
        .seen_in("anthropics/claude-code#20901")
        .by(Wrong::Log(|moments| {
            add_withdrawn(moments, |gone, messages, _| messages.extend_from_slice(gone))
        })),
    fault("play/withdraws-in-memory-alone", "engine/no-withdrawn-survivor")
        .that("brings a withdrawn reply back from the transcript when the session is resumed")
        .seen_in("anthropics/claude-code#20573")
        .by(Wrong::Log(withdraw_in_memory)),
    fault("play/resumes-past-the-boundary", "engine/no-compacted-survivor")
        .that("brings back what a compaction removed, before the summary")
        .seen_in("anthropics/claude-code#14462")
        .by(Wrong::Log(undo_compactions)),
    fault("play/resumes-with-the-last-message-alone", "engine/resume-complete")
        .that("brings back only the last message, because it does not find its parent")
        .seen_in("anthropics/claude-code#21617")
        .by(Wrong::Resumed(|list| drop(list.drain(..list.len().saturating_sub(1))))),
    fault("play/resumes-without-parallel-results", "engine/resume-complete")
        .that("brings back one result of parallel calls, and loses the others")
        .seen_in("anthropics/claude-code changelog 2.1.80")
        .by(Wrong::Resumed(lose_parallel_results)),
    fault("play/resumes-without-attachments", "engine/resume-complete")
        .that("does not bring back attachments")
        .seen_in("anthropics/claude-code changelog 2.1.97")
        .by(Wrong::Resumed(|list| list.retain(|message| kind(message) != "attachment"))),
    fault("play/resumes-with-a-message-twice", "engine/resume-complete")
        .that("brings back the last message of the transcript twice")
        .seen_in("anthropics/claude-code#66947")
        .by(Wrong::Resumed(|list| list.extend(list.last().cloned()))),
];

/// Gives each request the transcript of the request before.
fn send_before_writing(moments: &mut Vec<Moment>) {
    let mut before = Vec::new();
    for moment in moments {
        if let Moment::Requested { transcript, .. } = moment {
            std::mem::swap(transcript, &mut before);
        }
    }
}

/// Takes the lines of inputs that had to wait out of the transcripts.
fn leave_out_waiting_input(moments: &mut Vec<Moment>) {
    let queued = queued(moments);
    for moment in moments {
        if let Moment::Requested { transcript, .. } = moment {
            let lines = transcript.split_inclusive(|byte| *byte == b'\n');
            let kept = lines.filter(|line| !queued.iter().any(|uuid| mentions(line, uuid)));
            *transcript = kept.collect::<Vec<_>>().concat();
        }
    }
}

/// Takes an input out of the first request after it has joined.
fn send_before_joining(moments: &mut Vec<Moment>) {
    let queued = queued(moments);
    let mut joined: Vec<Value> = Vec::new();
    for moment in moments {
        match moment {
            Moment::Yielded(message) if queued.contains(text(&message.value, "uuid")) => {
                joined.push(message.value.clone());
            }
            Moment::Requested { messages, turns, .. } => {
                let said: Vec<&str> = joined.iter().flat_map(words).collect();
                let all = turns.value.as_array_mut().into_iter().flatten();
                if let Some(blocks) = all.filter(|turn| is_of(turn, "user")).last().and_then(blocks_mut) {
                    blocks.retain(|block| kind(block) != "text" || !said.contains(&text(block, "text")));
                }
                if let Some(list) = messages.value.as_array_mut() {
                    list.retain(|message| joined.iter().all(|one| one["uuid"] != message["uuid"]));
                }
                joined.clear();
            }
            _ => {}
        }
    }
}

/// What was shown and withdrawn so far.
#[derive(Default)]
struct Withdrawn {
    shown: HashMap<String, Value>,
    gone: Vec<Value>,
}

impl Withdrawn {
    /// Takes the next event.
    fn take(&mut self, event: &Value) {
        match kind(event) {
            "assistant" => drop(self.shown.insert(text(event, "uuid").to_owned(), event.clone())),
            "tombstone" => self.gone.extend(self.shown.remove(text(&event["message"], "uuid"))),
            _ => {}
        }
    }
}

/// Adds what was withdrawn before each request to its messages or turns.
fn add_withdrawn(moments: &mut [Moment], add: fn(&[Value], &mut Vec<Value>, &mut Vec<Value>)) {
    let mut withdrawn = Withdrawn::default();
    for moment in moments {
        match moment {
            Moment::Yielded(event) => withdrawn.take(&event.value),
            Moment::Compacted(_) | Moment::Resumed(_) | Moment::Forked(_) => withdrawn.gone.clear(),
            Moment::Requested { messages, turns, .. } => {
                if let (Value::Array(messages), Value::Array(turns)) = (&mut messages.value, &mut turns.value)
                {
                    add(&withdrawn.gone, messages, turns);
                }
            }
            _ => {}
        }
    }
}

/// Brings back what was withdrawn and is in the transcript.
fn withdraw_in_memory(moments: &mut Vec<Moment>) {
    let mut withdrawn = Withdrawn::default();
    let mut disk = Vec::new();
    for moment in moments {
        match moment {
            Moment::Yielded(event) => withdrawn.take(&event.value),
            Moment::Requested { transcript, .. } | Moment::Crashed(transcript) => disk.clone_from(transcript),
            Moment::Resumed(list) => {
                let is_written = |message: &&Value| mentions(&disk, text(message, "uuid"));
                let back = withdrawn.gone.iter().filter(is_written).cloned();
                list.value.as_array_mut().into_iter().for_each(|list| list.extend(back.clone()));
            }
            _ => {}
        }
    }
}

/// Brings back what was yielded before a boundary when a resumed session begins with one.
fn undo_compactions(moments: &mut Vec<Moment>) {
    let mut before: Vec<Value> = Vec::new();
    let mut all = Vec::new();
    for moment in moments {
        match moment {
            Moment::Yielded(event) if matches!(kind(&event.value), "user" | "assistant") => {
                all.push(event.value.clone());
            }
            Moment::Compacted(_) => before.append(&mut all),
            Moment::Forked(_) => before.clear(),
            Moment::Resumed(list) => {
                let list = list.value.as_array_mut().filter(|list| {
                    list.first().is_some_and(|first| text(first, "subtype") == "compact_boundary")
                });
                if let Some(list) = list {
                    let is_gone = |message: &&Value| list.iter().all(|one| one["uuid"] != message["uuid"]);
                    let gone: Vec<Value> = before.iter().filter(is_gone).cloned().collect();
                    list.splice(0..0, gone);
                }
            }
            _ => {}
        }
    }
}

/// Drops the results of a reply's calls, but not the last one that came.
fn lose_parallel_results(list: &mut Vec<Value>) {
    let mut replies: HashMap<String, String> = HashMap::new();
    for line in list.iter().filter(|message| kind(message) == "assistant") {
        let calls = blocks(line).iter().filter(|block| kind(block) == "tool_use");
        replies
            .extend(calls.map(|call| (text(call, "id").to_owned(), text(&line["message"], "id").to_owned())));
    }
    let reply = |message: &Value| replies.get(blocks(message).iter().find_map(result_id)?);
    let last: HashMap<&String, usize> =
        list.iter().enumerate().filter_map(|(at, message)| Some((reply(message)?, at))).collect();
    let is_kept = |(at, message): (usize, &Value)| reply(message).is_none_or(|reply| last[reply] == at);
    let kept: Vec<bool> = list.iter().enumerate().map(is_kept).collect();
    let mut kept = kept.into_iter();
    list.retain(|_| kept.next().unwrap_or(true));
}
