//! Unread faults in what a UI *shows*.

use super::super::super::part::{count, ids, is_spoken, keep, name, parted, paste};
use super::super::super::walk::{content, is, is_of, remove};
use super::super::super::wrong::Wrong;
use super::{Unread, unread};

pub(super) const UNREAD: &[Unread] = &[
    unread(
        "normalize_ui/unread-third-parts-from-one",
        "7.2: each part has an id derived from its message's by the block's index",
        "counts the parts of a message from 1",
        Wrong::UiPart(|part, message| {
            if part.is_derived {
                name(message, part.derived(part.index + 1));
            }
        }),
    ),
    unread(
        "normalize_ui/unread-third-notices-derived",
        "7.2: other kinds than user and assistant keep their ids",
        "derives the ids of notices and attachments too, once a message was split",
        Wrong::List(|asked, shown| {
            let mut is_split = false;
            for (part, message) in parted(asked).iter().zip(shown) {
                is_split |= is_spoken(part.whole) && count(part.whole) > 1;
                if is_split && !is_spoken(part.whole) && part.own().is_some_and(|own| own.is_string()) {
                    name(message, part.derived(0));
                }
            }
        }),
    ),
    unread(
        "normalize_ui/unread-third-pastes-by-block",
        "7.3: the part of each image has the one id that belongs to it, in the order of the image blocks",
        "gives an image the pasted id of its place among all blocks",
        Wrong::UiPart(|part, message| {
            paste(part, message, |ids, image| {
                image.and_then(|_| ids.get(part.index as usize)).cloned().into_iter().collect()
            });
        }),
    ),
    unread(
        "normalize_ui/unread-third-last-paste-again",
        "7.3: images for which no id is left have none",
        "gives an image for which no id is left the last one",
        Wrong::UiPart(|part, message| {
            paste(part, message, |ids, image| {
                image.and_then(|image| ids.get(image).or(ids.last())).cloned().into_iter().collect()
            });
        }),
    ),
    unread(
        "normalize_ui/unread-third-whole-messages-keep-pastes",
        "7.3: the part of an image has a list with the one id that belongs to it, all other parts have none",
        "leaves the pasted ids of a message with one block as they are",
        Wrong::UiPart(|part, message| {
            if part.count == 1 && is_of(part.whole, "user") && !ids(part.whole).is_empty() {
                message["imagePasteIds"] = ids(part.whole).into();
            }
        }),
    ),
    unread(
        "normalize_ui/unread-third-outputs-of-the-first-part",
        "7.1: each part has all fields of the message that it came from",
        "gives the output of a tool to the first part of its message alone",
        Wrong::UiPart(|part, message| {
            if part.index > 0 {
                ["toolUseResult", "sourceToolAssistantUUID"].iter().for_each(|field| remove(message, field));
            }
        }),
    ),
    unread(
        "normalize_ui/unread-third-no-hidden-messages",
        "7.1: hidden and meta messages are split too, since flags decide later what is shown",
        "leaves out what only the view of the transcript shows",
        Wrong::List(|asked, shown| keep(asked, shown, |part| !is(part.whole, "isVisibleInTranscriptOnly"))),
    ),
    unread(
        "normalize_ui/unread-third-texts-stay-strings",
        "7.1: a string becomes one text block",
        "leaves the content of a message as a string",
        Wrong::UiPart(|part, message| {
            if content(part.whole).is_string() {
                message["message"]["content"] = content(part.whole).clone();
            }
        }),
    ),
];
