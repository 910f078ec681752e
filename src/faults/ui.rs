//! Faults in what a *UI* is given: messages split badly, or under ids that do not stay.

use serde_json::Value;

use super::conserve::reply;
use super::part::{Part, count, ids, is_spoken, keep, name, parted, passes, paste};
use super::spoil::{Asked, Spoil};
use super::stable::tick;
use super::walk::{blocks, blocks_mut, content, content_mut, is, kind};
use super::{Fault, Wrong};

/// The faults of `normalize_ui`.
pub(super) const FAULTS: &[Fault] = &[
    Fault {
        id: "normalize_ui/keeps-strings",
        title: "splits lists of blocks only, and hands string content on",
        source: None,
        rule: "ui/one-block",
        wrong: parts(|part, message| {
            if content(part.whole).is_string() {
                content_mut(message).into_iter().for_each(|words| *words = content(part.whole).clone());
            }
        }),
    },
    Fault {
        id: "normalize_ui/shows-messages-without-blocks",
        title: "hands on a message that has no blocks",
        source: None,
        rule: "ui/one-block",
        wrong: output(|asked, mut shown| {
            let is_empty = |message: &&Value| is_spoken(message) && count(message) == 0;
            shown.extend(asked.messages.iter().filter(is_empty).cloned());
            shown
        }),
    },
    Fault {
        id: "normalize_ui/splits-prompts-only",
        title: "does not split replies",
        source: None,
        rule: "ui/one-block",
        wrong: output(|asked, shown| {
            let mut whole = Vec::new();
            for (part, message) in parted(asked, shown) {
                match part.index {
                    0 => whole.push(message),
                    _ if kind(&message) == "assistant" => {
                        let blocks = whole.last_mut().and_then(blocks_mut);
                        blocks.into_iter().for_each(|blocks| blocks.extend(part.block().cloned()));
                    }
                    _ => whole.push(message),
                }
            }
            whole
        }),
    },
    Fault {
        id: "normalize_ui/drops-string-content",
        title: "shows nothing of a message whose content is a string",
        source: None,
        rule: "ui/conserves",
        wrong: output(|asked, shown| keep(asked, shown, |part| !content(part.whole).is_string())),
    },
    Fault {
        id: "normalize_ui/shows-the-first-block",
        title: "shows the first block of each message only",
        source: None,
        rule: "ui/conserves",
        wrong: output(|asked, shown| keep(asked, shown, |part| part.index == 0)),
    },
    Fault {
        id: "normalize_ui/drops-meta-messages",
        title: "leaves out the messages that the user does not see",
        source: None,
        rule: "ui/conserves",
        wrong: output(|asked, shown| keep(asked, shown, |part| !is(part.whole, "isMeta"))),
    },
    Fault {
        id: "normalize_ui/drops-notices",
        title: "leaves out all that is no prompt and no reply",
        source: None,
        rule: "ui/conserves",
        wrong: output(|asked, shown| keep(asked, shown, |part| is_spoken(part.whole))),
    },
    Fault {
        id: "normalize_ui/shows-what-passes-by",
        title: "hands on tombstones and stream events",
        source: None,
        rule: "ui/conserves",
        wrong: output(|asked, mut shown| {
            shown.extend(asked.messages.iter().filter(|message| passes(message)).cloned());
            shown
        }),
    },
    Fault {
        id: "normalize_ui/loses-fields-of-parts",
        title: "copies a message's role and block into its parts, and forgets its flags and its time",
        source: None,
        rule: "ui/conserves",
        wrong: parts(|part, message| {
            if let Some(members) = message.as_object_mut().filter(|_| part.count > 1) {
                members
                    .retain(|name, _| matches!(name.as_str(), "type" | "uuid" | "message" | "imagePasteIds"));
            }
        }),
    },
    Fault {
        id: "normalize_ui/doubles-thinking",
        title: "shows thinking twice: while it streams, and in its reply",
        source: None,
        rule: "ui/conserves",
        wrong: output(|_, shown| {
            let is_thinking = |message: &Value| blocks(message).iter().any(|block| kind(block) == "thinking");
            let twice = |message: Value| {
                if is_thinking(&message) { vec![message.clone(), message] } else { vec![message] }
            };
            shown.into_iter().flat_map(twice).collect()
        }),
    },
    Fault {
        id: "normalize_ui/counts-from-one",
        title: "derives ids from the number of the block, counted from 1",
        source: None,
        rule: "ui/derived-after-split",
        wrong: parts(|part, message| {
            if part.is_derived {
                name(message, part.derived(part.index + 1));
            }
        }),
    },
    Fault {
        id: "normalize_ui/derives-for-split-messages-only",
        title: "keeps the id of a message of one block, also after one that was split",
        source: None,
        rule: "ui/derived-after-split",
        wrong: parts(|part, message| {
            if part.count == 1 {
                name(message, part.own());
            }
        }),
    },
    Fault {
        id: "normalize_ui/derives-always",
        title: "derives ids from the first message on",
        source: None,
        rule: "ui/derived-after-split",
        wrong: parts(|part, message| {
            if is_spoken(part.whole) {
                name(message, part.derived(part.index));
            }
        }),
    },
    Fault {
        id: "normalize_ui/first-part-keeps-the-id",
        title: "lets the first part of a message keep its id",
        source: None,
        rule: "ui/derived-after-split",
        wrong: parts(|part, message| {
            if part.index == 0 {
                name(message, part.own());
            }
        }),
    },
    Fault {
        id: "normalize_ui/derives-for-each-role",
        title: "remembers splits of prompts and of replies apart",
        source: None,
        rule: "ui/derived-after-split",
        wrong: output(|asked, shown| {
            let mut split = Vec::new();
            let mut named = Vec::new();
            for (part, mut message) in parted(asked, shown) {
                if part.count > 1 {
                    split.push(kind(part.whole).to_owned());
                }
                if part.is_derived && !split.iter().any(|role| role == kind(part.whole)) {
                    name(&mut message, part.own());
                }
                named.push(message);
            }
            named
        }),
    },
    Fault {
        id: "normalize_ui/makes-up-ids",
        title: "gives an id to a message that has none",
        source: None,
        rule: "ui/derived-after-split",
        wrong: parts(|part, message| {
            if part.own().is_none() {
                name(message, Some(Value::from(format!("message-{}", part.index))));
            }
        }),
    },
    Fault {
        id: "normalize_ui/one-id-for-all-blocks",
        title: "gives all parts of a message its own id",
        source: None,
        rule: "ui/unique-ids",
        wrong: parts(|part, message| name(message, part.own())),
    },
    Fault {
        id: "normalize_ui/index-in-one-digit",
        title: "gives every part but the first the same derived id",
        source: None,
        rule: "ui/unique-ids",
        wrong: parts(|part, message| {
            if part.is_derived {
                name(message, part.derived(part.index.min(1)));
            }
        }),
    },
    Fault {
        id: "normalize_ui/fresh-ids",
        title: "gives parts fresh ids at each drawing",
        source: None,
        rule: "ui/stable",
        wrong: parts(|part, message| {
            if part.is_derived {
                name(message, Some(Value::from(format!("part-{}", tick()))));
            }
        }),
    },
    Fault {
        id: "normalize_ui/tells-when-it-drew",
        title: "writes the time of the drawing on each message",
        source: None,
        rule: "ui/stable",
        wrong: parts(|_, message| message["drawnAt"] = Value::from(tick())),
    },
    Fault {
        id: "normalize_ui/derives-everywhere-once-split",
        title: "derives all ids as soon as any message of the list is split",
        source: None,
        rule: "ui/prefix-stable",
        wrong: output(|asked, shown| {
            let is_split = asked.messages.iter().any(|message| is_spoken(message) && count(message) > 1);
            let rename = |(part, mut message): (Part<'_>, Value)| {
                if is_split && is_spoken(part.whole) {
                    name(&mut message, part.derived(part.index));
                }
                message
            };
            parted(asked, shown).into_iter().map(rename).collect()
        }),
    },
    Fault {
        id: "normalize_ui/gathers-replies",
        title: "puts the lines of a reply together, before what came between them",
        source: None,
        rule: "ui/prefix-stable",
        wrong: output(|_, mut shown| {
            let mut placed: Vec<(usize, Value)> = Vec::new();
            for message in shown.drain(..) {
                let own = reply(&message);
                let first = placed.iter().find(|(_, other)| !own.is_empty() && reply(other) == own);
                placed.push((first.map_or(placed.len(), |(place, _)| *place), message));
            }
            placed.sort_by_key(|(place, _)| *place);
            shown.extend(placed.into_iter().map(|(_, message)| message));
            shown
        }),
    },
    Fault {
        id: "normalize_ui/numbers-from-the-end",
        title: "writes on each message how many come after it",
        source: None,
        rule: "ui/prefix-stable",
        wrong: output(|_, mut shown| {
            for (age, message) in shown.iter_mut().rev().enumerate() {
                message["age"] = Value::from(age);
            }
            shown
        }),
    },
    Fault {
        id: "normalize_ui/all-paste-ids-on-each-part",
        title: "copies the whole list of pasted images to every part",
        source: None,
        rule: "ui/paste-ids",
        wrong: parts(|part, message| paste(part, message, |ids, _| ids.to_vec())),
    },
    Fault {
        id: "normalize_ui/all-paste-ids-on-the-first-image",
        title: "gives the first image the ids of all",
        source: None,
        rule: "ui/paste-ids",
        wrong: parts(|part, message| {
            paste(part, message, |ids, image| if image == Some(0) { ids.to_vec() } else { Vec::new() });
        }),
    },
    Fault {
        id: "normalize_ui/paste-ids-by-block",
        title: "counts blocks, not images, when it gives out the ids of pasted images",
        source: None,
        rule: "ui/paste-ids",
        wrong: parts(|part, message| {
            let by_block = ids(part.whole).get(part.index as usize).cloned().into_iter().collect();
            paste(part, message, |_, image| if image.is_some() { by_block } else { Vec::new() });
        }),
    },
    Fault {
        id: "normalize_ui/forgets-paste-ids",
        title: "forgets the ids of pasted images",
        source: None,
        rule: "ui/paste-ids",
        wrong: parts(|part, message| paste(part, message, |_, _| Vec::new())),
    },
];

/// A subject that changes each of the UI's messages, given what it is a part of.
const fn parts(change: fn(&Part<'_>, &mut Value)) -> Wrong {
    Wrong::UiParts(change)
}

/// A subject that changes the list of the UI's messages.
const fn output(after: fn(&Asked<'_>, Vec<Value>) -> Vec<Value>) -> Wrong {
    Wrong::Ui(Spoil::output(after))
}
