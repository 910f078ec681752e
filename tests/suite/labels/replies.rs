//! Labels of replies: lines that belong together, errors of the API, usage, and how a list begins and ends.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{DIALOGUES, Held, LINES, Label, PlainProfile, blocks, has_block, is_blank, kind, label, reply};

pub(super) const LABELS: &[Label] = &[
    label("reply/of-several-lines", LINES, 300, |it| gaps(it).next().is_some()),
    label("reply/lines-apart", LINES, 100, |it| gaps(it).any(|gap| !gap.is_empty())),
    label("reply/without-an-id", LINES, 20, |it| {
        it.message(|message| kind(message) == "assistant" && reply(message).is_empty())
    }),
    label("reply/thinking-alone", DIALOGUES, 20, |it| {
        let is_thinking = |block: &Value| kind(block) == "thinking";
        it.message(|message| !blocks(message).is_empty() && blocks(message).iter().all(is_thinking))
    }),
    label("reply/redacted-after-a-call", LINES, 1, |it| {
        it.pair(|one, next| {
            let (last, first) = (blocks(one).last(), blocks(next).first());
            last.is_some_and(|last| kind(last) == "tool_use")
                && first.is_some_and(|first| kind(first) == "redacted_thinking")
        })
    }),
    label("reply/two-in-a-row", DIALOGUES, 100, |it| {
        it.pair(|one, next| {
            [one, next].iter().all(|message| kind(message) == "assistant")
                && (reply(one) != reply(next) || reply(one).is_empty())
        })
    }),
    label("prompt/two-in-a-row", DIALOGUES, 100, |it| it.pair(|one, next| is_prompt(one) && is_prompt(next))),
    label("list/of-nothing", LINES, 5, |it| it.messages.is_empty()),
    label("list/reply-first", DIALOGUES, 20, |it| it.messages.first().is_some_and(|first| kind(first) == "assistant")),
    label("list/reply-last", DIALOGUES, 100, |it| last_reply(it).is_some()),
    label("list/result-first", LINES, 5, |it| {
        let mut spoken = it.messages.iter().filter(|message| matches!(kind(message), "user" | "assistant"));
        spoken.next().is_some_and(|first| kind(first) == "user" && has_block(first, "tool_result"))
    }),
    label("list/thinking-last", DIALOGUES, 10, |it| last_block(it).is_some_and(|last| kind(last) == "thinking")),
    label("list/ends-with-white-space", DIALOGUES, 2, |it| {
        let text = last_block(it).and_then(|last| last["text"].as_str()).unwrap_or_default();
        !is_blank(text) && text.ends_with(|letter: char| letter.is_whitespace())
    }),
    label("dialogue/legal", &[PlainProfile], 400, |it| turnproof_suite::scenario::plain::is_legal(it.plan.turns())),
    label("error/of-the-api", LINES, 100, |it| it.message(is_error)),
    label("error/refuses-images", LINES, 10, |it| {
        it.message(|message| is_error(message) && refuses(message) == (true, false))
    }),
    label("error/refuses-documents", LINES, 10, |it| {
        it.message(|message| is_error(message) && refuses(message) == (false, true))
    }),
    label("error/refuses-nothing", LINES, 5, |it| {
        it.message(|message| is_error(message) && refuses(message) == (false, false))
    }),
    label("error/of-media-of-the-client", LINES, 10, |it| {
        it.pair(|one, error| {
            let (images, documents) = refuses(error);
            let is_meta = kind(one) == "user" && one["isMeta"] == true;
            let has = images && has_block(one, "image") || documents && has_block(one, "document");
            is_error(error) && is_meta && has
        })
    }),
    label("usage/absent", LINES, 20, |it| {
        it.message(|message| {
            kind(message) == "assistant" && message["message"].is_object() && message["message"].get("usage").is_none()
        })
    }),
    label("usage/of-the-cache", LINES, 20, |it| {
        it.message(|message| {
            message["message"]["usage"]["cache_read_input_tokens"].as_u64().is_some_and(|count| count > 0)
        })
    }),
    label("usage/grows", LINES, 20, |it| outputs(it).values().any(|its| its.windows(2).any(|two| two[0] < two[1]))),
];

fn is_prompt(message: &Value) -> bool {
    kind(message) == "user" && !has_block(message, "tool_result")
}

/// For each two lines of a reply that follow one another, the messages between them.
fn gaps<'h>(it: &'h Held<'_>) -> impl Iterator<Item = &'h [Value]> {
    let mut last: BTreeMap<&str, usize> = BTreeMap::new();
    let replies = it.messages.iter().enumerate().filter(|(_, message)| kind(message) == "assistant");
    let named = replies.map(|(at, message)| (at, reply(message))).filter(|(_, id)| !id.is_empty());
    named.filter_map(move |(at, id)| last.insert(id, at).map(|before| &it.messages[before + 1..at]))
}

fn last_reply<'h>(it: &'h Held<'_>) -> Option<&'h Value> {
    it.messages.last().filter(|last| kind(last) == "assistant")
}

fn last_block<'h>(it: &'h Held<'_>) -> Option<&'h Value> {
    blocks(last_reply(it)?).last()
}

fn is_error(message: &Value) -> bool {
    kind(message) == "assistant" && message["isApiErrorMessage"] == true && message["message"]["model"] == "<synthetic>"
}

/// What an error refuses: images, documents.
fn refuses(message: &Value) -> (bool, bool) {
    let words = match message["message"]["content"].as_str() {
        Some(text) => text.to_owned(),
        None => blocks(message).iter().filter_map(|block| block["text"].as_str()).collect::<Vec<_>>().join("\n"),
    };
    let words = words.to_ascii_lowercase();
    let any = |needles: &[&str]| needles.iter().any(|needle| words.contains(needle));
    let both = any(&["request too large", "request_too_large", "request was too large"]);
    let of_pdf = ["too large", "exceed", "maximum of", "password", "not valid", "invalid", "could not"];
    let images = any(&["image"]) && any(&["too large", "exceed", "could not process"]);
    (both || images, both || any(&["pdf"]) && any(&of_pdf))
}

/// The output tokens of the lines of each reply.
fn outputs<'h>(it: &'h Held<'_>) -> BTreeMap<&'h str, Vec<u64>> {
    let mut outputs: BTreeMap<&str, Vec<u64>> = BTreeMap::new();
    for message in it.messages.iter().filter(|message| kind(message) == "assistant" && !reply(message).is_empty()) {
        outputs.entry(reply(message)).or_default().extend(message["message"]["usage"]["output_tokens"].as_u64());
    }
    outputs
}
