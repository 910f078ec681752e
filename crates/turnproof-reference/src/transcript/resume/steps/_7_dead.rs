//! A *dead* call was left by its client: nothing answers it, and somebody went on beside it and not behind it.

use std::collections::HashSet;

use super::_2_nodes::{Nodes, ON_PATH};
use super::_3_parents::Parents;
use super::_7_put_back::is_prompt;
use crate::transcript::resume::survey::ONLY_CALLS;

/// The participants whose walks pass a node, as far as it matters.
#[derive(Clone, Copy)]
enum Followed {
    Nobody,
    One(u32),
    Several,
}

impl Followed {
    /// Where bridges close a circle, a node is above itself.
    fn by_another_than(self, own: u32) -> bool {
        match self {
            Self::Nobody => false,
            Self::One(one) => one != own,
            Self::Several => true,
        }
    }
}

/// The dead calls beside the path.
pub(super) fn dead(nodes: &Nodes<'_>, parents: &Parents, path: &[u32]) -> HashSet<u32> {
    let is_prompt = |at: &u32| nodes.speaks(*at) && is_prompt(nodes, *at);
    let last_prompt = path.iter().copied().filter(is_prompt).max().unwrap_or_default();
    let is_beside = |&at: &u32| nodes.fact(at).has(ONLY_CALLS) && nodes.speaks(at) && !nodes.has(at, ON_PATH);
    let mut dead: HashSet<u32> = nodes.all().take_while(|&at| at < last_prompt).filter(is_beside).collect();
    if dead.is_empty() {
        return dead;
    }
    let survey = nodes.survey;
    let results = survey.results.iter().filter(|&&(at, _)| nodes.is_node(at) && nodes.speaks(at));
    let answered: HashSet<u32> = results.map(|&(_, id)| id).collect();
    for (at, _) in survey.calls.iter().filter(|(_, id)| answered.contains(id)) {
        dead.remove(at);
    }
    let followed = followed(nodes, parents);
    dead.retain(|&at| !followed[at as usize].by_another_than(at));
    dead
}

/// For each fact who follows it, of the participants that are not withdrawn.
fn followed(nodes: &Nodes<'_>, parents: &Parents) -> Vec<Followed> {
    let mut followed = vec![Followed::Nobody; parents.count()];
    for participant in nodes.participants().filter(|&at| !nodes.is_withdrawn(at)) {
        let mut above = parents.of(participant);
        while let Some(at) = above {
            followed[at as usize] = match followed[at as usize] {
                Followed::Nobody => Followed::One(participant),
                Followed::One(one) if one != participant => Followed::Several,
                // Who came here went on from here.
                Followed::One(_) | Followed::Several => break,
            };
            above = parents.of(at);
        }
    }
    followed
}
