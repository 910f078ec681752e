//! The *end* of the conversation is the terminal whose leaf comes last in the file. What was *compacted away*
//! gives no terminal.

use std::collections::HashSet;

use super::_2_nodes::Nodes;
use super::_3_parents::{Look, Parents, Walks};
use crate::transcript::resume::survey::META;

/// The node where the conversation ends; `None` when there is no conversation.
pub(super) fn end(nodes: &Nodes<'_>, parents: &Parents, away: &CompactedAway) -> Option<u32> {
    let terminals = terminals(nodes, parents, away);
    let speaks_plainly = |at: u32| nodes.speaks(at) && !nodes.fact(at).has(META);
    let speaks = |at: u32| nodes.speaks(at);
    last_terminal(nodes, parents, &terminals, speaks_plainly)
        .or_else(|| last_terminal(nodes, parents, &terminals, speaks))
        .or_else(|| nodes.all().rev().find(|&at| speaks_plainly(at)))
        .or_else(|| nodes.all().rev().find(|&at| speaks(at)))
}

/// The terminal whose leaf comes last; of several with the same leaf a participant, then the last.
fn last_terminal(
    nodes: &Nodes<'_>,
    parents: &Parents,
    terminals: &[u32],
    is_leaf: impl Fn(u32) -> bool,
) -> Option<u32> {
    let mut leaves = Walks::new(parents, |at| if is_leaf(at) { Look::Found } else { Look::On });
    let ranked = terminals.iter().filter_map(|&terminal| {
        Some((parents.rank(leaves.first(terminal)?), nodes.fact(terminal).is_participant(), terminal))
    });
    ranked.max().map(|(_, _, terminal)| terminal)
}

/// The nodes where a walk may start, in file order.
fn terminals(nodes: &Nodes<'_>, parents: &Parents, away: &CompactedAway) -> Vec<u32> {
    let mut is_parent = vec![false; parents.count()];
    for parent in nodes.all().filter(|&at| !away.has(at)).filter_map(|at| parents.of(at)) {
        is_parent[parent as usize] = true;
    }
    nodes.all().filter(|&at| !is_parent[at as usize] && !away.has(at)).collect()
}

/// For each node 1 more than the last boundary that compacted it away, or 0. Empty when nothing is relinked.
pub(super) struct CompactedAway(Vec<u32>);

impl CompactedAway {
    pub(super) fn new(nodes: &Nodes<'_>, parents: &Parents) -> Self {
        if !parents.are_relinked() {
            return Self(Vec::new());
        }
        let mut away = Self(vec![0; parents.count()]);
        let mut is_walked = vec![false; parents.count()];
        let mut walk = Vec::new();
        for start in nodes.all() {
            let mut next = Some(start);
            while let Some(at) = next.filter(|&at| !std::mem::replace(&mut is_walked[at as usize], true)) {
                walk.push(at);
                next = parents.of(at);
            }
            // Where bridges close a circle, what is found at its end counts at its beginning, too.
            for &at in walk.iter().rev().chain(walk.iter().rev()) {
                away.0[at as usize] = away.by(parents, at);
            }
            walk.clear();
        }
        away
    }

    /// 1 more than the boundary that compacts a node away when what is known of its parent holds, or 0.
    fn by(&self, parents: &Parents, at: u32) -> u32 {
        let Some(parent) = parents.of(at) else { return 0 };
        let relinked = |node| parents.relinked_by(node).map_or(0, |boundary| boundary + 1);
        let boundary = relinked(parent).max(self.0[parent as usize]);
        if at + 1 < boundary && relinked(at) < boundary { boundary } else { 0 }
    }

    fn has(&self, at: u32) -> bool {
        self.0.get(at as usize).is_some_and(|&boundary| boundary > 0)
    }

    /// All that the boundary of a path compacted away, if some of it is on the path: the compaction was not finished.
    pub(super) fn undone(&self, boundary: Option<u32>, path: &[u32]) -> HashSet<u32> {
        let Some(boundary) = boundary else { return HashSet::new() };
        let is_away = |at: u32| self.0.get(at as usize) == Some(&(boundary + 1));
        if !path.iter().any(|&at| is_away(at)) {
            return HashSet::new();
        }
        (0..boundary).filter(|&at| is_away(at)).collect()
    }
}
