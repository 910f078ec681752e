//! Unread faults in the *loop*: what it yields, and in which order.

use std::collections::{HashMap, HashSet};

use turnproof::operation::Value;
use turnproof::operation::{Moment, Played};
use turnproof_rules::json;

use super::super::moments::{everywhere, for_turns, is_notice, is_yielded};
use super::{Unread, unread};
use crate::log::{drop_messages, result_id};
use crate::loop_file::Slip as Telling;
use crate::walk::{blocks, blocks_mut, is, kind, remove, text, words};
use crate::wrong::Wrong;

pub(super) const UNREAD: &[Unread] = &[
    unread(
        "play/unread-starts-of-later-requests-are-quiet",
        "5.12: each start of a request is yielded as stream_request_start",
        "tells of the start of a request only when a prompt has joined",
        Wrong::Log(|moments| {
            let mut has_joined = false;
            moments.retain(|moment| {
                has_joined |= matches!(moment, Moment::Joined { .. });
                !is_yielded(moment, |event| kind(event) == "stream_request_start") || std::mem::take(&mut has_joined)
            });
        }),
    ),
    unread(
        "play/unread-pings-are-quiet",
        "5.12: stream: a stream_event with the event",
        "yields no stream_event for a ping",
        Wrong::Told(Telling::Hides(|event| event.pointer("/event/type").is_some_and(|own| own == "ping"))),
    ),
    unread(
        "play/unread-meta-before-its-prompt",
        "5.12: prompts come each before the meta messages behind it",
        "yields a meta message before its prompt",
        Wrong::Log(|moments| {
            let is_meta = |event: &Value| kind(event) == "user" && is(event, "isMeta");
            for at in 1..moments.len() {
                let before = (0..at).rev().find(|&before| is_yielded(&moments[before], |_| true));
                if let Some(before) = before.filter(|_| is_yielded(&moments[at], is_meta))
                    && is_yielded(&moments[before], is_prompt)
                {
                    moments[before..=at].rotate_right(1);
                }
            }
        }),
    ),
    unread(
        "play/unread-commands-are-information",
        "5.12: command: a local_command",
        "tells what a command put out as a notice of information",
        Wrong::Played(|played| {
            everywhere(played, |message| {
                if text(message, "subtype") == "local_command" {
                    message["subtype"] = "informational".into();
                }
            });
        }),
    ),
    unread(
        "play/unread-attachments-lose-their-lists",
        "5.12: an attachment has each member as it was given",
        "keeps the texts and numbers of an attachment, and loses its lists",
        Wrong::Played(|played| {
            everywhere(played, |message| {
                let members = message.get_mut("attachment").and_then(Value::as_object_mut);
                members.into_iter().for_each(|members| members.retain(|_, member| !member.is_array()));
            });
        }),
    ),
    unread(
        "play/unread-all-hooks-are-of-afterwards",
        "5.12: an attachment and a hook result also name the event as hookEvent",
        "names PostToolUse as the event of a hook that ran before its tool",
        Wrong::Played(|played| {
            everywhere(played, |message| {
                for pointer in ["/hookEvent", "/attachment/hookEvent"] {
                    let event = message.pointer_mut(pointer).filter(|event| *event == "PreToolUse");
                    event.into_iter().for_each(|event| *event = "PostToolUse".into());
                }
            });
        }),
    ),
    unread(
        "play/unread-progress-once-in-a-row",
        "5.12: progress of the call, two for a subagent",
        "tells of progress once, until something else is told",
        Wrong::Log(|moments| {
            let is_progress = |event: &Value| kind(event) == "progress";
            let mut was_progress = false;
            moments.retain(|moment| {
                let is_again = was_progress && is_yielded(moment, is_progress);
                if is_yielded(moment, |_| true) {
                    was_progress = is_yielded(moment, is_progress);
                }
                !is_again
            });
        }),
    ),
    unread(
        "play/unread-progress-behind-its-result",
        "5.12: live output comes before the result",
        "tells of progress when the result has been told",
        Wrong::Log(|moments| {
            for at in (0..moments.len()).rev() {
                let next = (at + 1..moments.len()).find(|&next| is_yielded(&moments[next], |_| true));
                if let Some(next) = next.filter(|_| is_yielded(&moments[at], |event| kind(event) == "progress"))
                    && is_yielded(&moments[next], |event| blocks(event).iter().any(is_result))
                {
                    moments[at..=next].rotate_left(1);
                }
            }
        }),
    ),
    unread(
        "play/unread-retries-from-zero",
        "5.9: retryAttempt is 1 when the request is sent again for the first time",
        "counts the tries of a request from 0",
        Wrong::Played(|played| {
            everywhere(played, |message| {
                if let Some(attempt) = message.get("retryAttempt").and_then(Value::as_u64) {
                    message["retryAttempt"] = attempt.saturating_sub(1).into();
                }
            });
        }),
    ),
    unread(
        "play/unread-retries-of-a-session",
        "5.9: a new request and a fallback count from 1 again",
        "counts the tries of all requests of a session on",
        Wrong::Played(|played| {
            let (mut attempts, mut count) = (HashMap::new(), 0_u64);
            for moment in &played.moments {
                if let Moment::Yielded(event) = moment
                    && text(&event.value, "subtype") == "api_error"
                {
                    count += 1;
                    attempts.insert(text(&event.value, "uuid").to_owned(), count);
                }
            }
            everywhere(played, |message| {
                if let Some(count) = attempts.get(text(message, "uuid")) {
                    message["retryAttempt"] = (*count).into();
                }
            });
        }),
    ),
    unread(
        "play/unread-retries-that-are-left",
        "5.9: maxRetries says how often that is done at most, and is the same in all notices of a session",
        "says how many tries are left as maxRetries",
        Wrong::Played(|played| {
            everywhere(played, |message| {
                let number = |name| message.get(name).and_then(Value::as_u64);
                if let (Some(most), Some(attempt)) = (number("maxRetries"), number("retryAttempt")) {
                    message["maxRetries"] = most.saturating_sub(attempt).into();
                }
            });
        }),
    ),
    unread(
        "play/unread-errors-that-pass-are-warnings",
        "5.12: the notice of an error that may pass has the level error",
        "gives the notice of an error that may pass the level warning",
        Wrong::Played(|played| {
            everywhere(played, |message| {
                if text(message, "subtype") == "api_error" {
                    message["level"] = "warning".into();
                }
            });
        }),
    ),
    unread(
        "play/unread-automatic-in-full",
        "5.12: a boundary has compactMetadata.trigger, auto or manual",
        "writes `automatic` as the trigger of a compaction that the client began",
        Wrong::Played(|played| {
            everywhere(played, |message| {
                let trigger = message.pointer_mut("/compactMetadata/trigger").filter(|trigger| *trigger == "auto");
                trigger.into_iter().for_each(|trigger| *trigger = "automatic".into());
            });
        }),
    ),
    unread(
        "play/unread-answer-to-a-guess-is-real",
        "5.13: prompt and answer have isVirtual: true",
        "marks the guess as virtual, and not its answer",
        Wrong::Told(Telling::Yields(|event| {
            if kind(event) == "assistant" {
                remove(event, "isVirtual");
            }
        })),
    ),
    unread(
        "play/unread-forked-from-itself",
        "3.4.2: each record says where it comes from, in forkedFrom {sessionId, messageUuid}",
        "names the new id of a message as the one that it was copied from",
        Wrong::Told(Telling::Copies(|message| {
            let own = message.get("uuid").cloned();
            if let (Some(own), Some(origin)) = (own, message.pointer_mut("/forkedFrom/messageUuid")) {
                *origin = own;
            }
        })),
    ),
    unread(
        "play/unread-output-as-text",
        "5.12: a result has its output as toolUseResult, unchanged",
        "keeps the output of a tool as JSON text",
        Wrong::Played(|played| {
            everywhere(played, |message| {
                if let Some(output) = message.get_mut("toolUseResult").filter(|output| output.is_object()) {
                    *output = output.to_string().into();
                }
            });
        }),
    ),
    unread(
        "play/unread-results-are-words",
        "5.12: a result has the content that the tool gave",
        "joins the texts of a result, and loses its images",
        Wrong::Played(|played| {
            each_result(played, |block| {
                if let Some(parts) = block.get("content").and_then(Value::as_array) {
                    let said: Vec<&str> = parts.iter().map(|part| text(part, "text")).collect();
                    block["content"] = said.concat().into();
                }
            });
        }),
    ),
    unread(
        "play/unread-nothing-in-words",
        "5.12: a result has the content that the tool gave",
        "says that there was no output where a tool gave an empty text",
        Wrong::Played(|played| {
            each_result(played, |block| {
                if block.get("content").is_some_and(|content| content == "") {
                    block["content"] = "(no output)".into();
                }
            });
        }),
    ),
    unread(
        "play/unread-errors-by-their-words",
        "5.12: a result has is_error as the tool gave it",
        "marks a result as an error when its text begins with Error",
        Wrong::Played(|played| {
            each_result(played, |block| {
                if text(block, "content").starts_with("Error") {
                    block["is_error"] = true.into();
                }
            });
        }),
    ),
    unread(
        "play/unread-source-is-the-first-line",
        "5.12: sourceToolAssistantUUID of a result is the uuid of the message that holds its call",
        "names the first message of a reply as the source of all its results",
        Wrong::Played(|played| {
            let (mut first, mut sources) = (HashMap::new(), HashMap::new());
            for moment in &played.moments {
                if let Moment::Yielded(event) = moment
                    && let (Some(id), uuid) = (event.value.pointer("/message/id"), text(&event.value, "uuid"))
                {
                    let first = first.entry(id.to_string()).or_insert_with(|| uuid.to_owned()).clone();
                    sources.insert(uuid.to_owned(), first);
                }
            }
            everywhere(played, |message| {
                if let Some(first) = sources.get(text(message, "sourceToolAssistantUUID")) {
                    message["sourceToolAssistantUUID"] = first.as_str().into();
                }
            });
        }),
    ),
    unread(
        "play/unread-amended-is-yielded-again",
        "4.6: no message is yielded a second time",
        "yields the last message of a reply again when its late fields have come",
        Wrong::Log(|moments| {
            for moment in std::mem::take(moments) {
                let again = if let Moment::Amended(message) = &moment { Some(message.clone()) } else { None };
                moments.push(moment);
                moments.extend(again.map(Moment::Yielded));
            }
        }),
    ),
    unread(
        "play/unread-amendments-are-quiet",
        "5.12: the last message of a reply has stop_reason and output_tokens when they have come",
        "does not tell that a message has its late fields",
        Wrong::Log(|moments| moments.retain(|moment| !matches!(moment, Moment::Amended(_)))),
    ),
    unread(
        "play/unread-no-kind-without-an-answer",
        "5.9: apiError is unknown if there was no answer; both are strings that are not empty",
        "gives an error without an answer of the API no kind",
        Wrong::Played(|played| {
            everywhere(played, |message| {
                if text(message, "apiError") == "unknown" {
                    remove(message, "apiError");
                    remove(message, "error");
                }
            });
        }),
    ),
    unread(
        "play/unread-too-large-is-unknown",
        "5.9: invalid_request stands for invalid_request_error and request_too_large",
        "knows no kind for a request that is too large",
        Wrong::Played(|played| {
            everywhere(played, |message| {
                if text(message, "errorDetails").contains("request_too_large") {
                    message["apiError"] = "unknown".into();
                    message["error"] = "unknown".into();
                }
            });
        }),
    ),
    unread(
        "play/unread-tombstones-of-ids",
        "4.7: a tombstone holds the message that it withdraws, whole",
        "yields tombstones that hold the id of a message alone",
        Wrong::Told(Telling::Yields(|event| {
            if kind(event) == "tombstone" {
                let uuid = event.pointer("/message/uuid").cloned().unwrap_or_default();
                event["message"] = json!({"type": "assistant", "uuid": uuid});
            }
        })),
    ),
    unread(
        "play/unread-typographic-denials",
        "2.2: some texts are protocol constants, and must be exact",
        "writes the apostrophes in the results of denied calls as a typesetter does",
        Wrong::Played(|played| {
            each_result(played, |block| {
                let said = text(block, "content");
                if said.starts_with("The user doesn't want to ") {
                    block["content"] = said.replace('\'', "’").into();
                }
            });
        }),
    ),
    unread(
        "play/unread-denied-by-a-rule-is-no-error",
        "5.12: the result of a denied call has its text of 2.2 and is_error: true",
        "does not mark the denial by a rule as an error",
        Wrong::Played(|played| {
            each_result(played, |block| {
                if text(block, "content").starts_with("Permission to use ") {
                    block["is_error"] = false.into();
                }
            });
        }),
    ),
    unread(
        "play/unread-plans-are-not-repeated",
        "2.2: plan rejected: this, then the plan",
        "says that a plan was rejected, and not which",
        Wrong::Played(|played| {
            each_result(played, |block| {
                if let Some((said, _)) = text(block, "content").split_once("\n\nRejected plan:\n") {
                    block["content"] = said.into();
                }
            });
        }),
    ),
    unread(
        "play/unread-first-line-of-a-notice",
        "5.12: a notice has a level and the words that were given",
        "tells the first line of a notice",
        Wrong::Played(|played| {
            everywhere(played, |message| {
                if text(message, "subtype") == "informational" {
                    let first = text(message, "content").lines().next().unwrap_or_default().to_owned();
                    message["content"] = first.into();
                }
            });
        }),
    ),
    unread(
        "play/unread-same-words-are-one-prompt",
        "5.12: type: the prompt as a user message, once for each time that it happens",
        "takes a prompt that says the same as the one before it for a slip of the hand",
        Wrong::Log(|moments| {
            let (mut last, mut again) = (String::new(), HashSet::new());
            for moment in moments.iter() {
                if let Moment::Yielded(event) = moment
                    && is_prompt(&event.value)
                    && !is_notice(&event.value)
                {
                    let said = words(&event.value).collect::<Vec<_>>().join("\n");
                    if said == last {
                        again.insert(text(&event.value, "uuid").to_owned());
                    }
                    last = said;
                }
            }
            drop_messages(moments, &again);
        }),
    ),
];

pub(super) fn is_result(block: &Value) -> bool {
    result_id(block).is_some()
}

pub(super) fn is_prompt(message: &Value) -> bool {
    let is_other = is(message, "isMeta") || is(message, "isCompactSummary") || is(message, "isVirtual");
    kind(message) == "user" && !is_other && !blocks(message).iter().any(is_result)
}

/// Changes each result, in messages, on disk and in turns.
fn each_result(played: &mut Played, change: impl Fn(&mut Value)) {
    let change_all = |message: &mut Value| {
        for block in blocks_mut(message).into_iter().flatten().filter(|block| is_result(block)) {
            change(block);
        }
    };
    everywhere(played, change_all);
    for_turns(played, |turns| turns.iter_mut().for_each(change_all));
}
