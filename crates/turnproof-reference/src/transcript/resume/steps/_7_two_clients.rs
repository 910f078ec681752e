//! A turn *comes back* that another client wrote: one hangs on a placeholder, the other on the true result.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::_2_nodes::Nodes;
use super::_3_parents::Parents;
use super::_7_put_back::{PutBack, last_children};
use super::_8_reply::named_replies;
use super::{Allowed, insert};
use crate::transcript::resume::survey::{NONE, ONLY_RESULTS};

/// Puts such turns into the path; gives them.
pub(crate) fn put_turns_back(
    nodes: &Nodes<'_>,
    parents: &Parents,
    allowed: &Allowed,
    path: &mut Vec<u32>,
) -> Vec<PutBack> {
    if nodes.replaced.is_empty() {
        return Vec::new();
    }
    let mut taken: HashSet<u32> = path.iter().copied().collect();
    // Where the last line of each reply is on the path.
    let lines = path.iter().enumerate().filter_map(|(place, &at)| Some((nodes.reply(at)?, place)));
    let lines: HashMap<u64, usize> = lines.collect();
    let heads = nodes.replaced.iter().flat_map(|one| one.placeholders.iter().chain(&one.results).copied());
    let heads: BTreeSet<u32> = heads.filter(|head| !taken.contains(head)).collect();
    let last_children = last_children(nodes, parents, allowed);
    let (mut placed, mut put) = (Vec::new(), Vec::new());
    for head in heads {
        let Some(line) = named_replies(nodes, head).filter_map(|reply| lines.get(&reply).copied()).max() else {
            continue;
        };
        let (mut turn, mut seen) = (Vec::new(), HashSet::from([head]));
        let mut next = last_children[head as usize];
        while next != NONE && !taken.contains(&next) && seen.insert(next) {
            turn.push(next);
            next = last_children[next as usize];
        }
        if !turn.iter().any(|&at| nodes.speaks(at)) {
            continue;
        }
        taken.extend(&turn);
        let place = line + 1 + path[line + 1..].iter().take_while(|&&at| nodes.fact(at).has(ONLY_RESULTS)).count();
        let count = turn.iter().filter(|&&at| nodes.may_come_back(at)).count() as u64;
        put.push(PutBack { first: turn[0], count, after: path[line], is_of_another_client: true });
        placed.extend(turn.into_iter().map(|at| (place, at)));
    }
    placed.sort_by_key(|&(place, _)| place);
    insert(path, &placed);
    put
}
