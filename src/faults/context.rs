//! Faults with the *context* that a caller gives.

use serde_json::Value;

use super::Fault;
use super::spoil::{Asked, turns};
use super::walk::{blocks, blocks_mut, is_of, results, text, text_block, turn};

/// The faults that the rule on the context convicts, and what a context in the wrong place breaks.
pub(super) const FAULTS: &[Fault] = &[
    Fault {
        id: "normalize_api/context-in-every-turn",
        title: "puts the context into every user turn",
        source: None,
        rule: "normalize/context",
        wrong: turns(|asked, mut turns| {
            for turn in turns.iter_mut().skip(1).filter(|turn| is_of(turn, "user")) {
                insert(asked, turn, results(blocks(turn)));
            }
            turns
        }),
    },
    Fault {
        id: "normalize_api/context-again-at-each-run",
        title: "keeps the turn with the context, and puts the context in front again",
        source: None,
        rule: "normalize/context",
        wrong: turns(|asked, mut turns| {
            if let Some(first) = turns.first_mut() {
                insert(asked, first, 0);
            }
            turns
        }),
    },
    Fault {
        id: "normalize_api/context-in-the-last-turn",
        title: "puts the context into the last user turn instead of the first",
        source: None,
        rule: "normalize/context",
        wrong: turns(|asked, turns| {
            let mut turns = without_context(asked, turns);
            if let Some(last) = turns.iter_mut().rev().find(|turn| is_of(turn, "user")) {
                insert(asked, last, results(blocks(last)));
            }
            turns
        }),
    },
    Fault {
        id: "normalize_api/context-for-nothing",
        title: "sends the context although there is nothing to send",
        source: None,
        rule: "normalize/context",
        wrong: turns(|asked, turns| match asked.context {
            Some(context) if turns.is_empty() => vec![turn("user", vec![text_block(context)])],
            _ => turns,
        }),
    },
    Fault {
        id: "normalize_api/context-lost-before-a-reply",
        title: "looks for a prompt to put the context into, and finds none where a reply comes first",
        source: None,
        rule: "normalize/context",
        wrong: turns(|asked, turns| {
            let is_spoken = |kind: &str| matches!(kind, "user" | "assistant");
            let first = asked.messages.iter().map(super::walk::kind).find(|kind| is_spoken(kind));
            if first == Some("assistant") { without_context(asked, turns) } else { turns }
        }),
    },
    Fault {
        id: "normalize_api/context-before-results",
        title: "puts the context in front of the last user turn, before its results",
        source: None,
        rule: "pairing/results-first",
        wrong: turns(|asked, mut turns| {
            if let Some(last) = turns.iter_mut().rev().find(|turn| is_of(turn, "user")) {
                insert(asked, last, 0);
            }
            turns
        }),
    },
];

/// Puts the context into a turn, if there is one.
fn insert(asked: &Asked<'_>, turn: &mut Value, at: usize) {
    if let (Some(context), Some(blocks)) = (asked.context, blocks_mut(turn)) {
        blocks.insert(at.min(blocks.len()), text_block(context));
    }
}

/// The turns without the context, which stands in front of the first one.
fn without_context(asked: &Asked<'_>, mut turns: Vec<Value>) -> Vec<Value> {
    if let (Some(context), Some(blocks)) = (asked.context, turns.first_mut().and_then(blocks_mut))
        && blocks.first().is_some_and(|block| text(block, "text") == context)
    {
        blocks.remove(0);
    }
    turns
}
