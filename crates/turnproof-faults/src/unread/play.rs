//! Unread faults in the *loop*: what it yields, sends, compacts and resumes.

use std::collections::HashSet;
use std::sync::atomic::{AtomicU64, Ordering};

use turnproof::operation::Moment;
use turnproof::operation::Value;
use turnproof_rules::json;

use super::super::log::{drop_messages, result_id};
use super::super::walk::{blocks, blocks_mut, is, kind, last_of, lists, remove, text, text_block, words};
use super::super::wrong::Wrong;
use super::moments::{
    cleared, each_text, everywhere, for_turns, in_lists, is_interrupted, is_notice, is_short, is_yielded,
};
use super::{Unread, unread};

pub(super) const UNREAD: &[Unread] = &[
    unread(
        "play/unread-counts-its-errors",
        "5.2: the same inputs in the same order give the same messages",
        "numbers its errors of the API over all sessions of a process",
        Wrong::Played(|played| {
            static ERRORS: AtomicU64 = AtomicU64::new(0);
            let number = ERRORS.fetch_add(1, Ordering::Relaxed);
            everywhere(played, |message| {
                if is(message, "isApiErrorMessage") {
                    each_text(message, |said| format!("{said} ({number})"));
                }
            });
        }),
    ),
    unread(
        "play/unread-interrupted-is-no-error",
        "5.3: each open call gets the text as its result, with is_error: true",
        "does not mark the result of an interrupted call as an error",
        Wrong::Played(|played| {
            everywhere(played, |message| {
                for block in blocks_mut(message).into_iter().flatten().filter(|block| is_interrupted(block)) {
                    block["is_error"] = false.into();
                }
            });
            for_turns(played, |turns| {
                super::super::walk::each(turns, "user", |block| {
                    if is_interrupted(block) {
                        block["is_error"] = false.into();
                    }
                });
            });
        }),
    ),
    unread(
        "play/unread-interrupted-in-other-words",
        "5.3: the text of the interruption for tool use as its result; 2.2",
        "gives an interrupted call the text of an interruption without a tool",
        Wrong::Played(|played| {
            let change = |message: &mut Value| {
                for block in blocks_mut(message).into_iter().flatten().filter(|block| is_interrupted(block)) {
                    block["content"] = "[Request interrupted by user]".into();
                }
            };
            everywhere(played, change);
            for_turns(played, |turns| turns.iter_mut().for_each(change));
        }),
    ),
    unread(
        "play/unread-notice-before-the-results",
        "5.3: right before the notice",
        "yields the notice of an interruption before the results of the calls",
        Wrong::Played(|played| {
            in_lists(played, |list| {
                for at in 1..list.len() {
                    if is_notice(&list[at]) && blocks(&list[at - 1]).iter().any(is_interrupted) {
                        list.swap(at, at - 1);
                    }
                }
            });
            let moments = &mut played.moments;
            for at in 1..moments.len() {
                let is_result = |message: &Value| blocks(message).iter().any(is_interrupted);
                if is_yielded(&moments[at], is_notice) && is_yielded(&moments[at - 1], is_result) {
                    moments.swap(at, at - 1);
                }
            }
        }),
    ),
    unread(
        "play/unread-one-call-is-interrupted",
        "5.3: each open call; the loop makes the missing results itself, so the live messages have them",
        "answers one open call alone when the user interrupts, and the others in the request",
        Wrong::Played(|played| {
            let mut before = HashSet::new();
            let mut gone = HashSet::new();
            for moment in &played.moments {
                if let Moment::Yielded(message) = moment {
                    let message = &message.value;
                    if blocks(message).iter().any(is_interrupted) {
                        let source = text(message, "timestamp").get(..16).unwrap_or_default().to_owned();
                        if !before.insert(source) {
                            gone.insert(text(message, "uuid").to_owned());
                        }
                    }
                }
            }
            drop_messages(&mut played.moments, &gone);
        }),
    ),
    unread(
        "play/unread-long-results-are-cut",
        "5.3: exactly one result: it is the tool's own",
        "sends the first thousand characters of a tool's result",
        Wrong::Requests(|_, turns| {
            super::super::walk::each(turns, "user", |block| {
                if kind(block) == "tool_result" && text(block, "content").chars().count() > 1000 {
                    block["content"] = text(block, "content").chars().take(1000).collect::<String>().into();
                }
            });
        }),
    ),
    unread(
        "play/unread-failures-are-successes",
        "5.3: it is the tool's own",
        "sends the result of a tool that failed as one that did not",
        Wrong::Requests(|_, turns| super::super::walk::each(turns, "user", |block| remove(block, "is_error"))),
    ),
    unread(
        "play/unread-reason-of-a-rejection",
        "5.1 and 2.2: reject with a reason: this, then what the user said",
        "leaves out the reason that the user gave for a rejection",
        Wrong::Played(|played| {
            let change = |message: &mut Value| {
                for block in blocks_mut(message).into_iter().flatten().filter(|block| kind(block) == "tool_result") {
                    if let Some((words, _)) = text(block, "content").split_once("the user said:\n") {
                        block["content"] = format!("{words}the user said:\n").into();
                    }
                }
            };
            everywhere(played, change);
            for_turns(played, |turns| turns.iter_mut().for_each(change));
        }),
    ),
    unread(
        "play/unread-third-call-is-forgotten",
        "5.3: each earlier call has exactly one result, in the user turn right after it",
        "sends the results of the first two calls of a reply alone",
        Wrong::Requests(|_, turns| {
            lists(turns, "user", |blocks| {
                let mut results = 0;
                blocks.retain(|block| {
                    results += usize::from(kind(block) == "tool_result");
                    kind(block) != "tool_result" || results <= 2
                });
            });
        }),
    ),
    unread(
        "play/unread-summary-twice",
        "5.5: a small model may write one line on a group of calls",
        "yields the line on a group of calls again with the next request",
        Wrong::Log(|moments| {
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
        }),
    ),
    unread(
        "play/unread-summary-after-the-reply",
        "5.5: it is yielded after the results and before the first message of the next reply",
        "yields the line on a group of calls behind the first message of the next reply",
        Wrong::Log(|moments| {
            let is_line =
                |moment: &Moment| matches!(moment, Moment::Yielded(event) if kind(&event.value) == "tool_use_summary");
            let is_reply =
                |moment: &Moment| matches!(moment, Moment::Yielded(event) if kind(&event.value) == "assistant");
            for at in (0..moments.len()).rev().filter(|&at| is_line(&moments[at])).collect::<Vec<_>>() {
                if let Some(behind) = moments[at..].iter().position(is_reply) {
                    moments[at..=at + behind].rotate_left(1);
                }
            }
        }),
    ),
    unread(
        "play/unread-summary-of-a-failure",
        "5.5: if it fails, nobody hears of it",
        "yields a line that says that there is none",
        Wrong::Log(|moments| {
            let mut all = Vec::new();
            for moment in moments.drain(..) {
                let calls = if let Moment::SummaryFailed(calls) = &moment { Some(calls.clone()) } else { None };
                all.push(moment);
                let line = |calls| {
                    json!({"type": "tool_use_summary", "uuid": "99999999-0000-4000-8000-00000000aaaa",
                    "timestamp": "2025-01-01T00:00:00.000Z", "summary": "No summary", "precedingToolUseIds": calls})
                };
                all.extend(calls.map(|calls: Vec<String>| Moment::Yielded(line(calls).into())));
            }
            *moments = all;
        }),
    ),
    unread(
        "play/unread-request-waits-for-the-summary",
        "5.5: the request does not wait for it",
        "sends the next request when the line on a group of calls is there",
        Wrong::Log(|moments| {
            for at in (0..moments.len()).rev() {
                let is_line =
                    matches!(&moments[at], Moment::Yielded(event) if kind(&event.value) == "tool_use_summary");
                let request = moments[..at].iter().rposition(|moment| matches!(moment, Moment::Requested { .. }));
                if let Some(request) = request.filter(|_| is_line) {
                    let line = moments.remove(at);
                    moments.insert(request, line);
                }
            }
        }),
    ),
    unread(
        "play/unread-first-text-of-a-prompt",
        "5.6: a request says every text of each live user message",
        "sends the first text of a prompt of several",
        Wrong::Requests(|messages, turns| {
            let second: HashSet<String> = messages
                .iter()
                .filter(|message| kind(message) == "user")
                .flat_map(|message| words(message).skip(1).map(str::to_owned).collect::<Vec<_>>())
                .collect();
            super::super::walk::retain(turns, "user", |block| !second.contains(text(block, "text")));
        }),
    ),
    unread(
        "play/unread-meta-is-not-sent",
        "5.6: every text of each live user message, but for messages that are hidden from the model",
        "sends no meta message",
        Wrong::Requests(|messages, turns| {
            let meta: HashSet<String> = messages
                .iter()
                .filter(|message| kind(message) == "user" && is(message, "isMeta"))
                .flat_map(|message| words(message).map(str::to_owned).collect::<Vec<_>>())
                .collect();
            super::super::walk::retain(turns, "user", |block| !meta.contains(text(block, "text")));
            lists(turns, "user", |blocks| {
                if blocks.is_empty() {
                    blocks.push(text_block("(no content)"));
                }
            });
        }),
    ),
    unread(
        "play/unread-withdrawn-is-sent",
        "5.6: it says no text and no call of a withdrawn message",
        "sends the text of a withdrawn message with the next request",
        Wrong::Log(|moments| {
            let mut withdrawn: Option<Value> = None;
            for moment in moments {
                match moment {
                    Moment::Yielded(event) if kind(&event.value) == "tombstone" => {
                        let said = blocks(&event.value["message"]).iter().find(|block| kind(block) == "text").cloned();
                        withdrawn = withdrawn.or(said);
                    }
                    Moment::Requested { turns, .. } => {
                        if let (Some(turns), Some(said)) = (turns.value.as_array_mut(), &withdrawn)
                            && let Some(reply) = last_of(turns, "assistant").and_then(blocks_mut)
                        {
                            reply.insert(0, said.clone());
                        }
                    }
                    _ => {}
                }
            }
        }),
    ),
    unread(
        "play/unread-withdrawn-comes-back",
        "5.6: a message that a tombstone withdrew is in no resumed session",
        "brings back what was withdrawn when the session is resumed",
        Wrong::Log(|moments| {
            let mut withdrawn = Vec::new();
            for moment in moments {
                match moment {
                    Moment::Yielded(event) if kind(&event.value) == "tombstone" => {
                        withdrawn.push(event.value["message"].clone());
                    }
                    Moment::Resumed(list) => list.value.as_array_mut().into_iter().for_each(|list| {
                        let at = list.len().min(1);
                        list.splice(at..at, withdrawn.iter().cloned());
                    }),
                    _ => {}
                }
            }
        }),
    ),
    unread(
        "play/unread-compacted-comes-back",
        "5.7: what a compaction took away is in no session that is resumed after it (claude-code#14462)",
        "brings back the first prompt when a compacted session is resumed",
        Wrong::Log(|moments| {
            let mut first = None;
            let mut is_compacted = false;
            for moment in moments {
                match moment {
                    Moment::Yielded(event) if kind(&event.value) == "user" && first.is_none() => {
                        first = Some(event.value.clone());
                    }
                    Moment::Compacted(list) => {
                        let is_first =
                            |message: &Value| Some(&message["uuid"]) == first.as_ref().map(|one| &one["uuid"]);
                        is_compacted = !list.elements().iter().any(is_first);
                    }
                    Moment::Resumed(list) if is_compacted => {
                        if let (Some(list), Some(first)) = (list.value.as_array_mut(), &first) {
                            list.insert(0, first.clone());
                        }
                    }
                    _ => {}
                }
            }
        }),
    ),
    unread(
        "play/unread-summary-is-lost",
        "5.8: after a compaction that is the boundary, the summary, what was kept and what came after",
        "resumes a compacted session without its summary",
        Wrong::Resumed(|list| list.retain(|message| !is(message, "isCompactSummary"))),
    ),
    unread(
        "play/unread-last-message-is-lost",
        "5.8: after a crash all comes back that was live and has a whole line on disk",
        "loses the last message when it resumes more than four",
        Wrong::Resumed(|list| {
            if list.len() > 4 {
                list.pop();
            }
        }),
    ),
    unread(
        "play/unread-results-come-back-alone",
        "5.8: each message once and in order (claude-code#31330)",
        "resumes a reply of several calls with the first result alone",
        Wrong::Resumed(|list| {
            let mut has_result = false;
            list.retain(|message| {
                let is_result = blocks(message).iter().any(|block| kind(block) == "tool_result");
                let stays = !is_result || !has_result;
                has_result = is_result || (has_result && kind(message) != "assistant");
                stays
            });
        }),
    ),
    unread(
        "play/unread-two-prompts-change-places",
        "5.8: each message once and in order",
        "resumes two prompts that follow each other in the wrong order",
        Wrong::Resumed(|list| {
            let is_prompt = |message: &Value| kind(message) == "user" && blocks(message).is_empty();
            for at in 1..list.len() {
                if is_prompt(&list[at]) && is_prompt(&list[at - 1]) {
                    list.swap(at, at - 1);
                }
            }
        }),
    ),
    unread(
        "play/unread-overloaded-is-a-limit",
        "5.9: server_error: api_error, overloaded_error, timeout_error",
        "calls an overloaded server a rate_limit",
        Wrong::Played(|played| {
            everywhere(played, |message| {
                if text(message, "apiError") == "server_error" {
                    message["apiError"] = "rate_limit".into();
                    message["error"] = "rate_limit".into();
                }
            });
        }),
    ),
    unread(
        "play/unread-details-as-an-object",
        "5.9: errorDetails: the body of the API's answer as JSON text; both are strings",
        "keeps the body of an error as an object",
        Wrong::Played(|played| {
            everywhere(played, |message| {
                if let Some(body) = message.get("errorDetails").and_then(Value::as_str)
                    && let Ok(body) = serde_json::from_str::<Value>(body)
                {
                    message["errorDetails"] = body;
                }
            });
        }),
    ),
    unread(
        "play/unread-error-in-words",
        "5.9: `error` repeats the kind",
        "says in `error` the words that people read",
        Wrong::Played(|played| {
            everywhere(played, |message| {
                if is(message, "isApiErrorMessage") {
                    let said = words(message).next().unwrap_or_default().to_owned();
                    message["error"] = said.into();
                }
            });
        }),
    ),
    unread(
        "play/unread-no-details-without-an-answer",
        "5.9: errorDetails: or what is wrong with the connection; a string that is not empty",
        "says nothing in errorDetails where there was no answer",
        Wrong::Played(|played| {
            everywhere(played, |message| {
                if text(message, "apiError") == "unknown" {
                    message["errorDetails"] = "".into();
                }
            });
        }),
    ),
    unread(
        "play/unread-errors-of-the-model",
        "5.9: an error is an assistant message that no model made; 2.1.2: model <synthetic>",
        "writes an error under the name of the model that was asked",
        Wrong::Played(|played| {
            everywhere(played, |message| {
                if is(message, "isApiErrorMessage") {
                    message["message"]["model"] = "m1".into();
                }
            });
        }),
    ),
    unread(
        "play/unread-cleared-comes-back",
        "5.10: what was cleared stays cleared after a resume",
        "brings back the content of cleared results when the session is resumed",
        Wrong::Log(|moments| {
            let mut given: Vec<Value> = Vec::new();
            for moment in moments {
                match moment {
                    Moment::Yielded(event) if kind(&event.value) == "user" => {
                        given.extend(blocks(&event.value).iter().filter(|block| result_id(block).is_some()).cloned());
                    }
                    Moment::Resumed(list) | Moment::Requested { messages: list, .. } => {
                        for block in list.value.as_array_mut().into_iter().flatten().filter_map(blocks_mut).flatten() {
                            let old = given.iter().find(|old| old["tool_use_id"] == block["tool_use_id"]);
                            if let Some(old) = old.filter(|_| result_id(block).is_some()) {
                                block["content"] = old["content"].clone();
                            }
                        }
                    }
                    _ => {}
                }
            }
        }),
    ),
    unread(
        "play/unread-clearing-takes-the-error-too",
        "5.10: a microcompaction takes the content out of old results, and nothing else",
        "makes a cleared result one that is no error",
        Wrong::Played(|played| {
            let cleared = cleared(played);
            let change = |message: &mut Value| {
                for block in blocks_mut(message).into_iter().flatten() {
                    if result_id(block).is_some_and(|id| cleared.contains(id)) && is_short(block) {
                        remove(block, "is_error");
                    }
                }
            };
            in_lists(played, |list| list.iter_mut().for_each(change));
            for_turns(played, |turns| turns.iter_mut().for_each(change));
        }),
    ),
    unread(
        "play/unread-boundary-names-no-calls",
        "5.10: a boundary names the calls in microcompactMetadata.compactedToolIds",
        "names no call in the boundary of a microcompaction",
        Wrong::Played(|played| {
            everywhere(played, |message| {
                if let Some(ids) = message.pointer_mut("/microcompactMetadata/compactedToolIds") {
                    *ids = json!([]);
                }
            });
        }),
    ),
];
