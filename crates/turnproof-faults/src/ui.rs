//! Faults in what a *UI* is given: messages are split badly, or their ids change.

use turnproof_rules::operation::Value;

use super::conserve::reply;
use super::part::{count, ids, is_spoken, keep, name, parted, passes, paste};
use super::stable::tick;
use super::walk::{blocks, blocks_mut, content, content_mut, is, kind, remove};
use super::{Fault, Wrong, fault};

pub(super) const FAULTS: &[Fault] = &[
    fault("normalize_ui/keeps-strings", "ui/one-block").that("splits lists of blocks, but not string content").by(
        Wrong::UiPart(|part, message| {
            if content(part.whole).is_string() {
                content_mut(message).into_iter().for_each(|words| *words = content(part.whole).clone());
            }
        }),
    ),
    fault("normalize_ui/shows-messages-without-blocks", "ui/one-block").that("shows a message that has no blocks").by(
        Wrong::List(|asked, shown| {
            let is_empty = |message: &&Value| is_spoken(message) && count(message) == 0;
            shown.extend(asked.messages.iter().filter(is_empty).cloned());
        }),
    ),
    fault("normalize_ui/splits-prompts-only", "ui/one-block").that("splits prompts, and does not split replies").by(
        Wrong::List(|asked, shown| {
            for (part, message) in parted(asked).iter().zip(std::mem::take(shown)) {
                if part.index == 0 || kind(&message) != "assistant" {
                    shown.push(message);
                } else if let Some(blocks) = shown.last_mut().and_then(blocks_mut) {
                    blocks.extend(part.block().cloned());
                }
            }
        }),
    ),
    fault("normalize_ui/drops-string-content", "ui/conserves")
        .that("shows nothing of a message whose content is a string")
        .by(Wrong::List(|asked, shown| keep(asked, shown, |part| !content(part.whole).is_string()))),
    fault("normalize_ui/shows-the-first-block", "ui/conserves")
        .that("shows the first block of each message only")
        .by(Wrong::List(|asked, shown| keep(asked, shown, |part| part.index == 0))),
    fault("normalize_ui/drops-meta-messages", "ui/conserves")
        .that("leaves out the messages that the user does not see")
        .by(Wrong::List(|asked, shown| keep(asked, shown, |part| !is(part.whole, "isMeta")))),
    fault("normalize_ui/drops-notices", "ui/conserves")
        .that("leaves out everything but prompts and replies")
        .by(Wrong::List(|asked, shown| keep(asked, shown, |part| is_spoken(part.whole)))),
    fault("normalize_ui/shows-what-passes-by", "ui/conserves")
        .that("shows tombstones and stream events")
        .by(Wrong::List(|asked, shown| shown.extend(asked.messages.iter().filter(|message| passes(message)).cloned()))),
    fault("normalize_ui/loses-fields-of-parts", "ui/conserves")
        .that("copies a message's role and block into its parts, and forgets its flags and its time")
        .by(Wrong::UiPart(|part, message| {
            if let Some(members) = message.as_object_mut().filter(|_| part.count > 1) {
                members.retain(|name, _| matches!(name.as_str(), "type" | "uuid" | "message" | "imagePasteIds"));
            }
        })),
    fault("normalize_ui/doubles-thinking", "ui/conserves")
        .that("shows thinking twice: while it streams, and in its reply")
        .by(Wrong::List(|_, shown| {
            let is_thinking = |message: &Value| blocks(message).iter().any(|block| kind(block) == "thinking");
            for message in std::mem::take(shown) {
                shown.extend(Some(&message).filter(|message| is_thinking(message)).cloned());
                shown.push(message);
            }
        })),
    fault("normalize_ui/counts-from-one", "ui/derived-after-split")
        .that("derives ids from the number of the block, counted from 1")
        .by(Wrong::UiPart(|part, message| {
            if part.is_derived {
                name(message, part.derived(part.index + 1));
            }
        })),
    fault("normalize_ui/derives-for-split-messages-only", "ui/derived-after-split")
        .that("keeps the id of a message of one block, also after one that was split")
        .by(Wrong::UiPart(|part, message| {
            if part.count == 1 {
                name(message, part.own());
            }
        })),
    fault("normalize_ui/derives-always", "ui/derived-after-split").that("derives ids from the first message on").by(
        Wrong::UiPart(|part, message| {
            if is_spoken(part.whole) {
                name(message, part.derived(part.index));
            }
        }),
    ),
    fault("normalize_ui/first-part-keeps-the-id", "ui/derived-after-split")
        .that("lets the first part of a message keep its id")
        .by(Wrong::UiPart(|part, message| {
            if part.index == 0 {
                name(message, part.own());
            }
        })),
    fault("normalize_ui/derives-for-each-role", "ui/derived-after-split")
        .that("remembers splits of prompts and of replies apart")
        .by(Wrong::List(|asked, shown| {
            let mut split = Vec::new();
            for (part, message) in parted(asked).iter().zip(shown) {
                if part.count > 1 {
                    split.push(kind(part.whole));
                }
                if part.is_derived && !split.contains(&kind(part.whole)) {
                    name(message, part.own());
                }
            }
        })),
    fault("normalize_ui/makes-up-ids", "ui/derived-after-split").that("gives an id to a message that has none").by(
        Wrong::UiPart(|part, message| {
            if part.own().is_none() {
                name(message, Some(Value::from(format!("message-{}", part.index))));
            }
        }),
    ),
    fault("normalize_ui/one-id-for-all-blocks", "ui/unique-ids")
        .that("gives all parts of a message its own id")
        .by(Wrong::UiPart(|part, message| name(message, part.own()))),
    fault("normalize_ui/index-in-one-digit", "ui/unique-ids")
        .that("gives every part but the first the same derived id")
        .by(Wrong::UiPart(|part, message| {
            if part.is_derived {
                name(message, part.derived(part.index.min(1)));
            }
        })),
    fault("normalize_ui/fresh-ids", "ui/stable").that("gives parts fresh ids each time they are drawn").by(
        Wrong::UiPart(|part, message| {
            if part.is_derived {
                name(message, Some(Value::from(format!("part-{}", tick()))));
            }
        }),
    ),
    fault("normalize_ui/tells-when-it-drew", "ui/stable")
        .that("writes the time of drawing on each message")
        .by(Wrong::UiPart(|_, message| message["drawnAt"] = Value::from(tick()))),
    fault("normalize_ui/derives-everywhere-once-split", "ui/prefix-stable")
        .that("derives all ids as soon as any message of the list is split")
        .by(Wrong::List(|asked, shown| {
            let is_split = asked.messages.iter().any(|message| is_spoken(message) && count(message) > 1);
            for (part, message) in parted(asked).iter().zip(shown).filter(|_| is_split) {
                if is_spoken(part.whole) {
                    name(message, part.derived(part.index));
                }
            }
        })),
    fault("normalize_ui/gathers-replies", "ui/prefix-stable")
        .that("puts the lines of a reply together, before what came between them")
        .by(Wrong::List(|_, shown| {
            let mut placed: Vec<(usize, Value)> = Vec::new();
            for message in shown.drain(..) {
                let own = reply(&message);
                let first = placed.iter().find(|(_, other)| !own.is_empty() && reply(other) == own);
                placed.push((first.map_or(placed.len(), |(place, _)| *place), message));
            }
            placed.sort_by_key(|(place, _)| *place);
            shown.extend(placed.into_iter().map(|(_, message)| message));
        })),
    fault("normalize_ui/numbers-from-the-end", "ui/prefix-stable")
        .that("writes on each message how many come after it")
        .by(Wrong::List(|_, shown| {
            for (age, message) in shown.iter_mut().rev().enumerate() {
                message["age"] = Value::from(age);
            }
        })),
    fault("normalize_ui/all-paste-ids-on-each-part", "ui/paste-ids")
        .that("copies the whole list of pasted images to every part")
        .by(Wrong::UiPart(|part, message| paste(part, message, |ids, _| ids.to_vec()))),
    fault("normalize_ui/all-paste-ids-on-the-first-image", "ui/paste-ids")
        .that("gives the first image the ids of all")
        .by(Wrong::UiPart(|part, message| {
            paste(part, message, |ids, image| if image == Some(0) { ids.to_vec() } else { Vec::new() });
        })),
    fault("normalize_ui/paste-ids-by-block", "ui/paste-ids")
        .that("counts blocks, not images, when it gives out the ids of pasted images")
        .by(Wrong::UiPart(|part, message| {
            let by_block = ids(part.whole).get(part.index as usize).cloned().into_iter().collect();
            paste(part, message, |_, image| if image.is_some() { by_block } else { Vec::new() });
        })),
    fault("normalize_ui/paste-ids-of-results", "ui/paste-ids")
        .that("counts images inside results too when it gives out the ids of pasted images")
        .by(Wrong::UiPart(|part, message| {
            let images = |block: &Value| match kind(block) {
                "image" => 1,
                "tool_result" => blocks(block).iter().filter(|block| kind(block) == "image").count(),
                _ => 0,
            };
            let before: usize = blocks(part.whole).iter().take(part.index as usize).map(images).sum();
            paste(part, message, |ids, image| image.and(ids.get(before).cloned()).into_iter().collect());
        })),
    fault("normalize_ui/forgets-paste-ids", "ui/paste-ids")
        .that("forgets the ids of pasted images")
        .by(Wrong::UiPart(|part, message| paste(part, message, |_, _| Vec::new()))),
    fault("normalize_ui/paste-ids-all-or-none", "ui/paste-ids")
        .that("gives no ids of pasted images when there are fewer than images")
        .by(Wrong::UiPart(|part, message| {
            let images = blocks(part.whole).iter().filter(|block| kind(block) == "image").count();
            if images > ids(part.whole).len() && message.get("imagePasteIds").is_some_and(Value::is_array) {
                remove(message, "imagePasteIds");
            }
        })),
];
