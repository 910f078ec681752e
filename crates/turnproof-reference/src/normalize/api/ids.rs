//! The *ids of calls* that a request has used, and the new ones made for those that the API refuses.
//!
//! An id is used once in a request. The API refuses an illegal id, and one that an earlier call has. What replaces an
//! id depends on the id itself and on what came before it. So a request keeps its beginning while it grows.

use std::collections::{HashMap, HashSet, VecDeque};

use twox_hash::XxHash3_64;

/// What is known of the calls of a request: of those before the list that is normalized, and of those in it.
#[derive(Debug, Default)]
pub(super) struct Paired {
    /// The calls of the client's tools.
    pub(super) client: Ids,
    /// The calls of the server's tools.
    pub(super) server: Ids,
    /// Whether a result came for a call of an earlier run that had none.
    pub(super) reached_back: bool,
}

impl Paired {
    /// Begins a run: what the last one added is forgotten, unless it was to stay.
    pub(super) fn begin(&mut self, stays: bool) {
        self.reached_back = false;
        for ids in [&mut self.client, &mut self.server] {
            let list = std::mem::take(&mut ids.list);
            if ids.stays {
                ids.before.calls.extend(list.calls);
                ids.before.made.extend(list.made);
            }
            ids.stays = stays;
        }
    }
}

/// The ids of one sort of calls.
#[derive(Debug, Default)]
pub(super) struct Ids {
    /// Those of the list that is normalized.
    list: Used,
    /// Those of what comes before it.
    before: Used,
    /// Whether later runs know the list's ids too.
    stays: bool,
}

/// Ids that are used.
#[derive(Debug, Default)]
struct Used {
    /// The ids that calls had in the messages.
    calls: HashMap<Box<str>, Calls>,
    /// Ids that were made to replace others.
    made: HashSet<Box<str>>,
}

/// The calls that had one id in the messages.
#[derive(Debug, Default)]
struct Calls {
    /// The number of the last one: the first is 1.
    last: u64,
    /// The turn of the last one.
    turn: usize,
    /// The calls of that turn without a result, in order.
    waiting: VecDeque<usize>,
}

/// What answers to the id of a result.
pub(super) enum Caller {
    /// The call in this slot.
    Slot(usize),
    /// A call before the list, which has no result.
    Before,
    /// Calls that have their results.
    Answered,
    /// No call.
    Nobody,
}

impl Ids {
    /// Whether this id was made to replace another.
    fn is_made(&self, id: &str) -> bool {
        self.list.made.contains(id) || self.before.made.contains(id)
    }

    /// Whether a call had this id in the messages, or was given it.
    fn is_used(&self, id: &str) -> bool {
        self.is_made(id) || self.list.calls.contains_key(id) || self.before.calls.contains_key(id)
    }

    /// Adds a call of a turn. Gives the id to send instead, when its own is not `is_legal` or is used. `prefix` begins
    /// the ids that are made.
    pub(super) fn add(&mut self, id: &str, at: (usize, usize), is_legal: bool, prefix: &str) -> Option<&str> {
        let (turn, slot) = at;
        let known = [&self.list, &self.before].into_iter().find_map(|used| used.calls.get(id));
        let next = known.map_or(1, |calls| calls.last + 1);
        let keeps_its_id = next == 1 && is_legal && !self.is_made(id);
        let sent = if keeps_its_id { None } else { self.free(id, next, prefix) };
        let calls = self.list.calls.entry(id.into()).or_default();
        if calls.turn != turn {
            (calls.turn, calls.waiting) = (turn, VecDeque::new());
        }
        calls.waiting.push_back(slot);
        calls.last = sent.as_ref().map_or(next, |(number, _)| *number);
        let (_, sent) = sent?;
        self.list.made.insert(sent.clone());
        self.list.made.get(&sent).map(|sent| &**sent)
    }

    /// The first id that is not used, of those that are made of an id and a number; and the number.
    fn free(&self, id: &str, from: u64, prefix: &str) -> Option<(u64, Box<str>)> {
        let first = format!("{prefix}{:016x}", XxHash3_64::oneshot(id.as_bytes()));
        let made = |number| if number == 1 { first.clone() } else { format!("{first}_{number}") };
        let mut all = (from..).map(|number| (number, made(number).into_boxed_str()));
        all.find(|(_, made)| !self.is_used(made))
    }

    /// The call that a result with this id answers: the first one without a result, of the last turn with such calls.
    pub(super) fn caller(&mut self, id: &str) -> Caller {
        match (self.list.calls.get_mut(id), self.before.calls.get(id)) {
            (Some(calls), _) => calls.waiting.pop_front().map_or(Caller::Answered, Caller::Slot),
            (None, Some(calls)) if calls.waiting.is_empty() => Caller::Answered,
            (None, Some(_)) => Caller::Before,
            (None, None) => Caller::Nobody,
        }
    }
}
