//! The *path* is what the walk over parents passes, from where the conversation ends (steps 3 and 4).

use std::iter::successors;

use super::nodes::{Nodes, Role};
use super::parents::Parents;

/// The nodes from a node to the root, or to a boundary, itself first. It ends before a node that it has passed.
pub(super) fn walk(nodes: &Nodes, parents: &Parents, from: usize) -> impl Iterator<Item = usize> {
    let next = |&node: &usize| if nodes.is(node, Role::Boundary) { None } else { parents.of(node) };
    let mut passed = vec![false; nodes.len()];
    successors(Some(from), next).take_while(move |&node| !std::mem::replace(&mut passed[node], true))
}

/// The path, its first node first; empty when there is no conversation.
pub(super) fn path(nodes: &Nodes, parents: &Parents, is_withdrawn: &dyn Fn(usize) -> bool) -> Vec<usize> {
    let Some(end) = end(nodes, parents, is_withdrawn) else { return Vec::new() };
    let mut path: Vec<usize> = walk(nodes, parents, end).collect();
    path.reverse();
    path
}

fn end(nodes: &Nodes, parents: &Parents, is_withdrawn: &dyn Fn(usize) -> bool) -> Option<usize> {
    let mut has_children = vec![false; nodes.len()];
    let here: Vec<usize> = nodes.all().filter(|&node| parents.compacted_away_by(nodes, node).is_none()).collect();
    here.iter().filter_map(|&node| parents.of(node)).for_each(|parent| has_children[parent] = true);
    let terminals: Vec<usize> = here.into_iter().filter(|&node| !has_children[node]).collect();
    let speaks = |node: usize| nodes.is_speaker(node) && !is_withdrawn(node);
    let is_meta = |node: usize| nodes.record(node).is_meta;
    for with_meta in [false, true] {
        let leaf = |terminal: usize| {
            walk(nodes, parents, terminal).find(|&node| speaks(node) && (with_meta || !is_meta(node)))
        };
        let rank = |&terminal: &usize| {
            let leaf = leaf(terminal)?;
            Some((parents.standing(leaf), leaf, nodes.is_participant(terminal), terminal))
        };
        if let Some((.., terminal)) = terminals.iter().filter_map(rank).max() {
            return Some(terminal);
        }
    }
    nodes.all().filter(|&node| speaks(node)).max_by_key(|&node| (!is_meta(node), node))
}
