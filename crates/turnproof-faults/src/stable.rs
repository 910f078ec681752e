//! Faults in *stability*: a request is refused, or it changes when it is made again, of itself, or of one message more.

use std::cell::Cell;
use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicU64, Ordering};

use turnproof_reference::message::constants::MISSING_TOOL_RESULT;
use turnproof_rules::json;
use turnproof_rules::operation::Value;

use super::conserve::reply;
use super::walk::{
    blocks, blocks_mut, content, content_mut, each, each_call_id, kind, last_of, list, lists, text, text_block,
};
use super::{Fault, Wrong, fault};

pub(super) const FAULTS: &[Fault] = &[
    fault("normalize_api/refuses-an-open-call", "normalize/total")
        .that("refuses a list with a call that has no result")
        .by(Wrong::RequestText(|_, turns| match turns.contains(MISSING_TOOL_RESULT) {
            true => Err("a call has no result".into()),
            false => Ok(turns),
        })),
    fault("normalize_api/refuses-misshapen-attachments", "normalize/total")
        .that("fails at an attachment that lacks a part")
        .seen_in("anthropics/claude-code CHANGELOG 2.1.217")
        .by(Wrong::RequestText(|messages, turns| {
            let is_misshapen = |message: &Value| {
                kind(message) == "attachment" && message.get("attachment").is_none_or(|it| kind(it).is_empty())
            };
            match list(messages).unwrap_or_default().iter().any(is_misshapen) {
                true => Err("an attachment without a type".into()),
                false => Ok(turns),
            }
        })),
    fault("normalize_api/panics-at-thinking-without-text", "normalize/total")
        .that("panics at thinking that has no text")
        .seen_in("anthropics/claude-code CHANGELOG 2.1.234")
        .by(Wrong::List(|asked, _| {
            let mut thoughts = asked.messages.iter().flat_map(blocks).filter(|block| kind(block) == "thinking");
            assert!(thoughts.all(|block| block.get("thinking").is_some()), "thinking without text");
        })),
    fault("normalize_api/gives-null-for-nothing", "normalize/total")
        .that("gives null when there is nothing to send")
        .by(Wrong::RequestText(|_, turns| Ok(if turns == "[]" { "null".into() } else { turns }))),
    fault("normalize_api/content-as-a-block", "normalize/total")
        .that("writes content with one text as that block alone")
        .by(Wrong::List(|_, turns| {
            for turn in turns {
                let only = match blocks(turn) {
                    [only] if kind(only) == "text" => Some(only.clone()),
                    _ => None,
                };
                if let (Some(block), Some(content)) = (only, content_mut(turn)) {
                    *content = block;
                }
            }
        })),
    fault("normalize_api/wraps-every-input", "normalize/idempotent")
        .that("wraps the input of each call, even when it is an object")
        .by(Wrong::EachBlock("assistant", |block| {
            if kind(block) == "tool_use" {
                block["input"] = json!({"input": block.get("input")});
            }
        })),
    fault("normalize_api/quotes-prompts", "normalize/idempotent")
        .that("puts a quotation mark before the user's words at each run")
        .by(Wrong::EachBlock("user", |block| {
            if kind(block) == "text" {
                block["text"] = Value::from(format!("> {}", text(block, "text")));
            }
        })),
    fault("normalize_api/renames-every-call", "normalize/idempotent")
        .that("puts a prefix before the id of each call, legal or not")
        .by(Wrong::List(|_, turns| {
            each_call_id(turns, |id| *id = Value::from(format!("call_{}", id.as_str().unwrap_or_default())));
        })),
    fault("normalize_api/fresh-ids", "normalize/deterministic").that("makes new ids for calls at each run").by(
        Wrong::List(|_, turns| {
            let mut fresh: HashMap<String, String> = HashMap::new();
            each_call_id(turns, |id| {
                let known = fresh.entry(id.to_string()).or_insert_with(|| format!("toolu_{}", tick()));
                *id = Value::from(known.as_str());
            });
        }),
    ),
    fault("normalize_api/tells-the-time", "normalize/deterministic")
        .that("sends the model the time of the request")
        .by(Wrong::List(|_, turns| {
            let last = last_of(turns, "user").and_then(blocks_mut).into_iter();
            last.for_each(|blocks| blocks.push(text_block(&format!("It is {} o'clock.", tick()))));
        })),
    fault("normalize_api/writes-blocks-into-messages", "normalize/pure")
        .that("replaces string content by a list of blocks in the caller's own messages")
        .by(Wrong::MessagesAfter(|_, messages| {
            for message in messages.iter_mut().filter(|message| content(message).is_string()) {
                let block = text_block(content(message).as_str().unwrap_or_default());
                content_mut(message).into_iter().for_each(|content| *content = json!([block]));
            }
        })),
    fault("normalize_api/writes-the-context-into-the-prompt", "normalize/pure")
        .that("writes the context into the caller's first prompt, so that the next run finds it there")
        .by(Wrong::MessagesAfter(|asked, messages| {
            let first = messages.iter_mut().find(|message| kind(message) == "user").and_then(blocks_mut);
            if let (Some(blocks), Some(context)) = (first, asked.context) {
                blocks.insert(0, text_block(context));
            }
        })),
    fault("normalize_api/takes-attachments-out", "normalize/pure")
        .that("removes the attachments that it moves from the caller's list")
        .by(Wrong::MessagesAfter(|_, messages| messages.retain(|message| kind(message) != "attachment"))),
    fault("normalize_api/marks-two-turns-for-the-cache", "normalize/prefix-stable")
        .that("marks the last two turns for the cache, and so other turns each time")
        .seen_in("anthropics/claude-code CHANGELOG 2.1.90")
        .by(Wrong::List(|_, turns| {
            for turn in turns.iter_mut().rev().take(2) {
                if let Some(block) = blocks_mut(turn).and_then(|blocks| blocks.last_mut()) {
                    block["cache_control"] = json!({"type": "ephemeral", "ttl": "1h"});
                }
            }
        })),
    fault("normalize_api/clears-old-results", "normalize/prefix-stable")
        .that("empties all results but those of the last two turns")
        .by(Wrong::List(|_, turns| {
            let old = turns.len().saturating_sub(2);
            each(&mut turns[..old], "user", |block| {
                if kind(block) == "tool_result" {
                    block["content"] = Value::from("[cleared]");
                }
            });
        })),
    fault("normalize_api/keeps-the-last-media", "normalize/prefix-stable")
        .that("sends only the last image or document, so that a new one replaces an old one")
        .by(Wrong::List(|_, turns| {
            turns.reverse();
            let mut is_seen = false;
            lists(turns, "user", |blocks| {
                for block in blocks.iter_mut().rev().filter(|block| matches!(kind(block), "image" | "document")) {
                    if std::mem::replace(&mut is_seen, true) {
                        *block = text_block("[left out]");
                    }
                }
            });
            turns.reverse();
        })),
    fault("normalize_api/counts-from-the-end", "normalize/prefix-stable")
        .that("says to the model how old each turn is")
        .by(Wrong::List(|_, turns| {
            for (age, blocks) in turns.iter_mut().rev().filter_map(blocks_mut).enumerate() {
                blocks.push(text_block(&format!("[{age} turns ago]")));
            }
        })),
    fault("normalize_api/never-looks-back", "normalize/incremental")
        .that("never changes the turns before the last one")
        .by(Wrong::Incremental(|turns, messages, right| {
            turns.pop();
            turns.extend(right(messages).into_iter().skip(turns.len()));
        })),
    fault("normalize_api/forgets-late-lines", "normalize/incremental")
        .that("forgets a line of a reply that comes after the next reply has begun")
        .seen_in("anthropics/claude-code#63155")
        .by(Wrong::Incremental(|turns, messages, right| {
            let (mut seen, mut open) = (HashSet::new(), String::new());
            let is_in_time = |message: &&Value| {
                let own = reply(message);
                let is_late = own != open && !own.is_empty() && !seen.insert(own.to_owned());
                if !own.is_empty() && !is_late {
                    own.clone_into(&mut open);
                }
                !is_late
            };
            *turns = right(&messages.iter().filter(is_in_time).cloned().collect::<Vec<_>>());
        })),
    fault("normalize_api/forgets-to-withdraw", "normalize/incremental")
        .that("does not remove a withdrawn reply from what it keeps")
        .by(Wrong::Incremental(|turns, messages, right| {
            let others = messages.iter().filter(|message| kind(message) != "tombstone");
            *turns = right(&others.cloned().collect::<Vec<_>>());
        })),
    fault("normalize_api/lags-behind", "normalize/incremental")
        .that("gives the request without the last message")
        .by(Wrong::Incremental(|turns, messages, right| *turns = right(&messages[..messages.len() - 1]))),
    fault("normalize_api/appends-each-message", "normalize/incremental")
        .that("makes turns of each message alone, and appends them")
        .by(Wrong::Incremental(|turns, messages, right| turns.extend(right(&messages[messages.len() - 1..])))),
];

/// A number that is different each time, like the time of a clock.
pub(super) fn tick() -> u64 {
    static TICKS: AtomicU64 = AtomicU64::new(0);
    TICKS.fetch_add(1, Ordering::Relaxed)
}

/// Whether this is the second, fourth, … call on this thread. So two runs differ, as with a clock or an unordered map.
pub(super) fn is_second_time() -> bool {
    thread_local! {
        static TIMES: Cell<u64> = const { Cell::new(0) };
    }
    TIMES.set(TIMES.get().wrapping_add(1));
    TIMES.get().is_multiple_of(2)
}
