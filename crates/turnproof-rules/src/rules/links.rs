//! *Links* are the chain as a graph of records: who a record's parent is, which parents form a circle, and whether one
//! record is an ancestor of another.
//!
//! Only chain participants and `progress` (old files hold it in the chain) have a parent here. When a uuid repeats, it
//! means the first record in the file that has it.

use super::facts::{Facts, IdKey, Node};
use super::index::KeyIndex;

const NONE: u32 = u32::MAX;

/// The records of a transcript by uuid.
pub(super) struct Uuids<'a> {
    facts: &'a Facts,
    index: KeyIndex,
}

impl<'a> Uuids<'a> {
    /// Indexes every record that has a uuid.
    pub(super) fn new(facts: &'a Facts) -> Self {
        let index = KeyIndex::new(facts.nodes.len(), |node| facts.nodes[node].uuid());
        Self { facts, index }
    }

    /// The first record with this uuid.
    pub(super) fn get(&self, uuid: IdKey) -> Option<usize> {
        self.index.get(uuid, |node| self.facts.nodes[node].uuid())
    }

    /// Whether an earlier record has this record's uuid.
    pub(super) fn is_repeated(&self, node: usize) -> bool {
        let first = self.facts.nodes[node].uuid().and_then(|uuid| self.get(uuid));
        first.is_some_and(|first| first < node)
    }
}

/// The parent of each record, 4 bytes a record.
pub(super) struct Links {
    parents: Vec<u32>,
}

impl Links {
    /// Finds every parent.
    pub(super) fn new(facts: &Facts) -> Self {
        Self::with(facts, &Uuids::new(facts))
    }

    /// Finds every parent in an index that is already there.
    pub(super) fn with(facts: &Facts, uuids: &Uuids<'_>) -> Self {
        let parent = |node: &Node| {
            let parent = node.parent().filter(|_| node.is_link())?;
            uuids.get(parent).map(|found| found as u32)
        };
        Self { parents: facts.nodes.iter().map(|node| parent(node).unwrap_or(NONE)).collect() }
    }

    /// The parent of a record, if it is in the file.
    pub(super) fn parent(&self, node: usize) -> Option<usize> {
        let parent = self.parents[node];
        (parent != NONE).then_some(parent as usize)
    }

    /// Each record that has a parent in the file, with that parent.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        (0..self.parents.len()).filter_map(|node| Some((node, self.parent(node)?)))
    }

    /// Each cycle: its first record in the file and how many records it has; in file order.
    pub(super) fn cycles(&self) -> Vec<(usize, usize)> {
        let mut seen_from = vec![NONE; self.parents.len()];
        let mut cycles = Vec::new();
        for start in 0..self.parents.len() {
            if let Some(node) = self.walk_unseen(start, &mut seen_from) {
                cycles.push(self.cycle_through(node));
            }
        }
        cycles.sort_unstable();
        cycles
    }

    /// Walks up from `start` over records not seen yet; gives a record of the cycle that closes.
    fn walk_unseen(&self, start: usize, seen_from: &mut [u32]) -> Option<usize> {
        let mut node = start;
        while seen_from[node] == NONE {
            seen_from[node] = start as u32;
            node = self.parent(node)?;
        }
        (seen_from[node] as usize == start).then_some(node)
    }

    /// The first record and the length of the cycle that a record is on.
    fn cycle_through(&self, on_cycle: usize) -> (usize, usize) {
        let (mut first, mut length, mut node) = (on_cycle, 1, on_cycle);
        while let Some(parent) = self.parent(node).filter(|&parent| parent != on_cycle) {
            first = first.min(parent);
            length += 1;
            node = parent;
        }
        (first, length)
    }
}

/// A depth that is not known yet.
const UNKNOWN: u32 = u32::MAX;
/// A record on the path that is being walked.
const ON_PATH: u32 = u32::MAX - 1;

/// Which record is an ancestor of which. A question takes the logarithm of the depth in steps. Besides its parent, each
/// record has one jump to a record further up (skew-binary jump pointers). A cycle is cut at one of its records, which
/// counts as a root that still has a parent.
pub(super) struct Ancestry<'a> {
    links: &'a Links,
    depths: Vec<u32>,
    jumps: Vec<u32>,
}

impl<'a> Ancestry<'a> {
    /// Measures every record's depth, each record once.
    pub(super) fn new(links: &'a Links) -> Self {
        let count = links.parents.len();
        let mut ancestry = Self { links, depths: vec![UNKNOWN; count], jumps: vec![NONE; count] };
        let mut path = Vec::new();
        for start in 0..count {
            ancestry.climb(start, &mut path);
            while let Some(node) = path.pop() {
                ancestry.settle(node);
            }
        }
        ancestry
    }

    /// Whether walking parents from `low` comes to `high`, or begins there.
    pub(super) fn leads_to(&self, low: usize, high: usize) -> bool {
        let root = self.above_at(low, 0);
        self.is_above(high, low) || self.links.parent(root).is_some_and(|around| self.is_above(high, around))
    }

    /// Puts the records from `start` up to a known depth, a root or a cycle on the path.
    fn climb(&mut self, start: usize, path: &mut Vec<usize>) {
        let mut next = Some(start);
        while let Some(node) = next.filter(|&node| self.depths[node] == UNKNOWN) {
            self.depths[node] = ON_PATH;
            path.push(node);
            next = self.links.parent(node);
        }
    }

    /// Sets depth and jump of a record whose parent is settled, or that is a root.
    fn settle(&mut self, node: usize) {
        match self.links.parent(node).filter(|&parent| self.depths[parent] != ON_PATH) {
            None => (self.depths[node], self.jumps[node]) = (0, node as u32),
            Some(parent) => {
                let near = self.jumps[parent] as usize;
                let far = self.jumps[near] as usize;
                let is_even = self.depths[parent] - self.depths[near] == self.depths[near] - self.depths[far];
                self.depths[node] = self.depths[parent] + 1;
                self.jumps[node] = if is_even { far as u32 } else { parent as u32 };
            }
        }
    }

    /// Whether `high` is `low` or an ancestor of it, cycles cut.
    fn is_above(&self, high: usize, low: usize) -> bool {
        self.depths[high] <= self.depths[low] && self.above_at(low, self.depths[high]) == high
    }

    /// The record above `node` (or itself) at a depth that is at most its own.
    fn above_at(&self, mut node: usize, depth: u32) -> usize {
        while self.depths[node] > depth {
            let jump = self.jumps[node] as usize;
            node = if self.depths[jump] >= depth { jump } else { self.links.parent(node).unwrap_or(jump) };
        }
        node
    }
}
