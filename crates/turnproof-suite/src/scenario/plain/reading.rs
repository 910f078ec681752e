//! A *reading* of a dialogue: its messages joined to runs of one role, and whether they are a legal request as they are.

use std::collections::BTreeSet;

use super::block::{SIGNED, SOUND_RESULTS, WHOLE_CALLS, is_legal_id};
use super::{Speaker, TurnBlock, TurnPlan, Words, is_blank};
use crate::scenario::Choice;

/// Neighbouring messages of one role: what hosts take as one turn.
pub(in crate::scenario) struct Run {
    pub role: Speaker,
    pub blocks: Vec<TurnBlock>,
}

impl Run {
    pub(in crate::scenario) fn calls(&self) -> Vec<u8> {
        self.blocks.iter().filter_map(|block| block.call()).collect()
    }

    pub(in crate::scenario) fn results(&self) -> Vec<u8> {
        self.blocks.iter().filter_map(|block| block.result()).collect()
    }
}

/// The runs of a dialogue.
pub(in crate::scenario) fn runs(turns: &[TurnPlan]) -> Vec<Run> {
    let blocks = |turns: &[TurnPlan]| turns.iter().flat_map(|turn| turn.blocks.clone()).collect();
    let of = |turns: &[TurnPlan]| Run { role: turns[0].role, blocks: blocks(turns) };
    turns.chunk_by(|one, next| one.role == next.role).map(of).collect()
}

/// Whether the messages are a legal request as they are, once neighbours of one role are joined: every structural rule
/// of SPEC 6.12 to 6.14 holds for the strictest host. Each message says something by itself, too, since not everybody
/// joins them. It is said of the plan; a test compares it with the rules.
pub fn is_legal(turns: &[TurnPlan]) -> bool {
    let runs = runs(turns);
    let begins = runs.first().is_some_and(|run| run.role == Speaker::User);
    let blocks = || runs.iter().flat_map(|run| &run.blocks).copied();
    begins
        && turns.iter().all(|turn| !turn.blocks.is_empty())
        && !runs.iter().any(|run| run.blocks.last().is_some_and(|last| last.is_thinking()))
        && blocks().all(is_sound)
        && runs.last().is_none_or(|last| last.role == Speaker::User || !ends_blank(last))
        && is_paired(&runs)
}

/// Whether a block breaks no rule by itself.
fn is_sound(block: TurnBlock) -> bool {
    match block {
        TurnBlock::Text { text } => !is_blank(text),
        TurnBlock::Call { form, id } => form.place() < WHOLE_CALLS && is_legal_id(id),
        TurnBlock::Result { form, id } => form.place() < SOUND_RESULTS && is_legal_id(id),
        TurnBlock::Thinking { form, .. } => form.place() < SIGNED,
        TurnBlock::Image { .. } | TurnBlock::Document { .. } => true,
    }
}

/// Whether the last text ends with white space.
pub(in crate::scenario) fn ends_blank(run: &Run) -> bool {
    run.blocks.iter().rev().find_map(|block| block.text()) == Some(Words::BlankEnd)
}

/// Whether each call has an id of its own, and its result at the beginning of the next run, once; and no other result is
/// there.
fn is_paired(runs: &[Run]) -> bool {
    let mut known = BTreeSet::new();
    let mut open: Vec<u8> = Vec::new();
    for run in runs {
        let mut results = run.results();
        let leads = run.blocks.iter().take_while(|block| block.result().is_some()).count();
        let is_first = leads == results.len();
        open.sort_unstable();
        results.sort_unstable();
        if open != results || !is_first {
            return false;
        }
        open = run.calls();
        if !open.iter().all(|call| known.insert(*call)) {
            return false;
        }
    }
    open.is_empty()
}

/// Whether the results after each reply come in the order of its calls.
pub fn is_in_order(turns: &[TurnPlan]) -> bool {
    runs(turns).windows(2).all(|pair| {
        let calls = pair[0].calls();
        let places: Vec<_> = pair[1].results().iter().map(|id| calls.iter().position(|call| call == id)).collect();
        places.is_sorted()
    })
}
