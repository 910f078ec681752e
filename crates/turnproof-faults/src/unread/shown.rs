//! Unread faults in what a *UI* shows: the parts of messages, and their order.

use std::collections::HashSet;

use turnproof::operation::Value;

use super::super::hidden::hide_member;
use super::super::part::{Part, ids, is_spoken, keep, name, paste};
use super::super::walk::{blocks, content_mut, is, kind, remove, text};
use super::super::wrong::Wrong;
use super::{Unread, unread};

pub(super) const UNREAD: &[Unread] = &[
    unread(
        "normalize_ui/unread-indexes-from-one",
        "7.2: an id derived from its message's by the block's index (from 0)",
        "counts the blocks of a message from 1 when it derives their ids",
        Wrong::UiPart(|part, message| {
            if part.is_derived {
                name(message, part.derived(part.index + 1));
            }
        }),
    ),
    unread(
        "normalize_ui/unread-single-blocks-keep-their-ids",
        "7.2: from that message on each part has a derived id, also when there is one block only",
        "keeps the id of a message of one block behind the first split",
        Wrong::UiPart(|part, message| {
            if part.is_derived && part.count == 1 {
                name(message, part.own());
            }
        }),
    ),
    unread(
        "normalize_ui/unread-notices-derive-too",
        "7.2: other kinds keep their ids",
        "derives an id for a notice behind the first split",
        Wrong::List(|_, shown| {
            let mut is_split = false;
            for message in shown.iter_mut() {
                is_split |= text(message, "uuid").ends_with("-000000000001");
                if is_split && kind(message) == "system" {
                    let own: String = text(message, "uuid").chars().take(24).collect();
                    message["uuid"] = format!("{own}000000000000").into();
                }
            }
        }),
    ),
    unread(
        "normalize_ui/unread-an-id-for-all",
        "7.2: a message without an id stays without",
        "gives a part of a message without an id an empty one",
        Wrong::UiPart(|part, message| {
            if part.own().is_none() {
                message["uuid"] = "".into();
            }
        }),
    ),
    unread(
        "normalize_ui/unread-first-part-keeps-its-id",
        "7.2: from that message on each part has an id derived from its message's",
        "keeps the message's own id for the first of its parts",
        Wrong::UiPart(|part, message| {
            if part.is_derived && part.index == 0 && part.count > 1 {
                name(message, part.own());
            }
        }),
    ),
    unread(
        "normalize_ui/unread-paste-ids-by-block",
        "7.3: the ids of pasted images in the order of the image blocks",
        "takes the id of a pasted image by the index of its block",
        Wrong::UiPart(|part, message| {
            let index = part.index as usize;
            paste(part, message, |ids, image| image.and_then(|_| ids.get(index)).cloned().into_iter().collect());
        }),
    ),
    unread(
        "normalize_ui/unread-last-paste-id-again",
        "7.3: images for which no id is left have none",
        "gives images for which no id is left the last one",
        Wrong::UiPart(|part, message| {
            if part.image.is_some() {
                paste(part, message, |ids, image| {
                    image.and_then(|image| ids.get(image).or(ids.last())).cloned().into_iter().collect()
                });
                if ids(message).is_empty() {
                    remove(message, "imagePasteIds");
                }
            }
        }),
    ),
    unread(
        "normalize_ui/unread-empty-texts-are-not-shown",
        "7.1: each block comes out once",
        "shows no text that is empty",
        Wrong::List(|asked, shown| {
            keep(asked, shown, |part| !is_empty_text(part));
        }),
    ),
    unread(
        "normalize_ui/unread-only-objects-are-shown",
        "2.4: an element of the content that is no object: a UI shows it as a part",
        "shows no element of the content that is no object",
        Wrong::List(|asked, shown| {
            keep(asked, shown, |part| part.block().is_none_or(Value::is_object));
        }),
    ),
    unread(
        "normalize_ui/unread-hidden-is-not-split",
        "7.1: hidden and meta messages are split too, since flags decide later what is shown",
        "leaves out messages that are visible in the transcript only",
        Wrong::List(|_, shown| shown.retain(|message| !is(message, "isVisibleInTranscriptOnly"))),
    ),
    unread(
        "normalize_ui/unread-output-with-the-first-part",
        "7.1: its message has all fields of the one that it came from",
        "keeps toolUseResult on the first part of a message alone",
        Wrong::UiPart(|part, message| {
            if part.index > 0 {
                remove(message, "toolUseResult");
            }
        }),
    ),
    unread(
        "normalize_ui/unread-usage-with-the-last-part",
        "7.1: its message has all fields of the one that it came from",
        "keeps usage on the last part of a reply alone",
        Wrong::UiPart(|part, message| {
            if part.index + 1 < part.count as u64 {
                message.get_mut("message").into_iter().for_each(|inner| remove(inner, "usage"));
            }
        }),
    ),
    unread(
        "normalize_ui/unread-strings-stay",
        "7.1: a string becomes one text block",
        "leaves the string of a reply as it is",
        Wrong::UiPart(|part, message| {
            if kind(part.whole) == "assistant" && part.block().is_none() && is_spoken(part.whole) {
                let said = blocks(message).first().map(|block| block["text"].clone());
                if let (Some(content), Some(said)) = (content_mut(message), said) {
                    *content = said;
                }
            }
        }),
    ),
    unread(
        "normalize_ui/unread-long-messages-are-cut",
        "7.1: each block comes out once, in order",
        "shows at most five blocks of a message",
        Wrong::List(|asked, shown| keep(asked, shown, |part| part.index < 5)),
    ),
    unread(
        "reorder_ui/unread-failed-tools-have-no-hooks",
        "7.5: PostToolUse or PostToolUseFailure after",
        "does not know the event PostToolUseFailure",
        Wrong::Hidden(|messages| {
            for message in messages.iter_mut() {
                for at in ["", "/attachment", "/data"] {
                    if let Some(holder) = message.pointer_mut(at)
                        && text(holder, "hookEvent") == "PostToolUseFailure"
                    {
                        hide_member(holder, "hookEvent");
                    }
                }
            }
        }),
    ),
    unread(
        "reorder_ui/unread-results-of-hooks-stay",
        "7.5: a hook is a hook_… attachment, a hook result, or progress of the type hook_progress",
        "leaves results of hooks where they stand",
        Wrong::Hidden(|messages| {
            messages.iter_mut().filter(|message| kind(message) == "hook_result").for_each(|message| {
                hide_member(message, "toolUseID");
            });
        }),
    ),
    unread(
        "reorder_ui/unread-a-story-a-line",
        "7.5: a call whose id another line of the same reply had before begins no story",
        "begins a story with a call that repeats one of its reply",
        Wrong::Hidden(|messages| {
            let mut seen = HashSet::new();
            for message in messages.iter_mut().filter(|message| kind(message) == "assistant") {
                let reply = text(&message["message"], "id").to_owned();
                let call = blocks(message).first().map(|block| text(block, "id").to_owned()).unwrap_or_default();
                if !call.is_empty() && !seen.insert((reply, call)) && message["message"].is_object() {
                    hide_member(&mut message["message"], "id");
                }
            }
        }),
    ),
    unread(
        "reorder_ui/unread-newest-result-first",
        "7.5: its results, each in list order",
        "shows the last result of a call first",
        Wrong::List(|_, shown| {
            for run in shown.chunk_by_mut(|one, two| result(one).is_some() && result(one) == result(two)) {
                run.reverse();
            }
        }),
    ),
    unread(
        "reorder_ui/unread-each-uuid-once",
        "7.5: nothing is lost, doubled or added",
        "shows each uuid once",
        Wrong::List(|_, shown| {
            let mut seen = HashSet::new();
            shown.retain(|message| text(message, "uuid").is_empty() || seen.insert(text(message, "uuid").to_owned()));
        }),
    ),
    unread(
        "reorder_ui/unread-orphans-at-the-end",
        "7.5: results and hooks without a call stay where they are",
        "puts results without a call at the end",
        Wrong::List(|_, shown| {
            let calls: HashSet<String> = shown.iter().filter_map(call).map(str::to_owned).collect();
            let is_orphan = |message: &mut Value| result(message).is_some_and(|id| !calls.contains(id));
            let orphans: Vec<Value> = shown.extract_if(.., is_orphan).collect();
            shown.extend(orphans);
        }),
    ),
    unread(
        "reorder_ui/unread-hooks-behind-results",
        "7.5: all hooks that ran before it, then its results, then all hooks that ran after it",
        "shows the hooks that ran before a call behind its results",
        Wrong::List(|_, shown| {
            for at in 1..shown.len() {
                let is_before = |message: &Value| {
                    text(message, "hookEvent") == "PreToolUse"
                        || message.get("attachment").is_some_and(|inner| text(inner, "hookEvent") == "PreToolUse")
                };
                if result(&shown[at]).is_some() && is_before(&shown[at - 1]) && !is_before(&shown[at]) {
                    shown.swap(at, at - 1);
                }
            }
        }),
    ),
    unread(
        "reorder_ui/unread-calls-with-words",
        "7.5: a call is an assistant message whose one block is a tool_use; everything else keeps its order",
        "moves a result to a message of several blocks that holds its call",
        Wrong::List(|_, shown| {
            for at in (1..shown.len()).rev() {
                let Some(id) = result(&shown[at]).map(str::to_owned) else { continue };
                let holds = |message: &Value| {
                    kind(message) == "assistant"
                        && blocks(message).len() > 1
                        && blocks(message).iter().any(|block| kind(block) == "tool_use" && text(block, "id") == id)
                };
                if let Some(place) = shown[..at].iter().rposition(holds).filter(|place| place + 1 < at) {
                    let moved = shown.remove(at);
                    shown.insert(place + 1, moved);
                }
            }
        }),
    ),
];

fn is_empty_text(part: &Part<'_>) -> bool {
    part.block().is_some_and(|block| kind(block) == "text" && text(block, "text").is_empty())
}

/// The call of a message that is a result.
fn result(message: &Value) -> Option<&str> {
    match blocks(message) {
        [block] if kind(message) == "user" && kind(block) == "tool_result" => Some(text(block, "tool_use_id")),
        _ => None,
    }
}

fn call(message: &Value) -> Option<&str> {
    match blocks(message) {
        [block] if kind(message) == "assistant" && kind(block) == "tool_use" => Some(text(block, "id")),
        _ => None,
    }
}
