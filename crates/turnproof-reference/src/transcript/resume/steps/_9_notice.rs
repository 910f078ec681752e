//! *Notices* that hang beside the path come back with what they hang on.

use super::_2_nodes::{COMES_BACK, Nodes};
use super::_3_parents::{Look, Parents, Walks};
use super::{Allowed, insert};
use crate::transcript::resume::survey::{NONE, Sort};

/// A notice beside the path that comes back.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hanging {
    pub(crate) at: u32,
    /// The record of the conversation that it hangs on.
    pub(crate) on: u32,
}

/// Adds to a conversation the notices that hang on it, and marks them; gives them.
pub(crate) fn add_notices(
    nodes: &mut Nodes<'_>,
    parents: &Parents,
    allowed: &Allowed,
    conversation: &mut Vec<u32>,
) -> Vec<Hanging> {
    let hanging = hanging(nodes, parents, allowed);
    if hanging.is_empty() {
        return hanging;
    }
    let mut places = Places::of(nodes, conversation);
    let mut put: Vec<(usize, u32)> = Vec::with_capacity(hanging.len());
    let mut next = hanging.iter().peekable();
    for at in nodes.indexes() {
        if nodes.has(at, COMES_BACK) {
            places.pass(at);
        } else if let Some(notice) = next.next_if(|notice| notice.at == at) {
            put.push((places.first_later(notice.on) as usize, at));
        }
    }
    // Those of one place stay in file order.
    put.sort_by_key(|&(place, _)| place);
    insert(conversation, &put);
    put.iter().for_each(|&(_, notice)| nodes.mark(notice, COMES_BACK));
    hanging
}

/// The notices beside the conversation, in file order, each with the record of it that it hangs on.
fn hanging(nodes: &Nodes<'_>, parents: &Parents, allowed: &Allowed) -> Vec<Hanging> {
    let mut walks = Walks::new(parents, |at| match nodes.has(at, COMES_BACK) {
        true => Look::Found,
        false if nodes.speaks(at) => Look::Dead,
        false => Look::On,
    });
    let is_beside = |&at: &u32| nodes.fact(at).sort == Sort::Notice && allowed.is_missing(nodes, at);
    let beside = nodes.all().filter(is_beside);
    beside.filter_map(|at| Some(Hanging { at, on: walks.first(at)? })).collect()
}

/// Where the records of a conversation stand in it, while the file is gone through.
struct Places {
    /// The place of each fact.
    of_fact: Vec<u32>,
    /// For each place the first one from it on whose record has not been passed, as far as is known;
    /// one more at the end.
    later: Vec<u32>,
}

impl Places {
    fn of(nodes: &Nodes<'_>, conversation: &[u32]) -> Self {
        let mut of_fact = vec![NONE; nodes.survey.facts.len()];
        for (place, &at) in conversation.iter().enumerate() {
            of_fact[at as usize] = place as u32;
        }
        Self { of_fact, later: (0..=conversation.len() as u32).collect() }
    }

    /// Says that a record of the conversation does not come later in the file.
    fn pass(&mut self, at: u32) {
        let place = self.of_fact[at as usize];
        self.later[place as usize] = place + 1;
    }

    /// The first place after a record's whose record comes later in the file; the end when there is none.
    fn first_later(&mut self, after: u32) -> u32 {
        let mut place = self.of_fact[after as usize] + 1;
        while self.later[place as usize] != place {
            let next = self.later[place as usize];
            self.later[place as usize] = self.later[next as usize];
            place = next;
        }
        place
    }
}
