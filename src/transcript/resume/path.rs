//! The *path* is where the conversation ends, and the walk from there to its beginning (parts 3 and 4 of
//! the [definition](super)).

use super::fact::META;
use super::names::NONE;
use super::nodes::{Nodes, ON_PATH};
use super::parents::Parents;
use super::terminals::terminals;

/// What is not known yet.
pub(super) const UNKNOWN: u32 = NONE - 1;

/// Finds the path from its beginning to its end, and marks it; empty when there is no conversation.
pub(super) fn path(nodes: &mut Nodes<'_>, parents: &Parents) -> Vec<u32> {
    let Some(end) = end(nodes, parents) else { return Vec::new() };
    let mut path = Vec::new();
    let mut next = Some(end);
    while let Some(at) = next.filter(|&at| !nodes.has(at, ON_PATH)) {
        nodes.mark(at, ON_PATH);
        path.push(at);
        next = parents.of(at);
    }
    path.reverse();
    path
}

/// Where the walk starts.
fn end(nodes: &mut Nodes<'_>, parents: &Parents) -> Option<u32> {
    let terminals = terminals(nodes, parents);
    let nodes = &*nodes;
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
    let mut leaves = vec![UNKNOWN; nodes.survey.facts.len()];
    let mut best: Option<((u32, bool, u32), bool, u32)> = None;
    for &terminal in terminals {
        let look = |at| if is_leaf(at) { Look::Found } else { Look::On };
        let leaf = first_above(parents, look, terminal, &mut leaves);
        if leaf != NONE {
            best = best.max(Some((parents.rank(leaf), nodes.fact(terminal).is_participant(), terminal)));
        }
    }
    best.map(|(_, _, terminal)| terminal)
}

/// What a walk makes of a node.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Look {
    /// It is what was looked for.
    Found,
    /// There is nothing to find beyond it.
    Dead,
    /// The walk goes on.
    On,
}

/// The first node of the walk from `start` that is found, or [`NONE`]; what is known for a node is kept in
/// `known`, which begins as [`UNKNOWN`], so that many walks together are linear.
pub(super) fn first_above(
    parents: &Parents,
    look: impl Fn(u32) -> Look,
    start: u32,
    known: &mut [u32],
) -> u32 {
    let mut at = start;
    let found = loop {
        if known[at as usize] != UNKNOWN {
            break known[at as usize];
        }
        match look(at) {
            Look::Found => break at,
            Look::Dead => break NONE,
            Look::On => {}
        }
        // Coming back here before anything is found means that there is nothing to find.
        known[at as usize] = NONE;
        match parents.of(at) {
            Some(parent) => at = parent,
            None => break NONE,
        }
    };
    if found != NONE {
        let mut at = start;
        while known[at as usize] == NONE {
            known[at as usize] = found;
            let Some(parent) = parents.of(at) else { break };
            at = parent;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use crate::transcript::Transcript;
    use crate::transcript::resume::{ResumeOptions, resume};

    fn lines(file: &str) -> Vec<u64> {
        let transcript = Transcript::from_bytes(file.as_bytes().to_vec());
        let resume = resume(&transcript, &ResumeOptions::default()).unwrap();
        resume.places.iter().map(|place| place.line).collect()
    }

    #[test]
    fn notices_behind_notices_share_the_leaf_above_them() {
        let mut file = String::from("{\"type\":\"user\",\"uuid\":\"u\",\"parentUuid\":null}\n");
        file += "{\"type\":\"user\",\"uuid\":\"v\",\"parentUuid\":\"u\"}\n";
        for (uuid, parent) in [("a", "u"), ("b", "a"), ("c", "b"), ("d", "b"), ("e", "v")] {
            file += &format!("{{\"type\":\"system\",\"uuid\":\"{uuid}\",\"parentUuid\":\"{parent}\"}}\n");
        }
        // All of them come back, as notices beside the path.
        assert_eq!(lines(&file), [1, 2, 3, 4, 5, 6, 7]);
    }
}
