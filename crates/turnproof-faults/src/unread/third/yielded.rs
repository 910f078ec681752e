//! Unread faults in what a *loop* yields and what its file holds.

use turnproof_rules::json;

use super::super::super::walk::{is, kind, remove, text, words};
use super::super::super::wrong::Wrong;
use super::play::{delay, each_input, everywhere, is_reply, is_retry, is_start, said};
use super::{Unread, unread};

pub(super) const UNREAD: &[Unread] = &[
    unread(
        "play/unread-third-failed-tools-succeed",
        "5.12: a result has the content and is_error that the tool gave",
        "says of no result of a tool that it is an error",
        Wrong::Inputs(|inputs| each_input(inputs, "result", |result| result["is_error"] = false.into())),
    ),
    unread(
        "play/unread-third-errors-as-output",
        "5.12: a result has its output as toolUseResult, unchanged",
        "writes `Error:` and the content in the place of a failed tool's output",
        Wrong::Inputs(|inputs| {
            each_input(inputs, "result", |result| {
                if is(result, "is_error") {
                    result["output"] = format!("Error: {}", text(result, "content")).into();
                }
            });
        }),
    ),
    unread(
        "play/unread-third-results-as-text",
        "5.12: a result has the content that the tool gave",
        "joins the texts of a result and loses its other blocks",
        Wrong::Inputs(|inputs| {
            each_input(inputs, "result", |result| {
                if result["content"].is_array() {
                    result["content"] = words(result).collect::<Vec<_>>().join("\n").into();
                }
            });
        }),
    ),
    unread(
        "play/unread-third-subagent-reason-lost",
        "5.12: the result of a denied call has its text of 2.2, with the reason",
        "loses the reason when a call is denied for a subagent",
        Wrong::Inputs(|inputs| {
            each_input(inputs, "deny", |deny| {
                if deny["denial"].get("subagent_with_reason").is_some() {
                    deny["denial"] = json!("subagent");
                }
            });
        }),
    ),
    unread(
        "play/unread-third-no-trigger",
        "5.12: a boundary has compactMetadata.trigger",
        "makes boundaries that do not say what triggered the compaction",
        Wrong::Played(|played| {
            everywhere(played, |message| {
                message.get_mut("compactMetadata").into_iter().for_each(|metadata| remove(metadata, "trigger"));
            });
        }),
    ),
    unread(
        "play/unread-third-writes-meta-as-prompts",
        "5.11: each line of a message is one that was yielded, with each member as it was",
        "writes meta messages as if somebody had typed them",
        Wrong::WrittenEach(|record| remove(record, "isMeta")),
    ),
    unread(
        "play/unread-third-retries-start-unseen",
        "5.12: each start of a request is yielded as stream_request_start",
        "does not tell that a request starts when it is sent again",
        Wrong::Log(|moments| {
            let mut is_again = false;
            moments.retain(|moment| {
                is_again |= said(moment).is_some_and(is_retry);
                !(said(moment).is_some_and(is_start) && std::mem::take(&mut is_again))
            });
        }),
    ),
    unread(
        "play/unread-third-start-after-the-first-event",
        "5.12: the events of a stream come after the start of their request",
        "tells that a request started when the first event of its stream has come",
        Wrong::Log(|moments| delay(moments, is_start, |message| kind(message) == "stream_event")),
    ),
    unread(
        "play/unread-third-tombstones-late",
        "5.12: a tombstone comes before the first message of the next try",
        "withdraws an abandoned try when the next one has its first message",
        Wrong::Log(|moments| delay(moments, |message| kind(message) == "tombstone", is_reply)),
    ),
    unread(
        "play/unread-third-hook-event-by-name",
        "5.12: what comes of a hook also names the event as hookEvent",
        "gives the name of a hook where its event belongs",
        Wrong::Played(|played| {
            everywhere(played, |message| {
                let is_attached = message.get("attachment").is_some();
                let owner = if is_attached { &mut message["attachment"] } else { message };
                if let (Some(_), Some(name)) = (owner.get("hookEvent"), owner.get("hookName").cloned()) {
                    owner["hookEvent"] = name;
                }
            });
        }),
    ),
    unread(
        "play/unread-third-answered-guess-is-real",
        "5.13: prompt and answer of a guess have isVirtual true",
        "marks the guessed prompt as virtual, and its answer not",
        Wrong::Played(|played| {
            everywhere(played, |message| {
                if kind(message) == "assistant" {
                    remove(message, "isVirtual");
                }
            });
        }),
    ),
];
