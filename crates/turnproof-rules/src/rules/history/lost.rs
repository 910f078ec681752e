//! Rules on what only one of two requests has: what was lost, what was invented, and what a client may remove.

use std::collections::BTreeSet;

use crate::operation::RequestPair;
use crate::operation::history::{Gap, Piece};
use crate::rules::value::{kind, list};
use crate::rules::{Report, Severity};

use super::{place, place_of_gap};

/// What became of what is lost in a gap.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    /// Other words stand for it: a compaction.
    Summarized,
    /// The oldest turns were cut off.
    Trimmed,
    /// The newest turns were taken back.
    Rewound,
    /// Nothing is left of the conversation.
    NothingKept,
    /// It is missing between what was kept.
    Missing,
}

fn fate(pair: &RequestPair<'_>, gap: &Gap) -> Fate {
    let is_said = |&index: &usize| {
        let piece = &pair.after[index];
        piece.role == "user" && !piece.is_reminder() && !piece.is_result()
    };
    match gap {
        _ if !pair.alignment.is_related => Fate::NothingKept,
        Gap { is_last: true, .. } => Fate::Rewound,
        Gap { new, .. } if new.iter().any(is_said) => Fate::Summarized,
        Gap { is_first: true, .. } => Fate::Trimmed,
        _ => Fate::Missing,
    }
}

/// The pieces that a gap has lost, but for thinking.
fn lost<'p, 'a>(pair: &'p RequestPair<'a>, gap: &'p Gap) -> impl Iterator<Item = &'p Piece<'a>> {
    gap.lost.iter().map(|&index| &pair.before[index]).filter(|piece| !piece.is_thinking())
}

pub(super) fn turn_lost(pair: &RequestPair<'_>, report: &mut Report<'_>) {
    for gap in pair.alignment.gaps.iter().filter(|gap| fate(pair, gap) == Fate::Missing) {
        let mut last = None;
        for piece in lost(pair, gap).filter(|piece| !piece.is_reminder()) {
            if last.replace(piece.turn) == Some(piece.turn) {
                continue;
            }
            let (path, role) = (piece.path(), piece.role);
            let (kind, severity) = match piece {
                _ if piece.is_assistant() => ("assistant", Severity::Error),
                // Clients put words of their own beside a result, and take them away again.
                _ if is_beside_result(pair, piece) => ("beside-result", Severity::Warning),
                _ => ("user", Severity::Error),
            };
            let found = sentence!("what the {role} said at {path} before is no more", role, path);
            report.rate(place_of_gap(pair, gap), kind, found, "all that was said before, or a summary of it", severity);
        }
    }
}

/// Whether a text of the earlier request is in a turn with a result.
fn is_beside_result(pair: &RequestPair<'_>, piece: &Piece<'_>) -> bool {
    let turn = pair.earlier.messages.get(piece.turn);
    let blocks = turn.map_or(&[][..], |turn| list(turn, "content"));
    piece.kind == "text" && blocks.iter().any(|block| kind(block).ends_with("tool_result"))
}

pub(super) fn turn_invented(pair: &RequestPair<'_>, report: &mut Report<'_>) {
    for gap in &pair.alignment.gaps {
        let new: Vec<&Piece<'_>> = gap.new.iter().map(|&index| &pair.after[index]).collect();
        if gap.is_last && pair.alignment.is_related {
            several_replies(&new, report);
            continue;
        }
        let is_compacted = match fate(pair, gap) {
            Fate::Summarized => gap.is_first || !gap.lost.is_empty(),
            Fate::Trimmed => !gap.lost.is_empty(),
            fate => fate == Fate::NothingKept,
        };
        if is_compacted {
            continue;
        }
        for piece in new {
            let (role, path) = (piece.role, piece.path());
            let found = sentence!("the {role} says what no request before had there", role);
            let (kind, severity) = match piece {
                _ if piece.is_reminder() => ("reminder", Severity::Info),
                _ if piece.is_assistant() => ("assistant", Severity::Error),
                _ => ("user", Severity::Warning),
            };
            report.rate(place(piece), kind, found, sentence!("nothing new before the end, at {path}", path), severity);
        }
    }
}

/// Between two requests there is one reply. More of them come of requests that are not there, or are invented.
fn several_replies(new: &[&Piece<'_>], report: &mut Report<'_>) {
    let is_start = |&at: &usize| new[at].is_assistant() && (at == 0 || !new[at - 1].is_assistant());
    for at in (0..new.len()).filter(is_start).skip(1) {
        let found = "a second reply since the request before";
        report.rate(place(new[at]), "second-reply", found, "the one reply to the request before", Severity::Warning);
    }
}

pub(super) fn compacted(pair: &RequestPair<'_>, report: &mut Report<'_>) {
    for gap in &pair.alignment.gaps {
        let at = place_of_gap(pair, gap);
        let (blocks, reminders) =
            (lost(pair, gap).count(), lost(pair, gap).filter(|piece| piece.is_reminder()).count());
        let thinking = gap.lost.len() - blocks;
        let expected = "the conversation as it was";
        if thinking > 0 && blocks == 0 {
            let found = sentence!("{thinking} blocks of thinking are dropped", thinking);
            report.add(at, "thinking-dropped", found, expected);
            continue;
        }
        if blocks == 0 {
            if gap.is_first && !gap.is_last && !gap.new.is_empty() && fate(pair, gap) == Fate::Summarized {
                report.add(at, "summarized", "words before the rest, as of a summary", expected);
            }
            continue;
        }
        let turns = gap.lost.iter().map(|&index| pair.before[index].turn);
        let turns = turns.collect::<BTreeSet<_>>().len();
        let (kind, found) = match fate(pair, gap) {
            _ if blocks == reminders => ("reminders", sentence!("{reminders} reminders are left out", reminders)),
            Fate::Missing => continue,
            Fate::Summarized => {
                ("summarized", sentence!("{blocks} blocks in {turns} turns became a summary", blocks, turns))
            }
            Fate::Trimmed => {
                ("trimmed", sentence!("the oldest {blocks} blocks in {turns} turns are cut off", blocks, turns))
            }
            Fate::Rewound => {
                ("rewound", sentence!("the newest {blocks} blocks in {turns} turns are taken back", blocks, turns))
            }
            Fate::NothingKept => ("nothing-kept", "nothing is left of the request before".into()),
        };
        report.add(at, kind, found, expected);
    }
}
