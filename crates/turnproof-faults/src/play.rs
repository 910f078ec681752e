//! Faults in *playing* a conversation: how calls are answered, how input waits, what summaries do.

use std::collections::HashSet;

use serde_json::{Value, json};

use turnproof::message::constants::{
    INTERRUPTION, INTERRUPTION_FOR_TOOL_USE, MISSING_TOOL_RESULT, REJECT, REJECT_WITH_REASON_PREFIX,
};
use turnproof::operation::{Moment, Plain};

use super::log::{change_requests, change_yielded, drop_messages, drop_results, queued, result_id};
use super::stable::is_second_time;
use super::walk::{blocks, blocks_mut, is, is_of, kind, text, words};
use super::{Fault, Wrong, fault};

/// The faults of `play` before a request is sent.
pub(super) const FAULTS: &[Fault] = &[
    fault("play/leaves-a-call-open-at-an-interrupt", "engine/every-use-answered")
        .that("ends a turn that is interrupted or fails without results for the calls that are open")
        .seen_in("anthropics/claude-code#1237")
        .by(Wrong::Requests(leave_calls_open)),
    fault("play/loses-a-parallel-result", "engine/every-use-answered")
        .that("keeps all results of parallel calls but one")
        .seen_in("anthropics/claude-code#45286")
        .by(Wrong::Requests(lose_parallel_results)),
    fault("play/runs-a-rejected-tool", "engine/every-use-answered")
        .that("adds the result of a tool to the rejection of its call")
        .by(Wrong::Requests(|_, turns| run_rejected_tools(turns))),
    fault("play/answers-in-the-order-of-keys", "engine/deterministic")
        .that("keeps the results of parallel calls in a map, and sends them in the order of its keys")
        .by(Wrong::Log(|moments| {
            if is_second_time() {
                change_requests(moments, |_, turns| turns.iter_mut().for_each(turn_results));
            }
        })),
    fault("play/takes-the-last-input-first", "engine/queue-order")
        .that("takes the last input from the queue first")
        .by(Wrong::Log(take_the_last_first)),
    fault("play/loses-waiting-input-at-an-interrupt", "engine/queue-order")
        .that("forgets what was typed in the middle of a turn when the turn is interrupted")
        .seen_in("anthropics/claude-code changelog 2.1.97")
        .by(Wrong::Log(lose_waiting_input)),
    fault("play/hides-waiting-input", "engine/queue-order")
        .that("sends what was typed in the middle of a turn as a note that nobody sees")
        .by(Wrong::Log(|moments| {
            let queued = queued(moments);
            change_yielded(moments, |message| {
                if queued.contains(text(message, "uuid")) {
                    message["isMeta"] = Value::Bool(true);
                }
            })
        })),
    fault("play/loses-the-image-of-waiting-input", "engine/queue-order")
        .that("drops the image that was pasted in the middle of a turn")
        .seen_in("anthropics/claude-code changelog 2.1.105")
        .by(Wrong::Log(|moments| {
            let queued = queued(moments);
            change_yielded(moments, |message| {
                if queued.contains(text(message, "uuid"))
                    && let Some(blocks) = blocks_mut(message)
                {
                    blocks.retain(|block| kind(block) != "image");
                }
            })
        })),
    fault("play/summary-after-the-reply", "engine/summary-late")
        .that("yields a summary only when the next reply has begun")
        .by(Wrong::Log(summarize_late)),
    fault("play/shows-a-failed-summary", "engine/summary-late")
        .that("yields an empty summary when it failed")
        .by(Wrong::Log(|moments| {
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
        })),
];

/// Drops the results that the loop itself makes.
fn leave_calls_open(messages: &mut Vec<Value>, turns: &mut Vec<Value>) {
    let is_made = |block: &Value| text(block, "content") == MISSING_TOOL_RESULT && is(block, "is_error");
    drop_results(messages, is_made);
    drop_results(turns, is_made);
}

/// Drops the last one of several results in a turn.
fn lose_parallel_results(messages: &mut Vec<Value>, turns: &mut Vec<Value>) {
    let mut lost: HashSet<String> = HashSet::new();
    for turn in turns.iter() {
        if let [_, .., last] = &blocks(turn).iter().filter_map(result_id).collect::<Vec<_>>()[..] {
            lost.insert((*last).to_owned());
        }
    }
    let is_lost = |block: &Value| result_id(block).is_some_and(|id| lost.contains(id));
    drop_results(messages, is_lost);
    drop_results(turns, is_lost);
}

/// Adds a second result to each rejection by a person.
fn run_rejected_tools(turns: &mut [Value]) {
    let is_rejection = |block: &&Value| {
        let said = text(block, "content");
        result_id(block).is_some() && (said == REJECT || said.starts_with(REJECT_WITH_REASON_PREFIX))
    };
    for blocks in turns.iter_mut().filter_map(blocks_mut) {
        let rejected: Vec<Value> = blocks.iter().filter(is_rejection).cloned().collect();
        blocks.extend(rejected.into_iter().map(|mut block| {
            block["content"] = json!("done");
            block
        }));
    }
}

/// Reverses the results of a turn.
fn turn_results(turn: &mut Value) {
    let blocks = blocks_mut(turn).map(Vec::as_mut_slice).unwrap_or_default();
    let results = blocks.iter().take_while(|block| kind(block) == "tool_result").count();
    blocks.get_mut(..results).unwrap_or_default().reverse();
}

/// Reverses each run of inputs that join one after the other.
fn take_the_last_first(moments: &mut Vec<Moment>) {
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
}

/// Drops the inputs that join after an interruption.
fn lose_waiting_input(moments: &mut Vec<Moment>) {
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
}

/// Moves each summary behind the first message of the next reply.
fn summarize_late(moments: &mut Vec<Moment>) {
    let is_of = |moment: &Moment, name: &str| match moment {
        Moment::Yielded(Plain { value, .. }) => kind(value) == name,
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
}
