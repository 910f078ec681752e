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
        let mut walked = Vec::new();
        let mut next = Some(start);
        let found = loop {
            let Some(at) = next else { break NONE };
            if self.known[at as usize] != UNKNOWN {
                break self.known[at as usize];
            }
            match (self.look)(at) {
                Look::Found => break at,
                Look::Dead => break NONE,
                Look::On => walked.push(at),
            }
            // Coming back here before anything is found means that there is nothing to find.
            self.known[at as usize] = NONE;
            next = self.parents.of(at);
        };
        walked.into_iter().for_each(|at| self.known[at as usize] = found);
        Some(found).filter(|&found| found != NONE)
    }
}
