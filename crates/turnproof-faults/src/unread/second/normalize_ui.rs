//! Unread faults in what a *UI* shows: one message for each block.

use std::collections::HashMap;

use turnproof::operation::Value;
use turnproof_rules::json;

use super::{Unread, unread};
use crate::part::{Part, ids, name, parted, passes, paste};
use crate::walk::{blocks, blocks_mut, content, is_of, kind, remove, text};
use crate::wrong::{Asked, Wrong};

pub(super) const UNREAD: &[Unread] = &[
    unread(
        "normalize_ui/unread-prompts-begin-anew",
        "7.2: from the first message with more than one block on, each part has a derived id",
        "derives ids from the first split of each prompt's turn on, and keeps the ids before it",
        Wrong::List(|asked, shown| {
            let mut is_split = false;
            for (part, message) in parted(asked).iter().zip(shown) {
                if is_of(part.whole, "user") && content(part.whole).is_string() {
                    is_split = false;
                }
                is_split |= part.count > 1;
                if part.is_derived && !is_split {
                    name(message, part.own());
                }
            }
        }),
    ),
    unread(
        "normalize_ui/unread-all-derive-if-one-does",
        "7.2: ids are kept until the first user or assistant message with more than one block",
        "derives all ids when any message of the list is split",
        Wrong::List(|asked, shown| {
            let parts = parted(asked);
            if !parts.iter().any(|part| part.count > 1) {
                return;
            }
            for (part, message) in parts.iter().zip(shown).filter(|(part, _)| is_spoken(part)) {
                name(message, part.derived(part.index).or(part.own()));
            }
        }),
    ),
    unread(
        "normalize_ui/unread-replies-alone-derive",
        "7.2: each part of each user and assistant message has a derived id, also when there is one block only",
        "keeps the id of a prompt with one block after the first split",
        Wrong::UiPart(|part, message| {
            if part.count == 1 && is_of(part.whole, "user") {
                name(message, part.own());
            }
        }),
    ),
    unread(
        "normalize_ui/unread-strings-keep-their-ids",
        "7.2: each part of each user and assistant message has a derived id after the first split",
        "keeps the id of a message whose content is a string",
        Wrong::UiPart(|part, message| {
            if content(part.whole).is_string() && is_spoken(part) {
                name(message, part.own());
            }
        }),
    ),
    unread(
        "normalize_ui/unread-prompts-are-no-split",
        "7.2: ids are kept until the first user or assistant message with more than one block",
        "waits for a reply with more than one block before it derives ids of single blocks",
        Wrong::List(|asked, shown| {
            let mut is_split = false;
            for (part, message) in parted(asked).iter().zip(shown) {
                is_split |= part.count > 1 && is_of(part.whole, "assistant");
                if part.count == 1 && part.is_derived && !is_split {
                    name(message, part.own());
                }
            }
        }),
    ),
    unread(
        "normalize_ui/unread-lines-of-a-reply-count-on",
        "7.2: the id is derived from its message's by the block's index",
        "counts blocks over all lines of a reply",
        Wrong::List(|asked, shown| {
            let mut counts: HashMap<String, u64> = HashMap::new();
            for (part, message) in parted(asked).iter().zip(shown) {
                let reply = part.whole.pointer("/message/id").and_then(Value::as_str).unwrap_or_default();
                if reply.is_empty() || !is_spoken(part) {
                    continue;
                }
                let index = counts.entry(reply.to_owned()).or_default();
                if part.is_derived {
                    name(message, part.derived(*index));
                }
                *index += 1;
            }
        }),
    ),
    unread(
        "normalize_ui/unread-nothing-is-shown-as-nothing",
        "7.1: a message without blocks gives nothing",
        "shows a message without blocks as an empty text",
        Wrong::Messages(|messages| {
            for message in messages.iter_mut().filter(|message| matches!(kind(message), "user" | "assistant")) {
                if content(message).as_array().is_some_and(Vec::is_empty) {
                    message["message"]["content"] = json!("");
                }
            }
        }),
    ),
    unread(
        "normalize_ui/unread-parts-hang-on-each-other",
        "7.1: its message has all fields of the one that it came from, but the id, the content and the paste ids",
        "makes each part of a message the child of the part before it",
        Wrong::UiPart(|part, message| {
            if let Some(before) = part.index.checked_sub(1).and_then(|before| part.derived(before)) {
                message["parentUuid"] = before;
            }
        }),
    ),
    unread(
        "normalize_ui/unread-request-of-the-first-part",
        "7.1: its message has all fields of the one that it came from",
        "names the request of a reply with its first part alone",
        Wrong::UiPart(|part, message| {
            if part.index > 0 {
                remove(message, "requestId");
                remove(message, "permissionMode");
            }
        }),
    ),
    unread(
        "normalize_ui/unread-paste-ids-all-or-none",
        "7.3: images for which no id is left have none, and the others have theirs",
        "gives no ids of pasted images when there are fewer than images",
        Wrong::UiPart(|part, message| {
            let images = blocks(part.whole).iter().filter(|block| kind(block) == "image").count();
            if images > ids(part.whole).len() && message.get("imagePasteIds").is_some_and(Value::is_array) {
                remove(message, "imagePasteIds");
            }
        }),
    ),
    unread(
        "normalize_ui/unread-documents-were-pasted",
        "7.3: the ids stand in the order of the image blocks",
        "gives a document an id of a pasted image, and the images after it the next ones",
        Wrong::UiPart(|part, message| {
            let is_medium = |block: &&Value| matches!(kind(block), "image" | "document");
            let index = part.index as usize;
            let before = blocks(part.whole).iter().take(index).filter(is_medium).count();
            let has_ids = part.whole.get("imagePasteIds").is_some_and(Value::is_array);
            if has_ids && blocks(part.whole).get(index).as_ref().is_some_and(is_medium) {
                paste(part, message, |ids, _| ids.get(before).cloned().into_iter().collect());
                if message["imagePasteIds"] == json!([]) {
                    remove(message, "imagePasteIds");
                }
            }
        }),
    ),
    unread(
        "normalize_ui/unread-summaries-of-calls-are-shown",
        "7.1: events do not come out (2: a tool_use_summary is one)",
        "lets summaries of calls come out, since people read them",
        Wrong::List(|asked, shown| show_events(asked, shown, |event| kind(event) == "tool_use_summary")),
    ),
    unread(
        "normalize_ui/unread-results-come-together",
        "7.1: each user and assistant message is split into one message for each block",
        "leaves several results in one message, since they came together",
        Wrong::List(|asked, shown| {
            let parts = parted(asked);
            let mut kept: Vec<Value> = Vec::new();
            for (part, message) in parts.iter().zip(std::mem::take(shown)) {
                let all = blocks(part.whole);
                let is_whole = all.len() > 1 && all.iter().all(|block| kind(block) == "tool_result");
                if is_whole && part.index > 0 {
                    if let Some(list) = kept.last_mut().and_then(blocks_mut) {
                        list.extend(blocks(&message).iter().cloned());
                    }
                } else {
                    kept.push(message);
                }
            }
            *shown = kept;
        }),
    ),
];

fn is_spoken(part: &Part<'_>) -> bool {
    matches!(text(part.whole, "type"), "user" | "assistant")
}

/// Puts events back where they stood.
fn show_events(asked: &Asked<'_>, shown: &mut Vec<Value>, is_shown: fn(&Value) -> bool) {
    let parts = parted(asked);
    let mut rest = parts.iter().zip(std::mem::take(shown)).peekable();
    for message in asked.messages {
        if passes(message) && is_shown(message) {
            shown.push(message.clone());
        }
        while let Some((_, part)) = rest.next_if(|(part, _)| std::ptr::eq(part.whole, message)) {
            shown.push(part);
        }
    }
    shown.extend(rest.map(|(_, part)| part));
}
