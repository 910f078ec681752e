//! Rules on *requests in a row*: what was said earlier is still said, and nothing else was.
//!
//! A rule sees two neighbours side by side, a [`RequestPair`]. Places are those of the later request. What clients may
//! do to a history, such as a compaction, is a note.

mod binding;
mod kept;
mod lost;
mod prompt;

use crate::operation::RequestPair;
use crate::operation::history::{Gap, Piece};

use super::{Place, RuleEntry, Severity};

/// The family `history`.
pub(super) const RULES: &[RuleEntry] = &[
    rule!("history/thinking-changed", Requests(kept::thinking_changed)),
    rule!("history/input-changed", Requests(kept::input_changed)),
    rule!("history/result-changed", Requests(kept::result_changed)),
    rule!("history/text-changed", Requests(kept::text_changed)),
    rule!("history/order", Requests(kept::order)),
    rule!("history/turn-lost", Requests(lost::turn_lost)),
    rule!("history/turn-invented", Requests(lost::turn_invented)),
    rule!("history/thinking-bound", Requests(binding::thinking_bound)),
    rule!("history/compacted", Requests(lost::compacted)),
    rule!("history/prompt-changed", Requests(prompt::prompt_changed)),
    rule!("history/cache", Requests(prompt::cache)),
];

/// Where a piece is.
fn place(piece: &Piece<'_>) -> Place {
    Place::block(piece.turn, piece.block)
}

/// Where a gap is in the later request: at its first new piece, or behind what was kept before it, or at the beginning.
fn place_of_gap(pair: &RequestPair<'_>, gap: &Gap) -> Place {
    let kept = &pair.alignment.kept;
    let behind = |lost: &usize| {
        let count = kept.partition_point(|(before, _)| before < lost);
        count.checked_sub(1).map(|last| kept[last].1)
    };
    let new = gap.new.first().copied().or_else(|| gap.lost.first().and_then(behind));
    let piece = new.or(kept.first().map(|pair| pair.1)).and_then(|index| pair.after.get(index));
    piece.map_or(Place::Whole, place)
}

/// What only a reminder of a client would be a note of.
fn unless_reminder(piece: &Piece<'_>, severity: Severity) -> Severity {
    if piece.is_reminder() { Severity::Info } else { severity }
}
