//! Unread faults in the *loop* of a conversation.

use std::collections::{HashMap, HashSet, VecDeque};

use turnproof::message::constants::INTERRUPTION_FOR_TOOL_USE;
use turnproof::operation::{Moment, Plain, Played, Value};
use turnproof_rules::json;

use super::super::super::log::{change_written, queued};
use super::super::super::walk::{blocks, blocks_mut, is, is_of, kind, remove, text, text_block, words};
use super::super::super::wrong::Wrong;
use super::{Unread, unread};

pub(super) const UNREAD: &[Unread] = &[
    unread(
        "play/unread-third-plan-as-reason",
        "2.2: the text of a rejected plan is `plan rejected`, then the plan",
        "tells a rejected plan as a reason of the user",
        Wrong::Inputs(|inputs| {
            each_input(inputs, "deny", |deny| {
                if let Some(plan) = deny["denial"].get("plan").cloned() {
                    deny["denial"] = json!({});
                    deny["denial"]["user_with_reason"] = plan;
                }
            });
        }),
    ),
    unread(
        "play/unread-third-resumes-to-the-last-speaker",
        "5.8: after a crash all comes back that was live and has a whole line on disk",
        "ends a resumed conversation at the last prompt or reply, without the notices and attachments behind it",
        Wrong::Resumed(|list| {
            let last = list.iter().rposition(|message| matches!(kind(message), "user" | "assistant"));
            list.truncate(last.map_or(list.len(), |last| last + 1));
        }),
    ),
    unread(
        "play/unread-third-interrupted-without-error",
        "5.3: each open call gets the text of the interruption as its result, with is_error true",
        "makes the results of an interruption without is_error",
        Wrong::Played(|played| {
            everywhere(played, |message| {
                for block in blocks_mut(message).into_iter().flatten() {
                    if kind(block) == "tool_result" && block["content"] == INTERRUPTION_FOR_TOOL_USE {
                        remove(block, "is_error");
                    }
                }
            });
        }),
    ),
    unread(
        "play/unread-third-notice-before-results",
        "5.3: each open call gets its result right before the notice",
        "shows the notice of an interruption before the results that it makes",
        Wrong::Log(|moments| {
            let is_result =
                |message: &Value| blocks(message).iter().any(|block| block["content"] == INTERRUPTION_FOR_TOOL_USE);
            let is_notice = |message: &Value| words(message).any(|words| words == INTERRUPTION_FOR_TOOL_USE);
            for at in 1..moments.len() {
                let is_due = said(&moments[at]).is_some_and(is_notice) && said(&moments[at - 1]).is_some_and(is_result);
                if is_due {
                    moments.swap(at - 1, at);
                }
            }
        }),
    ),
    unread(
        "play/unread-third-joins-prompts",
        "5.4: each waiting input is a message of its own",
        "makes one prompt of what was typed in a row",
        Wrong::Inputs(|inputs| {
            inputs.dedup_by(|next, last| match (next.get("type"), last.get("type")) {
                (Some(Value::String(next)), Some(Value::String(before))) => {
                    let both = format!("{before}\n{next}");
                    last["type"] = both.into();
                    true
                }
                _ => false,
            });
        }),
    ),
    unread(
        "play/unread-third-queue-without-images",
        "5.4: each is a message of its own, with all that was typed, images included",
        "loses the images of what waited in the queue",
        Wrong::Played(|played| {
            let waited = queued(&played.moments);
            everywhere(played, |message| {
                if waited.contains(text(message, "uuid")) {
                    blocks_mut(message).into_iter().for_each(|all| all.retain(|block| kind(block) != "image"));
                }
            });
        }),
    ),
    unread(
        "play/unread-third-dequeue-with-content",
        "5.4: dequeue says that the first input was taken out, and has no content",
        "writes into a dequeue what was taken out",
        Wrong::Written(|records| {
            let mut waiting = VecDeque::new();
            for record in records.iter_mut().filter(|record| kind(record) == "queue-operation") {
                match text(record, "operation") {
                    "enqueue" => waiting.push_back(record["content"].clone()),
                    "dequeue" => record["content"] = waiting.pop_front().unwrap_or_default(),
                    _ => {}
                }
            }
        }),
    ),
    unread(
        "play/unread-third-dequeues-as-removal",
        "5.4: remove is for what was taken out without being sent",
        "writes `remove` when a waiting input joins",
        Wrong::WrittenEach(|record| {
            if kind(record) == "queue-operation" && text(record, "operation") == "dequeue" {
                record["operation"] = json!("remove");
            }
        }),
    ),
    unread(
        "play/unread-third-tells-failed-summaries",
        "5.5: if a summary fails, nobody hears of it",
        "shows a notice when the summary of calls fails",
        Wrong::Log(|moments| {
            let failed = (0..moments.len()).rev().filter(|&at| matches!(moments[at], Moment::SummaryFailed(_)));
            for at in failed.collect::<Vec<_>>() {
                let notice = json!({"type": "system", "subtype": "informational", "level": "warning",
                    "content": "The calls could not be summed up", "timestamp": "2026-01-01T00:00:00.000Z",
                    "uuid": format!("5a11ed00-0000-4000-8000-{at:012}")});
                moments.splice(at + 1..at + 1, Plain::read(&notice.to_string()).ok().map(Moment::Yielded));
            }
        }),
    ),
    unread(
        "play/unread-third-summary-after-the-reply",
        "5.5: a summary is yielded before the first message of the next reply",
        "yields the summary of calls after the first message of the next reply",
        Wrong::Log(|moments| delay(moments, |message| kind(message) == "tool_use_summary", is_reply)),
    ),
    unread(
        "play/unread-third-requests-without-meta",
        "5.6: a request says every text of each live user message",
        "leaves meta messages out of the turns",
        Wrong::Requests(|messages, turns| {
            let meta = messages.iter().filter(|message| is(message, "isMeta"));
            let meta: HashSet<String> = meta.flat_map(words).map(str::to_owned).collect();
            for all in turns.iter_mut().filter(|turn| is_of(turn, "user")).filter_map(blocks_mut) {
                all.retain(|block| kind(block) != "text" || !meta.contains(text(block, "text")));
            }
        }),
    ),
    unread(
        "play/unread-third-retry-says-twice",
        "5.6: no prompt is said more often than it was given, also when a request is sent again",
        "says the last prompt once more when a request is sent again",
        Wrong::Log(|moments| {
            let mut is_retry = false;
            for moment in moments.iter_mut() {
                is_retry |= said(moment).is_some_and(self::is_retry);
                if let Moment::Requested { turns, .. } = moment {
                    let last = turns.value.as_array_mut().and_then(|turns| turns.last_mut()).and_then(blocks_mut);
                    if let Some(all) = last.filter(|_| std::mem::take(&mut is_retry)) {
                        all.extend(all.iter().rfind(|block| kind(block) == "text").cloned());
                    }
                }
            }
        }),
    ),
    unread(
        "play/unread-third-supersedes-the-last",
        "5.6: the message that takes their place names the withdrawn lines in supersedesUuids",
        "names only the last withdrawn line in supersedesUuids",
        Wrong::Played(|played| {
            everywhere(played, |message| {
                if let Some(named) = message.get_mut("supersedesUuids").and_then(Value::as_array_mut) {
                    named.drain(..named.len().saturating_sub(1));
                }
            });
        }),
    ),
    unread(
        "play/unread-third-says-what-was-compacted",
        "5.7: nothing but the boundary, the summary and what was kept is live after a compaction",
        "says the prompt before a compaction once more in the next request",
        Wrong::Log(|moments| {
            let (mut last, mut lost) = (None, None);
            for moment in moments.iter_mut() {
                match moment {
                    Moment::Joined { uuid, .. } => last = Some(uuid.clone()),
                    Moment::Compacted(list) => {
                        let is_kept = |uuid: &String| list.elements().iter().any(|one| text(one, "uuid") == uuid);
                        lost = last.take().filter(|uuid| !is_kept(uuid));
                    }
                    _ => {}
                }
            }
            let Some(lost) = lost else { return };
            let told = moments.iter().filter_map(said).find(|message| text(message, "uuid") == lost);
            let told: Vec<Value> = told.into_iter().flat_map(words).map(text_block).collect();
            let compacted = moments.iter().rposition(|moment| matches!(moment, Moment::Compacted(_)));
            for moment in moments.iter_mut().skip(compacted.unwrap_or_default()) {
                if let Moment::Requested { turns, .. } = moment {
                    let first = turns.value.as_array_mut().and_then(|turns| turns.first_mut()).and_then(blocks_mut);
                    first.into_iter().for_each(|all| all.extend(told.clone()));
                }
            }
        }),
    ),
    unread(
        "play/unread-third-kind-of-large-requests",
        "5.9: request_too_large is of the kind invalid_request",
        "takes the type of the API's error for its kind when a request is too large",
        Wrong::Played(|played| {
            everywhere(played, |message| {
                if text(message, "errorDetails").contains("request_too_large") {
                    message["apiError"] = json!("request_too_large");
                    message["error"] = json!("request_too_large");
                }
            });
        }),
    ),
    unread(
        "play/unread-third-details-as-data",
        "5.9: apiError and errorDetails are strings",
        "gives the details of an error as data, not as JSON text",
        Wrong::Played(|played| {
            everywhere(played, |message| {
                if let Ok(details) = Plain::read(text(message, "errorDetails")) {
                    message["errorDetails"] = details.into_value();
                }
            });
        }),
    ),
    unread(
        "play/unread-third-retries-of-the-session",
        "5.9: a new request and a fallback count from 1 again",
        "counts the tries of all requests of a session together",
        Wrong::Played(|played| {
            let notices = played.moments.iter().filter_map(said).filter(|message| is_retry(message));
            let notices = notices.map(|message| text(message, "uuid").to_owned());
            let tries: HashMap<String, u64> = notices.zip(1..).collect();
            everywhere(played, |message| {
                if let Some(&tries) = tries.get(text(message, "uuid")) {
                    message["retryAttempt"] = tries.into();
                }
            });
        }),
    ),
    unread(
        "play/unread-third-trims-prompts",
        "5.1: what is typed is in the log, word for word",
        "takes white space away from both ends of what is typed",
        Wrong::Inputs(|inputs| {
            for typed in inputs.iter_mut().filter_map(|input| input.get_mut("type")) {
                if let Some(trimmed) = typed.as_str().map(|typed| typed.trim().to_owned()) {
                    *typed = trimmed.into();
                }
            }
        }),
    ),
    unread(
        "play/unread-third-clears-the-file",
        "5.10: the lines on disk keep what the tools gave",
        "clears the lines of the file too when it clears old results",
        Wrong::Written(|records| {
            for at in 0..records.len() {
                let cleared = records[at].pointer("/microcompactMetadata/compactedToolIds").cloned();
                let Some(Value::Array(cleared)) = cleared else { continue };
                for block in records[..at].iter_mut().filter_map(blocks_mut).flatten() {
                    if kind(block) == "tool_result" && cleared.contains(&block["tool_use_id"]) {
                        block["content"] = json!("[cleared]");
                    }
                }
            }
        }),
    ),
];

/// Changes what each input of this name says.
pub(super) fn each_input(inputs: &mut [Value], name: &str, change: fn(&mut Value)) {
    inputs.iter_mut().filter_map(|input| input.get_mut(name)).filter(|said| said.is_object()).for_each(change);
}

/// What a moment yields.
pub(super) fn said(moment: &Moment) -> Option<&Value> {
    if let Moment::Yielded(message) = moment { Some(&message.value) } else { None }
}

pub(super) fn is_reply(message: &Value) -> bool {
    kind(message) == "assistant"
}

pub(super) fn is_start(message: &Value) -> bool {
    kind(message) == "stream_request_start"
}

pub(super) fn is_retry(message: &Value) -> bool {
    text(message, "subtype") == "api_error"
}

/// Changes each message wherever it stands: in what is yielded, in the lists of the log, in the file.
pub(super) fn everywhere(played: &mut Played, change: impl Fn(&mut Value)) {
    for moment in &mut played.moments {
        match moment {
            Moment::Yielded(message) | Moment::Amended(message) => change(&mut message.value),
            Moment::Requested { messages: list, .. }
            | Moment::Compacted(list)
            | Moment::Resumed(list)
            | Moment::Forked(list) => {
                list.value.as_array_mut().into_iter().flatten().for_each(&change);
            }
            _ => {}
        }
    }
    change_written(&mut played.moments, &mut played.transcript, |records| records.iter_mut().for_each(&change));
}

/// Yields some messages only after the next one for which `comes_first` holds.
pub(super) fn delay(moments: &mut Vec<Moment>, is_late: fn(&Value) -> bool, comes_first: fn(&Value) -> bool) {
    let mut waiting = Vec::new();
    for moment in std::mem::take(moments) {
        if said(&moment).is_some_and(is_late) {
            waiting.push(moment);
            continue;
        }
        let is_first = said(&moment).is_some_and(comes_first);
        moments.push(moment);
        if is_first {
            moments.append(&mut waiting);
        }
    }
    moments.append(&mut waiting);
}
