//! A *seam* is a place in a list of messages such that nothing after it reaches back over it. The turns of what stands
//! before it are settled, and what follows is normalized by itself.

use twox_hash::XxHash3_64;

use crate::message::Event;

use super::draft::{Role, Turn};
use super::ids::Paired;
use super::trace::Notes;
use super::{Options, Surroundings, run};

/// What stands before a seam.
#[derive(Debug, Default)]
pub(super) struct Before {
    /// How many messages.
    pub(super) messages: usize,
    /// How many turns they are.
    pub(super) turns: usize,
    /// The calls of those turns.
    pub(super) paired: Paired,
}

impl Before {
    /// The turns of messages after the seam; `stays` says that they are being settled, with a reply after them.
    pub(super) fn turns_after<'m>(&mut self, messages: &'m [Event], options: &Options, stays: bool) -> Vec<Turn<'m>> {
        let surroundings = Surroundings { before: self.messages, continues: self.turns > 0, is_followed: stays };
        self.paired.begin(stays);
        run(messages, options, &mut self.paired, surroundings, Notes::new(false)).0
    }
}

/// Where a new seam can be, the last place first, each with the reply that begins there. Places count from the last
/// seam, which `before` messages stand before; the turns are those since. Left out is the last reply, any that may yet
/// go, and any that shares a message with a turn on the other side. Whether messages to come reach back over a seam is
/// for the caller to ask.
pub(super) fn seams<'t, 'm>(turns: &'t [Turn<'m>], before: usize) -> impl Iterator<Item = (usize, &'t Turn<'m>)> {
    // For each turn, the place behind all messages of those before it.
    let mut end = 0;
    let end_before = |turn| {
        let longer = places(turn).fold(end, |end, place| end.max(place + 1));
        std::mem::replace(&mut end, longer)
    };
    let ends: Vec<usize> = turns.iter().map(end_before).collect();
    let (mut first, mut is_last) = (usize::MAX, true);
    turns.iter().enumerate().rev().filter_map(move |(index, turn)| {
        let seam = places(turn).min()?;
        first = first.min(seam);
        if turn.role == Role::User || std::mem::take(&mut is_last) {
            return None;
        }
        // A reply that keeps a block whatever follows it: text or a call.
        let lasts = turn.content.iter().any(|part| matches!(part.type_name(), "text" | "tool_use"));
        let is_apart = ends[index] <= seam && seam <= first;
        (lasts && is_apart && seam > before).then(|| (seam - before, turn))
    })
}

/// The places in the input of the messages that a turn is made of, as far as they show.
pub(super) fn places(turn: &Turn<'_>) -> impl Iterator<Item = usize> {
    let sources = turn.content.iter().map(|part| part.source);
    sources.chain([turn.source]).flatten().map(|place| place as usize)
}

/// What an id is remembered by. Two ids with one hash cost time, and no mistake; the ids themselves would cost memory.
pub(super) fn hash(id: &str) -> u64 {
    XxHash3_64::oneshot(id.as_bytes())
}
