//! Faults in *playing* a conversation: in answers to calls, input that waits, requests, and what a resume brings back.

use std::collections::{HashMap, HashSet};

use turnproof_reference::message::constants::{
    INTERRUPTION, INTERRUPTION_FOR_TOOL_USE, MISSING_TOOL_RESULT, REJECT, REJECT_WITH_REASON_PREFIX,
};
use turnproof_rules::json;
use turnproof_rules::operation::{Moment, Plain, Value};

use super::conserve::reply;
use super::log::{change_queued, change_requests, drop_messages, drop_results, mentions, queued, result_id};
use super::stable::is_second_time;
use super::walk::{blocks, blocks_mut, is, is_of, kind, lists, reverse_results, text, turn, words};
use super::{Fault, Wrong, fault};

pub(super) const FAULTS: &[Fault] = &[
    fault("play/leaves-a-call-open-at-an-interrupt", "engine/every-use-answered")
        .that("ends a turn that is interrupted or fails without results for the calls that are open")
        .seen_in("anthropics/claude-code#1237")
        .by(Wrong::Requests(|messages, turns| {
            let texts = [MISSING_TOOL_RESULT, INTERRUPTION_FOR_TOOL_USE];
            let is_made = |block: &Value| texts.contains(&text(block, "content")) && is(block, "is_error");
            drop_results(messages, is_made);
            drop_results(turns, is_made);
        })),
    fault("play/loses-a-parallel-result", "engine/every-use-answered")
        .that("keeps all results of parallel calls but one")
        .seen_in("anthropics/claude-code#45286")
        .by(Wrong::Requests(|messages, turns| {
            let mut lost: HashSet<String> = HashSet::new();
            for turn in turns.iter() {
                if let [_, .., last] = &blocks(turn).iter().filter_map(result_id).collect::<Vec<_>>()[..] {
                    lost.insert((*last).to_owned());
                }
            }
            let is_lost = |block: &Value| result_id(block).is_some_and(|id| lost.contains(id));
            drop_results(messages, is_lost);
            drop_results(turns, is_lost);
        })),
    fault("play/runs-a-rejected-tool", "engine/every-use-answered")
        .that("adds the result of a tool to the rejection of its call")
        .by(Wrong::Requests(|_, turns| run_rejected_tools(turns))),
    fault("play/answers-in-the-order-of-keys", "engine/deterministic")
        .that("keeps the results of parallel calls in a map, and sends them in the order of its keys")
        .by(Wrong::Log(|moments| {
            if is_second_time() {
                change_requests(moments, |_, turns| lists(turns, "user", |blocks| reverse_results(blocks)));
            }
        })),
    fault("play/takes-the-last-input-first", "engine/queue-order")
        .that("takes the last input from the queue first")
        .by(Wrong::Log(|moments| {
            let queued = queued(moments);
            let joins = |moment: &Moment| match moment {
                Moment::Yielded(message) => queued.contains(text(&message.value, "uuid")),
                Moment::Joined { uuid, .. } => queued.contains(uuid),
                _ => false,
            };
            let mut turned = Vec::new();
            for run in moments.chunk_by(|one, two| joins(one) && joins(two)) {
                match run {
                    [first, ..] if joins(first) => turned.extend(run.rchunks(2).flatten().cloned()),
                    _ => turned.extend_from_slice(run),
                }
            }
            *moments = turned;
        })),
    fault("play/loses-waiting-input-at-an-interrupt", "engine/queue-order")
        .that("forgets what was typed in the middle of a turn when the turn is interrupted")
        .seen_in("anthropics/claude-code changelog 2.1.97")
        .by(Wrong::Log(|moments| {
            let queued = queued(moments);
            let mut lost = HashSet::new();
            let mut is_interrupted = false;
            for moment in moments.iter() {
                match moment {
                    Moment::Yielded(message) => {
                        let is_notice = |said: &str| [INTERRUPTION, INTERRUPTION_FOR_TOOL_USE].contains(&said);
                        let uuid = text(&message.value, "uuid");
                        is_interrupted |= is_of(&message.value, "user") && words(&message.value).any(is_notice);
                        lost.extend(Some(uuid.to_owned()).filter(|uuid| is_interrupted && queued.contains(uuid)));
                    }
                    Moment::Requested { .. } => is_interrupted = false,
                    _ => {}
                }
            }
            drop_messages(moments, &lost);
        })),
    fault("play/hides-waiting-input", "engine/queue-order")
        .that("sends what was typed in the middle of a turn as a note that nobody sees")
        .by(Wrong::Log(|moments| change_queued(moments, |message| message["isMeta"] = Value::Bool(true)))),
    fault("play/loses-the-image-of-waiting-input", "engine/queue-order")
        .that("drops the image that was pasted in the middle of a turn")
        .seen_in("anthropics/claude-code changelog 2.1.105")
        .by(Wrong::Log(|moments| {
            change_queued(moments, |message| {
                let blocks = blocks_mut(message).into_iter();
                blocks.for_each(|blocks| blocks.retain(|block| kind(block) != "image"));
            });
        })),
    fault("play/summary-after-the-reply", "engine/summary-late")
        .that("yields a summary only when the next reply has begun")
        .by(Wrong::Log(|moments| {
            let is_of = |moment: &Moment, name: &str| match moment {
                Moment::Yielded(event) => kind(&event.value) == name,
                _ => false,
            };
            let mut waiting = Vec::new();
            for moment in std::mem::take(moments) {
                if is_of(&moment, "tool_use_summary") {
                    waiting.push(moment);
                } else {
                    let has_begun = is_of(&moment, "assistant");
                    moments.push(moment);
                    moments.extend(waiting.drain(..).filter(|_| has_begun));
                }
            }
        })),
    fault("play/shows-a-failed-summary", "engine/summary-late").that("yields an empty summary when it failed").by(
        Wrong::Log(|moments| {
            for moment in std::mem::take(moments) {
                let summary = match &moment {
                    Moment::SummaryFailed(calls) => {
                        Some(json!({"type": "tool_use_summary", "summary": "", "precedingToolUseIds": calls}))
                    }
                    _ => None,
                };
                moments.push(moment);
                moments.extend(summary.map(|summary| Moment::Yielded(summary.into())));
            }
        }),
    ),
    fault("play/takes-a-failure-for-a-summary", "engine/summary-late")
        .that("yields words of its own when the small model gives none, and knows of no failure")
        .by(Wrong::Log(|moments| {
            for moment in moments {
                let Moment::SummaryFailed(calls) = moment else { continue };
                let words = "The calls are done";
                let summary = json!({"type": "tool_use_summary", "summary": words, "precedingToolUseIds": calls,
                "timestamp": "2026-01-01T00:00:00.000Z", "uuid": "5a11ed00-0000-4000-8000-000000000001"});
                *moment = Moment::Yielded(summary.into());
            }
        })),
    fault("play/sends-before-it-writes", "engine/durable-before-request")
        .that("sends a request before its new messages are on disk")
        .seen_in("anthropics/claude-code#15813")
        .by(Wrong::Log(|moments| {
            let mut before = Vec::new();
            for moment in moments {
                if let Moment::Requested { transcript, .. } = moment {
                    std::mem::swap(transcript, &mut before);
                }
            }
        })),
    fault("play/does-not-write-waiting-input", "engine/durable-before-request")
        .that("sends what was typed in the middle of a turn and leaves it out of the transcript")
        .seen_in("anthropics/claude-code changelog 2.1.97")
        .by(Wrong::Log(|moments| {
            let queued = queued(moments);
            for moment in moments {
                if let Moment::Requested { transcript, .. } = moment {
                    let lines = transcript.split_inclusive(|byte| *byte == b'\n');
                    let kept = lines.filter(|line| !queued.iter().any(|uuid| mentions(line, uuid)));
                    *transcript = kept.collect::<Vec<_>>().concat();
                }
            }
        })),
    fault("play/sends-before-the-queue-joins", "engine/request-of-live")
        .that("makes the request before the input that waits has joined")
        .by(Wrong::Log(|moments| {
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
        })),
    fault("play/sends-a-withdrawn-reply", "engine/request-of-live")
        .that("makes requests of everything that was shown, withdrawn replies too")
        .seen_in("anthropics/claude-code#20508")
        .by(Wrong::Log(|moments| {
            add_withdrawn(moments, |gone, _, turns| {
                let content: Vec<Value> = gone.iter().flat_map(blocks).cloned().collect();
                turns.extend(Some(content).filter(|content| !content.is_empty()).map(|it| turn("assistant", it)));
            });
        })),
    fault("play/keeps-a-withdrawn-reply", "engine/no-withdrawn-survivor")
        .that("takes a withdrawn reply off the screen, and leaves it in the list")
        .seen_in("anthropics/claude-code#20901")
        .by(Wrong::Log(|moments| add_withdrawn(moments, |gone, messages, _| messages.extend_from_slice(gone)))),
    fault("play/withdraws-in-memory-alone", "engine/no-withdrawn-survivor")
        .that("brings a withdrawn reply back from the transcript when the session is resumed")
        .seen_in("anthropics/claude-code#20573")
        .by(Wrong::Log(|moments| {
            let mut withdrawn = Withdrawn::default();
            let mut disk = Vec::new();
            for moment in moments {
                match moment {
                    Moment::Yielded(event) => withdrawn.take(&event.value),
                    Moment::Requested { transcript, .. } | Moment::Crashed { transcript } => {
                        disk.clone_from(transcript)
                    }
                    Moment::Resumed(list) => {
                        let is_written = |message: &&Value| mentions(&disk, text(message, "uuid"));
                        let back = withdrawn.gone.iter().filter(is_written).cloned();
                        list.value.as_array_mut().into_iter().for_each(|list| list.extend(back.clone()));
                    }
                    _ => {}
                }
            }
        })),
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
        .by(Wrong::Resumed(|list| {
            let mut replies: HashMap<String, String> = HashMap::new();
            for line in list.iter().filter(|message| kind(message) == "assistant") {
                let calls = blocks(line).iter().filter(|block| kind(block) == "tool_use");
                replies.extend(calls.map(|call| (text(call, "id").to_owned(), reply(line).to_owned())));
            }
            let answered = |message: &Value| replies.get(blocks(message).iter().find_map(result_id)?);
            let last: HashMap<&String, usize> =
                list.iter().enumerate().filter_map(|(at, message)| Some((answered(message)?, at))).collect();
            let is_kept = |(at, message): (usize, &Value)| answered(message).is_none_or(|reply| last[reply] == at);
            let kept: Vec<bool> = list.iter().enumerate().map(is_kept).collect();
            let mut kept = kept.into_iter();
            list.retain(|_| kept.next().unwrap_or(true));
        })),
    fault("play/ends-without-a-flush", "engine/resume-complete")
        .that("does not write the last reply when a process ends and its session is continued")
        .by(Wrong::Log(|moments| {
            let mut is_dead = false;
            for moment in moments {
                match moment {
                    Moment::Crashed { .. } => is_dead = true,
                    Moment::Resumed(list) if !std::mem::take(&mut is_dead) => {
                        if let Some(list) = list.value.as_array_mut()
                            && list.last().is_some_and(|message| kind(message) == "assistant")
                        {
                            list.pop();
                        }
                    }
                    _ => {}
                }
            }
        })),
    fault("play/forks-without-the-last-message", "engine/resume-complete")
        .that("copies into a fork only what was written before the last message")
        .by(Wrong::Log(|moments| {
            for moment in moments {
                if let Moment::Forked(list) = moment {
                    list.value.as_array_mut().map(Vec::pop);
                }
            }
        })),
    fault("play/resumes-without-attachments", "engine/resume-complete")
        .that("does not bring back attachments")
        .seen_in("anthropics/claude-code changelog 2.1.97")
        .by(Wrong::Resumed(|list| list.retain(|message| kind(message) != "attachment"))),
    fault("play/resumes-with-a-message-twice", "engine/resume-complete")
        .that("brings back the last message of the transcript twice")
        .seen_in("anthropics/claude-code#66947")
        .by(Wrong::Resumed(|list| list.extend(list.last().cloned()))),
    fault("play/shows-failed-summaries", "engine/summary-late")
        .that("shows a notice when the summary of calls fails")
        .by(Wrong::Log(|moments| {
            let failed = (0..moments.len()).rev().filter(|&at| matches!(moments[at], Moment::SummaryFailed(_)));
            for at in failed.collect::<Vec<_>>() {
                let notice = json!({"type": "system", "subtype": "informational", "level": "warning",
                "content": "The calls could not be summed up", "timestamp": "2026-01-01T00:00:00.000Z",
                "uuid": format!("5a11ed00-0000-4000-8000-{at:012}")});
                moments.splice(at + 1..at + 1, Plain::read(&notice.to_string()).ok().map(Moment::Yielded));
            }
        })),
    fault("play/request-waits-for-the-summary", "engine/summary-late")
        .that("sends the next request when the line on a group of calls is there")
        .by(Wrong::Log(|moments| {
            for at in (0..moments.len()).rev() {
                let is_line =
                    matches!(&moments[at], Moment::Yielded(event) if kind(&event.value) == "tool_use_summary");
                let request = moments[..at].iter().rposition(|moment| matches!(moment, Moment::Requested { .. }));
                if let Some(request) = request.filter(|_| is_line) {
                    let line = moments.remove(at);
                    moments.insert(request, line);
                }
            }
        })),
    fault("play/summary-twice", "engine/summary-late")
        .that("yields the line on a group of calls again with the next request")
        .by(Wrong::Log(|moments| {
            let mut late = None;
            let mut again = Vec::new();
            for moment in moments.drain(..) {
                let is_request = matches!(moment, Moment::Requested { .. });
                if matches!(&moment, Moment::Yielded(event) if kind(&event.value) == "tool_use_summary") {
                    late = Some(moment.clone());
                }
                again.push(moment);
                again.extend(late.take_if(|_| is_request));
            }
            *moments = again;
        })),
];

/// Adds a second result to each rejection by a person.
fn run_rejected_tools(turns: &mut [Value]) {
    let is_rejection = |block: &&Value| {
        let said = text(block, "content");
        result_id(block).is_some() && (said == REJECT || said.starts_with(REJECT_WITH_REASON_PREFIX))
    };
    for blocks in turns.iter_mut().filter_map(blocks_mut) {
        for mut result in blocks.iter().filter(is_rejection).cloned().collect::<Vec<_>>() {
            result["content"] = json!("done");
            blocks.push(result);
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
                if let (Value::Array(messages), Value::Array(turns)) = (&mut messages.value, &mut turns.value) {
                    add(&withdrawn.gone, messages, turns);
                }
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
                let list = list
                    .value
                    .as_array_mut()
                    .filter(|list| list.first().is_some_and(|first| text(first, "subtype") == "compact_boundary"));
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
