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

/// Where a new seam can be, counted from the last one, which `before` messages stand before: where the last reply but
/// one begins, of the turns since; and that reply. `None` when turns on both sides are made of one message, or when the
/// reply may yet go. Whether messages to come reach back over the seam is for the caller to ask.
pub(super) fn seam<'t, 'm>(turns: &'t [Turn<'m>], before: usize) -> Option<(usize, &'t Turn<'m>)> {
    let mut replies = turns.iter().enumerate().rev().filter(|(_, turn)| turn.role == Role::Assistant);
    let (index, reply) = replies.nth(1)?;
    let seam = places(reply).min()?;
    let is_apart = turns[..index].iter().flat_map(places).all(|place| place < seam)
        && turns[index..].iter().flat_map(places).all(|place| place >= seam);
    // A reply that keeps a block whatever follows it: text or a call.
    let lasts = reply.content.iter().any(|part| matches!(part.type_name(), "text" | "tool_use"));
    (seam > before && is_apart && lasts).then(|| (seam - before, reply))
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
