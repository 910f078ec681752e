//! Faults with the *context* that a caller gives.

use serde_json::Value;

use super::walk::{blocks, blocks_mut, is_of, results, text, text_block, turn};
use super::wrong::Asked;
use super::{Fault, Wrong, fault};

/// The faults that the rule on the context convicts, and what a context in the wrong place breaks.
pub(super) const FAULTS: &[Fault] = &[
    fault("normalize_api/context-in-every-turn", "normalize/context").that("puts the context into every user turn").by(
        Wrong::Turns(|asked, turns| {
            for turn in turns.iter_mut().skip(1).filter(|turn| is_of(turn, "user")) {
                insert(asked, turn, results(blocks(turn)));
            }
        }),
    ),
    fault("normalize_api/context-again-at-each-run", "normalize/context")
        .that("keeps the turn with the context, and puts the context in front again")
        .by(Wrong::Turns(|asked, turns| {
            if let Some(first) = turns.first_mut() {
                insert(asked, first, 0);
            }
        })),
    fault("normalize_api/context-in-the-last-turn", "normalize/context")
        .that("puts the context into the last user turn instead of the first")
        .by(Wrong::Turns(|asked, turns| {
            drop_context(asked, turns);
            if let Some(last) = turns.iter_mut().rev().find(|turn| is_of(turn, "user")) {
                insert(asked, last, results(blocks(last)));
            }
        })),
    fault("normalize_api/context-for-nothing", "normalize/context")
        .that("sends the context although there is nothing to send")
        .by(Wrong::Turns(|asked, turns| {
            if let Some(context) = asked.context.filter(|_| turns.is_empty()) {
                turns.push(turn("user", vec![text_block(context)]));
            }
        })),
    fault("normalize_api/context-lost-before-a-reply", "normalize/context")
        .that("looks for a prompt to put the context into, and finds none when a reply comes first")
        .by(Wrong::Turns(|asked, turns| {
            let is_spoken = |kind: &str| matches!(kind, "user" | "assistant");
            let first = asked.messages.iter().map(super::walk::kind).find(|kind| is_spoken(kind));
            if first == Some("assistant") {
                drop_context(asked, turns);
            }
        })),
    fault("normalize_api/context-before-results", "pairing/results-first")
        .that("puts the context in front of the last user turn, before its results")
        .by(Wrong::Turns(|asked, turns| {
            if let Some(last) = turns.iter_mut().rev().find(|turn| is_of(turn, "user")) {
                insert(asked, last, 0);
            }
        })),
];

/// Puts the context into a turn, if there is one.
fn insert(asked: &Asked<'_>, turn: &mut Value, at: usize) {
    if let (Some(context), Some(blocks)) = (asked.context, blocks_mut(turn)) {
        blocks.insert(at.min(blocks.len()), text_block(context));
    }
}

/// Drops the context, which stands at the beginning of the first turn.
fn drop_context(asked: &Asked<'_>, turns: &mut [Value]) {
    if let (Some(context), Some(blocks)) = (asked.context, turns.first_mut().and_then(blocks_mut))
        && blocks.first().is_some_and(|block| text(block, "text") == context)
    {
        blocks.remove(0);
    }
}
