//! Each node has one *parent* at most: what it names, what a boundary gave it, or what bridges a gap. A *walk* goes
//! from a node to its parent, to the parent of that, and so on.

use std::collections::HashMap;

use super::_2_nodes::{CIRCLE, GAP, Nodes};
use super::_4_relink::{Finder, Relink, relink};
use crate::transcript::resume::answer::Missing;
use crate::transcript::resume::survey::{NONE, ParentLink, Sort};

/// A parent that is not in the file.
const MISSING: u32 = NONE - 1;

/// The parent of each fact: an index, or [`NONE`].
pub(crate) struct Parents {
    parents: Vec<u32>,
    /// The boundaries that preserve nothing, and why.
    pub(crate) failed: Vec<(u32, Missing)>,
    /// For each node that a boundary preserves the last such boundary.
    relinked: HashMap<u32, Relink>,
}

impl Parents {
    /// Finds all parents, and marks which nodes have a gap.
    pub(crate) fn new(nodes: &mut Nodes<'_>) -> Self {
        let mut parents: Vec<u32> = nodes.indexes().map(|at| named(nodes, at)).collect();
        let (failed, relinked) = relink(&Finder::new(nodes), &mut parents);
        let mut parents = Self { parents, failed, relinked };
        parents.cut_circles(nodes);
        parents.bridge(nodes);
        parents
    }

    /// Where a node counts as standing when it is asked what comes last: where it is, or right behind its anchor.
    pub(crate) fn rank(&self, at: u32) -> (u32, bool, u32) {
        match self.relinked.get(&at) {
            Some(&Relink { anchor, .. }) => (anchor.max(at), true, at),
            None => (at, false, at),
        }
    }

    /// The last boundary that preserves a node.
    pub(crate) fn relinked_by(&self, at: u32) -> Option<u32> {
        Some(self.relinked.get(&at)?.boundary)
    }

    /// Whether a boundary preserves anything.
    pub(crate) fn are_relinked(&self) -> bool {
        !self.relinked.is_empty()
    }

    /// How many facts there are.
    pub(crate) fn count(&self) -> usize {
        self.parents.len()
    }

    /// The parent of a node.
    pub(crate) fn of(&self, at: u32) -> Option<u32> {
        Some(self.parents[at as usize]).filter(|&parent| parent != NONE)
    }

    /// Cuts each circle at its first node.
    fn cut_circles(&mut self, nodes: &mut Nodes<'_>) {
        // For each fact the start of the first walk that passed it.
        let mut passed_from = vec![NONE; self.parents.len()];
        for start in nodes.indexes() {
            let mut next = Some(start);
            while let Some(at) = next.filter(|&at| passed_from[at as usize] == NONE) {
                passed_from[at as usize] = start;
                next = Some(self.parents[at as usize]).filter(|&parent| parent < MISSING);
            }
            // A walk that meets itself has gone round a circle.
            if let Some(met) = next.filter(|&at| passed_from[at as usize] == start) {
                let first = self.first_of_circle(met);
                self.parents[first as usize] = MISSING;
                nodes.mark(first, CIRCLE);
            }
        }
    }

    fn first_of_circle(&self, on_circle: u32) -> u32 {
        let (mut first, mut at) = (on_circle, self.parents[on_circle as usize]);
        while at != on_circle {
            first = first.min(at);
            at = self.parents[at as usize];
        }
        first
    }

    /// Puts each node with a gap after the last participant of its session that stands before it.
    fn bridge(&mut self, nodes: &mut Nodes<'_>) {
        let mut last_of: HashMap<u32, u32> = HashMap::new();
        let survey = nodes.survey;
        for (at, session) in nodes.indexes().zip(survey.sessions.values()) {
            if !nodes.is_node(at) {
                continue;
            }
            if self.parents[at as usize] == MISSING {
                self.parents[at as usize] = last_of.get(&session).copied().unwrap_or(NONE);
                nodes.mark(at, GAP);
            }
            if nodes.fact(at).is_participant() {
                last_of.insert(session, at);
            }
        }
    }
}

/// The parent that a node names; [`NONE`] for what is no node.
fn named(nodes: &Nodes<'_>, at: u32) -> u32 {
    let fact = nodes.fact(at);
    match fact.link {
        _ if !nodes.is_node(at) || fact.sort == Sort::Boundary => NONE,
        ParentLink::Null => NONE,
        ParentLink::Named => nodes.standing(fact.parent).unwrap_or(MISSING),
        ParentLink::Other => MISSING,
    }
}

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
