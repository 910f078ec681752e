//! A *dead* call was left by its client: nothing answers it, and somebody went on beside it and not behind it.

use std::collections::HashSet;

use super::_2_nodes::{Nodes, ON_PATH};
use super::_3_parents::Parents;
use super::_7_put_back::is_prompt;
use crate::transcript::resume::survey::ONLY_CALLS;

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
    let mut is_followed = vec![false; parents.count()];
    for participant in nodes.participants().filter(|&at| !nodes.is_withdrawn(at)) {
        let mut above = parents.of(participant);
        while let Some(at) = above.filter(|&at| !std::mem::replace(&mut is_followed[at as usize], true)) {
            dead.remove(&at);
            above = parents.of(at);
        }
    }
    dead
}
