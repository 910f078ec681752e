//! Stage *merge*: neighbouring messages of one role become one turn.
//!
//! Hosts that do not merge them refuse two turns of one role in a row. Blocks keep their order; the
//! turn has the uuid of the first message in it that is not meta.

use super::draft::Draft;
use super::trace::Effect;
use super::{Pass, Run, Stage};

pub(super) const STAGE: Stage =
    Stage { name: "merge", title: "neighbours of one role become one turn", repairs: false, run: Run::Drafts(merge) };

/// The stage's function; *tidy turns* uses it again, after replies went.
pub(super) fn merge<'a>(drafts: Vec<Draft<'a>>, pass: &mut Pass<'_>) -> Vec<Draft<'a>> {
    let mut turns: Vec<Draft<'a>> = Vec::with_capacity(drafts.len());
    for draft in drafts {
        match turns.last_mut().filter(|turn| turn.role == draft.role) {
            Some(turn) => {
                if let (Some(at), Some(into)) = (draft.source, turn.source) {
                    pass.notes.add(at, Effect::Merged { into }, || "a neighbour of the same role");
                }
                turn.join(draft);
            }
            None => turns.push(draft),
        }
    }
    turns
}
