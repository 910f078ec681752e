//! Whether a smallest case *stands in* for another one: it has all that the other finding needs.

use turnproof_suite::scenario::Scenario;
use turnproof_suite::scenario::plain::{TurnBlock, TurnPlan};

/// Whether another case contains a smallest plain case: the blocks of each of its messages, in order, in one message of
/// the same role or in neighbours of this role. A block of a special form must be the same; a plain one may be any of
/// its sort. Then the other case says nothing new.
pub(crate) fn stands_in(smallest: &Scenario, case: &Scenario) -> bool {
    let mut runs = case.turns().chunk_by(|one, next| one.role == next.role);
    let mut rest: Vec<TurnPlan> = Vec::new();
    smallest.turns().iter().all(|wanted| {
        loop {
            if let Some(taken) = taken(&rest, wanted) {
                rest.drain(..taken);
                return true;
            }
            match runs.next() {
                Some(run) => rest = run.to_vec(),
                None => return false,
            }
        }
    })
}

/// How many messages of a run hold the blocks of a wanted one; `None` when they do not.
fn taken(run: &[TurnPlan], wanted: &TurnPlan) -> Option<usize> {
    let mut blocks = wanted.blocks.iter().peekable();
    for (place, turn) in run.iter().enumerate() {
        if turn.role != wanted.role || wanted.as_text && !turn.as_text {
            continue;
        }
        for block in &turn.blocks {
            blocks.next_if(|wanted| is_like(*block, **wanted));
        }
        if blocks.peek().is_none() {
            return Some(place + 1);
        }
    }
    None
}

fn is_like(block: TurnBlock, wanted: TurnBlock) -> bool {
    let (sort, form) = (shape(block), shape(wanted));
    sort.0 == form.0 && (form.1 || block_form(block) == block_form(wanted))
}

/// The sort of a block, and whether it has the plainest form.
fn shape(block: TurnBlock) -> (u8, bool) {
    match block {
        TurnBlock::Text { text } => (0, text == Default::default()),
        TurnBlock::Call { form, .. } => (1, form == Default::default()),
        TurnBlock::Result { form, .. } => (2, form == Default::default()),
        TurnBlock::Thinking { form, .. } => (3, form == Default::default()),
        TurnBlock::Image { form } => (4, form == Default::default()),
        TurnBlock::Document { form } => (5, form == Default::default()),
    }
}

/// The block without the number of its id.
fn block_form(block: TurnBlock) -> TurnBlock {
    match block {
        TurnBlock::Call { form, .. } => TurnBlock::Call { form, id: 0 },
        TurnBlock::Result { form, .. } => TurnBlock::Result { form, id: 0 },
        TurnBlock::Thinking { form, .. } => TurnBlock::Thinking { form, number: 0 },
        other => other,
    }
}
