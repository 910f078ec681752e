//! A *walk* goes from a node to its parent, to the parent of that, and so on.

use super::_3_parents::Parents;
use crate::transcript::resume::survey::NONE;

/// What is not known yet.
const UNKNOWN: u32 = NONE - 1;

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

/// Many walks that look for the same. They remember what they found, so that together they are linear.
pub(super) struct Walks<'a, L> {
    parents: &'a Parents,
    look: L,
    /// For each node what a walk from it finds: a node, [`NONE`] or [`UNKNOWN`]. Empty before the first walk.
    known: Vec<u32>,
}

impl<'a, L: Fn(u32) -> Look> Walks<'a, L> {
    pub(super) fn new(parents: &'a Parents, look: L) -> Self {
        Self { parents, look, known: Vec::new() }
    }

    /// The first node of the walk from `start`, itself included, that is what was looked for.
    pub(super) fn first(&mut self, start: u32) -> Option<u32> {
        if self.known.is_empty() {
            self.known = vec![UNKNOWN; self.parents.count()];
        }
        let found = self.find(start);
        let mut next = Some(start);
        while let Some(at) = next.filter(|&at| found != NONE && self.known[at as usize] == NONE) {
            self.known[at as usize] = found;
            next = self.parents.of(at);
        }
        Some(found).filter(|&found| found != NONE)
    }

    fn find(&mut self, start: u32) -> u32 {
        let mut at = start;
        loop {
            if self.known[at as usize] != UNKNOWN {
                return self.known[at as usize];
            }
            match (self.look)(at) {
                Look::Found => return at,
                Look::Dead => return NONE,
                Look::On => {}
            }
            // Coming back here before anything is found means that there is nothing to find.
            self.known[at as usize] = NONE;
            match self.parents.of(at) {
                Some(parent) => at = parent,
                None => return NONE,
            }
        }
    }
}
