//! Faults in the *order* of what a loop yields, and in what its attachments, notices of errors and guesses hold.

use turnproof_rules::json;
use turnproof_rules::operation::{Moment, Value};

use super::log::{change_messages, is_prompt, result_id, yielded};
use super::loop_file::each_yielded;
use super::walk::{blocks, is, is_of, kind, remove, text};
use super::{Fault, Wrong, fault};

pub(super) const FAULTS: &[Fault] = &[
    fault("play/yields-results-before-their-calls", "engine/yields-in-order")
        .that("yields what a tool gave before the message with its call")
        .by(Wrong::Log(|moments| {
            for at in 0..moments.len() {
                let result = yielded(&moments[at]).and_then(|message| blocks(message).iter().find_map(result_id));
                let Some(call) = result.map(str::to_owned) else { continue };
                let has_call = |block: &Value| kind(block) == "tool_use" && text(block, "id") == call;
                let is_its = |moment: &Moment| yielded(moment).is_some_and(|it| blocks(it).iter().any(has_call));
                if let Some(line) = moments[..at].iter().rposition(is_its) {
                    moments[line..=at].rotate_right(1);
                }
            }
        })),
    fault("play/yields-replies-when-they-have-ended", "engine/yields-in-order")
        .that("yields the messages of a reply when the whole reply has come")
        .by(Wrong::Log(|moments| {
            let is_end = |moment: &Moment| is_event(moment, "message_stop");
            let is_late = |moment: &Moment| yielded(moment).is_some_and(|it| is_of(it, "assistant"));
            move_behind(moments, is_late, is_end);
        })),
    fault("play/yields-events-from-a-stack", "engine/yields-in-order")
        .that("yields two events that come together with the later one first")
        .by(Wrong::Log(|moments| {
            let is_raw = |moment: &Moment| yielded(moment).is_some_and(|it| is_of(it, "stream_event"));
            for at in (1..moments.len()).step_by(2).filter(|at| *at > 1).collect::<Vec<_>>() {
                if is_raw(&moments[at]) && is_raw(&moments[at - 1]) {
                    moments.swap(at, at - 1);
                }
            }
        })),
    fault("play/withdraws-when-the-next-try-has-spoken", "engine/yields-in-order")
        .that("yields a tombstone when another try has shown something in the place of the message")
        .by(Wrong::Log(|moments| {
            let is_tombstone = |moment: &Moment| yielded(moment).is_some_and(|it| is_of(it, "tombstone"));
            let is_line = |moment: &Moment| yielded(moment).is_some_and(|it| is_of(it, "assistant"));
            move_behind(moments, is_tombstone, is_line);
        })),
    fault("play/yields-prompts-when-they-are-sent", "engine/yields-in-order")
        .that("yields a prompt when its request has started")
        .by(Wrong::Log(|moments| {
            let is_prompt = |moment: &Moment| {
                yielded(moment)
                    .is_some_and(|it| is_of(it, "user") && !blocks(it).iter().any(|it| result_id(it).is_some()))
            };
            let is_start = |moment: &Moment| yielded(moment).is_some_and(|it| is_of(it, "stream_request_start"));
            move_behind(moments, is_prompt, is_start);
        })),
    fault("play/shows-progress-of-tools-that-are-done", "engine/yields-in-order")
        .that("yields the live output of a tool behind its result")
        .by(Wrong::Log(|moments| {
            let is_shown = |moment: &Moment| yielded(moment).is_some_and(|it| is_of(it, "progress"));
            let is_result = |moment: &Moment| {
                yielded(moment).is_some_and(|it| blocks(it).iter().any(|block| result_id(block).is_some()))
            };
            move_behind(moments, is_shown, is_result);
        })),
    fault("play/yields-summaries-before-boundaries", "engine/yields-in-order")
        .that("yields the summary of a compaction before its boundary")
        .by(Wrong::Log(|moments| {
            let is_boundary = |it: &Value| text(it, "subtype") == "compact_boundary";
            for at in 1..moments.len() {
                let is_summary = yielded(&moments[at]).is_some_and(|it| is(it, "isCompactSummary"));
                if is_summary && yielded(&moments[at - 1]).is_some_and(is_boundary) {
                    moments.swap(at, at - 1);
                }
            }
        })),
    fault("play/shortens-attachments", "engine/attachment-as-given")
        .that("keeps of an attachment what it shows itself")
        .by(each_yielded(|message| {
            if let Some(members) = message.get_mut("attachment").and_then(Value::as_object_mut) {
                members.retain(|name, _| matches!(name.as_str(), "type" | "content" | "hookEvent" | "toolUseID"));
            }
        })),
    fault("play/attaches-without-nulls", "engine/attachment-as-given")
        .that("drops members of attachments that are null")
        .by(each_yielded(|message| {
            if let Some(members) = message.get_mut("attachment").and_then(Value::as_object_mut) {
                members.retain(|_, value| !value.is_null());
            }
        })),
    fault("play/withdraws-the-last-first", "engine/yields-in-order")
        .that("withdraws the lines of an abandoned reply from the last one on")
        .by(Wrong::Log(|moments| {
            let is_tombstone = |moment: &Moment| yielded(moment).is_some_and(|it| is_of(it, "tombstone"));
            for run in moments.chunk_by_mut(|one, other| is_tombstone(one) && is_tombstone(other)) {
                run.reverse();
            }
        })),
    fault("play/attaches-texts-alone", "engine/attachment-as-given")
        .that("writes what an attachment holds as one text")
        .by(each_yielded(|message| {
            if let Some(content) = message.pointer_mut("/attachment/content").filter(|content| !content.is_string()) {
                *content = content.to_string().into();
            }
        })),
    fault("play/forgets-the-calls-of-hooks", "engine/attachment-as-given")
        .that("does not say for which call a hook has run")
        .by(each_yielded(|message| {
            if is_of(message, "hook_result") {
                remove(message, "toolUseID");
            } else if let Some(attachment) = message.get_mut("attachment") {
                remove(attachment, "toolUseID");
            }
        })),
    fault("play/sends-again-for-ever", "engine/retries-end")
        .that("sends a request again however often it has failed")
        .by(Wrong::Log(|moments| {
            let mut last = Value::Null;
            for moment in moments {
                let Moment::Yielded(event) = moment else { continue };
                if text(&event.value, "subtype") == "api_error" && event.value.get("retryAttempt").is_some() {
                    last = event.value.clone();
                } else if is(&event.value, "isApiErrorMessage") && last["retryAttempt"] == last["maxRetries"] {
                    let attempt = last["retryAttempt"].as_u64().unwrap_or_default() + 1;
                    last["retryAttempt"] = json!(attempt);
                    event.value = std::mem::take(&mut last);
                }
            }
        })),
    fault("play/counts-each-try-as-the-first", "engine/retries-end").that("says of each try that it is the first").by(
        each_yielded(|message| {
            if message.get("retryAttempt").is_some() {
                message["retryAttempt"] = json!(1);
            }
        }),
    ),
    fault("play/shows-guesses-as-said", "engine/virtual-stays-out")
        .that("shows what it guesses as if the user had typed it")
        .by(each_yielded(|message| remove(message, "isVirtual"))),
    fault("play/meta-before-its-prompt", "engine/yields-in-order").that("yields a meta message before its prompt").by(
        Wrong::Log(|moments| {
            let is_meta = |event: &Value| kind(event) == "user" && is(event, "isMeta");
            for at in 1..moments.len() {
                let before = (0..at).rev().find(|&before| yielded(&moments[before]).is_some_and(|_| true));
                if let Some(before) = before.filter(|_| yielded(&moments[at]).is_some_and(is_meta))
                    && yielded(&moments[before]).is_some_and(is_prompt)
                {
                    moments[before..=at].rotate_right(1);
                }
            }
        }),
    ),
    fault("play/start-after-the-first-event", "engine/yields-in-order")
        .that("yields the start of a request behind the first event of its stream")
        .by(Wrong::Log(|moments| {
            let is = |moment: &Moment, name| yielded(moment).is_some_and(|it| is_of(it, name));
            move_behind(moments, |it| is(it, "stream_request_start"), |it| is(it, "stream_event"));
        })),
    fault("play/retries-that-are-left", "engine/retries-end").that("says how many tries are left as maxRetries").by(
        Wrong::Played(|played| {
            change_messages(played, |message| {
                let number = |name| message.get(name).and_then(Value::as_u64);
                if let (Some(most), Some(attempt)) = (number("maxRetries"), number("retryAttempt")) {
                    message["maxRetries"] = most.saturating_sub(attempt).into();
                }
            });
        }),
    ),
    fault("play/hook-event-by-name", "engine/attachment-as-given")
        .that("gives the name of a hook where its event belongs")
        .by(Wrong::Played(|played| {
            change_messages(played, |message| {
                let is_attached = message.get("attachment").is_some();
                let owner = if is_attached { &mut message["attachment"] } else { message };
                if let (Some(_), Some(name)) = (owner.get("hookEvent"), owner.get("hookName").cloned()) {
                    owner["hookEvent"] = name;
                }
            });
        })),
];

/// Whether a moment yields an event of this type.
fn is_event(moment: &Moment, name: &str) -> bool {
    yielded(moment).is_some_and(|it| is_of(it, "stream_event") && kind(&it["event"]) == name)
}

/// Moves some moments behind the next one of another sort, if one comes.
fn move_behind(moments: &mut Vec<Moment>, is_late: impl Fn(&Moment) -> bool, is_next: impl Fn(&Moment) -> bool) {
    let mut held: Vec<Moment> = Vec::new();
    for moment in std::mem::take(moments) {
        let is_held = is_late(&moment) && !is_next(&moment);
        let ends = is_next(&moment);
        if is_held { &mut held } else { &mut *moments }.push(moment);
        if ends {
            moments.append(&mut held);
        }
    }
    moments.append(&mut held);
}
