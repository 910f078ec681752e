//! A *fork* is a record after which the main conversation continues in more than one way.
//!
//! The children of a record are the main participants that name it as their parent; of records with one uuid only the
//! first counts. A child is a line of the record's own reply (all of these together are one way on), a tool result (no
//! way on), a turn, or a notice (each is a way on). A record forks when it has two ways on. It also forks when a turn
//! and a result are its children: the turn leaves the result behind. So parallel calls and their results are no fork,
//! and neither is a hook's notice between a call and its result.

use std::collections::HashMap;

use super::facts::{Facts, HAS_RESULTS, Node, SIDECHAIN, USER_OR_ASSISTANT};
use super::links::{Links, Uuids};

/// A record that forks: its children by line, in file order, at most [`Fork::SHOWN`] of them.
pub(super) struct Fork {
    pub(super) node: usize,
    /// How many children it has.
    pub(super) count: usize,
    pub(super) lines: Vec<u32>,
}

impl Fork {
    /// How many children are shown by line.
    const SHOWN: usize = 4;
}

/// The children of a record, by sort.
#[derive(Clone, Copy, Default)]
struct Children {
    has_own_lines: bool,
    has_results: bool,
    turns: u8,
    notices: u8,
}

impl Children {
    fn add(&mut self, parent: &Node, child: &Node) {
        if child.is(HAS_RESULTS) {
            self.has_results = true;
        } else if child.is_same_reply(parent) {
            self.has_own_lines = true;
        } else if child.is(USER_OR_ASSISTANT) {
            self.turns = self.turns.saturating_add(1);
        } else {
            self.notices = self.notices.saturating_add(1);
        }
    }

    fn is_fork(self) -> bool {
        let ways = u16::from(self.has_own_lines) + u16::from(self.turns) + u16::from(self.notices);
        ways >= 2 || (self.has_results && self.turns > 0)
    }
}

/// Every fork of the main conversation, in file order.
pub(super) fn forks(facts: &Facts) -> Vec<Fork> {
    let uuids = Uuids::new(facts);
    let links = Links::with(facts, &uuids);
    let pairs = || links.pairs().filter(|&(child, parent)| is_main_child(facts, &uuids, child, parent));
    let mut children = vec![Children::default(); facts.nodes.len()];
    for (child, parent) in pairs() {
        children[parent].add(&facts.nodes[parent], &facts.nodes[child]);
    }
    let mut forks: Vec<Fork> = (0..facts.nodes.len())
        .filter(|&node| children[node].is_fork())
        .map(|node| Fork { node, count: 0, lines: Vec::new() })
        .collect();
    let place_of: HashMap<usize, usize> = forks.iter().enumerate().map(|(at, fork)| (fork.node, at)).collect();
    for (child, parent) in pairs() {
        if let Some(&at) = place_of.get(&parent) {
            note_child(&mut forks[at], facts.nodes[child].line);
        }
    }
    forks
}

/// Whether a record counts as a child of its parent.
fn is_main_child(facts: &Facts, uuids: &Uuids<'_>, child: usize, parent: usize) -> bool {
    let node = &facts.nodes[child];
    child != parent && node.is_participant() && !node.is(SIDECHAIN) && !uuids.is_repeated(child)
}

fn note_child(fork: &mut Fork, line: u32) {
    fork.count += 1;
    if fork.lines.len() < Fork::SHOWN {
        fork.lines.push(line);
    }
}
