//! Faults with the *context* that a caller gives.

use turnproof_rules::operation::Value;

use super::part::is_spoken;
use super::walk::{blocks, blocks_mut, is_of, kind, last_of, results, text, text_block, turn, words};
use super::wrong::Asked;
use super::{Fault, Wrong, fault};

pub(super) const FAULTS: &[Fault] = &[
    fault("normalize_api/context-in-every-turn", "normalize/context").that("puts the context into every user turn").by(
        Wrong::List(|asked, turns| {
            for turn in turns.iter_mut().skip(1).filter(|turn| is_of(turn, "user")) {
                insert(asked, turn, results(blocks(turn)));
            }
        }),
    ),
    fault("normalize_api/context-again-at-each-run", "normalize/context")
        .that("keeps the turn with the context, and puts the context in front again")
        .by(Wrong::List(|asked, turns| turns.first_mut().into_iter().for_each(|first| insert(asked, first, 0)))),
    fault("normalize_api/context-said-already", "normalize/context")
        .that("leaves the context out when a text of the request is the same")
        .by(Wrong::List(|asked, turns| {
            let is_said = |message: &Value| words(message).any(|said| Some(said) == asked.context);
            if asked.messages.iter().any(is_said) {
                drop_context(asked, turns);
            }
        })),
    fault("normalize_api/context-in-the-last-turn", "normalize/context")
        .that("puts the context into the last user turn instead of the first")
        .by(Wrong::List(|asked, turns| {
            drop_context(asked, turns);
            if let Some(last) = last_of(turns, "user") {
                insert(asked, last, results(blocks(last)));
            }
        })),
    fault("normalize_api/context-for-nothing", "normalize/context")
        .that("sends the context although there is nothing to send")
        .by(Wrong::List(|asked, turns| {
            if let Some(context) = asked.context.filter(|_| turns.is_empty()) {
                turns.push(turn("user", vec![text_block(context)]));
            }
        })),
    fault("normalize_api/context-lost-before-a-reply", "normalize/context")
        .that("looks for a prompt to put the context into, and finds none when a reply comes first")
        .by(Wrong::List(|asked, turns| {
            if asked.messages.iter().find(|message| is_spoken(message)).is_some_and(|first| kind(first) == "assistant")
            {
                drop_context(asked, turns);
            }
        })),
    fault("normalize_api/context-before-results", "pairing/results-first")
        .that("puts the context in front of the last user turn, before its results")
        .by(Wrong::List(|asked, turns| last_of(turns, "user").into_iter().for_each(|last| insert(asked, last, 0)))),
];

/// Puts the context into a turn, if there is one.
fn insert(asked: &Asked<'_>, turn: &mut Value, at: usize) {
    if let (Some(context), Some(blocks)) = (asked.context, blocks_mut(turn)) {
        blocks.insert(at.min(blocks.len()), text_block(context));
    }
}

/// Drops the context, which is at the beginning of the first turn.
fn drop_context(asked: &Asked<'_>, turns: &mut [Value]) {
    if let (Some(context), Some(blocks)) = (asked.context, turns.first_mut().and_then(blocks_mut))
        && blocks.first().is_some_and(|block| text(block, "text") == context)
    {
        blocks.remove(0);
    }
}
