//! Faults in what a loop *reports*: interruptions, what waits, errors, and what was cleared.

use std::collections::{HashMap, HashSet};

use turnproof_reference::message::constants::{INTERRUPTION_FOR_TOOL_USE, MISSING_TOOL_RESULT};
use turnproof_rules::operation::{Moment, Value};

use super::log::{change_messages, result_id, yielded};
use super::walk::{blocks, blocks_mut, is, kind, list, remove, text};
use super::{Fault, Wrong, fault};

pub(super) const FAULTS: &[Fault] = &[
    fault("play/writes-the-placeholder-at-an-interrupt", "engine/interrupted-not-lost")
        .that("answers the calls that an interruption leaves open as if their results were lost")
        .by(Wrong::Log(|moments| {
            each_yielded(moments, |message| {
                let results = blocks_mut(message).into_iter().flatten().filter(|block| result_id(block).is_some());
                for result in results.filter(|result| text(result, "content") == INTERRUPTION_FOR_TOOL_USE) {
                    result["content"] = Value::from(MISSING_TOOL_RESULT);
                }
            });
        })),
    fault("play/does-not-record-the-queue", "engine/queue-recorded")
        .that("keeps what waits in memory alone, so that a crash loses what was typed")
        .by(Wrong::Log(|moments| each_queue_record(moments, |_| false))),
    fault("play/records-the-queue-without-content", "engine/queue-recorded")
        .that("writes that something was put into the queue, and not what")
        .by(Wrong::Log(|moments| {
            each_queue_record(moments, |record| {
                remove(record, "content");
                true
            });
        })),
    fault("play/records-only-what-is-put-in", "engine/queue-recorded")
        .that("does not write that something was taken out of the queue")
        .by(Wrong::Log(|moments| each_queue_record(moments, |record| text(record, "operation") == "enqueue"))),
    fault("play/records-the-queue-without-times", "engine/queue-recorded")
        .that("writes records of the queue that have no time")
        .by(Wrong::Log(|moments| {
            each_queue_record(moments, |record| {
                remove(record, "timestamp");
                true
            });
        })),
    fault("play/takes-out-what-never-waited", "engine/queue-recorded")
        .that("writes that the first prompt was taken out of the queue, in which it never was")
        .by(Wrong::Log(|moments| {
            const TAKEN: &str = r#"{"type":"queue-operation","operation":"dequeue","timestamp":"2026-01-01T00:00:00.000Z","sessionId":"s"}"#;
            for moment in moments {
                if let Moment::Requested { transcript, .. } = moment {
                    transcript.splice(0..0, [TAKEN.as_bytes(), b"\n"].concat());
                }
            }
        })),
    fault("play/shows-errors-without-a-kind", "engine/error-kind")
        .that("shows an error of the API as text alone")
        .by(Wrong::Log(|moments| each_error(moments, |error| remove(error, "apiError")))),
    fault("play/calls-every-error-invalid", "engine/error-kind")
        .that("shows each error of the API as a wrong request")
        .by(Wrong::Log(|moments| each_error(moments, |error| error["apiError"] = Value::from("invalid_request")))),
    fault("play/takes-every-error-for-the-limit", "engine/error-kind")
        .that("says of each error that the reply was too long")
        .by(Wrong::Log(|moments| each_error(moments, |error| error["apiError"] = Value::from("max_output_tokens")))),
    fault("play/shows-errors-without-details", "engine/error-kind")
        .that("does not keep what the API said about an error")
        .by(Wrong::Log(|moments| each_error(moments, |error| remove(error, "errorDetails")))),
    fault("play/resumes-with-what-was-cleared", "engine/cleared-stays-cleared")
        .that("brings back the results that a microcompaction has cleared, as their lines hold them")
        .by(Wrong::Log(|moments| {
            restore(moments, |moment| match moment {
                Moment::Resumed(list) | Moment::Forked(list) => list.value.as_array_mut(),
                _ => None,
            });
        })),
    fault("play/clears-the-newest-of-one-id", "engine/cleared-stays-cleared")
        .that("clears the newest of several results with one id when a session is resumed, and not the oldest")
        .by(Wrong::Log(|moments| {
            for moment in moments {
                if let Moment::Resumed(list) = moment {
                    list.value.as_array_mut().into_iter().for_each(|list| swap_cleared(list));
                }
            }
        })),
    fault("play/sends-what-was-cleared", "engine/cleared-stays-cleared")
        .that("writes the boundary of a microcompaction, and clears nothing")
        .by(Wrong::Log(|moments| {
            restore(moments, |moment| match moment {
                Moment::Requested { messages, .. } => messages.value.as_array_mut(),
                _ => None,
            });
        })),
    fault("play/knows-no-timeouts", "engine/error-kind")
        .that("shows an error of a timeout as one of which nothing is known")
        .by(Wrong::Log(|moments| {
            each_error(moments, |error| {
                if text(error, "errorDetails").contains("timeout_error") {
                    (error["apiError"], error["error"]) = ("unknown".into(), "unknown".into());
                }
            });
        })),
    fault("play/knows-no-error-in-a-stream", "engine/error-kind")
        .that("shows an error that came as an event of the stream as one of the server, in words of its own")
        .by(Wrong::Log(|moments| {
            let mut is_streamed = false;
            each_yielded(moments, |message| {
                is_streamed |= text(&message["event"], "type") == "error";
                if is(message, "isApiErrorMessage") && std::mem::take(&mut is_streamed) {
                    (message["apiError"], message["error"]) = ("server_error".into(), "server_error".into());
                    message["errorDetails"] = "the stream has ended".into();
                }
            });
        })),
    fault("play/passes-over-errors-in-a-stream", "engine/tells-all")
        .that("shows an error that came as an event of the stream, and waits for more events of it")
        .by(Wrong::Inputs(|inputs| {
            for input in inputs {
                if text(&input["stream"], "type") == "error" {
                    input["stream"]["type"] = "ping".into();
                }
            }
        })),
    fault("play/refuses-late-hooks", "engine/tells-all")
        .that("passes over a hook that runs when its call has its result")
        .by(Wrong::Inputs(|inputs| {
            let mut answered = HashSet::new();
            inputs.retain(|input| {
                answered.extend(input["result"]["call"].as_str().map(str::to_owned));
                !input["hook"]["call"].as_str().is_some_and(|call| answered.contains(call))
            });
        })),
    fault("play/boundary-names-a-guess", "engine/sound-chain")
        .that("names a virtual message in a boundary that comes right behind it")
        .by(Wrong::Played(|played| {
            let (mut last, mut named) = (None, HashMap::new());
            for message in played.moments.iter().filter_map(yielded) {
                match text(message, "subtype") {
                    "compact_boundary" => named.extend(Some(text(message, "uuid").to_owned()).zip(last.take())),
                    _ => last = Some(text(message, "uuid").to_owned()).filter(|_| is(message, "isVirtual")),
                }
            }
            change_messages(played, |message| {
                if let Some(guess) = named.get(text(message, "uuid")) {
                    message["logicalParentUuid"] = Value::from(guess.as_str());
                }
            });
        })),
];

fn each_yielded(moments: &mut [Moment], mut change: impl FnMut(&mut Value)) {
    for moment in moments {
        if let Moment::Yielded(message) = moment {
            change(&mut message.value);
        }
    }
}

/// Gives the first result of the id that a microcompaction names what the last one holds, and this one its content.
fn swap_cleared(list: &mut [Value]) {
    let Some(boundary) = list.iter().rposition(|message| text(message, "subtype") == "microcompact_boundary") else {
        return;
    };
    let Some(id) = list[boundary]["microcompactMetadata"]["compactedToolIds"][0].as_str().map(str::to_owned) else {
        return;
    };
    let of_id = |message: &Value| blocks(message).iter().position(|block| result_id(block) == Some(id.as_str()));
    let first = list[..boundary].iter().position(|message| of_id(message).is_some());
    let last = list[..boundary].iter().rposition(|message| of_id(message).is_some());
    if let (Some(first), Some(last)) = (first, last)
        && let (Some(a), Some(b)) = (of_id(&list[first]), of_id(&list[last]))
    {
        let content = |message: usize, block: usize| blocks(&list[message])[block]["content"].clone();
        let (old, new) = (content(first, a), content(last, b));
        for (message, block, content) in [(first, a, new), (last, b, old)] {
            if let Some(blocks) = blocks_mut(&mut list[message]) {
                blocks[block]["content"] = content;
            }
        }
    }
}

fn each_error(moments: &mut [Moment], change: fn(&mut Value)) {
    each_yielded(moments, |message| {
        if is(message, "isApiErrorMessage") {
            change(message);
        }
    });
}

/// Changes the records of the queue in each transcript, and drops those that are not kept.
fn each_queue_record(moments: &mut [Moment], keep: fn(&mut Value) -> bool) {
    let changed = |line: &[u8]| {
        let text = std::str::from_utf8(line).ok().filter(|line| line.contains("\"queue-operation\""));
        let record = text.and_then(|line| list(&format!("[{line}]"))?.into_iter().next());
        match record.filter(|record| kind(record) == "queue-operation") {
            Some(mut record) => {
                if keep(&mut record) {
                    format!("{record}\n").into_bytes()
                } else {
                    Vec::new()
                }
            }
            None => line.to_vec(),
        }
    };
    for moment in moments {
        if let Moment::Requested { transcript, .. } = moment {
            *transcript = transcript.split_inclusive(|byte| *byte == b'\n').flat_map(changed).collect();
        }
    }
}

/// Gives the results in some lists the content back with which they were yielded.
fn restore(moments: &mut [Moment], list_of: fn(&mut Moment) -> Option<&mut Vec<Value>>) {
    let mut said: HashMap<String, Value> = HashMap::new();
    for moment in moments {
        if let Moment::Yielded(message) = moment {
            let results = blocks(&message.value).iter();
            said.extend(results.filter_map(|block| Some((result_id(block)?.to_owned(), block["content"].clone()))));
        }
        for block in list_of(moment).into_iter().flatten().filter_map(blocks_mut).flatten() {
            if let Some(content) = result_id(block).and_then(|id| said.get(id)) {
                block["content"] = content.clone();
            }
        }
    }
}
